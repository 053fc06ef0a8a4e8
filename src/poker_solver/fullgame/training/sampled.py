"""The trunk over more flops than an iteration has time for: each walks one batch of them.

Every flop keeps its own tables. A batch stands for all flops when it teaches preflop: each of its
flops for as many as there are batches in a cycle, so that over a cycle every flop has counted by
its own weight. What the tables of the others should have faded by is made up for at their next
visit. One batch of all flops is the trunk itself, bit for bit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.batches import FlopBatches
from poker_solver.fullgame.training.estimate import Estimate, Part, estimate
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS
from poker_solver.fullgame.training.row_spots import RowSpots
from poker_solver.fullgame.training.trunk import Preflop, Trunk, Worth
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.regret import Weights
from poker_solver.store.files import Arrays

F64 = NDArray[np.float64]

SAMPLE_CYCLE = 1 << 30
"""Whose batches are the samples that strategies are measured on: no training comes so far."""

MEASURED_FLOPS = 24
"""Of the sample that strategies are measured on along the way."""

MEASURED_TOGETHER = 8
"""Flops that are walked at once to measure a strategy, or a batch if that is less."""


class _Chosen(NamedTuple):
    """Flops of a sample, and how many times its own weight each stands for."""

    spots: list[int]
    times: int


class SampledTrunk(Trunk):
    """A `Trunk` whose iterations each walk one batch of its flops, in permutation cycles.

    Args:
        preflop: the game before the flop.
        flops: the flops that stand for all.
        engines: one of every line of the game, with a spot for every flop.
        schedule: how regrets and averages are weighted, before and after the flop.
        batch_size: flops of an iteration; of their boards those that the engines' tables draw.
        warmup: iterations that averages leave out.
    """

    def __init__(
        self,
        preflop: Preflop,
        flops: FlopSet,
        engines: Sequence[RowSpots],
        schedule: Schedule,
        batch_size: int,
        warmup: int = 0,
    ) -> None:
        self.row_engines = list(engines)
        self.batches, self.batch_size = FlopBatches(flops, batch_size), min(batch_size, len(flops))
        self._estimated: tuple[int, Estimate] | None = None  # at an iteration
        super().__init__(preflop, flops, engines, schedule, warmup)

    def batch(self, iteration: int) -> list[int]:
        """The numbers of the flops that an iteration walks, counted from 1."""
        return sorted(self.batches.chosen(iteration - 1))

    def _learn(self, player: int, weights: Weights) -> F64:
        """[K, C] what the player's classes win at every line, as far as this batch can say."""
        batch, row = self.batch(self.iteration), np.array(weights, np.float32)
        chip = self.batches.per_cycle * self._chip[batch]
        found = np.zeros(self._reach.shape[1:])
        for k, engine in enumerate(self.row_engines):
            comes = bool(self._reach[:, k].any())
            values = engine.run_some(batch if comes else [], player, LEARN, row, self.iteration)
            if comes:
                found[k] = chip @ values
        return found

    def estimate(self, num_flops: int) -> Estimate:
        """Bounds on the exploitability of the averages from so many flops, always the same ones."""
        self._hand_down_average()
        parts = [self._values_on(chosen) for chosen in self._sample(num_flops)]
        self._hand_down_current()
        return estimate(self.before, parts, len(self.flops))

    def estimated(self) -> Estimate:
        """Those of the averages as they are now, from a few flops."""
        if self._estimated is None or self._estimated[0] != self.iteration:
            self._estimated = self.iteration, self.estimate(MEASURED_FLOPS)
        return self._estimated[1]

    def worth(self) -> Worth:
        """What averages, and best responses chosen on the same few flops, are worth there."""
        return self.estimated().worth

    def played_values(self) -> F64:
        """[2, K, C] bb per deal that classes win at every line on those flops."""
        return self.estimated().leaf_values

    def _sample(self, num_flops: int) -> list[_Chosen]:
        """Two batches of another cycle, or all flops if they are no more than asked for."""
        if num_flops >= len(self.flops):
            return [_Chosen(list(range(len(self.flops))), 1)]
        halves = FlopBatches(self.flops, max(1, num_flops // 2))
        first = SAMPLE_CYCLE * halves.per_cycle
        return [_Chosen(sorted(halves.chosen(first + n)), halves.per_cycle) for n in (0, 1)]

    def _values_on(self, chosen: _Chosen) -> Part:
        """What best responses and averages get at every line on some flops."""
        spots, num_lines, num_classes = chosen.spots, *self._reach.shape[1:]
        found = np.zeros((2, 2, num_lines, len(spots), num_classes))
        size = min(self.batch_size, MEASURED_TOGETHER)  # whose tables are kept
        for begin in range(0, len(spots), size):
            some = slice(begin, begin + size)
            for k, engine in enumerate(self.row_engines):
                for player in (0, 1):
                    for m, mode in enumerate((BEST, MEAN)):
                        values = engine.run_some(spots[some], player, mode, NO_WEIGHTS)
                        found[m, player, k, some] = values
        chip = chosen.times * self._chip[spots]
        total = np.array([[[chip @ line for line in of] for of in mode] for mode in found])
        by_flop = np.moveaxis(found * chip[:, None], 3, 0)
        return Part(chosen.times * np.array(self.flops.weights)[spots], by_flop, total)

    def stored(self) -> Arrays:
        """What the trunk keeps, and in batches of how many; the cycle's place is the iteration."""
        return {**super().stored(), "batch size": np.array([self.batch_size])}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        found = arrays.get("batch size", np.zeros(1)).tolist()
        if found != [self.batch_size]:
            raise InputError(f"was trained on {found[0]:g} flops at a time, not {self.batch_size}")
        super().restore({n: a for n, a in arrays.items() if n != "batch size"}, iteration)
        self._estimated = None
