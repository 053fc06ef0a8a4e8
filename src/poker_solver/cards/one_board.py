"""Strength of every hand on one board, without a compiler; `strength` is for many boards."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import rank_of, suit_of
from poker_solver.cards.combos import COMBO_CARDS, NUM_COMBOS, unblocked
from poker_solver.cards.strength_tables import LOW_BITS, strength_tables

_LOW_MASK = np.uint64((1 << LOW_BITS) - 1)
_FLUSH_NEEDS = 3  # cards of the board


def one_board_strengths(board: Sequence[int]) -> NDArray[np.int16]:
    """[1326] on five cards, as `board_strengths` has them; 0 where the board blocks the combo."""
    tables, free = strength_tables(), np.flatnonzero(unblocked(board))
    cards = COMBO_CARDS[free]  # [H, 2]
    key = tables.card_key[cards].sum(axis=1) + tables.card_key[list(board)].sum()
    place = tables.high_offset[key >> np.uint64(LOW_BITS)] + tables.low_index[key & _LOW_MASK]
    found = tables.by_ranks[place]
    for suit in range(4):
        held = sum(1 << rank_of(card) for card in board if suit_of(card) == suit)
        if held.bit_count() >= _FLUSH_NEEDS:
            bits = np.where((cards & 3) == suit, 1 << (cards >> 2).astype(np.int64), 0)
            found = np.maximum(found, tables.by_flush[held | bits[:, 0] | bits[:, 1]])
    out = np.zeros(NUM_COMBOS, np.int16)
    out[free] = found
    return out
