"""Strength of every hand on a board, many boards at a time; what hands win, not what they do.

A strength is 1 (7-5-4-3-2) .. 7462 (royal flush); a larger one wins and equal ones tie. See
`strength_tables` for how it is looked up.
"""

import numba as nb
import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.combos import NUM_COMBOS
from poker_solver.cards.strength_tables import LOW_BITS, StrengthTables, strength_tables
from poker_solver.errors import InputError
from poker_solver.runtime.compiling import listen

listen()

_LOW_MASK = np.uint64((1 << LOW_BITS) - 1)
_LOW_SHIFT = np.uint64(LOW_BITS)
_SUIT_MASK = np.uint64(0x1FFF)


def board_strengths(boards: ArrayLike) -> NDArray[np.int16]:
    """[B, 5] boards -> [B, 1326] strengths; 0 where the board blocks the combo."""
    given = np.asarray(boards)
    if given.size and (given.dtype.kind not in "iu" or given.min() < 0 or given.max() > 51):
        raise InputError(f"cards of type {given.dtype}: want integers 0..51")
    cards = np.ascontiguousarray(given, dtype=np.uint8)
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


@nb.njit(cache=True, nogil=True, inline="always")
def _without_flush(tables: StrengthTables, key: np.uint64) -> np.int16:
    high = tables.high_offset[key >> _LOW_SHIFT]
    strength: np.int16 = tables.by_ranks[high + tables.low_index[key & _LOW_MASK]]
    return strength


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
    key, bits = np.uint64(0), np.uint64(0)
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
