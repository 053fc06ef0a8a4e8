"""Denormals flushed to zero while a kernel runs: float32 numbers below 1e-38.

Where the opponent never gets, regrets fade to denormals after some hundred iterations, and an Intel
processor takes a hundred times as long for each. Elsewhere than on x86 nothing is done.
"""

import llvmlite.binding
from llvmlite import ir
from numba import types

from poker_solver.kernels.postflop.cpu.simd.vectors import (
    INT32,
    Builder,
    Context,
    Signature,
    T,
    Typed,
    Value,
    Values,
    cgutils,
    intrinsic,
)

FLUSH_TO_ZERO, DENORMALS_ARE_ZERO = 0x8000, 0x0040
"""Bits of MXCSR, the control register of SSE: for results, and for operands."""

IS_X86 = llvmlite.binding.get_process_triple().startswith("x86_64")


def _call(builder: Builder, name: str, pointer: Value) -> None:
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte])
    call = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    builder.call(call, [builder.bitcast(pointer, byte)])


@intrinsic
def flush_denormals(typing: object) -> Typed:
    """Treat denormals as zero from here on; returns MXCSR as it was, for `set_mxcsr`."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        if not IS_X86:
            return INT32(0)
        pointer = cgutils.alloca_once(builder, INT32)
        _call(builder, "llvm.x86.sse.stmxcsr", pointer)
        before = builder.load(pointer)
        builder.store(builder.or_(before, INT32(FLUSH_TO_ZERO | DENORMALS_ARE_ZERO)), pointer)
        _call(builder, "llvm.x86.sse.ldmxcsr", pointer)
        return before

    return types.int32(), generate


@intrinsic
def set_mxcsr(typing: object, mxcsr: T) -> Typed:
    """Undo `flush_denormals`."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        if IS_X86:
            pointer = cgutils.alloca_once_value(builder, arguments[0])
            _call(builder, "llvm.x86.sse.ldmxcsr", pointer)
        return context.get_dummy_value()

    return types.void(types.int32), generate
