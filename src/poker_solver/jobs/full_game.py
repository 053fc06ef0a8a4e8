"""A full game from its config to a save: trained, certified, gone on with after a stop.

Beside a save FILE lie, while work is under way, FILE.checkpoint (its training), FILE.lift and
FILE.rows (its certificate). They go when what they are for is in the save.
"""

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyReport, Progress, Report
from poker_solver.cfr.solve import CHECKPOINT_SECONDS, Checkpoint
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError
from poker_solver.fullgame.cluster.workers import states_folder
from poker_solver.fullgame.plan import FullPlan
from poker_solver.fullgame.rows import FlopRowsWriter
from poker_solver.fullgame.solution import TrainingRecord, UnifiedSolution
from poker_solver.fullgame.solver import KIND, UnifiedSolver
from poker_solver.pool import Pool
from poker_solver.runtime.interrupts import ctrl_c_requests
from poker_solver.runtime.memory import available_bytes, gib
from poker_solver.store.files import check_target


class FullGameTraining:
    """The training of one config into one file.

    Args:
        config: the game.
        path: the save.
        options: when to stop, counted from the very first iteration; device and threads.
        note: told what a user should know on the way, in one line.
        pool: whose workers have the flops; without, they are here.
    """

    def __init__(
        self,
        config: UnifiedConfig,
        path: Path,
        options: SolveOptions,
        note: Callable[[str], None],
        pool: Pool[Any] | None = None,
    ) -> None:
        check_target(path)
        self.config, self.path, self.options, self.note = config, path, options, note
        device, threads = options.device, options.threads
        self.solver = UnifiedSolver(config, device=device, threads=threads, pool=pool)
        self._is_shared = pool is not None
        self.before: UnifiedSolution | None = None  # in the save already
        self._keeps_checkpoints, self._kept_at = True, time.perf_counter()

    @property
    def plan(self) -> FullPlan:
        """What it takes; nothing is allocated yet."""
        return self.solver.plan

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept while it is trained."""
        return beside(self.path, "checkpoint")

    def take_up(self) -> None:
        """Go on from what an earlier run left; a save or a checkpoint of another game is refused.

        A save that these rules would not train further stays as it is.
        """
        held = None
        if self.path.exists():
            held = UnifiedSolution.load(self.path, config=self.config)
        if self.checkpoint.exists():
            self.plan.check()
            self.solver.restore(Checkpoint.load(self.checkpoint, KIND))
            done = self.solver.preflop.iteration
            self.note(f"going on from {self.checkpoint}, after {done:,} iterations")
        elif held is not None:
            done, mbb = held.record.iterations, held.record.exploitability_mbb
            found = f"{done:,} iterations, {mbb:.3g} mbb"
            if held.config == self.config and self._is_done(held.record):
                self.before = held
                self.note(f"{self.path} is trained already: {found}")
            else:
                self.note(
                    f"{self.path} ({found}) has ended and keeps no checkpoint: "
                    "training begins anew and replaces it"
                )

    def _is_done(self, record: TrainingRecord) -> bool:
        """Whether a rule to stop at holds."""
        rules = self.options
        if record.stopped == "interrupted":
            return False
        if not rules.has_rule:
            return record.epochs >= self.config.epochs
        return (
            record.exploitability_mbb <= (rules.target or 0.0)
            or record.iterations >= (rules.max_iterations or float("inf"))
            or record.seconds >= (rules.max_seconds or float("inf"))
        )

    def run(self, report: Report) -> UnifiedSolution:
        """Train until a rule holds or Ctrl-C; a checkpoint is kept every few minutes."""
        if self.before is not None:
            return self.before
        self.plan.check()
        if problem := self._no_room():
            self._keeps_checkpoints = False
            self.note(f"no checkpoint is kept: {problem}")
        iterations, seconds = self._left()
        if all(left is None or left > 0 for left in (iterations, seconds)):
            self.solver.train(
                self.options.target,
                max_iterations=iterations,
                max_seconds=seconds,
                progress=lambda progress: self._at_check(progress, report),
            )
        with ctrl_c_requests():  # once it was stopped, pressing again must not cost the result
            return self.solver.solution()

    def _left(self) -> tuple[int | None, float | None]:
        """Iterations and seconds that the rules leave."""
        iterations, seconds = self.options.max_iterations, self.options.max_seconds
        if not self.options.has_rule and self.solver.is_resident:
            iterations = self.solver.planned_iterations
        if iterations is not None:
            iterations -= self.solver.preflop.iteration
        return iterations, None if seconds is None else seconds - self.solver.seconds

    def holds(self, flops: FlopSet) -> bool:
        """Whether these flops are in memory, so that a certificate over them needs no lift."""
        return self.before is None and self.solver.holds(flops)

    def save(self, solution: UnifiedSolution) -> None:
        """Write what was found, and a checkpoint if Ctrl-C came before the end.

        A lift of what was there before is of no use now.
        """
        if solution is self.before:
            return
        with ctrl_c_requests():
            solution.save(self.path)
            drop(self.path, "lift", "rows")
        if solution.record.stopped != "interrupted":
            drop(self.path, "checkpoint")
            return
        done = f"stopped by Ctrl-C after {solution.record.iterations:,} iterations"
        self.note(f"{done}; {self.path} has them")
        if self._keep():
            self.note(f"{self.checkpoint} is written: the same command goes on")

    def _at_check(self, progress: Progress, report: Report) -> None:
        report(progress)
        now = time.perf_counter()
        if not self.solver.is_resident or now - self._kept_at > CHECKPOINT_SECONDS:
            self._keep()
            self._kept_at = time.perf_counter()

    def _keep(self) -> bool:
        """Write a checkpoint; if that fails the last one stays, and the training is worth more."""
        if not self._keeps_checkpoints:
            return False
        try:
            self.solver.save(self.checkpoint)
        except FormatError as error:
            self.note(f"no new checkpoint: {error}")
            return False
        except MemoryError:
            self.note("no new checkpoint: out of memory")
            return False
        return True

    def _no_room(self) -> str:
        """Why a checkpoint cannot be written and read back; empty if it can."""
        if not self.solver.is_resident:
            return ""
        size, folder = self.plan.num_bytes, self.path.resolve().parent
        disk, memory = shutil.disk_usage(folder).free, available_bytes("cpu")
        if size > disk:
            return f"it takes {gib(size)}, and {folder} has {gib(disk)} free"
        opened = size if self.plan.device == "cpu" and self.solver.preflop.iteration == 0 else 0
        if not self._is_shared and memory is not None and size > memory - opened:
            return f"it takes {gib(size)} of memory, and {gib(max(memory - opened, 0))} are left"
        return ""

    def flops_per_second(self, progress: Progress, first: int) -> float:
        """Flops that an iteration walked through, since the first one of this run."""
        visits = self.plan.flops_at_once * (progress.iteration - first)
        if not self.solver.is_resident:  # most iterations of a batch do not teach preflop
            visits = visits * self.config.iterations_per_batch // self.solver.teaching
        return visits / progress.seconds


def certify_save(
    solver: UnifiedSolver,
    path: Path,
    flops: FlopSet,
    options: SolveOptions,
    report: ManyReport,
) -> UnifiedSolution:
    """Lift a strategy over some flops, certify it and write that into its save.

    What is lifted is kept beside the save, so that the same call goes on after a stop. The target
    is what best responses after the flop may gain.
    """
    if not beside(path, "lift").exists():
        drop(path, "rows")  # of a lift that had not come to anything
    rows = FlopRowsWriter(beside(path, "rows"), solver.game, flops, solver.sums)
    try:
        solver.certify(
            flops,
            target_mbb=options.target,
            file=beside(path, "lift"),
            keep=rows.put,
            progress=report,
        )
        replace(solver.solution(), rows=rows.rows()).save(path)
    finally:
        rows.close()
    drop(path, "lift", "rows")
    return UnifiedSolution.load(path)


def beside(path: Path, ending: str) -> Path:
    """A file of work under way on a save."""
    return path.with_name(f"{path.name}.{ending}")


def drop(path: Path, *endings: str) -> None:
    """Remove files of work that is done."""
    for ending in endings:
        beside(path, ending).unlink(missing_ok=True)
        shutil.rmtree(states_folder(beside(path, ending)), ignore_errors=True)
