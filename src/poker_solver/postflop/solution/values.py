"""What hands are worth below any node of a solved spot, with both average strategies.

Nothing is stored: the subtree under a line is walked when it is asked for, by compiled code that
takes a street on one board at a time; all the rivers of a turn are one call.
Values are counterfactual: weighted by the opponent's reach and by chance since the node asked
about, in chips against half of the spot's pot. All hands are in the order of `layout.combos`, on
representative boards.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.games.betting import DEAL, FLOP, IP, NONE, OOP, RIVER, TURN
from poker_solver.kernels.line_values import Side, Walk
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.layout.value_lines import ValueLines, lower_lines, street_sides
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT

Float = NDArray[np.float64]
Pair = tuple[Float, Float]  # of OOP's and IP's hands, [H] unless said otherwise
Values = dict[int, Pair]
T = TypeVar("T")

_LINES_KEPT = 200
"""Lines, each on one board, whose values are kept."""

_ROUNDING = 1e-12
"""A part of a range as small as this is what subtracting leaves of nothing."""


class Block(NamedTuple):
    """Consecutive representative boards of one street; above the river always one."""

    street: int
    first: int
    last: int


def _kernels() -> ModuleType:
    """Compiled code; its compiler is loaded when a value is first asked for."""
    from poker_solver.kernels.line_values import on_numba

    return on_numba


def mixes(weights: NDArray[Any]) -> Float:
    """[.., A, H] weights of actions -> how each hand mixes them; evenly where all are 0."""
    found = weights.astype(np.float64)
    total = found.sum(axis=-2, keepdims=True)
    even = np.full_like(found, 1.0 / found.shape[-2])
    shares: Float = np.divide(found, total, out=even, where=total > 0)
    return shares


class Evaluator:
    """Average strategies of a layout, and values made from them.

    Args:
        layout: the spot.
        weights: [elements] how much each action of each hand weighs: strategy sums, or
            probabilities in any unit.
    """

    def __init__(self, layout: Layout, weights: NDArray[Any]) -> None:
        self.layout = layout
        self.tree = layout.tree
        self.weights = weights
        self.num_hands = tuple(len(combos) for combos in layout.combos)
        self._known: dict[tuple[int, int], Values] = {}  # by entry and board
        self._known_lines: dict[tuple[int, ...], ValueLines] = {}  # by entries
        self._known_sides: dict[int, tuple[Side, Side]] = {}  # by street
        self._moves: dict[tuple[int, Permutation], NDArray[np.int64]] = {}

    def strategy(self, node: int, block: Block) -> Float:
        """[B, A, H] of the player to act; uniform where he never gets."""
        return mixes(self.rows(node, block))

    def rows(self, node: int, block: Block) -> NDArray[Any]:
        """[B, A, H] the weights of a decision."""
        return state_rows(self.layout, self.weights, node, block.first, block.last)

    def moved(self, player: int, permutation: Permutation) -> NDArray[np.int64]:
        """[H] where each hand is found once suits are renamed."""
        key = player, permutation
        if key not in self._moves:
            place = np.full(NUM_COMBOS, NONE, np.int64)
            own = self.layout.combos[player]
            place[own] = np.arange(len(own))
            self._moves[key] = place[combo_permutation(permutation)[own]]
        return self._moves[key]

    def live(self, player: int, street: int) -> NDArray[np.bool_]:
        """[boards, H] whether a hand holds none of the board's cards."""
        found: NDArray[np.bool_] = self._sides(street)[player].live
        return found

    def met(self, player: int, opponent: Float) -> Float:
        """[R, H] reach of the opponent's hands that share no card with each of the player's."""
        out = np.empty((len(opponent), self.num_hands[player]))
        sides = self._sides(self.tree.first_street)
        _kernels().met(sides[player], sides[1 - player], opponent, out)
        out[out < _ROUNDING * opponent.sum(axis=1, keepdims=True)] = 0.0
        return out

    def reach_at(self, node: int, board: int) -> Pair:
        """[H] of both players at a node, on one representative board of its street."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.tree.parent[path[-1]]))
        reach = [weights.astype(np.float64) for weights in self.layout.reach]
        for here, after in pairwise(reversed(path)):
            if self.tree.is_decision[here]:
                street = int(self.tree.street[here])
                above = self._board_above(int(self.tree.street[node]), board, street)
                strategy = self.strategy(here, Block(street, above, above + 1))[0]
                reach[self.tree.actor[here]] *= strategy[self.tree.children(here).index(after)]
        oop, ip = (reach[p] * self.live(p, int(self.tree.street[node]))[board] for p in (OOP, IP))
        return oop, ip

    def _board_above(self, street: int, board: int, wanted: int) -> int:
        """The board of an earlier street that a board came from."""
        if wanted == street:
            return board
        if wanted == FLOP:
            return 0
        return int(np.searchsorted(self.layout.runouts.river_start, board, "right")) - 1

    def values_at(self, node: int, board: int) -> Pair:
        """[H] values of both players at a node that both reach as they play.

        A street is worked out once from where its line begins, and kept.
        """
        entry = node
        while entry > 0 and self.tree.kind[self.tree.parent[entry]] != DEAL:
            entry = int(self.tree.parent[entry])
        if (entry, board) not in self._known:
            while len(self._known) >= _LINES_KEPT:
                self._known.pop(next(iter(self._known)))
            found = self._street(board, {entry: self.reach_at(entry, board)})
            self._known[entry, board] = found
        return self._known[entry, board][node]

    def every_line(self, street: int, board: int) -> Values:
        """Values of all nodes of a street on one board, as `values_at` gives them."""
        tree = self.tree
        begins = (tree.parent == NONE) | (tree.kind[tree.parent] == DEAL)
        entries = np.flatnonzero(begins & (tree.street == street)).tolist()
        return self._street(board, {entry: self.reach_at(entry, board) for entry in entries})

    def _street(self, board: int, entries: Mapping[int, Pair]) -> Values:
        """Values of the entries and of all nodes of the street below them, on one board."""
        street = int(self.tree.street[next(iter(entries))])
        lines, sides = self._lines(tuple(entries)), self._sides(street)
        table, walk = lines.table, lines.walk(self.num_hands)
        for node, pair in entries.items():
            for player in (OOP, IP):
                row = walk.reach[player, lines.nodes.index(node)]
                row[: self.num_hands[player]] = pair[player]
        begin, weights = self.stored(lines.nodes, board)
        _kernels().down(table, 0, len(lines.nodes), begin, weights, self.num_hands, walk)
        self._after_cards(street, board, lines, walk)
        _kernels().up(table, 0, sides, board, walk)
        live = [self.live(player, street)[board] for player in (OOP, IP)]
        oop, ip = (walk.value[p, :, : self.num_hands[p]] * live[p] for p in (OOP, IP))
        return {node: (oop[n], ip[n]) for n, node in enumerate(lines.nodes)}

    def stored(self, nodes: Sequence[int], board: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Where the weights of each node begin on a board, and the array they begin in."""
        places = list(nodes)
        return self.layout.offset[places] + board * self.layout.stride[places], self.weights

    def _lines(self, entries: tuple[int, ...]) -> ValueLines:
        if entries not in self._known_lines:
            self._known_lines[entries] = lower_lines(self.layout, entries)
        return self._known_lines[entries]

    def _sides(self, street: int) -> tuple[Side, Side]:
        if street not in self._known_sides:
            self._known_sides[street] = street_sides(self.layout, street)
        return self._known_sides[street]

    def _after_cards(self, street: int, board: int, lines: ValueLines, walk: Walk) -> None:
        """Set the values of every DEAL in `walk`: the next street on all its boards, added up."""
        deals = np.flatnonzero(lines.table.kind == DEAL)
        if not len(deals):
            return
        entries = tuple(int(self.tree.first_child[lines.nodes[n]]) for n in deals)
        oop, ip = (walk.reach[p, lines.table.row[p, deals], : self.num_hands[p]] for p in (OOP, IP))
        after = self._after_turn if street == TURN else self._after_flop
        for player, total in enumerate(after(board, entries, (oop, ip))):
            walk.value[player, deals, : self.num_hands[player]] = total

    def _after_turn(self, turn: int, entries: tuple[int, ...], reach: Pair) -> Pair:
        """[E, H] of every river line, its boards added up."""
        lines, start = self._lines(entries), self.layout.runouts.river_start
        total = np.empty_like(reach[OOP]), np.empty_like(reach[IP])
        boards = self.layout.boards
        _kernels().rivers(
            lines.table, self.weights, self._sides(RIVER), 1.0 / RIVERS_LEFT,
            boards.river_card_move, boards.river_card_start, int(start[turn]),
            int(start[turn + 1]), reach, total, lines.walk(self.num_hands),
        )  # fmt: skip
        return total

    def _after_flop(self, _: int, entries: tuple[int, ...], reach: Pair) -> Pair:
        """[E, H] of every turn line, its boards added up; turns are shared among the cores."""
        total = np.zeros_like(reach[OOP]), np.zeros_like(reach[IP])
        boards, share = self.layout.boards, 1.0 / TURNS_LEFT

        def work_out(turn: int) -> list[Float]:
            oop, ip = (reach[p] * (share * self.live(p, TURN)[turn]) for p in (OOP, IP))
            starts = {entry: (oop[e], ip[e]) for e, entry in enumerate(entries)}
            values = self._street(turn, starts)
            return [np.stack([values[entry][p] for entry in entries]) for p in (OOP, IP)]

        for turn, found in enumerate(self.share(work_out, len(boards.turn_card_start) - 1)):
            cards = slice(boards.turn_card_start[turn], boards.turn_card_start[turn + 1])
            for move in boards.turn_card_move[cards]:
                for player in (OOP, IP):
                    moved = self._sides(TURN)[player].moved[move]
                    total[player][:] += found[player][:, moved]
        return total

    def share(self, work: Callable[[int], T], count: int) -> list[T]:
        """What `work` returns for each number below `count`, on as many threads as cores."""
        if count == 1:
            return [work(0)]
        for street in range(self.tree.first_street, RIVER + 1):
            self._sides(street)  # made before threads share them
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(work, range(count)))
