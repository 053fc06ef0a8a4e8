"""Many spots on a GPU: those of one betting in batches, in three stages that run side by side.

Threads of the CPU lay the next spots out, and finish the last ones (equities, values, files), while
one thread has the GPU to itself.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np

from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Progress
from poker_solver.cfr.solve import MOST_ITERATIONS, StopRules, Unit
from poker_solver.config.spot import PostflopBetting, Spot
from poker_solver.errors import DeviceError, MemoryPlanError, PokerSolverError, SpotError
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.programs import StreetPrograms
from poker_solver.postflop.engines.cuda.tables import SpotGroup, group_spots
from poker_solver.postflop.engines.engine import postflop_schedule
from poker_solver.postflop.layout.layout import Layout, layout_of
from poker_solver.postflop.many.batch import BatchSolver, SpotRead
from poker_solver.postflop.plan import TreeCounts, check_sums, cuda_guess, plan
from poker_solver.postflop.solution.solution import Solution, SolveRecord
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.runtime.cuda import Gpu, open_gpu
from poker_solver.runtime.memory import available_bytes, plan_bytes
from poker_solver.trees.runouts import IDENTITY

T = TypeVar("T")
Indices = tuple[int, ...]

BATCH_ELEMENTS = 400_000_000
"""Batches are not made larger than this."""

BUSY_ELEMENTS = 15_000_000
"""What keeps a GPU busy: batches larger than this are cut, so that stages overlap."""

OVERLAPPING = 16
"""Batches that many spots make at least, if each keeps the GPU busy."""

MOST_SPOTS = 2_000
SPARE = 0.9
"""The part of the GPU's free memory that a batch is planned for."""


@dataclass(frozen=True)
class Runtime:
    """What is taken of the machine, and who solves; a test gives others."""

    free_bytes: Callable[[str], int | None] = available_bytes
    open_gpu: Callable[[str], Gpu] = open_gpu
    solve: Callable[[Spot, SolveOptions], Solution] = solve_spot  # one spot alone
    batch: Callable[..., CudaGroup] = CudaGroup  # spots together


@dataclass(frozen=True, eq=False)
class Task(Generic[T]):
    """Spots to solve, how, and what is made of each solution."""

    spots: Sequence[Spot]
    finish: Callable[[int, Solution], T]  # given a spot's index; on a thread of its own
    options: SolveOptions  # of every spot; threads and stop are those of all together
    rivers: bool = True  # whether solutions keep them
    runtime: Runtime = Runtime()

    def solve(self, index: int, tell: Callable[[Spot, Progress], None], **changes: Any) -> Solution:
        """One spot alone, with some options changed."""
        spot = self.spots[index]
        options = replace(self.options, progress=lambda done: tell(spot, done), **changes)
        return self.runtime.solve(spot, options)

    def problem(self, index: int, error: BaseException) -> BaseException:
        """What one spot comes to after an error; what is the same for every spot stays as it is."""
        if isinstance(error, DeviceError) or not isinstance(error, PokerSolverError | MemoryError):
            return error
        board, what = self.spots[index].board, str(error) or "out of memory"
        named = SpotError(f"spot {index + 1} ({board}): {what}")
        named.__cause__ = error
        return named


def by_betting(spots: Sequence[Spot]) -> list[list[int]]:
    """Indices of spots that can be solved together, those with locks alone; in their order."""
    together: dict[int | PostflopBetting, list[int]] = {}
    for index, spot in enumerate(spots):
        together.setdefault(index if spot.locks else spot.betting, []).append(index)
    return list(together.values())


def largest_counts(spots: Sequence[Spot]) -> TreeCounts:
    """About the most that any of these spots of one betting has: no cards stand for others."""
    spot = max(spots, key=lambda spot: sum(map(np.count_nonzero, spot.weights)))
    return plan(spot, symmetries=[IDENTITY]).counts


def cut(
    indices: Sequence[int], counts: TreeCounts, free_bytes: int, precision: str = "float32"
) -> list[Indices]:
    """Spots of one betting in batches of one size, such as keep the GPU busy and as it holds."""
    most = min(
        BATCH_ELEMENTS // max(counts.num_elements, 1),
        int(SPARE * free_bytes) // max(plan_bytes(cuda_guess(counts, precision)), 1),
        MOST_SPOTS,
    )
    busy = len(indices) * counts.num_elements // BUSY_ELEMENTS
    num_batches = max(-(-len(indices) // max(most, 1)), min(OVERLAPPING, busy), 1)
    size = -(-len(indices) // num_batches)
    return [tuple(indices[first : first + size]) for first in range(0, len(indices), size)]


class GpuPipeline(Generic[T]):
    """Spots on their way through the three stages; the device of the task is the GPU's name."""

    def __init__(
        self, task: Task[T], pool: ThreadPoolExecutor, tell: Callable[[Spot, Progress], None]
    ) -> None:
        self.task, self.pool, self.tell = task, pool, tell
        self.gpu = task.runtime.open_gpu(task.options.device)
        self._gpu_thread = ThreadPoolExecutor(1)
        self._laying_out = Lock()  # it holds the GIL: several threads would wait for each other
        self._futures: dict[int, Future[T]] = {}
        self._programs: dict[PostflopBetting, list[StreetPrograms]] = {}

    def begin(self, indices: Indices) -> dict[int, "Future[T]"]:
        """Send spots of one betting on their way."""
        begun = {index: Future[T]() for index in indices}
        self._futures |= begun
        if self.task.spots[indices[0]].locks:
            self._next(self._gpu_thread, indices, self._solve_alone, indices[0])
        else:
            self._next(self.pool, indices, self._prepare, indices)
        return begun

    def close(self) -> None:
        """Wait for what the GPU is at; nothing new is begun."""
        self._gpu_thread.shutdown(cancel_futures=True)

    def _next(
        self, stage: ThreadPoolExecutor, indices: Indices, work: Callable[..., None], *given: object
    ) -> None:
        """Let a stage do something about some spots; what it raises is what they come to."""

        def do() -> None:
            try:
                work(*given)
            except BaseException as error:
                self._fail(indices, error)

        stage.submit(do)

    def _fail(self, indices: Iterable[int], error: BaseException) -> None:
        for index in indices:
            future = self._futures.pop(index, None)
            if future is not None:
                future.set_exception(self.task.problem(index, error))

    def _prepare(self, indices: Indices) -> None:
        """Lay spots out and put them side by side; those that cannot be are told so."""
        began = time.perf_counter()
        betting = self.task.spots[indices[0]].betting
        layouts: dict[int, Layout] = {}
        with self._laying_out:
            for index in indices:
                try:
                    planned = plan(self.task.spots[index])
                    check_sums(planned.game, self.task.options.device)
                    layouts[index] = layout_of(planned)
                except (PokerSolverError, MemoryError) as error:
                    self._fail([index], error)
        if layouts:
            group = self._group(list(layouts.values()), self._programs.get(betting))
            self._programs.setdefault(betting, group.streets)
            seconds = (time.perf_counter() - began) / len(layouts)
            ready = tuple(layouts)
            self._next(self._gpu_thread, ready, self._solve, ready, group, seconds)

    def _solve(self, indices: Indices, group: SpotGroup, build_seconds: float) -> None:
        """On the GPU; a batch that does not fit after all is halved."""
        options = self.task.options
        self.gpu.count_anew()
        began = time.perf_counter()
        engine = self._engine(group)
        if engine is None:
            middle = len(indices) // 2
            for part in (slice(0, middle), slice(middle, None)):
                half = self._group(group.layouts[part], group.streets)
                self._solve(indices[part], half, build_seconds)
            return
        record = partial(
            SolveRecord,
            build_seconds=build_seconds + (time.perf_counter() - began) / len(indices),
            planned_bytes=engine.planned_bytes,
            device=options.device,
            threads=options.threads or 1,
            schedule=str(engine.schedule),
        )

        def hand_over(reads: list[SpotRead]) -> None:
            some = tuple(indices[read.spot] for read in reads)
            self._next(self.pool, some, self._finish, some, reads)

        def tell(spot: int, progress: Progress) -> None:
            self.tell(self.task.spots[indices[spot]], progress)

        solver = BatchSolver(engine, record, hand_over, tell, rivers=self.task.rivers)
        last, unit = int(options.max_iterations or MOST_ITERATIONS), Unit(group.layouts[0].game.pot)
        solver.solve(StopRules(last, options.target, options.max_seconds, unit), options.stop)

    def _group(self, layouts: Sequence[Layout], programs: list[StreetPrograms] | None) -> SpotGroup:
        is_packed = self.task.options.precision == "int16"
        shared = self.gpu.shared_bytes
        return group_spots(layouts, shared_bytes=shared, programs=programs, packed=is_packed)

    def _engine(self, group: SpotGroup) -> CudaGroup | None:
        """The batch on the GPU; None if it holds fewer spots only."""
        schedule = postflop_schedule(self.task.options.schedule)
        try:
            return self.task.runtime.batch(
                group, schedule, machine=self.gpu, precision=self.task.options.precision
            )
        except MemoryPlanError:
            if len(group.layouts) == 1:
                raise
            return None

    def _solve_alone(self, index: int) -> None:
        solution = self.task.solve(index, self.tell)
        self._next(self.pool, (index,), self._give, index, solution)

    def _finish(self, indices: Indices, reads: list[SpotRead]) -> None:
        for index, read in zip(indices, reads, strict=True):
            try:
                solution = read.solution(self.task.spots[index])
            except (PokerSolverError, MemoryError) as error:
                self._fail([index], error)
            else:
                self._give(index, solution)

    def _give(self, index: int, solution: Solution) -> None:
        try:
            result = self.task.finish(index, solution)
        except BaseException as error:
            self._futures.pop(index).set_exception(error)
        else:
            self._futures.pop(index).set_result(result)
