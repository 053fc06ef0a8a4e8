"""Strength of single hands, the plain way and the way of the boards."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards.combos import COMBO_INDEX
from poker_solver.cards.strength import board_strengths
from poker_solver.cards.strength_tables import LOW_BITS, strength_tables

BATCH = 20_000


def plain_strengths(cards: ArrayLike) -> NDArray[np.int16]:
    """[N, 5..7] card ids -> [N], looked up hand by hand."""
    hands, tables = np.asarray(cards), strength_tables()
    key = tables.card_key[hands].sum(axis=1)
    bits = np.bitwise_or.reduce(tables.card_bit[hands], axis=1)
    high = tables.high_offset[key >> np.uint64(LOW_BITS)]
    low = tables.low_index[key & np.uint64((1 << LOW_BITS) - 1)]
    suits = [(bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF) for suit in range(4)]
    best: NDArray[np.int16] = np.max(
        [tables.by_ranks[high + low], *(tables.by_flush[suit] for suit in suits)], axis=0
    )
    return best


def seven_card_strengths(cards: ArrayLike) -> NDArray[np.int16]:
    """[N, 7] card ids -> [N]: the first five are a board, the last two a combo on it."""
    hands = np.asarray(cards)
    combo = COMBO_INDEX[hands[:, 5], hands[:, 6]]
    return np.concatenate(
        [
            board_strengths(hands[n : n + BATCH, :5])[np.arange(len(part)), part]
            for n in range(0, len(hands), BATCH)
            if len(part := combo[n : n + BATCH])
        ]
    )
