"""A pass by row over the whole public tree, in parts; see `kernels.postflop.cpu.passes`."""

import numpy as np

from poker_solver.kernels.arrays import F32
from poker_solver.kernels.postflop import Street
from poker_solver.kernels.postflop.cpu import Reach
from poker_solver.kernels.postflop.cpu.jit import kernel
from poker_solver.kernels.postflop.cpu.simd.denormals import flush_denormals, set_mxcsr
from poker_solver.kernels.postflop.cpu.upper import add_renamed
from poker_solver.kernels.row_cfr import RowPass, RowSide, RowWork
from poker_solver.kernels.row_cfr.river import rows_river_board
from poker_solver.kernels.row_cfr.upper import rows_street_down, rows_street_up


@kernel
def rows_rivers(
    p: RowPass, s: RowSide, first: int, last: int, above: Reach, work: RowWork, deal_cfv: F32
) -> None:
    """deal_cfv[d, h] = sum over the real cards that river boards first:last stand for."""
    mxcsr = flush_denormals()
    moved = work.moved_cfv[: len(s.own.moved)]
    moved[:] = 0.0
    for deal in range(len(above.other)):
        work.is_reached[deal] = above.other[deal].any()
    for board in range(first, last):
        rows_river_board(p, s, board, above, work)
    deal_cfv[:] = 0.0
    for move in range(len(s.own.moved)):
        add_renamed(moved[move], move, s.own.moved, deal_cfv)
    set_mxcsr(mxcsr)


@kernel
def rows_turns(
    p: RowPass, s: RowSide, turn: Street, first: int, last: int, above: Reach, work: RowWork,
    turn_cfv: F32,
) -> None:  # fmt: skip
    """turn_cfv[t, d, h] = cfv after representative turn t, at each deal d of the flop."""
    rows, start = work.rows, p.boards.river_start
    for board in range(first, last):
        rows_street_down(p, s, turn, board, above, work)
        first_river, end = np.int64(start[board]), np.int64(start[board + 1])  # as Python calls it
        rows_rivers(p, s, first_river, end, rows.deals, work, rows.deal_cfv)
        rows_street_up(p, s, turn, board, work, turn_cfv[board])
