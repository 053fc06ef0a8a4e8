"""The full-game solver: trunk or batches of flops, lift, certificate, correction, checkpoints."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import NUM_FLOPS, FlopSet, all_flops
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress, ManyReport, Progress, Report
from poker_solver.cfr.solve import (
    MOST_ITERATIONS,
    Checkpoint,
    Solve,
    Unit,
    in_file,
    sound_header,
)
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.cluster.workers import Workers
from poker_solver.fullgame.fitting import fitted_weights
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.lift import Keep, Lifted, OwnLift
from poker_solver.fullgame.lift_file import LiftFile
from poker_solver.fullgame.place import FlopLift, Lifting, OwnMachine, Workplace
from poker_solver.fullgame.plan import FullPlan
from poker_solver.fullgame.solution import (
    Certificate,
    PreflopStrategy,
    TrainingRecord,
    UnifiedSolution,
    sampled_fields,
)
from poker_solver.fullgame.training.batches import FlopBatches, standing_for_all
from poker_solver.fullgame.training.engines import Machine, Opening
from poker_solver.fullgame.training.pruning import Pruning
from poker_solver.fullgame.training.row_plan import (
    RowPlan,
    Way,
    open_row_trunk,
    training_schedule,
)
from poker_solver.fullgame.training.sampled import SampledTrunk
from poker_solver.fullgame.training.trunk import Preflop, Trunk, Worth
from poker_solver.games.full_game import full_game_rules
from poker_solver.kernels.postflop import BEST
from poker_solver.pool import Pool
from poker_solver.runtime.interrupts import ctrl_c_requests
from poker_solver.store.files import Arrays, write_file
from poker_solver.terminal import reporting, reporting_lift

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

KIND = "unified solve"
MBB = Unit(0.1, " mbb")
"""A thousandth of a big blind: a hundredth of a tenth of one."""

SETTLING = 5 / 6
"""The part of a batch's iterations before it teaches preflop."""

LIFT_MBB = 2.0
"""What a lift may leave to gain after the flop, over all lines, if nothing else is said."""

NO_REGRETS = "a solution keeps no regrets: train from its checkpoint, or anew"


@dataclass(frozen=True)
class _Certified:
    """A lift of all flops, and how long it took."""

    lifted: Lifted
    flops: FlopSet
    seconds: float


ROUNDING = 1e-9
"""A part of an exploitability that float64 sums of many flops may be off by, and then some."""


class UnifiedSolver:
    """Finds one strategy for a whole game; `train` may be called again to go on.

    Flops up to `flop_batch_size` stay in memory together and are iterated as one tree. Of more, one
    batch at a time is solved from the current ranges, teaches preflop, and is dropped; where hands
    share `rows`, all flops stay, and an iteration walks one batch of them.

    Args:
        config: the game and its training.
        device: `auto`, `cpu` or `cuda`.
        threads: for the CPU; all cores by default. Results do not depend on it.
        precision: of regrets: `float32`, or `int16` in three quarters of the memory.
        hands: deal only these classes, by index; for tests and small studies.
        pool: whose workers have the flops, see docs/cluster.md; threads are those of each.
    """

    def __init__(
        self,
        config: UnifiedConfig,
        *,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
        hands: Sequence[int] | None = None,
        pool: Pool[Any] | None = None,
    ) -> None:
        self.config, self.flops = config, config.flop_set()
        self.game = full_game(full_game_rules(config), hands)
        if not self.game.lines:
            raise InputError(
                f"{config.name}: no line of the betting sees a flop with chips behind; "
                "`hunl` solves such a game exactly"
            )
        self.schedule = training_schedule(config)
        machine = Machine(device, threads, precision)
        self._place: Workplace
        if pool is None:
            self._place = OwnMachine(config, self.game, self.schedule, machine)
        else:
            self._place = Workers(pool, config, self.game, machine)
        self.preflop = Preflop(self.game, self.schedule)
        self._solve: Solve | None = None
        self._given: UnifiedSolution | None = None  # see `of`
        self._worth: tuple[int, Worth] | None = None  # at an iteration of preflop
        self._certified: tuple[int, _Certified] | None = None
        self._last_leaves = np.zeros((2, len(self.game.lines), self.game.num_classes))
        self._batches = FlopBatches(self.flops, config.flop_batch_size)
        self.epochs, self._num_batches, self.corrections = 0, 0, 0
        self.seconds, self.stopped, self.table_bytes = 0.0, "iterations", 0

    @classmethod
    def of(
        cls,
        solution: UnifiedSolution,
        *,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
        pool: Pool[Any] | None = None,
    ) -> Self:
        """A solver that lifts and certifies a strategy that is there; it has nothing to train."""
        solver = cls(
            solution.config, device=device, threads=threads, precision=precision,
            hands=solution.game.deal.classes, pool=pool,
        )  # fmt: skip
        solver.sums[:] = solution.sums
        solver.preflop.iteration = solution.record.iterations
        solver._given = solution
        return solver

    @property
    def plan(self) -> FullPlan:
        """What the training takes."""
        return self._place.plan

    def close(self) -> None:
        """Give up what workers of a pool have; the pool stays open."""
        self._place.close()

    @property
    def is_resident(self) -> bool:
        """Whether all flops stay in memory together."""
        return self.config.rows is not None or len(self.flops) <= self.config.flop_batch_size

    @property
    def has_tables(self) -> bool:
        """Whether they do, and can be trained here."""
        return self.is_resident and self._given is None

    def holds(self, flops: FlopSet) -> bool:
        """Whether the tables of these flops have every hand, so that they need no lift."""
        return self.has_tables and self.config.rows is None and flops == self.flops

    @property
    def planned_iterations(self) -> int:
        """Those of the config's epochs."""
        return self.config.epochs * self._per_epoch

    @property
    def _per_epoch(self) -> int:
        """Iterations between two visits of a flop by preflop."""
        if self.config.rows is not None:
            return self._batches.per_cycle
        return self.config.iterations_per_batch

    @property
    def trunk(self) -> Trunk:
        """The game on all flops together, opened when it is first asked for."""
        engine = self._opened().engine
        assert isinstance(engine, Trunk)
        return engine

    def _opened(self) -> Solve:
        if self._given is not None:
            raise InputError(NO_REGRETS)
        if self._solve is None:
            if not self.is_resident:
                raise InputError(f"{len(self.flops)} flops are trained in batches, not together")
            self.plan.check()
            self._solve = Solve(self._open_trunk(), MBB)
        return self._solve

    def _open_trunk(self) -> Trunk:
        """On all flops together."""
        if isinstance(self.plan, RowPlan):
            return open_row_trunk(self.config, self.preflop, self.plan)[0]
        return self._open(self.flops)

    def _open(self, flops: FlopSet, openings: Sequence[Opening] = ()) -> Trunk:
        tables = self._place.open(flops.flops, openings)
        config, pruning = self.config, None
        if config.prune_threshold is not None:
            pruning = Pruning(
                self._place.engines, flops.flops, config.prune_threshold, config.prune_warmup,
                config.explore_interval,
            )  # fmt: skip
        warmup = config.discounts.warmup
        return Trunk(self.preflop, flops, tables, self.schedule, warmup, pruning)

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
        has_rule = (target_mbb, max_iterations, max_seconds) != (None, None, None)
        options = SolveOptions(
            target=target_mbb,
            max_iterations=max_iterations if has_rule else self.planned_iterations,
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
        self.seconds, self.stopped = solve.seconds, solve.stopped
        self.table_bytes = max(self.table_bytes, solve.peak_bytes)
        self.epochs = max(1, solve.engine.iteration // self._per_epoch)
        if save is not None:
            save()

    def _train_batches(self, options: SolveOptions) -> None:
        """Epochs over all flops, a batch at a time."""
        last = self.preflop.iteration + int(options.max_iterations or MOST_ITERATIONS)
        per_epoch = self._batches.per_cycle
        rest = range(self._num_batches, self.config.epochs * per_epoch)
        with reporting(options.progress) as report, ctrl_c_requests(options.stop) as interrupt:
            for _ in self._taught([self._batches[number] for number in rest], report):
                self._num_batches += 1
                self.epochs = self._num_batches // per_epoch
                if options.checkpoint is not None:
                    self.save(options.checkpoint)
                self.stopped = self._rule_that_holds(options, last, interrupt.requested)
                if self.stopped:
                    return
        self.stopped = "iterations"

    def _taught(self, batches: Sequence[FlopSet], report: Report | None) -> Iterator[None]:
        """Let one batch after another teach preflop, and tell of each."""
        began, before = time.perf_counter(), self.seconds
        lots = self._place.prepare_each([batch.flops for batch in batches])
        for done, (batch, openings) in enumerate(zip(batches, lots, strict=True), 1):
            mbb = self._teach(batch, openings)
            seconds = time.perf_counter() - began
            self.seconds = before + seconds
            if report is not None:
                left = seconds * (len(batches) - done) / done
                report(Progress(self.preflop.iteration, mbb, seconds, left, MBB.name))
            yield

    def train_one_batch(self, flops: Sequence[str]) -> float:
        """Solve these flops from the current ranges, then let them teach preflop; mbb there.

        They stand for all flops; what they have learnt is dropped.
        """
        self.compute_batch_weight(flops)  # refuses others
        return self._teach(standing_for_all(self.flops, map(self.flops.flops.index, flops)))

    def _teach(self, batch: FlopSet, openings: Sequence[Opening] = ()) -> float:
        """What `train_one_batch` does, of any flops."""
        self._place.planned(batch).check()
        trunk = self._open(batch, openings)
        trunk.settle(int(SETTLING * self.config.iterations_per_batch))
        trunk.train(self.teaching)
        self.table_bytes = max(self.table_bytes, trunk.used_bytes)
        worth = trunk.worth()
        self._worth, self._last_leaves = (self.preflop.iteration, worth), trunk.played_values()
        return 1000.0 * worth.exploitability_bb

    @property
    def teaching(self) -> int:
        """Iterations of a batch that teach preflop."""
        iterations = self.config.iterations_per_batch
        return max(1, iterations - int(SETTLING * iterations))

    def compute_batch_weight(self, flops: Sequence[str]) -> float:
        """The part of the 22,100 flops that these stand for."""
        weight = dict(zip(self.flops.flops, self.flops.weights, strict=True))
        missing = [flop for flop in flops if flop not in weight]
        if missing:
            raise InputError(f"flop {missing[0]} is not one of the {len(weight)} of this game")
        return sum(weight[flop] for flop in flops) / NUM_FLOPS

    def _rule_that_holds(self, options: SolveOptions, last: int, interrupted: bool) -> str:
        """Why to stop between two batches; empty if there is no reason."""
        if interrupted:
            return "interrupted"
        if self.preflop.iteration >= last:
            return "iterations"
        if options.max_seconds is not None and self.seconds >= options.max_seconds:
            return "seconds"
        return ""

    def worth(self) -> Worth:
        """What the strategies are worth in the game of the flops that taught them last."""
        now = self.preflop.iteration
        if self.has_tables and (self._worth is None or self._worth[0] != now):
            self._worth = now, self.trunk.worth()
        if self._worth is None:
            raise InputError("nothing is trained yet")
        return self._worth[1]

    def exploitability(self) -> float:
        """In mbb, in the game of the flops that taught preflop last; see `certify` for all."""
        return 1000.0 * self.worth().exploitability_bb

    def value(self) -> float:
        """What the button wins, in bb per hand, in that game."""
        return self.worth().mean[1]

    @property
    def sums(self) -> F64:
        """[V, C] preflop's average strategy, not normalised."""
        return self.preflop.kernels.state.policy_sum

    def lift(
        self,
        flops: FlopSet | None = None,
        *,
        target_mbb: float = LIFT_MBB,
        file: str | Path | None = None,
        keep: Keep | None = None,
        progress: bool | ManyReport = False,
    ) -> Lifted:
        """Solve every line on all 1,755 flops, or on those given, as preflop's training leads to.

        Args:
            flops: weights sum to 22,100.
            target_mbb: what best responses after the flop may gain over all lines and flops, where
                batches taught preflop: a lift by the course of a training takes as long as that.
            file: where to keep what is done, to go on from after a stop.
            keep: told of every line on some flops when it is solved.
            progress: True for a line on the terminal, or a function that is told.
        """
        chosen = all_flops() if flops is None else flops
        lift, how, at_once = self._lift_for(chosen, target_mbb)
        kept = None if file is None else LiftFile(file, self.sums, chosen, how)
        done, total = (0, None) if kept is None else kept.load()
        before, began = 0.0 if kept is None else kept.seconds, time.perf_counter()
        first = done
        with reporting_lift(progress) as report:
            for lot, lifted in lift.solve(chosen, at_once, done, keep):
                total, done = lifted if total is None else total + lifted, lot.stop
                seconds = time.perf_counter() - began
                if kept is not None:
                    kept.write(done, total, before + seconds)
                if report is not None:
                    left = (len(chosen) - done) * seconds / (done - first)
                    gap = float(lifted.gap_mbb.sum())
                    flop = chosen.flops[lot.start]
                    report(ManyProgress(done, len(chosen), flop, gap, seconds, left))
        assert total is not None
        took = before + time.perf_counter() - began
        self._certified = self.preflop.iteration, _Certified(total, chosen, took)
        return total

    def _lift_for(self, flops: FlopSet, target_mbb: float) -> tuple[FlopLift, str, int]:
        """How this strategy is lifted, the name of that, and how many flops at a time."""
        course, name = self.course, f"from ranges to {target_mbb} mbb"
        if course is not None:
            name = f"by course {sha256(np.array(course).tobytes()).hexdigest()}"
        if self.holds(flops):
            return OwnLift(self.trunk), name, len(flops)
        lift, at_once = self._place.lift(Lifting(name, self.preflop, course, target_mbb), flops)
        return lift, name, at_once

    @property
    def course(self) -> Sequence[F32] | None:
        """The ranges of all iterations that taught preflop; None if batches did, see `Trunk`."""
        if self._given is not None:
            return None if self._given.course is None else list(self._given.course)
        return self.trunk.course if self.has_tables else None

    def certify(self, flops: FlopSet | None = None, **options: Any) -> Certificate:
        """The exact exploitability of the strategy over all 1,755 flops, or over those given.

        What was not lifted yet is lifted first, by the options of `lift`.
        """
        chosen = all_flops() if flops is None else flops
        found = self._certified
        if found is None or found[0] != self.preflop.iteration or found[1].flops != chosen:
            self.lift(chosen, **options)
            found = self._certified
        assert found is not None
        lifted = found[1].lifted
        worth = self.preflop.worth(lifted.best, lifted.mean)
        return Certificate(
            num_flops=len(chosen),
            seconds=found[1].seconds,
            best_response_bb=worth.best,
            value_bb=worth.mean,
            gap_mbb=float(lifted.gap_mbb.sum()),
        )

    def correct(self, flops: FlopSet | None = None, **options: Any) -> Certificate:
        """Weigh the flops in memory by what all flops, or those given, pay, and train again.

        They are certified before and after, with the options of `lift`; the config then has the
        new weights. If the certificate is better by no more than rounding, the old strategy stays,
        as `of` has it.
        """
        before, old, trunk = self.certify(flops, **options), self.solution(), self.trunk
        assert self._certified is not None
        larger, paid = self._certified[1].lifted.best, trunk.values_by_flop(BEST)
        fitted = fitted_weights(self.game, self.flops, paid, larger)
        iterations = trunk.iteration
        del trunk  # makes room for the next
        self._begin_with(fitted)
        self._opened().seconds = self.seconds  # the record counts every training
        self._train_resident(SolveOptions(max_iterations=iterations))
        self.corrections += 1
        after = self.certify(flops, **{**options, "file": None})  # which has the old strategy
        if after.exploitability_mbb < (1 - ROUNDING) * before.exploitability_mbb:
            return after
        self._begin_with(old.config.flop_set())
        self.config, self._given, self.corrections = old.config, old, self.corrections - 1
        self.preflop.iteration, self.sums[:] = old.record.iterations, old.sums
        return before

    def _begin_with(self, flops: FlopSet) -> None:
        """Forget what was learnt, and take these flops, which need as much room as those before."""
        weights = dict(zip(flops.flops, flops.weights, strict=True))
        self.config = UnifiedConfig.from_mapping({**self.config.to_mapping(), "flops": weights})
        self.flops = self.config.flop_set()
        self.preflop, self._solve = Preflop(self.game, self.schedule), None
        self._certified = self._worth = None

    def solution(self) -> UnifiedSolution:
        """What has been found so far, with the certificate if there is one of it."""
        proof = None
        if self._certified is not None and self._certified[0] == self.preflop.iteration:
            proof = self.certify(self._certified[1].flops)
            lifted = self._certified[1].lifted
            leaf_values = self.preflop.played(lifted.best, lifted.mean)
        elif self._given is not None:
            return self._given
        else:
            leaf_values = self.trunk.played_values() if self.has_tables else self._last_leaves
        record = self._record() if self._given is None else self._given.record
        return UnifiedSolution(
            self.config, self.sums.copy(), leaf_values, record, proof, self.game.deal.classes,
            course=None if self.course is None else np.array(self.course),
        )  # fmt: skip

    def preflop_strategy(self) -> PreflopStrategy:
        """What is played before the flop, hand by hand."""
        return self.solution().preflop_strategy()

    def _record(self) -> TrainingRecord:
        worth, trunk = self.worth(), self.trunk if self.has_tables else None
        sampled = sampled_fields(trunk.estimated()) if isinstance(trunk, SampledTrunk) else {}
        return TrainingRecord(
            num_flops=len(self.flops),
            iterations=self.preflop.iteration,
            epochs=self.epochs,
            seconds=self.seconds,
            device=self.plan.device,
            table_bytes=self.table_bytes,
            exploitability_mbb=1000.0 * worth.exploitability_bb,
            value_bb=worth.mean,
            stopped=self.stopped,
            corrections=self.corrections,
            **sampled,
        )

    def save(self, path: str | Path) -> None:
        """Write a checkpoint: `load` goes on from it bit for bit on the same device."""
        header = {
            "config": self.config.to_yaml(),
            "fingerprint": self.config.fingerprint(),
            "hands": list(self.game.deal.classes),
            "epochs": self.epochs,
            "batches": self._num_batches,
            "corrections": self.corrections,
        }
        if self.has_tables:
            solve = self._opened()
            self._place.keep_beside(path)
            solve.save(path, KIND, header)
            self._place.kept(solve.engine.iteration)
            return
        header |= {"iteration": self.preflop.iteration, "seconds": self.seconds}
        header["schedule"] = self.schedule.to_texts()
        write_file(path, KIND, header, self._stored())

    def _stored(self) -> Arrays:
        """What batches leave behind: preflop, and what the last one came to."""
        worth = np.full((2, 2), np.nan) if self._worth is None else np.array(self._worth[1])
        last = {"last worth": worth, "last leaves": self._last_leaves}
        return {**self.preflop.kernels.stored(), **last}

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        config: UnifiedConfig | None = None,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
        pool: Pool[Any] | None = None,
    ) -> Self:
        """Go on from a checkpoint; with `config`, one of another game is refused."""
        saved = Checkpoint.load(path, KIND)
        with sound_header(path):
            held = UnifiedConfig.from_yaml(saved.header["config"])
            hands = [int(hand) for hand in saved.header["hands"]]
        solver = cls(
            config or held, device=device, threads=threads, precision=precision, hands=hands,
            pool=pool,
        )  # fmt: skip
        solver.restore(saved)
        return solver

    def restore(self, saved: Checkpoint) -> None:
        """Go on from a checkpoint, which must be of this game and this schedule."""
        with sound_header(saved.path):
            held = UnifiedConfig.from_yaml(saved.header["config"])
            counts = [int(saved.header[name]) for name in ("epochs", "batches", "corrections")]
        if held.fingerprint() != self.config.fingerprint():
            raise FormatError(
                f"{saved.path} holds {held.name} ({held.fingerprint()[:16]}), asked for "
                f"{self.config.name} ({self.config.fingerprint()[:16]})"
            )
        Way(held, saved.schedule).check(Way(self.config, self.schedule), saved.path)
        self.epochs, self._num_batches, self.corrections = counts
        self.seconds = saved.seconds
        if self.has_tables:
            solve = self._opened()
            self._place.keep_beside(saved.path)
            solve.restore(saved)
            return
        with in_file(saved.path):
            check_arrays(saved.arrays, {name: a.shape for name, a in self._stored().items()})
        best, mean = saved.arrays.pop("last worth").tolist()
        self._last_leaves = saved.arrays.pop("last leaves")
        self.preflop.kernels.restore(saved.arrays)
        self.preflop.iteration = saved.iteration
        if not np.isnan(best).any():
            self._worth = saved.iteration, Worth(tuple(best), tuple(mean))
