"""The 1,326 two-card combos as arrays, with their blockers; no weights.

A combo of cards `high > low` has the index `high * (high - 1) / 2 + low`: `2d2c` is 0 and `AsAh`
is 1325. The arrays are read-only.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import NUM_CARDS, card_to_string, cards_from_string
from poker_solver.errors import InputError

NUM_COMBOS = 1326


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, read-only from now on."""
    array.flags.writeable = False
    return array


def _all_combo_indices() -> NDArray[np.int16]:
    index = np.full((NUM_CARDS, NUM_CARDS), -1, np.int16)
    high, low = COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]
    index[high, low] = index[low, high] = np.arange(NUM_COMBOS)
    return index


COMBO_CARDS: NDArray[np.uint8] = frozen(
    np.stack(np.tril_indices(NUM_CARDS, k=-1), axis=1).astype(np.uint8)
)
"""[1326, 2] the higher card id, then the lower."""

_HIGH, _LOW = COMBO_CARDS.T.astype(np.intp)  # as they are indexed with

COMBO_INDEX: NDArray[np.int16] = frozen(_all_combo_indices())
"""[52, 52] combo of two cards in either order; -1 on the diagonal."""

COMBO_MASK: NDArray[np.uint64] = frozen(
    (np.uint64(1) << COMBO_CARDS.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
)
"""[1326] bit c is set for each of the two cards c."""


def combo_index(first: int, second: int) -> int:
    """The index of two different cards, in either order."""
    if not (0 <= first < NUM_CARDS and 0 <= second < NUM_CARDS) or first == second:
        raise InputError(f"combo of card ids {first} and {second}: want two different of 0..51")
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


def combo_to_string(combo: int) -> str:
    """1325 -> `AsAh`: the higher card first."""
    if not 0 <= combo < NUM_COMBOS:
        raise InputError(f"combo {combo}: want 0..{NUM_COMBOS - 1}")
    high, low = COMBO_CARDS[combo]
    return card_to_string(int(high)) + card_to_string(int(low))


def combo_from_string(text: str) -> int:
    """`AhKh` -> its index; either order."""
    cards = cards_from_string(text)
    if len(cards) != 2:
        raise InputError(f"combo {text!r}: has {len(cards)} cards, want two, as in 'AhKh'")
    return combo_index(*cards)


def unblocked(cards: Iterable[int]) -> NDArray[np.bool_]:
    """[1326] true for the combos that hold none of these cards."""
    mask = np.uint64(sum(1 << card for card in set(cards)))
    free: NDArray[np.bool_] = (COMBO_MASK & mask) == 0
    return free


LITTLE = 1e-6
"""A part of a sum below this share of it is not found by taking off the rest: float64 has 1e-16."""


def disjoint_sum(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """[1326] of each combo, the sum of the values of the combos that share no card with it.

    Values are not negative.

    All of them, less those with either card, plus its own, which was taken off twice; added up
    without the others where so little is left that the rounding of the others would show.
    """
    per_card = np.bincount(_HIGH, values, NUM_CARDS) + np.bincount(_LOW, values, NUM_CARDS)
    everyone = values.sum()
    total: NDArray[np.float64] = everyone - per_card[_HIGH] - per_card[_LOW] + values
    few, held = np.flatnonzero(total < LITTLE * everyone), np.flatnonzero(values)
    meets = (COMBO_MASK[few, None] & COMBO_MASK[held]) == 0
    total[few] = meets @ values[held]
    return total
