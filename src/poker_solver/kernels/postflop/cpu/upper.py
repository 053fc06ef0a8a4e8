"""A street above the river on one board of a pass: down to its deals, and up from them."""

import numpy as np

from poker_solver.kernels.arrays import F32, F64, I32
from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, MEAN, RECORD, Boards, Hands
from poker_solver.kernels.postflop.cpu import Level, Pass
from poker_solver.kernels.postflop.cpu.by_hand import fold_above_by_hand, is_by_hand
from poker_solver.kernels.postflop.cpu.jit import by_type, inlined, inner
from poker_solver.kernels.postflop.cpu.locks import hold, locked
from poker_solver.kernels.postflop.cpu.rows import (
    Decision,
    add,
    best,
    learn,
    match,
    mix,
    play,
    record,
)
from poker_solver.kernels.postflop.cpu.terminals import fold_above
from poker_solver.kernels.records import nth


@inner
def _fold(
    p: Pass, own: Hands, other: Hands, reach: F32, payoff: np.float32, sums: F64, cfv: F32
) -> None:
    fold_above(own, other, reach, payoff, sums, cfv)


fold = by_type(is_by_hand, fold_above_by_hand, _fold)


@inner
def down(level: Level, thread: int, board: int) -> None:
    """From a board's card to where the next ones fall: fill rows.deals for every deal."""
    p, s, street, above, rows = level.p, level.s, level.street, level.above, nth(level.rows, board)
    stored, player, mode = p.state.stored, s.player, p.mode[0]
    reach, mine, policy = rows.reach, rows.own, rows.policy
    num_own, num_other = len(s.own.cards), len(s.other.cards)
    for n in range(len(street.kind)):
        if street.parent[n] < 0:
            entry = street.entry[n]
            for i in range(num_other):
                reach[n, i] = s.share * s.other_live[board, i] * above.other[entry, i]
            for i in range(num_own):
                mine[n, i] = s.own_live[board, i] * above.own[entry, i]
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        if kind == DEAL:
            for i in range(num_other):
                rows.deals.other[child, i] = reach[n, i]
            for i in range(num_own):
                rows.deals.own[child, i] = mine[n, i]
        elif kind < DEAL:
            begin = street.offset[n] + board * street.stride[n]
            if kind == player:
                if mode == MEAN:
                    match(stored, begin, count, num_own, policy, child)
                elif mode == LEARN:
                    play(stored, begin, count, num_own, mine, n, child)
                for a in range(child, child + count):
                    for i in range(num_other):
                        reach[a, i] = reach[n, i]
            else:
                play(stored, begin, count, num_other, reach, n, child)
                for a in range(child, child + count):
                    if mode == LEARN:
                        for i in range(num_own):
                            mine[a, i] = mine[n, i]


@inner
def up(level: Level, thread: int, board: int) -> None:
    """From what the cards after a board are worth to what it is worth itself, at every entry.

    Hands that the board blocks get 0.
    """
    p, s, street, rows = level.p, level.s, level.street, nth(level.rows, board)
    work, entry_cfv = nth(level.works, thread), level.cfv[board]
    if level.adds:
        first, last = level.unit_start[board], level.unit_start[board + 1]
        add_up(level.unit_cfv, first, last, rows.deal_cfv)
    state, player, mode = p.state, s.player, p.mode[0]
    cfv, num_own = rows.cfv, len(s.own.cards)
    for n in range(len(street.kind) - 1, -1, -1):
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        begin = street.offset[n] + board * street.stride[n]
        if kind == DEAL:
            for i in range(num_own):
                cfv[n, i] = rows.deal_cfv[child, i]
        elif kind == FOLD:
            payoff = street.payoff[player, n]
            fold(p, s.own, s.other, rows.reach[n], payoff, work.card_sums, cfv[n])
        elif kind != player:
            add(cfv, n, child, count, num_own)
        elif mode in (BEST, RECORD):
            best(cfv, n, child, count, num_own)
            if mode == RECORD:
                record(state.regret, begin, num_own, count, num_own, cfv, child)
            table = locked(street.locks, n, board)
            hold(cfv, n, child, count, num_own, street.locks, table, 0)
        elif mode == LEARN:
            scale_at = street.scale_at[n] + board * street.scale_stride
            at = Decision(begin, scale_at, count, n, child)
            learn(state, s.weights, at, s.own_live[board], rows, work.regret)
        else:
            mix(cfv, n, rows.policy, child, count, num_own)
        if street.parent[n] < 0:
            above = street.entry[n]
            for i in range(num_own):
                entry_cfv[above, i] = s.own_live[board, i] * cfv[n, i]


@inner
def add_deal(level: Level, thread: int, deal: int) -> None:
    """What a deal of the spot's own street comes to: `add_up`, or `gather_turns`, of one row.

    Other threads have just written the summands: to fetch all rows would take one thread longer
    than it takes them all to do their units.
    """
    start, units, total = level.unit_start, level.unit_cfv, nth(level.rows, 0).deal_cfv
    if len(start):
        for h in range(units.shape[2]):
            total[deal, h] = units[start[0], deal, h]
        for u in range(start[0] + 1, start[1]):
            for h in range(units.shape[2]):
                total[deal, h] += units[u, deal, h]
        return
    boards, row = level.p.boards, total[deal : deal + 1]
    row[:] = 0.0
    for t in range(len(units)):
        for k in range(boards.turn_card_start[t], boards.turn_card_start[t + 1]):
            move, turn = boards.turn_card_move[k], units[t, deal : deal + 1]
            add_renamed(turn, move, level.s.own.moved, row)


@inlined
def add_up(units: F32, first: int, last: int, total: F32) -> None:
    """total[d, h] = sum over units first:last, in order."""
    for d in range(units.shape[1]):
        for h in range(units.shape[2]):
            total[d, h] = units[first, d, h]
    for u in range(first + 1, last):
        for d in range(units.shape[1]):
            for h in range(units.shape[2]):
                total[d, h] += units[u, d, h]


@inlined
def gather_turns(boards: Boards, moved: I32, turn_cfv: F32, deal_cfv: F32) -> None:
    """deal_cfv[d, h] = sum over the real turns of what follows."""
    deal_cfv[:] = 0.0
    for t in range(len(turn_cfv)):
        for k in range(boards.turn_card_start[t], boards.turn_card_start[t + 1]):
            add_renamed(turn_cfv[t], boards.turn_card_move[k], moved, deal_cfv)


@inner
def add_renamed(cfv: F32, move: int, moved: I32, target: F32) -> None:
    """target[d, h] += cfv[d, where the renaming takes h]; renaming 0 changes nothing."""
    if move == 0:
        seen = target[:, : moved.shape[1]]
        seen += cfv[:, : moved.shape[1]]
        return
    for d in range(len(target)):
        for h in range(moved.shape[1]):
            target[d, h] += cfv[d, moved[move, h]]
