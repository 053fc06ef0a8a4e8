"""What engines have in common whose state is not in the host's memory."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import InputError
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.engines.engine import Measured, with_reach

Float = NDArray[np.float32]


class DeviceEngine(Measured):
    """The interface of `PostflopEngine` around state that is copied when it is asked for."""

    planned_bytes: int

    @property
    @abstractmethod
    def used_bytes(self) -> int:
        """The most that was allocated on the device."""

    @abstractmethod
    def best_response(self, player: int) -> tuple[Float, Float]:
        """What `PostflopEngine.best_response` gives."""

    @abstractmethod
    def _read(self, name: str) -> NDArray[Any]:
        """[elements] `regret` or `policy_sum` in the order of `PostflopEngine`; a copy."""

    @abstractmethod
    def _write(self, name: str, values: Float) -> None:
        """The way back."""

    @abstractmethod
    def _put_reach(self, player: int) -> None:
        """Copy a player's range from the layout to the device."""

    @abstractmethod
    def _restore_locks(self) -> None:
        """Set the state of all locked hands to their probabilities."""

    def prepare(self) -> None:
        """Run a pass that changes nothing: what is not compiled yet will be."""
        self.run_pass(0, MEAN, np.zeros(3, np.float32))

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """Give a player another range over the same hands; see `PostflopEngine.set_reach`."""
        self.layout = with_reach(self.layout, player, weights)
        self._put_reach(player)

    def warm_start(self, regret: NDArray[Any], policy_sum: Float, iteration: int) -> None:
        """Go on from this state, in the order of `PostflopEngine`, after so many iterations."""
        for name, given in (("regret", regret), ("policy_sum", policy_sum)):
            if given.shape != (self.layout.num_elements,):
                want = (self.layout.num_elements,)
                raise InputError(f"{name} has shape {given.shape}, wants {want}")
            self._write(name, np.ascontiguousarray(given, np.float32))
        self.iteration = iteration
        self._restore_locks()

    @property
    def regret(self) -> NDArray[Any]:
        """[elements] a copy on the host, in the order of `PostflopEngine`."""
        return self._read("regret")

    @property
    def policy_sum(self) -> Float:
        """[elements] likewise."""
        return self._read("policy_sum")
