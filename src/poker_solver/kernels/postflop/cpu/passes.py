"""A pass over the whole public tree, in parts that threads can share. See the package docstring.

A *unit* is what one thread does at a time: on a flop one turn with all its rivers, on a turn some
of the rivers, on a river everything. What a unit adds to the street above goes into a place of its
own, and the places are summed in order: the result does not depend on who did what.
"""

from typing import Any

from poker_solver.kernels.postflop.cpu.jit import inlined, kernel
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.kernels.postflop.cpu.river import river_board
from poker_solver.kernels.postflop.cpu.simd.denormals import ignore_small, mind_small
from poker_solver.kernels.postflop.cpu.upper import spread, street_down, street_up


@inlined
def _rivers(
    river: Any, boards: Any, own: Any, other: Any, first: int, last: int, player: int, mode: int,
    with_rake: bool, reach: Any, mine: Any, state: Any, weights: Any, work: Any, deal_cfv: Any,
) -> None:  # fmt: skip
    """What `rivers` does; written into kernels where handing it everything would take too long."""
    before = ignore_small()
    work.moved_cfv[:] = 0.0
    for deal in range(len(reach)):
        work.is_reached[deal] = reach[deal].any()
    for board in range(first, last):
        moves = boards.river_card_move[
            boards.river_card_start[board] : boards.river_card_start[board + 1]
        ]
        river_board(
            river, own, other, board, boards.river_share, player, mode, with_rake, reach, mine,
            state, weights, work, moves,
        )  # fmt: skip
    deal_cfv[:] = 0.0
    for move in range(len(own.moved)):
        spread(work.moved_cfv[move], move, own.moved, deal_cfv)
    mind_small(before)


@kernel
def rivers(
    river: Any, boards: Any, own: Any, other: Any, first: int, last: int, player: int, mode: int,
    with_rake: bool, reach: Any, mine: Any, state: Any, weights: Any, work: Any, deal_cfv: Any,
) -> None:  # fmt: skip
    """deal_cfv[d, h] = sum over the real cards that river boards first:last stand for."""
    _rivers(
        river, boards, own, other, first, last, player, mode, with_rake, reach, mine, state,
        weights, work, deal_cfv,
    )  # fmt: skip


@kernel
def river_iterations(
    river: Any, boards: Any, hands: Any, with_rake: bool, reach: Any, state: Any, unit: Any,
    mode: int, table: Any, work: Any,
) -> None:  # fmt: skip
    """One iteration for each row of table on a spot that starts on the river; `mode` is LEARN.

    Such an iteration takes microseconds, less than the way to Python and back. Numbers that vary
    at run time are what keeps `rivers` from being compiled once more for each.
    """
    for t in range(len(table)):
        for player in range(2):
            own, other = hands[player], hands[1 - player]
            _rivers(
                river, boards, own, other, 0 * player, len(boards.river_start) - 1, player, mode,
                with_rake, reach[1 - player], reach[player], state, table[t], work, work.deal_cfv,
            )  # fmt: skip
            restore(river, player, len(own.cards), state.regret, unit, state.policy_sum)


@kernel
def river_units(
    river: Any, boards: Any, own: Any, other: Any, cuts: Any, first: int, last: int, player: int,
    mode: int, with_rake: bool, reach: Any, mine: Any, state: Any, weights: Any, work: Any,
    outs: Any,
) -> None:  # fmt: skip
    """outs[u, d, h] = sum over the real cards that river boards cuts[u]:cuts[u + 1] stand for."""
    for u in range(first, last):
        rivers(
            river, boards, own, other, cuts[u], cuts[u + 1], player, mode, with_rake, reach, mine,
            state, weights, work, outs[u],
        )  # fmt: skip


@kernel
def turn_pass(
    turn: Any, river: Any, boards: Any, own: Any, other: Any, own_root: Any, other_root: Any,
    cuts: Any, player: int, mode: int, with_rake: bool, reach: Any, mine: Any, share: Any,
    state: Any, weights: Any, work: Any, outs: Any, out: Any,
) -> None:  # fmt: skip
    """A whole pass, on one thread, of a spot that starts on the turn; out[0, h] is its cfv."""
    board = 0
    street_down(
        turn, own_root, other_root, board, share, player, mode, reach, mine, state, work,
        work.deal_reach, work.deal_own,
    )  # fmt: skip
    river_units(
        river, boards, own, other, cuts, board, len(outs), player, mode, with_rake,
        work.deal_reach, work.deal_own, state, weights, work, outs,
    )  # fmt: skip
    add_up(outs, work.deal_cfv)
    street_up(
        turn, own_root, other_root, board, player, mode, state, weights, work, work.deal_cfv, out
    )


@kernel
def add_up(outs: Any, total: Any) -> None:
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
    turn: Any, river: Any, boards: Any, own: Any, other: Any, first: int, last: int, player: int,
    mode: int, with_rake: bool, reach: Any, mine: Any, state: Any, weights: Any, work: Any,
    turn_cfv: Any,
) -> None:  # fmt: skip
    """turn_cfv[t, d, h] = cfv after representative turn t, at each deal d of the flop."""
    for board in range(first, last):
        street_down(
            turn, own, other, board, boards.turn_share, player, mode, reach, mine, state, work,
            work.deal_reach, work.deal_own,
        )  # fmt: skip
        rivers(
            river, boards, own, other, boards.river_start[board], boards.river_start[board + 1],
            player, mode, with_rake, work.deal_reach, work.deal_own, state, weights, work,
            work.deal_cfv,
        )  # fmt: skip
        street_up(
            turn, own, other, board, player, mode, state, weights, work,
            work.deal_cfv, turn_cfv[board],
        )  # fmt: skip


@kernel
def gather_turns(boards: Any, own: Any, turn_cfv: Any, deal_cfv: Any) -> None:
    """deal_cfv[d, h] = sum over the real turns of what follows."""
    deal_cfv[:] = 0.0
    for t in range(len(turn_cfv)):
        for k in range(boards.turn_card_start[t], boards.turn_card_start[t + 1]):
            spread(turn_cfv[t], boards.turn_card_move[k], own.moved, deal_cfv)
