"""Where a postflop solve keeps what it learns: streets, boards, groups of lines, decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import LANES
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.lines import Line, in_batches, street_lines
from poker_solver.trees.runouts import Runouts


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


def node_codes(tree: BettingTree) -> NDArray[np.int8]:
    """[N] the kernels' column `kind`: who decides, else what the node is."""
    return np.where(tree.is_decision, tree.actor, tree.kind)


def river_lines(tree: BettingTree) -> list[list[Line]]:
    """Lines that reach the river, put together so that their terminals come in full batches."""
    return in_batches(
        street_lines(tree, RIVER), LANES, lambda line: max(line.num_folds, line.num_shows)
    )


def nodes_of(lines: Sequence[Line]) -> NDArray[np.int64]:
    """The nodes of some lines, one after the other."""
    return np.array([node for line in lines for node in line.nodes])


def _by_player(tree: BettingTree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """OOP's decisions, then IP's, then deals, folds and showdowns, each in the order they had."""
    return nodes[np.argsort(node_codes(tree)[nodes], kind="stable")]


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
        if street == RIVER:
            groups = [_by_player(tree, nodes_of(group)) for group in river_lines(tree)]
            nodes = np.concatenate(groups)
        else:
            nodes = nodes_of(street_lines(tree, street))
        size = 0
        for n in nodes.tolist():
            offset[n] = begin + size
            if tree.is_decision[n]:
                size += int(tree.num_children[n]) * width[tree.actor[n]]
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
