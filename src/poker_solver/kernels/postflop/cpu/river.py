"""One river board of a pass: its lines group by group, sixteen hands at a time."""

from typing import Any

import numpy as np

from poker_solver.kernels.postflop import BEST, LANES, LEARN, MEAN, OPPONENT, RECORD
from poker_solver.kernels.postflop.cpu.jit import inlined, inner
from poker_solver.kernels.postflop.cpu.locks import hold
from poker_solver.kernels.postflop.cpu.packing import narrow, wide, widen
from poker_solver.kernels.postflop.cpu.rows import record
from poker_solver.kernels.postflop.cpu.simd.lanes import (
    met_to_slots,
    raked_to_slots,
    scan,
    slots_to_lanes,
    tally,
    won_to_slots,
)
from poker_solver.kernels.postflop.cpu.simd.walks import (
    best_up,
    enter,
    fetch,
    learn_up,
    leave,
    match_down,
    mix_up,
    play_down,
)

ONE = np.float32(1)


@inlined
def river_board(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int,
    with_rake: bool, reach_above: Any, own_above: Any, state: Any, weights: Any, work: Any,
    moves: Any,
) -> None:  # fmt: skip
    """Walk every group; add each line's cfv to work.moved_cfv[m, deal] for every move m.

    A group that the opponent never reaches is worth nothing: only what is learned fades there.
    Memory is slow and otherwise idle: the state of the next group is asked for all along.
    """
    for group in range(len(river.group_start) - 1):
        is_reached = _is_reached(river, group, work.is_reached)
        if is_reached:
            _down(river, own, other, board, share, player, mode, group, reach_above, state, work)
            _terminals(river, own, other, board, player, group, work)
        else:
            work.river_cfv[:] = 0.0
        if mode == LEARN:
            _widen(river, own, board, player, group, state, work.regret)
        for i in range(0, len(own.cards), LANES):
            if is_reached:
                _values(river, own, player, with_rake, group, work, i)
            _ask(river, own, other, board, player, mode, group, state, len(other.cards) + i)
            if mode == LEARN:
                _learn(river, own, board, player, group, own_above, state, weights, work, i)
            else:
                _look(river, own, board, player, mode, group, state, work, i)
            for k in range(len(moves)):
                _leave(river, own, board, group, work, moves[k], i)
        if mode == LEARN:
            _narrow(river, own, board, player, group, state, work.regret)


@inlined
def _is_reached(river: Any, group: int, deals: Any) -> Any:
    start, steps = river.entries.start, river.entries.steps
    found = False
    for k in range(start[0, group], start[0, group + 1]):
        found |= deals[steps[k, 0]]
    return found


@inlined
def _base(river: Any, board: int) -> Any:
    """Where the river's state of a board begins."""
    return river.part_start[0] + board * river.stride[0]


@inlined
def _down(
    river: Any, own: Any, other: Any, board: int, share: Any, player: int, mode: int, group: int,
    reach_above: Any, state: Any, work: Any,
) -> None:  # fmt: skip
    """The opponent's reach at every terminal, in lanes."""
    width, base, reach = len(other.cards), _base(river, board), work.river_reach
    lines, plays, show, fold = river.entries, river.plays, river.show, river.fold
    for i in range(0, width, LANES):
        enter(
            lines.steps, lines.start[0, group], lines.start[0, group + 1], share,
            other.is_live_river, board * width + i, reach_above, reach_above.shape[1], i, reach,
        )  # fmt: skip
        _ask(river, own, other, board, player, mode, group, state, i)
        first, last = plays.start[1 - player, group], plays.start[1 - player, group + 1]
        play_down(plays.steps, first, last, state.stored, base + i, width, reach)
        first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
        for k in range(first, last):
            slots_to_lanes(work.show[k - first], i, reach, show.source[player, k])
        if not river.joined[player, group]:
            first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
            for k in range(first, last):
                slots_to_lanes(work.fold[k - first], i, reach, fold.source[player, k])


@inlined
def _terminals(
    river: Any, own: Any, other: Any, board: int, player: int, group: int, work: Any
) -> None:
    """Sums of the opponent's reach, per card and by strength, of every terminal."""
    num_own, num_other, show, fold = len(own.cards), len(other.cards), river.show, river.fold
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    for k in range(last - first):
        scan(
            work.show[k], other.places, board * num_other, other.num_live[board], own.places,
            board * num_own, own.steps, own.step_start[board], own.step_start[board + 1],
            work.show_sums[k], work.won[k], num_own,
        )  # fmt: skip
    if river.joined[player, group]:
        return
    first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
    for k in range(last - first):
        tally(work.fold[k], other.apart, 0, num_other, work.fold_sums[k])


@inlined
def _values(
    river: Any, own: Any, player: int, with_rake: bool, group: int, work: Any, i: int
) -> None:
    """The cfv of every terminal, of sixteen hands."""
    cfv, show, fold = work.river_cfv, river.show, river.fold
    first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
    for k in range(first, last):
        won, sums = work.won[k - first], work.show_sums[k - first]
        target, payoff = show.target[player, k], show.payoff[player, k]
        if with_rake:
            lanes = work.show[k - first]
            raked_to_slots(
                cfv, target, won, i, own.hands, lanes, own.twin_lane, sums, payoff
            )  # fmt: skip
        else:
            won_to_slots(cfv, target, won, i, own.hands, sums, payoff)
    first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
    for k in range(first, last):
        lanes, sums = work.fold[k - first], work.fold_sums[k - first]
        if river.joined[player, group]:
            lanes, sums = work.show[k - first], work.show_sums[k - first]
        met_to_slots(
            cfv, fold.target[player, k], lanes, i, own.hands, own.twin_lane, sums,
            fold.payoff[player, k],
        )  # fmt: skip


@inlined
def _learn(
    river: Any, own: Any, board: int, player: int, group: int, own_above: Any, state: Any,
    weights: Any, work: Any, i: int,
) -> None:  # fmt: skip
    """From the cfv of terminals to that of lines, learning on the way; sixteen hands."""
    width, base, mine = len(own.cards), _base(river, board), work.river_own
    lines, again, ups = river.entries, river.again, river.ups
    enter(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], ONE, own.is_live_river,
        board * width + i, own_above, own_above.shape[1], i, mine,
    )  # fmt: skip
    first, last = again.start[player, group], again.start[player, group + 1]
    play_down(again.steps, first, last, state.stored, base + i, width, mine)
    first, last = ups.start[player, group], ups.start[player, group + 1]
    part = river.part_start[0] - river.part_start[2 * group + player]
    regret, begin = wide(state.regret, base, work.regret, part)
    learn_up(
        ups.steps, first, last, regret, begin + i, state.policy_sum, base + i, width,
        work.river_cfv, mine, weights[0], weights[1], weights[2],
    )  # fmt: skip


@inlined
def _look(
    river: Any, own: Any, board: int, player: int, mode: int, group: int, state: Any, work: Any,
    i: int,
) -> None:  # fmt: skip
    """From the cfv of terminals to that of lines, of the average or the best; sixteen hands."""
    width, cfv, policy = len(own.cards), work.river_cfv, work.river_policy
    plays, ups = river.plays, river.ups
    first, last = ups.start[player, group], ups.start[player, group + 1]
    if mode == MEAN:
        begin, end = plays.start[player, group], plays.start[player, group + 1]
        match_down(plays.steps, begin, end, state.stored, _base(river, board) + i, width, policy)
        mix_up(ups.steps, first, last, cfv, policy)
    elif mode == BEST and not len(river.locks.table):
        best_up(ups.steps, first, last, cfv, policy)
    else:
        _best_by_node(river, width, board, mode, group, first, last, state, work, i)


@inner
def _best_by_node(
    river: Any, width: int, board: int, mode: int, group: int, first: int, last: int, state: Any,
    work: Any, i: int,
) -> None:  # fmt: skip
    """`best_up` one decision after the other, to write down what is best and to keep to locks."""
    cfv, steps = work.river_cfv, river.ups.steps
    for k in range(first, last):
        best_up(steps, k, k + 1, cfv, work.river_policy)
        count, offset, slot, below = steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3]
        if count >= OPPONENT:
            continue
        row, child = slot // LANES, below // LANES
        if mode == RECORD:
            begin = _base(river, board) + offset + i
            record(state.regret, begin, width, count, LANES, cfv, child)
        node = river.group_start[group] + row
        hold(cfv, row, child, count, LANES, river.locks, node, board, i)


@inlined
def _leave(river: Any, own: Any, board: int, group: int, work: Any, move: int, i: int) -> None:
    lines, moved, width = river.entries, work.moved_cfv, work.moved_cfv.shape[2]
    leave(
        lines.steps, lines.start[0, group], lines.start[0, group + 1], own.is_live_river,
        board * len(own.cards) + i, work.river_cfv, moved, move * moved.shape[1] * width + i,
        width,
    )  # fmt: skip


@inlined
def _ask(
    river: Any, own: Any, other: Any, board: int, player: int, mode: int, group: int, state: Any,
    i: int,
) -> None:  # fmt: skip
    """Have a part of the next group's state fetched, as much as is due after i hands.

    All that policies are made of, on the way down and up; on the way up also the player's sums.
    """
    num_own, num_other, part = len(own.cards), len(other.cards), 2 * group + 2
    begin = board * river.stride[0]
    if part + 1 == len(river.part_start):
        part, begin = 0, begin + river.stride[0]
    first, last = begin + river.part_start[part], begin + river.part_start[part + 2]
    _fetch_share(state.stored, first, last, i, num_own + num_other)
    if mode == LEARN and i >= num_other:
        first = begin + river.part_start[part + player]
        last = begin + river.part_start[part + player + 1]
        _fetch_share(state.policy_sum, first, last, i - num_other, num_own)


@inlined
def _fetch_share(array: Any, first: int, last: int, i: int, num_hands: int) -> None:
    """What of array[first:last] is due for sixteen hands from i of so many."""
    size = ((last - first) * LANES // num_hands + 32) // 32 * 32
    begin = first + i // LANES * size
    fetch(array, begin, min(begin + size, last, len(array)))


@inlined
def _widen(
    river: Any, own: Any, board: int, player: int, group: int, state: Any, scratch: Any
) -> None:
    for n in range(river.group_start[group], river.group_start[group + 1]):
        if river.kind[n] == player:
            begin, at = river.offset[n] + board * river.stride[n], _place(river, player, group, n)
            scale_at = river.scale_at[n] + board * river.scale_stride
            size = len(own.cards) * river.num_children[n]
            widen(state.regret, state.scale, begin, scale_at, size, scratch, at)


@inlined
def _narrow(
    river: Any, own: Any, board: int, player: int, group: int, state: Any, scratch: Any
) -> None:
    for n in range(river.group_start[group], river.group_start[group + 1]):
        if river.kind[n] == player:
            begin, at = river.offset[n] + board * river.stride[n], _place(river, player, group, n)
            scale_at = river.scale_at[n] + board * river.scale_stride
            narrow(
                state.regret, state.scale, begin, scale_at, river.num_children[n], len(own.cards),
                own.is_live_river[board], scratch, at,
            )  # fmt: skip


@inlined
def _place(river: Any, player: int, group: int, n: int) -> Any:
    """Where a decision's regrets stand among those of the player in its group."""
    return river.offset[n] - river.part_start[2 * group + player]
