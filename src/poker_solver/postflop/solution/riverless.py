"""Solutions without rivers: flop and turn kept with their values, a river solved when it is opened.

A river line is solved again from the two ranges that reach it, which the kept strategies give. It
is an equilibrium of that subgame, not the very strategy of the first solve: where a hand is
indifferent it may mix otherwise.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.config.spot import PlayerSizes, PostflopBetting
from poker_solver.games.betting import DEAL, FLOP, IP, OOP, RIVER, TURN
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.values import Block, Evaluator, Float, Pair, T
from poker_solver.trees.betting import BettingTree, build_betting_tree
from poker_solver.trees.lines import deal_numbers
from poker_solver.trees.locks import LockedNode
from poker_solver.trees.runouts import TURNS_LEFT

if TYPE_CHECKING:  # loads a compiler
    from poker_solver.postflop.engines.cpu import PostflopEngine

RIVER_TARGET_PCT = 0.1
"""Exploitability, % of the pot at the river, to solve an opened river to."""

_MOST_ITERATIONS = 1_000
_STEP = 25


def kept_nodes(layout: Layout) -> list[int]:
    """The decisions before the river."""
    tree = layout.tree
    return np.flatnonzero(tree.is_decision & (tree.street < RIVER)).tolist()


def valued_nodes(layout: Layout) -> list[int]:
    """All nodes before the river."""
    return np.flatnonzero(layout.tree.street < RIVER).tolist()


def upper_values(values: Evaluator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of OOP and IP, [rows, H]: values of every node before the river, board after board."""
    tree, boards = values.tree, values.layout.runouts.num_boards
    first, num_rows = _first_rows(values.layout)
    oop, ip = (np.empty((num_rows, hands), np.float32) for hands in values.num_hands)

    def fill(board: int) -> None:
        for node, pair in values.every_line(street, board).items():
            oop[first[node] + board], ip[first[node] + board] = pair

    for street in range(tree.first_street, RIVER):
        values.share(fill, boards[street])
    return oop, ip


Dealt = Mapping[int, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""By street before the river: of OOP and IP, [boards, deals, H] values at every deal."""


class DealtEvaluator(Evaluator):
    """Works out the streets before the river from what the cards after them are worth.

    Args:
        layout: the spot.
        weights: [elements before the river].
        dealt: with the chance of every card since the spot began.
    """

    def __init__(self, layout: Layout, weights: NDArray[Any], dealt: Dealt) -> None:
        super().__init__(layout, weights)
        self._dealt, self._number = dealt, deal_numbers(layout.tree)

    def _after_turn(self, turn: int, entries: tuple[int, ...], reach: Pair) -> Pair:
        chance = 1 if self.tree.first_street == TURN else TURNS_LEFT
        return self._given(TURN, turn, entries, chance)

    def _after_flop(self, _: int, entries: tuple[int, ...], reach: Pair) -> Pair:
        return self._given(FLOP, 0, entries, 1)

    def _given(self, street: int, board: int, entries: tuple[int, ...], chance: int) -> Pair:
        deals = self._number[self.tree.parent[list(entries)]]
        oop, ip = (rows[board, deals].astype(np.float64) * chance for rows in self._dealt[street])
        return oop, ip

    def share(self, work: Callable[[int], T], count: int) -> list[T]:
        """See `Evaluator`; there is too little to do for more than one thread."""
        return [work(number) for number in range(count)]


def _first_rows(layout: Layout) -> tuple[dict[int, int], int]:
    """Where the values of each node before the river begin, and where the last ones end."""
    boards, first, rows = layout.runouts.num_boards, dict[int, int](), 0
    for node in valued_nodes(layout):
        first[node] = rows
        rows += boards[layout.tree.street[node]]
    return first, rows


class SmallEvaluator(Evaluator):
    """Reads flop and turn as they were kept, and solves a river line when it is asked for.

    Args:
        layout: the spot.
        kept: [kept] weights of the decisions before the river, as `node_by_node` gives them.
        upper: values as `upper_values` gives them.
    """

    def __init__(
        self,
        layout: Layout,
        kept: NDArray[Any],
        upper: tuple[NDArray[np.float32], NDArray[np.float32]],
    ) -> None:
        super().__init__(layout, kept)
        self._upper = upper
        boards = layout.runouts.num_boards
        self._row, _ = _first_rows(layout)
        self._first, begin = dict[int, int](), 0
        for node in kept_nodes(layout):
            self._first[node] = begin
            size = int(layout.tree.num_children[node]) * self.num_hands[layout.tree.actor[node]]
            begin += size * boards[layout.tree.street[node]]
        self._rivers: dict[tuple[int, int], dict[int, Float]] = {}

    def rows(self, node: int, block: Block) -> NDArray[Any]:
        """See `Evaluator`."""
        if block.street == RIVER:
            boards = range(block.first, block.last)
            return np.stack([self._river_rows(node, board) for board in boards])
        num_hands = self.num_hands[self.tree.actor[node]]
        size = int(self.tree.num_children[node]) * num_hands
        begin = self._first[node] + block.first * size
        end = begin + (block.last - block.first) * size
        return self.weights[begin:end].reshape(block.last - block.first, -1, num_hands)

    def stored(self, nodes: Sequence[int], board: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """See `Evaluator`; asked for rivers only."""
        rows = [
            self._filled_rows(n, board) if self.tree.is_decision[n] else np.empty(0) for n in nodes
        ]
        ends = np.cumsum([row.size for row in rows])
        return np.array([0, *ends[:-1]]), np.concatenate(rows)

    def _filled_rows(self, node: int, board: int) -> Float:
        rows, player = self._river_rows(node, board), self.tree.actor[node]
        missing = self.layout.width[player] - self.num_hands[player]
        return np.pad(rows, ((0, 0), (0, missing))).ravel()

    def values_at(self, node: int, board: int) -> Pair:
        """See `Evaluator`."""
        if self.tree.street[node] == RIVER:
            return super().values_at(node, board)
        row = self._row[node] + board
        return self._upper[0][row].astype(np.float64), self._upper[1][row].astype(np.float64)

    def _river_rows(self, node: int, board: int) -> Float:
        entry = self._entry(node)
        if (entry, board) not in self._rivers:
            self._rivers[entry, board] = self._solve_river(entry, board)
        return self._rivers[entry, board][node]

    def _entry(self, node: int) -> int:
        """Where the river line of a node begins."""
        while self.tree.kind[self.tree.parent[node]] != DEAL:
            node = int(self.tree.parent[node])
        return node

    def _solve_river(self, entry: int, board: int) -> dict[int, Float]:
        """[A, H] strategy sums of every decision of a river line; 0 for hands that never come."""
        reach = self.reach_at(entry, board)
        is_reached = self.met(OOP, reach[IP][None])[0] @ reach[OOP] > 0
        engine = _solved(self._river_game(entry, board, reach)) if is_reached else None
        found = dict[int, Float]()
        for node, same in _same_nodes(self.tree, entry, self._river_tree(entry)):
            if not self.tree.is_decision[node]:
                continue
            player = int(self.tree.actor[node])
            rows = np.zeros((int(self.tree.num_children[node]), self.num_hands[player]))
            if engine is not None:
                places = np.searchsorted(self.layout.combos[player], engine.layout.combos[player])
                rows[:, places] = state_rows(engine.layout, engine.policy_sum, same, 0, 1)[0]
            found[node] = rows
        for lock in self._locks_on(entry, board):  # also of hands that never come
            own_combos = self.layout.combos[self.tree.actor[lock.node]]
            held = lock.hands[own_combos]
            found[lock.node][:, held] = lock.policy[:, own_combos[held]]
        return found

    def _river_game(self, entry: int, board: int, reach: Pair) -> PostflopGame:
        """The river line as a game of its own."""
        weights = np.zeros((2, NUM_COMBOS))
        for player in (OOP, IP):
            own = reach[player] / reach[player].max()
            weights[player, self.layout.combos[player]] = own
        same, locks = dict(_same_nodes(self.tree, entry, self._river_tree(entry))), []
        for lock in self._locks_on(entry, board):
            hands = lock.hands & (weights[self.tree.actor[lock.node]] > 0)
            if hands.any():
                policy = np.where(hands, lock.policy, 0.0)
                locks.append(LockedNode(lock.line, same[lock.node], (), hands, policy))
        cards = tuple(self.layout.runouts.boards(RIVER)[board].tolist())
        return PostflopGame(cards, weights, self._river_betting(entry), tuple(locks))

    def _river_betting(self, entry: int) -> PostflopBetting:
        """What can be played from where a river line begins."""
        tree, whole = self.tree, self.layout.game.betting
        called = tree.label[tree.parent[entry]] == "c"
        oop_called = called and tree.actor[tree.parent[tree.parent[entry]]] == OOP
        oop, ip = (streets[RIVER] for streets in whole.sizes)
        opens = oop._replace(bets=oop.donks if oop_called else oop.bets)
        above = (PlayerSizes(),) * RIVER
        paid = int(tree.committed[entry, OOP])
        return replace(
            whole,
            num_cards=5,
            pot=whole.pot + 2 * paid,
            stack=whole.stack - paid,
            sizes=((*above, opens), (*above, ip)),
        )

    def _river_tree(self, entry: int) -> BettingTree:
        return build_betting_tree(self._river_betting(entry))

    def _locks_on(self, entry: int, board: int) -> list[LockedNode]:
        """The locks of a river line that hold on a representative board."""
        runouts = self.layout.runouts
        dealt = runouts.boards(RIVER)[board, len(runouts.board) :].tolist()
        rivers = [lock for lock in self.layout.locks if self.tree.street[lock.node] == RIVER]
        return [k for k in rivers if self._entry(k.node) == entry and k.holds_on(dealt)]


def _same_nodes(tree: BettingTree, entry: int, river: BettingTree) -> list[tuple[int, int]]:
    """Every node of a river line, and the same in the line's own tree."""
    pairs = [(entry, 0)]
    for node, same in pairs:
        pairs += zip(tree.children(node), river.children(same), strict=True)
    return pairs


def _solved(game: PostflopGame) -> "PostflopEngine":
    from poker_solver.postflop.engines.cpu import PostflopEngine

    engine = PostflopEngine(lay_out(game))
    while engine.iteration < _MOST_ITERATIONS:
        engine.train(_STEP)
        if 100 * engine.measure()[0] <= RIVER_TARGET_PCT * game.pot:
            break
    return engine
