"""A Ray cluster on this machine, nodes of one core each: what handing work out costs, and gains."""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.rows import Row, once
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.named_spots import find_spot
from poker_solver.config.spot import Spot
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.pool import Needs, Pool
from poker_solver.pool.inline import Done, InlineActor, InlinePool
from poker_solver.pool.on_ray import RayPool, import_ray
from poker_solver.postflop.many.on_pool import as_it_is, solve_each_on

WORKERS = (1, 2, 4)
FLOPS = {"KsQs2h": 8000, "9c8d3h": 6000, "AsTh5d": 5000, "KsJs7h": 3100}
REACH_BYTES, SAVE_BYTES, TASKS, ITERATIONS = 53_000, 15_000_000, 200, 5
NODE: dict[str, Any] = {"num_cpus": 1, "memory": 3 * 10**9, "object_store_memory": 4 * 10**8}


def run() -> Iterator[Row]:
    """Bytes that cross, milliseconds for each task and call, efficiency by workers."""
    yield from bytes_of_an_iteration()
    alone = dict[str, float]()
    for workers in WORKERS:
        yield from on_nodes(workers, alone)


def on_nodes(workers: int, alone: dict[str, float]) -> Iterator[Row]:
    """All that is measured on so many nodes; `alone` has the seconds of one."""
    with nodes(workers) as pool:
        if workers == 1:
            yield from overhead(pool)
        case = f"{workers} workers"
        yield from calls(pool, case)
        for name, seconds in (("full game", full_game(pool)), ("turns", turns(pool))):
            alone.setdefault(name, seconds)
            yield Row(f"{name}, {case}", seconds, "s")
            share = 100 * alone[name] / (workers * seconds)
            yield Row(f"{name}, {case}: efficiency", share, "%")


@contextmanager
def nodes(number: int) -> Iterator[RayPool]:
    """A cluster of so many nodes of one core."""
    import_ray()
    from ray.cluster_utils import Cluster

    head = {**NODE, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(number - 1):
            cluster.add_node(**NODE)
        with RayPool(cluster.address) as pool:
            yield pool
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def overhead(pool: Pool[Any]) -> Iterator[Row]:
    """Of tasks that do nothing: one is a flop less its solving."""
    needs, spot = Needs(1, 0, 1000), find_spot("3betpot_fast")

    def seconds(size: int, tasks: int) -> float:
        return once(lambda: list(pool.run(give_back, [(spot, size)] * tasks, needs)))

    seconds(1000, 20)
    yield Row("a task, 1 kB back", 1e3 * seconds(1000, TASKS) / TASKS, "ms", "under 5")
    yield Row("a task, 15 MB back", 1e3 * seconds(SAVE_BYTES, 40) / 40, "ms")


def calls(pool: RayPool, case: str) -> Iterator[Row]:
    """Reach to every actor and root values back."""
    actors = [pool.actor(node, Needs(1), Echo) for node in pool.nodes]
    reach = np.zeros(REACH_BYTES // 8)

    def ask() -> None:
        for answer in [actor.call("echo", reach) for actor in actors]:
            answer.result()

    for _ in range(20):
        ask()
    seconds = min(once(ask) for _ in range(50))
    yield Row(f"53 kB to every actor and back, {case}", 1e3 * seconds, "ms")
    for actor in actors:
        actor.stop()


class Echo:
    """An actor that does nothing."""

    def echo(self, value: object) -> object:
        """What it was given."""
        return value


def give_back(spot: Spot, size: int) -> bytes:
    """A task that does nothing, with what a flop's brings back."""
    return bytes(size)


def config() -> UnifiedConfig:
    """The tree of `hu_tiny` on four flops."""
    fields = UnifiedConfig.load("hu_tiny").to_mapping()
    return UnifiedConfig.from_mapping({**fields, "flops": FLOPS})


def full_game(pool: RayPool) -> float:
    """Seconds of some iterations, after the first."""
    solver = UnifiedSolver(config(), device="cpu", pool=pool)
    solver.trunk.train(2)
    seconds = once(lambda: solver.trunk.train(ITERATIONS))
    solver.close()
    return seconds


def turns(pool: RayPool) -> float:
    """Seconds for some turns, each a task; workers have solved one before."""
    spot = find_spot("turn_example")
    boards = [f"Td9d6h{card}" for card in ("Qc", "Qh", "2c", "3c", "4s", "5s", "7h", "8h")]
    spots = [Spot.from_mapping({**spot.to_mapping(), "board": board}) for board in boards]
    options = SolveOptions(max_iterations=100)

    def solve(how: SolveOptions) -> None:
        for _ in solve_each_on(pool, spots, as_it_is, how, cores=1):
            pass

    solve(replace(options, max_iterations=1))
    began = perf_counter()
    solve(options)
    return perf_counter() - began


class CountingActor(InlineActor):
    """An object of this process that counts what would be sent."""

    sent, received = 0, 0

    def call(self, method: str, *given: object) -> Done:
        """Count both ways."""
        answer = super().call(method, *given)
        CountingActor.sent += len(pickle.dumps(given, 5))
        CountingActor.received += len(pickle.dumps(answer.value, 5))
        return answer


class CountingPool(InlinePool):
    """A pool of this process whose actors count."""

    def actor(self, node: Any, needs: Needs, make: Any, *given: object) -> InlineActor:
        """See `Pool`."""
        return CountingActor(make(*given))


def bytes_of_an_iteration() -> Iterator[Row]:
    """To and from one worker that has all flops."""
    solver = UnifiedSolver(config(), device="cpu", pool=CountingPool())
    solver.trunk.train(9)
    CountingActor.sent = CountingActor.received = 0
    solver.trunk.train(1)
    lines, elements = len(solver.game.lines), solver.plan.num_elements
    case = f"an iteration of {len(FLOPS)} flops, {lines} line, {elements / 1e6:.0f} M elements"
    yield Row(f"{case}: to a worker", CountingActor.sent, "bytes")
    yield Row(f"{case}: from all workers", CountingActor.received, "bytes")
