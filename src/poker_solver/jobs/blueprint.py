"""A blueprint from its config to its file: trained on sampled flops, gone on with after a stop.

Beside a blueprint FILE lie, while work is under way, FILE.checkpoint (its training) and FILE.part
(the tables as they are written). They go when the blueprint is whole.
"""

import shutil
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poker_solver.abstraction.maps import Done
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.solve import CHECKPOINT_SECONDS, Checkpoint, in_file, sound_header
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import STREETS, TableShape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.solution import TrainingRecord, UnifiedSolution, sampled_fields
from poker_solver.fullgame.training.estimate import Estimate
from poker_solver.fullgame.training.row_plan import (
    Way,
    open_row_trunk,
    plan_row_trunk,
    sampled_schedule,
)
from poker_solver.fullgame.training.sampled import MEASURED_FLOPS
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.games.full_game import full_game_rules
from poker_solver.jobs.full_game import beside, drop
from poker_solver.kernels.arrays import I32
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.runtime.memory import gib
from poker_solver.store.files import check_target, write_file

KIND = "blueprint training"

LAST_FLOPS = 96
"""Of the sample that strategies are measured on at the end, unless Ctrl-C asked for it."""

CHECK_SECONDS = 20.0
CHECK_SHARE = 6.0
"""A check comes after so many seconds, and after so many times what the last one took."""


@dataclass(frozen=True)
class BlueprintProgress:
    """How far a training is after an iteration."""

    iteration: int
    flops_per_second: float
    estimate: Estimate | None  # the last one, if there was any
    seconds: float  # since the very first iteration
    seconds_left: float | None


Report = Callable[[BlueprintProgress], None]


class BlueprintTraining:
    """The training of one config into one file, on the CPU or a GPU.

    Args:
        config: the game, its flops and its rows.
        path: the blueprint.
        options: when to stop, counted from the very first iteration; threads, precision.
        note: told what a user should know on the way, in one line.
        hands: deal only these classes, by index; for tests and small studies.
    """

    def __init__(
        self,
        config: UnifiedConfig,
        path: Path,
        options: SolveOptions,
        note: Callable[[str], None],
        hands: tuple[int, ...] | None = None,
    ) -> None:
        self.config, self.path, self.options, self.note = config, check_target(path), options, note
        self.flops, self.rows = config.flop_set(), config.rows or RowsConfig()
        self.game = full_game(full_game_rules(config), hands)
        if not self.game.lines:
            raise InputError(f"{config.name}: no line of the betting sees a flop with chips behind")
        self.plan = plan_row_trunk(
            config, self.game, device=options.device, threads=options.threads,
            precision=options.precision,
        )  # fmt: skip
        self.schedule = sampled_schedule(config)
        self.before: BlueprintStrategy | None = None  # in the file already
        self.seconds, self.stopped, self.estimated = 0.0, "iterations", 0
        self.estimate: Estimate | None = None
        self._keeps_checkpoints = True

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept while it is trained."""
        return beside(self.path, "checkpoint")

    def find_before(self) -> None:
        """Look at a blueprint that is there; one of another game is refused.

        One that these rules would not train further stays as it is.
        """
        if not self.path.exists():
            return
        held = BlueprintStrategy.load(self.path, config=self.config)
        if held.solution is None:
            raise FormatError(f"{self.path} was not trained: it has only keys that were inserted")
        if self.checkpoint.exists():  # which goes on with it
            return
        record = held.solution.record
        if held.config == self.config and self._is_done(record):
            self.before = held
            self.note(f"{self.path} is trained already: {record.iterations:,} iterations")
        else:
            found = f"{record.iterations:,} iterations"
            self.note(
                f"{self.path} ({found}) has ended and keeps no checkpoint: "
                "training begins anew and replaces it"
            )

    def _is_done(self, record: TrainingRecord) -> bool:
        if record.stopped == "interrupted":
            return False
        last, seconds = self._last_iteration(record.num_flops), self.options.max_seconds
        return record.iterations >= last or record.seconds >= (seconds or float("inf"))

    def _last_iteration(self, num_flops: int) -> float:
        """Where to stop: as asked for, or after the config's epochs if nothing was."""
        if self.options.has_rule:
            return self.options.max_iterations or float("inf")
        return self.config.epochs * -(-num_flops // self.config.flop_batch_size)

    def open(self, report: Done | None = None) -> None:
        """Find the rows, allocate the state, and go on from a checkpoint if there is one."""
        self.plan.check()
        if not self.plan.river_average:
            self.note(f"{self.plan.device} has no room for averages of rivers: regrets are played")
        preflop = Preflop(self.game, self.schedule)
        self.trunk, self.maps = open_row_trunk(self.config, preflop, self.plan, report)
        engines = self.trunk.row_engines
        self.shape = _table_shape(self, engines[0].num_rows)
        self._check_disk(sum(engine.state_bytes for engine in engines))
        if self.checkpoint.exists():
            self._restore(Checkpoint.load(self.checkpoint, KIND))
            done = self.trunk.iteration
            self.note(f"going on from {self.checkpoint}, after {done:,} iterations")

    def _check_disk(self, state_bytes: int) -> None:
        """Refuse a blueprint that there is no room for; without room for more, no checkpoint."""
        folder, size = self.path.parent, sum(array.nbytes for array in self.shape.room().values())
        free = shutil.disk_usage(folder).free
        if size > free:
            raise FormatError(
                f"cannot write {self.path}: it takes {gib(size)}, {folder} has {gib(free)} free"
            )
        if size + state_bytes > free:
            self._keeps_checkpoints = False
            takes = f"it takes {gib(state_bytes)}, and {folder} has {gib(free)} free"
            self.note(f"no checkpoint is kept: {takes}")

    def run(self, report: Report) -> UnifiedSolution:
        """Train until a rule holds or Ctrl-C; a checkpoint is kept every few minutes."""
        trunk, before, began = self.trunk, self.seconds, time.perf_counter()
        first, kept, last = trunk.iteration, began, self._last_iteration(len(self.flops))
        checked, took = began, 0.0
        with ctrl_c_requests(self.options.stop) as interrupt:
            while not (stopped := self._why_stop(last, interrupt)):
                trunk.train(1)
                now = time.perf_counter()
                if now - checked > max(CHECK_SECONDS, CHECK_SHARE * took):
                    self._estimate(MEASURED_FLOPS)
                    checked, took = time.perf_counter(), time.perf_counter() - now
                self.seconds = before + time.perf_counter() - began
                report(self._progress(first, self.seconds - before, last))
                if time.perf_counter() - kept > CHECKPOINT_SECONDS:
                    self.keep()
                    kept = time.perf_counter()
            self.stopped = stopped
            self._estimate(MEASURED_FLOPS if stopped == "interrupted" else LAST_FLOPS)
            return self.solution()

    def _why_stop(self, last: float, interrupt: Interrupt) -> str:
        """The rule that holds between two iterations; empty if none does."""
        iteration, seconds = self.trunk.iteration, self.options.max_seconds
        if iteration >= last:
            return "iterations"
        if interrupt.requested and iteration > 0:
            return "interrupted"
        if seconds is not None and self.seconds >= seconds and iteration > 0:
            return "seconds"
        return ""

    def _estimate(self, num_flops: int) -> None:
        self.estimate, self.estimated = self.trunk.estimate(num_flops), self.trunk.iteration

    def _progress(self, first: int, seconds: float, last: float) -> BlueprintProgress:
        trunk, rules = self.trunk, self.options
        done = trunk.iteration - first
        left = [] if last == float("inf") else [(last - trunk.iteration) * seconds / done]
        if rules.max_seconds is not None:
            left.append(rules.max_seconds - self.seconds)
        visits = done * len(self.flops) / trunk.batches.per_cycle
        return BlueprintProgress(
            trunk.iteration, visits / seconds, self.estimate, self.seconds,
            max(0.0, min(left)) if left else None,
        )  # fmt: skip

    def solution(self) -> UnifiedSolution:
        """What is played before the flop, and how all of it was made."""
        found, trunk = self.estimate, self.trunk
        if found is None or self.estimated != trunk.iteration:
            raise InputError("nothing is measured yet")
        record = TrainingRecord(
            num_flops=len(self.flops),
            iterations=trunk.iteration,
            epochs=trunk.iteration // trunk.batches.per_cycle,
            seconds=self.seconds,
            device=self.plan.device,
            table_bytes=trunk.used_bytes,
            exploitability_mbb=found.upper_mbb,
            value_bb=found.worth.mean,
            stopped=self.stopped,
            **sampled_fields(found),
        )
        sums = trunk.preflop.state.policy_sum.copy()
        return UnifiedSolution(
            self.config, sums, found.leaf_values, record, hands=self.game.deal.classes
        )

    def save(self, solution: UnifiedSolution, report: Done | None = None) -> BlueprintStrategy:
        """Write the blueprint; the checkpoint stays if Ctrl-C came before the end."""
        with ctrl_c_requests():  # once it was stopped, pressing again must not cost the result
            kept = self.keep()
            drop(self.path, "part")  # of an earlier strategy
            writer = BlueprintWriter(self.path, solution, self.shape)
            try:
                for flop, name in enumerate(self.flops.flops):
                    writer.put_maps(flop, self.maps.of(name))
                    for line, engine in enumerate(self.trunk.row_engines):
                        writer.put(flop, line, engine.read_rows(flop))
                    if report is not None:
                        report(flop + 1, len(self.flops))
                for street in filter(self.shape.is_shared, STREETS):
                    for line, engine in enumerate(self.trunk.row_engines):
                        writer.put_shared(line, street, engine.read_shared(street))
                found = writer.finish()
            finally:
                writer.close()
        if self.stopped != "interrupted":
            drop(self.path, "checkpoint")
            return found
        done = f"stopped by Ctrl-C after {solution.record.iterations:,} iterations"
        self.note(f"{done}; {self.path} has them")
        if kept:
            self.note(f"{self.checkpoint} is written: the same command goes on")
        return found

    def keep(self) -> bool:
        """Write a checkpoint; if that fails the last one stays, and the training is worth more."""
        if not self._keeps_checkpoints:
            return False
        arrays = self.trunk.stored()
        apart = {name: array for name, array in arrays.items() if name.startswith("line ")}
        header = {
            "config": self.config.to_yaml(),
            "fingerprint": self.config.fingerprint(),
            "hands": list(self.game.deal.classes),
            "schedule": self.schedule.to_texts(),
            "iteration": self.trunk.iteration,
            "seconds": self.seconds,
            "sums": {name: zlib.crc32(array.data) for name, array in apart.items()},
        }
        own = {name: array for name, array in arrays.items() if name not in apart}
        try:
            write_file(self.checkpoint, KIND, header, own, apart)
        except FormatError as error:
            self.note(f"no new checkpoint: {error}")
            return False
        return True

    def _restore(self, saved: Checkpoint) -> None:
        """Go on from a checkpoint, which must be of this game, trained in this way."""
        path = saved.path
        with sound_header(path):
            held = UnifiedConfig.from_yaml(saved.header["config"])
            hands = saved.header["hands"]
            sums = {str(name): int(found) for name, found in saved.header["sums"].items()}
        if held.fingerprint() != self.config.fingerprint() or hands != list(self.game.deal.classes):
            raise FormatError(f"{path} is of {held.name}, another game than {self.config.name}")
        Way(held, saved.schedule).check(Way(self.config, self.schedule), path)
        for name, want in sums.items():
            array = saved.arrays.get(name)
            if array is None or zlib.crc32(np.ascontiguousarray(array).data) != want:
                raise FormatError(f"{path} is damaged: {name} does not match its checksum")
        with in_file(path):
            self.trunk.restore(saved.arrays, saved.iteration)
        self.seconds = saved.seconds


def _table_shape(training: BlueprintTraining, every: Sequence[Sequence[I32]]) -> TableShape:
    """How large the blueprint's tables are, of [B] rows by flop and street."""
    boards = np.array([[len(rows) for rows in of] for of in every], np.int32)
    num_rows = np.concatenate([rows.astype(np.int16) for of in every for rows in of])
    flops = tuple(training.flops.flops)
    return TableShape(training.game, training.rows, flops, boards, num_rows)
