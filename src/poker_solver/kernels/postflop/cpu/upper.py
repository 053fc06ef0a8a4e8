"""A street above the river on one board of a pass: down to its deals, and up from them."""

from poker_solver.kernels.arrays import F32, I32
from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, MEAN, RECORD, Street
from poker_solver.kernels.postflop.cpu import Pass, Reach, Side, Work
from poker_solver.kernels.postflop.cpu.by_hand import fold_above_by_hand, is_by_hand
from poker_solver.kernels.postflop.cpu.jit import inner, kernel
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


@kernel
def street_down(p: Pass, s: Side, street: Street, board: int, above: Reach, work: Work) -> None:
    """Fill deal_reach[d] and deal_own[d] for every deal of the street."""
    rows, stored, player, mode = work.rows, p.state.stored, s.player, p.mode
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


@kernel
def street_up(p: Pass, s: Side, street: Street, board: int, work: Work, entry_cfv: F32) -> None:
    """From the cfv of every deal to the cfv of every entry; hands the board blocks get 0."""
    rows, state, player, mode = work.rows, p.state, s.player, p.mode
    cfv, num_own = rows.cfv, len(s.own.cards)
    for n in range(len(street.kind) - 1, -1, -1):
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        begin = street.offset[n] + board * street.stride[n]
        if kind == DEAL:
            for i in range(num_own):
                cfv[n, i] = rows.deal_cfv[child, i]
        elif kind == FOLD:
            payoff = street.payoff[player, n]
            if is_by_hand(p):
                fold_above_by_hand(s.own, s.other, rows.reach[n], payoff, cfv[n])
            else:
                fold_above(s.own, s.other, rows.reach[n], payoff, work.card_sums, cfv[n])
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
def add_renamed(cfv: F32, move: int, moved: I32, target: F32) -> None:
    """target[d, h] += cfv[d, where the renaming takes h]; renaming 0 changes nothing."""
    if move == 0:
        seen = target[:, : moved.shape[1]]
        seen += cfv[:, : moved.shape[1]]
        return
    for d in range(len(target)):
        for h in range(moved.shape[1]):
            target[d, h] += cfv[d, moved[move, h]]
