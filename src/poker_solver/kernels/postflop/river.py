"""One river board of a pass: every line that gets there, group by group."""

from typing import Any

import numpy as np
from numba import njit

from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LANES, LEARN
from poker_solver.kernels.postflop.rows import add, best, learn, match, mix, multiply
from poker_solver.kernels.postflop.terminals import fold, showdown, ties

HALF = np.float32(0.5)


@njit(cache=True, nogil=True)
def river_board(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int,
    with_rake: bool, reach_above: Any, own_above: Any, regret: Any, policy_sum: Any,
    weights: Any, work: Any, moves: Any,
) -> None:  # fmt: skip
    """Walk every group; add each line's cfv to work.moved_cfv[m, deal] for every move m."""
    for group in range(len(river.group_start) - 1):
        first, last = river.group_start[group], river.group_start[group + 1]
        _down(
            river, own, other, board, share, player, mode, reach_above, own_above,
            regret, policy_sum, work, first, last,
        )  # fmt: skip
        _terminals(river, own, other, board, player, with_rake, work, group)
        _up(
            river, own, board, player, mode, with_rake, regret, policy_sum, weights, work,
            first, last, moves,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _down(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int,
    reach_above: Any, own_above: Any, regret: Any, policy_sum: Any, work: Any,
    first: int, last: int,
) -> None:  # fmt: skip
    num_own, num_other = len(own.cards), len(other.cards)
    reach, mine, policy = work.river_reach, work.river_own, work.river_policy
    stored = regret if mode == LEARN else policy_sum
    for n in range(first, last):
        row = river.reach_row[player, n]
        if river.parent[n] < 0:
            deal = river.entry[n]
            for i in range(num_other):
                reach[row, i] = share * other.is_live_river[board, i] * reach_above[deal, i]
            for i in range(num_own):
                mine[row, i] = own.is_live_river[board, i] * own_above[deal, i]
        kind = river.kind[n]
        if kind < DEAL:
            child, count = river.first_child[n], river.num_children[n]
            begin = river.offset[n] + board * river.stride[n]
            below = child - first
            if kind == player:
                if mode != BEST:
                    match(stored, begin, num_own, count, num_own, policy, below, work.total)
                if mode == LEARN:
                    own_row = river.own_row[player, n]
                    for a in range(count):
                        if river.kind[child + a] < DEAL:
                            multiply(mine, below + a, mine, own_row, policy, below + a, num_own)
            else:
                match(stored, begin, num_other, count, num_other, policy, below, work.total)
                for a in range(count):
                    multiply(reach, below + a, reach, row, policy, below + a, num_other)
        lane = river.show_lane[player, n]
        if lane >= 0:
            _to_lane(work.show_lanes, lane, reach, row, num_other)
        lane = river.fold_lane[player, n]
        if lane >= 0:
            _to_lane(work.fold_lanes, lane, reach, row, num_other)


@njit(cache=True, nogil=True)
def _to_lane(lanes: Any, lane: int, reach: Any, row: int, num_hands: int) -> None:
    batch, column = lane // LANES, lane % LANES
    for i in range(num_hands):
        lanes[batch, i, column] = reach[row, i]


@njit(cache=True, nogil=True)
def _terminals(
    river: Any,
    own: Any,
    other: Any,
    board: int,
    player: int,
    with_rake: bool,
    work: Any,
    group: int,
) -> None:
    sums = work.running
    for batch in range((river.num_show[player, group] + LANES - 1) // LANES):
        lanes = work.show_lanes[batch]
        showdown(own, other, board, lanes, sums, work.won[batch])
        if with_rake:
            fold(own, other, lanes, sums, work.show_met[batch])
            ties(own, other, board, lanes, sums, work.tied[batch])
    for batch in range((river.num_fold[player, group] + LANES - 1) // LANES):
        fold(own, other, work.fold_lanes[batch], sums, work.met[batch])


@njit(cache=True, nogil=True)
def _up(
    river: Any, own: Any, board: int, player: int, mode: int, with_rake: bool, regret: Any,
    policy_sum: Any, weights: Any, work: Any, first: int, last: int, moves: Any,
) -> None:  # fmt: skip
    num_own = len(own.cards)
    cfv, policy = work.river_cfv, work.river_policy
    for n in range(last - 1, first - 1, -1):
        row, kind = n - first, river.kind[n]
        if kind >= FOLD:
            _terminal_row(river, n, player, with_rake, num_own, work, row)
        else:
            below, count = river.first_child[n] - first, river.num_children[n]
            if kind != player:
                add(cfv, row, below, count, num_own)
            elif mode == BEST:
                best(cfv, row, below, count, num_own)
            else:
                mix(cfv, row, policy, below, count, num_own)
                if mode == LEARN:
                    begin = river.offset[n] + board * river.stride[n]
                    learn(
                        regret, policy_sum, begin, num_own, count, num_own, cfv, row, below,
                        policy, work.river_own, river.own_row[player, n], weights,
                    )  # fmt: skip
        if river.parent[n] < 0:
            deal = river.entry[n]
            for k in range(len(moves)):
                move = moves[k]
                for i in range(num_own):
                    work.moved_cfv[move, deal, i] += own.is_live_river[board, i] * cfv[row, i]


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _terminal_row(
    river: Any, n: int, player: int, with_rake: bool, num_own: int, work: Any, row: int
) -> None:
    """The cfv of a terminal out of its lane."""
    is_fold = river.kind[n] == FOLD
    lane_of = river.fold_lane if is_fold else river.show_lane
    lane = lane_of[player, n]
    if lane < 0:
        lane = lane_of[player, river.parent[n]]
    batch, column = lane // LANES, lane % LANES
    cfv, payoff = work.river_cfv, river.payoff[player, n]
    if is_fold:
        for i in range(num_own):
            cfv[row, i] = payoff[0] * work.met[batch, i, column]
    elif not with_rake:
        for i in range(num_own):
            cfv[row, i] = payoff[0] * work.won[batch, i, column]
    else:
        for i in range(num_own):
            tied, won = work.tied[batch, i, column], work.won[batch, i, column]
            decided = work.show_met[batch, i, column] - tied
            win, lose = HALF * (decided + won), HALF * (decided - won)
            cfv[row, i] = payoff[0] * win + payoff[1] * lose + payoff[2] * tied
