"""Spots under a preflop tree on a GPU: only ranges and values by class cross to the host."""

from collections.abc import Sequence

import numpy as np

from poker_solver.games.betting import TURN
from poker_solver.kernels.postflop.cuda.sources import class_kernels
from poker_solver.kernels.postflop.cuda.structs import Classes
from poker_solver.postflop.engines.classes import F64, Int, class_index
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.engine import Float
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import DeviceArray, Launch
from poker_solver.store.files import Arrays

THREADS = 192


class CudaByClass:
    """A `ClassEngine` of spots of one shape that stay on a GPU."""

    def __init__(self, group: CudaGroup, classes: Int) -> None:
        self.group, machine = group, group.machine
        self._num_spots, self._num_classes = len(group.layouts), len(classes)
        machine.load(dict([class_kernels()]))
        self._by_class = machine.zeros(len(classes)), machine.zeros(len(classes))
        self._sums = machine.zeros(self._num_spots * len(classes), np.float64)
        self._kept: list[DeviceArray] = []
        by_player = class_index(group.layouts, classes)
        self._arguments = [self._tables(player, by_player[player]) for player in (0, 1)]

    def _tables(self, player: int, class_of: Sequence[Int]) -> Classes:
        """Hands by class of every spot, on the device."""
        group, tables = self.group, self.group.spots.players[player]
        shape = self._num_spots, tables.pad
        index, member = np.full(shape, -1, np.int32), np.zeros(shape, np.int32)
        start = np.zeros((self._num_spots, self._num_classes + 1), np.int32)
        for spot, (held, own) in enumerate(zip(tables.hand_index, class_of, strict=True)):
            index[spot, held] = own
            order = np.argsort(own, kind="stable")
            member[spot, : len(held)] = held[order]
            start[spot] = np.searchsorted(own[order], np.arange(self._num_classes + 1))
        kept = [group.machine.put(array) for array in (index, member, start)]
        self._kept += kept
        return Classes(
            by_class=self._by_class[player].pointer,
            class_of=kept[0].pointer,
            reach=group.buffers.reach[player].pointer,
            cfv=group.buffers.out[group.spots.first_street, player].pointer,
            member=kept[1].pointer,
            member_start=kept[2].pointer,
            sums=self._sums.pointer,
            num_classes=self._num_classes,
            pad=tables.pad,
        )

    @property
    def layouts(self) -> Sequence[Layout]:
        """[F] the spots."""
        return self.group.layouts

    @property
    def used_bytes(self) -> int:
        """Of the device."""
        return self.group.used_bytes

    def _launch(self, kernel: str, player: int) -> None:
        arguments = self._arguments[player].as_c()
        self.group.machine.launch([Launch(kernel, self._num_spots, THREADS, 0, arguments)])

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        self.group.machine.fill(self._by_class[player], reach.astype(np.float32))
        self._launch("spread_classes", player)

    def run_pass(self, player: int, mode: int, weights: Float) -> F64:
        """See `ClassEngine`."""
        self.group.start_pass(player, mode, weights)
        self._launch("sum_classes", player)
        found: F64 = self.group.machine.get(self._sums).reshape(self._num_spots, -1)
        return found

    def train(self, iterations: int) -> None:
        """See `ClassEngine`."""
        self.group.train(iterations)

    def root_values(self, player: int) -> list[Float]:
        """See `ClassEngine`."""
        return self.group.root_values(player)

    def read_sums(self, spot: int) -> Float:
        """See `ClassEngine`."""
        return self.group.read([spot], "policy_sum", last=TURN)[0]

    def stored(self) -> Arrays:
        """See `ClassEngine`."""
        return self.group.stored()

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """See `ClassEngine`."""
        self.group.restore(arrays, iteration)
