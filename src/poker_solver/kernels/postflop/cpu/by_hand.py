"""Terminals hand against hand: sums from which nothing is taken off, so that nothing cancels.

For spots in which the hands that can meet weigh far less than those that cannot; see the package
docstring. Slower by the number of hands, and only compiled code of such spots comes here.
"""

import numpy as np
from numba import types

from poker_solver.kernels.arrays import F32, F64, I32
from poker_solver.kernels.postflop import LANES, Hands
from poker_solver.kernels.postflop.cpu import Pass, Side, Work
from poker_solver.kernels.postflop.cpu.jit import inner
from poker_solver.kernels.records import field_type

WIN, LOSE, TIE = 0, 1, 2


def is_by_hand(p: types.Type) -> bool:
    """Whether passes of this type sum hand against hand."""
    return not isinstance(field_type(p, "by_hand"), types.NoneType)


@inner
def values_by_hand(p: Pass, s: Side, board: int, group: int, work: Work, i: int) -> None:
    """The cfv of every terminal of a group, of sixteen hands."""
    player, show, fold = s.player, p.river.show, p.river.fold
    joined = p.river.joined[player, group]
    for h in range(i, i + LANES):
        below, upto = _standing(s.own, board, h)
        first, last = show.batch_start[player, group], show.batch_start[player, group + 1]
        for k in range(first, last):
            lanes, target = work.show[k - first], show.target[player, k]
            _sum_pairs(s, board, h, below, upto, lanes, work.card_sums)
            _write(work.card_sums, target, h - i, show.payoff[player, k], work.river_cfv)
        first, last = fold.batch_start[player, group], fold.batch_start[player, group + 1]
        for k in range(first, last):
            lanes, target = work.fold[k - first], fold.target[player, k]
            if joined:
                lanes = work.show[k - first]
            _sum_pairs(s, board, h, len(s.other.cards), 0, lanes, work.card_sums)
            _write(work.card_sums, target, h - i, fold.payoff[player, k], work.river_cfv)


@inner
def fold_above_by_hand(
    p: Pass, own: Hands, other: Hands, reach: F32, payoff: np.float32, sums: F64, cfv: F32
) -> None:
    """Set cfv = payoff * (reach of the hands that share no card) for one reach vector."""
    for i in range(len(own.cards)):
        met = 0.0
        for j in range(len(other.cards)):
            if not _share_card(own, i, other, j):
                met += reach[j]
        cfv[i] = payoff * met


@inner
def _standing(own: Hands, board: int, h: int) -> tuple[int, int]:
    """How many of the opponent's live hands are weaker, and weaker or equal.

    The first of the two steps a live hand is in has those weaker; see `Hands.steps`.
    """
    below, upto, seen = 0, 0, 0
    for place in range(own.num_live[board]):
        if own.order[board, place] == h:
            for k in range(own.step_start[board], own.step_start[board + 1]):
                if own.steps[k, 1] <= place < own.steps[k, 2]:
                    if seen == 0:
                        below = own.steps[k, 0]
                    upto = own.steps[k, 0]
                    seen += 1
    return below, upto


@inner
def _share_card(own: Hands, i: int, other: Hands, j: int) -> bool:
    found = False
    for card in range(2):
        for theirs in range(2):
            found |= own.cards[i, card] == other.cards[j, theirs]
    return found


@inner
def _sum_pairs(
    s: Side, board: int, h: int, below: int, upto: int, lanes: F32, sums: F64
) -> None:  # fmt: skip
    """Set sums[3 * 16] to the reach that h beats, loses to and ties with, in every lane."""
    sums[:] = 0.0
    for place in range(s.other.num_live[board]):
        j = s.other.order[board, place]
        if not _share_card(s.own, h, s.other, j):
            row = WIN if place < below else TIE if place < upto else LOSE
            for lane in range(LANES):
                sums[row * LANES + lane] += lanes[j, lane]


@inner
def _write(sums: F64, target: I32, column: int, payoff: F32, cfv: F32) -> None:
    """cfv[slot of lane k][column] = the three sums of lane k by what they pay."""
    for k in range(LANES):
        value = 0.0
        for row in range(3):
            value += payoff[row, k] * sums[row * LANES + k]
        cfv[target[k] // LANES, column] = value
