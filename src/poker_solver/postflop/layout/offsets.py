"""Where a postflop solve keeps what it learns: streets, boards, groups of lines, decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poker_solver.games.betting import RIVER
from poker_solver.kernels.arrays import I64
from poker_solver.kernels.postflop import LANES
from poker_solver.trees.lines import Decision, Group, Node


@dataclass(frozen=True)
class Offsets:
    """Where the state of every decision begins; N nodes of the tree."""

    offset: I64  # [N] of a decision's state on board 0
    stride: I64  # [N] from one board to the next
    num_elements: int  # node x action x width over all boards
    scale_at: I64  # [N] the number of a decision's scale on board 0
    scale_stride: I64  # [N] from one board to the next
    num_scales: int  # decisions on all boards

    def of(self, nodes: I64) -> tuple[I64, I64, I64, np.int64]:
        """Offset, stride, scale_at and scale_stride in the template of a street of these nodes."""
        stride = np.int64(self.scale_stride[nodes[0]])
        return self.offset[nodes], self.stride[nodes], self.scale_at[nodes], stride


def find_offsets(
    groups: Mapping[int, Sequence[Group]], num_boards: Sequence[int], width: tuple[int, int]
) -> Offsets:
    """Give every decision its offset and its scale: street after street, board after board."""
    num_nodes = sum(len(group.nodes) for street in groups.values() for group in street)
    offset, stride, scale_at, scale_stride = np.zeros((4, num_nodes), np.int64)
    num_elements = num_scales = 0
    for street, parts in groups.items():
        nodes = [node.node for group in parts for node in group.nodes]
        size = 0
        for group in parts:
            for node in _in_order(group, by_player=street == RIVER):
                offset[node.node] = num_elements + size
                if isinstance(node, Decision):
                    size += len(node.rows) * width[node.player]
        acts = sorted(decision.node for group in parts for _, decision in group.decisions)
        scale_at[acts] = num_scales + np.arange(len(acts))
        stride[nodes], scale_stride[nodes] = size, len(acts)
        num_elements += size * num_boards[street]
        num_scales += len(acts) * num_boards[street]
    return Offsets(offset, stride, num_elements, scale_at, scale_stride, num_scales)


def _in_order(group: Group, *, by_player: bool) -> Sequence[Node]:
    """The nodes of a group as their state follows: on the river all of OOP's, then all of IP's."""
    if not by_player:
        return group.nodes
    acts = [decision for player in (0, 1) for _, decision in group.decisions_of(player)]
    return [*acts, *(node for node in group.nodes if not isinstance(node, Decision))]


def padded(num_hands: int) -> int:
    """The width of a row of so many hands."""
    return -(-num_hands // LANES) * LANES
