"""Work done by processes of this machine; see the package docstring.

Each has its part of the cores, and a GPU of its own where there are any.
"""

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from poker_solver.errors import PokerSolverError
from poker_solver.pool.contract import MOST_LOST, Given, Needs, Node, Pool, T, WorkerLostError
from poker_solver.pool.machine import this_machine
from poker_solver.runtime.device import num_cuda, num_threads

_own: object = None  # of a process that is an actor


def _take_gpu(number: int) -> None:
    """Let this process see one GPU only, before it looks."""
    os.environ["CUDA_VISIBLE_DEVICES"] = str(number)


def _begin_process(free_gpus: Any) -> None:
    """Leave Ctrl-C to the process that started this one, and take a GPU if there are any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if free_gpus is not None:
        _take_gpu(free_gpus.get())


def _become(number: int | None, make: Callable[..., object], given: Given) -> None:
    global _own
    _begin_process(None)
    if number is not None:
        _take_gpu(number)
    _own = make(*given)


def _call(method: str, given: Given) -> object:
    return getattr(_own, method)(*given)


@dataclass(frozen=True)
class ProcessReply:
    """What a process will say."""

    future: Future[Any]

    def result(self) -> Any:
        """See `Reply`."""
        try:
            return self.future.result()
        except BrokenProcessPool as error:
            raise WorkerLostError("a process of this machine has ended") from error


class ProcessActor:
    """An object in a process of its own."""

    def __init__(self, gpu: int | None, make: Callable[..., object], given: Given) -> None:
        self._process = ProcessPoolExecutor(
            1, get_context("spawn"), initializer=_become, initargs=(gpu, make, given)
        )

    def call(self, method: str, *given: object) -> ProcessReply:
        """See `Actor`."""
        try:
            return ProcessReply(self._process.submit(_call, method, given))
        except BrokenProcessPool as error:
            failed = Future[Any]()
            failed.set_exception(error)
            return ProcessReply(failed)

    def stop(self) -> None:
        """See `Actor`."""
        self._process.shutdown(cancel_futures=True)


@dataclass(frozen=True, eq=False)
class _Task:
    """A task under way, as often as it was begun."""

    work: Callable[..., object]
    given: Given


class ProcessPool(Pool[_Task]):
    """So many processes; one for each GPU, or for each core, if not given."""

    def __init__(self, num_workers: int | None = None) -> None:
        gpus = num_cuda()
        self.num_workers = num_workers or gpus or num_threads(None)
        part = this_machine(self.num_workers)
        self._nodes = tuple(replace(part, name=f"process {n}") for n in range(self.num_workers))
        self._gpus = gpus
        self._executor: ProcessPoolExecutor | None = None
        self._begun: dict[_Task, Future[Any]] = {}
        self._lost = 0

    @property
    def nodes(self) -> tuple[Node, ...]:
        """One for each process."""
        return self._nodes

    def actor(
        self, node: Node, needs: Needs, make: Callable[..., object], *given: object
    ) -> ProcessActor:
        """See `Pool`."""
        number = self._nodes.index(node) % self._gpus if needs.gpus else None
        return ProcessActor(number, make, given)

    def share(self, value: T) -> T:
        """See `Pool`."""
        return value

    def close(self) -> None:
        """See `Pool`."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def _opened(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context, free = get_context("spawn"), None
            if self._gpus:
                free = context.SimpleQueue()
                for number in range(self.num_workers):
                    free.put(number % self._gpus)
            self._executor = ProcessPoolExecutor(
                self.num_workers, context, initializer=_begin_process, initargs=(free,)
            )
        return self._executor

    def _begin(self, work: Callable[..., object], given: Given, needs: Needs) -> _Task:
        task = _Task(work, given)
        self._begun[task] = self._opened().submit(work, *given)
        return task

    def _wait(self, begun: Sequence[_Task], seconds: float) -> Sequence[_Task]:
        wait([self._begun[task] for task in begun], seconds, FIRST_COMPLETED)
        if any(isinstance(self._problem(task), BrokenProcessPool) for task in begun):
            self._begin_again(begun)
            return []
        return [task for task in begun if self._begun[task].done()]

    def _problem(self, task: _Task) -> BaseException | None:
        future = self._begun[task]
        return future.exception() if future.done() else None

    def _begin_again(self, begun: Sequence[_Task]) -> None:
        """One process that ended has taken the others with it: nothing of theirs is lost but time.

        Those that were done stay done.
        """
        self._lost += 1
        if self._lost > MOST_LOST:
            raise PokerSolverError(f"processes of this machine have ended {self._lost} times")
        self.close()
        for task in begun:
            if not self._begun[task].done() or self._problem(task) is not None:
                self._begun[task] = self._opened().submit(task.work, *task.given)

    def _result(self, done: _Task) -> Any:
        return self._begun.pop(done).result()

    def _cancel(self, begun: Sequence[_Task]) -> None:
        for task in begun:
            self._begun.pop(task).cancel()
