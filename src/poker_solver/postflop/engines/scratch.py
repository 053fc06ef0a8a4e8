"""What passes of the CPU write on the way."""

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poker_solver.kernels.arrays import F32, I64
from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu import Reach, Rows, Work
from poker_solver.postflop.layout.shape import Shape


def unit_cuts(first: int, last: int, most: int) -> I64:
    """[U + 1] where each of at most so many units begins, and the last one ends; at least one."""
    count = max(1, min(most, last - first))
    return first + (last - first) * np.arange(count + 1, dtype=np.int64) // count


def aligned(*shape: int, dtype: DTypeLike = np.float32) -> NDArray[Any]:
    """Zeros that begin where a cache line does, so that no vector lies across two."""
    size, line = math.prod(shape), 64 // np.dtype(dtype).itemsize
    raw = np.zeros(size + line, dtype)
    begin = -(raw.ctypes.data // raw.itemsize) % line
    return raw[begin : begin + size].reshape(shape)


def street_scratch(shape: Shape, street: int, width: int) -> Rows:
    """Scratch of an upper street; the smallest there is where the spot has none."""
    nodes, deals = 1, 1
    if shape.streets:
        nodes, deals = len(shape.streets[street].kind), max(1, shape.num_deals[street])
    reach, own, policy, cfv = (aligned(nodes, width) for _ in range(4))
    other_deals, own_deals, deal_cfv = (aligned(deals, width) for _ in range(3))
    return Rows(reach, own, policy, cfv, Reach(other_deals, own_deals), deal_cfv)


def river_scratch(shape: Shape, width: int, num_renamings: int, num_sums: int) -> Work:
    """Scratch of one thread, for rows of so many hands, ways to rename suits, and running sums."""
    river, num_deals = shape.river, max((1, *shape.num_deals[-1:]))
    nodes = int(np.diff(river.group_start).max())
    batches = max(int(np.diff(of.batch_start).max()) for of in (river.show, river.fold))
    decision = int(shape.tree.num_children.max()) * width

    def slots(*count: int) -> F32:
        return aligned(*count, LANES)

    return Work(
        is_reached=aligned(num_deals, dtype=bool),
        moved_cfv=aligned(num_renamings, num_deals, width),
        river_reach=slots(nodes), river_own=slots(nodes), river_policy=slots(nodes),
        river_cfv=slots(nodes + 1), river_met=slots(nodes),
        show=slots(batches, width + 1), fold=slots(batches, width + 1),
        running=slots(batches, num_sums + 1),
        card_sums=aligned(53, dtype=np.float64),
        regret=aligned(max(decision, int(np.diff(river.part_start).max()))),
    )  # fmt: skip
