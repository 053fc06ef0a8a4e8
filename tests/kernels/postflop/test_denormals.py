"""MXCSR: denormals are zero between `flush_denormals` and `set_mxcsr`, and nowhere else."""

import numpy as np
import pytest
from numba import njit

from poker_solver.kernels.arrays import F32
from poker_solver.kernels.postflop.cpu.simd.denormals import (
    IS_X86,
    flush_denormals,
    set_mxcsr,
)

TINY = np.finfo(np.float32).tiny  # the smallest normal number


@njit(nogil=True)
def products(factors: F32, flushed: F32, kept: F32) -> None:
    """Factors in pairs, multiplied with denormals flushed, and after that as always."""
    mxcsr = flush_denormals()
    for i in range(len(flushed)):
        flushed[i] = factors[2 * i] * factors[2 * i + 1]
    set_mxcsr(mxcsr)
    for i in range(len(kept)):
        kept[i] = factors[2 * i] * factors[2 * i + 1]


@pytest.mark.skipif(not IS_X86, reason="only x86 has MXCSR")
def test_denormals_are_zero_as_results_and_as_operands_only_in_between() -> None:
    denormal = TINY / np.float32(4)
    factors = np.array([TINY, 0.5, denormal, 8.0, TINY, 1.0, -TINY, 0.25], np.float32)
    flushed, kept = np.empty(4, np.float32), np.empty(4, np.float32)
    products(factors, flushed, kept)
    assert flushed.tolist() == [0.0, 0.0, float(TINY), 0.0]
    assert kept.tolist() == (factors[::2] * factors[1::2]).tolist()
    assert (kept != 0).all()
