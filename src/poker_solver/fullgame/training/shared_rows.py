"""Streets whose boards all share rows: one table for every board of every flop of an engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import InputError
from poker_solver.fullgame.training.row_tables import RowShape
from poker_solver.kernels.arrays import F32, I32
from poker_solver.kernels.postflop import River, Street
from poker_solver.kernels.row_cfr import BoardRows, RowState, RowSums, RowTold, RowWork
from poker_solver.kernels.row_cfr.learning import RowDecision, learn_shared
from poker_solver.postflop.engines.scratch import aligned
from poker_solver.postflop.layout.offsets import padded

NUM_SLABS = 16
"""Places where what boards tell is added up, each by one thread at a time."""

NO_TOLD = RowTold(np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32))


@dataclass(frozen=True)
class Sharing:
    """Which streets have one table for all boards, and how much each flop has to say there.

    Where an iteration visits some flops only, each counts by its own weight all the same: after a
    cycle of batches all have counted as they should.
    """

    streets: tuple[bool, ...]  # from the spots' own to the river
    flop_weights: tuple[float, ...]  # in any unit


class SharedTables:
    """What is learned together, and what boards have told in the pass that is under way.

    Args:
        shape: the betting.
        sharing: which streets, and what F flops weigh.
        num_rows: of the boards of each flop, by street.
        river_average: whether to keep the average strategy of rivers.
    """

    def __init__(
        self,
        shape: RowShape,
        sharing: Sharing,
        num_rows: Sequence[Sequence[I32]],
        *,
        river_average: bool,
    ) -> None:
        if len(sharing.streets) != len(shape.num_actions):
            wrong = f"{len(sharing.streets)} streets are said to be shared or not"
            raise InputError(f"{wrong}, spots have {len(shape.num_actions)}")
        weights = np.array(sharing.flop_weights)
        if weights.shape != (len(num_rows),) or not (weights > 0).all():
            raise InputError(f"weights of flops must be {len(num_rows)} numbers above 0")
        self.is_shared, self.river_average = sharing.streets, river_average
        self._flop_weight = weights / weights.mean()
        self.parts: list[Street | River] = [*shape.streets, shape.river]
        self.num_rows = [
            _one_number(street, [of[street] for of in num_rows]) if is_shared else 0
            for street, is_shared in enumerate(sharing.streets)
        ]
        self.num_actions = shape.num_actions
        sizes = [a * rows for a, rows in zip(shape.num_actions, self.num_rows, strict=True)]
        self._begin = np.cumsum([0, *sizes])[:-1].tolist()  # rivers last: sums may end before
        self.regret: F32 = aligned(sum(sizes))
        self.policy_sum: F32 = aligned(sum(sizes if river_average else sizes[:-1]))
        self._slabs: list[RowTold | None] = [None] * len(sizes)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is learned; nothing if no street is shared."""
        if not any(self.is_shared):
            return {}
        return {"shared_regret": self.regret, "shared_sum": self.policy_sum}

    def own_rows(self, num_rows: Sequence[I32]) -> list[I32]:
        """Of streets whose boards have tables of their own; no boards at all of others."""
        pairs = zip(num_rows, self.is_shared, strict=True)
        return [rows[:0] if is_shared else rows for rows, is_shared in pairs]

    def begin(self) -> None:
        """Let boards tell from now on."""
        for street, rows in enumerate(self.num_rows):
            if rows:
                actions, width = self.num_actions[street], padded(rows)
                value = aligned(NUM_SLABS, actions + 1, width)
                self._slabs[street] = RowTold(value, aligned(NUM_SLABS, actions, width))

    def learn(self, player: int, sums: RowSums, weights: F32) -> None:
        """New regrets and sums of a player's decisions from all that was told."""
        for street, slabs in enumerate(self._slabs):
            if slabs is None:
                continue
            self._slabs[street] = None
            part, rows = self.parts[street], self.num_rows[street]
            told = RowTold(*(np.sum(of, 0, out=aligned(*of.shape[1:])) for of in slabs))
            has_sums = self.river_average or street < len(self.parts) - 1
            state = RowState(
                self.regret, self.regret, self.regret, np.zeros(0, np.float32), self.policy_sum
            )
            for n in np.flatnonzero(part.kind == player).tolist():
                first = int(part.offset[n])
                begin = self._begin[street] + first * rows
                at = RowDecision(begin, 0, rows, int(part.num_children[n]), first)
                learn_shared(state, at, told, sums, weights, has_sums)

    def with_slab(self, work: RowWork, upper: int, k: int) -> RowWork:
        """Scratch whose boards, of an upper street and the river, tell slab k."""
        return work._replace(
            shared_upper=self._slab(upper, k), shared_river=self._slab(len(self.parts) - 1, k)
        )

    def _slab(self, street: int, k: int) -> RowTold:
        slabs = self._slabs[street]
        return NO_TOLD if slabs is None else RowTold(slabs.value[k], slabs.reach[k])

    def board_rows(self, street: int, spot: int, count: I32, own: BoardRows) -> BoardRows:
        """Where [B] boards of a spot's street have their state; `own` if each has its own.

        With how many real ones each stands for.
        """
        if not self.is_shared[street]:
            return own
        return BoardRows(
            np.full(len(count), self._begin[street], np.int64),
            np.full(len(count), self.num_rows[street], np.int32),
            np.int64(0), np.int64(0),
            (count * self._flop_weight[spot]).astype(np.float32),
        )  # fmt: skip

    def read(self, street: int, actions: Sequence[int]) -> F32:
        """[P, R] policy sums of these actions; what is positive of regrets if there are none."""
        rows, is_river = self.num_rows[street], street == len(self.parts) - 1
        sums = self.policy_sum if self.river_average or not is_river else self.regret
        begin = self._begin[street] + np.array(actions, np.int64) * rows
        found: F32 = np.maximum(sums[begin[:, None] + np.arange(rows)], 0)
        return found


def _one_number(street: int, num_rows: Sequence[I32]) -> int:
    """How many rows all boards have."""
    found = np.unique(np.concatenate(num_rows))
    if len(found) != 1:
        raise InputError(f"boards that share rows have from {found[0]} to {found[-1]} of them")
    return int(found[0])
