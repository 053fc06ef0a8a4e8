"""Sixteen terminals at once: from slots of hands to lanes, sums per card, and back to slots.

Sums are for kernels by row (`kernels.row_cfr`), which order hands anew on every board; where their
order is known ahead, see `sums`. A *place* is one int32: hand, first card << 16, second card << 24.
Sums are [53, 16]: per card, and over all hands in the last row; X* of a hand means sums[52] less
those of its two cards.
"""

from llvmlite import ir

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.vectors import INT32, Builder, Code, Value, vector_code

ALL = 52


def transposed(builder: Builder, rows: list[Value]) -> list[Value]:
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


@vector_code
def slots_to_lanes(code: Code, lanes: Value, first: Value, source: Value, slots: Value) -> None:
    """lanes[first + h, k] = source[slots[k] + h] for sixteen hands h; slots is int32 [16]."""
    builder = code.builder
    places = [code.entry(slots, code.number(k)) for k in range(LANES)]
    turned = transposed(builder, [code.load(source, place) for place in places])
    for h, value in enumerate(turned):
        code.set_lane_row(value, lanes, code.plus(first, h))


def write_slots(code: Code, target: Value, slots: Value, values: list[Value]) -> None:
    """target[slots[k] + h] = values[h] in lane k."""
    for k, value in enumerate(transposed(code.builder, values)):
        code.store(value, target, code.entry(slots, code.number(k)))


def _held(code: Code, hands: Value, place: Value, sums: Value) -> Value:
    """What the sums have for a hand's two cards."""
    _, a, b = _cards(code, hands, place)
    return code.builder.fadd(code.lane_row(sums, a), code.lane_row(sums, b))


def _cards(code: Code, places: Value, index: Value) -> tuple[Value, Value, Value]:
    """Hand and both cards of a place."""
    place = code.entry(places, index)
    return code.bits(place, 0, 16), code.bits(place, 16, 8), code.bits(place, 24, 8)


@vector_code
def won_to_slots(
    code: Code, target: Value, slots: Value, won: Value, first: Value, hands: Value, sums: Value,
    payoff: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = payoff[0, k] * (won - W*) of sixteen hands first + h."""
    builder = code.builder
    scale = code.lane_row(payoff, code.number(0))
    everyone, values = code.lane_row(sums, code.number(ALL)), []
    for place in (code.plus(first, h) for h in range(LANES)):
        met = builder.fsub(everyone, _held(code, hands, place, sums))
        values.append(builder.fmul(scale, builder.fsub(code.lane_row(won, place), met)))
    write_slots(code, target, slots, values)


@vector_code
def raked_to_slots(
    code: Code, target: Value, slots: Value, won: Value, first: Value, hands: Value, lanes: Value,
    twin: Value, sums: Value, payoff: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = (win - lose) / 2 * won + lose * W* + tie * w, all in lane k.

    This is win * L* + lose * (W* - E*) + tie * (E* - L* + w): rake shared on a tie puts `tie`
    halfway between `win` and `lose`.
    """
    builder = code.builder
    everyone, values = code.lane_row(sums, code.number(ALL)), []
    win, lose, tie = (code.lane_row(payoff, code.number(k)) for k in range(3))
    half = builder.fmul(code.constant(0.5), builder.fsub(win, lose))
    for place in (code.plus(first, h) for h in range(LANES)):
        met = builder.fsub(everyone, _held(code, hands, place, sums))
        value = builder.fmul(half, code.lane_row(won, place))
        value = builder.fadd(value, builder.fmul(lose, met))
        same = code.lane_row(lanes, code.entry(twin, place))
        values.append(builder.fadd(value, builder.fmul(tie, same)))
    write_slots(code, target, slots, values)


@vector_code
def met_to_slots(
    code: Code, target: Value, slots: Value, lanes: Value, first: Value, hands: Value, twin: Value,
    sums: Value, payoff: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = payoff[0, k] * (W* + lanes[twin, k]) of sixteen hands first + h."""
    builder = code.builder
    scale = code.lane_row(payoff, code.number(0))
    everyone, values = code.lane_row(sums, code.number(ALL)), []
    for place in (code.plus(first, h) for h in range(LANES)):
        same = builder.fadd(everyone, code.lane_row(lanes, code.entry(twin, place)))
        met = builder.fsub(same, _held(code, hands, place, sums))
        values.append(builder.fmul(scale, met))
    write_slots(code, target, slots, values)


def _clear(code: Code, array: Value, last: Value) -> None:
    with code.loop(code.number(0), last) as row:
        code.set_lane_row(code.zero, array, row)


def _count(
    code: Code, lanes: Value, places: Value, begin: Value, sums: Value, total: Value, first: Value,
    last: Value,
) -> None:  # fmt: skip
    """Add the hands at places first:last to the sums of their cards and to the total."""
    with code.loop(first, last) as j:
        hand, a, b = _cards(code, places, code.builder.add(begin, j))
        reach = code.lane_row(lanes, hand)
        code.builder.store(code.builder.fadd(code.builder.load(total), reach), total)
        for card in (a, b):
            code.set_lane_row(code.builder.fadd(code.lane_row(sums, card), reach), sums, card)


@vector_code
def tally(code: Code, lanes: Value, places: Value, begin: Value, count: Value, sums: Value) -> None:
    """Set sums to those of the hands at places[begin:begin + count], flat."""
    builder = code.builder
    total = code.variable(code.zero)
    _clear(code, sums, code.number(ALL))
    _count(code, lanes, places, begin, sums, total, code.number(0), count)
    code.set_lane_row(builder.load(total), sums, code.number(ALL))


@vector_code
def scan(
    code: Code, lanes: Value, places: Value, begin: Value, count: Value, own_places: Value,
    own_begin: Value, steps: Value, first: Value, last: Value, sums: Value, won: Value,
    num_own: Value,
) -> None:  # fmt: skip
    """Set won = L* + E* of every live hand, 0 of the others; leaves W in sums.

    Step s counts the opponent's places up to steps[s, 0], then adds X* of the sums as they are to
    own places steps[s, 1]:steps[s, 2]; each live hand is in two steps.
    """
    builder = code.builder
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
