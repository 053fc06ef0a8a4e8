"""Regrets of 16 bits on a GPU: where they and their scales stand.

Those of the river are kept as 16 bits. Above it, where there is little of them, they are floats,
each a scale times a whole number that 16 bits would hold.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.structs import Pass
from poker_solver.postflop.engines.cuda.programs import StreetPrograms
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import DeviceArray, Gpu

Float = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PackedRegret:
    """One player's regrets and scales on the device."""

    upper: DeviceArray  # float32
    rivers: DeviceArray  # int16, from where rivers begin in the player's state
    first: int  # where that is
    scale: DeviceArray  # float32, [boards, decisions] of one street after the other
    scale_start: dict[int, int]  # by street
    num_nodes: dict[int, int]  # decisions by street

    @property
    def river_pointer(self) -> int:
        """Where offset 0 of the player's state would be in 16 bits."""
        return int(self.rivers.pointer) - 2 * self.first

    def scaled(self, given: Pass, street: int) -> Pass:
        """The arguments of a pass over a street with its scales."""
        start = self.scale.pointer + 4 * self.scale_start[street]
        return replace(given, own_scale=start, own_nodes=self.num_nodes[street])

    def exchanged(self, street: int) -> dict[str, int]:
        """What the way to and from the plain order takes."""
        is_river = street == RIVER
        return {
            "state": self.river_pointer if is_river else int(self.upper.pointer),
            "scale": int(self.scale.pointer) + 4 * self.scale_start[street],
            "num_nodes": self.num_nodes[street],
            "is_short": int(is_river),
        }


def scale_offsets(group: SpotGroup, player: int) -> tuple[dict[int, int], dict[int, int], int]:
    """By street where a player's scales begin and how many decisions he has; of all scales."""
    start, nodes, size = {}, {}, 0
    for street in group.streets:
        s = street.street
        start[s], nodes[s] = size, street.num_nodes[player]
        size += group.num_boards(s) * nodes[s]
    return start, nodes, size


def packed_regret(group: SpotGroup, player: int, machine: Gpu) -> PackedRegret:
    """Zeros on the device."""
    offsets = group.offsets[player]
    first = offsets.start[RIVER]
    start, nodes, size = scale_offsets(group, player)
    return PackedRegret(
        upper=machine.zeros(first),
        rivers=machine.zeros(offsets.num_floats - first, np.int16),
        first=first,
        scale=machine.zeros(size),
        scale_start=start,
        num_nodes=nodes,
    )


def packed_bytes(group: SpotGroup) -> int:
    """What the regrets and scales of both players take."""
    total = 0
    for player, offsets in enumerate(group.offsets):
        first = offsets.start[RIVER]
        total += 4 * first + 2 * (offsets.num_floats - first) + 4 * scale_offsets(group, player)[2]
    return total


def row_nodes(layout: Layout, street: StreetPrograms, player: int) -> NDArray[np.int32]:
    """[rows] the decision of each row of a player, counted on a board."""
    tree = layout.tree
    found = np.zeros(street.num_rows[player], np.int32)
    for node, row in street.first_row.items():
        if tree.actor[node] == player:
            found[row : row + int(tree.num_children[node])] = street.number[node]
    return found


def plain_scales(
    group: SpotGroup, spot: int, player: int, packed: PackedRegret
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of a player's scales of a spot, offsets in the plain order and on the device."""
    layout = group.layouts[spot]
    plain, device = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for street in group.streets:
        s = street.street
        boards = np.arange(layout.runouts.num_boards[s])
        offsets, first = layout.shape.offsets, int(group.first_board[s][spot])
        for node, number in street.number.items():
            if layout.tree.actor[node] == player:
                plain.append(offsets.scale_at[node] + boards * offsets.scale_stride[node])
                at = packed.scale_start[s] + (first + boards) * packed.num_nodes[s] + number
                device.append(at)
    return np.concatenate(plain), np.concatenate(device)
