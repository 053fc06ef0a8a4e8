"""How the kernels of this package are compiled.

Nothing here makes or keeps an array, so references are not counted: counting them atomically for
every view took four times as long as the work. Entry points for callers that nobody has take a
quarter of the time of compiling.
"""

from typing import Any

from numba import njit as typed_njit

njit: Any = typed_njit  # its own types know only some of its options

kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from Python."""

inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from kernels only: Python would crash."""

inner_loops = njit(
    cache=True,
    nogil=True,
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    fastmath=True,
    error_model="numpy",
    _nrt=False,
)
"""The same, for loops that must become vector code."""

inlined = njit(inline="always")
"""Written into its caller: a call that hands over all arrays costs some 100 ns."""
