"""Both players' hands on the way through a strategy: who is live, who gets where, who meets whom.

All hands are in the order of `layout.combos`, on representative boards; where real cards are
given, they are all 1,326.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.games.betting import DEAL, FLOP, IP, NONE, OOP
from poker_solver.kernels.line_values import Side
from poker_solver.postflop.layout.value_lines import street_sides
from poker_solver.postflop.solution.strategy import F64, Pair, Strategy, mixes
from poker_solver.trees.locks import LockedNode

_ROUNDING = 1e-12
"""A part of a range as small as this is what subtracting leaves of nothing."""


def kernels() -> ModuleType:
    """Compiled code; its compiler is loaded when a value is first asked for."""
    from poker_solver.kernels.line_values import on_numba

    return on_numba


def per_deal(cfv: F64, met: F64) -> F64:
    """[H] chips for each deal from counterfactual ones; NaN where no opponent is met."""
    return np.divide(cfv, met, out=np.full_like(cfv, np.nan), where=met > 0)


class Ranges:
    """The hands of a game whose players follow a strategy."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.layout = strategy.layout
        self.tree = self.layout.tree
        self.num_hands = tuple(len(combos) for combos in self.layout.combos)
        self._sides: dict[int, tuple[Side, Side]] = {}  # by street
        self._moves: dict[tuple[int, Permutation], NDArray[np.int64]] = {}

    def mix(self, node: int, board: int) -> F64:
        """[A, H] how the player to act mixes; evenly where he never gets."""
        return mixes(self.strategy.rows(node, range(board, board + 1))[0])

    def sides(self, street: int) -> tuple[Side, Side]:
        """Both players' hands on every board of a street."""
        if street not in self._sides:
            self._sides[street] = street_sides(self.layout, street)
        return self._sides[street]

    def moved(self, player: int, permutation: Permutation) -> NDArray[np.int64]:
        """[H] where each hand is found once suits are renamed."""
        key = player, permutation
        if key not in self._moves:
            index = np.full(NUM_COMBOS, NONE, np.int64)
            own = self.layout.combos[player]
            index[own] = np.arange(len(own))
            self._moves[key] = index[combo_permutation(permutation)[own]]
        return self._moves[key]

    def live(self, player: int, street: int) -> NDArray[np.bool_]:
        """[boards, H] whether a hand holds none of the board's cards."""
        live: NDArray[np.bool_] = self.sides(street)[player].live
        return live

    def met(self, player: int, opponent: F64) -> F64:
        """[H] reach of the opponent's hands that share no card with each of the player's."""
        out = np.empty((1, self.num_hands[player]))
        sides = self.sides(self.tree.first_street)
        kernels().met(sides[player], sides[1 - player], opponent[None], out)
        out[out < _ROUNDING * opponent.sum()] = 0.0
        met: F64 = out[0]
        return met

    def entry(self, node: int) -> int:
        """Where the line of a node begins on its street: at the root, or after a card."""
        while node > 0 and self.tree.kind[self.tree.parent[node]] != DEAL:
            node = int(self.tree.parent[node])
        return node

    def reach_at(self, node: int, board: int) -> Pair:
        """[H] of both players at a node, on one representative board of its street."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.tree.parent[path[-1]]))
        street = int(self.tree.street[node])
        reach = [weights.astype(np.float64) for weights in self.layout.reach]
        for here, after in pairwise(reversed(path)):
            if self.tree.is_decision[here]:
                above = self._board_above(street, board, int(self.tree.street[here]))
                action = self.tree.children(here).index(after)
                reach[self.tree.actor[here]] *= self.mix(here, above)[action]
        oop, ip = (reach[p] * self.live(p, street)[board] for p in (OOP, IP))
        return oop, ip

    def _board_above(self, street: int, board: int, wanted: int) -> int:
        """The board of an earlier street that a board came from."""
        if wanted == street:
            return board
        if wanted == FLOP:
            return 0
        return int(np.searchsorted(self.layout.runouts.river_start, board, "right")) - 1

    def real_strategy(self, node: int, dealt: Sequence[int]) -> F64:
        """[A, 1326] of the player to act, after real cards; 0 for hands not in his range."""
        board, renaming = self.layout.runouts.locate(dealt)
        player = int(self.tree.actor[node])
        strategy = np.zeros((int(self.tree.num_children[node]), NUM_COMBOS))
        mix = self.mix(node, board)
        strategy[:, self.layout.combos[player]] = mix[:, self.moved(player, renaming)]
        return strategy

    def deals(
        self, node: int, dealt: Sequence[int], instead: Mapping[int, F64] | None = None
    ) -> F64:
        """[1326] how many deals get to a decision with each hand of the player to act.

        `instead` has strategies, by node, to use in place of those that both play.
        """
        combos, player = self.layout.combos, int(self.tree.actor[node])
        own, other = (self._real_reach(node, dealt, p, instead or {}) for p in (player, 1 - player))
        met = np.zeros(NUM_COMBOS)
        met[combos[player]] = self.met(player, other[combos[1 - player]])
        return own * met

    def _real_reach(
        self, node: int, dealt: Sequence[int], player: int, instead: Mapping[int, F64]
    ) -> F64:
        """[1326] a player's weights times his own actions on the way to a node."""
        tree = self.tree
        reach: F64 = self.layout.game.weights[player] * unblocked(dealt)
        while node > 0:
            parent = int(tree.parent[node])
            if tree.actor[parent] == player:
                strategy = instead.get(parent)
                if strategy is None:
                    above = dealt[: int(tree.street[parent]) - tree.first_street]
                    strategy = self.real_strategy(parent, above)
                reach *= strategy[tree.children(parent).index(node)]
            node = parent
        return reach

    def reached(self, lock: LockedNode) -> F64:
        """[A] how often each action is taken where one board is locked, over deals that get there.

        All locked hands alike where none gets there.
        """
        weight = np.where(lock.hands, self.deals(lock.node, lock.dealt), 0.0)
        weight = weight / weight.sum() if weight.sum() > 0 else lock.hands / lock.hands.sum()
        often: F64 = self.real_strategy(lock.node, lock.dealt) @ weight
        return often
