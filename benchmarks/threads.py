"""How an iteration of the CPU gains from threads: 1, 2, 4, ... up to the cores there are.

Beside each number of threads what so many copy from memory to memory together. A turn is cut into
16 units, so more threads than that have nothing to do there; a flop has some two hundred. Many
rivers side by side say how much of a spot is Python, of which one thread runs at a time.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np

from benchmarks.rows import Row
from poker_solver.cards import NUM_CARDS, cards_to_string
from poker_solver.config.named_spots import named_spot
from poker_solver.config.spot import Spot
from poker_solver.jobs.timing import time_iteration
from poker_solver.postflop.many.scheduler import solve_many
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solve.solver import PostflopSolver

SPOTS = ("turn_example", "flop_example", "3betpot_fast")
RIVERS = 200
COPIED_BYTES = 128 << 20


def run() -> Iterator[Row]:
    """Every spot on every number of threads."""
    cores = len(os.sched_getaffinity(0))
    counts = [count for count in (1, 2, 4, 8, 16, 32, 64) if count < cores] + [cores]
    for threads in counts:
        yield Row(f"copy, {threads} threads", copied(threads) / 1e9, "GB/s")
    for name in SPOTS:
        planned, alone = plan(named_spot(name)), 0.0
        for threads in counts:
            solver = PostflopSolver(planned, threads=threads)
            wall = time_iteration(solver.engine.train, threads).wall_seconds
            alone = alone or wall
            case = f"{name}, {threads} threads"
            yield Row(f"{case}: an iteration", 1e3 * wall, "ms")
            yield Row(f"{case}: as fast as one", alone / wall, "times")
    spots = random_rivers(RIVERS)
    list(solve_many(spots[:2], target_pct=0.5))
    for threads in counts:
        began = perf_counter()
        list(solve_many(spots, target_pct=0.5, threads=threads))
        case = f"{RIVERS} rivers side by side, {threads} threads"
        yield Row(f"{case}: each", 1e3 * (perf_counter() - began) / RIVERS, "ms")


def copied(threads: int) -> float:
    """Bytes a second that so many threads copy together, read and written; the best of five."""
    pairs = [(np.ones(COPIED_BYTES // 8), np.empty(COPIED_BYTES // 8)) for _ in range(threads)]
    best = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(6):
            began = perf_counter()
            list(pool.map(lambda pair: np.copyto(pair[1], pair[0]), pairs))
            best = max(best, 2 * COPIED_BYTES * threads / (perf_counter() - began))
    return best


def random_rivers(count: int) -> list[Spot]:
    """The ranges and sizes of `river_example` on other boards."""
    spot, rng = named_spot("river_example"), np.random.default_rng(1)
    boards = (rng.choice(NUM_CARDS, 5, replace=False).tolist() for _ in range(count))
    return [spot.replace(board=cards_to_string(board)) for board in boards]
