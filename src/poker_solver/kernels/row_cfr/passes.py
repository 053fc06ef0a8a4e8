"""A pass by row over the whole public tree, in parts; see `kernels.postflop.cpu.passes`."""

import numpy as np

from poker_solver.kernels.arrays import F32, I32
from poker_solver.kernels.postflop import LANES, Boards, Street
from poker_solver.kernels.postflop.cpu import Reach
from poker_solver.kernels.postflop.cpu.jit import inlined, kernel
from poker_solver.kernels.postflop.cpu.simd.denormals import flush_denormals, set_mxcsr
from poker_solver.kernels.postflop.cpu.upper import add_renamed, add_up, gather_turns
from poker_solver.kernels.row_cfr import RowPass, RowSide, RowWork
from poker_solver.kernels.row_cfr.orders import deals_to_lanes, lanes_to_deals
from poker_solver.kernels.row_cfr.river import rows_river_board
from poker_solver.kernels.row_cfr.upper import rows_street_down, rows_street_up


@inlined
def _by_hand(rows: F32, num_hands: int, lanes: F32) -> None:
    """[Q, H, 16] from [D, H]: what hands have after sixteen deals."""
    for q in range(len(lanes)):
        for i in range(0, num_hands, LANES):
            begin = q * lanes.shape[1]
            deals_to_lanes(rows, q * LANES, len(rows), rows.shape[1], i, lanes, begin)


@inlined
def _by_deal(lanes: F32, num_hands: int, rows: F32) -> None:
    """The other way round."""
    pitch = rows.shape[1]
    for q in range(len(lanes)):
        for i in range(0, num_hands, LANES):
            lanes_to_deals(lanes, q * lanes.shape[1], i, rows, q * LANES * pitch, pitch)


@kernel
def rows_rivers(
    p: RowPass, s: RowSide, first: int, last: int, units: int, above: Reach, work: RowWork,
    deal_cfv: F32,
) -> None:  # fmt: skip
    """deal_cfv[d, h] = sum over the real cards that river boards first:last stand for.

    In so many units as `kernels.postflop.cpu` cuts them into, so that sums come to the same bits.
    """
    mxcsr = flush_denormals()
    num_deals, num_hands = len(deal_cfv), len(s.own.cards)
    _by_hand(above.other, len(s.other.cards), work.deals.other_reach)
    _by_hand(above.own, num_hands, work.deals.own_reach)
    for deal in range(num_deals):
        work.is_reached[deal] = above.other[deal].any()
    for unit in range(units):
        begin, end = first + (last - first) * unit // units, last
        if unit + 1 < units:
            end = first + (last - first) * (unit + 1) // units
        work.deals.moved_cfv[: len(s.own.moved)] = 0.0
        for board in range(begin, end):
            rows_river_board(p, s, board, work)
        work.unit_cfv[:] = 0.0
        for move in range(len(s.own.moved)):
            _by_deal(work.deals.moved_cfv[move], num_hands, work.moved_cfv[move])
            add_renamed(work.moved_cfv[move, :num_deals], move, s.own.moved, work.unit_cfv)
        for d in range(num_deals):
            for h in range(num_hands):
                if unit == 0:
                    deal_cfv[d, h] = work.unit_cfv[d, h]
                else:
                    deal_cfv[d, h] += work.unit_cfv[d, h]
    set_mxcsr(mxcsr)


@kernel
def rows_turn(
    p: RowPass, s: RowSide, turn: Street, board: int, most_units: int, above: Reach, work: RowWork,
    turn_cfv: F32,
) -> None:  # fmt: skip
    """turn_cfv[t, d, h] = cfv after representative turn t, at each deal d of the flop."""
    rows, start = work.rows, p.boards.river_start
    rows_street_down(p, s, turn, board, above, work)
    first, last = np.int64(start[board]), np.int64(start[board + 1])  # as Python calls it
    units = max(1, min(most_units, last - first))
    rows_rivers(p, s, first, last, units, rows.deals, work, rows.deal_cfv)
    rows_street_up(p, s, turn, board, work, turn_cfv[board])


@kernel
def add_parts(parts: F32, deal_cfv: F32) -> None:
    """deal_cfv[d, h] = sum over parts, in order."""
    add_up(parts, 0, len(parts), deal_cfv)


@kernel
def gather_parts(boards: Boards, moved: I32, parts: F32, deal_cfv: F32) -> None:
    """deal_cfv[d, h] = sum over the real turns that each part is of."""
    gather_turns(boards, moved, parts, deal_cfv)
