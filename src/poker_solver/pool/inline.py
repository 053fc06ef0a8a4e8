"""Work done in this process, one task after another; see the package docstring."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from poker_solver.pool.contract import Given, Needs, Node, Pool, T
from poker_solver.pool.machine import this_machine


@dataclass(frozen=True)
class Done:
    """An answer that is there."""

    value: Any

    def result(self) -> Any:
        """See `Reply`."""
        return self.value


@dataclass(frozen=True)
class InlineActor:
    """An object of this process."""

    own: object

    def call(self, method: str, *given: object) -> Done:
        """See `Actor`."""
        return Done(getattr(self.own, method)(*given))

    def stop(self) -> None:
        """It goes when nobody has it any more."""


class InlinePool(Pool[int]):
    """The pool that is always there."""

    def __init__(self) -> None:
        self._waiting: dict[int, Callable[[], object]] = {}
        self._number = count()

    @property
    def nodes(self) -> tuple[Node, ...]:
        """This machine."""
        return (this_machine(),)

    def actor(
        self, node: Node, needs: Needs, make: Callable[..., object], *given: object
    ) -> InlineActor:
        """See `Pool`."""
        return InlineActor(make(*given))

    def share(self, value: T) -> T:
        """See `Pool`."""
        return value

    def close(self) -> None:
        """Nothing is held."""

    def _begin(self, work: Callable[..., object], given: Given, needs: Needs) -> int:
        number = next(self._number)
        self._waiting[number] = lambda: work(*given)
        return number

    def _wait(self, begun: Sequence[int], seconds: float) -> Sequence[int]:
        return begun[:1]

    def _result(self, done: int) -> Any:
        return self._waiting.pop(done)()

    def _cancel(self, begun: Sequence[int]) -> None:
        for number in begun:
            self._waiting.pop(number, None)
