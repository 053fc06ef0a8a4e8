import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import (
    CLASS_GRID,
    CLASS_SIZE,
    COMBO_CARDS,
    COMBO_CLASS,
    HAND_NAMES,
    card_to_string,
    cards_from_string,
    combo_from_string,
    combo_to_string,
    combos_left,
    hand_name,
    hand_to_string,
    parse_classes,
    parse_hand,
    parse_range,
)
from poker_solver.cards.classes import (
    CLASS_COMBOS,
    canonical_index,
    class_representative,
    get_matrix_layout,
)


def test_the_order_is_pairs_then_suited_then_offsuit() -> None:
    names = [hand_to_string(index) for index in range(169)]
    assert names[:3] == ["AA", "KK", "QQ"]
    assert names[12:15] == ["22", "AK", "AQ"]
    assert names[24:26] == ["A2", "KQ"]
    assert names[90:93] == ["32", "AKo", "AQo"]
    assert names[168] == "32o"
    assert len(set(names)) == 169


def test_the_examples_of_the_contract() -> None:
    assert parse_hand("AK") == (13, True, None)
    assert parse_hand("AKo") == (91, True, None)
    assert parse_hand("AcKh") == (91, False, (("A", "c"), ("K", "h")))


@pytest.mark.parametrize(
    ("text", "index"),
    [("KA", 13), ("aks", 13), ("AKS", 13), ("kaO", 91), ("tt", 4), ("23o", 168), (" 72o ", 158)],
)
def test_rank_order_and_case_are_normalised(text: str, index: int) -> None:
    assert parse_hand(text) == (index, True, None)


def test_one_hand_has_its_higher_rank_first_and_keeps_the_suits_of_a_pair() -> None:
    assert parse_hand("khAc") == (91, False, (("A", "c"), ("K", "h")))
    assert parse_hand("2s3s") == (90, False, (("3", "s"), ("2", "s")))
    assert parse_hand("AcAs") == (0, False, (("A", "c"), ("A", "s")))


def test_names_round_trip_in_both_notations() -> None:
    for index, name in enumerate(HAND_NAMES):
        assert hand_name(index) == name
        assert parse_hand(name)[0] == parse_hand(hand_to_string(index))[0] == index
        assert parse_classes(name) == (index,)
        assert np.flatnonzero(parse_range(name)).tolist() == CLASS_COMBOS[index].tolist()
    assert [hand_name(index) for index in (0, 13, 91)] == ["AA", "AKs", "AKo"]


def test_a_person_means_both_by_two_ranks() -> None:
    assert parse_classes("ak") == (13, 91)
    assert parse_classes(" 77 ") == (7,)
    assert parse_classes("AcKh") == (91,)
    for index in range(13, 91):
        combos = [CLASS_COMBOS[i] for i in parse_classes(hand_to_string(index))]
        wanted = np.flatnonzero(parse_range(hand_to_string(index)))
        assert sorted(np.concatenate(combos).tolist()) == wanted.tolist()


@given(st.integers(0, 1325))
def test_every_combo_parses_to_its_class(combo: int) -> None:
    index, is_class, cards = parse_hand(combo_to_string(combo))
    assert not is_class
    assert cards is not None
    assert combo_from_string("".join(rank + suit for rank, suit in cards)) == combo
    (r1, s1), (r2, s2) = cards
    assert index == COMBO_CLASS[combo] == canonical_index(r1, r2, s1 == s2)


def test_classes_partition_the_combos() -> None:
    assert sorted(np.concatenate(CLASS_COMBOS).tolist()) == list(range(1326))
    assert CLASS_SIZE.tolist() == [6] * 13 + [4] * 78 + [12] * 78
    for index, combos in enumerate(CLASS_COMBOS):
        assert (COMBO_CLASS[combos] == index).all()
        assert {card_to_string(c)[0] for c in COMBO_CARDS[combos].ravel().tolist()} == set(
            hand_to_string(index)[:2]
        )


def test_the_grid_has_suited_hands_above_the_diagonal() -> None:
    layout = get_matrix_layout()
    assert layout[0][:3] == ["AA", "AK", "AQ"]
    assert [row[0] for row in layout[:3]] == ["AA", "AKo", "AQo"]
    assert layout[12][12] == "22"
    assert sorted(CLASS_GRID.ravel().tolist()) == list(range(169))
    assert (np.diag(CLASS_GRID) == np.arange(13)).all()
    assert [[hand_to_string(i) for i in row] for row in CLASS_GRID.tolist()] == layout


def test_the_representative_is_in_its_class() -> None:
    for index in range(169):
        high, low = class_representative(index)
        assert parse_hand(card_to_string(high) + card_to_string(low))[0] == index


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AX", "'X' is not a rank"),
        ("AAA", "nothing may follow a pair"),
        ("AAs", "nothing may follow a pair"),
        ("AKx", "neither 's' nor 'o'"),
        ("AsAs", "same card twice"),
        ("", "empty"),
        ("  ", "empty"),
        ("A", "1 characters"),
        ("AsKsQ", "5 characters"),
        ("AsKx", "'x' is not a suit"),
    ],
)
def test_bad_hands_say_why_and_name_the_notation(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        parse_hand(text)
    assert text == "AsAs" or "hands are written" in str(caught.value)


def test_bad_ranks_and_indices_are_refused() -> None:
    with pytest.raises(ValueError, match="'1' is not a rank"):
        canonical_index("A", "1")
    with pytest.raises(ValueError, match="'10' is not a rank"):
        canonical_index("A", "10")
    with pytest.raises(ValueError, match=r"want 0\.\.168"):
        hand_to_string(169)


def test_known_cards_are_taken_out_of_the_classes() -> None:
    left = combos_left(cards_from_string("AcKh"))
    want = {"AA": 3, "KK": 3, "AK": 2, "AKo": 7, "QQ": 6, "A5": 3}
    assert {hand: left[parse_hand(hand)[0]] for hand in want} == want
    assert left.sum() == 50 * 49 // 2
