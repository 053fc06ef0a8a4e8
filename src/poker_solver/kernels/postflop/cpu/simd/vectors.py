"""Straight-line code on vectors of sixteen float32, as the intrinsics of this package write it.

Written as loops over sixteen, the compiler cannot prove that rows do not overlap and falls back to
one number at a time, which is five times slower.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils as untyped_cgutils
from numba.extending import intrinsic as untyped_intrinsic

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.regret import TINY

VECTOR = ir.VectorType(ir.FloatType(), LANES)
INT32 = ir.IntType(32)

USUAL_COUNTS = (2, 3, 4)
"""Of actions at a decision."""

cgutils: Any = untyped_cgutils
intrinsic: Any = untyped_intrinsic  # its own types forget that the first argument is not given


class Code:
    """Loads, stores, arithmetic and loops, appended to a function that is being made."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.context, self.builder = context, builder
        self.arrays = dict(zip(map(id, arguments), signature.args, strict=True))
        self.zero = self.constant(0.0)

    def constant(self, value: float) -> Any:
        """A vector that has this number sixteen times."""
        return ir.Constant(VECTOR, [value] * LANES)

    def number(self, value: int) -> Any:
        """An index."""
        return ir.Constant(ir.IntType(64), value)

    def _array(self, array: Any) -> Any:
        return self.context.make_array(self.arrays[id(array)])(self.context, self.builder, array)

    def width(self, array: Any) -> Any:
        """Numbers in each row of a two-dimensional array."""
        return self.builder.extract_value(self._array(array).shape, 1)

    def place(self, array: Any, index: Any) -> Any:
        """Pointer to array[index], flat."""
        return self.builder.gep(self._array(array).data, [index])

    def entry(self, array: Any, index: Any) -> Any:
        """The integer array[index], flat, as an index."""
        found = self.builder.load(self.place(array, index))
        if found.type.width == 64:
            return found
        signed = self.arrays[id(array)].dtype.signed
        extend = self.builder.sext if signed else self.builder.zext
        return extend(found, ir.IntType(64))

    def load(self, array: Any, index: Any) -> Any:
        """Sixteen numbers from array[index] on, flat; integers become float32."""
        place = self.place(array, index)
        if isinstance(place.type.pointee, ir.IntType):
            kind = ir.VectorType(place.type.pointee, LANES)
            found = self.builder.load(self.builder.bitcast(place, kind.as_pointer()), align=2)
            return self.builder.sitofp(found, VECTOR)
        return self.builder.load(self.builder.bitcast(place, VECTOR.as_pointer()), align=4)

    def store(self, value: Any, array: Any, index: Any) -> None:
        """Write sixteen numbers to array[index] on, flat."""
        pointer = self.builder.bitcast(self.place(array, index), VECTOR.as_pointer())
        self.builder.store(value, pointer, align=4)

    def lane_row(self, array: Any, row: Any) -> Any:
        """Row of a [rows, 16] array."""
        return self.load(array, self.times(row, LANES))

    def set_lane_row(self, value: Any, array: Any, row: Any) -> None:
        """Write a row of a [rows, 16] array."""
        self.store(value, array, self.times(row, LANES))

    def plus(self, index: Any, more: int) -> Any:
        """An index further on."""
        return self.builder.add(index, ir.Constant(index.type, more))

    def times(self, index: Any, factor: int) -> Any:
        """An index so many times as far."""
        return self.builder.mul(index, ir.Constant(index.type, factor))

    def step(self, index: Any, distance: Any, count: Any) -> Any:
        """An index so many distances further on; the count is known now or an index too."""
        if isinstance(count, int):
            return self.builder.add(index, self.times(distance, count))
        return self.builder.add(index, self.builder.mul(distance, count))

    def bits(self, number: Any, first: int, count: int) -> Any:
        """Some bits of an index, as an index."""
        shifted = self.builder.lshr(number, ir.Constant(number.type, first))
        return self.builder.and_(shifted, ir.Constant(number.type, (1 << count) - 1))

    def spread(self, number: Any) -> Any:
        """The same number in every place."""
        first = self.builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, INT32(0))
        places = ir.Constant(ir.VectorType(INT32, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, first, places)

    def is_positive(self, value: Any) -> Any:
        """Which of the sixteen are above 0."""
        return self.builder.fcmp_ordered(">", value, self.zero)

    def is_known(self, total: Any) -> Any:
        """Which of the sixteen sums over actions can be divided by; see `TINY`."""
        return self.builder.fcmp_ordered(">", total, self.constant(TINY))

    def clip(self, value: Any) -> Any:
        """What is above 0, and 0 for the rest."""
        return self.builder.select(self.is_positive(value), value, self.zero)

    def share(self, count: Any) -> Any:
        """One part in so many, sixteen times."""
        if isinstance(count, int):
            return self.constant(1 / count)
        number = self.builder.uitofp(count, ir.FloatType())
        return self.spread(self.builder.fdiv(ir.Constant(number.type, 1.0), number))

    def larger(self, a: Any, b: Any) -> Any:
        """The larger of two, sixteen times; the first where they are equal."""
        return self.builder.select(self.builder.fcmp_ordered(">", b, a), b, a)

    def variable(self, value: Any) -> Any:
        """Something that changes in loops; the compiler keeps it in registers."""
        return cgutils.alloca_once_value(self.builder, value)

    @contextmanager
    def loop(self, first: Any, last: Any) -> Iterator[Any]:
        """What is appended inside is done for every index from first, below last."""
        one = ir.Constant(first.type, 1)
        with cgutils.for_range_slice(self.builder, first, last, one, inc=True) as (index, _):
            yield index

    def each(self, count: Any, body: Callable[[Any], None]) -> None:
        """The body for 0, 1, ... below count: written out if the count is known, else a loop."""
        if isinstance(count, int):
            for a in range(count):
                body(a)
        else:
            with self.loop(self.number(0), count) as a:
                body(a)

    def reduce(
        self, count: Any, value: Callable[[Any], Any], join: Callable[[Any, Any], Any]
    ) -> Any:
        """The values of 0, 1, ... below count, which is above 0, joined in order."""
        if isinstance(count, int):
            return functools.reduce(join, [value(a) for a in range(count)])
        found = self.variable(value(self.number(0)))
        with self.loop(self.number(1), count) as a:
            self.builder.store(join(self.builder.load(found), value(a)), found)
        return self.builder.load(found)

    def rows(self, array: Any, first: Any, distance: Any, count: Any) -> Callable[[Any], Any]:
        """What stands at first, first + distance, ...: loaded at once if the count is known."""
        if isinstance(count, int):
            loaded = [self.load(array, self.step(first, distance, a)) for a in range(count)]
            return lambda a: loaded[a]
        return lambda a: self.load(array, self.step(first, distance, a))

    def by_count(self, count: Any, body: Callable[[Any], None]) -> None:
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
