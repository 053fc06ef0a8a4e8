"""Sixteen terminals at once: from rows of hands to lanes, sums per card, and back to rows.

A *place* is one int32: hand, first card << 16, second card << 24. Sums are [53, 16]: per card, and
over all hands in the last row; X* of a hand means sums[52] less those of its two cards.
"""

from typing import Any

from llvmlite import ir
from numba import types

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.vectors import INT32, Code, intrinsic

ALL = 52


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of array[index], flat; any index will do."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = Code(context, builder, signature, arguments)
        place = builder.bitcast(code.place(*arguments), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, INT32, INT32, INT32])
        module = builder.module
        name = "llvm.prefetch.p0i8"
        call = module.globals.get(name) or ir.Function(module, kind, name)
        builder.call(call, [place, INT32(0), INT32(2), INT32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Sixteen vectors of sixteen, turned: four rounds of swapping halves, quarters, ..."""
    mask_type = ir.VectorType(INT32, LANES)
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


def _row_starts(code: Code, array: Any, rows: Any, first: Any) -> list[Any]:
    """Flat index of array[rows[k], first] for each of sixteen k."""
    width = code.width(array)
    found = [code.entry(rows, code.number(k)) for k in range(LANES)]
    return [code.builder.add(code.builder.mul(row, width), first) for row in found]


@intrinsic
def rows_to_lanes(typing: Any, lanes: Any, first: Any, source: Any, rows: Any) -> Any:
    """lanes[h, k] = source[rows[k], h] for sixteen hands h from first; rows is int32 [16]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, first, source, rows = arguments
        code = Code(context, builder, signature, arguments)
        starts = _row_starts(code, source, rows, first)
        turned = _transposed(builder, [code.load(source, start) for start in starts])
        for h, value in enumerate(turned):
            code.set_lane_row(value, lanes, code.plus(first, h))
        return context.get_dummy_value()

    return types.void(lanes, types.intp, source, rows), generate


def _write_rows(code: Code, target: Any, rows: Any, first: Any, values: list[Any]) -> None:
    starts = _row_starts(code, target, rows, first)
    for value, start in zip(_transposed(code.builder, values), starts, strict=True):
        code.store(value, target, start)


def _cards(code: Code, places: Any, index: Any) -> tuple[Any, Any, Any]:
    """Hand and both cards of a place."""
    place = code.entry(places, index)
    return code.bits(place, 0, 16), code.bits(place, 16, 8), code.bits(place, 24, 8)


@intrinsic
def won_to_rows(
    typing: Any, target: Any, rows: Any, won: Any, first: Any, hands: Any, sums: Any, payoff: Any
) -> Any:
    """target[rows[k], h] = payoff[0, k] * (won[h, k] - W*) for sixteen hands h from first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, rows, won, first, hands, sums, payoff = arguments
        code = Code(context, builder, signature, arguments)
        scale, everyone = (
            code.lane_row(payoff, code.number(0)),
            code.lane_row(sums, code.number(ALL)),
        )
        values = []
        for h in range(LANES):
            place = code.plus(first, h)
            _, a, b = _cards(code, hands, place)
            held = builder.fadd(code.lane_row(sums, a), code.lane_row(sums, b))
            more = builder.fsub(code.lane_row(won, place), builder.fsub(everyone, held))
            values.append(builder.fmul(scale, more))
        _write_rows(code, target, rows, first, values)
        return context.get_dummy_value()

    return types.void(target, rows, won, types.intp, hands, sums, payoff), generate


@intrinsic
def raked_to_rows(
    typing: Any, target: Any, rows: Any, won: Any, first: Any, hands: Any, lanes: Any, twin: Any,
    sums: Any, payoff: Any,
) -> Any:  # fmt: skip
    """target[rows[k], h] = (win - lose) / 2 * won + lose * W* + tie * w, all in lane k.

    This is win * L* + lose * (W* - E*) + tie * (E* - L* + w): rake shared on a tie puts `tie`
    halfway between `win` and `lose`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, rows, won, first, hands, lanes, twin, sums, payoff = arguments
        code = Code(context, builder, signature, arguments)
        everyone = code.lane_row(sums, code.number(ALL))
        win, lose, tie = (code.lane_row(payoff, code.number(k)) for k in range(3))
        half = builder.fmul(code.constant(0.5), builder.fsub(win, lose))
        values = []
        for h in range(LANES):
            place = code.plus(first, h)
            _, a, b = _cards(code, hands, place)
            held = builder.fadd(code.lane_row(sums, a), code.lane_row(sums, b))
            value = builder.fmul(half, code.lane_row(won, place))
            value = builder.fadd(value, builder.fmul(lose, builder.fsub(everyone, held)))
            same = code.lane_row(lanes, code.entry(twin, place))
            values.append(builder.fadd(value, builder.fmul(tie, same)))
        _write_rows(code, target, rows, first, values)
        return context.get_dummy_value()

    n = types.intp
    return types.void(target, rows, won, n, hands, lanes, twin, sums, payoff), generate


@intrinsic
def met_to_rows(
    typing: Any, target: Any, rows: Any, lanes: Any, first: Any, hands: Any, twin: Any, sums: Any,
    payoff: Any,
) -> Any:  # fmt: skip
    """target[rows[k], h] = payoff[0, k] * (W* + lanes[twin[h], k]), sixteen hands h from first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, rows, lanes, first, hands, twin, sums, payoff = arguments
        code = Code(context, builder, signature, arguments)
        scale, everyone = (
            code.lane_row(payoff, code.number(0)),
            code.lane_row(sums, code.number(ALL)),
        )
        values = []
        for h in range(LANES):
            place = code.plus(first, h)
            _, a, b = _cards(code, hands, place)
            same = builder.fadd(everyone, code.lane_row(lanes, code.entry(twin, place)))
            held = builder.fadd(code.lane_row(sums, a), code.lane_row(sums, b))
            values.append(builder.fmul(scale, builder.fsub(same, held)))
        _write_rows(code, target, rows, first, values)
        return context.get_dummy_value()

    n = types.intp
    return types.void(target, rows, lanes, n, hands, twin, sums, payoff), generate


def _clear(code: Code, array: Any, last: Any) -> None:
    with code.loop(code.number(0), last) as row:
        code.set_lane_row(code.zero, array, row)


def _count(
    code: Code, lanes: Any, places: Any, begin: Any, sums: Any, total: Any, first: Any, last: Any
) -> None:
    """Add the hands at places first:last to the sums of their cards and to the total."""
    with code.loop(first, last) as j:
        hand, a, b = _cards(code, places, code.builder.add(begin, j))
        reach = code.lane_row(lanes, hand)
        code.builder.store(code.builder.fadd(code.builder.load(total), reach), total)
        for card in (a, b):
            code.set_lane_row(code.builder.fadd(code.lane_row(sums, card), reach), sums, card)


@intrinsic
def tally(typing: Any, lanes: Any, places: Any, begin: Any, count: Any, sums: Any) -> Any:
    """Set sums to those of the hands at places[begin:begin + count], flat."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, places, begin, count, sums = arguments
        code = Code(context, builder, signature, arguments)
        total = code.variable(code.zero)
        _clear(code, sums, code.number(ALL))
        _count(code, lanes, places, begin, sums, total, code.number(0), count)
        code.set_lane_row(builder.load(total), sums, code.number(ALL))
        return context.get_dummy_value()

    n = types.intp
    return types.void(lanes, places, n, n, sums), generate


@intrinsic
def scan(
    typing: Any, lanes: Any, places: Any, begin: Any, count: Any, own_places: Any, own_begin: Any,
    steps: Any, first: Any, last: Any, sums: Any, won: Any, num_own: Any,
) -> Any:  # fmt: skip
    """Set won = L* + E* of every live hand, 0 of the others; leaves W in sums.

    Step s counts the opponent's places up to steps[s, 0], then adds X* of the sums as they are to
    own places steps[s, 1]:steps[s, 2]; each live hand is in two steps.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, places, begin, count, own_places, own_begin = arguments[:6]
        steps, first, last, sums, won, num_own = arguments[6:]
        code = Code(context, builder, signature, arguments)
        total, counted = code.variable(code.zero), code.variable(code.number(0))
        _clear(code, sums, code.number(ALL))
        _clear(code, won, num_own)
        with code.loop(first, last) as s:
            to, visit, end = (code.entry(steps, code.plus(code.times(s, 3), k)) for k in range(3))
            _count(code, lanes, places, begin, sums, total, builder.load(counted), to)
            builder.store(to, counted)
            everyone = builder.load(total)
            with code.loop(visit, end) as i:
                hand, a, b = _cards(code, own_places, builder.add(own_begin, i))
                held = builder.fadd(code.lane_row(sums, a), code.lane_row(sums, b))
                more = builder.fadd(code.lane_row(won, hand), builder.fsub(everyone, held))
                code.set_lane_row(more, won, hand)
        _count(code, lanes, places, begin, sums, total, builder.load(counted), count)
        code.set_lane_row(builder.load(total), sums, code.number(ALL))
        return context.get_dummy_value()

    n = types.intp
    arguments = (lanes, places, n, n, own_places, n, steps, n, n, sums, won, n)
    return types.void(*arguments), generate
