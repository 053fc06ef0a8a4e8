"""The postflop engine on a GPU: a group of one spot, with the interface of `PostflopEngine`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.games.betting import RIVER
from poker_solver.postflop.engines.cuda.group import UPPER_THREADS, CudaGroup
from poker_solver.postflop.engines.cuda.tables import MOST_ROWS, group_spots
from poker_solver.postflop.engines.device_engine import DeviceEngine
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.runtime.cuda import Machine

Float = NDArray[np.float32]


class CudaEngine(DeviceEngine):
    """Regrets and sums of one spot on a GPU.

    Args:
        layout: the spot.
        schedule: how regrets and sums fade.
        machine: where to run.
        most_rows: see `MOST_ROWS`.
        threads: of a block on the river; see `CudaGroup`.
        upper_threads: of a block above it, at most.
        precision: of regrets, `float32` or `int16`.
    """

    def __init__(
        self, layout: Layout, schedule: Schedule = POSTFLOP, *, machine: Machine,
        most_rows: int = MOST_ROWS, threads: int | None = None,
        upper_threads: int = UPPER_THREADS, precision: str = "float32",
    ) -> None:  # fmt: skip
        """Lay the state out for the device and allocate it."""
        self.layout, self.schedule, self.machine = layout, schedule, machine
        self.precision = precision
        group = group_spots([layout], most_rows, machine.shared_bytes, packed=precision == "int16")
        self.group = CudaGroup(
            group, schedule, machine=machine, threads=threads, upper_threads=upper_threads,
            precision=precision,
        )  # fmt: skip
        self.planned_bytes = self.group.planned_bytes

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
        return self.machine.used_bytes

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        self.group.train(iterations)
        self.machine.wait()

    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""
        return self.group.run_pass(player, mode, weights)[0]

    def value_chips(self, player: int) -> float:
        """Expected share of the pot with both average strategies."""
        return float(self.group.value_chips()[player, 0])

    def exploitability_chips(self) -> float:
        """Mean gain of the two best responses over the average strategies."""
        return float(self.group.exploitability_chips()[0])

    def best_response(self, player: int) -> tuple[Float, Float]:
        """What `PostflopEngine.best_response` gives."""
        cfv, played = self.group.best_response(player)
        return cfv[0], self.group.order.read([0], {player: played})[0]

    @property
    def equity(self) -> tuple[float, float]:
        """Shares of the pot if all hands of the spot's ranges were shown; found with the tables."""
        return self.group.hands.equity[0]

    @property
    def first_sums(self) -> Float:
        """[A, H] strategy sums of the first decision; rivers below it are not read for it."""
        is_river = self.layout.tree.first_street == RIVER
        sums = self.group.read([0], "policy_sum", rivers=is_river)[0]
        first: Float = state_rows(self.layout, sums, 0, 0, 1)[0]
        return first

    def _put_reach(self, player: int) -> None:
        self.group.set_range(player, self.layout)

    @property
    def scale(self) -> Float:
        """[scales] of regrets of 16 bits; a copy on the host."""
        return self.group.read_scale(0)

    def resume(self, regret: NDArray[Any], scale: Float, policy_sum: Float, iteration: int) -> None:
        """See `PostflopEngine.resume`."""
        self.group.write_scale(0, scale)
        self.warm_start(regret, policy_sum, iteration)

    def _read(self, name: str) -> NDArray[Any]:
        found = self.group.read([0], name)[0]
        return found.astype(self.precision) if name == "regret" else found

    def _write(self, name: str, values: Float) -> None:
        self.group.write(0, name, values)

    def _restore_locks(self) -> None:
        self.group.restore_locks()
