"""Sixteen hands at once where hands share rows, as vector code; see `cpu.simd.walks`.

`first_row` is where the numbers of row 0 begin, `num_rows` lies between actions. The rows of the
sixteen hands stand from `at` on in `row`; if they are all one, `is_one` says so and is quicker.
"""

from collections.abc import Callable
from typing import NamedTuple

from llvmlite import ir

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.blocks import write_policy
from poker_solver.kernels.postflop.cpu.simd.vectors import (
    INT32,
    VECTOR,
    Code,
    Numbers,
    Strided,
    Value,
    vector_code,
)
from poker_solver.kernels.postflop.cpu.simd.walks import program_step, walk_up


def _number(code: Code, array: Value, index: Value) -> Value:
    """One number as float32."""
    found = code.builder.load(code.place(array, index))
    if isinstance(found.type, ir.IntType):
        return code.builder.sitofp(found, ir.FloatType())
    return found


def _gather(code: Code, array: Value, indices: list[Value]) -> Value:
    """Sixteen numbers from anywhere in an array."""
    found = ir.Constant(VECTOR, ir.Undefined)
    for lane, index in enumerate(indices):
        found = code.builder.insert_element(found, _number(code, array, index), INT32(lane))
    return found


class OneRow(NamedTuple):
    """The numbers of one row, the same for sixteen hands."""

    array: Value
    first: Value
    distance: Value

    def load(self, code: Code, a: Value) -> Value:
        """Those of action a."""
        index = code.step(self.first, self.distance, a)
        return code.broadcast(_number(code, self.array, index))


class AnyRows(NamedTuple):
    """The numbers of sixteen rows."""

    array: Value
    first: list[Value]
    distance: Value

    def load(self, code: Code, a: Value) -> Value:
        """Those of action a."""
        more = code.step(code.number(0), self.distance, a)
        return _gather(code, self.array, [code.builder.add(first, more) for first in self.first])


class _Rows:
    """The rows of sixteen hands; loads what a decision's state has for them."""

    def __init__(self, code: Code, num_rows: Value, row: Value, at: Value, *, is_one: bool) -> None:
        self.code, self.num_rows, self.is_one = code, num_rows, is_one
        self.rows = [code.entry(row, code.plus(at, k)) for k in range(1 if is_one else LANES)]

    def of(self, stored: Value, first_row: Value, offset: Value) -> Numbers:
        """The numbers of a decision whose first action has this offset."""
        builder = self.code.builder
        begin = builder.add(first_row, builder.mul(offset, self.num_rows))
        places = [builder.add(begin, row) for row in self.rows]
        if self.is_one:
            return OneRow(stored, places[0], self.num_rows)
        return AnyRows(stored, places, self.num_rows)


def _either(
    code: Code, is_one: Value, num_rows: Value, row: Value, at: Value, body: Callable[[_Rows], None]
) -> None:
    """The body for sixteen hands of one row, or of any."""
    builder = code.builder
    with builder.if_else(builder.icmp_signed("!=", is_one, code.number(0))) as (one, many):
        with one:
            body(_Rows(code, num_rows, row, at, is_one=True))
        with many:
            body(_Rows(code, num_rows, row, at, is_one=False))


@vector_code
def set_down(
    code: Code, entries: Value, first: Value, last: Value, live: Value, i: Value, cfv: Value,
    out: Value, pitch: Value,
) -> None:  # fmt: skip
    """out[deal * pitch + i] = live[i] * cfv[slot] where lines begin."""
    alive = code.load(live, i)
    with code.loop(first, last) as k:
        deal, slot = program_step(code, entries, k, 2)
        value = code.builder.fmul(alive, code.load(cfv, slot))
        code.store(value, out, code.step(i, pitch, deal))


@vector_code
def play_rows_down(
    code: Code, steps: Value, first: Value, last: Value, stored: Value, first_row: Value,
    num_rows: Value, row: Value, at: Value, is_one: Value, reach: Value,
) -> None:  # fmt: skip
    """reach[below] = reach[slot] * policy of the action that leads there, decision by decision."""
    pitch = code.number(LANES)

    def walk(rows: _Rows) -> None:
        with code.loop(first, last) as k:
            count, offset, slot, below = program_step(code, steps, k, 4)
            here, numbers = code.load(reach, slot), rows.of(stored, first_row, offset)
            out = Strided(reach, below, pitch)
            code.by_count(count, lambda c: write_policy(code, c, numbers, here, out))

    _either(code, is_one, num_rows, row, at, walk)


@vector_code
def match_rows_down(
    code: Code, steps: Value, first: Value, last: Value, stored: Value, first_row: Value,
    num_rows: Value, row: Value, at: Value, is_one: Value, policy: Value,
) -> None:  # fmt: skip
    """policy[below] = policy of the action that leads there, at every decision."""
    pitch, one = code.number(LANES), code.constant(1.0)

    def walk(rows: _Rows) -> None:
        with code.loop(first, last) as k:
            count, offset, _, below = program_step(code, steps, k, 4)
            numbers, out = rows.of(stored, first_row, offset), Strided(policy, below, pitch)
            code.by_count(count, lambda c: write_policy(code, c, numbers, one, out))

    _either(code, is_one, num_rows, row, at, walk)


def _mixed(code: Code, count: Value, numbers: Numbers, values: Callable[[Value], Value]) -> Value:
    """The value of the policy that stored numbers make; the order of steps is `write_learned`'s."""
    builder, regrets = code.builder, code.rows(numbers, count)
    total = code.reduce(count, lambda a: code.clip(regrets(a)), builder.fadd)
    is_known, share = code.is_known(total), builder.fdiv(code.constant(1.0), total)
    even = code.share(count)

    def part(a: Value) -> Value:
        known = builder.fmul(code.clip(regrets(a)), share)
        return builder.fmul(values(a), builder.select(is_known, known, even))

    return code.reduce(count, part, builder.fadd)


@vector_code
def mix_rows_up(
    code: Code, steps: Value, first: Value, last: Value, stored: Value, first_row: Value,
    num_rows: Value, row: Value, at: Value, is_one: Value, part: Value, cfv: Value, own: Value,
    live: Value, i: Value, floor: Value, rest: Value, is_more: Value, lane_value: Value,
    lane_reach: Value,
) -> None:  # fmt: skip
    """From the cfv of terminals to that of every decision; what the player's rows are to be told.

    lane_value[a] = w * cfv of action a, with w = floor + rest * reach, and
    lane_reach[first action] = reach, actions counted from `part` on; with `is_more` they are added
    to what stands there.
    """
    builder, pitch = code.builder, code.number(LANES)
    least, more_of = builder.fmul(code.broadcast(floor), code.load(live, i)), code.broadcast(rest)
    is_added = builder.icmp_signed("!=", is_more, code.number(0))

    def more(before: Value, value: Value) -> Value:
        return builder.fadd(builder.select(is_added, before, code.zero), value)

    def walk(rows: _Rows) -> None:
        def decide(count: Value, offset: Value, slot: Value, below: Value, own_slot: Value) -> None:
            values = code.rows(Strided(cfv, below, pitch), count)
            reach = code.load(own, own_slot)
            weight = builder.fadd(least, builder.fmul(more_of, reach))
            place = code.times(builder.sub(offset, part), LANES)
            told = Strided(lane_value, place, pitch)
            value = _mixed(code, count, rows.of(stored, first_row, offset), values)
            code.store(value, cfv, slot)

            def tell(a: Value) -> None:
                code.put(more(told.load(code, a), builder.fmul(weight, values(a))), told, a)

            code.each(count, tell)
            code.store(more(code.load(lane_reach, place), reach), lane_reach, place)

        walk_up(code, steps, first, last, cfv, decide)

    _either(code, is_one, num_rows, row, at, walk)


def _sum(code: Code, value: Value) -> Value:
    """The sixteen numbers of a vector added up: halves, quarters, ..."""
    builder, size = code.builder, LANES
    while size > 1:
        size //= 2
        low, high = (
            builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(INT32, size), places))
            for places in ([*range(size)], [*range(size, 2 * size)])
        )
        value = builder.fadd(low, high)
    return builder.extract_element(value, INT32(0))


@vector_code
def add_lanes(
    code: Code, steps: Value, first: Value, last: Value, part: Value, lane_value: Value,
    lane_reach: Value, begin: Value, end: Value, value: Value, reach: Value, width: Value,
    row: Value,
) -> None:  # fmt: skip
    """Add lanes begin:end of all that a player's decisions have to what a row has been told."""
    builder = code.builder
    lanes = ir.Constant(ir.VectorType(INT32, LANES), list(range(LANES)))
    low, high = (_spread_index(code, of) for of in (begin, end))
    is_in = builder.and_(
        builder.icmp_signed(">=", lanes, low), builder.icmp_signed("<", lanes, high)
    )

    def add(source: Value, target: Value, action: Value) -> None:
        some = builder.select(is_in, code.load(source, code.times(action, LANES)), code.zero)
        place = code.place(target, code.step(row, width, action))
        builder.store(builder.fadd(builder.load(place), _sum(code, some)), place)

    with code.loop(first, last) as k:
        count, offset, _, _ = program_step(code, steps, k, 4)
        action = builder.sub(offset, part)
        add(lane_reach, reach, action)
        with code.loop(action, builder.add(action, count)) as a:
            add(lane_value, value, a)


def _spread_index(code: Code, index: Value) -> Value:
    """An index in sixteen lanes."""
    vector = ir.VectorType(INT32, LANES)
    number = code.builder.trunc(index, INT32)
    first = code.builder.insert_element(ir.Constant(vector, ir.Undefined), number, INT32(0))
    return code.builder.shuffle_vector(first, first, ir.Constant(vector, [0] * LANES))


@vector_code
def play_rows(
    code: Code, stored: Value, first_row: Value, num_rows: Value, row: Value, at: Value,
    count: Value, reach: Value, r: Value, below: Value, pitch: Value,
) -> None:  # fmt: skip
    """reach[below + a * pitch] = reach[r] * policy of action a."""
    rows = _Rows(code, num_rows, row, at, is_one=False)
    numbers, here = rows.of(stored, first_row, code.number(0)), code.load(reach, r)
    out = Strided(reach, below, pitch)
    code.by_count(count, lambda c: write_policy(code, c, numbers, here, out))


@vector_code
def match_rows(
    code: Code, stored: Value, first_row: Value, num_rows: Value, row: Value, at: Value,
    count: Value, policy: Value, p: Value, pitch: Value,
) -> None:  # fmt: skip
    """policy[p + a * pitch] = policy of action a."""
    rows = _Rows(code, num_rows, row, at, is_one=False)
    numbers, one = rows.of(stored, first_row, code.number(0)), code.constant(1.0)
    out = Strided(policy, p, pitch)
    code.by_count(count, lambda c: write_policy(code, c, numbers, one, out))


@vector_code
def mix_rows(
    code: Code, stored: Value, first_row: Value, num_rows: Value, row: Value, at: Value,
    count: Value, cfv: Value, node: Value, below: Value, pitch: Value,
) -> None:  # fmt: skip
    """cfv[node] = the value of the policy, of cfv[below + a * pitch]."""
    rows = _Rows(code, num_rows, row, at, is_one=False)
    numbers = rows.of(stored, first_row, code.number(0))

    def mix(c: Value) -> None:
        values = code.rows(Strided(cfv, below, pitch), c)
        code.store(_mixed(code, c, numbers, values), cfv, node)

    code.by_count(count, mix)
