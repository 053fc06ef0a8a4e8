"""The postflop engine on a GPU: a group of one spot."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.passes import UPPER_THREADS
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine, Totals
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.runtime.cuda import Gpu

Float = NDArray[np.float32]


class CudaEngine(SpotEngine):
    """Regrets and sums of one spot on a GPU; see `CudaGroup` for the arguments, and `MOST_ROWS`."""

    has_first_sums = True

    group: CudaGroup

    def __init__(
        self, layout: Layout, schedule: Schedule = POSTFLOP, *, machine: Gpu,
        most_rows: int = MOST_ROWS, threads: int | None = None,
        upper_threads: int = UPPER_THREADS, precision: str = "float32",
    ) -> None:  # fmt: skip
        """Lay the state out for the device and allocate it."""
        self.schedule, self.machine, self.precision = schedule, machine, precision
        self._blocks = most_rows, threads, upper_threads
        self._allocate(layout)

    def _allocate(self, layout: Layout) -> None:
        machine, precision, (most_rows, threads, upper) = self.machine, self.precision, self._blocks
        spots = group_spots([layout], most_rows, machine.shared_bytes, packed=precision == "int16")
        self.group = CudaGroup(
            spots, self.schedule, machine=machine, threads=threads, upper_threads=upper,
            precision=precision,
        )  # fmt: skip
        self.layout, self.planned_bytes = layout, self.group.planned_bytes

    def set_locks(self, layout: Layout) -> None:
        """Go on with other locks; the state is on the host meanwhile, the device has no other."""
        state, iteration = self.stored(), self.iteration
        del self.group
        self._allocate(layout)
        self.restore(state, iteration)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.group.iteration

    @iteration.setter
    def iteration(self, count: int) -> None:
        self.group.start_at(count)

    @property
    def used_bytes(self) -> int:
        """The most that was allocated on the device since it began to count."""
        return self.group.used_bytes

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        self.group.train(iterations)
        self.machine.wait()

    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""
        return self.group.run_pass(player, mode, weights)[0]

    def measure(self) -> Totals:
        """[1] mean gain of the two best responses over the average strategies."""
        return self.group.measure()

    def values(self) -> Totals:
        """[2, 1] expected share of the pot with both average strategies."""
        return self.group.values()

    def best_response(self, player: int) -> tuple[Float, Float]:
        """See `SpotEngine`."""
        cfv, played = self.group.best_response(player)
        return cfv[0], self.group.order.read([0], {player: played})[0]

    @property
    def equity(self) -> tuple[float, float]:
        """Shares of the pot if all hands of the spot's ranges were shown; found with the tables."""
        return self.group.tables.hands.equity[0]

    @property
    def first_sums(self) -> Float:
        """[A, H] strategy sums of the first decision; rivers below it are not read for it."""
        is_river = self.layout.tree.first_street == RIVER
        sums = self.group.read([0], "policy_sum", rivers=is_river)[0]
        first: Float = state_rows(self.layout, sums, 0, 0, 1)[0]
        return first

    def _put_reach(self, player: int) -> None:
        self.group.set_ranges(player, [self.layout])

    def _read(self, name: str) -> NDArray[Any]:
        if name == "scale":
            return self.group.read_scale(0)
        read = self.group.read([0], name)[0]
        return read.astype(self.precision) if name == "regret" else read

    def _write(self, name: str, values: NDArray[Any]) -> None:
        if name == "scale":
            self.group.write_scale(0, values)
        else:
            self.group.write(0, name, values.astype(np.float32))

    def _restore_locks(self) -> None:
        self.group.restore_locks()
