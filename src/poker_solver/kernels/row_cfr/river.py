"""One river board of a pass by row, sixteen hands at a time; see `kernels.postflop.cpu.river`."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16, I32, U8
from poker_solver.kernels.postflop import LANES, LEARN, MEAN
from poker_solver.kernels.postflop.cpu import Reach
from poker_solver.kernels.postflop.cpu.jit import inlined, inner
from poker_solver.kernels.postflop.cpu.river import is_group_reached
from poker_solver.kernels.postflop.cpu.simd.lanes import (
    met_to_slots,
    raked_to_slots,
    scan,
    slots_to_lanes,
    tally,
    won_to_slots,
)
from poker_solver.kernels.postflop.cpu.simd.walks import best_up, mix_up
from poker_solver.kernels.row_cfr import RowHands, RowPass, RowSide, RowWork
from poker_solver.kernels.row_cfr.learning import ONE, RowDecision, learn_rows
from poker_solver.kernels.row_cfr.walks import (
    add_lanes,
    enter_by_place,
    leave_by_place,
    match_rows_down,
    mix_rows_up,
    play_rows_down,
)

ZERO = np.float32(0)


@inlined
def rows_river_board(p: RowPass, s: RowSide, board: int, above: Reach, work: RowWork) -> None:
    """Walk every group; add each line's cfv to work.moved_cfv[m, deal] for every real card's m."""
    start = p.boards.river_card_start
    moves = p.boards.river_card_move[start[board] : start[board + 1]]
    _open(s.own, s.other, board, work)
    for group in range(len(p.template.group_start) - 1):
        is_reached = is_group_reached(p.template, group, work.is_reached)
        if is_reached:
            _down(p, s, board, group, above.other, work)
            _terminals(p, s, board, group, work)
        else:
            work.river_cfv[:] = 0.0
        for i in range(0, s.own.num_live[board], LANES):
            if is_reached:
                _values(p, s, group, work, i)
            if p.mode == LEARN:
                _tell(p, s, board, group, above.own, work, i)
            else:
                _look(p, s, board, group, work, i)
            for k in range(len(moves)):
                _leave(p, s, board, group, work, moves[k], i)
        if p.mode == LEARN:
            _learn(p, s, board, group, work)


@inner
def _open(own: RowHands, other: RowHands, board: int, work: RowWork) -> None:
    """Work out how terminals find the hands of a board."""
    open_ = work.board
    spare = np.int32(work.show.shape[1] - 1)
    _place(own, board, open_.own_places, open_.own_live)
    _place(other, board, open_.other_places, open_.other_live)
    for h in range(len(other.cards)):
        open_.place[h] = spare
    for k in range(other.num_live[board]):
        open_.place[other.order[board, k]] = k
    for k in range(own.order.shape[1]):
        twin = own.twin[own.order[board, k]]
        open_.twin[k] = open_.place[twin] if twin >= 0 else spare
    found = 0
    for j in range(len(other.apart)):
        h = other.apart[j]
        if open_.place[h] != spare:
            open_.apart[found] = _packed(open_.place[h], other.cards, h)
            found += 1


@inlined
def _packed(place: int, cards: U8, hand: int) -> np.int32:
    """See `cpu.simd.lanes`."""
    both = np.int32(cards[hand, 0]) << np.int32(16) | np.int32(cards[hand, 1]) << np.int32(24)
    return np.int32(place) | both


@inlined
def _place(hands: RowHands, board: int, places: I32, is_live: F32) -> None:
    for k in range(hands.order.shape[1]):
        places[k] = _packed(k, hands.cards, hands.order[board, k])
        is_live[k] = ONE if k < hands.num_live[board] else ZERO


@inlined
def _is_one(row: I16, board: int, i: int) -> int:
    """1 if sixteen hands have one row, else 0."""
    found = 1
    for k in range(1, LANES):
        if row[board, i + k] != row[board, i]:
            found = 0
    return found


@inlined
def _down(p: RowPass, s: RowSide, board: int, group: int, reach_above: F32, work: RowWork) -> None:
    """The opponent's reach at every terminal, in lanes."""
    player, reach, width = s.player, work.river_reach, s.other.order.shape[1]
    river, begin, num_rows = p.template, p.rows.start[board], p.rows.num_rows[board]
    lines, plays, show, fold = river.entries, river.plays, river.show, river.fold
    for i in range(0, s.other.num_live[board], LANES):
        at = board * width + i
        enter_by_place(
            lines.steps, lines.start[0, group], lines.start[0, group + 1], p.boards.river_share,
            work.board.other_live, i, reach_above, reach_above.shape[1], s.other.order, at, reach,
        )  # fmt: skip
        first, last = plays.start[1 - player, group], plays.start[1 - player, group + 1]
        is_one = _is_one(s.other.row, board, i)
        play_rows_down(
            plays.steps, first, last, p.state.river, begin, num_rows, s.other.row, at, is_one, reach
        )
        first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
        for k in range(first, last):
            slots_to_lanes(work.show[k - first], i, reach, show.source[player, k])
        if not river.joined[player, group]:
            first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
            for k in range(first, last):
                slots_to_lanes(work.fold[k - first], i, reach, fold.source[player, k])


@inlined
def _terminals(p: RowPass, s: RowSide, board: int, group: int, work: RowWork) -> None:
    """Sums of the opponent's reach, per card and by strength, of every terminal."""
    player, show, fold = s.player, p.template.show, p.template.fold
    num_other, width = s.other.num_live[board], s.own.order.shape[1]
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    for k in range(last - first):
        scan(
            work.show[k], work.board.other_places, 0, num_other, work.board.own_places, 0,
            s.own.steps, s.own.step_start[board], s.own.step_start[board + 1], work.show_sums[k],
            work.won[k], width,
        )  # fmt: skip
    if p.template.joined[player, group]:
        return
    first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
    for k in range(last - first):
        tally(work.fold[k], work.board.apart, 0, num_other, work.fold_sums[k])


@inlined
def _values(p: RowPass, s: RowSide, group: int, work: RowWork, i: int) -> None:
    """The cfv of every terminal, of sixteen hands."""
    player, cfv, show, fold = s.player, work.river_cfv, p.template.show, p.template.fold
    places, twin = work.board.own_places, work.board.twin
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    for k in range(first, last):
        won, sums = work.won[k - first], work.show_sums[k - first]
        target, payoff = show.target[player, k], show.payoff[player, k]
        if p.has_rake:
            lanes = work.show[k - first]
            raked_to_slots(cfv, target, won, i, places, lanes, twin, sums, payoff)
        else:
            won_to_slots(cfv, target, won, i, places, sums, payoff)
    first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
    for k in range(first, last):
        lanes, sums = work.fold[k - first], work.fold_sums[k - first]
        if p.template.joined[player, group]:
            lanes, sums = work.show[k - first], work.show_sums[k - first]
        met_to_slots(
            cfv, fold.target[player, k], lanes, i, places, twin, sums, fold.payoff[player, k]
        )


@inlined
def _tell(
    p: RowPass, s: RowSide, board: int, group: int, own_above: F32, work: RowWork, i: int
) -> None:
    """From the cfv of terminals to that of lines; rows are told of their hands; sixteen hands."""
    player, mine, river, sums = s.player, work.river_own, p.template, work.sums
    begin, num_rows, row = p.rows.start[board], p.rows.num_rows[board], s.own.row
    lines, again, ups, plays = river.entries, river.again, river.ups, river.plays
    at, is_one = board * row.shape[1] + i, _is_one(row, board, i)
    enter_by_place(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], ONE, work.board.own_live, i,
        own_above, own_above.shape[1], s.own.order, at, mine,
    )  # fmt: skip
    first, last = again.start[player, group], again.start[player, group + 1]
    play_rows_down(again.steps, first, last, p.state.river, begin, num_rows, row, at, is_one, mine)
    first, last = ups.start[player, group], ups.start[player, group + 1]
    part = river.part_start[2 * group + player] - river.part_start[0]
    mix_rows_up(
        ups.steps, first, last, p.state.river, begin, num_rows, row, at, is_one, part,
        work.river_cfv, mine, work.board.own_live, i, s.own.floor[board], sums.lane_value,
        sums.lane_reach,
    )  # fmt: skip
    first, last, lane = plays.start[player, group], plays.start[player, group + 1], 0
    while lane < LANES:
        end = LANES if is_one else lane + 1
        while end < LANES and row[board, i + end] == row[board, i + lane]:
            end += 1
        add_lanes(
            plays.steps, first, last, part, sums.lane_value, sums.lane_reach, lane, end,
            sums.value, sums.reach, sums.value.shape[1], row[board, i + lane],
        )  # fmt: skip
        lane = end


@inlined
def _learn(p: RowPass, s: RowSide, board: int, group: int, work: RowWork) -> None:
    """The player's decisions of a group learn what their rows were told."""
    river, begin, num_rows = p.template, p.rows.start[board], p.rows.num_rows[board]
    part = river.part_start[2 * group + s.player] - river.part_start[0]
    scale_at = p.rows.scale_start + board * p.rows.num_decisions
    for n in range(river.group_start[group], river.group_start[group + 1]):
        if river.kind[n] == s.player:
            offset = river.offset[n]
            at = RowDecision(
                begin + offset * num_rows, scale_at + river.scale_at[n], num_rows,
                river.num_children[n], offset - part,
            )  # fmt: skip
            learn_rows(p.state, at, work.sums, s.weights, p.has_river_sums)


@inlined
def _look(p: RowPass, s: RowSide, board: int, group: int, work: RowWork, i: int) -> None:
    """From the cfv of terminals to that of lines, of the average or the best; sixteen hands."""
    player, river, cfv, policy = s.player, p.template, work.river_cfv, work.river_policy
    first, last = river.ups.start[player, group], river.ups.start[player, group + 1]
    if p.mode != MEAN:
        best_up(river.ups.steps, first, last, cfv, policy)
        return
    begin, end = river.plays.start[player, group], river.plays.start[player, group + 1]
    row, is_one = s.own.row, _is_one(s.own.row, board, i)
    match_rows_down(
        river.plays.steps, begin, end, p.state.river, p.rows.start[board], p.rows.num_rows[board],
        row, board * row.shape[1] + i, is_one, policy,
    )  # fmt: skip
    mix_up(river.ups.steps, first, last, cfv, policy)


@inlined
def _leave(
    p: RowPass, s: RowSide, board: int, group: int, work: RowWork, move: int, i: int
) -> None:
    lines, moved, width = p.template.entries, work.moved_cfv, work.moved_cfv.shape[2]
    leave_by_place(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], work.board.own_live, i,
        work.river_cfv, s.own.order, board * s.own.order.shape[1] + i, moved,
        move * moved.shape[1] * width, width,
    )  # fmt: skip
