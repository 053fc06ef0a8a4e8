"""Sixteen sums at once: vector rows of [rows, 16] arrays, as single instructions.

Written as loops over sixteen, the compiler cannot prove that rows do not overlap and falls back to
one number at a time, which is five times slower.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from poker_solver.kernels.postflop import LANES

vector: Any = intrinsic  # its own types forget that the first argument is not the caller's


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    place = builder.gep(data, [builder.mul(row, ir.Constant(row.type, LANES))])
    vector = ir.VectorType(context.get_data_type(array_type.dtype), LANES)
    return builder.bitcast(place, vector.as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    return builder.load(_pointer(context, builder, array_type, array, row), align=4)


def _store(context: Any, builder: Any, array_type: Any, array: Any, row: Any, value: Any) -> None:
    pointer = _pointer(context, builder, array_type, array, row)
    builder.store(value, pointer, align=4)


@vector
def add_row(typing: Any, target: Any, t: Any, source: Any, s: Any) -> Any:
    """target[t] += source[s]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target_type, _, source_type, _ = signature.args
        target, t, source, s = arguments
        old = _load(context, builder, target_type, target, t)
        new = builder.fadd(old, _load(context, builder, source_type, source, s))
        _store(context, builder, target_type, target, t, new)
        return context.get_dummy_value()

    return types.void(target, types.intp, source, types.intp), generate


def _starred(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """sums[52] - sums[a] - sums[b]."""
    sums_type, (_, _, sums, a, b) = signature.args[2], arguments
    everyone = _load(context, builder, sums_type, sums, ir.Constant(a.type, 52))
    without = builder.fsub(everyone, _load(context, builder, sums_type, sums, a))
    return builder.fsub(without, _load(context, builder, sums_type, sums, b))


@vector
def set_starred(typing: Any, target: Any, t: Any, sums: Any, a: Any, b: Any) -> Any:
    """target[t] = sums[52] - sums[a] - sums[b]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = _starred(context, builder, signature, arguments)
        _store(context, builder, signature.args[0], arguments[0], arguments[1], value)
        return context.get_dummy_value()

    return types.void(target, types.intp, sums, types.intp, types.intp), generate


@vector
def add_starred(typing: Any, target: Any, t: Any, sums: Any, a: Any, b: Any) -> Any:
    """target[t] += sums[52] - sums[a] - sums[b]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = _starred(context, builder, signature, arguments)
        old = _load(context, builder, signature.args[0], arguments[0], arguments[1])
        new = builder.fadd(old, value)
        _store(context, builder, signature.args[0], arguments[0], arguments[1], new)
        return context.get_dummy_value()

    return types.void(target, types.intp, sums, types.intp, types.intp), generate


@vector
def subtract_starred(typing: Any, target: Any, t: Any, sums: Any, a: Any, b: Any) -> Any:
    """target[t] -= sums[52] - sums[a] - sums[b]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = _starred(context, builder, signature, arguments)
        old = _load(context, builder, signature.args[0], arguments[0], arguments[1])
        new = builder.fsub(old, value)
        _store(context, builder, signature.args[0], arguments[0], arguments[1], new)
        return context.get_dummy_value()

    return types.void(target, types.intp, sums, types.intp, types.intp), generate
