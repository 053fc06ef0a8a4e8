"""One decision on one board learns from what its rows were told; then they are told nothing."""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, I16
from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.jit import inner, inner_loops, kernel
from poker_solver.kernels.postflop.cpu.packing import HALF, MOST_16, ZERO, is_packed
from poker_solver.kernels.postflop.cpu.simd import blocks
from poker_solver.kernels.row_cfr import RowState, RowSums, RowTold

learn_block = blocks.learn

ONE = np.float32(1)


class RowDecision(NamedTuple):
    """Where a decision stands in state and scratch."""

    begin: int  # of its state
    scale_at: int
    num_rows: int
    num_actions: int
    first: int | np.int64  # action of what was told


@inner
def learn_rows(
    state: RowState, at: RowDecision, told: RowTold, sums: RowSums, weights: F32, has_sums: bool
) -> None:
    """New regrets and policy sums of a decision."""
    if has_sums and at.num_rows % LANES == 0 and not is_packed(state):
        _learn_in_place(state, at, told, weights)
    else:
        _learn_aside(state, at, told, sums, weights, has_sums)
    _clear(told.reach[at.first], at.num_rows)
    for a in range(at.first, at.first + at.num_actions):
        _clear(told.value[a], at.num_rows)


@kernel
def learn_shared(
    state: RowState, at: RowDecision, told: RowTold, sums: RowSums, weights: F32, has_sums: bool
) -> None:
    """The same of a decision that all boards share, after the last of them."""
    learn_rows(state, at, told, sums, weights, has_sums)


@inner
def _learn_in_place(state: RowState, at: RowDecision, told: RowTold, weights: F32) -> None:
    """Where a row of numbers is whole vectors and what is stored is what is learned."""
    width, spare = told.value.shape[1], len(told.value) - 1
    for i in range(0, at.num_rows, LANES):
        own = at.first * width + i
        learn_block(
            state.regret, at.begin + i, state.policy_sum, at.begin + i, at.num_rows,
            at.num_actions, told.value, spare * width + i, own, width, told.reach, own, weights,
        )  # fmt: skip


@inner
def _learn_aside(
    state: RowState, at: RowDecision, told: RowTold, sums: RowSums, weights: F32, has_sums: bool
) -> None:
    """In scratch, from where it is written back, rounded if it has to be."""
    width, spare, pitch = told.value.shape[1], len(told.value) - 1, sums.regret.shape[1]
    scale = state.scale[at.scale_at] if is_packed(state) else ONE
    for a in range(at.num_actions):
        source = at.begin + a * at.num_rows
        _read(state.regret, source, scale, at.num_rows, sums.regret[a])
        if has_sums:
            _read(state.policy_sum, source, ONE, at.num_rows, sums.policy_sum[a])
    for i in range(0, at.num_rows, LANES):
        own = at.first * width + i
        learn_block(
            sums.regret, i, sums.policy_sum, i, pitch, at.num_actions, told.value,
            spare * width + i, own, width, told.reach, own, weights,
        )  # fmt: skip
    if is_packed(state):
        _narrow(state, at, sums.regret)
    for a in range(at.num_actions):
        target = at.begin + a * at.num_rows
        if not is_packed(state):
            _write(sums.regret[a], at.num_rows, state.regret, target)
        if has_sums:
            _write(sums.policy_sum[a], at.num_rows, state.policy_sum, target)


@inner_loops
def _clear(row: F32, count: int) -> None:
    for i in range(count):
        row[np.uint64(i)] = ZERO


@inner_loops
def _read(stored: F32 | I16, begin: int, scale: np.float32, count: int, row: F32) -> None:
    for i in range(count):
        row[np.uint64(i)] = scale * np.float32(stored[np.uint64(begin + i)])


@inner_loops
def _write(row: F32, count: int, stored: F32 | I16, begin: int) -> None:
    for i in range(count):
        stored[np.uint64(begin + i)] = row[np.uint64(i)]


@inner_loops
def _narrow(state: RowState, at: RowDecision, regret: F32) -> None:
    """Round regrets to int16, the largest becoming 32767."""
    most = ZERO
    for a in range(at.num_actions):
        for i in range(at.num_rows):
            most = max(most, abs(regret[a, i]))
    factor = MOST_16 / most if most > ZERO else ZERO
    for a in range(at.num_actions):
        for i in range(at.num_rows):
            value = regret[a, i] * factor
            rounded = value + (HALF if value > ZERO else -HALF)  # np.rint would be called for each
            state.regret[at.begin + a * at.num_rows + i] = np.int16(np.int32(rounded))
    state.scale[at.scale_at] = most / MOST_16
