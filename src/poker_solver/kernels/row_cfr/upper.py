"""A street above the river on one board of a pass by row; see `kernels.postflop.cpu.upper`."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16
from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LANES, LEARN, MEAN, Street
from poker_solver.kernels.postflop.cpu import Reach
from poker_solver.kernels.postflop.cpu.jit import inlined, inner, kernel
from poker_solver.kernels.postflop.cpu.rows import add, best, mix
from poker_solver.kernels.postflop.cpu.terminals import fold_above
from poker_solver.kernels.row_cfr import RowPass, RowSide, RowTold, RowWork
from poker_solver.kernels.row_cfr.learning import ONE, RowDecision, learn_rows
from poker_solver.kernels.row_cfr.walks import match_rows, mix_rows, play_rows

FIRST = np.int64(0)


@inlined
def _begin(s: RowSide, street: Street, board: int, node: int) -> int:
    """Where the state of a decision begins."""
    begin: int = s.rows.start[board] + street.offset[node] * s.rows.num_rows[board]
    return begin


@inlined
def _play(
    s: RowSide, street: Street, board: int, node: int, stored: F32 | I16, row: I16, reach: F32,
    num_hands: int,
) -> None:  # fmt: skip
    """Reach of every action = reach of the decision * policy."""
    pitch, begin, num_rows = reach.shape[1], _begin(s, street, board, node), s.rows.num_rows[board]
    count, first = street.num_children[node], street.first_child[node]
    for i in range(0, num_hands, LANES):
        play_rows(
            stored, begin, num_rows, row[board], i, count, reach, node * pitch + i,
            first * pitch + i, pitch,
        )  # fmt: skip


@inlined
def _match(
    s: RowSide, street: Street, board: int, node: int, stored: F32 | I16, policy: F32
) -> None:
    """Policy of every action, for the player."""
    pitch, begin, num_rows = policy.shape[1], _begin(s, street, board, node), s.rows.num_rows[board]
    count, first = street.num_children[node], street.first_child[node]
    for i in range(0, len(s.own.cards), LANES):
        match_rows(
            stored, begin, num_rows, s.own_row[board], i, count, policy, first * pitch + i, pitch
        )


@kernel
def rows_street_down(
    p: RowPass, s: RowSide, street: Street, board: int, above: Reach, work: RowWork
) -> None:
    """Fill deals.other[d] and deals.own[d] for every deal of the street."""
    rows, stored, player, mode = work.rows, p.state.upper, s.player, p.mode
    reach, mine = rows.reach, rows.own
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
            if kind == player:
                if mode == MEAN:
                    _match(s, street, board, n, stored, rows.policy)
                elif mode == LEARN:
                    _play(s, street, board, n, stored, s.own_row, mine, num_own)
                for a in range(child, child + count):
                    for i in range(num_other):
                        reach[a, i] = reach[n, i]
            else:
                _play(s, street, board, n, stored, s.other_row, reach, num_other)
                for a in range(child, child + count):
                    if mode == LEARN:
                        for i in range(num_own):
                            mine[a, i] = mine[n, i]


@kernel
def rows_street_up(
    p: RowPass, s: RowSide, street: Street, board: int, work: RowWork, entry_cfv: F32
) -> None:
    """From the cfv of every deal to the cfv of every entry; hands the board blocks get 0."""
    rows, player, mode = work.rows, s.player, p.mode
    cfv, num_own = rows.cfv, len(s.own.cards)
    for n in range(len(street.kind) - 1, -1, -1):
        kind, child, count = street.kind[n], street.first_child[n], street.num_children[n]
        if kind == DEAL:
            for i in range(num_own):
                cfv[n, i] = rows.deal_cfv[child, i]
        elif kind == FOLD:
            payoff = street.payoff[player, n]
            fold_above(s.own, s.other, rows.reach[n], payoff, work.card_sums, cfv[n])
        elif kind != player:
            add(cfv, n, child, count, num_own)
        elif mode == BEST:
            best(cfv, n, child, count, num_own)
        elif mode == LEARN:
            _learn(p, s, street, board, n, work)
        else:
            mix(cfv, n, rows.policy, child, count, num_own)
        if street.parent[n] < 0:
            above = street.entry[n]
            for i in range(num_own):
                entry_cfv[above, i] = s.own_live[board, i] * cfv[n, i]


@inlined
def _learn(p: RowPass, s: RowSide, street: Street, board: int, node: int, work: RowWork) -> None:
    """Set the decision's cfv to the mix, tell its rows of their hands, and let them learn."""
    cfv, pitch, own_row = work.rows.cfv, work.rows.cfv.shape[1], s.own_row[board]
    begin, num_rows = _begin(s, street, board, node), s.rows.num_rows[board]
    count, first = street.num_children[node], street.first_child[node]
    for i in range(0, len(s.own.cards), LANES):
        mix_rows(
            p.state.upper, begin, num_rows, own_row, i, count, cfv, node * pitch + i,
            first * pitch + i, pitch,
        )  # fmt: skip
    is_shared = len(s.rows.told_weight) > 0
    weight = s.rows.told_weight[board] if is_shared else ONE
    told = RowTold(cfv[first : first + count], work.rows.own[node : node + 1])
    if is_shared:
        _tell(s, board, weight, told, work.shared_upper, street.offset[node])
    else:
        _tell(s, board, weight, told, work.sums.told, FIRST)
        scale_at = s.rows.scale_start + board * s.rows.num_decisions + street.scale_at[node]
        at = RowDecision(begin, scale_at, num_rows, count, FIRST)
        learn_rows(p.state, at, work.sums.told, work.sums, s.weights, True)


@inner
def _tell(
    s: RowSide, board: int, weight: np.float32, hands: RowTold, told: RowTold, first: int
) -> None:
    """Add every hand's reach and weighted values to those of its row, from an action on."""
    is_live, row, floor = s.own_live[board], s.own_row[board], s.own_floor[board]
    for i in range(len(is_live)):
        told.reach[first, row[i]] += weight * hands.reach[0, i]
        says = weight * (floor * is_live[i] + (ONE - floor) * hands.reach[0, i])
        for a in range(len(hands.value)):
            told.value[first + a, row[i]] += says * hands.value[a, i]
