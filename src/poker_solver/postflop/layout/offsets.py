"""Where a postflop solve keeps what it learns: streets, boards, groups of lines, decisions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop import LANES
from poker_solver.trees.postflop import DEAL, FOLD, RIVER, SHOWDOWN, BettingTree
from poker_solver.trees.runouts import Runouts

NONE = -1


@dataclass(frozen=True)
class Places:
    """Where the state of every decision stands; N nodes of the tree."""

    offset: NDArray[np.int64]  # [N] where a decision's state begins on board 0
    stride: NDArray[np.int64]  # [N] from one board to the next
    num_elements: int  # node x action x width over all boards
    scale_at: NDArray[np.int64]  # [N] the number of a decision's scale on board 0
    scale_stride: NDArray[np.int64]  # [N] from one board to the next
    num_scales: int  # decisions on all boards

    def of(self, nodes: NDArray[np.int64]) -> dict[str, Any]:
        """What a street's template says of these nodes, all of one street."""
        return {
            "offset": self.offset[nodes],
            "stride": self.stride[nodes],
            "scale_at": self.scale_at[nodes],
            "scale_stride": self.scale_stride[nodes[0]],
        }


def find_places(tree: BettingTree, runouts: Runouts, width: tuple[int, int]) -> Places:
    """Give every decision its place on every board."""
    return Places(*_state_places(tree, runouts, width), *_scale_places(tree, runouts))


def street_lines(tree: BettingTree, street: int) -> list[NDArray[np.int64]]:
    """The nodes of a street, cut by the entry they follow, parents first, children together."""
    nodes = np.flatnonzero(tree.street == street)
    entry_of: dict[int, int] = {}
    lines: dict[int, list[int]] = {}
    for n in nodes.tolist():
        parent = int(tree.parent[n])
        entry = n if parent == NONE or tree.kind[parent] == DEAL else entry_of[parent]
        entry_of[n] = entry
        lines.setdefault(entry, []).append(n)
    return [np.array(line) for line in lines.values()]


def river_groups(tree: BettingTree) -> list[list[NDArray[np.int64]]]:
    """Lines that reach the river, put together so that their terminals come in full batches.

    In the order of the tree: what follows one action of an earlier street stands together, and a
    group that the opponent never reaches is skipped.
    """
    groups: list[list[NDArray[np.int64]]] = []
    used = LANES + 1
    for line in street_lines(tree, RIVER):
        size = max(int((tree.kind[line] == kind).sum()) for kind in (SHOWDOWN, FOLD))
        if used + size > LANES:
            groups.append([])
            used = 0
        groups[-1].append(line)
        used += size
    return groups


def _by_player(tree: BettingTree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """OOP's decisions, then IP's, then the rest, each in the order they had."""
    return nodes[np.argsort(tree.kind[nodes], kind="stable")]


def _state_places(
    tree: BettingTree, runouts: Runouts, width: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Where regrets stand: street after street, board after board, line after line.

    On the river group after group, and in each all of OOP's before all of IP's.
    """
    offset = np.zeros(tree.num_nodes, np.int64)
    stride = np.zeros(tree.num_nodes, np.int64)
    begin = 0
    for street in range(tree.first_street, RIVER + 1):
        lines = street_lines(tree, street)
        if street == RIVER:
            lines = [_by_player(tree, np.concatenate(group)) for group in river_groups(tree)]
        nodes, size = np.concatenate(lines), 0
        for n in nodes.tolist():
            offset[n] = begin + size
            if tree.is_decision[n]:
                size += int(tree.num_children[n]) * width[tree.kind[n]]
        stride[nodes] = size
        begin += size * runouts.num_boards[street]
    return offset, stride, begin


def _scale_places(
    tree: BettingTree, runouts: Runouts
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The number of every decision's scale: street after street, board after board."""
    at, stride = np.zeros(tree.num_nodes, np.int64), np.zeros(tree.num_nodes, np.int64)
    begin = 0
    for street in range(tree.first_street, RIVER + 1):
        here = tree.street == street
        nodes = np.flatnonzero(here & tree.is_decision)
        at[nodes] = begin + np.arange(len(nodes))
        stride[here] = len(nodes)
        begin += len(nodes) * runouts.num_boards[street]
    return at, stride, begin
