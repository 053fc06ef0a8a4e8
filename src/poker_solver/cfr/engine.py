"""What any solve needs of an engine; it says nothing of how games are iterated."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.store.files import Arrays


class Engine(Protocol):
    """F games of one shape that iterate together; what is measured has the axis F.

    One game is F = 1. Amounts are in the games' own unit: chips, bb, whatever they pay in.
    """

    @property
    def iteration(self) -> int:
        """Iterations done."""

    @property
    def schedule(self) -> Schedule:
        """How regrets and averages are weighted."""

    @property
    def used_bytes(self) -> int:
        """Memory that is taken now: of this process, or on the device that holds the state."""

    @property
    def first_step(self) -> int:
        """Iterations to try before looking at the clock: what a millisecond or two has room for."""

    def next_check(self, iteration: int) -> int:
        """When to measure next, after a check at this iteration; rare where measuring is dear."""

    def train(self, iterations: int) -> None:
        """Run some more iterations, and do nothing else."""

    def measure(self) -> NDArray[np.float64]:
        """[F] exploitability: the mean gain of best responses to the average strategies."""

    def values(self) -> NDArray[np.float64]:
        """[2, F] what each player gets when both play their average strategies."""

    def stored(self) -> Arrays:
        """The arrays a checkpoint needs; they may share the engine's memory."""

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after so many iterations; others are an InputError."""


def check_arrays(
    arrays: Arrays, shapes: Mapping[str, tuple[int, ...]], *, finite: bool = True
) -> None:
    """Refuse arrays that an engine cannot go on from, by name; where NaN says something, not it."""
    for name in sorted(shapes.keys() | arrays.keys()):
        found = arrays[name].shape if name in arrays else None
        if found != shapes.get(name):
            raise InputError(f"array {name} has shape {found}, wants {shapes.get(name)}")
        if finite and arrays[name].dtype.kind == "f" and not np.isfinite(arrays[name]).all():
            raise InputError(f"array {name} holds a number that is not finite")
