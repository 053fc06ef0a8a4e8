"""How the kernels of this package are compiled.

Nothing here allocates or keeps an array, so numba's reference counting (NRT) is off: its atomic
increments for every view took four times as long as the work. Leaving out the unused C and Python
wrappers saves a quarter of compile time.
"""

from typing import Any

from numba import njit as typed_njit

njit: Any = typed_njit  # its own types know only some of its options

kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from Python."""

inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from kernels only: without a wrapper, Python would crash."""

inner_loops = njit(
    cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, fastmath=True,
    error_model="numpy", _nrt=False,
)  # fmt: skip
"""The same, for loops that LLVM must vectorise."""

inlined = njit(inline="always")
"""Inlined by numba: a call that passes all arrays costs some 100 ns."""
