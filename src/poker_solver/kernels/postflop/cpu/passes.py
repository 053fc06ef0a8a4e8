"""A pass over the whole public tree, in units that threads share. See the package docstring.

Everything from the first card to the last is one call: what Python does between two passes, or
two units, would take longer than many of them.
"""

import numpy as np

from poker_solver.kernels.arrays import F32, I64
from poker_solver.kernels.crew import call, hand_out
from poker_solver.kernels.gadget.on_numba import settle_inlined
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.postflop.cpu import Codes, Rivers, Walk
from poker_solver.kernels.postflop.cpu.jit import inner, kernel
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.kernels.postflop.cpu.river import river_board
from poker_solver.kernels.postflop.cpu.simd.denormals import flush_denormals, set_mxcsr
from poker_solver.kernels.postflop.cpu.upper import add_renamed
from poker_solver.kernels.records import nth

ROOT = np.int64(0)
"""The one board of a spot's own street. A plain 0 would be a type of its own to the compiler."""


@kernel
def run(walks: Walk, codes: Codes, first: int, last: int, table: F32, gate: I64) -> None:
    """Passes of players from first to below last, for each row of [T, 3] weights.

    With both players, whose walks these are, an iteration for each row.
    """
    for t in range(len(table)):
        for player in range(first, last):
            w = nth(walks, player)
            for k in range(3):
                w.rivers.s.weights[k] = table[t, k]  # of all sides
            if w.depth > 0:
                call(codes.down, w.first, ROOT)
            if w.depth > 1:
                hand_out(gate, codes.down, w.turn, len(w.turn.cfv))
            hand_out(gate, codes.rivers, w.rivers, len(w.rivers.unit_board))
            if w.depth > 1:
                hand_out(gate, codes.up, w.turn, len(w.turn.cfv))
            if w.depth > 0:
                hand_out(gate, codes.add, w.first, w.first.unit_cfv.shape[1])
                call(codes.up, w.first, ROOT)
            if codes.after and w.rivers.p.mode[0] == LEARN:
                call(codes.after, w, ROOT)


@inner
def rivers(r: Rivers, thread: int, unit: int) -> None:
    """Set unit_cfv[unit, d, h] to the sum over the real cards that its river boards stand for."""
    above, work, s = nth(r.rows, r.unit_board[unit]).deals, nth(r.works, thread), r.s
    mxcsr = flush_denormals()
    work.moved_cfv[:] = 0.0
    for deal in range(len(above.other)):
        work.is_reached[deal] = above.other[deal].any()
    for board in range(r.cut[unit], r.cut[unit + 1]):
        river_board(r.p, s, board, above, work)
    cfv = r.unit_cfv[unit]
    cfv[:] = 0.0
    for move in range(len(s.own.moved)):
        add_renamed(work.moved_cfv[move], move, s.own.moved, cfv)
    set_mxcsr(mxcsr)


@inner
def after(w: Walk, thread: int, unit: int) -> None:
    """Put locks back, and let whoever may take something else than to play learn that."""
    s, state = w.rivers.s, w.rivers.p.state
    num_hands = len(s.own.cards)
    if len(w.first.street.locks.table):
        restore(w.first.street, s.player, num_hands, state.regret, w.lock_unit, state.policy_sum)
    if len(w.turn.street.locks.table):
        restore(w.turn.street, s.player, num_hands, state.regret, w.lock_unit, state.policy_sum)
    if len(w.rivers.p.river.locks.table):
        restore(w.rivers.p.river, s.player, num_hands, state.regret, w.lock_unit, state.policy_sum)
    if s.player == w.gadget.player:
        settle_inlined(w.gadget, w.cfv[0], s.weights, w.above.own[0])
