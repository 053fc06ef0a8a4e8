"""Solving spots of one shape together on a GPU: each is handed over when a rule stops it.

All iterate together. A spot that has reached its target is read at that check and left as it is
while the others go on, so that it comes to what it comes to alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.loop import Loop, Stopped, StopRules
from poker_solver.cfr.progress import Progress
from poker_solver.games.betting import RIVER
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.solution.riverless import Dealt
from poker_solver.postflop.solution.solution import Solution, SolveRecord, without_rivers
from poker_solver.postflop.solve.solver import next_check
from poker_solver.runtime.interrupts import Interrupt

Float = NDArray[np.float32]
AT_ONCE = 32
"""Spots that are read together."""

FIRST_STEP = 32
"""More iterations than lie between two checks: nothing is waited for in between."""


@dataclass(frozen=True)
class GroupRecord:
    """What the records of all spots of a group have in common."""

    build_seconds: float  # shared out among them
    planned_bytes: int  # of all together
    peak_bytes: int  # likewise
    device: str
    threads: int
    schedule: str


@dataclass(frozen=True, eq=False)
class SpotRead:
    """What was read of one spot of a group."""

    spot: int  # its number in the group
    layout: Layout
    sums: Float  # strategy sums; where deals are given too, those before the river
    dealt: Dealt | None
    iterations: int
    seconds: float  # of solving, shared out among the spots of the group
    exploitability_chips: float
    ev_chips: tuple[float, float]
    equity: tuple[float, float]
    stopped: Stopped
    curve: tuple[tuple[int, float], ...]

    def solution(self, group: GroupRecord) -> Solution:
        """As `PostflopSolver.solution` makes it."""
        record = SolveRecord(
            iterations=self.iterations,
            solve_seconds=self.seconds,
            exploitability_chips=self.exploitability_chips,
            ev_chips=self.ev_chips,
            equity=self.equity,
            stopped=self.stopped,
            curve=self.curve,
            **asdict(group),
        )
        if self.dealt is None:
            return Solution(self.layout, self.sums, record)
        return without_rivers(self.layout, self.sums, self.dealt, record)


class GroupSolver:
    """Spots of one shape being solved.

    Args:
        engine: the spots on their device.
        hand_over: told of every spot once, when it is stopped, and of some at a time.
        tell: told of each check: the spot that is furthest from its target, and how it stands.
        rivers: whether strategies on the river are read.
    """

    def __init__(
        self,
        engine: CudaGroup,
        hand_over: Callable[[list[SpotRead]], None],
        tell: Callable[[int, Progress], None],
        *,
        rivers: bool = True,
    ) -> None:
        self.engine, self.hand_over, self.tell = engine, hand_over, tell
        self.layouts: Sequence[Layout] = engine.spots.layouts
        self.rivers = rivers or engine.spots.first_street == RIVER
        self.open = np.ones(len(self.layouts), bool)
        self.curves: list[list[tuple[int, float]]] = [[] for _ in self.layouts]
        self.seconds = 0.0
        self._worst = 0
        self._gains = np.zeros(len(self.layouts))

    def solve(self, rules: StopRules, stop: Interrupt | None = None) -> None:
        """Iterate until every spot is handed over."""
        loop = Loop(
            iteration=lambda: self.engine.iteration,
            train=self.engine.train,
            measure=self._measure,
            next_check=next_check,
            curve=[],
            report=lambda progress: self.tell(self._worst, progress),
            after_check=lambda seconds: self._after(seconds, rules.target),
            first_step=FIRST_STEP,
        )
        stopped = loop.run(rules, stop)
        self._hand_over(self.open.copy(), stopped)

    def _measure(self) -> float:
        """Exploitability of the worst spot that is open, % of the pot."""
        self._gains = self.engine.exploitability_chips()
        pct = 100.0 * self._gains / self.layouts[0].game.pot
        for spot in np.flatnonzero(self.open).tolist() if self.engine.iteration else ():
            self.curves[spot].append((self.engine.iteration, float(pct[spot])))
        self._worst = int(np.where(self.open, pct, -np.inf).argmax())
        return float(pct[self._worst])

    def _after(self, seconds: float, target_pct: float | None) -> None:
        """Hand over what has reached its target."""
        self.seconds = seconds
        if target_pct is not None:
            pct = 100.0 * self._gains / self.layouts[0].game.pot
            self._hand_over(self.open & (pct <= target_pct), "target")

    def _hand_over(self, spots: NDArray[np.bool_], stopped: Stopped) -> None:
        if not spots.any():
            return
        values, numbers = self.engine.value_chips(), np.flatnonzero(spots).tolist()
        for first in range(0, len(numbers), AT_ONCE):  # the first ones are finished meanwhile
            some = numbers[first : first + AT_ONCE]
            sums = self.engine.read(some, "policy_sum", rivers=self.rivers)
            self.hand_over(
                [
                    SpotRead(
                        spot=spot,
                        layout=self.layouts[spot],
                        sums=own,
                        dealt=None if self.rivers else self._dealt(spot),
                        iterations=self.engine.iteration,
                        seconds=self.seconds / len(self.layouts),
                        exploitability_chips=float(self._gains[spot]),
                        ev_chips=(float(values[0, spot]), float(values[1, spot])),
                        equity=self.engine.hands.equity[spot],
                        stopped=stopped,
                        curve=tuple(self.curves[spot]),
                    )
                    for spot, own in zip(some, sums, strict=True)
                ]
            )
        self.open &= ~spots
        if self.open.any():
            self.engine.leave(~self.open)

    def _dealt(self, spot: int) -> Dealt:
        upper = range(self.engine.spots.first_street, RIVER)
        return {street: self.engine.read_dealt(spot, street) for street in upper}
