"""One river board of a pass by row, sixteen hands at a time; see `kernels.postflop.cpu.river`."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16, I32
from poker_solver.kernels.postflop import LANES, LEARN, MEAN, Boards, River
from poker_solver.kernels.postflop.cpu.jit import inlined, inner, inner_loops
from poker_solver.kernels.postflop.cpu.river import is_group_reached
from poker_solver.kernels.postflop.cpu.simd.lanes import (
    met_to_slots,
    raked_to_slots,
    scan,
    slots_to_lanes,
    tally,
    won_to_slots,
)
from poker_solver.kernels.postflop.cpu.simd.walks import best_up, enter, mix_up
from poker_solver.kernels.row_cfr import RowHands, RowPass, RowSide, RowSums, RowTold, RowWork
from poker_solver.kernels.row_cfr.learning import ONE, RowDecision, learn_rows
from poker_solver.kernels.row_cfr.orders import lanes_to_places, places_to_lanes
from poker_solver.kernels.row_cfr.walks import (
    add_lanes,
    match_rows_down,
    mix_rows_up,
    play_rows_down,
    set_down,
)

ZERO = np.float32(0)
FIRST = np.int64(0)


@inlined
def rows_river_board(p: RowPass, s: RowSide, board: int, work: RowWork) -> None:
    """Walk every group; add each line's cfv to work.deals.moved_cfv[m] for every real card's m."""
    _open(s.own, s.other, board, work)
    _enter(s.other, board, work.deals.other_reach, work.board.other_reach)
    if p.mode == LEARN:
        _enter(s.own, board, work.deals.own_reach, work.board.own_reach)
    for group in range(len(p.template.group_start) - 1):
        is_reached = is_group_reached(p.template, group, work.is_reached)
        if is_reached:
            _down(p, s, board, group, work)
            _terminals(p, s, board, group, work)
        else:
            work.river_cfv[:] = 0.0
        for i in range(0, s.own.num_live[board], LANES):
            if is_reached:
                _values(p, s, group, work, i)
            if p.mode == LEARN:
                _tell(p, s, board, group, work, i)
            else:
                _look(p, s, board, group, work, i)
            lines, cfv = p.template.entries, work.board.cfv
            set_down(
                lines.steps, lines.start[0, group], lines.start[0, group + 1], work.board.own_live,
                i, work.river_cfv, cfv, cfv.shape[1],
            )  # fmt: skip
        if p.mode == LEARN and len(p.rows.told_weight) == 0:
            _learn(p, s, board, group, work)
    _leave(p.boards, s.own, board, work)


@inlined
def _enter(hands: RowHands, board: int, lanes: F32, reach: F32) -> None:
    """The reach after every deal, by place."""
    width, pitch = hands.order.shape[1], reach.shape[1]
    for q in range(len(lanes)):
        for i in range(0, hands.num_live[board], LANES):
            lanes_to_places(
                lanes, q * lanes.shape[1], hands.order, board * width + i, reach,
                q * LANES * pitch + i, pitch,
            )  # fmt: skip


@inlined
def _leave(boards: Boards, own: RowHands, board: int, work: RowWork) -> None:
    """Add the cfv of every deal to what its hands have, for every real card."""
    width, cfv, moved = own.order.shape[1], work.board.cfv, work.deals.moved_cfv
    pitch, num_hands = cfv.shape[1], moved.shape[2]
    first, last = boards.river_card_start[board], boards.river_card_start[board + 1]
    for q in range(moved.shape[1]):
        for i in range(0, own.num_live[board], LANES):
            places_to_lanes(
                cfv, q * LANES * pitch + i, pitch, own.order, board * width + i,
                boards.river_card_move, first, last, moved, q * num_hands,
                moved.shape[1] * num_hands,
            )  # fmt: skip


@inner_loops
def _open(own: RowHands, other: RowHands, board: int, work: RowWork) -> None:
    """Work out how terminals find the hands of a board."""
    opened, spare = work.board, np.int32(work.show.shape[1] - 1)
    _place(own, board, opened.own_places, opened.own_live, opened.own_block)
    _place(other, board, opened.other_places, opened.other_live, opened.other_block)
    place, twins = opened.place, opened.twin
    for h in range(len(other.held)):
        place[np.uint64(h)] = spare
    order = other.order[board]
    for k in range(other.num_live[board]):
        place[np.uint64(order[np.uint64(k)])] = k
    order = own.order[board]
    for k in range(own.num_live[board]):
        twin = own.twin[np.uint64(order[np.uint64(k)])]
        twins[np.uint64(k)] = place[np.uint64(twin)] if twin >= 0 else spare
    found = np.uint64(0)
    for j in range(len(other.apart)):
        hand = np.uint64(other.apart[np.uint64(j)])
        if place[hand] != spare:
            opened.apart[found] = place[hand] | other.held[hand]
            found += np.uint64(1)


@inlined
def _place(hands: RowHands, board: int, places: I32, is_live: F32, block: I32) -> None:
    """Places with their cards, and which blocks of them have one row."""
    order, row, live = hands.order[board], hands.row[board], hands.num_live[board]
    for k in range(len(order)):
        places[np.uint64(k)] = np.int32(k) | hands.held[np.uint64(order[np.uint64(k)])]
        is_live[np.uint64(k)] = ONE if k < live else ZERO
    for b in range(len(order) // LANES):
        first, is_one = row[np.uint64(b * LANES)], True
        for k in range(b * LANES + 1, b * LANES + LANES):
            is_one &= row[np.uint64(k)] == first
        block[np.uint64(b)] = first if is_one else np.int32(-1)


@inlined
def _down(p: RowPass, s: RowSide, board: int, group: int, work: RowWork) -> None:
    """The opponent's reach at every terminal, in lanes."""
    player, reach, width = s.player, work.river_reach, s.other.order.shape[1]
    river, begin, num_rows = p.template, p.rows.start[board], p.rows.num_rows[board]
    lines, plays, show, fold = river.entries, river.plays, river.show, river.fold
    for i in range(0, s.other.num_live[board], LANES):
        at, above = board * width + i, work.board.other_reach
        enter(
            lines.steps, lines.start[0, group], lines.start[0, group + 1], p.boards.river_share,
            work.board.other_live, i, above, above.shape[1], i, reach,
        )  # fmt: skip
        first, last = plays.start[1 - player, group], plays.start[1 - player, group + 1]
        is_one = 1 if work.board.other_block[i // LANES] >= 0 else 0
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
def _tell(p: RowPass, s: RowSide, board: int, group: int, work: RowWork, i: int) -> None:
    """From the cfv of terminals to that of lines; rows are told of their hands; sixteen hands."""
    player, mine, river, sums = s.player, work.river_own, p.template, work.sums
    begin, num_rows, row = p.rows.start[board], p.rows.num_rows[board], s.own.row
    lines, again, ups, above = river.entries, river.again, river.ups, work.board.own_reach
    at, block, b = board * row.shape[1] + i, work.board.own_block, i // LANES
    is_one = 1 if block[b] >= 0 else 0
    is_more = 1 if is_one and b > 0 and block[b - 1] == block[b] else 0
    is_shared, floor = len(p.rows.told_weight) > 0, s.own.floor[board]
    weight = p.rows.told_weight[board] if is_shared else ONE
    enter(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], weight,
        work.board.own_live, i, above, above.shape[1], i, mine,
    )  # fmt: skip
    first, last = again.start[player, group], again.start[player, group + 1]
    play_rows_down(again.steps, first, last, p.state.river, begin, num_rows, row, at, is_one, mine)
    first, last = ups.start[player, group], ups.start[player, group + 1]
    part = river.part_start[2 * group + player] - river.part_start[0]
    mix_rows_up(
        ups.steps, first, last, p.state.river, begin, num_rows, row, at, is_one, part,
        work.river_cfv, mine, work.board.own_live, i, weight * floor, ONE - floor, is_more,
        sums.lane_value, sums.lane_reach,
    )  # fmt: skip
    is_last = i + LANES >= s.own.num_live[board] or block[b + 1] != block[b]
    if is_last or not is_one:
        hands = row[board, i : i + LANES]
        if is_shared:
            _add_runs(river, group, player, hands, sums, work.shared_river, part)
        else:
            _add_runs(river, group, player, hands, sums, sums.told, FIRST)


@inner
def _add_runs(
    river: River, group: int, player: int, row: I16, sums: RowSums, told: RowTold, begin: int
) -> None:
    """Add what sixteen hands have to say, or several times as many of one row, to their rows.

    The actions of the group stand in `told` from `begin` on.
    """
    first, last = river.plays.start[player, group], river.plays.start[player, group + 1]
    part, lane = river.part_start[2 * group + player] - river.part_start[0], 0
    width = told.value.shape[1]
    while lane < LANES:
        end = lane + 1
        while end < LANES and row[end] == row[lane]:
            end += 1
        add_lanes(
            river.plays.steps, first, last, part, sums.lane_value, sums.lane_reach, lane, end,
            told.value, told.reach, width, begin * width + row[lane],
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
            learn_rows(p.state, at, work.sums.told, work.sums, s.weights, p.has_river_sums)


@inlined
def _look(p: RowPass, s: RowSide, board: int, group: int, work: RowWork, i: int) -> None:
    """From the cfv of terminals to that of lines, of the average or the best; sixteen hands."""
    player, river, cfv, policy = s.player, p.template, work.river_cfv, work.river_policy
    first, last = river.ups.start[player, group], river.ups.start[player, group + 1]
    if p.mode != MEAN:
        best_up(river.ups.steps, first, last, cfv, policy)
        return
    begin, end = river.plays.start[player, group], river.plays.start[player, group + 1]
    row, is_one = s.own.row, 1 if work.board.own_block[i // LANES] >= 0 else 0
    match_rows_down(
        river.plays.steps, begin, end, p.state.river, p.rows.start[board], p.rows.num_rows[board],
        row, board * row.shape[1] + i, is_one, policy,
    )  # fmt: skip
    mix_up(river.ups.steps, first, last, cfv, policy)
