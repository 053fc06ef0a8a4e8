"""Many spots solved together: how many at a time, on how many threads each; no files.

On the CPU as many spots run side by side as memory holds, each on one thread or on those that
would be idle. A CUDA GPU takes spots of one betting together, see `pipeline`. Any other device
works on one spot at a time; while it does, `finish` of the one before runs on the CPU.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Semaphore
from typing import Generic, Protocol, TypeVar

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import ManyProgress, ManyReport, Progress
from poker_solver.cfr.schedules import Schedule
from poker_solver.config.spot import Spot
from poker_solver.errors import PokerSolverError, SpotError
from poker_solver.pool import open_pool
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.postflop.many.pipeline import (
    GpuPipeline,
    Runtime,
    Task,
    by_betting,
    cut,
    largest_counts,
)
from poker_solver.postflop.plan import TreeCounts, check_precision, plan, result_slabs
from poker_solver.postflop.solution.solution import Solution
from poker_solver.runtime.device import POSTFLOP, choose, num_threads
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.runtime.memory import plan_bytes
from poker_solver.terminal import reporting_many

T = TypeVar("T")

SWITCH_SECONDS = 2e-4
AHEAD = 6
"""Batches on their way to the GPU or from it, so that it never waits."""

HERE = Runtime()


def solve_many(
    spots: Sequence[Spot],
    *,
    target_pct: float | None = POSTFLOP_TARGET_PCT,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "float32",
    schedule: Schedule | str | None = None,
    progress: bool | ManyReport = False,
    cluster: str | None = None,
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
        cluster: whose workers solve them: `local`, or the address of a Ray cluster; see
            docs/cluster.md. Threads are then those of each task, and what is under way when Ctrl-C
            is pressed does not come.
    """
    options = SolveOptions(
        target=target_pct,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        device=device,
        threads=threads,
        precision=precision,
        schedule=schedule,
    )
    each = _on_cluster(cluster, threads) if cluster is not None else _here
    return _in_order(list(spots), checked(options), progress, each)


def checked(options: SolveOptions) -> SolveOptions:
    """The options with all that can be refused before any work settled."""
    check_precision(options.precision)
    return replace(
        options.stopping(),
        threads=num_threads(options.threads),
        schedule=postflop_schedule(options.schedule),
        stop=options.stop or Interrupt(),
    )


class _SolveInOrder(Protocol):
    """Gives the number and the solution of every spot, in their order."""

    def __call__(
        self, spots: list[Spot], options: SolveOptions, report: ManyReport | None
    ) -> Iterator[tuple[int, Solution | SpotError]]: ...


def _in_order(
    spots: list[Spot], options: SolveOptions, progress: bool | ManyReport, solve: _SolveInOrder
) -> Iterator[Solution | SpotError]:
    with reporting_many(progress, "spots", len(spots)) as report:
        for _, solution in solve(spots, options, report):
            yield solution
            del solution  # not kept while the next one is waited for


def _here(
    spots: list[Spot], options: SolveOptions, report: ManyReport | None
) -> Iterator[tuple[int, Solution | SpotError]]:
    return solve_each(spots, lambda _, found: found, options, report=report, in_order=True)


def _on_cluster(name: str, cores: int | None) -> _SolveInOrder:
    """The same by the workers of a cluster, which is found before anything is solved."""
    from poker_solver.postflop.many.on_pool import as_it_is, solve_each_on

    pool = open_pool(name)

    def solve(
        spots: list[Spot], options: SolveOptions, report: ManyReport | None
    ) -> Iterator[tuple[int, Solution | SpotError]]:
        with pool:
            yield from solve_each_on(
                pool, spots, as_it_is, options, cores=cores, report=report, in_order=True
            )

    return solve


def solve_each(
    spots: Sequence[Spot],
    finish: Callable[[int, Solution], T],
    options: SolveOptions,
    *,
    report: ManyReport | None = None,
    in_order: bool = False,
    rivers: bool = True,
    runtime: Runtime | None = None,
) -> Iterator[tuple[int, T | SpotError]]:
    """Solve every spot, and give its index with what `finish` made of its solution.

    Without `in_order` they come as they are done. `finish` runs on a thread of its own; what it
    raises ends everything. Without `rivers` solutions may come without them. The options' `stop`
    ends everything as Ctrl-C does.
    """
    task = Task(spots, finish, checked(options), rivers, runtime or HERE)
    with short_switches():
        scheduler = _Scheduler(task, report, in_order)
        try:
            yield from scheduler.results()
        finally:
            scheduler.close()


@contextmanager
def short_switches() -> Iterator[None]:
    """Have the GIL passed on more often.

    Compiled code and a GPU run without it, but take it to begin and to end: with the usual
    interval of 5 ms the cores wait for each other most of the time.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, SWITCH_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@dataclass(frozen=True)
class _Batch:
    """Spots that begin together: on the CPU always one."""

    indices: tuple[int, ...]
    num_bytes: int  # of the host's memory
    on_gpu: bool


@dataclass(frozen=True)
class _Job:
    """A spot that has begun."""

    threads: int  # of the CPU; 0 on a GPU
    num_bytes: int


class _Scheduler(Generic[T]):
    """The spots that wait, those under way, and the threads they run on."""

    def __init__(self, task: Task[T], report: ManyReport | None, in_order: bool) -> None:
        self.task, self.report, self.in_order = task, report, in_order
        self.threads, self.stop = task.options.threads or 1, task.options.stop or Interrupt()
        self.jobs: dict[int, _Job] = {}  # by index: begun and not handed over yet
        self.ended: dict[int, Future[T]] = {}  # those of them that are done
        self.messages: SimpleQueue[tuple[int, Future[T]]] = SimpleQueue()
        self.num_done = 0
        self.began = time.perf_counter()
        self.memory = task.runtime.free_bytes("cpu")
        self.pool = ThreadPoolExecutor(self.threads)
        self.pipeline: GpuPipeline[T] | None = None
        device = task.options.device
        self.device = "cpu" if device == "auto" else device  # of spots that are solved alone
        self.turn = Semaphore(self.threads if self.device == "cpu" else 1)
        self.waiting = deque(self._batches())

    def _batches(self) -> Iterator[_Batch]:
        """All spots, in the order in which they begin; opens the GPU if any go there."""
        spots, options = self.task.spots, self.task.options
        name = choose(options.device, POSTFLOP.gpu_size, POSTFLOP)  # where large spots go
        together = by_betting(spots) if name.startswith("cuda") else []
        sized = [(indices, self._counts(indices)) for indices in together]
        if not any(self._is_for_gpu(*each) for each in sized):
            yield from (_Batch((index,), 0, False) for index in range(len(spots)))
            return
        on_gpu = replace(self.task, options=replace(options, device=name))
        self.pipeline = GpuPipeline(on_gpu, self.pool, self._tell)
        free = self.pipeline.gpu.free_bytes
        for indices, counts in sized:
            if counts is None or not self._is_for_gpu(indices, counts):
                yield from (_Batch((index,), 0, counts is None) for index in indices)
                continue
            need = plan_bytes(result_slabs(counts, self.task.rivers))
            for some in cut(indices, counts, free, options.precision):
                yield _Batch(some, len(some) * need, True)

    def _counts(self, indices: list[int]) -> TreeCounts | None:
        """How large spots of one betting are; None if that cannot be said: they will say why."""
        try:
            return largest_counts([self.task.spots[index] for index in indices])
        except PokerSolverError:
            return None

    def _is_for_gpu(self, indices: list[int], counts: TreeCounts | None) -> bool:
        size = len(indices) * counts.num_elements if counts else 0
        return self.task.options.device != "auto" or size >= POSTFLOP.gpu_size

    def results(self) -> Iterator[tuple[int, T | SpotError]]:
        """What each spot came to."""
        while self.waiting or self.jobs:
            with ctrl_c_requests(self.stop):
                self._begin()
                self.ended.update([self.messages.get()])
            while not self.messages.empty():
                self.ended.update([self.messages.get()])
            if self.stop.requested:
                self.waiting.clear()
            while (ready := self._take()) is not None:
                yield ready

    def close(self) -> None:
        """Stop what still runs."""
        if self.jobs:
            self.stop.requested = True
        if self.pipeline is not None:
            self.pipeline.close()
        self.pool.shutdown(cancel_futures=True)

    def _take(self) -> tuple[int, T | SpotError] | None:
        """What can be handed over now, if anything."""
        index = min(self.jobs if self.in_order else self.ended, default=None)
        if index is None or index not in self.ended:
            return None
        future = self.ended.pop(index)
        del self.jobs[index]
        self.num_done += 1
        try:
            return index, future.result()
        except SpotError as error:
            return index, error

    def _begin(self) -> None:
        """Begin as many spots as threads, the GPU and memory are left for."""
        while self.waiting:
            batch = self.waiting[0]
            if batch.on_gpu and self.pipeline is not None:
                num_on_gpu = sum(job.threads == 0 for job in self._running())
                is_ahead = num_on_gpu >= AHEAD * len(batch.indices)
                if num_on_gpu and (is_ahead or self._num_fitting(batch.num_bytes) < 1):
                    return
                for index, future in self.pipeline.begin(batch.indices).items():
                    self._watch(index, future, _Job(0, batch.num_bytes // len(batch.indices)))
            elif not self._begin_alone(batch.indices[0]):
                return
            self.waiting.popleft()

    def _begin_alone(self, index: int) -> bool:
        free = self.threads - sum(job.threads for job in self._running())
        if free < 1:
            return False
        need = self._need(self.task.spots[index])
        side_by_side = min(len(self.waiting), self._num_fitting(need))
        if side_by_side < 1:
            return False
        threads = max(1, free // side_by_side)
        future = self.pool.submit(self._work, index, threads)
        self._watch(index, future, _Job(threads, need))
        return True

    def _watch(self, index: int, future: Future[T], job: _Job) -> None:
        self.jobs[index] = job
        future.add_done_callback(lambda done: self.messages.put((index, done)))

    def _running(self) -> list[_Job]:
        return [job for index, job in self.jobs.items() if index not in self.ended]

    def _need(self, spot: Spot) -> int:
        try:
            return plan_bytes(plan(spot, precision=self.task.options.precision).slabs)
        except PokerSolverError:  # it will say so when it begins
            return 0

    def _num_fitting(self, need: int) -> int:
        """How many more spots of this size memory holds; a first one always may try."""
        free = self.task.runtime.free_bytes("cpu")
        if self.memory is None or free is None:
            return len(self.waiting)
        planned = sum(job.num_bytes for job in self.jobs.values())
        fitting = min(free, self.memory - planned) // max(need, 1)
        return max(fitting, 0 if self.jobs else 1)

    def _work(self, index: int, threads: int) -> T:
        try:
            with self.turn:
                solution = self.task.solve(index, self._tell, device=self.device, threads=threads)
        except (PokerSolverError, MemoryError) as error:
            raise self.task.problem(index, error) from error
        return self.task.finish(index, solution)

    def _tell(self, spot: Spot, progress: Progress) -> None:
        if self.report is None:
            return
        seconds, done, total = time.perf_counter() - self.began, self.num_done, len(self.task.spots)
        left = (total - done) * seconds / done if done else None
        self.report(ManyProgress(done, total, spot.board, progress.exploitability, seconds, left))
