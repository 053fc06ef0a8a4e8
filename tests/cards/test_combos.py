from itertools import combinations

import numpy as np
import pytest

from poker_solver.cards import (
    COMBO_CARDS,
    card_from_string,
    cards_from_string,
    combo_from_string,
    combo_to_string,
    unblocked,
)
from poker_solver.cards.combos import COMBO_INDEX, COMBO_MASK, combo_index


def test_every_pair_of_cards_is_one_combo() -> None:
    pairs = list(combinations(range(52), 2))
    assert sorted(combo_index(a, b) for a, b in pairs) == list(range(1326))
    for a, b in pairs:
        combo = combo_index(b, a)
        assert COMBO_CARDS[combo].tolist() == [b, a]
        assert COMBO_INDEX[a, b] == COMBO_INDEX[b, a] == combo
        assert int(COMBO_MASK[combo]) == 1 << a | 1 << b
    assert (np.diag(COMBO_INDEX) == -1).all()


def test_text_round_trips() -> None:
    for combo in range(1326):
        text = combo_to_string(combo)
        assert combo_from_string(text) == combo_from_string(text[2:] + text[:2]) == combo
    assert combo_to_string(0) == "2d2c"
    assert combo_to_string(1325) == "AsAh"


@pytest.mark.parametrize(
    ("cards", "left"), [("", 1326), ("As", 1275), ("Td9d6h", 1176), ("Td9d6hQc2s", 1081)]
)
def test_blockers_leave_the_pairs_of_the_other_cards(cards: str, left: int) -> None:
    ids = cards_from_string(cards)
    free = unblocked(ids)
    assert free.sum() == left
    assert not np.isin(COMBO_CARDS[free], ids).any()


@pytest.mark.parametrize(("text", "why"), [("AsAs", "twice"), ("As", "has 1 cards"), ("", "has 0")])
def test_bad_combos_say_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        combo_from_string(text)


def test_indices_outside_are_refused() -> None:
    ace = card_from_string("As")
    with pytest.raises(ValueError, match="two different"):
        combo_index(ace, ace)
    with pytest.raises(ValueError, match="two different"):
        combo_index(52, 0)
    with pytest.raises(ValueError, match=r"want 0\.\.1325"):
        combo_to_string(1326)


def test_the_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        COMBO_CARDS[0, 0] = 1
