"""Sixteen lanes at once: vector rows of [rows, 16] arrays, and the turn from rows to lanes.

Written as loops over sixteen, the compiler cannot prove that rows do not overlap and falls back to
one number at a time, which is five times slower.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.extending import intrinsic

from poker_solver.kernels.postflop import LANES

cgutils: Any = untyped_cgutils
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


@vector
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of array[index], flat; any index will do."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(call, [place, i32(0), i32(2), i32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Sixteen vectors of sixteen, turned: four rounds of swapping halves, quarters, ..."""
    mask_type = ir.VectorType(ir.IntType(32), LANES)
    for step in (8, 4, 2, 1):
        places = range(LANES)
        low = [e if not e & step else LANES + e - step for e in places]
        high = [e + step if not e & step else LANES + e for e in places]
        low_mask, high_mask = ir.Constant(mask_type, low), ir.Constant(mask_type, high)
        for i in (i for i in places if not i & step):
            a, b = rows[i], rows[i + step]
            rows[i] = builder.shuffle_vector(a, b, low_mask)
            rows[i + step] = builder.shuffle_vector(a, b, high_mask)
    return rows


def _row_pointers(
    context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any, first: Any
) -> list[Any]:
    """Pointers to array[index[k], first:first + 16] for each of sixteen k."""
    record = context.make_array(array_type)(context, builder, array)
    width = builder.extract_value(record.shape, 1)
    numbers = context.make_array(index_type)(context, builder, index).data
    vector = ir.VectorType(context.get_data_type(array_type.dtype), LANES).as_pointer()
    pointers = []
    for k in range(LANES):
        number = builder.load(builder.gep(numbers, [ir.Constant(first.type, k)]))
        row = builder.sext(number, first.type)
        place = builder.gep(record.data, [builder.add(builder.mul(row, width), first)])
        pointers.append(builder.bitcast(place, vector))
    return pointers


@vector
def rows_to_lanes(typing: Any, lanes: Any, first: Any, source: Any, rows: Any) -> Any:
    """lanes[h, k] = source[rows[k], h] for sixteen hands h from first; rows is int32 [16]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes_type, _, source_type, rows_type = signature.args
        lanes, first, source, rows = arguments
        pointers = _row_pointers(context, builder, source_type, source, rows_type, rows, first)
        turned = _transposed(builder, [builder.load(p, align=4) for p in pointers])
        for h, value in enumerate(turned):
            row = builder.add(first, ir.Constant(first.type, h))
            _store(context, builder, lanes_type, lanes, row, value)
        return context.get_dummy_value()

    return types.void(lanes, types.intp, source, rows), generate


@vector
def lanes_to_rows(typing: Any, target: Any, rows: Any, lanes: Any, first: Any, factor: Any) -> Any:
    """target[rows[k], h] = factor[k] * lanes[h, k] for sixteen hands h from first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target_type, rows_type, lanes_type, _, factor_type = signature.args
        target, rows, lanes, first, factor = arguments
        zero = ir.Constant(first.type, 0)
        scale = _load(context, builder, factor_type, factor, zero)
        loaded = []
        for h in range(LANES):
            row = builder.add(first, ir.Constant(first.type, h))
            loaded.append(builder.fmul(scale, _load(context, builder, lanes_type, lanes, row)))
        pointers = _row_pointers(context, builder, target_type, target, rows_type, rows, first)
        for value, pointer in zip(_transposed(builder, loaded), pointers, strict=True):
            builder.store(value, pointer, align=4)
        return context.get_dummy_value()

    return types.void(target, rows, lanes, types.intp, factor), generate
