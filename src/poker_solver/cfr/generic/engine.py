"""What the two engines of a generic game have in common."""

from abc import ABC, abstractmethod

import numpy as np

from poker_solver.cfr.generic.best_response import compute_exploitability, game_value
from poker_solver.cfr.schedules import Schedule
from poker_solver.runtime.memory import resident_bytes, used_bytes
from poker_solver.trees.compiled import CompiledGame, Float


class GameEngine(ABC):
    """What makes an `Engine` of an average strategy; the game pays in its own unit."""

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

    def exploitability(self) -> float:
        """Mean of both best responses to the average strategy."""
        return compute_exploitability(self.compiled, self.average_policy)

    def value(self) -> float:
        """What player 0 wins when both play the average strategy."""
        return game_value(self.compiled, self.average_policy)

    def next_check(self, iteration: int) -> int:
        """When to measure next: every iteration at first, then 5 % further."""
        return iteration + max(1, iteration // 20)

    def measure(self) -> Float:
        """[1] `exploitability`."""
        return np.array([self.exploitability()])

    def values(self) -> Float:
        """[2, 1] `value` of both players."""
        value = self.value()
        return np.array([[value], [-value]])

    @property
    def used_bytes(self) -> int:
        """Memory of this process, or of the device the game is compiled for."""
        device = self.compiled.device
        return (None if device == "cpu" else used_bytes(device)) or resident_bytes()
