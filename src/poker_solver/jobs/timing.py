"""How fast a spot is solved here and now: per iteration, to an accuracy, beside a memory copy."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np

from poker_solver.cfr.progress import Progress, Report
from poker_solver.config.spot import Spot
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.runtime.device import num_threads

BYTES_PER_ELEMENT = 20
"""What an iteration of both players must move for each element in float32: the opponent's regret
is read; his own and the strategy sum are read and written."""

_COPIED_BYTES = 2**28
_SAMPLE_SECONDS = 0.05
_ENOUGH_SECONDS = 1.0


@dataclass(frozen=True)
class Times:
    """The fastest of several iterations of both players."""

    threads: int
    wall_seconds: float
    cpu_seconds: float  # of all threads together


@dataclass(frozen=True)
class Accuracy:
    """When a solve first measured so little exploitability; None where it did not."""

    target_pct: float  # % of the pot
    iterations: int | None
    seconds: float | None  # of the solve, measurements included


@dataclass(frozen=True)
class SpotTimes:
    """All that was measured of one spot."""

    num_elements: int
    device: str
    planned_bytes: int
    peak_bytes: int
    build_seconds: float
    iteration: tuple[Times, ...]  # on one thread, then on all of them
    accuracy: tuple[Accuracy, ...]


def copy_bytes_per_second(num_bytes: int = _COPIED_BYTES) -> float:
    """Bytes read and written per second by a plain copy on one thread: the fastest of several."""
    source = np.ones(num_bytes // 4, np.float32)
    target = np.empty_like(source)
    best = min(_seconds(lambda: np.copyto(target, source))[0] for _ in range(8))
    return 2 * num_bytes / best


def measure_spot(
    spot: Spot,
    targets_pct: Sequence[float],
    *,
    threads: int | None = None,
    device: str = "auto",
    max_seconds: float | None = None,
    report: Report | None = None,
) -> SpotTimes:
    """Time iterations on one thread, solve to the smallest target on all of them, time again.

    The targets are % of the pot; when each is met is noted on the way.
    """
    most, planned = num_threads(threads), plan(spot, device=device)
    alone: tuple[Times, ...] = ()
    if most > 1 and planned.device == "cpu":
        alone = (time_iteration(PostflopSolver(planned, threads=1).engine.train, 1),)
        gc.collect()
    solver = PostflopSolver(planned, threads=most)
    accuracy = time_to(solver, targets_pct, max_seconds=max_seconds, report=report)
    every = time_iteration(solver.engine.train, most)
    return SpotTimes(
        num_elements=planned.counts.num_elements,
        device=planned.device,
        planned_bytes=solver.engine.planned_bytes,
        peak_bytes=solver.run.peak_bytes,
        build_seconds=solver.build_seconds,
        iteration=(*alone, every),
        accuracy=accuracy,
    )


def time_to(
    solver: PostflopSolver,
    targets_pct: Sequence[float],
    *,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> tuple[Accuracy, ...]:
    """Solve to the smallest target, and note when each was met; Ctrl-C is not caught."""
    met: dict[float, Progress] = {}

    def note(progress: Progress) -> None:
        for target in targets_pct:
            if progress.exploitability <= target:
                met.setdefault(target, progress)
        if report is not None:
            report(progress)

    solver.solve(min(targets_pct), max_seconds=max_seconds, progress=note)
    if solver.run.stopped == "interrupted":
        raise KeyboardInterrupt
    return tuple(
        Accuracy(target, met[target].iteration, met[target].seconds)
        if target in met
        else Accuracy(target, None, None)
        for target in targets_pct
    )


def time_iteration(train: Callable[[int], None], threads: int) -> Times:
    """The fastest of at least three samples, each of as many iterations as can be told apart."""
    train(1)
    first = _seconds(lambda: train(1))
    count = max(1, int(_SAMPLE_SECONDS / first[0]))
    samples, spent = [] if count > 1 else [first], 0.0
    while len(samples) < 3 or spent < _ENOUGH_SECONDS:
        wall, cpu = _seconds(lambda: train(count))
        samples.append((wall / count, cpu / count))
        spent += wall
    return Times(threads, min(wall for wall, _ in samples), min(cpu for _, cpu in samples))


def _seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of one call."""
    wall, cpu = perf_counter(), process_time()
    call()
    return perf_counter() - wall, process_time() - cpu
