"""How the kernels of this package are compiled.

Nothing here allocates or keeps an array, so numba's reference counting (NRT) is off: its atomic
increments for every view took four times as long as the work. Leaving out the unused C and Python
wrappers saves a quarter of compile time.
"""

from collections.abc import Callable
from typing import Any

from numba import njit as typed_njit
from numba import types
from numba.extending import overload as typed_overload

njit: Any = typed_njit  # its own types know only some of its options
overload: Any = typed_overload

kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from Python."""

inner = njit(
    forceinline=True, cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True,
    _nrt=False,
)  # fmt: skip
"""Called from kernels only: without a wrapper, Python would crash. LLVM inlines it."""

inner_loops = njit(
    cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, fastmath=True,
    error_model="numpy", _nrt=False,
)  # fmt: skip
"""The same, for loops that LLVM must vectorise."""

inlined = njit(inline="always")
"""Inlined by numba, which takes it longer than to compile a call."""


def by_type(
    is_so: Callable[[types.Type], bool], then: Callable[..., None], otherwise: Callable[..., None]
) -> Callable[..., None]:
    """A function of kernels that is one of two, by the type of its first argument.

    The other one is not even compiled.
    """

    def chosen(*given: Any) -> None:
        raise NotImplementedError("only compiled code knows types")

    def choose(*given: types.Type) -> Callable[..., None]:
        found = then if is_so(given[0]) else otherwise
        return lambda *given: found(*given)

    overload(chosen, jit_options={"_nrt": False}, strict=False)(choose)
    return chosen


@inner
def nothing(*given: Any) -> None:
    """For what there is nothing to do."""
