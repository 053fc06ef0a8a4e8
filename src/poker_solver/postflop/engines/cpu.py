"""The postflop engine of the CPU: the state of a solve, and passes over it on some threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.kernels.arrays import F32, F64
from poker_solver.kernels.crew import gate_of
from poker_solver.kernels.gadget import NOBODY, Gadget, no_gadget
from poker_solver.kernels.gadget.on_numba import enter
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.cpu import State, passes
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine
from poker_solver.postflop.engines.scratch import aligned
from poker_solver.postflop.engines.walks import TURN_UNITS, PlacedWalks, SpotWalks
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.memory import resident_bytes

_ELEMENTS_OF_A_THREAD = 40_000
"""What an iteration must have for each thread, so that handing units out does not show."""

NO_WEIGHTS = np.zeros(3, np.float32)

_LOCK_UNIT_16 = 16384


class PostflopEngine(SpotEngine):
    """Regrets and sums of one spot."""

    def __init__(
        self,
        layout: Layout,
        schedule: Schedule = POSTFLOP,
        *,
        threads: int = 1,
        precision: str = "float32",
        gadget: Gadget | None = None,
    ) -> None:
        """Allocate the state and each thread's scratch; `precision` is that of regrets.

        With a gadget, one player's range is what it says, not what the layout has.
        """
        self.layout, self.schedule, self.iteration = layout, schedule, 0
        self.threads, self.precision = threads, precision
        is_packed = precision == "int16"
        self._arrays: dict[str, NDArray[Any]] = {
            "regret": aligned(layout.num_elements, dtype=np.dtype(precision)),
            "scale": np.zeros(layout.shape.offsets.num_scales if is_packed else 0, np.float32),
            "policy_sum": aligned(layout.num_elements),
        }
        self.planned_bytes = resident_bytes()  # zeros take no memory before they are written
        # Of the spot's own ranges, whatever `set_reach` brings.
        self._by_hand = True if layout.game.would_cancel else None
        self._lock_unit = np.float32(_LOCK_UNIT_16 if is_packed else 1)
        self._reach = [aligned(1, width) for width in layout.width]
        for player in (0, 1):
            self._put_reach(player, layout.reach[player])
        self.gadget = no_gadget() if gadget is None else gadget
        if gadget is not None:
            enter(gadget, gadget.regret, self._reach[gadget.player][0])
        self._lay_out_walks()
        self._restore_locks()

    def _lay_out_walks(self) -> None:
        self._walks = SpotWalks(
            self.layout, self.threads, self._reach, self.gadget, self._lock_unit
        )
        # Only learning touches regrets: looking needs no code of its own for int16.
        sums = self.policy_sum
        learning, looking = (
            self._walks.place(self._by_hand, State(stored, stored, self.scale, sums))
            for stored in (self.regret, sums)
        )
        self._placed = {LEARN: learning, MEAN: looking, BEST: looking}

    @property
    def used_bytes(self) -> int:
        """What this process occupies."""
        return resident_bytes()

    def prepare(self) -> None:
        """Have everything compiled that an iteration or a measurement will call."""
        for mode in (LEARN, MEAN):  # whose states may have different types
            self._run(self._placed[mode], mode, 0, 0, np.zeros((0, 3), np.float32))

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        table = self.schedule.table(self.iteration + 1, iterations).astype(np.float32)
        self._run(self._placed[LEARN], LEARN, 0, 2, table)
        self.iteration += iterations

    def _run(self, placed: PlacedWalks, mode: int, first: int, last: int, table: F32) -> None:
        placed.mode[0] = mode
        with gate_of(min(self.threads, self._walks.num_units)) as gate:
            passes.run(placed.walks, placed.codes, first, last, table, gate)

    def _put_reach(self, player: int, reach: NDArray[np.floating[Any]]) -> None:
        self._reach[player][0, : len(reach)] = reach

    def _read(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def _write(self, name: str, values: NDArray[Any]) -> None:
        self._arrays[name][:] = values

    def run_pass(self, player: int, mode: int, weights: F32) -> F32:
        """[H] cfv of the player's hands at the root."""
        return self._walk(player, mode, weights, self._placed[mode])

    def _walk(self, player: int, mode: int, weights: F32, placed: PlacedWalks) -> F32:
        self._run(placed, mode, player, player + 1, weights[None])
        found: F32 = self._walks.cfv[player][0, : len(self.layout.combos[player])].copy()
        return found

    def enter_average(self) -> None:
        """See `SpotEngine`."""
        gadget = self.gadget
        if gadget.player != NOBODY:
            enter(gadget, gadget.policy_sum, self._reach[gadget.player][0])

    def root_reach(self, player: int) -> F64:
        """See `SpotEngine`."""
        num_hands = len(self.layout.combos[player])
        return self._reach[player][0, :num_hands].astype(np.float64)

    def first_street_values(self, player: int) -> F32:
        """[S, H] cfv of a player's hands at the S nodes of the spot's own street, both averages.

        In the order of the shape's nodes; not for spots that begin on the river.
        """
        self.run_pass(player, MEAN, NO_WEIGHTS)
        found: F32 = self._walks.first_rows.cfv[:, : len(self.layout.combos[player])].copy()
        return found

    def best_response(self, player: int) -> tuple[F32, F32]:
        """See `SpotEngine`."""
        played: F32 = aligned(self.layout.num_elements)
        state = State(self.policy_sum, played, self.scale, self.policy_sum)
        placed = self._walks.place(self._by_hand, state)
        cfv = self._walk(player, RECORD, NO_WEIGHTS, placed)
        self.lay_locks(player, played)
        return cfv, played

    def lay_locks(self, player: int, policy: F32) -> None:
        """Set what the player's locked hands have in [elements] to their probabilities."""
        self._restore(player, policy, np.float32(1), policy)

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore(player, self.regret, self._lock_unit, self.policy_sum)

    def _restore(
        self, player: int, regret: NDArray[Any], unit: np.float32, policy_sum: F32
    ) -> None:
        width = self.layout.width[player]
        for part in self._walks.parts:
            if len(part.records[0].locks.table):
                restore(part, player, width, regret, unit, policy_sum)

    def set_locks(self, layout: Layout) -> None:
        """See `SpotEngine`."""
        self.layout = layout
        self._lay_out_walks()
        super().set_locks(layout)


def useful_threads(layout: Layout) -> int:
    """With how many threads a pass is fastest: a river is one unit, a turn has sixteen."""
    if not layout.streets:
        return 1
    units = TURN_UNITS if len(layout.streets) == 1 else layout.num_elements
    return max(1, min(units, layout.num_elements // _ELEMENTS_OF_A_THREAD))
