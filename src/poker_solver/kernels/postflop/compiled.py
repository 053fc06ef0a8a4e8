"""How the kernels of this package are compiled.

Entry points for callers that nobody has take a quarter of the time of compiling.
"""

from typing import Any

from numba import njit as typed_njit

njit: Any = typed_njit  # its own types know only some of its options

kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True)
"""Called from Python."""

inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Called from kernels only: Python would crash."""

inner_loops = njit(
    cache=True,
    nogil=True,
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    fastmath=True,
    error_model="numpy",
)
"""The same, for loops that must become vector code."""

inlined = njit(inline="always")
"""Written into its caller: a call that hands over all arrays costs some 100 ns."""
