"""A Ray cluster of four nodes on this machine, and a pool that loses nodes when it is told to."""

import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from poker_solver.pool import Needs, Node, WorkerLostError
from poker_solver.pool.inline import Done, InlineActor, InlinePool
from poker_solver.pool.on_ray import import_ray

Copied = TypeVar("Copied")

NODE: dict[str, Any] = {"num_cpus": 1, "memory": 2 * 10**9, "object_store_memory": 10**8}


@contextmanager
def four_nodes() -> Iterator[Any]:
    """Four nodes with a core each; the first cannot be removed."""
    import_ray()
    from ray.cluster_utils import Cluster

    looks = {
        "health_check_period_ms": 1000
    }  # a lost node is noticed after five, not fifteen seconds
    head = {**NODE, "include_dashboard": False, "_system_config": looks}
    cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
    try:
        for _ in range(3):
            patiently(lambda: cluster.add_node(**NODE))
        yield cluster
    finally:
        cluster.shutdown()


def patiently(start: Callable[[], Any]) -> Any:
    """Start a node, again if Ray has lost patience: on a busy machine half a minute is short."""
    for _ in range(3):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return start()


def begun_and_done(folder: Path, slow_node: str, number: int) -> int:
    """A task that leaves a note of where it was begun; on one node it never ends.

    Elsewhere it waits until one was begun there.
    """
    import ray

    node = ray.get_runtime_context().get_node_id()
    (folder / f"{number} {node}").touch()
    while node == slow_node or not any(folder.glob(f"* {slow_node}")):
        time.sleep(0.05)
    return number


class Lost:
    """The answer of a node that is gone."""

    def result(self) -> object:
        raise WorkerLostError("lost")


class LossyActor(InlineActor):
    """An object of this process that can be lost; all it is given and gives back is a copy."""

    is_lost = False

    def call(self, method: str, *given: object) -> Done | Lost:  # type: ignore[override]
        return Lost() if self.is_lost else Done(copied(super().call(method, *copied(given)).value))


class LossyPool(InlinePool):
    """Four nodes in this process; `lose` one and what it has is gone, when so much was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.alive = [Node(name, 1, 0, 2 * 10**9) for name in "abcd"]
        self.actors: list[tuple[Node, LossyActor]] = []

    @property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(self.alive)

    def actor(
        self, node: Node, needs: Needs, make: Callable[..., object], *given: object
    ) -> LossyActor:
        found = LossyActor(make(*copied(given)))
        self.actors.append((node, found))
        return found

    def lose(self, name: str, *, comes_back: bool) -> None:
        """Lose what is on a node, and the node too unless it comes back."""
        for node, actor in self.actors:
            if node.name == name:
                object.__setattr__(actor, "is_lost", True)
        if not comes_back:
            self.alive = [node for node in self.alive if node.name != name]


def copied(value: Copied) -> Copied:
    """As it arrives elsewhere."""
    found: Copied = pickle.loads(pickle.dumps(value))
    return found
