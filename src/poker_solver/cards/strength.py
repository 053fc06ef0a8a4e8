"""Strength of five, six or seven cards, many hands at a time; what hands win, not what they do.

A strength is 1 (7-5-4-3-2) .. 7462 (royal flush); a larger one wins and equal ones tie. See
`strength_tables` for how it is looked up.
"""

import numba as nb
import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.combos import NUM_COMBOS
from poker_solver.cards.strength_tables import (
    HIGH_BITS,
    LOW_BITS,
    SUIT_FLUSH,
    SUIT_START,
    StrengthTables,
    strength_tables,
)
from poker_solver.errors import InputError

_LOW_MASK = np.uint64((1 << LOW_BITS) - 1)
_HIGH_MASK = np.uint64((1 << HIGH_BITS) - 1)
_LOW_SHIFT = np.uint64(LOW_BITS)
_SUIT_START = np.uint64(SUIT_START)
_SUIT_FLUSH = np.uint64(SUIT_FLUSH)
_SUIT_MASK = np.uint64(0x1FFF)


def strengths(cards: ArrayLike) -> NDArray[np.int16]:
    """[N, 5..7] card ids -> [N] strengths."""
    hands = _as_cards(cards)  # [N, C]
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7):
        raise InputError(f"hands have shape {hands.shape}, want [N, 5], [N, 6] or [N, 7]")
    out = np.empty(len(hands), np.int16)
    strengths_into(strength_tables(), hands, out)
    if len(out) and out.min() == 0:
        row = int(np.argmin(out))
        raise InputError(f"hand {row}, {hands[row].tolist()}: not {hands.shape[1]} different cards")
    return out


def board_strengths(boards: ArrayLike) -> NDArray[np.int16]:
    """[B, 5] boards -> [B, 1326] strengths; 0 where the board blocks the combo."""
    cards = _as_cards(boards)
    if cards.ndim != 2 or cards.shape[1] != 5:
        raise InputError(f"boards have shape {cards.shape}, want [B, 5]")
    ordered = np.sort(cards, axis=1)
    wrong = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(f"board {row}, {cards[row].tolist()}: not five different cards")
    out = np.empty((len(cards), NUM_COMBOS), np.int16)
    board_strengths_into(strength_tables(), cards, out)
    return out


def _as_cards(values: ArrayLike) -> NDArray[np.uint8]:
    cards = np.asarray(values)
    if cards.size and (cards.dtype.kind not in "iu" or cards.min() < 0 or cards.max() > 51):
        raise InputError(f"cards of type {cards.dtype}: want integers 0..51")
    return np.ascontiguousarray(cards, dtype=np.uint8)


@nb.njit(cache=True, nogil=True, inline="always")
def _without_flush(tables: StrengthTables, key: np.uint64) -> np.int16:
    high = tables.high_offset[(key >> _LOW_SHIFT) & _HIGH_MASK]
    strength: np.int16 = tables.by_ranks[high + tables.low_index[key & _LOW_MASK]]
    return strength


@nb.njit(cache=True, nogil=True, inline="always")
def _with_flush(tables: StrengthTables, bits: np.uint64) -> np.int16:
    best = np.int16(0)
    for suit in range(4):
        mask = (bits >> np.uint64(16 * suit)) & _SUIT_MASK
        best = max(best, tables.by_flush[mask])
    return best


@nb.njit(cache=True, nogil=True)
def strengths_into(
    tables: StrengthTables, hands: NDArray[np.uint8], out: NDArray[np.int16]
) -> None:
    """`hands` [N, C] -> `out` [N]; 0 where a row is not C different cards."""
    # Fields read inside the loop cost a reference count each time: 20 M hands/s instead of 150 M.
    card_key, card_bit = tables.card_key, tables.card_bit
    num_hands, num_cards = hands.shape
    for n in range(num_hands):
        key, bits = _SUIT_START, np.uint64(0)
        for c in range(num_cards):
            key += card_key[hands[n, c]]
            bits |= card_bit[hands[n, c]]
        if _popcount(bits) != num_cards:
            out[n] = 0
        elif key & _SUIT_FLUSH:
            out[n] = _with_flush(tables, bits)
        else:
            out[n] = _without_flush(tables, key)


@nb.njit(cache=True, nogil=True, inline="always")
def _popcount(bits: np.uint64) -> np.int64:
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@nb.njit(cache=True, nogil=True)
def board_strengths_into(
    tables: StrengthTables, boards: NDArray[np.uint8], out: NDArray[np.int16]
) -> None:
    """`boards` [B, 5] of different cards -> `out` [B, 1326]; 0 where blocked."""
    by_rank_pair = np.zeros((13, 13), np.int16)
    for b in range(len(boards)):
        one_board_into(tables, boards[b], by_rank_pair, out[b])


@nb.njit(cache=True, nogil=True)
def one_board_into(
    tables: StrengthTables,
    board: NDArray[np.uint8],
    by_rank_pair: NDArray[np.int16],
    out: NDArray[np.int16],
) -> None:
    """One `board` [5] -> `out` [1326]; `by_rank_pair` [13, 13] is scratch."""
    key, bits = _SUIT_START, np.uint64(0)
    for card in board:
        key += tables.card_key[card]
        bits |= tables.card_bit[card]
    _rank_pairs_into(tables, board, key, by_rank_pair)
    k = 0
    for high in range(1, 52):
        row = by_rank_pair[high >> 2]
        for low in range(high):
            out[k] = row[low >> 2]
            k += 1
    for suit in range(4):
        mask = (bits >> np.uint64(16 * suit)) & _SUIT_MASK
        if _popcount(mask) >= 3:
            _raise_flushes(tables, np.int64(mask), suit, out)
    for card in board:
        for other in range(52):
            if other != card:
                above, below = max(int(card), other), min(int(card), other)
                out[above * (above - 1) // 2 + below] = 0


@nb.njit(cache=True, nogil=True)
def _rank_pairs_into(
    tables: StrengthTables,
    board: NDArray[np.uint8],
    key: np.uint64,
    out: NDArray[np.int16],
) -> None:
    """`out` [13, 13]: strength of the board with two more ranks, flushes aside.

    The lower triangle is filled, except where more than four cards would share a rank.
    """
    count = np.zeros(13, np.int64)
    for card in board:
        count[card >> 2] += 1
    for high in range(13):
        for low in range(high + 1):
            count[high] += 1
            count[low] += 1
            if count[high] <= 4 and count[low] <= 4:
                both = tables.card_key[4 * high] + tables.card_key[4 * low]
                out[high, low] = _without_flush(tables, key + both)
            count[high] -= 1
            count[low] -= 1


@nb.njit(cache=True, nogil=True)
def _raise_flushes(
    tables: StrengthTables, board_mask: np.int64, suit: int, out: NDArray[np.int16]
) -> None:
    """Lift every combo that makes a flush in `suit`, of which the board holds three or more."""
    for high in range(1, 52):
        high_bit = (1 << (high >> 2)) if (high & 3) == suit else 0
        for low in range(high):
            low_bit = (1 << (low >> 2)) if (low & 3) == suit else 0
            k = high * (high - 1) // 2 + low
            out[k] = max(out[k], tables.by_flush[board_mask | high_bit | low_bit])
