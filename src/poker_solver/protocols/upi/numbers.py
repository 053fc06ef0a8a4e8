"""What UPI asks of a solution, for all 1,326 hands in its order, which is ours: 2d2c, 2h2c, ...

A hand that is not in a player's range, or that the board blocks, has no EV and no equity (NaN) and
plays nothing (0). An EV is what the hand takes out of the pot less all it puts in from the root on.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.equity import range_equity
from poker_solver.errors import InputError
from poker_solver.games.betting import OOP
from poker_solver.postflop.solution.ranges import Ranges, per_deal
from poker_solver.postflop.solution.solution import Solution
from poker_solver.protocols.upi.ids import RealNode
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT

Float = NDArray[np.float64]


class PerHand(NamedTuple):
    """One player's hands at a node; [1326] each."""

    value: Float  # EV in chips, or equity
    matchups: Float  # weight of the hand times that of the opponent's hands it can meet

    @property
    def mean(self) -> float:
        """Of the range; NaN if nobody gets there."""
        comes = self.matchups > 0
        if not comes.any():
            return float("nan")
        return float(self.value[comes] @ self.matchups[comes] / self.matchups[comes].sum())


@dataclass(frozen=True, eq=False)
class _Here:
    """A node on its representative board, and how real hands are found there."""

    solution: Solution
    place: RealNode

    @property
    def ranges(self) -> Ranges:
        return self.solution.values.ranges

    def reach(self) -> tuple[int, tuple[Float, Float]]:
        """The board, and [H] of both players on it."""
        board, _ = self.ranges.layout.runouts.locate(self.place.dealt)
        return board, self.ranges.reach_at(self.place.node, board)

    def real(self, player: int, row: Float, missing: float = 0.0) -> Float:
        """[1326] what the layout's hands have on the representative board; the others `missing`."""
        board, renaming = self.ranges.layout.runouts.locate(self.place.dealt)
        street = int(self.solution.tree.street[self.place.node])
        here = np.where(self.ranges.live(player, street)[board], row, missing)
        out = np.full(NUM_COMBOS, missing)
        out[self.ranges.layout.combos[player]] = here[self.ranges.moved(player, renaming)]
        return out

    def held(self, player: int) -> Float:
        """[1326] 1 for every hand of the spot's range that the cards leave."""
        return self.real(player, np.ones(self.ranges.num_hands[player]))


def strategy_at(solution: Solution, place: RealNode) -> Float:
    """[A, 1326] in the order of the tree's actions; 0 for hands the player cannot hold here."""
    held = _Here(solution, place).held(int(solution.tree.actor[place.node]))
    policy: Float = solution.values.ranges.real_strategy(place.node, place.dealt) * held
    return policy


def range_at(solution: Solution, place: RealNode, player: int) -> Float:
    """[1326] how much of each hand gets to a node."""
    here = _Here(solution, place)
    return here.real(player, here.reach()[1][player])


def matchups_at(solution: Solution, place: RealNode, player: int) -> Float:
    """[1326] weight of each hand times that of the opponent's hands it can meet at a node."""
    here = _Here(solution, place)
    reach = here.reach()[1]
    return here.real(player, reach[player] * here.ranges.met(player, reach[1 - player]))


def ev_at(solution: Solution, place: RealNode, player: int) -> PerHand:
    """EVs in chips."""
    here = _Here(solution, place)
    board, reach = here.reach()
    cfv = solution.values.values_at(place.node, board)[player]
    ev = per_deal(cfv, here.ranges.met(player, reach[1 - player])) + solution.game.pot / 2
    return PerHand(here.real(player, ev, np.nan), matchups_at(solution, place, player))


def equity_at(solution: Solution, place: RealNode, player: int) -> PerHand:
    """Shares of the pot if all hands were shown."""
    other = np.minimum(range_at(solution, place, 1 - player), 1.0)
    held = _Here(solution, place).held(player)
    try:
        shown = range_equity(held, other, [*solution.game.cards, *place.dealt]).players[0]
    except InputError:  # nobody gets here, or every hand blocks every other
        return PerHand(np.full(NUM_COMBOS, np.nan), np.zeros(NUM_COMBOS))
    return PerHand(shown.equity_by_combo, matchups_at(solution, place, player))


def global_frequency(solution: Solution, place: RealNode) -> float:
    """How often the cards of a node fall and play gets there."""
    left = (RIVERS_LEFT,) if len(solution.game.cards) == 4 else (TURNS_LEFT, RIVERS_LEFT)
    chance = math.prod(1 / count for count in left[: len(place.dealt)])
    return chance * deals(solution, place) / solution.layout.num_pairs


def line_frequency(solution: Solution, place: RealNode) -> float:
    """How often play gets to a node if its cards fall."""
    oop, ip = solution.game.weights * unblocked(place.dealt)
    return deals(solution, place) / float(oop @ disjoint_sum(ip))


def deals(solution: Solution, place: RealNode) -> float:
    """Weighted pairs of hands that get to a node."""
    here = _Here(solution, place)
    oop, ip = here.reach()[1]
    return float(oop @ here.ranges.met(OOP, ip))
