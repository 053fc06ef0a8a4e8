"""Regrets in 16 bits: widened before a decision learns, narrowed after.

A decision's numbers on one board share a scale, so that the largest of them is 32767. With float32
there is nothing to do, and what is learned is written where it stands.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from poker_solver.kernels.postflop.cpu.jit import inner_loops
from poker_solver.kernels.postflop.cpu.simd.blocks import silence

ZERO, HALF = np.float32(0), np.float32(0.5)
MOST_16 = np.float32(32767)


def wide(regret: Any, offset: int, scratch: Any, at: int) -> Any:
    """Where regrets are float32 while a decision learns: the array, and the place in it."""
    raise NotImplementedError  # only its compiled forms are ever called


@overload(wide, inline="always")
def _choose_wide(regret: Any, offset: int, scratch: Any, at: int) -> Any:
    def widened(regret: Any, offset: int, scratch: Any, at: int) -> Any:
        return scratch, at

    def in_place(regret: Any, offset: int, scratch: Any, at: int) -> Any:
        return regret, offset

    return widened if isinstance(regret.dtype, types.Integer) else in_place


def widen(
    regret: Any, scale: Any, offset: int, scale_at: int, size: int, scratch: Any, at: int
) -> None:
    """Put a decision's regrets where they are `wide`."""
    raise NotImplementedError


@overload(widen, inline="always")
def _choose_widen(
    regret: Any, scale: Any, offset: int, scale_at: int, size: int, scratch: Any, at: int
) -> Any:
    def widened(
        regret: Any, scale: Any, offset: int, scale_at: int, size: int, scratch: Any, at: int
    ) -> None:
        _widen(regret, offset, scale[scale_at], size, scratch, at)

    def in_place(
        regret: Any, scale: Any, offset: int, scale_at: int, size: int, scratch: Any, at: int
    ) -> None:
        pass

    return widened if isinstance(regret.dtype, types.Integer) else in_place


def narrow(
    regret: Any, scale: Any, offset: int, scale_at: int, count: int, num_hands: int, is_live: Any,
    scratch: Any, at: int,
) -> None:  # fmt: skip
    """Put a decision's regrets back from where they are `wide`; hands that are not live get 0."""
    raise NotImplementedError


@overload(narrow, inline="always")
def _choose_narrow(
    regret: Any, scale: Any, offset: int, scale_at: int, count: int, num_hands: int, is_live: Any,
    scratch: Any, at: int,
) -> Any:  # fmt: skip
    def narrowed(
        regret: Any, scale: Any, offset: int, scale_at: int, count: int, num_hands: int,
        is_live: Any, scratch: Any, at: int,
    ) -> None:  # fmt: skip
        scale[scale_at] = _narrow(scratch[at:], count, num_hands, is_live, regret, offset)

    def in_place(
        regret: Any, scale: Any, offset: int, scale_at: int, count: int, num_hands: int,
        is_live: Any, scratch: Any, at: int,
    ) -> None:  # fmt: skip
        pass

    return narrowed if isinstance(regret.dtype, types.Integer) else in_place


@inner_loops
def _widen(packed: Any, offset: int, scale: Any, count: int, out: Any, at: int) -> None:
    start, to = np.uint64(offset), np.uint64(at)
    for i in range(count):
        out[to + np.uint64(i)] = scale * np.float32(packed[start + np.uint64(i)])


@inner_loops
def _narrow(
    values: Any, num_actions: int, num_hands: int, is_live: Any, packed: Any, offset: int
) -> Any:
    """Round live hands' numbers to int16, the largest becoming 32767; what to multiply by."""
    most = silence(values, is_live, num_actions, num_hands)
    factor = MOST_16 / most if most > ZERO else ZERO
    start = np.uint64(offset)
    for i in range(num_actions * num_hands):
        value = values[np.uint64(i)] * factor
        rounded = value + (HALF if value > ZERO else -HALF)  # np.rint would be called for each
        packed[start + np.uint64(i)] = np.int16(np.int32(rounded))
    return most / MOST_16
