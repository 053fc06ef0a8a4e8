"""One river board of a pass: its lines group by group, sixteen hands at a time."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16, Bool
from poker_solver.kernels.postflop import BEST, LANES, LEARN, MEAN, OPPONENT, RECORD, River
from poker_solver.kernels.postflop.cpu import Pass, Reach, Side, Work
from poker_solver.kernels.postflop.cpu.by_hand import is_by_hand, values_by_hand
from poker_solver.kernels.postflop.cpu.jit import by_type, inlined, inner, nothing
from poker_solver.kernels.postflop.cpu.locks import hold, locked
from poker_solver.kernels.postflop.cpu.packing import has_packed, learning, narrow, widen
from poker_solver.kernels.postflop.cpu.rows import record
from poker_solver.kernels.postflop.cpu.simd.lanes import slots_to_lanes
from poker_solver.kernels.postflop.cpu.simd.sums import (
    met_at_slots,
    raked_shown_to_slots,
    run_sums,
    shown_to_slots,
)
from poker_solver.kernels.postflop.cpu.simd.walks import (
    best_up,
    enter,
    fetch,
    find_rests,
    learn_up,
    leave,
    match_down,
    mix_up,
    pay_folds,
    play_down,
)

ONE = np.float32(1)

UP = 2
"""How much longer a hand takes on the way up than down, for what is prefetched meanwhile."""


@inlined
def river_board(p: Pass, s: Side, board: int, above: Reach, work: Work) -> None:
    """Walk every group; add each line's cfv to work.moved_cfv[m, deal] for every real card's m.

    A group that the opponent never reaches is worth nothing: only what is learned fades there.
    Memory is slow and otherwise idle: the state of the next group is prefetched all along.
    """
    start = p.boards.river_card_start
    moves = p.boards.river_card_move[start[board] : start[board + 1]]
    num_own, num_other = len(s.own.cards), len(s.other.cards)
    for group in range(len(p.river.group_start) - 1):
        is_reached = is_group_reached(p.river, group, work.is_reached)
        if is_reached:
            _down(p, s, board, group, above.other, work)
            terminals(p, s, board, group, work)
        else:
            work.river_cfv[:] = 0.0
        if p.mode[0] == LEARN:
            repack(p, s, board, group, work, False)
        for i in range(0, num_own, LANES):
            if is_reached:
                values(p, s, board, group, work, i)
            for due in range(num_other + UP * i, num_other + UP * (i + LANES), LANES):
                _prefetch(p, s, board, group, due)
            if p.mode[0] == LEARN:
                _learn(p, s, board, group, above.own, work, i)
            else:
                _look(p, s, board, group, work, i)
            for k in range(len(moves)):
                _leave(p, s, board, group, work, moves[k], i)
        if p.mode[0] == LEARN:
            repack(p, s, board, group, work, True)


@inlined
def is_group_reached(river: River, group: int, deals: Bool) -> bool:
    """Whether the opponent comes to any of the deals that lead to a group."""
    start, steps = river.entries.start, river.entries.steps
    found = False
    for k in range(start[0, group], start[0, group + 1]):
        found |= deals[steps[k, 0]]
    return found


@inlined
def _base(river: River, board: int) -> int:
    """Where the river's state of a board begins."""
    base: int = river.part_start[0] + board * river.stride[0]
    return base


@inner
def _down(p: Pass, s: Side, board: int, group: int, reach_above: F32, work: Work) -> None:
    """The opponent's reach at every terminal, in lanes."""
    player = s.player
    width, base, reach = len(s.other.cards), _base(p.river, board), work.river_reach
    lines, plays, show = p.river.entries, p.river.plays, p.river.show
    for i in range(0, width, LANES):
        enter(
            lines.steps, lines.start[0, group], lines.start[0, group + 1], p.boards.river_share,
            s.other.is_live_river, board * width + i, reach_above, reach_above.shape[1], i, reach,
        )  # fmt: skip
        _prefetch(p, s, board, group, i)
        first, last = plays.start[1 - player, group], plays.start[1 - player, group + 1]
        play_down(plays.steps, first, last, p.state.stored, base + i, width, reach)
        first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
        for k in range(first, last):
            slots_to_lanes(work.show[k - first], i, reach, show.source[player, k])
        fold_lanes(p, s, group, work, i)


@inner
def _fold_lanes(p: Pass, s: Side, group: int, work: Work, i: int) -> None:
    """The same where folds are summed by themselves, and have lanes of their own."""
    player, fold = s.player, p.river.fold
    if not p.river.joined[player, group]:
        first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
        for k in range(first, last):
            slots_to_lanes(work.fold[k - first], i, work.river_reach, fold.source[player, k])


@inner
def _terminals(p: Pass, s: Side, board: int, group: int, work: Work) -> None:
    """Sums of the opponent's reach, per card and by strength, of every batch of lanes."""
    player, sums, show = s.player, s.own.sums, p.river.show
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    begin, num_other = board * sums.counted.shape[1], len(s.other.cards)
    for k in range(last - first):
        run_sums(
            work.show[k], sums.counted, sums.rows, begin, num_other, sums.fours, work.running[k]
        )


@inner
def _values(p: Pass, s: Side, board: int, group: int, work: Work, i: int) -> None:
    """The cfv of every terminal, of sixteen hands."""
    player, own, cfv, met, show = s.player, s.own, work.river_cfv, work.river_met, p.river.show
    place = board * len(own.cards) + i
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    for k in range(first, last):
        lanes, running = work.show[k - first], work.running[k - first]
        target, payoff = show.target[player, k], show.payoff[player, k]
        if p.has_rake:
            raked_shown_to_slots(
                cfv, target, running, own.sums.held, i, own.sums.seen, place, lanes,
                own.twin_lane, payoff,
            )  # fmt: skip
        else:
            shown_to_slots(cfv, target, running, own.sums.held, i, own.sums.seen, place, payoff)
        met_at_slots(met, show.source[player, k], running, own.sums.held, i, lanes, own.twin_lane)
    rests, folds = p.river.rests, p.river.folds
    find_rests(rests.steps, rests.start[player, group], rests.start[player, group + 1], met)
    first, last = folds.start[player, group], folds.start[player, group + 1]
    pay_folds(folds.steps, first, last, p.river.payoff, met, cfv)


@inner
def _learn(p: Pass, s: Side, board: int, group: int, own_above: F32, work: Work, i: int) -> None:
    """From the cfv of terminals to that of lines, learning on the way; sixteen hands."""
    player = s.player
    width, base, mine = len(s.own.cards), _base(p.river, board), work.river_own
    lines, again, ups = p.river.entries, p.river.again, p.river.ups
    enter(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], ONE, s.own.is_live_river,
        board * width + i, own_above, own_above.shape[1], i, mine,
    )  # fmt: skip
    first, last = again.start[player, group], again.start[player, group + 1]
    play_down(again.steps, first, last, p.state.stored, base + i, width, mine)
    first, last = ups.start[player, group], ups.start[player, group + 1]
    part = p.river.part_start[0] - p.river.part_start[2 * group + player]
    regret, begin = learning(p.state, base, work.regret, part)
    learn_up(
        ups.steps, first, last, regret, begin + i, p.state.policy_sum, base + i, width,
        work.river_cfv, mine, s.weights,
    )  # fmt: skip


@inner
def _look(p: Pass, s: Side, board: int, group: int, work: Work, i: int) -> None:
    """From the cfv of terminals to that of lines, of the average or the best; sixteen hands."""
    player, mode = s.player, p.mode[0]
    width, cfv, policy = len(s.own.cards), work.river_cfv, work.river_policy
    plays, ups, base = p.river.plays, p.river.ups, _base(p.river, board)
    first, last = ups.start[player, group], ups.start[player, group + 1]
    if mode == MEAN:
        begin, end = plays.start[player, group], plays.start[player, group + 1]
        match_down(plays.steps, begin, end, p.state.stored, base + i, width, policy)
        mix_up(ups.steps, first, last, cfv, policy)
    elif mode == BEST and not len(p.river.locks.table):
        best_up(ups.steps, first, last, cfv, policy)
    else:
        _best_by_node(p, s, board, group, first, last, work, i)


@inner
def _best_by_node(
    p: Pass, s: Side, board: int, group: int, first: int, last: int, work: Work, i: int
) -> None:
    """`best_up` one decision after the other, to write down what is best and to keep to locks."""
    cfv, steps, width = work.river_cfv, p.river.ups.steps, len(s.own.cards)
    for k in range(first, last):
        best_up(steps, k, k + 1, cfv, work.river_policy)
        count, offset, slot, below = steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3]
        if count >= OPPONENT:
            continue
        row, child = slot // LANES, below // LANES
        if p.mode[0] == RECORD:
            begin = _base(p.river, board) + offset + i
            record(p.state.regret, begin, width, count, LANES, cfv, child)
        table = locked(p.river.locks, p.river.group_start[group] + row, board)
        hold(cfv, row, child, count, LANES, p.river.locks, table, i)


@inner
def _leave(p: Pass, s: Side, board: int, group: int, work: Work, move: int, i: int) -> None:
    lines, moved, width = p.river.entries, work.moved_cfv, work.moved_cfv.shape[2]
    leave(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], s.own.is_live_river,
        board * len(s.own.cards) + i, work.river_cfv, moved, move * moved.shape[1] * width + i,
        width,
    )  # fmt: skip


@inner
def _prefetch(p: Pass, s: Side, board: int, group: int, i: int) -> None:
    """Prefetch a part of the next group's state, as much as is due after i hands.

    All that policies are made of, and where the player learns his sums, evenly on the way down and
    up: in bursts they would keep the arithmetic from its own loads.
    """
    num_own, num_other, part = len(s.own.cards), len(s.other.cards), 2 * group + 2
    begin = board * p.river.stride[0]
    if part + 1 == len(p.river.part_start):
        part, begin = 0, begin + p.river.stride[0]
    first, last = begin + p.river.part_start[part], begin + p.river.part_start[part + 2]
    hands = num_other + UP * num_own
    _fetch_share(p.state.stored, first, last, i, hands)
    if p.mode[0] == LEARN:
        first = begin + p.river.part_start[part + s.player]
        last = begin + p.river.part_start[part + s.player + 1]
        _fetch_share(p.state.policy_sum, first, last, i, hands)


@inner
def _fetch_share(array: F32 | I16, first: int, last: int, i: int, num_hands: int) -> None:
    """What of array[first:last] is due for sixteen hands from i of so many."""
    size = ((last - first) * LANES // num_hands + 32) // 32 * 32
    begin = first + i // LANES * size
    fetch(array, begin, min(begin + size, last, len(array)))


@inner
def _repack(p: Pass, s: Side, board: int, group: int, work: Work, is_learned: bool) -> None:
    """Widen the regrets of a group's decisions into scratch; narrow them back once learned."""
    river, is_live, scratch = p.river, s.own.is_live_river[board], work.regret
    for n in range(river.group_start[group], river.group_start[group + 1]):
        if river.kind[n] == s.player:
            begin, count = river.offset[n] + board * river.stride[n], river.num_children[n]
            at = river.offset[n] - river.part_start[2 * group + s.player]
            scale_at = river.scale_at[n] + board * river.scale_stride
            if is_learned:
                narrow(scratch, at, count, is_live, p.state, begin, scale_at)
            else:
                size, scale = count * len(is_live), p.state.scale[scale_at]
                widen(p.state.regret, begin, scale, size, scratch, at)


terminals = by_type(is_by_hand, nothing, _terminals)
values = by_type(is_by_hand, values_by_hand, _values)
fold_lanes = by_type(is_by_hand, _fold_lanes, nothing)
repack = by_type(has_packed, _repack, nothing)
