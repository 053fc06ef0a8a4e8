"""Spots of one betting on many flops whose strategies are kept by row, on a GPU."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.cuda.row_boards import RowHandsOnGpu
from poker_solver.fullgame.training.cuda.row_passes import (
    Given,
    RowPasses,
    RowState,
    Scratch,
    Visit,
)
from poker_solver.fullgame.training.row_spots import TOGETHER, Asked, RowsKept, RowSpots
from poker_solver.kernels.arrays import F32, F64, I16, I32, I64
from poker_solver.kernels.postflop.cuda.structs import NOBODY
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.layout.layout import Layout
from poker_solver.store.files import Arrays

COPIED = 1 << 28
"""Numbers of the state that are copied at a time."""


class CudaRowEngine(RowSpots):
    """`RowSpots` whose state stays on a GPU; ranges by class go there, values come back.

    Args:
        layouts: the spots.
        hands: their hands and rows, which all lines share.
        classes: of hands that ranges are given for.
        schedule: how regrets and averages are weighted.
        scratch: numbers of a pass, which all lines share.
        kept: what is kept of every row.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        hands: RowHandsOnGpu,
        classes: I32,
        schedule: Schedule = POSTFLOP,
        *,
        scratch: Scratch,
        kept: RowsKept,
    ) -> None:
        if kept.sharing is not None and any(kept.sharing.streets):
            raise InputError("rows that all boards share are trained on cpu")
        super().__init__(layouts, hands.num_rows, classes, schedule, kept)
        machine, last = hands.machine, self._spots[-1]
        self.machine, self.hands = machine, hands
        num_scales = last.scale.stop if self.precision == "int16" else 0
        self.state = RowState(
            machine.zeros(last.regret.stop, self.precision),
            machine.zeros(last.policy_sum.stop),
            machine.zeros(num_scales),
            self.precision,
            self.river_average,
        )
        self._sizes = {
            "regret": last.regret.stop,
            "policy_sum": last.policy_sum.stop,
            "scale": num_scales,
        }
        most = max(int(of[-1].max()) for of in hands.num_rows)
        self._passes = RowPasses(layouts[0], self.shape, hands, self.state, scratch, most)
        self._bases = self._find_bases()
        num_streets = len(self._bases[0])
        self._base = machine.zeros(TOGETHER * num_streets * 3, np.int64)
        self._weights = machine.zeros(3 * TOGETHER)
        self._reach = machine.zeros(hands.players[0].pad), machine.zeros(hands.players[1].pad)
        self._class_at = [self._classes(classes, player) for player in (0, 1)]
        for player in (0, 1):
            self._put_reach(player)

    def _find_bases(self) -> I64:
        """[F, streets, 3] where the regrets, sums and scales of every spot's streets begin."""
        found = np.zeros((len(self._spots), len(self.shape.num_actions), 3), np.int64)
        for own, place in zip(found, self._spots, strict=True):
            for street, at in enumerate(place.rows):
                first = int(at.start[0]) if len(at.start) else 0
                own[street] = (
                    place.regret.start + first, place.policy_sum.start + first,
                    place.scale.start + int(at.scale_start),
                )  # fmt: skip
        return found

    def _classes(self, classes: I32, player: int) -> I32:
        """[pad] the class of every hand of a player; -1 for nobody."""
        found = np.full(self.hands.players[player].pad, -1, np.int32)
        for layout, own in zip(self.layouts, self._class_of[player], strict=True):
            found[self.hands.index[player][layout.combos[player]]] = own
        return found

    def _put_reach(self, player: int) -> None:
        at = self._class_at[player]
        row = np.where(at < 0, 0.0, self.class_reach[player][at]).astype(np.float32)
        self.machine.fill(self._reach[player], row)

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        super().set_reach(player, reach)
        self._put_reach(player)

    @property
    def used_bytes(self) -> int:
        """The most that was allocated on the device since it began to count."""
        return self.machine.used_bytes

    @property
    def state_bytes(self) -> int:
        """Of what is learned."""
        arrays = self.state.regret, self.state.policy_sum, self.state.scale
        return self._owed.nbytes + sum(array.num_bytes for array in arrays)

    def _walk(self, asked: Sequence[Asked]) -> list[F32]:
        spots = tuple(one.spot for one in asked)
        chunk, player = self.hands.chunk(spots), asked[0].player
        bases = self._bases[list(spots)].transpose(1, 2, 0)  # [streets, 3, S]
        self.machine.fill(self._base, np.ascontiguousarray(bases))
        self.machine.fill(self._weights, np.stack([one.weights for one in asked]))
        first, size = self._base.pointer, 8 * len(spots)
        pointers = [first + size * k for k in range(3 * len(bases))]
        by_street = [
            (pointers[3 * k], pointers[3 * k + 1], pointers[3 * k + 2]) for k in range(len(bases))
        ]
        given = Given(self._reach, self._weights, by_street)
        out = self._passes.run(Visit(chunk, player, asked[0].mode), given)
        pad = self.hands.players[player].pad
        found = self.machine.get(out, 0, len(spots) * pad).reshape(-1, pad)
        return [row[held[player]] for row, held in zip(found, chunk.held, strict=True)]

    def _begin_shared(self) -> None:
        pass  # no street is

    def _learn_shared(self, player: int, weights: F32) -> None:
        pass

    def _part(self, name: str, part: slice) -> NDArray[Any]:
        array = self.state.regret if name == "regret" else self.state.policy_sum
        if part.stop == part.start:
            return np.zeros(0, array.dtype)
        return self.machine.get(array, part.start, part.stop - part.start)

    def _hand_rows(self, spot: int, street: int, player: int) -> tuple[I16, F32]:
        part, layout = self.hands.part(spot), self.layouts[spot]
        own = part.upper[street].row[player][:, part.held[player]]
        row = np.zeros((len(own), layout.width[player]), np.int16)
        is_live = np.zeros(row.shape, np.float32)
        row[:, : own.shape[1]] = np.where(own == NOBODY, 0, own)
        is_live[:, : own.shape[1]] = own != NOBODY
        return row, is_live

    def stored(self) -> Arrays:
        """Regrets, sums and what is owed, spot after spot, copied from the device."""
        found: Arrays = {}
        for name in self._kinds():
            if name == "owed":
                found[name] = self._owed
            else:
                found[name] = self.machine.get(
                    getattr(self.state, name), 0, self._sizes[name]
                ).copy()
        return found

    def _kinds(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        sizes, wide = self._sizes, np.dtype(np.float32)
        found = {
            "regret": ((sizes["regret"],), np.dtype(self.precision)),
            "scale": ((sizes["scale"],), wide),
            "policy_sum": ((sizes["policy_sum"],), wide),
            "owed": (self._owed.shape, self._owed.dtype),
        }
        return {n: kind for n, kind in found.items() if self.precision == "int16" or n != "scale"}

    def _write(self, name: str, values: NDArray[Any]) -> None:
        if name == "owed":
            self._owed[:] = values
        else:
            self.machine.fill(getattr(self.state, name), values)
