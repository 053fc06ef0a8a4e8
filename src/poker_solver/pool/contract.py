"""What a pool of workers promises, and the loop that all of them share; see the package."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from poker_solver.errors import MemoryPlanError, PokerSolverError
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.runtime.memory import gib

T = TypeVar("T")
Handle = TypeVar("Handle")
Given = Sequence[object]

LOOK_SECONDS = 0.2
"""How long to wait for workers between two looks at Ctrl-C."""

WAITING = 2
"""Tasks that wait for a worker, for each that can run: nobody waits for the next one."""

PROCESS_BYTES = 400_000_000
"""Of a worker with all that it has loaded, before it allocates anything."""

MOST_LOST = 3
"""How often a task is begun again whose worker was lost: it may be what ends them."""


class WorkerLostError(PokerSolverError):
    """A worker, or the machine it was on, is gone; what it had is to be made up for elsewhere."""


@dataclass(frozen=True)
class Needs:
    """What one task or one actor takes of a node."""

    cores: int = 1
    gpus: int = 0
    num_bytes: int = 0  # of the node's memory


@dataclass(frozen=True)
class Node:
    """A machine, or a part of one, that workers run on."""

    name: str
    cores: int
    gpus: int
    num_bytes: int  # for workers
    gpu_bytes: int = 0  # free on each of its GPUs

    def num_fitting(self, needs: Needs) -> int:
        """How many of these run here side by side."""
        each = [self.cores // max(needs.cores, 1), self.num_bytes // max(needs.num_bytes, 1)]
        if needs.gpus:
            each.append(self.gpus // needs.gpus)
        return min(each)


class Reply(Protocol):
    """What a call of an actor will come to."""

    def result(self) -> Any:
        """Wait for it; raises what the call raised, or `WorkerLostError`."""


class Actor(Protocol):
    """An object that lives in a worker; calls are done one after another."""

    def call(self, method: str, *given: object) -> Reply:
        """Begin a call."""

    def stop(self) -> None:
        """End the worker, and all it has."""


class Pool(ABC, Generic[Handle]):
    """Workers on nodes. `Handle` is what a backend calls a task that has begun."""

    @property
    @abstractmethod
    def nodes(self) -> tuple[Node, ...]:
        """Those that are there now."""

    @abstractmethod
    def actor(self, node: Node, needs: Needs, make: Callable[..., object], *given: object) -> Actor:
        """Make an object on a node."""

    @abstractmethod
    def share(self, value: T) -> T:
        """Stands for a large value where it is an argument of its own of many tasks."""

    @abstractmethod
    def close(self) -> None:
        """Give the workers back."""

    @abstractmethod
    def _begin(self, work: Callable[..., object], given: Given, needs: Needs) -> Handle: ...

    @abstractmethod
    def _wait(self, begun: Sequence[Handle], seconds: float) -> Sequence[Handle]:
        """Those that are done, none if the time is up before."""

    @abstractmethod
    def _result(self, done: Handle) -> Any:
        """What a task came to; raises what it raised."""

    @abstractmethod
    def _cancel(self, begun: Sequence[Handle]) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def __enter__(self) -> Self:
        """The pool, to be closed."""
        return self

    def num_fitting(self, needs: Needs) -> int:
        """How many of these run side by side on all nodes."""
        return sum(node.num_fitting(needs) for node in self.nodes)

    def cores_each(self, num_bytes: int, num_tasks: int) -> int:
        """Cores for each of some tasks: those that memory or too few of them would leave idle."""
        nodes = [node for node in self.nodes if node.cores and node.num_bytes >= num_bytes]
        if not nodes:
            return 1
        side_by_side = sum(min(node.cores, node.num_bytes // num_bytes) for node in nodes)
        each = sum(node.cores for node in nodes) // max(1, min(side_by_side, num_tasks))
        return max(1, min(each, *(node.cores for node in nodes)))

    def check(self, what: str, needs: Needs) -> None:
        """Refuse what no node has room for."""
        nodes = self.nodes
        if any(node.num_fitting(needs) for node in nodes):
            return
        most = max((node.num_bytes for node in nodes), default=0)
        if needs.gpus and not any(node.gpus for node in nodes):
            raise MemoryPlanError(f"{what} is to be solved on a GPU, and no node has one")
        raise MemoryPlanError(
            f"{what} needs {gib(needs.num_bytes)} and {needs.cores} cores; the largest of "
            f"{len(nodes)} nodes has {gib(most)} for workers and "
            f"{max((node.cores for node in nodes), default=0)} cores: give fewer sizes, narrower "
            "ranges, or larger nodes"
        )

    def run(
        self,
        work: Callable[..., T],
        given: Sequence[Given],
        needs: Needs,
        *,
        in_order: bool = False,
        stop: Interrupt | None = None,
    ) -> Iterator[tuple[int, T]]:
        """Do the same work with each of the arguments; its number, and what it came to.

        They come as they are done, or `in_order`. What one raises ends all. After `stop`, those
        under way are given up. Not many more are begun than can run.
        """
        most = max(1, WAITING * self.num_fitting(needs))
        begun, done, first, last = dict[Handle, int](), dict[int, T](), 0, 0
        try:
            while first < len(given) and not (stop is not None and stop.requested):
                while last < len(given) and len(begun) + len(done) < most:
                    begun[self._begin(work, given[last], needs)] = last
                    last += 1
                with nullcontext() if stop is None else ctrl_c_requests(stop):
                    ready = self._wait(list(begun), LOOK_SECONDS)
                for handle in ready:
                    number = begun.pop(handle)
                    done[number] = self._result(handle)
                while done and (first in done or not in_order):
                    number = first if in_order else min(done)
                    yield number, done.pop(number)
                    first += 1
        finally:
            self._cancel(list(begun))
