"""Where hands stand among the opponent's on every river board, as kernels of the CPU look it up."""

from typing import NamedTuple

import numpy as np
from numba import njit

from poker_solver.kernels.arrays import I32, U8
from poker_solver.kernels.postflop import RunningSums

NUM_CARDS = 52

ROW = 8
"""What row numbers are multiplied by in tables: a row has eight times 8 bytes."""


class Ranked(NamedTuple):
    """A player's hands on R boards."""

    order: I32  # [R, H] by strength
    cards: U8  # [H, 2]


@njit(cache=True, nogil=True)
def showdown_steps(
    own: I32, own_live: I32, other: I32, other_live: I32, steps: I32, start: I32
) -> None:
    """Counting and looking of a showdown; board b has steps[start[b]:start[b + 1]].

    `own` and `other` are strengths by place, weak to strong. A hand is looked at before the hands
    tied with it are counted, and again after. What is looked at when equally many are counted, and
    stands side by side, is one step.
    """
    k = 0
    for b in range(len(own)):
        begin, weaker = 0, 0
        while begin < own_live[b]:
            level, end = own[b, begin], begin + 1
            while end < own_live[b] and own[b, end] == level:
                end += 1
            while weaker < other_live[b] and other[b, weaker] < level:
                weaker += 1
            tied = weaker
            while tied < other_live[b] and other[b, tied] == level:
                tied += 1
            if begin > 0 and steps[k - 1, 0] == weaker:
                steps[k - 1, 2] = end
            else:
                steps[k, 0], steps[k, 1], steps[k, 2] = weaker, begin, end
                k += 1
            steps[k, 0], steps[k, 1], steps[k, 2] = tied, begin, end
            k += 1
            begin, weaker = end, tied
        start[b + 1] = k


@njit(cache=True, nogil=True)
def running_sums(
    steps: I32, start: I32, own: Ranked, other: Ranked, first: I32, sums: RunningSums
) -> None:
    """Set counted[b] and seen[b] of every board b from its steps.

    The sums of card c are first[c], first[c] + 4, ...; a hand is looked at twice, what was found
    before moves on.
    """
    row = np.zeros(NUM_CARDS + 1, np.int32)  # where each card is
    for b in range(len(own.order)):
        counted, seen = sums.counted[b], sums.seen[b]
        row[:], seen[:] = 0, 0
        upto = 0
        for k in range(start[b], start[b + 1] + 1):
            to = steps[k, 0] if k < start[b + 1] else len(other.cards)
            for j in range(upto, to):
                hand = other.order[b, j]
                counted[j] = ROW * hand
                for card in other.cards[hand]:
                    if card < NUM_CARDS:
                        row[card] = row[card] + 4 if row[card] else first[card]
                        counted[row[card] - 1] = ROW * hand
            upto = to
            if k == start[b + 1]:
                break
            for i in range(steps[k, 1], steps[k, 2]):
                hand = own.order[b, i]
                seen[hand, 0::2] = seen[hand, 1::2]
                seen[hand, 1] = ROW * upto
                seen[hand, 3] = ROW * row[own.cards[hand, 0]]
                seen[hand, 5] = ROW * row[own.cards[hand, 1]]
