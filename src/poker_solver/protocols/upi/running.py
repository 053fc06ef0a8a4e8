"""The one thread that solves and reads trees, and what it says unasked while it solves."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from poker_solver.cfr.progress import Progress
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.postflop.engines.engine import SpotEngine
from poker_solver.protocols.upi.text import number_text
from poker_solver.protocols.upi.tree import Results, results_of
from poker_solver.runtime.interrupts import Interrupt

T = TypeVar("T")
Say = Callable[[Sequence[str]], None]
"""Prints some lines together."""

INFO_SECONDS = 1.0
"""How often a solve tells how far it is, unless `set_info_freq` says after how many iterations."""

INFO_SHARE = 0.05
"""How much of a large solve may go into telling; blocks come less often then."""

STOPPED = {
    "target": "required accuracy reached",
    "interrupted": "requested",
    "iterations": "requested steps done",
    "seconds": "requested time is up",
}


class Worker:
    """Does one thing at a time; a GPU belongs to the thread that opened it."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self._pool = ThreadPoolExecutor(1, "upi")
        self._solve: Future[None] | None = None
        self._stop = Interrupt()
        self._may_begin = Event()  # the command that asked for the solve is answered
        self._has_ended = Event()  # set before that is said: who hears it may read at once

    @property
    def is_solving(self) -> bool:
        """Whether a solve is under way that nobody has asked to stop."""
        is_over = self._has_ended.is_set() or self._stop.requested
        return self._solve is not None and not is_over

    def run(self, work: Callable[[], T]) -> T:
        """What some work returns, after a solve that is stopping."""
        self.begin()
        return self._pool.submit(work).result()

    def start(self, solve: Callable[[Interrupt], str]) -> None:
        """Have a solve begin with the next answer; it returns why it stopped."""
        if self.is_solving:
            raise InputError("the solver is running; stop it, or wait_for_solver")
        self._stop, self._may_begin, self._has_ended = Interrupt(), Event(), Event()
        stop, may_begin, has_ended = self._stop, self._may_begin, self._has_ended

        def work() -> None:
            may_begin.wait()
            self.say(["SOLVER: started"])
            why = _why(solve, stop, self.say)
            has_ended.set()
            self.say([f"SOLVER: stopped ({why})"])

        self._solve = self._pool.submit(work)

    def begin(self) -> None:
        """Let a solve that was asked for begin."""
        self._may_begin.set()

    def stop(self) -> None:
        """Ask a solve to stop soon."""
        self._stop.requested = True

    def wait(self) -> None:
        """Until no solve is under way."""
        self.begin()
        if self._solve is not None:
            self._solve.result()

    def close(self) -> None:
        """Stop, and wait for it."""
        self.stop()
        self.begin()
        self._pool.shutdown(cancel_futures=True)


def _why(solve: Callable[[Interrupt], str], stop: Interrupt, say: Say) -> str:
    try:
        return STOPPED[solve(stop)]
    except PokerSolverError as error:
        say([f"ERROR: {' '.join(str(error).split())}"])
    except MemoryError:
        say(["ERROR: out of memory"])
    except Exception as error:  # of which the client must hear
        say([f"ERROR: failed inside: {' '.join(repr(error).split())}"])
    return "error"


class Reporter:
    """Tells how far a solve is, every second or every so many iterations."""

    def __init__(self, engine: SpotEngine, say: Say, every: int | None) -> None:
        self.engine, self.say, self.every = engine, say, every
        self._began = time.monotonic()
        self._due = self._began + INFO_SECONDS
        self._told: int | None = None  # the iteration of the last block
        self._first = engine.iteration

    def __call__(self, progress: Progress) -> None:
        """Called at each check of the solve."""
        if self.every is None:
            is_due = time.monotonic() >= self._due
        else:
            last = self._first if self._told is None else self._told
            is_due = progress.iteration - last >= self.every
        if is_due:
            self.tell()

    def tell(self, ev: tuple[float, float] | None = None) -> None:
        """Say it now, unless that was said already; the EVs may be known."""
        if self._told == self.engine.iteration:
            return
        now = time.monotonic()
        lines = result_lines(results_of(self.engine, ev))
        took = time.monotonic() - now
        self._due = now + max(INFO_SECONDS, took / INFO_SHARE)
        self._told = self.engine.iteration
        self.say(["SOLVER:", f"running time: {now - self._began:.3f}", *lines])


def result_lines(results: Results) -> list[str]:
    """What `calc_results` answers, and a solve says as it goes."""
    names = ("EV OOP", "EV IP", "OOP's MES", "IP's MES", "Exploitable for")
    values = (*results.ev, *results.mes, results.exploitable)
    return [f"{name}: {number_text(value)}" for name, value in zip(names, values, strict=True)]
