"""What the two engines of a generic game have in common."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.runtime.memory import resident_bytes, used_bytes
from poker_solver.store.files import Arrays
from poker_solver.trees.compiled import CompiledGame, Float


class GameEngine(ABC):
    """An `Engine` of one game, told by its average strategy; the game pays in its own unit."""

    schedule: Schedule
    iteration: int
    first_step = 1

    @property
    @abstractmethod
    def compiled(self) -> CompiledGame:
        """The game whose order arrays have."""

    @property
    @abstractmethod
    def average_policy(self) -> Float:
        """[Q] the average strategy: what converges."""

    @abstractmethod
    def train(self, iterations: int) -> None:
        """Run some more iterations."""

    @abstractmethod
    def exploitability(self) -> float:
        """Mean of both best responses to the average strategy."""

    @abstractmethod
    def value(self) -> float:
        """What player 0 wins when both play the average strategy."""

    @abstractmethod
    def stored(self) -> Arrays:
        """The arrays a checkpoint needs, in the order of the compiled game."""

    @abstractmethod
    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""

    def next_check(self, iteration: int) -> int:
        """When to measure next: every iteration at first, then 5 % further."""
        return iteration + max(1, iteration // 20)

    def measure(self) -> NDArray[np.float64]:
        """[1] `exploitability`."""
        return np.array([self.exploitability()])

    def values(self) -> NDArray[np.float64]:
        """[2, 1] `value` of both players."""
        value = self.value()
        return np.array([[value], [-value]])

    @property
    def used_bytes(self) -> int:
        """Memory of this process, or of the device the game is compiled for."""
        device = self.compiled.device
        return (None if device == "cpu" else used_bytes(device)) or resident_bytes()
