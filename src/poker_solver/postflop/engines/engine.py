"""What postflop engines have in common; imports no compiler, which a GPU does not need."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.equity import range_equity
from poker_solver.cfr.schedules import Schedule, as_schedule, dcfr
from poker_solver.errors import InputError, ScheduleError
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.layout.layout import Layout, num_pairs

Float = NDArray[np.float32]
Number = TypeVar("Number", float, NDArray[np.float64])

POSTFLOP = dcfr(1.35, 0.25, 4)
"""What gets furthest on rivers, turns and flops, see docs/decisions/0007-postflop-schedule.md."""


def postflop_schedule(schedule: Schedule | str | None) -> Schedule:
    """A schedule by value or by name, `POSTFLOP` if none is given; the engines do not predict."""
    chosen = POSTFLOP if schedule is None else as_schedule(schedule)
    if chosen.prediction:
        raise ScheduleError(
            f"schedule {chosen} predicts regrets, postflop solves do not; take cfr, cfr+, lcfr, "
            "dcfr or dcfr:ALPHA,BETA,GAMMA"
        )
    return chosen


class Measured(ABC):
    """What every engine makes of its passes."""

    layout: Layout
    schedule: Schedule
    iteration: int

    @property
    def equity(self) -> tuple[float, float]:
        """Shares of the pot if all hands of the spot's ranges were shown."""
        game = self.layout.game
        oop, ip = range_equity(game.weights[0], game.weights[1], game.cards).players
        return oop.equity, ip.equity

    @abstractmethod
    def prepare(self) -> None:
        """Have everything compiled that an iteration or a measurement will call."""

    @abstractmethod
    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""

    def step(self) -> tuple[Float, Float]:
        """One iteration; [H] cfv of OOP's and IP's hands at the root, as `run_pass` gives them.

        OOP's are against the policy that IP had before, IP's against the one that OOP has now.
        """
        row = self.schedule.table(self.iteration + 1, 1)[0].astype(np.float32)
        oop, ip = (self.run_pass(player, LEARN, row) for player in (0, 1))
        self.iteration += 1
        return oop, ip

    def _total(self, player: int, mode: int) -> float:
        cfv = self.run_pass(player, mode, np.zeros(3, np.float32)).astype(np.float64)
        return float((cfv * self.layout.reach[player]).sum() / self.layout.num_pairs)

    def value_chips(self, player: int) -> float:
        """Expected share of the pot with both average strategies."""
        return self._total(player, MEAN) + self.layout.game.pot / 2

    def exploitability_chips(self) -> float:
        """Mean gain of the two best responses over the average strategies."""
        return mean_gain(self._total, self.layout.has_rake)


def mean_gain(total: Callable[[int, int], Number], has_rake: bool) -> Number:
    """Exploitability from what a player earns in a mode, at every spot of many or at one."""
    gain = [total(player, BEST) for player in (0, 1)]
    if has_rake:
        gain = [best - total(player, MEAN) for player, best in enumerate(gain)]
    return (gain[0] + gain[1]) / 2


def with_reach(layout: Layout, player: int, weights: NDArray[np.floating[Any]]) -> Layout:
    """The layout with other weights of a player's hands; see `PostflopEngine.set_reach`."""
    found, moved = np.asarray(weights, np.float32), layout.ranked.moved[player]
    if found.shape != layout.reach[player].shape:
        want = layout.reach[player].shape
        raise InputError(f"weights have shape {found.shape}, this player's hands {want}")
    if not np.isfinite(found).all() or (found < 0).any():
        raise InputError("weights must be finite and not negative")
    if not (found[moved[:, : len(found)]] == found).all():
        raise InputError(
            "suits that this layout takes for equal have different weights; lay the spot out "
            "with symmetries=[(0, 1, 2, 3)]"
        )
    reach = (found, layout.reach[1]) if player == 0 else (layout.reach[0], found)
    pairs = num_pairs(layout.combos, reach)
    return replace(layout, reach=reach, num_pairs=pairs)
