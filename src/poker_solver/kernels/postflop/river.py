"""One river board of a pass: every line that gets there, group by group."""

from typing import Any

from poker_solver.kernels.postflop import BEST, DEAL, LANES, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.compiled import inlined, inner
from poker_solver.kernels.postflop.lanes import (
    met_to_rows,
    prefetch,
    raked_to_rows,
    rows_to_lanes,
    scan,
    tally,
    won_to_rows,
)
from poker_solver.kernels.postflop.locks import hold
from poker_solver.kernels.postflop.rows import add, best, learn, match, mix, play, record

LINES_AHEAD = 12
"""Cache lines of state to ask for with every sixteen hands of a batch."""


@inner
def river_board(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int,
    with_rake: bool, reach_above: Any, own_above: Any, state: Any, weights: Any, work: Any,
    moves: Any,
) -> None:  # fmt: skip
    """Walk every group; add each line's cfv to work.moved_cfv[m, deal] for every move m.

    A group that the opponent never reaches is worth nothing: only what is learned fades there.
    """
    for group in range(len(river.group_start) - 1):
        first, last = river.group_start[group], river.group_start[group + 1]
        is_reached = _enter(
            river, own, other, board, share, player, reach_above, own_above, work, first, last
        )
        _down(river, own, other, board, player, mode, is_reached, state, work, first, last)
        if is_reached:
            _terminals(river, own, other, board, player, with_rake, work, group, state)
        else:
            work.river_cfv[: last - first] = 0.0
        _up(river, own, board, player, mode, state, weights, work, first, last, moves)


@inlined
def _enter(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, reach_above: Any,
    own_above: Any, work: Any, first: int, last: int,
) -> Any:  # fmt: skip
    """Set both players' reach where lines begin; whether the opponent has any."""
    is_reached = False
    for n in range(first, last):
        if river.parent[n] < 0:
            deal, row = river.entry[n], river.reach_row[player, n]
            is_reached |= work.is_reached[deal]
            for i in range(len(other.cards)):
                live = share * other.is_live_river[board, i]
                work.river_reach[row, i] = live * reach_above[deal, i]
            for i in range(len(own.cards)):
                work.river_own[row, i] = own.is_live_river[board, i] * own_above[deal, i]
    return is_reached


@inlined
def _down(
    river: Any, own: Any, other: Any, board: int, player: int, mode: int, is_reached: bool,
    state: Any, work: Any, first: int, last: int,
) -> None:  # fmt: skip
    num_own, num_other = len(own.cards), len(other.cards)
    policy, stored = work.river_policy, state.stored
    for n in range(first, last):
        kind = river.kind[n]
        if kind >= DEAL:
            continue
        begin = river.offset[n] + board * river.stride[n]
        below, count = river.first_child[n] - first, river.num_children[n]
        if kind == player:
            if mode == MEAN:
                match(stored, begin, count, num_own, policy, below, work.total)
            elif mode == LEARN and river.acts_again[player, n]:
                row = river.own_row[player, n]
                play(stored, begin, count, num_own, work.river_own, row, below, policy, work.total)
        elif is_reached:
            row = river.reach_row[player, n]
            play(stored, begin, count, num_other, work.river_reach, row, below, policy, work.total)


@inlined
def _ask(state: Any, index: int) -> int:
    """Have some lines of state fetched; where the next ones begin."""
    if index < len(state):  # looking for what is not there takes longer than finding what is
        for k in range(LINES_AHEAD):
            prefetch(state, index + k * LANES)
    return index + LINES_AHEAD * LANES


@inlined
def _next_part(river: Any, board: int, group: int, player: int) -> Any:
    """Where a player's state of the group that is walked after this one begins."""
    stride = river.stride[0]
    if group + 2 == len(river.group_start):
        return river.part_start[player] + (board + 1) * stride
    return river.part_start[2 * group + 2 + player] + board * stride


@inlined
def _terminals(
    river: Any, own: Any, other: Any, board: int, player: int, with_rake: bool, work: Any,
    group: int, state: Any,
) -> None:  # fmt: skip
    """The cfv of every terminal of the group.

    Memory is idle here: meanwhile the state of the next group is asked for.
    """
    num_own, num_other = len(own.cards), len(other.cards)
    next_state = _next_part(river, board, group, 0)
    next_sums = _next_part(river, board, group, player)
    show, folds = river.show, river.fold
    lanes, sums, won = work.lanes, work.running, work.won
    for k in range(show.batch_start[player, group], show.batch_start[player, group + 1]):
        for h in range(0, num_other, LANES):
            rows_to_lanes(lanes, h, work.river_reach, show.source[player, k])
            next_state = _ask(state.stored, next_state)
        scan(
            lanes, other.places, board * num_other, other.num_live[board], own.places,
            board * num_own, own.steps, own.step_start[board], own.step_start[board + 1], sums,
            won, num_own,
        )  # fmt: skip
        target, payoff = show.target[player, k], show.payoff[player, k]
        if with_rake:
            for h in range(0, num_own, LANES):
                raked_to_rows(
                    work.river_cfv, target, won, h, own.hands, lanes, own.twin_lane, sums, payoff
                )
        else:
            for h in range(0, num_own, LANES):
                won_to_rows(work.river_cfv, target, won, h, own.hands, sums, payoff)
                next_state = _ask(state.stored, next_state)
    for k in range(folds.batch_start[player, group], folds.batch_start[player, group + 1]):
        for h in range(0, num_other, LANES):
            rows_to_lanes(lanes, h, work.river_reach, folds.source[player, k])
            next_sums = _ask(state.policy_sum, next_sums)
        tally(lanes, other.apart, 0, num_other, sums)
        for h in range(0, num_own, LANES):
            met_to_rows(
                work.river_cfv, folds.target[player, k], lanes, h, own.hands, own.twin_lane, sums,
                folds.payoff[player, k],
            )  # fmt: skip
            next_sums = _ask(state.policy_sum, next_sums)


@inlined
def _up(
    river: Any, own: Any, board: int, player: int, mode: int, state: Any, weights: Any, work: Any,
    first: int, last: int, moves: Any,
) -> None:  # fmt: skip
    num_own = len(own.cards)
    cfv, policy = work.river_cfv, work.river_policy
    for n in range(last - 1, first - 1, -1):
        row, kind = n - first, river.kind[n]
        if kind < DEAL:
            below, count = river.first_child[n] - first, river.num_children[n]
            if kind != player:
                add(cfv, row, below, count, num_own)
            elif mode in (BEST, RECORD):
                best(cfv, row, below, count, num_own)
                if mode == RECORD:
                    begin = river.offset[n] + board * river.stride[n]
                    record(state.regret, begin, count, num_own, cfv, below)
                hold(cfv, row, below, count, num_own, river.locks, n, board)
            elif mode == LEARN:
                begin = river.offset[n] + board * river.stride[n]
                scale_at = river.scale_at[n] + board * river.scale_stride
                learn(
                    state, begin, scale_at, count, num_own, own.is_live_river[board], cfv, row,
                    below, work.river_own, river.own_row[player, n], weights, policy, work,
                )  # fmt: skip
            else:
                mix(cfv, row, policy, below, count, num_own)
        if river.parent[n] < 0:
            deal = river.entry[n]
            for k in range(len(moves)):
                move = moves[k]
                for i in range(num_own):
                    work.moved_cfv[move, deal, i] += own.is_live_river[board, i] * cfv[row, i]
