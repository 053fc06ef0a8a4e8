"""Hands shown down on many boards: wins and ties per hand, of weighted sets or of all; no equities.

On one board, with `w` the opponent's weights and L(x) the weight of strictly weaker opponents
that hold card x, hand h = (c1, c2) beats L(all) - L(c1) - L(c2). Among equally strong hands, with
E the same sums over that group, it ties E(all) - E(c1) - E(c2) + w(h): the identical hand was
taken off twice.
"""

import numba as nb
import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.strength import one_board_into
from poker_solver.cards.strength_tables import StrengthTables

Float = NDArray[np.float64]

_ALL = 52  # the place after the cards where sums over all hands are kept


@nb.njit(cache=True, nogil=True)
def add_boards_into(
    tables: StrengthTables,
    boards: NDArray[np.uint8],
    hand_cards: NDArray[np.uint8],
    weights: Float,
    wins: Float,
    ties: Float,
) -> None:
    """Add to wins[p, h] (ties[p, h]) the opponent's weight that hand h beats (equals).

    `boards` [B, 5]; `hand_cards` [1326, 2]; `weights`, `wins`, `ties` [2, 1326]. Hands without
    weight for either player, and hands that a board blocks, get nothing there.
    """
    num_hands = len(hand_cards)
    strength = np.empty(num_hands, np.int16)
    by_rank_pair = np.zeros((13, 13), np.int16)
    held = np.flatnonzero((weights[0] > 0.0) | (weights[1] > 0.0)).astype(np.int16)
    order, spare = np.empty(len(held), np.int16), np.empty(len(held), np.int16)
    weaker, equal = np.zeros((2, _ALL + 1)), np.zeros((2, _ALL + 1))
    for b in range(len(boards)):
        one_board_into(tables, boards[b], by_rank_pair, strength)
        num_shown = 0
        for h in held:
            if strength[h] > 0:
                order[num_shown] = h
                num_shown += 1
        sort_by_strength(strength, order, spare, num_shown)
        for card in range(_ALL + 1):
            weaker[0, card] = 0.0
            weaker[1, card] = 0.0
        start = 0
        while start < num_shown:
            end = start + 1
            while end < num_shown and strength[order[end]] == strength[order[start]]:
                end += 1
            add_group_into(order[start:end], hand_cards, weights, weaker, equal, wins, ties)
            start = end


@nb.njit(cache=True, nogil=True)
def sort_by_strength(
    strength: NDArray[np.int16],
    order: NDArray[np.int16],
    spare: NDArray[np.int16],
    num_shown: int,
) -> None:
    """Sort order[:num_shown] by ascending strength: two passes over 7 of its 13 bits each."""
    start = np.empty(129, np.int64)
    source, target = order, spare
    for shift in (0, 7):
        for digit in range(129):
            start[digit] = 0
        for i in range(num_shown):
            start[((strength[source[i]] >> shift) & 127) + 1] += 1
        for digit in range(128):
            start[digit + 1] += start[digit]
        for i in range(num_shown):
            digit = (strength[source[i]] >> shift) & 127
            target[start[digit]] = source[i]
            start[digit] += 1
        source, target = target, source  # after two passes the result is back in `order`


@nb.njit(cache=True, nogil=True)
def add_group_into(
    group: NDArray[np.int16],
    hand_cards: NDArray[np.uint8],
    weights: Float,
    weaker: Float,
    equal: Float,
    wins: Float,
    ties: Float,
) -> None:
    """Score hands of one strength, then count them among the weaker; `equal` is zero between."""
    for h in group:
        first, second = hand_cards[h, 0], hand_cards[h, 1]
        for p in range(2):
            wins[p, h] += weaker[1 - p, _ALL] - weaker[1 - p, first] - weaker[1 - p, second]
    if len(group) > 1:
        for h in group:
            for p in range(2):
                equal[p, _ALL] += weights[p, h]
                equal[p, hand_cards[h, 0]] += weights[p, h]
                equal[p, hand_cards[h, 1]] += weights[p, h]
        for h in group:
            first, second = hand_cards[h, 0], hand_cards[h, 1]
            for p in range(2):
                blocked = equal[1 - p, first] + equal[1 - p, second] - weights[1 - p, h]
                ties[p, h] += equal[1 - p, _ALL] - blocked
    for h in group:
        for p in range(2):
            for card in (np.int64(_ALL), np.int64(hand_cards[h, 0]), np.int64(hand_cards[h, 1])):
                weaker[p, card] += weights[p, h]
                equal[p, card] = 0.0


@nb.njit(cache=True, nogil=True)
def count_boards_into(
    tables: StrengthTables,
    boards: NDArray[np.uint8],
    hand_cards: NDArray[np.uint8],
    wins: NDArray[np.int16],
    ties: NDArray[np.int16],
) -> None:
    """Of each hand on each of `boards` [B, 5], how many others it beats and equals [B, 1326].

    Others are the 990 hands that share no card with it and the board; -1 where it is blocked.
    """
    num_hands = len(hand_cards)
    strength = np.empty(num_hands, np.int16)
    by_rank_pair = np.zeros((13, 13), np.int16)
    order, spare = np.empty(num_hands, np.int16), np.empty(num_hands, np.int16)
    weaker, equal = np.zeros(_ALL + 1, np.int32), np.zeros(_ALL + 1, np.int32)
    for b in range(len(boards)):
        one_board_into(tables, boards[b], by_rank_pair, strength)
        num_shown = 0
        for h in range(num_hands):
            if strength[h] > 0:
                order[num_shown] = h
                num_shown += 1
            else:
                wins[b, h] = ties[b, h] = -1
        sort_by_strength(strength, order, spare, num_shown)
        weaker[:] = 0
        start = 0
        while start < num_shown:
            end = start + 1
            while end < num_shown and strength[order[end]] == strength[order[start]]:
                end += 1
            _count_group_into(order[start:end], hand_cards, weaker, equal, wins[b], ties[b])
            start = end


@nb.njit(cache=True, nogil=True)
def _count_group_into(
    group: NDArray[np.int16],
    hand_cards: NDArray[np.uint8],
    weaker: NDArray[np.int32],
    equal: NDArray[np.int32],
    wins: NDArray[np.int16],
    ties: NDArray[np.int16],
) -> None:
    """As `add_group_into`, every hand counting 1; the hand itself is no other."""
    for h in group:
        equal[hand_cards[h, 0]] += 1
        equal[hand_cards[h, 1]] += 1
    num_weaker, num_equal = weaker[_ALL], len(group)
    for h in group:
        first, second = hand_cards[h, 0], hand_cards[h, 1]
        wins[h] = num_weaker - weaker[first] - weaker[second]
        ties[h] = num_equal + 1 - equal[first] - equal[second]
    for h in group:
        for card in hand_cards[h]:
            weaker[card] += 1
            equal[card] = 0
    weaker[_ALL] += num_equal
