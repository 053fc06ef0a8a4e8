"""Solving with any engine: checks until a rule stops them, and checkpoints to go on from.

`iterate` trains and measures, nothing else; `Solve` keeps what one game's solve has come to.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import Engine, check_arrays
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Curve, Progress, Report, iterations_to
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import FormatError, InputError, NumericsError
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import Arrays, read_file, write_file

Stopped = Literal["target", "iterations", "seconds", "interrupted"]
Amount = TypeVar("Amount", float, NDArray[np.float64])

MOST_ITERATIONS = 1_000_000
"""Where a solve that was only given a target gives up."""

STEP_SECONDS = 0.2
"""How long to compute between two looks at Ctrl-C and the clock."""

LOOK_SECONDS = 0.5
"""How long a solve goes on between two looks at how much memory it takes."""

CHECKPOINT_SECONDS = 300.0
"""How long a solve that keeps a checkpoint goes on between two."""


@dataclass(frozen=True)
class Unit:
    """What exploitability is told in: hundredths of a pot, or what the game pays in."""

    pot: float | None = None  # in what the game pays in
    name: str = " % of pot"

    def of(self, amount: Amount) -> Amount:
        """An amount of the game's own unit in this one."""
        return amount if self.pot is None else 100.0 * amount / self.pot

    def __str__(self) -> str:
        return "" if self.pot is None else self.name


OWN_UNIT = Unit()
"""What the game pays in."""


@dataclass(frozen=True, eq=False)
class Check:
    """What was measured of a solve under way."""

    iteration: int
    exploitability: NDArray[np.float64]  # [F] in the games' own unit
    seconds: float  # since the first of these checks was begun


@dataclass(frozen=True)
class StopRules:
    """When to stop: whichever comes first."""

    last: int  # iteration, counted from the very first
    target: float | None = None  # exploitability of the worst game, in `unit`
    max_seconds: float | None = None  # but never before the first iteration
    unit: Unit = OWN_UNIT

    def stopped(self, check: Check, interrupt: Interrupt) -> Stopped | None:
        """The rule that holds at a check, if any."""
        worst = self.unit.of(float(check.exploitability.max()))
        if self.target is not None and worst <= self.target:
            return "target"
        if check.iteration >= self.last:
            return "iterations"
        if interrupt.requested:
            return "interrupted"
        if self.max_seconds is not None and check.seconds >= self.max_seconds:
            return "seconds"
        return None


def iterate(engine: Engine, rules: StopRules, interrupt: Interrupt) -> Iterator[Check]:
    """Train and measure, for ever; whoever reads the checks asks `rules` when to stop.

    No rule is overstepped: a check comes at the last iteration, soon after the time is up, and
    soon after Ctrl-C.
    """
    began = time.perf_counter()
    deadline = inf if rules.max_seconds is None else began + rules.max_seconds
    while True:
        until = min(engine.next_check(engine.iteration), rules.last)
        _train_to(engine, until, interrupt, deadline)
        yield Check(engine.iteration, _measured(engine), time.perf_counter() - began)


def _measured(engine: Engine) -> NDArray[np.float64]:
    """What an engine measures; a solve that does not know how far it is has no result."""
    found = engine.measure()
    if not np.isfinite(found).all():
        raise NumericsError(
            f"exploitability is {found.max():g} after {engine.iteration:,} iterations: what is "
            "solved holds numbers that cannot be computed with"
        )
    return found


def _train_to(engine: Engine, iteration: int, interrupt: Interrupt, deadline: float) -> None:
    """Run up to that iteration in steps short enough to notice Ctrl-C and the clock."""
    step = engine.first_step
    while engine.iteration < iteration and not interrupt.requested:
        began = time.perf_counter()
        if began >= deadline and engine.iteration > 0:
            return
        step = min(step, iteration - engine.iteration)
        engine.train(step)
        seconds = time.perf_counter() - began
        step = max(1, min(4 * step, int(step * STEP_SECONDS / max(seconds, 1e-9))))


class Solve:
    """One game being solved: its engine, how far it has come, what that took, why it stopped.

    Targets, the curve and what is reported are in `unit`.
    """

    def __init__(self, engine: Engine, unit: Unit = OWN_UNIT) -> None:
        self.engine, self.unit = engine, unit
        self.curve: list[tuple[int, float]] = []
        """(iteration, exploitability in `unit`) at each check."""
        self.seconds = 0.0
        self.stopped: Stopped = "iterations"
        self.peak_bytes = engine.used_bytes
        self._measured: tuple[int, float] | None = None  # at an iteration, in the game's own unit

    def rules(self, options: SolveOptions) -> StopRules:
        """The rules of these options for a solve that goes on from here."""
        last = self.engine.iteration + int(options.max_iterations or MOST_ITERATIONS)
        return StopRules(last, options.target, options.max_seconds, self.unit)

    def run(
        self,
        rules: StopRules,
        *,
        report: Report | None = None,
        stop: Interrupt | None = None,
        save: Callable[[], None] | None = None,
    ) -> None:
        """Go on until a rule holds; a first Ctrl-C stops at the next step, with what there is.

        `report` is told at each check, `save` writes a checkpoint every few minutes, and `stop` is
        the flag to watch where Ctrl-C is caught elsewhere.
        """
        first, before, looked, saved = self.engine.iteration, self.seconds, 0.0, 0.0
        with ctrl_c_requests(stop) as interrupt:
            for check in iterate(self.engine, rules, interrupt):
                self._note(check)
                self.seconds = before + check.seconds
                if check.seconds - looked > LOOK_SECONDS:
                    looked = check.seconds
                    self._look()
                if save is not None and check.seconds - saved > CHECKPOINT_SECONDS:
                    saved = check.seconds
                    with suppress(FormatError):  # the solve is worth more; the last one will say
                        save()
                if report is not None:
                    report(self._progress(check, first, rules))
                if (stopped := rules.stopped(check, interrupt)) is not None:
                    self.stopped = stopped
                    break
        self._look()

    def exploitability(self) -> float:
        """Of what there is now, in the game's own unit; measured if it was not at a check."""
        if self._measured is None or self._measured[0] != self.engine.iteration:
            self._measured = self.engine.iteration, float(_measured(self.engine)[0])
        return self._measured[1]

    def go_on_with(self, engine: Engine) -> None:
        """Take another engine of the same game, which stands where the last one stood."""
        self.engine, self._measured = engine, None

    def _note(self, check: Check) -> None:
        exploitability = float(check.exploitability[0])
        self._measured = check.iteration, exploitability
        if check.iteration > (self.curve[-1][0] if self.curve else 0):
            self.curve.append((check.iteration, self.unit.of(exploitability)))

    def _look(self) -> None:
        self.peak_bytes = max(self.peak_bytes, self.engine.used_bytes)

    def _progress(self, check: Check, first: int, rules: StopRules) -> Progress:
        rate = (check.iteration - first) / check.seconds
        guess = rules.last if rules.target is None else iterations_to(rules.target, self.curve)
        left = None
        if guess is not None and rate > 0:
            left = max(min(guess, rules.last) - check.iteration, 0) / rate
        measured = self.unit.of(float(check.exploitability[0]))
        return Progress(check.iteration, measured, check.seconds, left, str(self.unit))

    def save(
        self, path: str | Path, kind: str, header: Mapping[str, Any], arrays: Arrays | None = None
    ) -> None:
        """Write a checkpoint of this kind; `header` and `arrays` say which game it is of."""
        entries = {
            **header,
            "schedule": self.engine.schedule.to_texts(),
            "iteration": self.engine.iteration,
            "seconds": self.seconds,
        }
        kept = {**(arrays or {}), "curve": curve_array(self.curve), **self.engine.stored()}
        write_file(path, kind, entries, kept)

    def restore(self, checkpoint: "Checkpoint") -> None:
        """Go on from a checkpoint of this game."""
        with in_file(checkpoint.path):
            self.engine.restore(checkpoint.arrays, checkpoint.iteration)
        self.curve, self.seconds = list(checkpoint.curve), checkpoint.seconds


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What `Solve.save` wrote."""

    path: str | Path
    header: dict[str, Any]
    schedule: Schedule
    iteration: int
    seconds: float
    curve: tuple[tuple[int, float], ...]
    arrays: Arrays  # of the engine, and of the game

    @classmethod
    def load(cls, path: str | Path, kind: str) -> "Checkpoint":
        """Read a file of this kind; whoever asked checks that it is of his game."""
        header, arrays = read_file(path, kind)
        curve = read_curve(path, arrays)
        with sound_header(path):
            return cls(
                path=path,
                header=header,
                schedule=Schedule.from_texts(header["schedule"]),
                iteration=int(header["iteration"]),
                seconds=float(header.get("seconds", 0.0)),
                curve=curve,
                arrays=arrays,
            )


def curve_array(curve: Curve) -> NDArray[np.float64]:
    """[checks, 2] a curve for a file."""
    return np.array(curve, np.float64).reshape(-1, 2)


def read_curve(path: str | Path, arrays: Arrays) -> tuple[tuple[int, float], ...]:
    """Take the curve out of a file's arrays."""
    found = arrays.pop("curve", np.zeros((0, 2)))
    with in_file(path):
        check_arrays({"curve": found}, {"curve": (found.shape[0] if found.shape else 0, 2)})
    return tuple((int(t), float(measured)) for t, measured in found.tolist())


BROKEN = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)
"""What a header whose entries are of other kinds than they should be leads to."""


@contextmanager
def in_file(path: str | Path) -> Iterator[None]:
    """Within, what is refused is a fault of this file."""
    try:
        yield
    except InputError as error:
        raise FormatError(f"{path}: {error}") from error


@contextmanager
def sound_header(path: str | Path) -> Iterator[None]:
    """Within, entries of a file's header that are missing or unreadable are refused as such."""
    try:
        yield
    except BROKEN as error:
        raise FormatError(f"{path} has a broken header: {error!r}") from error
