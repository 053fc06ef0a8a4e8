"""The lookup tables behind hand strength, built from the rules of poker; no lookups here.

A strength is the dense rank of a hand's best five cards among the 7,462 that differ: 1 is
7-5-4-3-2, 7462 the royal flush, and equal hands are equal numbers.

Without a flush only how many cards of each rank there are matters. The thirteen counts are split
into low (2..7) and high (8..A) ranks and each half is read as a number in base five. For one
high half, the low halves that complete it to 5, 6 or 7 cards are neighbours once low halves are
numbered by their card count, so `by_ranks[high_offset[high] + low_index[low]]` is a table of just
the 73,775 possible hands. With a flush, only the 13-bit rank mask of its suit matters.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NUM_STRENGTHS = 7462
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
# How many of the 7,462 strengths each category has, weakest first: C(13,5) rank sets less the
# 10 straights; 13 C(12,3); C(13,2) 11; 13 C(12,2); 10; as high card; 13 12; 13 12; 10.
CATEGORY_SIZES = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)

NUM_LOW = 6  # ranks 2..7
LOW_BITS = 16  # key bits 0..15: low half in base five
HIGH_BITS = 24  # key bits 16..39: high half in base five
SUIT_SHIFT = LOW_BITS + HIGH_BITS  # key bits 40..55: four counters of four bits
SUIT_START = 0x3333 << SUIT_SHIFT  # counters start at 3, so five of a suit set bit 3
SUIT_FLUSH = 0x8888 << SUIT_SHIFT

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


class StrengthTables(NamedTuple):
    """Everything an evaluation reads; some 600 kB."""

    card_key: NDArray[np.uint64]  # [256] summed over cards; 0 from 52 on
    card_bit: NDArray[np.uint64]  # [256] ored over cards: bit 16 * suit + rank; 0 from 52 on
    high_offset: NDArray[np.int32]  # [5**7]
    low_index: NDArray[np.int32]  # [5**6]
    by_ranks: NDArray[np.int16]  # [73775] strength without a flush
    by_flush: NDArray[np.int16]  # [8192] strength with a flush; 0 under five bits


@cache
def strength_tables() -> StrengthTables:
    """Build the tables once per process."""
    low, low_count, low_index = _numbered_halves(NUM_LOW)
    high, high_count, _ = _numbered_halves(13 - NUM_LOW)
    first = np.searchsorted(low_count, 5 - high_count, side="left")
    last = np.searchsorted(low_count, 7 - high_count, side="right")
    starts = np.concatenate([[0], np.cumsum(last - first)])
    high_offset = np.zeros(5 ** (13 - NUM_LOW), np.int32)
    high_offset[high @ 5 ** np.arange(13 - NUM_LOW)] = starts[:-1] - first

    high_row = np.repeat(np.arange(len(high)), last - first)
    low_row = np.arange(starts[-1]) - (starts[:-1] - first)[high_row]
    counts = np.concatenate([low[low_row], high[high_row]], axis=1)  # [73775, 13]

    masks = (np.arange(8192)[:, None] >> np.arange(13)) & 1  # [8192, 13]
    num_bits = masks.sum(axis=1)
    rank_codes, flush_codes = _codes_by_ranks(counts), _codes_by_flush(masks)
    five = np.concatenate([rank_codes[counts.sum(axis=1) == 5], flush_codes[num_bits == 5]])
    ladder = np.unique(five)
    by_ranks = np.searchsorted(ladder, rank_codes) + 1
    by_flush = np.where(num_bits >= 5, np.searchsorted(ladder, flush_codes) + 1, 0)
    return StrengthTables(
        *_card_tables(),
        high_offset,
        low_index,
        by_ranks.astype(np.int16),
        by_flush.astype(np.int16),
    )


def _numbered_halves(num_ranks: int) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """All ways to hold up to 7 cards of these ranks, in order of card count.

    Returns the rank counts [M, num_ranks], the card counts [M], and the place in this list of
    every base-five number [5**num_ranks].
    """
    digits = (np.arange(5**num_ranks)[:, None] // 5 ** np.arange(num_ranks)) % 5
    count = digits.sum(axis=1)
    order = np.argsort(count, kind="stable")
    order = order[count[order] <= 7]
    place = np.zeros(5**num_ranks, np.int32)
    place[order] = np.arange(len(order))
    return digits[order], count[order], place


def _card_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    key, bit = np.zeros(256, np.uint64), np.zeros(256, np.uint64)
    for card in range(52):
        rank, suit = divmod(card, 4)
        half = 5**rank if rank < NUM_LOW else 5 ** (rank - NUM_LOW) << LOW_BITS
        key[card] = half + (1 << (SUIT_SHIFT + 4 * suit))
        bit[card] = 1 << (16 * suit + rank)
    return key, bit


def _top(present: Bools, how_many: int = 1) -> tuple[Ints, Bools]:
    """The highest ranks present, as base-13 digits, and what is left after taking them."""
    left, digits = present.copy(), np.zeros(len(present), np.int64)
    rows = np.arange(len(present))
    for _ in range(how_many):
        rank = 12 - np.argmax(left[:, ::-1], axis=1)
        rank[~left.any(axis=1)] = 0
        digits = digits * 13 + rank
        left[rows, rank] = False
    return digits, left


def _straight_top(present: Bools) -> Ints:
    """Highest rank of the best straight, 3 for the wheel; -1 without one."""
    wheel_first = np.concatenate([present[:, 12:], present], axis=1)  # [M, 14], the ace twice
    top = np.full(len(present), -1)
    for rank in range(3, 13):
        top[wheel_first[:, rank - 3 : rank + 2].all(axis=1)] = rank
    return top


def _codes_by_ranks(counts: Ints) -> Ints:
    """A number per row of rank counts that orders hands without a flush; flushes come between."""
    present, straight = counts > 0, _straight_top(counts > 0)
    quad, no_quad = _top(counts == 4)
    trip, no_trip = _top(counts >= 3)
    pair, no_pair = _top(counts >= 2)
    two_pairs, no_two_pairs = _top(counts >= 2, 2)
    boat_pair, _ = _top((counts >= 2) & ~((counts >= 3) & ~no_trip))

    def kickers(group: Bools, left: Bools, how_many: int) -> Ints:
        return _top(present & ~(group & ~left), how_many)[0]

    num_trips, num_pairs = (counts >= 3).sum(axis=1), (counts >= 2).sum(axis=1)
    choices = [
        ((counts == 4).any(axis=1), 7, quad * 13 + kickers(counts == 4, no_quad, 1)),
        ((num_trips >= 1) & (num_pairs >= 2), 6, trip * 13 + boat_pair),
        (straight >= 0, 4, straight),
        (num_trips >= 1, 3, trip * 13**2 + kickers(counts >= 3, no_trip, 2)),
        (num_pairs >= 2, 2, two_pairs * 13 + kickers(counts >= 2, no_two_pairs, 1)),
        (num_pairs == 1, 1, pair * 13**3 + kickers(counts >= 2, no_pair, 3)),
    ]
    return np.select(
        [condition for condition, _, _ in choices],
        [category * 13**5 + digits for _, category, digits in choices],
        _top(present, 5)[0],
    )


def _codes_by_flush(masks: Ints) -> Ints:
    straight = _straight_top(masks > 0)
    return np.where(straight >= 0, 8 * 13**5 + straight, 5 * 13**5 + _top(masks > 0, 5)[0])
