"""Regrets in 16 bits: widened before a decision learns, narrowed after.

A decision's numbers on one board share a scale, so that the largest of them is 32767. With float32
there is nothing to do, and what is learned is written where it stands.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numba import types
from numba.extending import overload

from poker_solver.kernels.arrays import F32, I16
from poker_solver.kernels.postflop.cpu import State
from poker_solver.kernels.postflop.cpu.jit import inner_loops
from poker_solver.kernels.postflop.cpu.simd.blocks import silence
from poker_solver.kernels.records import field_type

ZERO, HALF = np.float32(0), np.float32(0.5)
MOST_16 = np.float32(32767)


class HasRegrets(Protocol):
    """State with regrets of any kind."""

    @property
    def regret(self) -> F32 | I16:
        """What they are kept as."""


def is_packed(state: HasRegrets) -> bool:
    """Whether regrets are int16: a constant in compiled code."""
    return state.regret.dtype == np.int16


def has_packed(p: types.Type) -> bool:
    """Whether passes of this type have regrets of 16 bits."""
    return isinstance(field_type(field_type(p, "state"), "regret").dtype, types.Integer)


@overload(is_packed, inline="always", strict=False)
def _compiled_is_packed(state: types.Type) -> Callable[..., bool]:
    if isinstance(field_type(state, "regret").dtype, types.Integer):
        return lambda state: True
    return lambda state: False


def learning(state: State, offset: int, scratch: F32, at: int) -> tuple[F32 | I16, int]:
    """The float32 regrets that a decision learns in, and where: in place, or in scratch."""
    return (scratch, at) if is_packed(state) else (state.regret, offset)


@overload(learning, inline="always", strict=False)
def _compiled_learning(
    state: types.Type, offset: int, scratch: F32, at: int
) -> Callable[..., tuple[F32, int]]:
    if isinstance(field_type(state, "regret").dtype, types.Integer):
        return lambda state, offset, scratch, at: (scratch, at)
    return lambda state, offset, scratch, at: (state.regret, offset)


@inner_loops
def widen(packed: I16, offset: int, scale: np.float32, count: int, out: F32, at: int) -> None:
    """Put a decision's regrets into scratch."""
    start, to = np.uint64(offset), np.uint64(at)
    for i in range(count):
        out[to + np.uint64(i)] = scale * np.float32(packed[start + np.uint64(i)])


@inner_loops
def narrow(
    scratch: F32, at: int, num_actions: int, is_live: F32, state: State, offset: int, scale_at: int
) -> None:
    """Round live hands' regrets to int16, the largest becoming 32767; those of others become 0."""
    num_hands, values, packed = len(is_live), scratch[at:], state.regret
    most = silence(values, is_live, num_actions, num_hands)
    factor = MOST_16 / most if most > ZERO else ZERO
    start = np.uint64(offset)
    for i in range(num_actions * num_hands):
        value = values[np.uint64(i)] * factor
        rounded = value + (HALF if value > ZERO else -HALF)  # np.rint would be called for each
        packed[start + np.uint64(i)] = np.int16(np.int32(rounded))
    state.scale[scale_at] = most / MOST_16
