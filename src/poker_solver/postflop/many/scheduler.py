"""Many spots solved together: how many at a time, on how many threads each; no files.

On the CPU as many spots run side by side as there are threads and as memory holds, each on one
thread: spots share nothing and never wait for each other. Threads that would be idle, because
memory holds fewer spots or few are left, go to those that run. A CUDA GPU takes spots of one shape
together, see `many_on_card`. Any other device works on one spot at a time; while it does, `finish`
of the one before runs on the CPU.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Generic, TypeVar

from rich.console import Console
from rich.live import Live
from rich.text import Text

from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Progress
from poker_solver.cfr.schedules import Schedule
from poker_solver.cfr.solve import MOST_ITERATIONS, StopRules
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, PokerSolverError, SpotError
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.postflop.many.pipeline import (
    CardLine,
    CardRules,
    by_shape,
    cut,
    largest_counts,
)
from poker_solver.postflop.plan import plan, result_slabs
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import DEFAULT_TARGET_PCT, solve
from poker_solver.runtime.cuda import open_card
from poker_solver.runtime.device import POSTFLOP, choose, num_threads
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.runtime.memory import available_bytes, plan_bytes
from poker_solver.terminal import times
from poker_solver.trees.postflop_counts import TreeCounts, check_precision

T = TypeVar("T")

TURN_SECONDS = 2e-4
AHEAD = 6
"""Groups on their way to the card or from it, so that it never waits."""


@dataclass(frozen=True)
class HowToSolve:
    """What holds for every spot of many; see `solve`."""

    target_pct: float | None = DEFAULT_TARGET_PCT
    max_iterations: int | None = None
    max_seconds: float | None = None  # of each spot
    device: str = "auto"
    threads: int = field(default_factory=lambda: num_threads(None))  # of all spots together
    schedule: Schedule | str | None = None
    precision: str = "float32"

    def __post_init__(self) -> None:
        SolveOptions(
            target=self.target_pct,
            max_iterations=self.max_iterations,
            max_seconds=self.max_seconds,
        ).stopping()
        check_precision(self.precision)
        postflop_schedule(self.schedule)


@dataclass(frozen=True)
class ManyProgress:
    """One check of one spot, and how far all of them are."""

    done: int
    total: int
    board: str  # of the spot that was looked at
    exploitability_pct: float
    seconds: float  # since the first began
    seconds_left: float | None  # None while nothing can be said


ManyReport = Callable[[ManyProgress], None]


def solve_many(
    spots: Sequence[Spot],
    *,
    target_pct: float | None = DEFAULT_TARGET_PCT,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
    schedule: Schedule | str | None = None,
    progress: bool | ManyReport = False,
) -> Iterator[Solution | SpotError]:
    """Solve many spots side by side; their solutions come in order, each as soon as it can.

    A spot that cannot be solved gives a `SpotError`, not raised, in its place. After Ctrl-C the
    solutions so far come, those under way as they are (`record.stopped` is `interrupted`), and no
    more. A solution that is not kept is freed, so that more spots can be solved than fit into
    memory.

    Args:
        spots: what to solve.
        target_pct: exploitability to stop at, % of each spot's pot; None for no target.
        max_iterations: how many to run at most on each spot.
        max_seconds: how long to iterate at most on each spot.
        device: `auto`, `cpu`, `cuda`, `mps` or another device of PyTorch, as for `solve`.
        threads: for all spots together; as many as there are cores if not given.
        precision: of regrets: `float32`, or `int16` in three quarters of the memory.
        schedule: a `Schedule` or its name; DCFR 1.35/0.25/4 if not given.
        progress: True for a line on the terminal, or a function that is told.
    """
    limits = (target_pct, max_iterations, max_seconds)
    how = HowToSolve(*limits, device, num_threads(threads), schedule, precision)
    return _in_order(list(spots), how, progress)


def _in_order(
    spots: list[Spot], how: HowToSolve, progress: bool | ManyReport
) -> Iterator[Solution | SpotError]:
    with ExitStack() as stack:
        report: ManyReport | None = None
        if progress is True:
            report = stack.enter_context(show_many("spots", len(spots)))
        elif progress:
            report = progress
        each = solve_each(spots, lambda _, found: found, how, report=report, in_order=True)
        for _, solution in each:
            yield solution
            del solution  # not kept while the next one is waited for


def solve_each(
    spots: Sequence[Spot],
    finish: Callable[[int, Solution], T],
    how: HowToSolve,
    *,
    report: ManyReport | None = None,
    in_order: bool = False,
    rivers: bool = True,
    stop: Interrupt | None = None,
) -> Iterator[tuple[int, T | SpotError]]:
    """Solve every spot, and give its place with what `finish` made of its solution.

    Without `in_order` they come as they are done. `finish` runs on a thread of its own; what it
    raises ends everything. Without `rivers` solutions may come without them. `stop` ends
    everything as Ctrl-C does.
    """
    with short_turns():
        crew = _Crew(list(spots), finish, how, report, in_order, rivers, stop or Interrupt())
        try:
            yield from crew.results()
        finally:
            crew.close()


@contextmanager
def short_turns() -> Iterator[None]:
    """Let threads of Python take turns more often.

    Compiled code and a GPU run beside Python, but begin and end in it: with the usual turns of
    5 ms the cores wait for each other most of the time.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, TURN_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@dataclass(frozen=True)
class _Lot:
    """Spots that begin together: on the CPU always one."""

    places: tuple[int, ...]
    num_bytes: int  # of the host's memory
    on_card: bool


@dataclass(frozen=True)
class _Job:
    """A spot that has begun."""

    threads: int
    num_bytes: int


class _Crew(Generic[T]):
    """The spots that wait, those under way, and the threads they run on."""

    def __init__(
        self,
        spots: list[Spot],
        finish: Callable[[int, Solution], T],
        how: HowToSolve,
        report: ManyReport | None,
        in_order: bool,
        rivers: bool,
        stop: Interrupt,
    ) -> None:
        self.spots, self.finish, self.how, self.report = spots, finish, how, report
        self.in_order, self.rivers, self.stop = in_order, rivers, stop
        self.jobs: dict[int, _Job] = {}  # by place: begun and not handed over yet
        self.ended: dict[int, Future[T]] = {}  # those of them that are done
        self.messages: SimpleQueue[tuple[int, Future[T]]] = SimpleQueue()
        self.num_done = 0
        self.began = time.perf_counter()
        self.memory = available_bytes("cpu")
        self.pool = ThreadPoolExecutor(how.threads)
        self.card: CardLine[T] | None = None
        self.device = "cpu" if how.device == "auto" else how.device  # of spots not on the card
        on_cpu = self.device == "cpu"
        self.turn: AbstractContextManager[object] = nullcontext() if on_cpu else threading.Lock()
        self.waiting = deque(self._lots())

    def _lots(self) -> Iterator[_Lot]:
        """All spots, in the order in which they begin; opens the card if any go there."""
        name = choose(self.how.device, POSTFLOP.gpu_size, POSTFLOP)  # where large spots go
        may_go = name.startswith("cuda")
        shapes = [(places, self._counts(places)) for places in by_shape(self.spots) if may_go]
        if not any(self._is_for_card(*shape) for shape in shapes):
            yield from (_Lot((place,), 0, False) for place in range(len(self.spots)))
            return
        self.card = self._open_card(name)
        free = self.card.machine.free_bytes
        for places, counts in shapes:
            if counts is None or not self._is_for_card(places, counts):
                yield from (_Lot((place,), 0, counts is None) for place in places)
                continue
            need = plan_bytes(result_slabs(counts, self.rivers))
            for some in cut(places, counts, free, self.how.precision):
                yield _Lot(some, len(some) * need, True)

    def _counts(self, places: list[int]) -> TreeCounts | None:
        """How large spots of one shape are; None if that cannot be said: their turn will come."""
        try:
            return largest_counts([self.spots[place] for place in places])
        except PokerSolverError:
            return None

    def _is_for_card(self, places: list[int], counts: TreeCounts | None) -> bool:
        size = len(places) * counts.num_elements if counts else 0
        return self.how.device != "auto" or size >= POSTFLOP.gpu_size

    def _open_card(self, name: str) -> CardLine[T]:
        """What brings spots to the GPU."""
        how = self.how
        last = how.max_iterations or MOST_ITERATIONS
        rules = CardRules(
            StopRules(last, how.target_pct, how.max_seconds),
            postflop_schedule(how.schedule),
            name,
            how.threads,
            how.precision,
            self.rivers,
        )
        return CardLine(
            self.spots,
            self.finish,
            lambda spot: self._solve(spot, self.how.threads, name),
            rules,
            machine=open_card(name),
            pool=self.pool,
            tell=self._tell,
            interrupt=self.stop,
        )

    def results(self) -> Iterator[tuple[int, T | SpotError]]:
        """What each spot came to."""
        while self.waiting or self.jobs:
            with ctrl_c_requests(self.stop):
                self._begin()
                self._note(self.messages.get())
            while not self.messages.empty():
                self._note(self.messages.get())
            if self.stop.requested:
                self.waiting.clear()
            while (ready := self._take()) is not None:
                yield ready

    def close(self) -> None:
        """Stop what still runs."""
        if self.jobs:
            self.stop.requested = True
        if self.card is not None:
            self.card.close()
        self.pool.shutdown(cancel_futures=True)

    def _note(self, message: tuple[int, Future[T]]) -> None:
        place, future = message
        self.ended[place] = future

    def _take(self) -> tuple[int, T | SpotError] | None:
        """What can be handed over now, if anything."""
        place = min(self.jobs if self.in_order else self.ended, default=None)
        if place is None or place not in self.ended:
            return None
        future = self.ended.pop(place)
        del self.jobs[place]
        self.num_done += 1
        return place, _result(future)

    def _begin(self) -> None:
        """Begin as many spots as threads, the card and memory are left for."""
        while self.waiting:
            lot = self.waiting[0]
            if lot.on_card and self.card is not None:
                if self._num_on_card() and (
                    self._num_on_card() >= AHEAD * len(lot.places)
                    or self._num_fitting(lot.num_bytes) < 1
                ):
                    return
                for place, future in self.card.begin(lot.places).items():
                    self._watch(place, future, _Job(0, lot.num_bytes // len(lot.places)))
            elif not self._begin_on_cpu(lot.places[0]):
                return
            self.waiting.popleft()

    def _begin_on_cpu(self, place: int) -> bool:
        free = self._free_threads()
        if free < 1:
            return False
        need = self._need(self.spots[place])
        side_by_side = min(len(self.waiting), self._num_fitting(need))
        if side_by_side < 1:
            return False
        threads = max(1, free // side_by_side)
        future = self.pool.submit(self._work, place, threads)
        self._watch(place, future, _Job(threads, need))
        return True

    def _watch(self, place: int, future: Future[T], job: _Job) -> None:
        self.jobs[place] = job
        future.add_done_callback(lambda done: self.messages.put((place, done)))

    def _num_on_card(self) -> int:
        """Spots on their way to the card or from it."""
        return sum(job.threads == 0 for place, job in self.jobs.items() if place not in self.ended)

    def _free_threads(self) -> int:
        running = (job.threads for place, job in self.jobs.items() if place not in self.ended)
        return self.how.threads - sum(running)

    def _need(self, spot: Spot) -> int:
        try:
            return plan(spot, precision=self.how.precision).num_bytes
        except PokerSolverError:  # it will say so when its turn comes
            return 0

    def _num_fitting(self, need: int) -> int:
        """How many more spots of this size memory holds; a first one always may try."""
        free = available_bytes("cpu")
        if self.memory is None or free is None:
            return len(self.waiting)
        planned = sum(job.num_bytes for job in self.jobs.values())
        fitting = min(free, self.memory - planned) // max(need, 1)
        return max(fitting, 0 if self.jobs else 1)

    def _work(self, place: int, threads: int) -> T:
        try:
            with self.turn:
                solution = self._solve(self.spots[place], threads, self.device)
        except DeviceError:  # the same for every spot
            raise
        except (PokerSolverError, MemoryError) as error:
            what = str(error) or "out of memory"
            board = self.spots[place].board
            raise SpotError(f"spot {place + 1} ({board}): {what}") from error
        return self.finish(place, solution)

    def _solve(self, spot: Spot, threads: int, device: str) -> Solution:
        how = self.how
        return solve(
            spot,
            target_pct=how.target_pct,
            max_iterations=how.max_iterations,
            max_seconds=how.max_seconds,
            device=device,
            threads=threads,
            precision=how.precision,
            schedule=how.schedule,
            progress=lambda progress: self._tell(spot, progress),
            stop=self.stop,
        )

    def _tell(self, spot: Spot, progress: Progress) -> None:
        if self.report is None:
            return
        seconds, done, total = time.perf_counter() - self.began, self.num_done, len(self.spots)
        left = (total - done) * seconds / done if done else None
        self.report(ManyProgress(done, total, spot.board, progress.exploitability, seconds, left))


def _result(future: Future[T]) -> T | SpotError:
    try:
        return future.result()
    except SpotError as error:
        return error


@contextmanager
def show_many(what: str, total: int, before: int = 0) -> Iterator[ManyReport]:
    """A live line on standard error; `before` of the `total` were done earlier."""
    console = Console(stderr=True)
    first = f"{before} of {total} {what} · the first run compiles the kernels, some 20 s"
    with Live(Text(first), console=console, transient=True, refresh_per_second=8) as live:
        yield lambda progress: live.update(Text(many_line(progress, what, total, before)))


def many_line(progress: ManyProgress, what: str, total: int, before: int = 0) -> str:
    """How many are done, how the one at hand stands, time gone, time left."""
    parts = [
        f"{before + progress.done:,} of {total:,} {what}",
        f"{progress.board} {progress.exploitability_pct:.3g} % of pot",
        *times(progress.seconds, progress.seconds_left),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps what is done"])
