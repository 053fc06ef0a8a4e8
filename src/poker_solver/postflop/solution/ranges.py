"""Both players' hands on the way through a strategy: who is live, who gets where, who meets whom.

All hands are in the order of `layout.combos`, on representative boards.
"""

from itertools import pairwise
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.games.betting import DEAL, FLOP, IP, NONE, OOP
from poker_solver.kernels.line_values import Side
from poker_solver.postflop.layout.value_lines import street_sides
from poker_solver.postflop.solution.strategy import F64, Pair, Strategy, mixes

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
