"""Views of a solve's state, one decision at a time, and the order that files keep it in."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.postflop.layout.layout import Layout

Number = TypeVar("Number", bound=np.generic)


def state_rows(
    layout: Layout, state: NDArray[Number], node: int, first: int, last: int
) -> NDArray[Number]:
    """[B, A, H] view of a decision's state on boards first to last of its street."""
    num_actions = int(layout.tree.num_children[node])
    player = layout.tree.actor[node]
    num_hands, width = len(layout.combos[player]), layout.width[player]
    stride, count, item = int(layout.stride[node]), last - first, state.itemsize
    begin = int(layout.offset[node]) + first * stride
    end = begin + (count - 1) * stride + num_actions * width
    return np.lib.stride_tricks.as_strided(
        state[begin:end], (count, num_actions, num_hands), (stride * item, width * item, item)
    )


def move_state(old: Layout, new: Layout, state: NDArray[Number]) -> NDArray[Number]:
    """[num_elements] the state of a spot for a layout of the same tree and boards, other hands.

    Hands that are new begin with 0; those that are gone are dropped.
    """
    moved = np.zeros(new.num_elements, state.dtype)
    both = [
        np.intersect1d(old.combos[p], new.combos[p], assume_unique=True, return_indices=True)
        for p in (0, 1)
    ]
    boards, tree = old.runouts.num_boards, old.tree
    for node in np.flatnonzero(tree.is_decision).tolist():
        _, before, after = both[tree.actor[node]]
        count = boards[tree.street[node]]
        rows = state_rows(new, moved, node, 0, count)
        rows[:, :, after] = state_rows(old, state, node, 0, count)[:, :, before]
    return moved


def to_file_order(
    layout: Layout,
    state: NDArray[Number],
    nodes: Sequence[int],
    change: Callable[[NDArray[Number]], NDArray[Any]] = np.asarray,
) -> NDArray[Any]:
    """The state of some decisions, one after the other, each [boards, A, H]: the order of files.

    It depends on the spot alone, not on how the engine lays its state out. What `change` makes of
    each is kept.
    """
    boards, street = layout.runouts.num_boards, layout.tree.street
    views = [state_rows(layout, state, node, 0, boards[street[node]]) for node in nodes]
    dtype = change(state[:1].reshape(1, 1, -1)).dtype
    out, begin = np.empty(sum(view.size for view in views), dtype), 0
    for view in views:  # memory may be short: one copy, and a node's at a time
        out[begin : begin + view.size] = change(view).ravel()
        begin += view.size
    return out


def from_file_order(layout: Layout, kept: NDArray[Number], nodes: Sequence[int]) -> NDArray[Number]:
    """[num_elements] what `to_file_order` has taken, where the engine has it; 0 elsewhere."""
    boards = layout.runouts.num_boards
    state, begin = np.zeros(layout.num_elements, kept.dtype), 0
    for node in nodes:
        rows = state_rows(layout, state, node, 0, boards[layout.tree.street[node]])
        rows[:] = kept[begin : begin + rows.size].reshape(rows.shape)
        begin += rows.size
    return state
