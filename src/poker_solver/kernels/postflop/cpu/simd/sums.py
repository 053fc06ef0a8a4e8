"""Sixteen terminals at once by running sums, where hands by strength are known ahead.

Sums are [rows, 16]: of the opponent's hands by strength, all of them and those with each card, see
`RunningSums`. Nothing is decided on the way: which sums a hand needs stands in tables. X* of a hand
means a sum of all, less those with either of its cards.
"""

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.lanes import write_slots
from poker_solver.kernels.postflop.cpu.simd.vectors import Code, Value, vector_code

NUM_CARDS, ALL = 52, 53
"""Rows 1 to 52 are of all hands with a card, the next one is of all."""


def _met(code: Code, sums: Value, everyone: Value, held: Value, hand: Value) -> Value:
    """W* of a hand."""
    a, b = (code.lane_row_at(sums, held, code.plus(code.times(hand, 2), k)) for k in range(2))
    return code.builder.fsub(everyone, code.builder.fadd(a, b))


def _won(code: Code, sums: Value, met: Value, seen: Value, place: Value) -> Value:
    """L* + E* - W* of a hand: of all that are counted, less those with either of its cards."""
    builder = code.builder
    of_all, first, second = (
        [code.lane_row_at(sums, seen, code.plus(code.times(place, 6), k)) for k in (c, c + 1)]
        for c in (0, 2, 4)
    )
    # Half of all are weaker, or about: so the difference is small before others are taken off.
    beaten = builder.fadd(builder.fsub(of_all[0], met), of_all[1])
    return builder.fsub(builder.fsub(beaten, builder.fadd(*first)), builder.fadd(*second))


@vector_code
def shown_to_slots(
    code: Code, target: Value, slots: Value, sums: Value, held: Value,
    first: Value, seen: Value, place: Value, payoff: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = payoff[0, k] * (L* + E* - W*) of sixteen hands first + h."""
    builder = code.builder
    scale, everyone = code.lane_row(payoff, code.number(0)), code.lane_row(sums, code.number(ALL))
    values = []
    for h in range(LANES):
        met = _met(code, sums, everyone, held, code.plus(first, h))
        won = _won(code, sums, met, seen, code.plus(place, h))
        values.append(builder.fmul(scale, won))
    write_slots(code, target, slots, values)


@vector_code
def raked_shown_to_slots(
    code: Code, target: Value, slots: Value, sums: Value, held: Value,
    first: Value, seen: Value, place: Value, lanes: Value, twin: Value, payoff: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = (win - lose) / 2 * (L* + E* - W*) + tie * (W* + w), all in lane k.

    This is win * L* + lose * (W* - E*) + tie * (E* - L* + w): rake shared on a tie puts `tie`
    halfway between `win` and `lose`.
    """
    builder = code.builder
    everyone, values = code.lane_row(sums, code.number(ALL)), []
    win, lose, tie = (code.lane_row(payoff, code.number(k)) for k in range(3))
    half = builder.fmul(code.constant(0.5), builder.fsub(win, lose))
    for h in range(LANES):
        hand = code.plus(first, h)
        met = _met(code, sums, everyone, held, hand)
        won = _won(code, sums, met, seen, code.plus(place, h))
        met = builder.fadd(met, code.lane_row(lanes, code.entry(twin, hand)))
        values.append(builder.fadd(builder.fmul(half, won), builder.fmul(tie, met)))
    write_slots(code, target, slots, values)


@vector_code
def met_at_slots(
    code: Code, target: Value, slots: Value, sums: Value, held: Value,
    first: Value, lanes: Value, twin: Value,
) -> None:  # fmt: skip
    """target[slots[k] + h] = W* + lanes[twin, k] of sixteen hands first + h."""
    builder = code.builder
    everyone, values = code.lane_row(sums, code.number(ALL)), []
    for hand in (code.plus(first, h) for h in range(LANES)):
        met = _met(code, sums, everyone, held, hand)
        values.append(builder.fadd(met, code.lane_row(lanes, code.entry(twin, hand))))
    write_slots(code, target, slots, values)


@vector_code
def run_sums(
    code: Code, lanes: Value, counted: Value, rows: Value, begin: Value, num_other: Value,
    fours: Value, sums: Value,
) -> None:  # fmt: skip
    """Fill sums with those of hands counted[begin:], each of which goes where `rows` says.

    See `RunningSums`: at first of all hands by strength, then of those with each card.
    """
    builder = code.builder
    code.set_lane_row(code.zero, sums, code.number(0))
    total = code.variable(code.zero)
    end = builder.add(begin, num_other)
    with code.loop(begin, end, 4) as s:
        a, b, c, d = _four(code, lanes, counted, s)
        known, ab = builder.load(total), builder.fadd(a, b)
        abc, cd = builder.fadd(ab, c), builder.fadd(c, d)
        found = [builder.fadd(known, more) for more in (a, ab, abc, builder.fadd(ab, cd))]
        _set_four(code, found, sums, rows, s)
        builder.store(found[3], total)
    code.set_lane_row(builder.load(total), sums, code.number(ALL))
    place = code.variable(end)
    with code.loop(code.number(0), code.number(NUM_CARDS // 4)) as f:
        totals = [code.variable(code.zero) for _ in range(4)]
        first = builder.load(place)
        last = builder.add(first, code.times(code.entry(fours, f), 4))
        with code.loop(first, last, 4) as s:
            hands = _four(code, lanes, counted, s)
            found = [builder.fadd(builder.load(t), h) for t, h in zip(totals, hands, strict=True)]
            _set_four(code, found, sums, rows, s)
            for total, value in zip(totals, found, strict=True):
                builder.store(value, total)
        for k, total in enumerate(totals):
            code.set_lane_row(builder.load(total), sums, code.plus(code.times(f, 4), 1 + k))
        builder.store(last, place)


def _four(code: Code, lanes: Value, counted: Value, s: Value) -> list[Value]:
    return [code.lane_row_at(lanes, counted, code.plus(s, k)) for k in range(4)]


def _set_four(code: Code, values: list[Value], sums: Value, rows: Value, s: Value) -> None:
    for k, value in enumerate(values):
        code.set_lane_row_at(value, sums, rows, code.plus(s, k))
