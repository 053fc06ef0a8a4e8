"""What hands are worth below any node of a solved game, with both average strategies.

Nothing is stored: the subtree under a line is walked when it is asked for, by compiled code that
takes a street on one board at a time; all the rivers of a turn are one call.
Values are counterfactual: weighted by the opponent's reach and by chance since the node asked
about, in chips against half of the game's pot. All hands are in the order of `layout.combos`, on
representative boards.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import InputError
from poker_solver.games.betting import DEAL, IP, NONE, OOP, RIVER, TURN
from poker_solver.kernels.line_values import Rivers, Walk
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.value_lines import ValueLines, lower_lines
from poker_solver.postflop.solution.ranges import Ranges, kernels
from poker_solver.postflop.solution.strategy import F64, Pair, Strategy, Weights
from poker_solver.trees.lines import deal_numbers
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT

Values = dict[int, Pair]
T = TypeVar("T")

_LINES_KEPT = 200
"""Lines, each on one board, whose values are kept."""


@dataclass(frozen=True, eq=False)
class DealtValues:
    """What the cards after each street before the river are worth, where a device has said so."""

    layout: Layout
    by_street: Mapping[int, tuple[NDArray[np.float32], NDArray[np.float32]]]
    """Of OOP and IP, [boards, deals, H] with the chance of every card since the game began."""

    def after(self, street: int, board: int, entries: Sequence[int]) -> Pair:
        """[E, H] of the lines that begin after a card on this board."""
        tree = self.layout.tree
        chance = TURNS_LEFT if street == TURN > tree.first_street else 1
        deals = deal_numbers(tree)[tree.parent[list(entries)]]
        oop, ip = (
            rows[board, deals].astype(np.float64) * chance for rows in self.by_street[street]
        )
        return oop, ip


class Evaluator:
    """Works out values from a strategy, and from what cards are worth where that is known."""

    def __init__(self, strategy: Strategy, dealt: DealtValues | None = None) -> None:
        self.strategy, self.ranges, self.dealt = strategy, Ranges(strategy), dealt
        self.layout, self.tree = strategy.layout, strategy.layout.tree
        self._known: dict[tuple[int, int], Values] = {}  # by entry and board
        self._known_lines: dict[tuple[int, ...], ValueLines] = {}  # by entries

    def values_at(self, node: int, board: int) -> Pair:
        """[H] values of both players at a node that both reach as they play.

        A street is worked out once from where its line begins, and kept.
        """
        kept = self.strategy.values(node, board)
        if kept is not None:
            return kept
        entry = self.ranges.entry(node)
        if (entry, board) not in self._known:
            while len(self._known) >= _LINES_KEPT:
                self._known.pop(next(iter(self._known)))
            values = self._street(board, {entry: self.ranges.reach_at(entry, board)})
            self._known[entry, board] = values
        return self._known[entry, board][node]

    def every_line(self, street: int, board: int) -> Values:
        """Values of all nodes of a street on one board, as `values_at` gives them."""
        tree = self.tree
        begins = (tree.parent == NONE) | (tree.kind[tree.parent] == DEAL)
        entries = np.flatnonzero(begins & (tree.street == street)).tolist()
        return self._street(board, {entry: self.ranges.reach_at(entry, board) for entry in entries})

    def share(self, work: Callable[[int], T], count: int) -> list[T]:
        """What `work` returns for each number below `count`, on as many threads as cores.

        Where cards are known there is too little to do for more than one thread.
        """
        if count == 1 or self.dealt is not None:
            return [work(number) for number in range(count)]
        for street in range(self.tree.first_street, RIVER + 1):
            self.ranges.sides(street)  # made before threads share them
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(work, range(count)))

    def _street(self, board: int, entries: Mapping[int, Pair]) -> Values:
        """Values of the entries and of all nodes of the street below them, on one board."""
        street, num_hands = int(self.tree.street[next(iter(entries))]), self.ranges.num_hands
        lines, sides = self._lines(tuple(entries)), self.ranges.sides(street)
        table, walk = lines.table, lines.walk(num_hands)
        for node, pair in entries.items():
            for player in (OOP, IP):
                row = walk.reach[player, lines.nodes.index(node)]
                row[: num_hands[player]] = pair[player]
        begin, weights = self._weights(lines.nodes, board)
        kernels().down(table, 0, len(lines.nodes), begin, weights, num_hands, walk)
        self._after_cards(street, board, lines, walk)
        kernels().up(table, 0, sides, board, walk)
        live = [self.ranges.live(player, street)[board] for player in (OOP, IP)]
        oop, ip = (walk.value[p, :, : num_hands[p]] * live[p] for p in (OOP, IP))
        return {node: (oop[n], ip[n]) for n, node in enumerate(lines.nodes)}

    def _weights(self, nodes: Sequence[int], board: int) -> tuple[NDArray[np.int64], Weights]:
        """Where the weights of each node begin on a board, and the array they begin in."""
        layout, at = self.layout, list(nodes)
        if self.strategy.weights is not None:
            return layout.offset[at] + board * layout.stride[at], self.strategy.weights
        filled, here = [], range(board, board + 1)
        for node in nodes:
            if self.tree.is_decision[node]:
                rows, player = self.strategy.rows(node, here)[0], self.tree.actor[node]
                missing = layout.width[player] - rows.shape[1]
                filled.append(np.pad(rows, ((0, 0), (0, missing))).ravel())
            else:
                filled.append(np.empty(0))
        ends = np.cumsum([rows.size for rows in filled])
        return np.array([0, *ends[:-1]]), np.concatenate(filled)

    def _lines(self, entries: tuple[int, ...]) -> ValueLines:
        if entries not in self._known_lines:
            self._known_lines[entries] = lower_lines(self.layout, entries)
        return self._known_lines[entries]

    def _after_cards(self, street: int, board: int, lines: ValueLines, walk: Walk) -> None:
        """Set the values of every DEAL in `walk`: the next street on all its boards, added up."""
        deals, num_hands = np.flatnonzero(lines.table.kind == DEAL), self.ranges.num_hands
        if not len(deals):
            return
        entries = tuple(int(self.tree.first_child[lines.nodes[n]]) for n in deals)
        oop, ip = (walk.reach[p, lines.table.row[p, deals], : num_hands[p]] for p in (OOP, IP))
        if self.dealt is not None:
            totals = self.dealt.after(street, board, entries)
        elif street == TURN:
            totals = self._after_turn(board, entries, (oop, ip))
        else:
            totals = self._after_flop(entries, (oop, ip))
        for player, total in enumerate(totals):
            walk.value[player, deals, : num_hands[player]] = total

    def _after_turn(self, turn: int, entries: tuple[int, ...], reach: Pair) -> Pair:
        """[E, H] of every river line, its boards added up."""
        lines, start = self._lines(entries), self.layout.runouts.river_start
        total = np.empty_like(reach[OOP]), np.empty_like(reach[IP])
        boards, weights = self.layout.boards, self.strategy.weights
        if weights is None:
            raise InputError("this strategy has no rivers in memory to add up")
        first, last = int(start[turn]), int(start[turn + 1])
        kernels().rivers(
            lines.table,
            weights,
            self.ranges.sides(RIVER),
            Rivers(1.0 / RIVERS_LEFT, boards.river_card_move, boards.river_card_start, first, last),
            reach,
            total,
            lines.walk(self.ranges.num_hands),
        )
        return total

    def _after_flop(self, entries: tuple[int, ...], reach: Pair) -> Pair:
        """[E, H] of every turn line, its boards added up; turns are shared among the cores."""
        total = np.zeros_like(reach[OOP]), np.zeros_like(reach[IP])
        boards, ranges = self.layout.boards, self.ranges

        def work_out(turn: int) -> list[F64]:
            oop, ip = (reach[p] * (1.0 / TURNS_LEFT * ranges.live(p, TURN)[turn]) for p in (0, 1))
            starts = {entry: (oop[e], ip[e]) for e, entry in enumerate(entries)}
            values = self._street(turn, starts)
            return [np.stack([values[entry][p] for entry in entries]) for p in (OOP, IP)]

        for turn, values in enumerate(self.share(work_out, len(boards.turn_card_start) - 1)):
            cards = slice(boards.turn_card_start[turn], boards.turn_card_start[turn + 1])
            for move in boards.turn_card_move[cards]:
                for player in (OOP, IP):
                    moved = ranges.sides(TURN)[player].moved[move]
                    total[player][:] += values[player][:, moved]
        return total
