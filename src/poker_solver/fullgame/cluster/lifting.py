"""A lift by tasks: some flops each, solved as on one machine, added up in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.fullgame.cluster.fleet import Fleet
from poker_solver.fullgame.cluster.host import GameText
from poker_solver.fullgame.lift import Keep, Lift, Lifted, ReplayedLift
from poker_solver.fullgame.plan import ONE_FLOP, SPARE
from poker_solver.fullgame.rows import RowArrays
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_plan import training_schedule
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.pool import Needs, Pool
from poker_solver.pool.contract import PROCESS_BYTES
from poker_solver.postflop.engines.engine import POSTFLOP

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Rows = list[tuple[int, int, list[RowArrays]]]  # first flop, line, and what is kept of each flop


@dataclass(frozen=True, eq=False)
class LiftText:
    """A strategy and how it is lifted, as it is sent to workers."""

    text: GameText
    sums: F64  # [V, C] preflop's average strategy, not normalised
    course: F32 | None  # [T + 1, 2, K, C], see `Trunk.course`; None: from average ranges
    target_mbb: float
    flops: FlopSet
    machine: Machine
    name: str  # tells lifts apart

    def build(self) -> Lift | ReplayedLift:
        """The lift as one machine does it."""
        config, game = self.text.config, self.text.build()
        if self.course is None:
            engines = LineEngines(game, POSTFLOP, self.machine)
            return Lift(game, self.sums.copy(), engines, self.target_mbb)
        schedule = training_schedule(config)
        preflop = Preflop(game, schedule)
        preflop.kernels.state.policy_sum[:] = self.sums
        engines = LineEngines(game, schedule, self.machine)
        return ReplayedLift(preflop, engines, list(self.course), config.discounts.warmup)


class _Built:
    """What a worker has built for the last lift, for the next task of it."""

    name: str = ""
    lift: Lift | ReplayedLift


def lift_lot(text: LiftText, lot: range, wants_rows: bool) -> tuple[Lifted, Rows]:
    """What some flops came to; done by a worker."""
    if _Built.name != text.name:
        _Built.lift, _Built.name = text.build(), text.name
    rows: Rows = []

    def keep(first: int, line: int, found: Sequence[RowArrays]) -> None:
        rows.append((first, line, list(found)))

    lift, flops = _Built.lift, text.flops
    openings = lift.engines.prepare(flops.flops[lot.start : lot.stop])
    return lift.lift_lot(flops, lot, openings, keep if wants_rows else None), rows


@dataclass(frozen=True, eq=False)
class PooledLift:
    """A lift by the workers of a pool, which takes flops as `Lift` does."""

    pool: Pool[Any]
    text: LiftText
    needs: Needs  # of a task

    def solve(
        self, flops: FlopSet, at_once: int, first: int = 0, keep: Keep | None = None
    ) -> Iterator[tuple[range, Lifted]]:
        """Solve some flops at a time from the first on; which they were, what they came to."""
        self.pool.check("a flop of this game", self.needs)
        starts = range(first, len(flops), at_once)
        lots = [range(begin, min(begin + at_once, len(flops))) for begin in starts]
        shared = self.pool.share(self.text)
        given = [(shared, lot, keep is not None) for lot in lots]
        for number, (lifted, rows) in self.pool.run(lift_lot, given, self.needs, in_order=True):
            if keep is not None:
                for row in rows:
                    keep(*row)
            yield lots[number], lifted


class LiftRoom:
    """What the nodes of a fleet have for a lift, all lines of a flop together or one at a time."""

    def __init__(self, fleet: Fleet, *, all_lines: bool) -> None:
        self.fleet, lines = fleet, fleet.plan(ONE_FLOP.flops).lines
        sizes = [line.num_bytes for line in lines]
        self.flop_bytes = sum(sizes) if all_lines else max(sizes)

    def at_once(self, most: int) -> int:
        """Flops of a task; on the CPU they would not run side by side."""
        if not self.fleet.is_on_gpus:
            return 1
        least = min(node.gpu_bytes for node in self.fleet.pool.nodes if node.gpus)
        return max(1, min(most, int(SPARE * least) // self.flop_bytes))

    def needs(self, num_tasks: int) -> Needs:
        """Of a task."""
        fleet = self.fleet
        need = PROCESS_BYTES + (0 if fleet.is_on_gpus else self.flop_bytes)
        cores = fleet.machine.threads or fleet.pool.cores_each(need, num_tasks)
        return Needs(cores, int(fleet.is_on_gpus), need)
