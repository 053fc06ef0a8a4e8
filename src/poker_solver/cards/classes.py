"""The 169 hand classes, their names and their short labels; not range text.

A name (`hand_name`) can be pasted: `AKs`, `AKo`, `AA`. A label (`hand_to_string`) is a cell of the
13 x 13 grid or part of a key: there `AK` is suited. In ranges `AK` is both. The order is pairs
AA..22 0..12, suited AK, AQ, .. A2, KQ, .. 32 13..90, offsuit AKo .. 32o 91..168. The arrays are
read-only.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import RANKS, SUITS, card_from_string, make_card, plain_cards
from poker_solver.cards.combos import COMBO_CARDS, frozen, unblocked
from poker_solver.errors import InputError

NUM_CLASSES = 169
FIRST_SUITED = 13
FIRST_OFFSUIT = 91

NOTATION = "hands are written AA, AKs (suited), AKo (offsuit) or AcKh"

SuitedCard = tuple[str, str]  # rank, suit


def _class_of_ranks(high: int, low: int, suited: bool) -> int:
    """Ranks 0..12, high >= low; a pair's suitedness is ignored."""
    if high == low:
        return 12 - high
    down = 12 - high  # ranks above the high one; they own 12 + 11 + .. classes
    offset = down * 12 - down * (down - 1) // 2 + (high - low - 1)
    return (FIRST_SUITED if suited else FIRST_OFFSUIT) + offset


_UNPAIRED = [(high, low) for high in range(12, 0, -1) for low in range(high - 1, -1, -1)]

CLASS_RANKS = (*((rank, rank) for rank in range(12, -1, -1)), *_UNPAIRED, *_UNPAIRED)
"""High and low rank of each class, 0 for a deuce up to 12 for an ace."""

_LABELS: tuple[str, ...] = tuple(
    RANKS[high] + RANKS[low] + ("o" if index >= FIRST_OFFSUIT else "")
    for index, (high, low) in enumerate(CLASS_RANKS)
)


COMBO_CLASS: NDArray[np.int16] = frozen(
    np.array(
        [_class_of_ranks(a >> 2, b >> 2, a & 3 == b & 3) for a, b in COMBO_CARDS.tolist()], np.int16
    )
)
"""[1326] class of each combo."""

CLASS_COMBOS: tuple[NDArray[np.int16], ...] = tuple(
    frozen(np.flatnonzero(index == COMBO_CLASS).astype(np.int16)) for index in range(NUM_CLASSES)
)
"""The combos of each class, ascending."""

CLASS_SIZE: NDArray[np.int64] = frozen(np.bincount(COMBO_CLASS, minlength=NUM_CLASSES))
"""[169] combos per class: 6 of a pair, 4 suited, 12 offsuit."""

CLASS_GRID: NDArray[np.int16] = frozen(
    np.array(
        [
            [_class_of_ranks(max(a, b), min(a, b), suited=a > b) for b in range(12, -1, -1)]
            for a in range(12, -1, -1)
        ],
        np.int16,
    )
)
"""[13, 13] class at row and column, aces first; suited above the diagonal, offsuit below."""


def canonical_index(first_rank: str, second_rank: str, suited: bool = False) -> int:
    """`("K", "A", True)` -> 13; ranks in either order and case; a pair ignores `suited`."""
    ranks = []
    for text in (first_rank, second_rank):
        rank = RANKS.find(text.upper()) if len(text) == 1 else -1
        if rank < 0:
            raise InputError(f"{text!r} is not a rank; ranks are {RANKS}")
        ranks.append(rank)
    return _class_of_ranks(max(ranks), min(ranks), suited)


def hand_to_string(index: int) -> str:
    """The label of a grid's cell: 0 -> `AA`, 13 -> `AK` (suited), 91 -> `AKo`."""
    if not 0 <= index < NUM_CLASSES:
        raise InputError(f"hand class {index}: want 0..{NUM_CLASSES - 1}")
    return _LABELS[index]


def hand_name(index: int) -> str:
    """The name that can be pasted into a range: 0 -> `AA`, 13 -> `AKs`, 91 -> `AKo`."""
    name = hand_to_string(index)
    return name + "s" if FIRST_SUITED <= index < FIRST_OFFSUIT else name


HAND_NAMES: tuple[str, ...] = tuple(map(hand_name, range(NUM_CLASSES)))
"""The names in class order."""


def get_matrix_layout() -> list[list[str]]:
    """13 rows of 13 names, aces first; suited above the diagonal (`CLASS_GRID` has indices)."""
    return [[_LABELS[index] for index in row] for row in CLASS_GRID.tolist()]


def parse_hand(text: str) -> tuple[int, bool, tuple[SuitedCard, SuitedCard] | None]:
    """A hand class or one hand -> (class, is it a class, its two cards if it is one hand).

    `AK` -> (13, True, None); `AKo` -> (91, True, None); `AcKh` -> (91, False, (("A", "c"),
    ("K", "h"))). The higher rank comes first in the answer; a pair's suits stay as written.
    """
    stripped = plain_cards(text.strip())
    if not stripped:
        raise InputError(f"hand is empty; {NOTATION}")
    if len(stripped) == 4:
        return _parse_two_cards(stripped)
    if len(stripped) not in (2, 3):
        raise InputError(f"hand {text!r}: has {len(stripped)} characters; {NOTATION}")
    for letter in stripped[:2]:
        if letter.upper() not in RANKS:
            raise InputError(f"hand {text!r}: {letter!r} is not a rank; {NOTATION}")
    kind = stripped[2:].lower()
    is_pair = stripped[0].upper() == stripped[1].upper()
    if kind and is_pair:
        raise InputError(f"hand {text!r}: nothing may follow a pair; {NOTATION}")
    if kind not in ("", "s", "o"):
        raise InputError(f"hand {text!r}: {stripped[2]!r} is neither 's' nor 'o'; {NOTATION}")
    return canonical_index(stripped[0], stripped[1], suited=kind != "o"), True, None


def parse_classes(text: str) -> tuple[int, ...]:
    """What a person means by a class: `AK` -> (13, 91), both; `AKs` -> (13,); `AcKh` -> (91,)."""
    index, is_class, _ = parse_hand(text)
    if is_class and len(plain_cards(text.strip())) == 2 and index >= FIRST_SUITED:
        return index, index + FIRST_OFFSUIT - FIRST_SUITED
    return (index,)


def _parse_two_cards(text: str) -> tuple[int, bool, tuple[SuitedCard, SuitedCard]]:
    try:
        first, second = card_from_string(text[:2]), card_from_string(text[2:])
    except InputError as error:
        raise InputError(f"hand {text!r}: {error}; {NOTATION}") from None
    if first == second:
        raise InputError(f"hand {text!r}: the same card twice")
    if first >> 2 < second >> 2:
        first, second = second, first
    (high, suit), (low, other_suit) = divmod(first, 4), divmod(second, 4)
    cards = ((RANKS[high], SUITS[suit]), (RANKS[low], SUITS[other_suit]))
    return _class_of_ranks(high, low, suit == other_suit), False, cards


def class_representative(index: int) -> tuple[int, int]:
    """One hand of the class, as card ids: spades if suited, else spades then hearts."""
    high, low = CLASS_RANKS[index]
    suited = FIRST_SUITED <= index < FIRST_OFFSUIT
    return make_card(high, 3), make_card(low, 3 if suited else 2)


def combos_left(cards: Iterable[int]) -> NDArray[np.int64]:
    """[169] combos of each class that hold none of these cards."""
    return np.bincount(COMBO_CLASS[unblocked(cards)], minlength=NUM_CLASSES)
