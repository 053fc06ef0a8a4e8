"""A pass over the whole public tree, in parts that threads can share. See the package docstring.

A *unit* is what one thread does at a time: on a flop one turn with all its rivers, on a turn some
of the rivers, on a river everything. What a unit adds to the street above goes into a buffer of its
own, and the buffers are summed in order: the result does not depend on who did what.

`above` is the reach of both players after the deals of the street above.
"""

import numpy as np

from poker_solver.kernels.arrays import F32, I32, I64
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.gadget.on_numba import settle_inlined
from poker_solver.kernels.postflop import Boards, Street
from poker_solver.kernels.postflop.cpu import Pass, Reach, Side, Work
from poker_solver.kernels.postflop.cpu.jit import inlined, kernel
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.kernels.postflop.cpu.river import river_board
from poker_solver.kernels.postflop.cpu.simd.denormals import flush_denormals, set_mxcsr
from poker_solver.kernels.postflop.cpu.upper import add_renamed, street_down, street_up

ROOT = np.int64(0)
"""The one board of a spot's own street. A plain 0 would be a type of its own to the compiler."""


@inlined
def _rivers(
    p: Pass, s: Side, first: int, last: int, above: Reach, work: Work, deal_cfv: F32
) -> None:
    """What `rivers` does; inlined where passing all arrays would take too long."""
    mxcsr = flush_denormals()
    work.moved_cfv[:] = 0.0
    for deal in range(len(above.other)):
        work.is_reached[deal] = above.other[deal].any()
    for board in range(first, last):
        river_board(p, s, board, above, work)
    deal_cfv[:] = 0.0
    for move in range(len(s.own.moved)):
        add_renamed(work.moved_cfv[move], move, s.own.moved, deal_cfv)
    set_mxcsr(mxcsr)


@kernel
def rivers(
    p: Pass, s: Side, first: int, last: int, above: Reach, work: Work, deal_cfv: F32
) -> None:
    """deal_cfv[d, h] = sum over the real cards that river boards first:last stand for."""
    _rivers(p, s, first, last, above, work, deal_cfv)


@kernel
def river_iterations(
    p: Pass, s: Side, table: F32, above: Reach, lock_unit: np.float32, gadget: Gadget, work: Work
) -> None:
    """One iteration for each row of table on a spot that starts on the river; `s` is player 0's.

    Such an iteration takes microseconds, less than the way to Python and back. What a player of a
    gadget brings is in `above` and changes.
    """
    hands, reach, num_boards = (s.own, s.other), (above.own, above.other), len(p.boards.river_start)
    for t in range(len(table)):
        for player in range(2):
            own, other = hands[player], hands[1 - player]
            side = Side(player, own, other, s.own_live, s.other_live, s.share, table[t])
            both = Reach(reach[1 - player], reach[player])
            _rivers(p, side, 0, num_boards - 1, both, work, work.rows.deal_cfv)
            width = len(own.cards)
            restore(p.river, player, width, p.state.regret, lock_unit, p.state.policy_sum)
            if player == gadget.player:
                settle_inlined(gadget, work.rows.deal_cfv[0], table[t], reach[player][0])


@kernel
def river_units(
    p: Pass, s: Side, cuts: I64, first: int, last: int, above: Reach, work: Work, outs: F32
) -> None:
    """outs[u, d, h] = sum over the real cards that river boards cuts[u]:cuts[u + 1] stand for."""
    for u in range(first, last):
        rivers(p, s, cuts[u], cuts[u + 1], above, work, outs[u])


@kernel
def turn_pass(
    p: Pass, s: Side, turn: Street, cuts: I64, above: Reach, work: Work, outs: F32, out: F32
) -> None:
    """A whole pass, on one thread, of a spot that starts on the turn; out[0, h] is its cfv."""
    street_down(p, s, turn, ROOT, above, work)
    river_units(p, s, cuts, ROOT, len(outs), work.rows.deals, work, outs)
    add_up(outs, work.rows.deal_cfv)
    street_up(p, s, turn, ROOT, work, out)


@kernel
def add_up(outs: F32, total: F32) -> None:
    """total[d, h] = sum over units, in order."""
    for d in range(outs.shape[1]):
        for h in range(outs.shape[2]):
            total[d, h] = outs[0, d, h]
    for u in range(1, len(outs)):
        for d in range(outs.shape[1]):
            for h in range(outs.shape[2]):
                total[d, h] += outs[u, d, h]


@kernel
def turns(
    p: Pass, s: Side, turn: Street, first: int, last: int, above: Reach, work: Work, turn_cfv: F32
) -> None:
    """turn_cfv[t, d, h] = cfv after representative turn t, at each deal d of the flop."""
    rows, start = work.rows, p.boards.river_start
    for board in range(first, last):
        street_down(p, s, turn, board, above, work)
        rivers(p, s, start[board], start[board + 1], rows.deals, work, rows.deal_cfv)
        street_up(p, s, turn, board, work, turn_cfv[board])


@kernel
def gather_turns(boards: Boards, moved: I32, turn_cfv: F32, deal_cfv: F32) -> None:
    """deal_cfv[d, h] = sum over the real turns of what follows."""
    deal_cfv[:] = 0.0
    for t in range(len(turn_cfv)):
        for k in range(boards.turn_card_start[t], boards.turn_card_start[t + 1]):
            add_renamed(turn_cfv[t], boards.turn_card_move[k], moved, deal_cfv)
