"""Numbers below 1e-38 as 0, while a kernel runs.

Where the opponent never gets, regrets fade to such numbers after some hundred iterations, and an
Intel processor takes a hundred times as long for each. Elsewhere than on x86 nothing is done.
"""

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types

from poker_solver.kernels.postflop.cpu.simd.vectors import INT32, cgutils, intrinsic

ZERO_IN_AND_OUT = 0x8040
"""Of the control register: what small numbers come to, and what they are taken for."""

IS_X86 = llvmlite.binding.get_process_triple().startswith("x86_64")


def _call(builder: Any, name: str, place: Any) -> None:
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte])
    call = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    builder.call(call, [builder.bitcast(place, byte)])


@intrinsic
def ignore_small(typing: Any) -> Any:
    """Take small numbers for 0 from here on; gives what `mind_small` puts back."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not IS_X86:
            return INT32(0)
        place = cgutils.alloca_once(builder, INT32)
        _call(builder, "llvm.x86.sse.stmxcsr", place)
        before = builder.load(place)
        builder.store(builder.or_(before, INT32(ZERO_IN_AND_OUT)), place)
        _call(builder, "llvm.x86.sse.ldmxcsr", place)
        return before

    return types.int32(), generate


@intrinsic
def mind_small(typing: Any, before: Any) -> Any:
    """Undo `ignore_small`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if IS_X86:
            place = cgutils.alloca_once_value(builder, arguments[0])
            _call(builder, "llvm.x86.sse.ldmxcsr", place)
        return context.get_dummy_value()

    return types.void(types.int32), generate
