"""What engines by row have in common, wherever they run: where state stands, debts, classes."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.row_tables import RowShape
from poker_solver.fullgame.training.shared_rows import SharedTables, Sharing
from poker_solver.kernels.arrays import F32, F64, I16, I32
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.row_cfr import BoardRows
from poker_solver.postflop.engines.classes import class_index
from poker_solver.postflop.layout.layout import Layout
from poker_solver.store.files import Arrays

TOGETHER = 32
"""Spots that are walked at once; so much scratch there is."""


class SpotState(NamedTuple):
    """Where a spot's numbers stand in the arrays of all."""

    regret: slice
    policy_sum: slice
    scale: slice
    rows: tuple[BoardRows, ...]  # by street, within the slices; empty where boards share rows


class Asked(NamedTuple):
    """What is wanted of a spot: whose pass, on which boards."""

    spot: int
    draw: int | None
    player: int
    mode: int
    weights: F32


class RowsKept(NamedTuple):
    """What is kept of every row."""

    precision: str = "float32"  # of regrets, or int16
    river_average: bool = True  # without, BEST and MEAN play what the river's regrets say
    sharing: Sharing | None = None  # streets that learn in one table for all boards


class RowSpots(ABC):
    """A `ClassEngine` of F spots of one betting, flops or turns, with rows for hands.

    State is the same on every device: spot after spot, street after street, board after board,
    [action of any decision, row] each.

    Args:
        layouts: the spots.
        num_rows: [B] of each street, of every spot.
        classes: of hands that ranges are given for.
        schedule: how regrets and averages are weighted.
        kept: what is kept of every row.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        num_rows: Sequence[Sequence[I32]],
        classes: I32,
        schedule: Schedule,
        kept: RowsKept,
    ) -> None:
        if len({(layout.shape.betting, layout.tree.first_street) for layout in layouts}) != 1:
            raise InputError("spots of one engine must have one betting")
        self.layouts, self.num_rows, self.schedule = list(layouts), num_rows, schedule
        self.iteration, self.precision, self.river_average = 0, kept.precision, kept.river_average
        self.shape = RowShape(layouts[0].shape)
        self._num_classes, self._class_of = len(classes), class_index(layouts, classes)
        self.class_reach = [np.ones(len(classes)) for _ in (0, 1)]
        self._cfv = [[np.zeros(len(c), np.float32) for c in of] for of in self._class_of]
        none = Sharing((False,) * len(num_rows[0]), (1.0,) * len(layouts))
        self.shared = SharedTables(
            self.shape, kept.sharing or none, num_rows, river_average=self.river_average
        )
        self._spots = self._place(list(map(self.shared.own_rows, num_rows)))
        self._owed = np.ones((2, len(layouts), 3))

    def _place(self, num_rows: Sequence[Sequence[I32]]) -> list[SpotState]:
        """Spot after spot in each array."""
        found, ends = [], [0, 0, 0]
        for rows in num_rows:
            elements = self.shape.num_elements(rows)
            kept = sum(elements if self.river_average else elements[:-1])
            sizes = sum(elements), kept, self.shape.num_scales(rows)
            parts = [slice(end, end + size) for end, size in zip(ends, sizes, strict=True)]
            found.append(SpotState(parts[0], parts[1], parts[2], self.shape.board_rows(rows)))
            ends = [part.stop for part in parts]
        return found

    @property
    @abstractmethod
    def used_bytes(self) -> int:
        """Memory that is taken, of this process or device."""

    @property
    @abstractmethod
    def state_bytes(self) -> int:
        """Of what is learned."""

    @abstractmethod
    def _walk(self, asked: Sequence[Asked]) -> list[F32]:
        """[H] cfv at the root of each spot, one pass over all of them."""

    @abstractmethod
    def _part(self, name: str, part: slice) -> NDArray[Any]:
        """Some numbers of `regret` or `policy_sum`."""

    @abstractmethod
    def _hand_rows(self, spot: int, street: int, player: int) -> tuple[I16, F32]:
        """[B, H] the rows of a player's hands on a street above the river, 0 if blocked; if not."""

    @abstractmethod
    def _kinds(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """The shape and type of every array of the state."""

    @abstractmethod
    def _write(self, name: str, values: NDArray[Any]) -> None:
        """Overwrite an array of the state."""

    @abstractmethod
    def stored(self) -> Arrays:
        """Regrets, sums and what is owed, spot after spot."""

    @abstractmethod
    def _begin_shared(self) -> None:
        """Let boards that share rows tell from now on."""

    @abstractmethod
    def _learn_shared(self, player: int, weights: F32) -> None:
        """Let rows that boards share learn what they were told."""

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        self.class_reach[player] = reach.copy()

    def run_pass(self, player: int, mode: int, weights: F32) -> F64:
        """See `ClassEngine`."""
        return self.run_some(range(len(self.layouts)), player, mode, weights)

    def run_some(
        self,
        spots: Sequence[int],
        player: int,
        mode: int,
        weights: F32,
        draw: int | None = None,
    ) -> F64:
        """[S, C] likewise of some spots only; those left out owe the weights of a LEARN pass.

        A spot pays at its next visit what it owes since its last. Streets whose boards share rows
        are always paid, and learn once, from all spots visited. With the number of a draw each
        spot walks only the boards that its tables draw; turns and rivers must then share rows.
        """
        visited, due = np.array(spots, np.int64), np.tile(weights, (len(spots), 1))
        if mode == LEARN:
            owed = self._owed[player]
            owed *= weights
            due = owed[visited].astype(np.float32)
            owed[visited] = 1.0
            self.iteration += player  # both have learnt
            self._begin_shared()
        found = np.zeros((len(spots), self._num_classes))
        for begin in range(0, len(spots), TOGETHER):
            some = range(begin, min(begin + TOGETHER, len(spots)))
            asked = [Asked(spots[k], draw, player, mode, due[k]) for k in some]
            for k, cfv in zip(some, self._walk(asked), strict=True):
                self._cfv[player][spots[k]] = cfv
                class_of = self._class_of[player][spots[k]]
                found[k] = np.bincount(class_of, cfv.astype(np.float64), self._num_classes)
        if mode == LEARN:
            self._learn_shared(player, weights)
        return found

    def train(self, iterations: int) -> None:
        """See `ClassEngine`."""
        for row in self.schedule.table(self.iteration + 1, iterations).astype(np.float32):
            for player in (0, 1):
                self.run_pass(player, LEARN, row)

    def root_values(self, player: int) -> list[F32]:
        """See `ClassEngine`; of spots that the last pass left out, those of an earlier one."""
        return self._cfv[player]

    def read_sums(self, spot: int) -> F32:
        """See `ClassEngine`; hands of a row have the same."""
        layout = self.layouts[spot]
        found = np.zeros(layout.shape.num_upper, np.float32)
        tree = layout.tree
        for street, part in enumerate(self.shape.streets):
            sums = self._stored("policy_sum", spot, street)
            at = self._board_rows(spot, street)
            nodes = layout.shape.nodes(tree.first_street + street)
            for n in np.flatnonzero(part.kind < 2).tolist():
                node, (row, is_live) = (
                    int(nodes[n]),
                    self._hand_rows(spot, street, int(part.kind[n])),
                )
                shape = len(at.start), int(part.num_children[n]), row.shape[1]
                action = int(part.offset[n]) + np.arange(shape[1])
                first = at.start[:, None] + action * at.num_rows[:, None]  # [B, A]
                values = sums[first[:, :, None] + row[:, None]] * is_live[:, None]
                begin = layout.offset[node] + layout.stride[node] * np.arange(shape[0])
                found[begin[:, None] + np.arange(shape[1] * shape[2])] = values.reshape(
                    shape[0], -1
                )
        return found

    def read_rows(self, spot: int) -> list[F32 | None]:
        """[B, P, W] of each street: policy sums of every row for all actions of all decisions.

        Decisions are in the order of the tree; beyond a board's rows there is 0. Rivers whose
        average is not kept have what is positive of their regrets. None where boards share rows.
        """
        place, found = self._spots[spot], list[F32 | None]()
        sums = self._part("policy_sum", place.policy_sum)
        for k, at in enumerate(place.rows):
            if self.shared.is_shared[k]:
                found.append(None)
                continue
            if k == len(place.rows) - 1 and not self.river_average:
                sums = np.maximum(self._part("regret", place.regret), 0)
            actions = self._actions(k)
            num_rows = at.num_rows[:, None, None]
            row = np.arange(at.num_rows.max())
            place_of = at.start[:, None, None] + np.array(actions)[:, None] * num_rows + row
            is_there = np.broadcast_to(row < num_rows, place_of.shape)
            values = np.zeros(place_of.shape, np.float32)
            values[is_there] = sums[place_of[is_there]]
            found.append(values)
        return found

    def read_shared(self, street: int) -> F32:
        """[P, R] likewise of a street, FLOP to RIVER, whose boards share rows."""
        k = street - self.layouts[0].tree.first_street
        if not (0 <= k < len(self.shared.is_shared) and self.shared.is_shared[k]):
            raise InputError(f"the boards of street {street} share no rows")
        return self.shared.read(k, self._actions(k))

    def _actions(self, street: int) -> list[int]:
        """[P] the actions of all decisions of a street, as state has them, in the tree's order."""
        layout, part = self.layouts[0], self.shared.parts[street]
        nodes = layout.shape.nodes(layout.tree.first_street + street)
        acts = sorted(np.flatnonzero(part.kind < 2).tolist(), key=nodes.__getitem__)
        return [int(part.offset[n]) + a for n in acts for a in range(part.num_children[n])]

    def _board_rows(self, spot: int, street: int) -> BoardRows:
        """Where all boards of a street of a spot have their state."""
        own = self._spots[spot].rows[street]
        count = np.ones(len(self.num_rows[spot][street]), np.int32)
        return self.shared.board_rows(street, spot, count, own)

    def _stored(self, name: str, spot: int, street: int) -> NDArray[Any]:
        """The regrets or sums among which a street of a spot has its own."""
        if self.shared.is_shared[street]:
            return self.shared.regret if name == "regret" else self.shared.policy_sum
        place = self._spots[spot]
        return self._part(name, place.regret if name == "regret" else place.policy_sum)

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""
        kinds = self._kinds()
        check_arrays(arrays, {name: shape for name, (shape, _) in kinds.items()})
        for name, (_, dtype) in kinds.items():
            if arrays[name].dtype != dtype:
                wrong = f"array {name} has dtype {arrays[name].dtype}, wants {dtype}"
                raise InputError(wrong)
        for name in kinds:
            self._write(name, arrays[name])
        self.iteration = iteration
