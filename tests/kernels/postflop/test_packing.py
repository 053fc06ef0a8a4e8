"""Regrets as int16 and back: every number within half a step of its decision's scale."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from poker_solver.kernels.arrays import F32
from poker_solver.kernels.postflop import reference
from poker_solver.kernels.postflop.cpu import State
from poker_solver.kernels.postflop.cpu.packing import narrow, widen

WIDTH, OFFSET, AT = 32, 16, 48


@njit(nogil=True)
def there_and_back(values: F32, is_live: F32, state: State, scratch: F32, count: int) -> None:
    """Pack what stands in scratch, then unpack it into the same scratch."""
    narrow(scratch, AT, count, is_live, state, OFFSET, 1)
    widen(state.regret, OFFSET, state.scale[1], count * WIDTH, scratch, AT)


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("num_actions", [1, 2, 5])
def test_what_is_packed_comes_back_within_half_a_step(num_actions: int, size: float) -> None:
    rng = np.random.default_rng(num_actions)
    is_live = (np.arange(WIDTH) % 5 > 0).astype(np.float32)
    values = (size * rng.standard_normal((num_actions, WIDTH))).astype(np.float32)
    scratch = np.full(AT + values.size + 16, np.nan, np.float32)
    scratch[AT : AT + values.size] = values.ravel()
    packed = np.full(OFFSET + values.size + 16, 7, np.int16)
    scale = np.full(3, -1, np.float32)
    state = State(packed, packed, scale, np.empty(0, np.float32))
    there_and_back(values, is_live, state, scratch, num_actions)

    want, want_scale = reference.pack(values.astype(np.float64), is_live)
    assert scale[1] == pytest.approx(want_scale, rel=1e-6)
    assert (scale[[0, 2]] == -1).all()
    here: Any = packed[OFFSET:-16].reshape(num_actions, WIDTH)
    assert np.abs(here.astype(int) - want).max() <= 1  # halves may fall to either side
    assert np.abs(here).max() == 32767
    assert (here[:, is_live == 0] == 0).all()
    assert (packed[:OFFSET] == 7).all()
    assert (packed[-16:] == 7).all()
    got = scratch[AT:-16].reshape(num_actions, WIDTH).astype(np.float64)
    # half a step of rounding, and the roundings of a product, a sum and a product in float32
    budget = want_scale / 2 + 3 * np.finfo(np.float32).eps * np.abs(values).max()
    assert np.abs(got - values * is_live).max() <= budget
    assert np.isnan(scratch[:AT]).all()
    assert np.isnan(scratch[-16:]).all()


def test_nothing_live_is_packed_as_zeros() -> None:
    scratch, packed = np.ones(AT + WIDTH, np.float32), np.full(OFFSET + WIDTH, 7, np.int16)
    scale, dead = np.full(3, -1, np.float32), np.zeros(WIDTH, np.float32)
    state = State(packed, packed, scale, np.empty(0, np.float32))
    there_and_back(scratch, dead, state, scratch, 1)
    assert scale[1] == 0
    assert (packed[OFFSET:] == 0).all()
    assert (scratch[AT:] == 0).all()
