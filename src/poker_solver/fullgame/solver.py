"""The full-game solver: trunk or batches of flops, lift, certificate, correction, checkpoints."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import NUM_FLOPS, FlopSet, all_flops
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress, ManyReport, Report
from poker_solver.cfr.schedules import as_schedule
from poker_solver.cfr.solve import Checkpoint, Solve, Unit
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.engines import LineEngines, Machine
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.lift import Lift, Lifted
from poker_solver.fullgame.lift_file import LiftFile
from poker_solver.fullgame.plan import FullPlan, plan_training
from poker_solver.fullgame.solution import Certificate, TrainingRecord, UnifiedSolution
from poker_solver.fullgame.trunk import Preflop, Trunk, Worth
from poker_solver.games.full_game import full_game_rules
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.runtime.interrupts import ctrl_c_requests
from poker_solver.terminal import reporting, reporting_many

F64 = NDArray[np.float64]

KIND = "unified solve"
MBB = Unit(0.1, " mbb")
"""A thousandth of a big blind: a hundredth of a tenth of one."""

SETTLING = 5 / 6
"""The part of a batch's iterations before it teaches preflop."""

LIFT_MBB = 2.0
"""What a lift may leave to gain after the flop, over all lines, if nothing else is said."""

SPARE = 0.8
"""The part of free memory that flops of a lift are planned for."""


@dataclass(frozen=True)
class _Certified:
    """A lift of all flops, and how long it took."""

    lifted: Lifted
    flops: FlopSet
    seconds: float


class UnifiedSolver:
    """Finds one strategy for a whole game; `train` may be called again to go on.

    Flops up to `flop_batch_size` stay in memory together and are iterated as one tree. Of more, one
    batch at a time is solved from the current ranges, teaches preflop, and is dropped.

    Args:
        config: the game and its training.
        device: `auto`, `cpu` or `cuda`.
        threads: for the CPU; all cores by default. Results do not depend on it.
        precision: of regrets: `float32`, or `int16` in three quarters of the memory.
        hands: deal only these classes, by index; for tests and small studies.
    """

    def __init__(
        self,
        config: UnifiedConfig,
        *,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
        hands: Sequence[int] | None = None,
    ) -> None:
        self.config, self.flops = config, config.flop_set()
        self.game = full_game(full_game_rules(config), hands)
        if not self.game.lines:
            raise InputError(
                f"{config.name}: no line of the betting sees a flop with chips behind; "
                "`hunl` solves such a game exactly"
            )
        at_once = FlopSet(
            self.flops.name,
            self.flops.flops[: config.flop_batch_size],
            self.flops.weights[: config.flop_batch_size],
        )
        self.plan: FullPlan = plan_training(
            self.game, at_once, device=device, threads=threads, precision=precision
        )
        self.schedule = postflop_schedule(as_schedule(config.schedule_text))
        machine = Machine(self.plan.device, threads, precision)
        self._engines = LineEngines(self.game, self.schedule, machine)
        self.preflop = Preflop(self.game, self.schedule)
        self._solve: Solve | None = None
        self._worth: tuple[int, Worth] | None = None  # at an iteration of preflop
        self._certified: tuple[int, _Certified] | None = None
        self.epochs, self.seconds, self.stopped, self.table_bytes = 0, 0.0, "iterations", 0

    @property
    def is_resident(self) -> bool:
        """Whether all flops stay in memory together."""
        return len(self.flops) <= self.config.flop_batch_size

    @property
    def trunk(self) -> Trunk:
        """The game on all flops together, opened when it is first asked for."""
        engine = self._opened().engine
        assert isinstance(engine, Trunk)
        return engine

    def _opened(self) -> Solve:
        if self._solve is None:
            if not self.is_resident:
                raise InputError(f"{len(self.flops)} flops are trained in batches, not together")
            self.plan.check()
            self._solve = Solve(self._open(self.flops), MBB)
        return self._solve

    def _open(self, flops: FlopSet) -> Trunk:
        engines = self._engines.open_all(flops.flops)
        return Trunk(self.preflop, flops, engines, self.schedule)

    def train(
        self,
        target_mbb: float | None = None,
        *,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        progress: bool | Report = False,
        checkpoint: str | Path | None = None,
    ) -> None:
        """Iterate until a rule holds or Ctrl-C; without one, the config's epochs.

        Iterations are those of preflop. `progress` is True for a line on the terminal, or a
        function told at each check; `checkpoint` is a file to write every few minutes.
        """
        planned = self.config.epochs * self.config.iterations_per_batch
        has_rule = (target_mbb, max_iterations, max_seconds) != (None, None, None)
        options = SolveOptions(
            target=target_mbb,
            max_iterations=max_iterations if has_rule else planned,
            max_seconds=max_seconds,
            progress=progress,
            checkpoint=checkpoint,
        )
        if self.is_resident:
            self._train_resident(options)
        else:
            self._train_batches(options)

    def _train_resident(self, options: SolveOptions) -> None:
        solve = self._opened()
        rules = solve.rules(options)
        save = None if (path := options.checkpoint) is None else lambda: self.save(path)
        with reporting(options.progress) as report:
            solve.run(rules, report=report, stop=options.stop, save=save)
        self.seconds, self.stopped, self.table_bytes = solve.seconds, solve.stopped, solve.peak_bytes
        self.epochs = max(1, solve.engine.iteration // self.config.iterations_per_batch)
        if save is not None:
            save()

    def _train_batches(self, options: SolveOptions) -> None:
        """Epochs over all flops in random order, a batch at a time."""
        began, before, size = time.perf_counter(), self.seconds, self.config.flop_batch_size
        last = self.preflop.iteration + int(options.max_iterations or 10**9)
        num_batches = -(-len(self.flops) // size)
        with reporting(options.progress) as report, ctrl_c_requests(options.stop) as interrupt:
            while self.epochs < self.config.epochs:
                order = np.random.default_rng(self.epochs).permutation(len(self.flops))
                for first in range(0, len(self.flops), size):
                    self.train_one_batch([self.flops.flops[f] for f in order[first : first + size]])
                    self.seconds = before + time.perf_counter() - began
                    self.stopped = self._rule_that_holds(options, last, interrupt.requested)
                    if self.stopped:
                        return
                self.epochs += 1
        self.stopped = "iterations"

    def train_one_batch(self, flops: Sequence[str]) -> float:
        """Solve these flops from the current ranges, then let them teach preflop; mbb there.

        They stand for all flops; what they have learnt is dropped.
        """
        batch = self._batch(flops)
        plan_training(
            self.game, batch, device=self.plan.device, threads=self.plan.threads,
            precision=self.plan.precision,
        ).check()  # fmt: skip
        trunk = self._open(batch)
        settling = int(SETTLING * self.config.iterations_per_batch)
        trunk.settle(settling)
        trunk.train(max(1, self.config.iterations_per_batch - settling))
        self.table_bytes = max(self.table_bytes, trunk.used_bytes)
        worth = trunk.worth()
        self._worth = self.preflop.iteration, worth
        return 1000.0 * worth.exploitability_bb

    def compute_batch_weight(self, flops: Sequence[str]) -> float:
        """The part of the 22,100 flops that these stand for."""
        weight = dict(zip(self.flops.flops, self.flops.weights, strict=True))
        missing = [flop for flop in flops if flop not in weight]
        if missing:
            raise InputError(f"flop {missing[0]} is not one of the {len(weight)} that are trained on")
        return sum(weight[flop] for flop in flops) / NUM_FLOPS
