"""Where a full game is worked on: this machine here, or the nodes of a cluster.

A place opens the tables of flops and lifts strategies; what they come to does not depend on it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import Schedule
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.lift import Keep, Lift, Lifted, ReplayedLift
from poker_solver.fullgame.plan import ONE_FLOP, FullPlan, plan_training
from poker_solver.fullgame.training.engines import LineEngines, Machine, Opening
from poker_solver.fullgame.training.line_tables import LineTables
from poker_solver.fullgame.training.row_plan import plan_trunk
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.engines.engine import POSTFLOP

F32 = NDArray[np.float32]

LIFT_FLOPS = 16
"""Flops of a line that are lifted together at most: more keep a GPU no busier."""


class FlopLift(Protocol):
    """Takes flops through a lift."""

    def solve(
        self, flops: FlopSet, at_once: int, first: int = 0, keep: Keep | None = None
    ) -> Iterator[tuple[range, Lifted]]:
        """Some flops at a time from the first on, in order: which, and what they came to."""


@dataclass(frozen=True, eq=False)
class Lifting:
    """A strategy that is to be lifted, and how."""

    name: str  # tells lifts apart
    preflop: Preflop
    course: Sequence[F32] | None  # see `Trunk.course`; None: from average ranges
    target_mbb: float  # of those


class Workplace(Protocol):
    """Where tables lie and lifts are done."""

    engines: LineEngines
    plan: FullPlan  # of the training

    def planned(self, flops: FlopSet) -> FullPlan:
        """What flops take together here."""

    def prepare_each(self, lots: Sequence[Sequence[str]]) -> Iterator[Sequence[Opening]]:
        """What can be made ready of lots of flops before they are opened, one after another."""

    def open(
        self, flops: Sequence[str], openings: Sequence[Opening]
    ) -> LineTables | list[ClassEngine]:
        """Every line on these flops, with nothing learnt."""

    def lift(self, lifting: Lifting, flops: FlopSet) -> tuple[FlopLift, int]:
        """What lifts a strategy over flops, and how many at a time."""

    def keep_beside(self, checkpoint: str | Path) -> None:
        """Know where a checkpoint is, before it is written or read."""

    def kept(self, iteration: int) -> None:
        """Know that it is written."""

    def close(self) -> None:
        """Give up what others have."""


class OwnMachine(Workplace):
    """This process, and its GPU if it has one."""

    def __init__(
        self, config: UnifiedConfig, game: FullGame, schedule: Schedule, machine: Machine
    ) -> None:
        self.game, self.warmup = game, config.discounts.warmup
        self.plan = plan_trunk(
            config, game, device=machine.device, threads=machine.threads,
            precision=machine.precision,
        )  # fmt: skip
        machine = replace(machine, device=self.plan.device)
        self.engines = LineEngines(game, schedule, machine)
        self._lifting = LineEngines(game, POSTFLOP, machine)

    def keep_beside(self, checkpoint: str | Path) -> None:
        """All is in the checkpoint."""

    def kept(self, iteration: int) -> None:
        """Likewise."""

    def close(self) -> None:
        """Nobody else has anything."""

    def planned(self, flops: FlopSet) -> FullPlan:
        """See `Workplace`."""
        return plan_training(
            self.game, flops, device=self.plan.device, threads=self.plan.threads,
            precision=self.plan.precision,
        )  # fmt: skip

    def prepare_each(self, lots: Sequence[Sequence[str]]) -> Iterator[Sequence[Opening]]:
        """See `Workplace`."""
        return self.engines.prepare_each(lots)

    def open(
        self, flops: Sequence[str], openings: Sequence[Opening]
    ) -> LineTables | list[ClassEngine]:
        """See `Workplace`."""
        return [opening() for opening in openings or self.engines.prepare(flops)]

    def lift(self, lifting: Lifting, flops: FlopSet) -> tuple[FlopLift, int]:
        """See `Workplace`.

        On the CPU flops would not run side by side; one at a time is kept and told of sooner.
        """
        preflop, course = lifting.preflop, lifting.course
        most = 1 if self.plan.device == "cpu" else min(LIFT_FLOPS, len(flops))
        fitting = self.planned(ONE_FLOP).fitting(all_lines=course is not None)
        at_once = max(1, min(fitting, most))
        if course is not None:
            return ReplayedLift(preflop, self.engines, course, self.warmup), at_once
        sums = preflop.kernels.state.policy_sum.copy()
        return Lift(self.game, sums, self._lifting, lifting.target_mbb), at_once
