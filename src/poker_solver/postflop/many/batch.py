"""Solving spots of one shape together on a GPU: each is handed over when a rule stops it.

All iterate together. A spot that has reached its target is read at that check and left as it is
while the others go on, so that it comes to what it comes to alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.progress import Progress
from poker_solver.cfr.solve import Check, Stopped, StopRules, iterate
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER, TURN
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.solution.riverless import without_rivers
from poker_solver.postflop.solution.solution import Solution, SolveRecord
from poker_solver.postflop.solution.strategy import HostStrategy
from poker_solver.postflop.solution.values import DealtValues
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests

Float = NDArray[np.float32]
AT_ONCE = 32
"""Spots that are read together."""


@dataclass(frozen=True, eq=False)
class SpotRead:
    """What was read of one spot of a batch."""

    spot: int  # its number in the batch
    layout: Layout
    sums: Float  # strategy sums; where deals are given too, those before the river
    dealt: DealtValues | None
    record: SolveRecord

    def solution(self, written: Spot) -> Solution:
        """As `PostflopSolver.solution` makes it."""
        if self.dealt is None:
            return Solution(HostStrategy(self.layout, self.sums), self.record, written)
        return Solution(without_rivers(self.layout, self.sums, self.dealt), self.record, written)


class BatchSolver:
    """Spots of one shape being solved.

    Args:
        record: makes a record from what the spots of the batch do not have in common.
        hand_over: told of every spot once, when it is stopped, and of some at a time.
        tell: told of each check: the spot that is furthest from its target, and how it stands.
        rivers: whether strategies on the river are read.
    """

    def __init__(
        self,
        engine: CudaGroup,
        record: Callable[..., SolveRecord],
        hand_over: Callable[[list[SpotRead]], None],
        tell: Callable[[int, Progress], None],
        *,
        rivers: bool = True,
    ) -> None:
        self.engine, self.record, self.hand_over, self.tell = engine, record, hand_over, tell
        self.layouts: Sequence[Layout] = engine.spots.layouts
        self.rivers = rivers or engine.spots.first_street == RIVER
        self.open = np.ones(len(self.layouts), bool)
        self.curves: list[list[tuple[int, float]]] = [[] for _ in self.layouts]

    def solve(self, rules: StopRules, stop: Interrupt | None = None) -> None:
        """Iterate until every spot is handed over."""
        with ctrl_c_requests(stop) as interrupt:
            for check in iterate(self.engine, rules, interrupt):
                pct = rules.unit.of(np.where(self.open, check.exploitability, -np.inf))
                for spot in np.flatnonzero(self.open).tolist() if check.iteration else ():
                    self.curves[spot].append((check.iteration, float(pct[spot])))
                worst, is_open = int(pct.argmax()), self.open.copy()
                if rules.target is not None:
                    self._hand_over(self.open & (pct <= rules.target), check, "target")
                self.tell(worst, Progress(check.iteration, float(pct[worst]), check.seconds, None))
                left = replace(check, exploitability=check.exploitability[is_open])
                if (stopped := rules.stopped(left, interrupt)) is not None:
                    self._hand_over(self.open, check, stopped)
                    return

    def _hand_over(self, spots: NDArray[np.bool_], check: Check, stopped: Stopped) -> None:
        """Read spots and work on them no more; some are finished while others are read."""
        if not spots.any():
            return
        last = RIVER if self.rivers else TURN
        values, numbers = self.engine.values(), np.flatnonzero(spots).tolist()
        for first in range(0, len(numbers), AT_ONCE):
            some = numbers[first : first + AT_ONCE]
            sums, reads = self.engine.read(some, "policy_sum", last=last), []
            for spot, own in zip(some, sums, strict=True):
                record = self.record(
                    iterations=check.iteration,
                    solve_seconds=check.seconds / len(self.layouts),
                    peak_bytes=self.engine.used_bytes,
                    exploitability_chips=float(check.exploitability[spot]),
                    ev_chips=(float(values[0, spot]), float(values[1, spot])),
                    equity=self.engine.tables.hands.equity[spot],
                    stopped=stopped,
                    curve=tuple(self.curves[spot]),
                )
                dealt = None if self.rivers else self._dealt(spot)
                reads.append(SpotRead(spot, self.layouts[spot], own, dealt, record))
            self.hand_over(reads)
        self.open = self.open & ~spots
        if self.open.any():
            self.engine.leave(~self.open)

    def _dealt(self, spot: int) -> DealtValues:
        upper = range(self.engine.spots.first_street, RIVER)
        by_street = {street: self.engine.read_dealt(spot, street) for street in upper}
        return DealtValues(self.layouts[spot], by_street)
