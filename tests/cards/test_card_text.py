import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import (
    card_from_string,
    card_to_string,
    cards_from_string,
    cards_to_string,
    parse_board,
)


def test_ids_are_four_times_rank_plus_suit() -> None:
    assert [card_from_string(c) for c in ("2c", "2d", "2h", "2s", "3c", "As")] == [
        0,
        1,
        2,
        3,
        4,
        51,
    ]
    assert len({card_to_string(c) for c in range(52)}) == 52


@given(st.lists(st.integers(0, 51), unique=True, max_size=7))
def test_cards_round_trip(cards: list[int]) -> None:
    assert cards_from_string(cards_to_string(cards)) == tuple(cards)


def test_case_and_separators_do_not_matter() -> None:
    want = cards_from_string("Td9d6h")
    for text in ("td9D6H", "Td 9d 6h", "Td,9d,6h", " Td, 9d  6h "):
        assert parse_board(text) == want


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Xs", "'X' is not a rank"),
        ("Ax", "'x' is not a suit"),
        ("A", "want a rank and a suit"),
        ("", "want a rank and a suit"),
    ],
)
def test_a_bad_card_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        card_from_string(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Td9dTd", "Td is there twice"),
        ("Td9d", "has 2 cards, want 0, 3, 4 or 5"),
        ("Td9d6", "two characters a card"),
        ("Td9d6h2c3c4c", "has 6 cards"),
    ],
)
def test_a_bad_board_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_board(text)


@pytest.mark.parametrize("card", [-1, 52])
def test_an_id_outside_the_deck_has_no_text(card: int) -> None:
    with pytest.raises(ValueError, match=r"want 0\.\.51"):
        card_to_string(card)
