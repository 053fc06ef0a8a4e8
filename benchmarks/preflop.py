"""Preflop solving: time to accuracy of the presets, and time per iteration against tree size."""

from collections.abc import Iterator
from time import perf_counter

from benchmarks.rows import Row
from poker_solver.config.preflop import Config, load_config
from poker_solver.preflop.solver import PreflopSolver

LADDER = [2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 25, 30, 40, 50, 75, 100]
"""Twenty sizes; with `min_raise: any` every subset of them is a line: 2 ** 21 decisions."""

TARGETS = {0.5: "under 2", 0.1: "under 5", 0.01: "under 60"}
REPEATS = 3


def run() -> Iterator[Row]:
    """Yield each row as it is measured."""
    PreflopSolver(load_config("push_fold_10")).solve(1.0)  # compiles
    PreflopSolver(load_config("deep_200")).engine.train(1)
    yield from time_to_accuracy("standard", TARGETS)
    for name in ("aggressive", "short_20", "deep_200"):
        yield from time_to_accuracy(name, {0.1: ""})
    yield from growth()


def time_to_accuracy(name: str, targets: dict[float, str]) -> Iterator[Row]:
    """Seconds from nothing to each accuracy: the best of a few solves."""
    for target, wanted in targets.items():
        solves = [PreflopSolver(load_config(name)).solve(target) for _ in range(REPEATS)]
        best = min(solve.seconds for solve in solves)
        yield Row(f"{name} to {target} % of pot", best, "s", wanted)
        yield Row(f"{name} to {target} %, iterations", solves[0].iterations, "")


def growth() -> Iterator[Row]:
    """Time per iteration and node on one thread, from 1,500 nodes to 800,000: flat is linear."""
    configs = [load_config("standard"), load_config("deep_200")]
    configs += [ladder(20, "legal"), *(ladder(sizes, "any") for sizes in (12, 14, 16, 17))]
    for config in configs:
        solver = PreflopSolver(config, threads=1)
        nodes = solver.tree.num_nodes
        solver.engine.train(10)
        best = min(_seconds(solver) for _ in range(10))
        yield Row(f"{config.name}: {nodes:,} nodes, one iteration", best * 1e3, "ms")
        yield Row(f"{config.name}: per node", best / nodes * 1e9, "ns", "the same for all")


def ladder(num_sizes: int, min_raise: str) -> Config:
    """The largest sizes of the ladder at 100 bb."""
    return Config(
        name=f"{num_sizes} sizes, {min_raise}",
        stack_depth=100,
        raise_sizes=LADDER[-num_sizes:],
        min_raise=min_raise,
    )


def _seconds(solver: PreflopSolver) -> float:
    began = perf_counter()
    solver.engine.train(1)
    return perf_counter() - began
