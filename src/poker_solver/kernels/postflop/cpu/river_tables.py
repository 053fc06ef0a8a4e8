"""Where hands stand among the opponent's on every river board, as kernels of the CPU look it up."""

from typing import NamedTuple

import numpy as np
from numba import njit

from poker_solver.kernels.arrays import I32, U8, Bool
from poker_solver.kernels.postflop import RunningSums

NUM_CARDS, ALL = 52, 53
"""Hands that fill a row up have the one as their cards; the other is no card, but all hands."""

ROW = 8
"""What row numbers are multiplied by in tables: a row has eight times 8 bytes."""


class Ranked(NamedTuple):
    """A player's hands on R boards."""

    order: I32  # [R, H] by strength
    cards: U8  # [H, 2]


class CardSums(NamedTuple):
    """Of each card, and of all hands in the last place, [54]; the last three are scratch."""

    first: I32  # where its hands begin to be counted: each four places after the one before
    place: I32  # where they are counted next
    row: I32  # of its sum
    is_seen: Bool  # somebody looked at that sum, so it must stay


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
    steps: I32, start: I32, own: Ranked, other: Ranked, cards: CardSums, sums: RunningSums
) -> None:
    """Set counted[b], rows[b] and seen[b] of every board b from its steps.

    A hand is looked at twice: what was found before moves on.
    """
    place, row = cards.place, cards.row
    for b in range(len(own.order)):
        for c in range(ALL + 1):
            place[c], row[c], cards.is_seen[c] = cards.first[c], 0, True
        upto, last = 0, ALL + 1
        for k in range(start[b], start[b + 1] + 1):
            to = steps[k, 0] if k < start[b + 1] else len(other.cards)
            for j in range(upto, to):
                hand = other.order[b, j]
                for c in range(3):
                    card = np.int64(other.cards[hand, c] if c < 2 else ALL)
                    if card != NUM_CARDS:
                        if cards.is_seen[card]:
                            last += 1
                            row[card], cards.is_seen[card] = last, False
                        sums.counted[b, place[card]] = ROW * hand
                        sums.rows[b, place[card]] = ROW * row[card]
                        place[card] += 1 if card == ALL else 4
            upto = to
            if k == start[b + 1]:
                break
            for i in range(steps[k, 1], steps[k, 2]):
                hand = own.order[b, i]
                for c in range(3):
                    card = np.int64(own.cards[hand, c - 1] if c > 0 else ALL)
                    sums.seen[b, hand, 2 * c] = sums.seen[b, hand, 2 * c + 1]
                    sums.seen[b, hand, 2 * c + 1] = ROW * row[card]
                    cards.is_seen[card] = True
