"""Several spots with an engine each, as one `BatchEngine`: a loop, for the CPU and for PyTorch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.errors import InputError
from poker_solver.postflop.engines.engine import (
    Float,
    SpotEngine,
    Totals,
    filled_rows,
    next_check,
    rows_of,
    state_sizes,
)
from poker_solver.postflop.layout.layout import Layout
from poker_solver.store.files import Arrays


class SpotBatch:
    """F spots that iterate one after another; they share nothing but the iteration."""

    def __init__(self, engines: Sequence[SpotEngine]) -> None:
        if len({(each.schedule, each.precision, each.iteration) for each in engines}) != 1:
            raise InputError("engines of a batch must agree in schedule, precision and iteration")
        self.engines, self.schedule = tuple(engines), engines[0].schedule

    @property
    def layouts(self) -> Sequence[Layout]:
        """[F] the spots."""
        return [engine.layout for engine in self.engines]

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.engines[0].iteration

    @property
    def used_bytes(self) -> int:
        """Of this process or device, which all engines share."""
        return max(engine.used_bytes for engine in self.engines)

    @property
    def first_step(self) -> int:
        """Iterations that need no look at the clock before."""
        return max(1, min(engine.first_step for engine in self.engines) // len(self.engines))

    next_check = staticmethod(next_check)

    def train(self, iterations: int) -> None:
        """Run some more iterations of every spot."""
        for engine in self.engines:
            engine.train(iterations)

    def step(self) -> tuple[Float, Float]:
        """One iteration; see `BatchEngine`."""
        steps = [engine.step() for engine in self.engines]
        return rows_of([oop[0] for oop, _ in steps]), rows_of([ip[0] for _, ip in steps])

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """See `BatchEngine`."""
        rows = filled_rows(self.layouts, player, weights)
        for engine, row in zip(self.engines, rows, strict=True):
            engine.set_reach(player, row[None])

    def measure(self) -> Totals:
        """[F] exploitability."""
        return np.concatenate([engine.measure() for engine in self.engines])

    def values(self) -> Totals:
        """[2, F] expected share of the pot with both average strategies."""
        return np.concatenate([engine.values() for engine in self.engines], axis=1)

    def stored(self) -> Arrays:
        """Regrets and sums, spot after spot."""
        states = [engine.stored() for engine in self.engines]
        return {name: np.concatenate([state[name] for state in states]) for name in states[0]}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""
        sizes = state_sizes(self.layouts, self.engines[0].precision)
        check_arrays(arrays, {name: (sum(counts),) for name, counts in sizes.items()})
        parts = {name: np.split(arrays[name], np.cumsum(sizes[name])[:-1]) for name in sizes}
        for spot, engine in enumerate(self.engines):
            engine.restore({name: parts[name][spot] for name in parts}, iteration)
