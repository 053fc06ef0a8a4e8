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
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NUM_LOW = 6  # ranks 2..7
LOW_BITS = 16  # key bits 0..15: low half in base five; from 16 on, the high one

Ints = NDArray[np.int64]

CUDA_SOURCE = Path(__file__).with_name("strength.cu")
"""A function `strength(board, a, b)` for kernels, which orders hands as these tables do; it stands
here because a GPU needs no compiler of the CPU."""

_MASKS = np.arange(8192)
"""Every set of ranks: bit 0 is the deuce, bit 12 the ace."""


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
    # [73775] of the ranks held at least once, twice, three and four times
    once, twice, thrice, fourfold = (
        _masks(low, n)[low_row] | _masks(high, n)[high_row] << NUM_LOW for n in (1, 2, 3, 4)
    )
    rank_codes = _codes_by_ranks(once, twice, thrice, fourfold)
    has_five = low_count[low_row] + high_count[high_row] == 5
    flush_codes, num_bits = _codes_by_flush(), _num_bits()
    five = np.concatenate([rank_codes[has_five], flush_codes[num_bits == 5]])
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
        key[card] = 5**rank if rank < NUM_LOW else 5 ** (rank - NUM_LOW) << LOW_BITS
        bit[card] = 1 << (16 * suit + rank)
    return key, bit


def _masks(counts: Ints, how_often: int) -> Ints:
    """[M] the ranks held at least so often, one bit each, the lowest rank first."""
    return (counts >= how_often) @ (1 << np.arange(counts.shape[1]))


def _num_bits() -> Ints:
    """[8192] ranks in a mask."""
    count: Ints = (_MASKS[:, None] >> np.arange(13) & 1).sum(axis=1)
    return count


@cache
def _top(how_many: int) -> Ints:
    """[8192] the highest ranks of a mask as base-13 digits, 0 for each that is missing."""
    left, digits = _MASKS.copy(), np.zeros(len(_MASKS), np.int64)
    for _ in range(how_many):
        rank = np.maximum((left[:, None] >> np.arange(13) > 0).sum(axis=1) - 1, 0)
        digits = digits * 13 + rank
        left &= ~(1 << rank)
    return digits


@cache
def _straight_top() -> Ints:
    """[8192] highest rank of the best straight in a mask, 3 for the wheel; -1 without one."""
    top, wheel_first = np.full(len(_MASKS), -1), _MASKS << 1 | _MASKS >> 12  # the ace twice
    for rank in range(3, 13):
        top[(wheel_first >> (rank - 3) & 0b11111) == 0b11111] = rank
    return top


def _codes_by_ranks(once: Ints, twice: Ints, thrice: Ints, fourfold: Ints) -> Ints:
    """A number per row of masks that orders hands without a flush; flushes come between."""
    straight, has_two = _straight_top()[once], _num_bits()[twice] >= 2
    quad, trip, pair = (_top(1)[mask] for mask in (fourfold, thrice, twice))
    two_pairs = _top(2)[twice]
    high_pair, low_pair = two_pairs // 13, two_pairs % 13

    def kickers(how_many: int, *taken: Ints) -> Ints:
        left = once
        for rank in taken:
            left = left & ~(1 << rank)
        return _top(how_many)[left]

    choices = [
        (fourfold > 0, 7, quad * 13 + kickers(1, quad)),
        ((thrice > 0) & has_two, 6, trip * 13 + _top(1)[twice & ~(1 << trip)]),
        (straight >= 0, 4, straight),
        (thrice > 0, 3, trip * 13**2 + kickers(2, trip)),
        (has_two, 2, two_pairs * 13 + kickers(1, high_pair, low_pair)),
        (twice > 0, 1, pair * 13**3 + kickers(3, pair)),
    ]
    return np.select(
        [condition for condition, _, _ in choices],
        [category * 13**5 + digits for _, category, digits in choices],
        _top(5)[once],
    )


def _codes_by_flush() -> Ints:
    """[8192] likewise, of the ranks of one suit."""
    straight = _straight_top()
    return np.where(straight >= 0, 8 * 13**5 + straight, 5 * 13**5 + _top(5))
