"""Hands as a river board orders them and back, sixteen deals at a time, as vector code.

One hand after sixteen deals is one vector, so that any order of hands costs nothing; sixteen of
them are turned into sixteen hands after each deal. Indices are flat.
"""

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.simd.lanes import transposed
from poker_solver.kernels.postflop.cpu.simd.vectors import Code, Value, vector_code


def _hands(code: Code, order: Value, at: Value) -> list[Value]:
    """The hands at sixteen places."""
    return [code.entry(order, code.plus(at, k)) for k in range(LANES)]


@vector_code
def deals_to_lanes(
    code: Code, rows: Value, first: Value, last: Value, pitch: Value, i: Value, lanes: Value,
    begin: Value,
) -> None:  # fmt: skip
    """lanes[begin + i + h, d] = rows[(first + d) * pitch + i + h] of sixteen hands and deals.

    Deals from `last` on do not matter.
    """
    builder, end = code.builder, code.plus(last, -1)
    found = []
    for d in range(LANES):
        deal = code.plus(first, d)
        deal = builder.select(builder.icmp_signed("<", deal, end), deal, end)
        found.append(code.load(rows, code.step(i, pitch, deal)))
    for h, value in enumerate(transposed(builder, found)):
        code.set_lane_row(value, lanes, code.plus(builder.add(begin, i), h))


@vector_code
def lanes_to_deals(
    code: Code, lanes: Value, begin: Value, i: Value, rows: Value, first: Value, pitch: Value
) -> None:
    """rows[first + d * pitch + i + h] = lanes[begin + i + h, d] of sixteen hands and deals."""
    builder = code.builder
    places = [code.plus(builder.add(begin, i), h) for h in range(LANES)]
    found = transposed(builder, [code.lane_row(lanes, place) for place in places])
    for d, value in enumerate(found):
        code.store(value, rows, code.step(builder.add(first, i), pitch, code.number(d)))


@vector_code
def lanes_to_places(
    code: Code, lanes: Value, begin: Value, order: Value, at: Value, out: Value, first: Value,
    pitch: Value,
) -> None:  # fmt: skip
    """out[first + d * pitch + k] = lanes[begin + hand, d], of the hand at each place."""
    builder = code.builder
    rows = [code.lane_row(lanes, builder.add(begin, hand)) for hand in _hands(code, order, at)]
    for d, value in enumerate(transposed(builder, rows)):
        code.store(value, out, code.step(first, pitch, code.number(d)))


@vector_code
def places_to_lanes(
    code: Code, rows: Value, first: Value, pitch: Value, order: Value, at: Value, moves: Value,
    move_first: Value, move_last: Value, lanes: Value, begin: Value, distance: Value,
) -> None:  # fmt: skip
    """lanes[begin + move * distance + hand, d] += rows[first + d * pitch + k], for every move."""
    builder = code.builder
    found = [code.load(rows, code.step(first, pitch, code.number(d))) for d in range(LANES)]
    values, hands = transposed(builder, found), _hands(code, order, at)
    with code.loop(move_first, move_last) as k:
        target = code.step(begin, distance, code.entry(moves, k))
        for hand, value in zip(hands, values, strict=True):
            place = builder.add(target, hand)
            code.set_lane_row(builder.fadd(code.lane_row(lanes, place), value), lanes, place)
