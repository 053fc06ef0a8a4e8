"""Sixteen terminals side by side: vector rows of [rows, 16] float64 arrays.

As loops over sixteen the compiler cannot prove that rows do not overlap, and takes one number at a
time.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from poker_solver.kernels.line_values import LANES

VECTOR = ir.VectorType(ir.DoubleType(), LANES)

vector: Any = intrinsic  # its own types forget that the first argument is not the caller's


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    begin = builder.gep(data, [builder.mul(row, ir.Constant(row.type, LANES))])
    return builder.bitcast(begin, VECTOR.as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    return builder.load(_pointer(context, builder, array_type, array, row), align=8)


@vector
def add_product(typing: Any, target: Any, t: Any, factor: Any, f: Any, source: Any, s: Any) -> Any:
    """target[t] += factor[f] * source[s]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target_type, _, factor_type, _, source_type, _ = signature.args
        target, t, factor, f, source, s = arguments
        at = _pointer(context, builder, target_type, target, t)
        weight = _load(context, builder, factor_type, factor, f)
        more = builder.fmul(weight, _load(context, builder, source_type, source, s))
        builder.store(builder.fadd(builder.load(at, align=8), more), at, align=8)
        return context.get_dummy_value()

    n = types.intp
    return types.void(target, n, factor, n, source, n), generate


@vector
def count(typing: Any, sums: Any, a: Any, b: Any, source: Any, s: Any) -> Any:
    """sums[52], sums[a] and sums[b] += source[s]; a is not b."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums_type, _, _, source_type, _ = signature.args
        sums, a, b, source, s = arguments
        more = _load(context, builder, source_type, source, s)
        rows = (ir.Constant(a.type, 52), a, b)
        pointers = [_pointer(context, builder, sums_type, sums, row) for row in rows]
        found = [builder.fadd(builder.load(pointer, align=8), more) for pointer in pointers]
        for pointer, value in zip(pointers, found, strict=True):
            builder.store(value, pointer, align=8)
        return context.get_dummy_value()

    n = types.intp
    return types.void(sums, n, n, source, n), generate


@vector
def add_rest(
    typing: Any, target: Any, t: Any, factor: Any, f: Any, sums: Any, a: Any, b: Any
) -> Any:
    """target[t] += factor[f] * (sums[52] - sums[a] - sums[b])."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target_type, _, factor_type, _, sums_type, _, _ = signature.args
        target, t, factor, f, sums, a, b = arguments
        at = _pointer(context, builder, target_type, target, t)
        everyone, first, second = (
            _load(context, builder, sums_type, sums, row) for row in (ir.Constant(a.type, 52), a, b)
        )
        rest = builder.fsub(builder.fsub(everyone, first), second)
        more = builder.fmul(_load(context, builder, factor_type, factor, f), rest)
        builder.store(builder.fadd(builder.load(at, align=8), more), at, align=8)
        return context.get_dummy_value()

    n = types.intp
    return types.void(target, n, factor, n, sums, n, n), generate
