"""Many spots on a pool of workers: in lots, each a task with the cores and memory that it needs.

A lot is solved as `solve_each` solves spots on one machine, so what a spot comes to is the same. A
large spot is a lot of its own; small ones go together, so that sending them costs little beside
solving them.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress, ManyReport
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError, MemoryPlanError, PokerSolverError, SpotError
from poker_solver.pool import Needs, Pool
from poker_solver.pool.contract import PROCESS_BYTES
from poker_solver.postflop.many.pipeline import BATCH_ELEMENTS, Task, by_betting, largest_counts
from poker_solver.postflop.many.scheduler import checked, solve_each
from poker_solver.postflop.plan import TreeCounts, cpu_slabs, cuda_guess, result_slabs
from poker_solver.postflop.solution.solution import Solution
from poker_solver.runtime.device import POSTFLOP
from poker_solver.runtime.memory import gib, plan_bytes

T = TypeVar("T")
Finish = Callable[[Spot, Solution], T]

LOT_ELEMENTS = 4_000_000
"""Of spots that go together to a worker with a CPU: a second's work or so, to 0.3 %."""


@dataclass(frozen=True)
class Unsolved:
    """Why a spot could not be solved."""

    reason: str


@dataclass(frozen=True)
class SpotFound:
    """What a worker tells of a spot: how good the solution is, and what was made of it."""

    exploitability_pct: float
    made: Any


def as_it_is(spot: Spot, solution: Solution) -> Solution:
    """A `Finish` that gives the solution itself."""
    return solution


@dataclass(frozen=True)
class SolveLot:
    """What a worker does; goes there as it is.

    `finish` is a function of a module, or an object of a class of one.
    """

    finish: Finish[Any]
    options: SolveOptions
    rivers: bool

    def __call__(self, spots: Sequence[Spot]) -> list[SpotFound | Unsolved]:
        """Solve some spots; what each came to."""
        found: dict[int, SpotFound | Unsolved] = {}

        def finished(index: int, solution: Solution) -> SpotFound:
            return SpotFound(solution.exploitability_pct, self.finish(spots[index], solution))

        for index, done in solve_each(spots, finished, self.options, rivers=self.rivers):
            reason = str(done.__cause__) if isinstance(done, SpotError) else ""
            found[index] = Unsolved(reason) if isinstance(done, SpotError) else done
        return [found[index] for index in range(len(spots))]


def solve_each_on(
    pool: Pool[Any],
    spots: Sequence[Spot],
    finish: Finish[T],
    options: SolveOptions,
    *,
    cores: int | None = None,
    report: ManyReport | None = None,
    in_order: bool = False,
    rivers: bool = True,
) -> Iterator[tuple[int, T | SpotError]]:
    """Solve every spot, and give its index with what `finish` made of it, as `solve_each` does.

    `finish` runs in the worker. Those under way when `stop` is set are given up. `cores` are those
    of each task; as many as would be idle otherwise if not given.
    """
    if not spots:
        return
    work = LotPlan.of(pool, spots, options, cores)
    options = checked(options)
    stop, device = options.stop, "cuda" if work.needs.gpus else "cpu"
    theirs = replace(options, stop=None, progress=False, device=device, threads=work.needs.cores)
    task, lot = Task(spots, lambda _, found: found, options), SolveLot(finish, theirs, rivers)
    began, num_done = time.perf_counter(), 0
    given = [[[spots[index] for index in indices]] for indices in work.lots]
    for number, found in pool.run(lot, given, work.needs, in_order=in_order, stop=stop):
        for index, one in zip(work.lots[number], found, strict=True):
            num_done += 1
            if isinstance(one, Unsolved):
                problem = task.problem(index, PokerSolverError(one.reason))
                assert isinstance(problem, SpotError)
                yield index, problem
                continue
            if report is not None:
                seconds = time.perf_counter() - began
                left, pct = (len(spots) - num_done) * seconds / num_done, one.exploitability_pct
                board = spots[index].board
                report(ManyProgress(num_done, len(spots), board, pct, seconds, left))
            yield index, one.made


@dataclass(frozen=True)
class LotPlan:
    """Spots in lots, in their order, and what each lot needs."""

    lots: list[list[int]]
    needs: Needs

    @classmethod
    def of(
        cls, pool: Pool[Any], spots: Sequence[Spot], options: SolveOptions, cores: int | None
    ) -> "LotPlan":
        """Lots such that every worker has several; refused if no node has room for a spot."""
        sizes = _sizes(spots)
        total = sum(counts.num_elements for counts in sizes if counts is not None)
        largest = max(filter(None, sizes), key=lambda of: of.num_elements, default=None)
        if largest is None:  # each will say why
            return cls(_lots([0] * len(spots), 0), Needs())
        on_gpu = _is_on_gpu(pool, options.device, total)
        slabs = result_slabs(largest, True) if on_gpu else cpu_slabs(largest, options.precision)
        need, what = (
            PROCESS_BYTES + plan_bytes(slabs),
            f"a spot of {largest.num_elements:,} elements",
        )
        needs = Needs(cores or pool.cores_each(need, len(spots)), int(on_gpu), need)
        pool.check(what, needs)
        if on_gpu:
            check_gpus(pool, what, plan_bytes(cuda_guess(largest, options.precision)))
        most = BATCH_ELEMENTS if on_gpu else LOT_ELEMENTS
        most = min(most, total // (2 * pool.num_fitting(needs)))
        return cls(_lots([0 if of is None else of.num_elements for of in sizes], most), needs)


def check_gpus(pool: Pool[Any], what: str, num_bytes: int) -> None:
    """Refuse what no GPU of the nodes has room for."""
    most = max(node.gpu_bytes for node in pool.nodes)
    if num_bytes > most:
        raise MemoryPlanError(
            f"{what} needs {gib(num_bytes)} of a GPU, the largest of the nodes has {gib(most)} free"
        )


def _is_on_gpu(pool: Pool[Any], device: str, num_elements: int) -> bool:
    """Whether spots are solved on GPUs; `auto` takes them where there are any and it pays."""
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"device {device}: a cluster solves on cpu or cuda")
    has_any = any(node.gpus for node in pool.nodes)
    return device == "cuda" or (device == "auto" and has_any and num_elements >= POSTFLOP.gpu_size)


def _sizes(spots: Sequence[Spot]) -> list[TreeCounts | None]:
    """About how large each spot is: as the largest of its betting; None for one that is wrong."""
    found = dict[int, TreeCounts | None]()
    for indices in by_betting(spots):
        try:
            counts = largest_counts([spots[index] for index in indices])
        except PokerSolverError:
            counts = None
        found |= dict.fromkeys(indices, counts)
    return [found[index] for index in range(len(spots))]


def _lots(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Neighbours up to so many elements; one alone may have more."""
    lots: list[list[int]] = []
    size = 0
    for index, own in enumerate(sizes):
        if lots and size + own <= most:
            lots[-1].append(index)
            size += own
        else:
            lots.append([index])
            size = own
    return lots
