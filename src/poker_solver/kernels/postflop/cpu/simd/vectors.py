"""Straight-line code on vectors of sixteen float32, as the intrinsics of this package write it.

Written as loops over sixteen, the compiler cannot prove that rows do not overlap and falls back to
one number at a time, which is five times slower.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.core.typing import templates
from numba.extending import intrinsic as untyped_intrinsic

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.regret import TINY

Value: TypeAlias = ir.Value
Values: TypeAlias = Sequence[Value]
Builder: TypeAlias = ir.IRBuilder
T: TypeAlias = types.Type
Signature: TypeAlias = templates.Signature


class Context(Protocol):
    """What numba's lowering offers beside the builder."""

    target_data: Value

    def make_array(self, kind: T) -> Callable[["Context", Builder, Value], Value]:
        """A view of an array's struct."""

    def get_dummy_value(self) -> Value:
        """What a function without a result returns."""


Typed: TypeAlias = tuple[Signature, Callable[[Context, Builder, Signature, Values], Value]]

VECTOR = ir.VectorType(ir.FloatType(), LANES)
INT32 = ir.IntType(32)

USUAL_COUNTS = (2, 3, 4)
"""Of actions at a decision."""

cgutils: Any = untyped_cgutils
intrinsic: Any = untyped_intrinsic  # its own types forget that the first argument is not given


class Strided(NamedTuple):
    """Sixteen numbers of every action: at first, first + distance, ... of an array, flat."""

    array: Value
    first: Value
    distance: Value

    def at(self, code: "Code", a: Value) -> Value:
        """Index of action a."""
        return code.step(self.first, self.distance, a)

    def load(self, code: "Code", a: Value) -> Value:
        """What stands there for action a."""
        return code.load(self.array, self.at(code, a))


class Numbers(Protocol):
    """Sixteen numbers of every action, wherever they stand."""

    def load(self, code: "Code", a: Value) -> Value:
        """Those of action a."""


class Code:
    """Loads, stores, arithmetic and loops, appended to a function that is being made."""

    def __init__(
        self, context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> None:
        self.context, self.builder = context, builder
        self.arrays = dict(zip(map(id, arguments), signature.args, strict=True))
        self.zero = self.constant(0.0)

    def constant(self, value: float) -> Value:
        """A vector that has this number sixteen times."""
        return ir.Constant(VECTOR, [value] * LANES)

    def number(self, value: int) -> Value:
        """An index."""
        return ir.Constant(ir.IntType(64), value)

    def _array(self, array: Value) -> Value:
        return self.context.make_array(self.arrays[id(array)])(self.context, self.builder, array)

    def place(self, array: Value, index: Value) -> Value:
        """Pointer to array[index], flat."""
        return self.builder.gep(self._array(array).data, [index])

    def entry(self, array: Value, index: Value) -> Value:
        """The integer array[index], flat, as an index."""
        found = self.builder.load(self.place(array, index))
        if found.type.width == 64:
            return found
        signed = self.arrays[id(array)].dtype.signed
        extend = self.builder.sext if signed else self.builder.zext
        return extend(found, ir.IntType(64))

    def load(self, array: Value, index: Value) -> Value:
        """Sixteen numbers from array[index] on, flat; integers become float32."""
        place = self.place(array, index)
        if isinstance(place.type.pointee, ir.IntType):
            kind = ir.VectorType(place.type.pointee, LANES)
            found = self.builder.load(self.builder.bitcast(place, kind.as_pointer()), align=2)
            return self.builder.sitofp(found, VECTOR)
        return self.builder.load(self.builder.bitcast(place, VECTOR.as_pointer()), align=4)

    def store(self, value: Value, array: Value, index: Value) -> None:
        """Write sixteen numbers to array[index] on, flat."""
        pointer = self.builder.bitcast(self.place(array, index), VECTOR.as_pointer())
        self.builder.store(value, pointer, align=4)

    def lane_row(self, array: Value, row: Value) -> Value:
        """Row of a [rows, 16] array."""
        return self.load(array, self.times(row, LANES))

    def lane_row_at(self, array: Value, rows: Value, index: Value) -> Value:
        """Row of a [rows, 16] array that rows[index] says, times 8: a factor of addresses."""
        return self.builder.load(self._row_place(array, rows, index), align=4)

    def set_lane_row_at(self, value: Value, array: Value, rows: Value, index: Value) -> None:
        """Write the row of a [rows, 16] array that rows[index] says, times 8."""
        self.builder.store(value, self._row_place(array, rows, index), align=4)

    def _row_place(self, array: Value, rows: Value, index: Value) -> Value:
        first = self.builder.bitcast(self._array(array).data, ir.IntType(64).as_pointer())
        place = self.builder.gep(first, [self.entry(rows, index)])
        return self.builder.bitcast(place, VECTOR.as_pointer())

    def set_lane_row(self, value: Value, array: Value, row: Value) -> None:
        """Write a row of a [rows, 16] array."""
        self.store(value, array, self.times(row, LANES))

    def plus(self, index: Value, more: int) -> Value:
        """An index further on."""
        return self.builder.add(index, ir.Constant(index.type, more))

    def times(self, index: Value, factor: int) -> Value:
        """An index so many times as far."""
        return self.builder.mul(index, ir.Constant(index.type, factor))

    def step(self, index: Value, distance: Value, count: Value) -> Value:
        """An index so many distances further on; the count is known now or an index too."""
        if isinstance(count, int):
            return self.builder.add(index, self.times(distance, count))
        return self.builder.add(index, self.builder.mul(distance, count))

    def bits(self, number: Value, first: int, count: int) -> Value:
        """Some bits of an index, as an index."""
        shifted = self.builder.lshr(number, ir.Constant(number.type, first))
        return self.builder.and_(shifted, ir.Constant(number.type, (1 << count) - 1))

    def broadcast(self, number: Value) -> Value:
        """The same number in every lane."""
        first = self.builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, INT32(0))
        places = ir.Constant(ir.VectorType(INT32, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, first, places)

    def spread(self, array: Value, count: int) -> list[Value]:
        """Its first numbers, each in every lane.

        Numbers given as such would be spread ahead of all loops, and be spilled on the way here.
        """
        places = [self.place(array, self.number(k)) for k in range(count)]
        return [self.broadcast(self.builder.load(place)) for place in places]

    def is_positive(self, value: Value) -> Value:
        """Which of the sixteen are above 0."""
        return self.builder.fcmp_ordered(">", value, self.zero)

    def is_known(self, total: Value) -> Value:
        """Which of the sixteen sums over actions can be divided by; see `TINY`."""
        return self.builder.fcmp_ordered(">", total, self.constant(TINY))

    def clip(self, value: Value) -> Value:
        """What is above 0, and 0 for the rest."""
        return self.builder.select(self.is_positive(value), value, self.zero)

    def share(self, count: Value) -> Value:
        """One part in so many, sixteen times."""
        if isinstance(count, int):
            return self.constant(1 / count)
        number = self.builder.uitofp(count, ir.FloatType())
        return self.broadcast(self.builder.fdiv(ir.Constant(number.type, 1.0), number))

    def larger(self, a: Value, b: Value) -> Value:
        """The larger of two, sixteen times; the first where they are equal."""
        return self.builder.select(self.builder.fcmp_ordered(">", b, a), b, a)

    def variable(self, value: Value) -> Value:
        """Something that changes in loops; the compiler keeps it in registers."""
        return cgutils.alloca_once_value(self.builder, value)

    @contextmanager
    def loop(self, first: Value, last: Value, by: int = 1) -> Iterator[Value]:
        """What is appended inside is done for every such index from first, below last."""
        step = ir.Constant(first.type, by)
        with cgutils.for_range_slice(self.builder, first, last, step, inc=True) as (index, _):
            yield index

    def each(self, count: Value, body: Callable[[Value], None]) -> None:
        """The body for 0, 1, ... below count: written out if the count is known, else a loop."""
        if isinstance(count, int):
            for a in range(count):
                body(a)
        else:
            with self.loop(self.number(0), count) as a:
                body(a)

    def reduce(
        self, count: Value, value: Callable[[Value], Value], join: Callable[[Value, Value], Value]
    ) -> Value:
        """The values of 0, 1, ... below count, which is above 0, joined in order."""
        if isinstance(count, int):
            return functools.reduce(join, [value(a) for a in range(count)])
        found = self.variable(value(self.number(0)))
        with self.loop(self.number(1), count) as a:
            self.builder.store(join(self.builder.load(found), value(a)), found)
        return self.builder.load(found)

    def rows(self, rows: Numbers, count: Value) -> Callable[[Value], Value]:
        """What stands there for each action: loaded at once if the count is known."""
        if isinstance(count, int):
            loaded = [rows.load(self, a) for a in range(count)]
            return lambda a: loaded[a]
        return lambda a: rows.load(self, a)

    def put(self, value: Value, rows: Strided, a: Value) -> None:
        """Write what stands there for action a."""
        self.store(value, rows.array, rows.at(self, a))

    def by_count(self, count: Value, body: Callable[[Value], None]) -> None:
        """The body with the count: written out for each of the usual ones, general for others."""
        end, other = (self.builder.append_basic_block(name) for name in ("counted", "other"))
        choice = self.builder.switch(count, other)
        for usual in USUAL_COUNTS:
            block = self.builder.append_basic_block(f"count{usual}")
            choice.add_case(ir.Constant(count.type, usual), block)
            self.builder.position_at_end(block)
            body(usual)
            self.builder.branch(end)
        self.builder.position_at_end(other)
        body(count)
        self.builder.branch(end)
        self.builder.position_at_end(end)


def vector_code(write: Callable[..., Value | None]) -> Any:
    """An intrinsic whose code a function writes: arrays as given, indices, numbers in float32."""
    has_result = inspect.signature(write).return_annotation is not None

    @functools.wraps(write)
    def typed(typing: object, *given: T) -> Typed:
        kinds = [
            kind if isinstance(kind, types.Array)
            else types.intp if isinstance(kind, types.Integer) else types.float32
            for kind in given
        ]  # fmt: skip

        def generate(
            context: Context, builder: Builder, signature: Signature, arguments: Values
        ) -> Value:
            result = write(Code(context, builder, signature, arguments), *arguments)
            return result if has_result else context.get_dummy_value()

        return (types.float32 if has_result else types.void)(*kinds), generate

    return intrinsic(typed)
