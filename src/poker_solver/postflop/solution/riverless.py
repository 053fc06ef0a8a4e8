"""Strategies without rivers: flop and turn kept with their values, a river solved when opened.

A river line is solved again from the two ranges that reach it, which the kept strategies give. It
is an equilibrium of that subgame, not the very strategy of the first solve: where a hand is
indifferent it may mix otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.solve import Solve, Unit
from poker_solver.config.spot import PlayerSizes, PostflopBetting
from poker_solver.games.betting import IP, OOP, RIVER
from poker_solver.games.overrides import still_ahead
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.layout.state import from_file_order, to_file_order
from poker_solver.postflop.solution.ranges import Ranges
from poker_solver.postflop.solution.strategy import (
    F64,
    HostStrategy,
    Pair,
    Strategy,
    Weights,
    decisions,
    in_16_bits,
)
from poker_solver.postflop.solution.values import DealtValues, Evaluator
from poker_solver.store.files import Arrays
from poker_solver.trees.betting import BettingTree, build_betting_tree
from poker_solver.trees.locks import LockedNode
from poker_solver.trees.written import written_lines

F32 = NDArray[np.float32]

RIVER_TARGET_PCT = 0.1
"""Exploitability, % of the pot at the river, to solve an opened river to."""

_MOST_ITERATIONS = 1_000


@dataclass(frozen=True, eq=False)
class RiverlessStrategy(Strategy):
    """The decisions before the river and the values of all nodes there; rivers are solved anew."""

    layout: Layout
    kept: Weights  # decisions before the river, as `to_file_order` gives them
    kept_values: tuple[F32, F32]  # of OOP and IP, [rows, H], as `upper_values` gives them
    weights = None

    def rows(self, node: int, boards: range) -> Weights:
        """See `Strategy`; rivers are solved first."""
        tree = self.layout.tree
        if tree.street[node] == RIVER:
            return np.stack([self._rivers.rows(node, board) for board in boards])
        num_hands = len(self.layout.combos[tree.actor[node]])
        size = int(tree.num_children[node]) * num_hands
        begin = self._first_weight[node] + boards.start * size
        return self.kept[begin : begin + len(boards) * size].reshape(len(boards), -1, num_hands)

    def values(self, node: int, board: int) -> Pair | None:
        """See `Strategy`; those before the river are kept."""
        if self.layout.tree.street[node] == RIVER:
            return None
        row = self._first_row[node] + board
        oop, ip = (values[row].astype(np.float64) for values in self.kept_values)
        return oop, ip

    def arrays(self) -> Arrays:
        """All that is kept."""
        oop, ip = self.kept_values
        return {"strategy": self.kept, "oop_values": oop, "ip_values": ip}

    @cached_property
    def _rivers(self) -> "ResolvedRivers":
        return ResolvedRivers(self)

    @cached_property
    def _first_row(self) -> Mapping[int, int]:
        return first_rows(self.layout)[0]

    @cached_property
    def _first_weight(self) -> Mapping[int, int]:
        return first_weights(self.layout, decisions(self.layout, rivers=False))[0]


def without_rivers(
    layout: Layout, weights: Weights, dealt: DealtValues | None = None
) -> RiverlessStrategy:
    """Flop and turn of a strategy, with the values that the very numbers kept come to.

    Where `dealt` says what cards are worth, the weights before the river are enough.
    """
    nodes = decisions(layout, rivers=dealt is None)
    in_order = to_file_order(layout, weights, nodes, in_16_bits)
    rounded = from_file_order(layout, in_order, nodes)
    del in_order  # memory may be short
    values = upper_values(Evaluator(HostStrategy(layout, rounded), dealt))
    kept = to_file_order(layout, rounded, decisions(layout, rivers=False))
    return RiverlessStrategy(layout, kept, values)


def first_rows(layout: Layout) -> tuple[Mapping[int, int], int]:
    """Where the values of each node before the river begin, and where the last ones end."""
    nodes = np.flatnonzero(layout.tree.street < RIVER)
    boards = np.array(layout.runouts.num_boards)[layout.tree.street[nodes]]
    return _begins(nodes.tolist(), boards)


def first_weights(layout: Layout, nodes: Sequence[int]) -> tuple[Mapping[int, int], int]:
    """Where the weights of each decision begin in a file, and where the last ones end."""
    tree, at = layout.tree, list(nodes)
    boards = np.array(layout.runouts.num_boards)[tree.street[at]]
    hands = np.array([len(combos) for combos in layout.combos])[tree.actor[at]]
    return _begins(nodes, boards * tree.num_children[at] * hands)


def _begins(nodes: Sequence[int], sizes: NDArray[np.int64]) -> tuple[Mapping[int, int], int]:
    ends = sizes.cumsum(dtype=np.int64).tolist()
    return dict(zip(nodes, [0, *ends], strict=False)), ends[-1] if ends else 0


def upper_values(values: Evaluator) -> tuple[F32, F32]:
    """Of OOP and IP, [rows, H]: values of every node before the river, board after board."""
    tree, boards = values.tree, values.layout.runouts.num_boards
    first, num_rows = first_rows(values.layout)
    oop, ip = (np.empty((num_rows, hands), np.float32) for hands in values.ranges.num_hands)

    def fill(street: int, board: int) -> None:
        for node, pair in values.every_line(street, board).items():
            oop[first[node] + board], ip[first[node] + board] = pair

    for street in range(tree.first_street, RIVER):
        values.share(partial(fill, street), boards[street])
    return oop, ip


def betting_from(game: PostflopGame, entry: int) -> PostflopBetting:
    """What can be played from the root, or from a node after a card, as betting of its own."""
    if entry == 0:
        return game.betting
    tree = game.tree
    called = tree.label[tree.parent[entry]] == "c"
    oop_called = bool(called and tree.actor[tree.parent[tree.parent[entry]]] == OOP)
    paid, street = int(tree.committed[entry, OOP]), int(tree.street[entry])
    chips = game.pot + 2 * paid, game.stack - paid
    return replace(
        later_betting(game.betting, street, chips, oop_called=oop_called),
        lines=written_lines(tree, entry) if game.betting.lines else (),
        overrides=still_ahead(game.betting.overrides, tree.betting(entry).branch),
    )


def later_betting(
    whole: PostflopBetting, street: int, chips: tuple[int, int], *, oop_called: bool
) -> PostflopBetting:
    """What is played from the start of a street on, with this pot and stack."""
    (oop, *oop_later), ip = (streets[street:] for streets in whole.sizes)
    opens = oop._replace(bets=oop.donks if oop_called else oop.bets)
    above = (PlayerSizes(),) * street
    return replace(
        whole,
        num_cards=street + 2,
        pot=chips[0],
        stack=chips[1],
        sizes=((*above, opens, *oop_later), (*above, *ip)),
    )


def same_nodes(tree: BettingTree, entry: int, line: BettingTree) -> dict[int, int]:
    """Every node from one on, and the same in the tree that begins there."""
    pairs = [(entry, 0)]
    for node, same in pairs:
        pairs += zip(tree.children(node), line.children(same), strict=True)
    return dict(pairs)


class ResolvedRivers:
    """River lines, each on one board, solved when they are first asked for.

    The strategy above is asked for what both players do before the river, and nothing else.
    """

    def __init__(self, above: Strategy) -> None:
        self.layout, self.ranges = above.layout, Ranges(above)
        self._solved: dict[tuple[int, int], dict[int, F64]] = {}  # by entry and board

    def rows(self, node: int, board: int) -> F64:
        """[A, H] weights of a decision; all 0 for hands that never come."""
        entry = self.ranges.entry(node)
        if (entry, board) not in self._solved:
            self._solved[entry, board] = self._solve(entry, board)
        return self._solved[entry, board][node]

    def _solve(self, entry: int, board: int) -> dict[int, F64]:
        """[A, H] strategy sums of every decision of a river line."""
        tree, combos = self.layout.tree, self.layout.combos
        betting, locks = betting_from(self.layout.game, entry), self._locks(entry, board)
        line = same_nodes(tree, entry, build_betting_tree(betting))
        reach, by_node = self.ranges.reach_at(entry, board), dict[int, F64]()
        solved = None
        if self.ranges.met(OOP, reach[IP]) @ reach[OOP] > 0:
            game = self._game(betting, line, board, reach, locks)
            solved = self._solved_game(game)
        for node, same in line.items():
            if not tree.is_decision[node]:
                continue
            own = combos[tree.actor[node]]
            rows = np.zeros((int(tree.num_children[node]), len(own)))
            if solved is not None:
                hands = np.searchsorted(own, solved.layout.combos[tree.actor[node]])
                rows[:, hands] = solved.rows(same, range(1))[0]
            by_node[node] = rows
        for lock in locks:  # also of hands that never come
            own = combos[tree.actor[lock.node]]
            by_node[lock.node][:, lock.hands[own]] = lock.policy[:, own[lock.hands[own]]]
        return by_node

    def _game(
        self,
        betting: PostflopBetting,
        line: Mapping[int, int],
        board: int,
        reach: Pair,
        locks: list[LockedNode],
    ) -> PostflopGame:
        """The line on a board as a game of its own, with the locks of hands that get there."""
        weights = np.zeros((2, NUM_COMBOS))
        for player in (OOP, IP):
            weights[player, self.layout.combos[player]] = reach[player] / reach[player].max()
        own = []
        for lock in locks:
            hands = lock.hands & (weights[self.layout.tree.actor[lock.node]] > 0)
            if hands.any():
                policy = np.where(hands, lock.policy, 0.0)
                own.append(LockedNode(lock.line, line[lock.node], (), hands, policy))
        cards = tuple(self.layout.runouts.boards(RIVER)[board].tolist())
        return PostflopGame(cards, weights, betting, tuple(own))

    def _solved_game(self, game: PostflopGame) -> HostStrategy:
        from poker_solver.postflop.engines.cpu import PostflopEngine  # loads a compiler

        layout = lay_out(game)
        engine = PostflopEngine(layout)
        solve = Solve(engine, Unit(game.pot))
        options = SolveOptions(target=RIVER_TARGET_PCT, max_iterations=_MOST_ITERATIONS)
        solve.run(solve.rules(options))
        if solve.stopped == "interrupted":  # whoever asked wants no river any more
            raise KeyboardInterrupt
        return HostStrategy(layout, engine.policy_sum)

    def _locks(self, entry: int, board: int) -> list[LockedNode]:
        """The locks of a river line that hold on a representative board."""
        runouts, tree = self.layout.runouts, self.layout.tree
        dealt = runouts.boards(RIVER)[board, len(runouts.board) :].tolist()
        rivers = [lock for lock in self.layout.game.locks if tree.street[lock.node] == RIVER]
        return [k for k in rivers if self.ranges.entry(k.node) == entry and k.holds_on(dealt)]
