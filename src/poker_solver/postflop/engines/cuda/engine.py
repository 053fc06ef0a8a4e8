"""The postflop engine on a GPU: a group of one spot."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.kernels.arrays import F64
from poker_solver.kernels.gadget import NOBODY, Gadget, no_gadget
from poker_solver.kernels.postflop import MEAN
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.passes import UPPER_THREADS
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine, Totals
from poker_solver.postflop.layout.layout import Layout
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
        gadget: Gadget | None = None,
    ) -> None:  # fmt: skip
        """Lay the state out for the device and allocate it.

        With a gadget, one player's range is what it says, not what the layout has; the device has
        its regrets and sums from then on.
        """
        self.schedule, self.machine, self.precision = schedule, machine, precision
        self._blocks = most_rows, threads, upper_threads
        self.gadget = no_gadget() if gadget is None else gadget
        self._allocate(layout)

    def _allocate(self, layout: Layout) -> None:
        machine, precision, (most_rows, threads, upper) = self.machine, self.precision, self._blocks
        spots = group_spots([layout], most_rows, machine.shared_bytes, packed=precision == "int16")
        self.group = CudaGroup(
            spots, self.schedule, machine=machine, threads=threads, upper_threads=upper,
            precision=precision, gadget=self.gadget if self._has_gadget else None,
        )  # fmt: skip
        self.layout, self.planned_bytes = layout, self.group.planned_bytes

    @property
    def _has_gadget(self) -> bool:
        return self.gadget.player != NOBODY

    def set_locks(self, layout: Layout) -> None:
        """Go on with other locks; the state is on the host meanwhile, the device has no other."""
        state, iteration = self.stored(), self.iteration
        if self.group.gadget is not None:
            self.gadget = self.group.gadget.read(self.machine)
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
        """See `SpotEngine`."""
        return super().measure() if self._has_gadget else self.group.measure()

    def enter_average(self) -> None:
        """See `SpotEngine`."""
        if self.group.gadget is not None:
            self.group.enter(self.group.gadget.policy_sum)

    def root_reach(self, player: int) -> F64:
        """See `SpotEngine`."""
        return self.group.root_reach(player)[0].astype(np.float64)

    def read_dealt(self) -> tuple[Float, Float]:
        """[1, D, H] cfv of OOP's and of IP's hands at the D deals of the spot's own street.

        With both averages; not for spots that begin on the river.
        """
        for player in (0, 1):
            self.group.start_pass(player, MEAN, np.zeros(3, np.float32))
        return self.group.read_dealt(0, self.group.spots.first_street)

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
    def street_sums(self) -> Float:
        """See `SpotEngine`; nothing else is read."""
        return self.group.read([0], "policy_sum", last=self.layout.tree.first_street)[0]

    def _put_reach(self, player: int, reach: NDArray[np.floating[Any]]) -> None:
        self.group.layouts = [self.layout]
        self.group.put_reach(player, [reach])

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
