"""Spots under a preflop tree: ranges come by class of hand, values go back by class.

A class of the 169 is in a range as a whole: all its combos have one weight. F spots of one betting
stand on F boards; C classes are those that are dealt at all.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.classes import COMBO_CLASS
from poker_solver.cfr.schedules import Schedule
from poker_solver.kernels.postflop import LEARN
from poker_solver.postflop.engines.batch import SpotBatch
from poker_solver.postflop.engines.engine import Float, SpotEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.store.files import Arrays

F64 = NDArray[np.float64]
Int = NDArray[np.int32]


class ClassEngine(Protocol):
    """F spots that iterate together, one player at a time."""

    @property
    def layouts(self) -> Sequence[Layout]:
        """[F] the spots, laid out with weight 1 for every hand that can be held."""

    @property
    def used_bytes(self) -> int:
        """Memory that is taken."""

    def set_reach(self, player: int, reach: F64) -> None:
        """Give a player [C] the weights of his classes, at every spot."""

    def run_pass(self, player: int, mode: int, weights: Float) -> F64:
        """[F, C] sums over each class of the player's cfv at the root, in chips."""

    def train(self, iterations: int) -> None:
        """Run some more iterations with the ranges as they are, player 0 first."""

    def root_values(self, player: int) -> list[Float]:
        """[H] of each spot: the cfv of the player's hands that the last pass left at the root."""

    def read_sums(self, spot: int) -> Float:
        """[elements] strategy sums of a spot before its rivers, in the order of its layout."""

    def stored(self) -> Arrays:
        """The state of all spots."""

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""


def class_index(layouts: Sequence[Layout], classes: Int) -> tuple[list[Int], list[Int]]:
    """[H] of each spot, which of these classes each hand of OOP and of IP is."""
    index = np.full(len(np.unique(COMBO_CLASS)), -1, np.int32)
    index[classes] = np.arange(len(classes))
    oop, ip = ([index[COMBO_CLASS[layout.combos[p]]] for layout in layouts] for p in (0, 1))
    return oop, ip


class SpotsByClass:
    """A `ClassEngine` of spots with an engine each, one after another."""

    def __init__(self, engines: Sequence[SpotEngine], classes: Int) -> None:
        self._batch = SpotBatch(engines)
        self._class_of, self._num_classes = class_index(self.layouts, classes), len(classes)
        self._cfv: list[list[Float]] = [[], []]

    @property
    def layouts(self) -> Sequence[Layout]:
        """[F] the spots."""
        return self._batch.layouts

    @property
    def schedule(self) -> Schedule:
        """How regrets and averages are weighted."""
        return self._batch.schedule

    @property
    def used_bytes(self) -> int:
        """Of this process."""
        return self._batch.used_bytes

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        for engine, class_of in zip(self._batch.engines, self._class_of[player], strict=True):
            engine.set_reach(player, reach[class_of][None])

    def run_pass(self, player: int, mode: int, weights: Float) -> F64:
        """See `ClassEngine`."""
        cfv = [engine.run_pass(player, mode, weights) for engine in self._batch.engines]
        if mode == LEARN and player == 1:  # both have learnt
            for engine in self._batch.engines:
                engine.iteration += 1
        self._cfv[player] = cfv
        num = self._num_classes
        pairs = zip(self._class_of[player], cfv, strict=True)
        return np.stack([np.bincount(c, own.astype(np.float64), num) for c, own in pairs])

    def train(self, iterations: int) -> None:
        """See `ClassEngine`."""
        self._batch.train(iterations)

    def root_values(self, player: int) -> list[Float]:
        """See `ClassEngine`."""
        return self._cfv[player]

    def read_sums(self, spot: int) -> Float:
        """See `ClassEngine`."""
        engine = self._batch.engines[spot]
        return engine.policy_sum[: engine.layout.shape.num_upper]

    def stored(self) -> Arrays:
        """See `ClassEngine`."""
        return self._batch.stored()

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """See `ClassEngine`."""
        self._batch.restore(arrays, iteration)
