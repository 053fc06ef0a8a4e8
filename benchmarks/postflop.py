"""Postflop solving: time per iteration beside a memory copy, time to accuracy, memory, and growth.

What is wanted comes from the best CPU solver we know, measured on a machine that copies at 31 GB/s:
a third of its time per iteration, no more iterations to the same accuracy. Accuracy is measured
every ten iterations at first, every 25 later.
"""

import gc
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.rows import Row
from poker_solver.config.named_spots import named_spot
from poker_solver.config.spot import Spot
from poker_solver.jobs.timing import (
    BYTES_PER_ELEMENT,
    SpotTimes,
    Times,
    copy_bytes_per_second,
    measure_spot,
    time_iteration,
)
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solve.solver import PostflopSolver

THREADS = 2
TARGETS = (0.5, 0.1)

OTHERS = {
    "river_example": (0.025, (50, 110)),
    "river_full": (0.41, (60, 180)),
    "turn_example": (11.4, (100, 230)),
    "flop_example": (912.0, (90, 210)),
    "3betpot_fast": (953.0, (80, 180)),
}
"""Of that solver: CPU ms per iteration on one thread, iterations to each target."""

SCALE = Path(__file__).with_name("scale")

SMALL_FLOP = """
board: KhQh2h
pot: 100
stack: 150
oop: {range: "AA,JTs", flop: {bet: "60%"}, turn: {bet: "60%"}, river: {bet: "60%"}}
ip: {range: "QQ,T9s", flop: {bet: "60%"}, turn: {bet: "60%"}, river: {bet: "60%"}}
"""
"""What every kernel is compiled for."""


def run() -> Iterator[Row]:
    """Yield each row as it is measured."""
    yield from first_run()
    copied = copy_bytes_per_second()
    yield Row("memory copy, one thread, reads and writes", copied / 1e9, "GB/s")
    times = {}
    for name in OTHERS:
        times[name] = measure_spot(named_spot(name), TARGETS, threads=THREADS)
        yield from spot_rows(name, times[name], copied)
        gc.collect()
    flop = times["3betpot_fast"]
    yield Row("3betpot_fast: build", flop.build_seconds, "s", "under 2")
    planned = 100 * flop.planned_bytes / flop.peak_bytes
    yield Row("3betpot_fast: memory planned, of peak", planned, "%", "95 to 105")
    yield from growth(flop)
    yield Row("memory copy, at the end", copy_bytes_per_second() / 1e9, "GB/s")


def first_run() -> Iterator[Row]:
    """A whole process that has nothing compiled, and the same once it has."""
    with tempfile.TemporaryDirectory() as folder:
        spot = Path(folder) / "spot.yaml"
        spot.write_text(SMALL_FLOP)
        command = [sys.executable, "-m", "poker_solver", "solve", str(spot), "--quiet", "--json"]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")}
        for case, wanted in (("first run, compiles", "under 30"), ("the same again", "")):
            began, before = perf_counter(), _children_seconds()
            subprocess.run(command, env=environment, check=True, capture_output=True)
            yield Row(f"{case}, wall", perf_counter() - began, "s", wanted)
            yield Row(f"{case}, CPU", _children_seconds() - before, "s")


def _children_seconds() -> float:
    """CPU time of all processes started here that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spot_rows(name: str, times: SpotTimes, copied: float) -> Iterator[Row]:
    """One spot: per iteration, and to each accuracy."""
    other_ms, other_iterations = OTHERS[name]
    alone, together = times.iteration
    third = f"under {other_ms / 3:.3g}, a third of {other_ms:g} at 31 GB/s"
    yield Row(f"{name}: {times.num_elements:,} elements, CPU, 1 thread", ms(alone), "ms", third)
    yield Row(f"{name}: CPU, {THREADS} threads", ms(together), "ms")
    yield Row(f"{name}: wall, {THREADS} threads", 1e3 * together.wall_seconds, "ms")
    floor = times.num_elements * BYTES_PER_ELEMENT / copied
    yield Row(f"{name}: of copy speed, 1 thread", 100 * floor / alone.cpu_seconds, "%", "100")
    for each, most in zip(times.accuracy, other_iterations, strict=True):
        if each.iterations is None or each.seconds is None:
            continue
        case = f"{name}: to {each.target_pct} %"
        yield Row(f"{case}, iterations", each.iterations, "", f"at most {most}")
        yield Row(f"{case}, {THREADS} threads, measurements included", each.seconds, "s")


def growth(middle: SpotTimes) -> Iterator[Row]:
    """Time per iteration and element from 20 million to 800 million: flat is linear."""
    yield from growth_rows("flop_20m", *measured("flop_20m"))
    yield from growth_rows("3betpot_fast", middle.num_elements, *middle.iteration)
    yield from growth_rows("flop_800m", *measured("flop_800m"))


def measured(name: str) -> tuple[int, Times, Times]:
    """Elements, and iterations on one thread and on several; nothing is solved."""
    spot, found = Spot.load(SCALE / f"{name}.yaml"), []
    for threads in (1, THREADS):
        solver = PostflopSolver(spot, threads=threads)
        found.append(time_iteration(solver.engine.train, threads))
        del solver
        gc.collect()
    return plan(spot).counts.num_elements, found[0], found[1]


def growth_rows(name: str, num_elements: int, alone: Times, together: Times) -> Iterator[Row]:
    """Nanoseconds per element."""
    case, wanted = f"{name}: {num_elements:,} elements, per element", "the same for all"
    yield Row(f"{case}, CPU, 1 thread", 1e9 * alone.cpu_seconds / num_elements, "ns", wanted)
    wall = 1e9 * together.wall_seconds / num_elements
    yield Row(f"{case}, wall, {THREADS} threads", wall, "ns", wanted)


def ms(times: Times) -> float:
    """CPU milliseconds of an iteration."""
    return 1e3 * times.cpu_seconds
