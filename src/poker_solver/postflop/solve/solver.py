"""Solving one postflop spot: an engine for its plan, stop rules, progress and checkpoints."""

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import Schedule
from poker_solver.cfr.solve import Checkpoint, Solve, Unit
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, FormatError
from poker_solver.postflop.engines.engine import SpotEngine, postflop_schedule
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out, layout_of
from poker_solver.postflop.plan import Plan, check_cpu, plan
from poker_solver.postflop.solution.files import game_entries, read_game
from poker_solver.postflop.solution.solution import Solution, SolveRecord, text_of
from poker_solver.postflop.solution.strategy import DeviceStrategy, HostStrategy
from poker_solver.postflop.solve.frequency import drifted, settle, without_open_locks
from poker_solver.runtime.cuda import open_gpu
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.runtime.memory import resident_bytes
from poker_solver.terminal import getting_ready, reporting

KIND = "checkpoint of a postflop solve"

MOST_TILTS = 5
"""How often a frequency lock is met again after the range that gets there has changed."""


def open_engine(planned: Plan, schedule: Schedule, threads: int | None = None) -> SpotEngine:
    """The engine of the plan's device, before its first iteration; what does not fit is refused.

    Without `threads` the CPU has as many as there are cores, fewer for small spots.
    """
    device, precision = planned.device, planned.precision
    if device == "cpu":
        from poker_solver.postflop.engines.cpu import PostflopEngine, useful_threads  # a compiler

        need, layout = check_cpu(planned), layout_of(planned)
        if threads is None:
            threads = min(num_threads(None), useful_threads(layout))
        before = resident_bytes()
        engine = PostflopEngine(layout, schedule, threads=threads, precision=precision)
        engine.planned_bytes = before + need
        return engine
    if device.startswith("cuda"):
        from poker_solver.postflop.engines.cuda.engine import CudaEngine

        gpu = open_gpu(device)
        gpu.count_anew()
        return CudaEngine(layout_of(planned), schedule, machine=gpu, precision=precision)
    if precision != "float32":
        raise DeviceError(
            f"device {device}: regrets are float32 there, not {precision}; use cpu or cuda"
        )
    from poker_solver.postflop.engines.torch import TorchEngine  # PyTorch

    return TorchEngine(layout_of(planned), schedule, device=device)


class PostflopSolver:
    """One spot being solved.

    Args:
        spot: what to solve; a `PostflopGame` where there is no text. Or its plan, which then says
            device and precision.
        schedule: a `Schedule` or its name; DCFR 1.35/0.25/4 if not given.
        device: `auto`, `cpu`, `cuda`, `mps` or another device of PyTorch; `auto` takes a CUDA GPU
            for large spots.
        threads: if not given as many as there are cores, fewer for small spots; results do not
            depend on it.
        precision: of regrets: `float32`, or `int16` with one scale per decision and board.
    """

    def __init__(
        self,
        spot: Spot | PostflopGame | Plan,
        *,
        schedule: Schedule | str | None = None,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
    ) -> None:
        began = time.perf_counter()
        chosen, most = postflop_schedule(schedule), num_threads(threads)
        if not isinstance(spot, Plan):
            spot = plan(spot, device=device, precision=precision)
        self.plan, self.written = spot, spot.written
        self.engine = open_engine(self.plan, chosen, threads)
        self.engine.prepare()
        self.threads = self.engine.threads or most
        self.run = Solve(self.engine, Unit(self.plan.game.pot))
        self.unsaved: FormatError | None = None
        """Why the last checkpoint could not be written; the result is there all the same."""
        self.build_seconds = time.perf_counter() - began

    @property
    def spot(self) -> Spot:
        """What is solved, as it was written."""
        return text_of(self.written)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.engine.iteration

    def solve(
        self,
        target_pct: float | None = POSTFLOP_TARGET_PCT,
        *,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        progress: bool | Report = False,
        checkpoint: str | Path | None = None,
        stop: Interrupt | None = None,
    ) -> Solution:
        """Iterate until a stop rule holds or Ctrl-C; call again to go on.

        The solution shares the solver's memory and changes when the solve goes on; `solution`
        makes one that does not.

        Args:
            target_pct: exploitability to stop at, % of the pot; None for no target.
            max_iterations: how many to add at most.
            max_seconds: how long to go on at most.
            progress: True for a line on the terminal, or a function that is told.
            checkpoint: a file to write every few minutes and at the end; `unsaved` says why the
                last one is not there, if it is not.
            stop: ends the solve as Ctrl-C does; for solves outside the main thread.
        """
        options = SolveOptions(
            target=target_pct,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
            progress=progress,
            checkpoint=checkpoint,
            stop=stop,
        )
        return self.go_on(options)

    def go_on(self, options: SolveOptions) -> Solution:
        """What `solve` does, by the stop rules, progress, checkpoint and stop of these options."""
        rules, began = self.run.rules(options.stopping()), self.run.seconds
        save = None if (path := options.checkpoint) is None else lambda: self.save(path)
        with reporting(options.progress) as report:
            self.run.run(rules, report=report, stop=options.stop, save=save)
            for _ in range(MOST_TILTS):
                if self.run.stopped != "target" or not self._tilt_again():
                    break
                if options.max_seconds is not None:
                    left = options.max_seconds - (self.run.seconds - began)
                    rules = replace(rules, max_seconds=left)
                self.run.run(rules, report=report, stop=options.stop, save=save)
        self.unsaved = None
        if save is not None:
            try:
                save()
            except FormatError as error:
                self.unsaved = error
        return self.solution(copy=False)

    def _tilt_again(self) -> bool:
        """Meet frequencies that are off because other ranges get there now; whether any was."""
        if not any(lock.wanted for lock in self.engine.layout.game.locks):
            return False
        game = drifted(self.solution(copy=False))
        if game is None:
            return False
        layout = lay_out(game)
        if layout.num_elements != self.engine.layout.num_elements:
            return False  # suits that were alike are so no more: the state does not fit
        self.engine.set_locks(layout)
        self.run.go_on_with(self.engine)
        return True

    def solution(self, *, copy: bool = True) -> Solution:
        """What has been found so far; without `copy` it changes when the solve goes on."""
        engine, run = self.engine, self.run
        oop, ip = engine.values()[:, 0].tolist()
        record = SolveRecord(
            iterations=self.iteration,
            build_seconds=self.build_seconds,
            solve_seconds=run.seconds,
            planned_bytes=engine.planned_bytes,
            peak_bytes=run.peak_bytes,
            exploitability_chips=run.exploitability(),
            ev_chips=(oop, ip),
            equity=engine.equity,
            device=self.plan.device,
            threads=self.threads,
            schedule=str(engine.schedule),
            stopped=run.stopped,
            curve=tuple(run.curve),
        )
        if engine.has_first_sums and not copy:
            return Solution(DeviceStrategy(engine), record, self.written)
        sums = engine.policy_sum  # the CPU's own; a device's are a copy
        sums = sums.copy() if copy and engine.threads else sums
        return Solution(HostStrategy(engine.layout, sums), record, self.written)

    def save(self, path: str | Path) -> None:
        """Write a checkpoint; `load` goes on from it bit for bit."""
        header, arrays = game_entries(self.engine.layout.game, self.written)
        header |= {"layout": state_name(self.engine.layout), "precision": self.plan.precision}
        self.run.save(path, KIND, header, arrays)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        spot: Spot | None = None,
        device: str = "auto",
        threads: int | None = None,
    ) -> Self:
        """Go on from a checkpoint; with `spot`, one of another spot is refused."""
        checkpoint = Checkpoint.load(path, KIND)
        header = checkpoint.header
        game, written = read_game(path, header, checkpoint.arrays)
        name = header["fingerprint"]
        if spot is not None and spot.fingerprint() != name:
            raise FormatError(
                f"{path} holds the spot {name[:16]} ({game.board}), asked for "
                f"{spot.fingerprint()[:16]} ({spot.board})"
            )
        planned = plan(game, device=device, precision=header.get("precision", "float32"))
        planned = replace(planned, written=written)
        solver = cls(planned, schedule=checkpoint.schedule, threads=threads)
        if header.get("layout") != state_name(solver.engine.layout):
            raise FormatError(
                f"{path} was written by version {header['version']}, which keeps its state in "
                "another order; solve again"
            )
        solver.run.restore(checkpoint)
        return solver


def state_name(layout: Layout) -> str:
    """Tells apart orders in which the state of a spot can lie."""
    offsets = np.concatenate([layout.offset, layout.stride, layout.width])
    return hashlib.sha256(offsets.astype("<i8").tobytes()).hexdigest()[:16]


def solve_spot(spot: Spot | PostflopGame, options: SolveOptions) -> Solution:
    """Solve a spot by these options; the solution keeps nothing on a device."""
    options = options.stopping()
    planned = settled(plan(spot, device=options.device, precision=options.precision), options)
    with getting_ready(options.progress is True):
        solver = PostflopSolver(planned, schedule=options.schedule, threads=options.threads)
    return solver.go_on(options).on_host()


def settled(planned: Plan, options: SolveOptions) -> Plan:
    """The plan with the hands of its frequency locks; the game without them is solved for that."""
    bare = without_open_locks(planned.game)
    if bare is planned.game:
        return planned
    game = settle(planned.game, solve_spot(bare, replace(options, checkpoint=None)))
    again = plan(game, device=planned.device, precision=planned.precision)
    return replace(again, written=planned.written)
