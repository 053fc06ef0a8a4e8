"""The loop around every solver: iterate, measure, report, until a stop rule holds or Ctrl-C."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from poker_solver.cfr.progress import Progress, Report, iterations_to
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests

Stopped = Literal["target", "iterations", "seconds", "interrupted"]

_STEP_SECONDS = 0.2
"""How long to compute between two looks at Ctrl-C and the clock."""


@dataclass(frozen=True)
class StopRules:
    """When to stop: whichever comes first."""

    last: int  # iteration, counted from the very first
    target: float | None = None  # exploitability, in the unit that is measured
    max_seconds: float | None = None  # but never before the first iteration


@dataclass(frozen=True)
class Loop:
    """What is iterated, and how to look at it."""

    iteration: Callable[[], int]  # done so far
    train: Callable[[int], None]  # run some more
    measure: Callable[[], float]  # exploitability
    next_check: Callable[[int], int]  # when to measure next
    curve: list[tuple[int, float]]  # (iteration, exploitability) at each check; extended
    report: Report | None = None
    after_check: Callable[[float], None] | None = None  # told the seconds since the loop began
    first_step: int = 1  # iterations to try before the clock is looked at
    unit: str = ""

    def run(self, rules: StopRules, stop: Interrupt | None = None) -> Stopped:
        """Go on until a rule holds; a first Ctrl-C stops at the next step, with what there is.

        `stop` is the flag to watch where Ctrl-C is caught elsewhere.
        """
        began, first = time.perf_counter(), self.iteration()
        deadline = None if rules.max_seconds is None else began + rules.max_seconds
        with ctrl_c_requests(stop) as interrupt:
            while True:
                self._train_to(
                    min(self.next_check(self.iteration()), rules.last), interrupt, deadline
                )
                measured, seconds = self.measure(), time.perf_counter() - began
                if self.iteration() > (self.curve[-1][0] if self.curve else 0):
                    self.curve.append((self.iteration(), measured))
                if self.after_check is not None:
                    self.after_check(seconds)
                if self.report is not None:
                    rate = (self.iteration() - first) / seconds
                    self.report(self._progress(measured, seconds, rate, rules))
                if rules.target is not None and measured <= rules.target:
                    return "target"
                if self.iteration() >= rules.last:
                    return "iterations"
                if interrupt.requested:
                    return "interrupted"
                if deadline is not None and time.perf_counter() >= deadline:
                    return "seconds"

    def _train_to(self, iteration: int, interrupt: Interrupt, deadline: float | None) -> None:
        """Run up to that iteration in steps short enough to notice Ctrl-C and the clock."""
        step = self.first_step
        while self.iteration() < iteration and not interrupt.requested:
            began = time.perf_counter()
            if deadline is not None and began >= deadline and self.iteration() > 0:
                return
            step = min(step, iteration - self.iteration())
            self.train(step)
            seconds = time.perf_counter() - began
            step = max(1, min(4 * step, int(step * _STEP_SECONDS / max(seconds, 1e-9))))

    def _progress(self, measured: float, seconds: float, rate: float, rules: StopRules) -> Progress:
        guess = rules.last if rules.target is None else iterations_to(rules.target, self.curve)
        left = None
        if guess is not None and rate > 0:
            left = max(min(guess, rules.last) - self.iteration(), 0) / rate
        return Progress(self.iteration(), measured, seconds, left, self.unit)
