"""Solving one postflop spot: stop rules, progress, Ctrl-C and checkpoints around the engine."""

import hashlib
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.loop import Loop, Stopped, StopRules
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import Schedule
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, FormatError
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.device_engine import DeviceEngine
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, lay_out, layout_of
from poker_solver.postflop.plan import check_cpu, plan
from poker_solver.postflop.solution.solution import Solution, SolveRecord, read_spot, text_of
from poker_solver.postflop.solve.frequency import (
    drifted,
    has_open_locks,
    settle,
    without_open_locks,
)
from poker_solver.runtime.cuda import open_card
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.runtime.memory import resident_bytes
from poker_solver.store.files import read_file, write_file
from poker_solver.terminal import getting_ready, reporting

if TYPE_CHECKING:  # a compiler and PyTorch, which take a second to load
    from poker_solver.postflop.engines.cpu import PostflopEngine
    from poker_solver.postflop.engines.torch import TorchEngine

KIND = "checkpoint of a postflop solve"
DEFAULT_TARGET_PCT = 0.3
MOST_ITERATIONS = 1_000_000
"""Where a solve that was only given a target gives up."""

MOST_TILTS = 5
"""How often a frequency lock is met again after the range that gets there has changed."""

QUICK_ELEMENTS = 1_000_000
"""So many are gone over in a millisecond or two: no need to look at the clock before."""

LOOK_SECONDS = 0.5
"""How long a solve goes on between two looks at how much memory it takes."""

CHECKPOINT_SECONDS = 300.0
"""How long a solve that keeps a checkpoint goes on between two."""


class PostflopSolver:
    """One spot being solved.

    Args:
        spot: what to solve; a `PostflopGame` where there is no text.
        schedule: a `Schedule` or its name; DCFR 1.35/0.25/4 if not given.
        device: `auto`, `cpu`, `cuda`, `mps` or another device of PyTorch; `auto` takes a CUDA GPU
            for large spots.
        threads: if not given as many as there are cores, fewer for small spots; results do not
            depend on it.
        precision: of regrets: `float32`, or `int16` with one scale per decision and board.
    """

    def __init__(
        self,
        spot: Spot | PostflopGame,
        *,
        schedule: Schedule | str | None = None,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "float32",
    ) -> None:
        began = time.perf_counter()
        chosen = postflop_schedule(schedule)
        self.plan = plan(spot, device=device, precision=precision)
        self.device = self.plan.device
        self.threads = num_threads(threads)
        self.precision = precision
        need = check_cpu(self.plan) if self.device == "cpu" else 0
        self.written = spot if isinstance(spot, Spot) else None
        layout = layout_of(self.plan)
        if self.device == "cpu":
            from poker_solver.postflop.engines.cpu import useful_threads  # loads a compiler

            if threads is None:
                self.threads = min(self.threads, useful_threads(layout))
        self.planned_bytes = resident_bytes() + need
        self.engine = self._engine(layout, chosen)
        self.engine.prepare()
        if isinstance(self.engine, DeviceEngine):
            self.planned_bytes = self.engine.planned_bytes
        self.curve: list[tuple[int, float]] = []
        self.seconds = 0.0
        self.stopped: Stopped = "iterations"
        self.build_seconds = time.perf_counter() - began
        self.peak_bytes = self._used_bytes()

    def _engine(
        self, layout: Layout, schedule: Schedule
    ) -> "PostflopEngine | CudaEngine | TorchEngine":
        if self.device == "cpu":
            from poker_solver.postflop.engines.cpu import PostflopEngine

            return PostflopEngine(layout, schedule, threads=self.threads, precision=self.precision)
        if self.device.startswith("cuda"):
            card = open_card(self.device)
            card.count_anew()
            return CudaEngine(layout, schedule, machine=card, precision=self.precision)
        if self.precision != "float32":
            raise DeviceError(
                f"device {self.device}: regrets are float32 there, not {self.precision}; "
                "use cpu or cuda"
            )
        from poker_solver.postflop.engines.torch import TorchEngine

        return TorchEngine(layout, schedule, device=self.device)

    @property
    def _with_scale(self) -> "PostflopEngine | CudaEngine":
        """The engine, where regrets have 16 bits: there are no others that have."""
        return cast("PostflopEngine | CudaEngine", self.engine)

    def _used_bytes(self) -> int:
        """Of the device that holds the state."""
        if isinstance(self.engine, DeviceEngine):
            return self.engine.used_bytes
        return resident_bytes()

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
        target_pct: float | None = DEFAULT_TARGET_PCT,
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
            checkpoint: a file to write every few minutes and at the end; if that last one fails,
                `solution` still has the result.
            stop: ends the solve as Ctrl-C does; for solves outside the main thread.
        """
        check_rules(target_pct, max_iterations, max_seconds)
        last = self.iteration + (max_iterations or MOST_ITERATIONS)
        with reporting(progress) as report:
            began = self.seconds
            self.stopped = self._solve(target_pct, last, max_seconds, report, checkpoint, stop)
            for _ in range(MOST_TILTS):
                left = None if max_seconds is None else max_seconds - (self.seconds - began)
                if self.stopped != "target" or not self._tilt_again():
                    break
                self.stopped = self._solve(target_pct, last, left, report, checkpoint, stop)
        if checkpoint is not None:
            self.save(checkpoint)
        return self.solution(copy=False)

    def _solve(
        self,
        target_pct: float | None,
        last: int,
        max_seconds: float | None,
        report: Report | None,
        checkpoint: str | Path | None,
        stop: Interrupt | None,
    ) -> Stopped:
        before, saved, looked = self.seconds, 0.0, 0.0

        def note(seconds: float) -> None:
            nonlocal saved, looked
            self.seconds = before + seconds
            if seconds - looked > LOOK_SECONDS:
                looked = seconds
                self.peak_bytes = max(self.peak_bytes, self._used_bytes())
            if checkpoint is not None and seconds - saved > CHECKPOINT_SECONDS:
                saved = seconds
                with suppress(FormatError):  # the solve is worth more; the last one will say
                    self.save(checkpoint)

        loop = Loop(
            iteration=lambda: self.iteration,
            train=lambda iterations: self.engine.train(iterations),
            measure=lambda: (
                100.0 * self.engine.exploitability_chips() / self.engine.layout.game.pot
            ),
            next_check=next_check,
            curve=self.curve,
            report=report,
            after_check=note,
            unit=" % of pot",
            first_step=max(1, QUICK_ELEMENTS // self.engine.layout.num_elements),
        )
        stopped = loop.run(StopRules(last, target_pct, max_seconds), stop)
        self.peak_bytes = max(self.peak_bytes, self._used_bytes())
        return stopped

    def _tilt_again(self) -> bool:
        """Meet frequencies that are off because other ranges get there now; whether any was."""
        if not any(lock.wanted for lock in self.engine.layout.locks):
            return False
        spot, old = drifted(self.solution(copy=False)), self.engine
        if spot is None:
            return False
        layout = lay_out(spot)
        if layout.num_elements != old.layout.num_elements:
            return False  # suits that were alike are so no more: the state does not fit
        self.written = spot
        if isinstance(old, DeviceEngine):
            state = old.regret, old.policy_sum
            self.engine = self._engine(layout, old.schedule)
            self.engine.warm_start(*state, old.iteration)
        else:
            self.engine = old.with_layout(layout)
        return True

    def solution(self, *, copy: bool = True) -> Solution:
        """What has been found so far; without `copy` it changes when the solve goes on."""
        engine = self.engine
        ev = engine.value_chips(0)
        record = SolveRecord(
            iterations=self.iteration,
            build_seconds=self.build_seconds,
            solve_seconds=self.seconds,
            planned_bytes=self.planned_bytes,
            peak_bytes=self.peak_bytes,
            exploitability_chips=engine.exploitability_chips(),
            ev_chips=(ev, engine.value_chips(1)),
            equity=engine.equity,
            device=self.device,
            threads=self.threads,
            schedule=str(engine.schedule),
            stopped=self.stopped,
            curve=tuple(self.curve),
        )
        if isinstance(engine, CudaEngine) and not copy:
            first = engine.first_sums
            return Solution(
                engine.layout, lambda: engine.policy_sum, record, self.written, first=first
            )
        sums = engine.policy_sum
        if copy and not isinstance(engine, DeviceEngine):
            sums = sums.copy()
        return Solution(engine.layout, sums, record, self.written)

    def save(self, path: str | Path) -> None:
        """Write a checkpoint; `load` goes on from it bit for bit."""
        header = {
            "spot": self.spot.to_mapping(),
            "fingerprint": self.spot.fingerprint(),
            "schedule": self.engine.schedule.to_texts(),
            "iteration": self.iteration,
            "seconds": self.seconds,
            "layout": state_name(self.engine.layout),
            "precision": self.precision,
        }
        arrays: dict[str, NDArray[Any]] = {
            "regret": self.engine.regret,
            "policy_sum": self.engine.policy_sum,
            "curve": np.array(self.curve, np.float64).reshape(-1, 2),
        }
        if self.precision == "int16":
            arrays["scale"] = self._with_scale.scale
        write_file(path, KIND, header, arrays)

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
        header, arrays = read_file(path, KIND)
        held = read_spot(path, header)
        if spot is not None and spot.fingerprint() != held.fingerprint():
            raise FormatError(
                f"{path} holds the spot {held.fingerprint()[:16]} ({held.board}), asked for "
                f"{spot.fingerprint()[:16]} ({spot.board})"
            )
        schedule = Schedule.from_texts(header["schedule"])
        precision = header.get("precision", "float32")
        solver = cls(held, schedule=schedule, device=device, threads=threads, precision=precision)
        if header.get("layout") != state_name(solver.engine.layout):
            raise FormatError(
                f"{path} was written by version {header['version']}, which keeps its state in "
                "another order; solve again"
            )
        solver._restore(path, header["iteration"], arrays)
        solver.seconds = header["seconds"]
        return solver

    def _restore(
        self, path: str | Path, iteration: int, arrays: dict[str, NDArray[np.generic]]
    ) -> None:
        engine, state = self.engine, dict[str, NDArray[Any]]()
        size, num_scales = engine.layout.num_elements, engine.layout.num_scales
        want = {"regret": (size, self.precision), "policy_sum": (size, "float32")}
        if self.precision == "int16":
            want["scale"] = (num_scales, "float32")
        for name, (count, dtype) in want.items():
            found = arrays.get(name)
            if found is None or found.shape != (count,) or found.dtype != np.dtype(dtype):
                has = None if found is None else f"{found.dtype} {found.shape}"
                raise FormatError(f"{path}: {name} is {has}, wants {dtype} ({count},)")
            state[name] = found
        if self.precision == "int16":
            scaled = state["regret"], state["scale"], state["policy_sum"]
            self._with_scale.resume(*scaled, iteration)
        else:
            engine.warm_start(state["regret"], state["policy_sum"], iteration)
        self.curve = [(int(t), float(pct)) for t, pct in arrays["curve"].tolist()]


def state_name(layout: Layout) -> str:
    """Tells apart orders in which the state of a spot can lie."""
    places = np.concatenate([layout.offset, layout.stride, layout.width])
    return hashlib.sha256(places.astype("<i8").tobytes()).hexdigest()[:16]


def solve(
    spot: Spot | PostflopGame,
    *,
    target_pct: float | None = DEFAULT_TARGET_PCT,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
    schedule: Schedule | str | None = None,
    progress: bool | Report = False,
    stop: Interrupt | None = None,
) -> Solution:
    """Solve a spot to `target_pct` % of its pot, or until another rule stops it.

    Args:
        spot: what to solve, as text or as arrays; a lock that is a frequency makes it be solved
            twice, see `frequency`.
        target_pct: exploitability to stop at, % of the pot; None for no target.
        max_iterations: how many to run at most.
        max_seconds: how long to iterate at most.
        device: `auto`, `cpu`, `cuda`, `mps` or another device of PyTorch; `auto` takes a CUDA GPU
            for large spots.
        threads: if not given as many as there are cores, fewer for small spots; results do not
            depend on it.
        precision: of regrets: `float32`, or `int16` in three quarters of the memory.
        schedule: a `Schedule` or its name; DCFR 1.35/0.25/4 if not given.
        progress: True for a line on the terminal, or a function that is told.
        stop: ends the solve as Ctrl-C does; for solves outside the main thread.
    """
    check_rules(target_pct, max_iterations, max_seconds)
    chosen: dict[str, Any] = {"schedule": schedule, "device": device, "threads": threads}
    chosen["precision"] = precision
    rules: dict[str, Any] = {"max_iterations": max_iterations, "max_seconds": max_seconds}
    rules.update(progress=progress, stop=stop)
    if isinstance(spot, Spot):
        spot = settled(spot, target_pct=target_pct, **rules, **chosen)
    with getting_ready(progress is True):
        solver = PostflopSolver(spot, **chosen)
    return solver.solve(target_pct, **rules).on_host()


def settled(spot: Spot, **how: Any) -> Spot:
    """The spot with the hands of its frequency locks; the one without them is solved for that.

    `how` is what `solve` takes.
    """
    if not has_open_locks(spot):
        return spot
    return settle(spot, solve(without_open_locks(spot), **how))


def check_rules(
    target_pct: float | None, max_iterations: int | None, max_seconds: float | None
) -> None:
    """Refuse stop rules that make no sense, or none at all."""
    SolveOptions(
        target=target_pct, max_iterations=max_iterations, max_seconds=max_seconds
    ).stopping()


def next_check(iteration: int) -> int:
    """When to measure next: a measurement costs an iteration, so every 10th, later every 25th."""
    return iteration + min(max(10, iteration // 10), 25)
