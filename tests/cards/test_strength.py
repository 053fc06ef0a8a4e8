from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from poker_solver.cards import COMBO_CARDS, cards_from_string, unblocked
from poker_solver.cards.isomorphism import canonical_boards
from poker_solver.cards.strength import board_strengths
from tests.support.strength import plain_strengths, seven_card_strengths

Strengths = Callable[[ArrayLike], NDArray[np.int16]]
NUM_STRENGTHS = 7462
# How many strengths each category has, high card to straight flush: C(13,5) rank sets less the
# 10 straights; 13 C(12,3); C(13,2) 11; 13 C(12,2); 10; as high card; 13 12; 13 12; 10.
CATEGORY_SIZES = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)
BOARDS = {
    "rainbow": "Ks7h2d9c4s",
    "three of a suit": "Ks7s2d9c4s",
    "four of a suit": "Ks7s2d9s4s",
    "five of a suit": "Ks7s2s9s4s",
    "quads": "AcAdAhAs2c",
    "full house": "KsKhKd9c9d",
    "royal": "AhKhQhJhTh",
    "broadway": "AhKdQhJcTs",
    "wheel with three of a suit": "Ac2c3c4d5h",
}


def category_of(strength: NDArray[np.integer]) -> NDArray[np.int64]:
    """0 high card .. 8 straight flush."""
    return np.searchsorted(np.cumsum((1, *CATEGORY_SIZES[:-1])), strength, side="right") - 1


def by_category(counts: NDArray[np.int64]) -> list[int]:
    """Hands per category from hands per strength."""
    seen = np.flatnonzero(counts)
    found: list[int] = np.bincount(category_of(seen), counts[seen]).astype(int).tolist()
    return found


def test_category_counts_of_all_five_card_hands() -> None:
    hands = np.array(list(combinations(range(52), 5)), np.uint8)
    found = np.bincount(plain_strengths(hands))
    counts = by_category(found)
    assert counts == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    assert sum(counts) == 2_598_960
    assert np.count_nonzero(found) == 7462


def test_category_counts_of_all_seven_card_hands() -> None:
    boards = canonical_boards(5)
    found = np.zeros(NUM_STRENGTHS + 1, np.int64)
    for weight in np.unique(boards.weight):
        cards = boards.cards[boards.weight == weight]
        for part in np.array_split(cards, len(cards) // 10_000 + 1):
            strength = board_strengths(part).ravel()
            found += weight * np.bincount(strength, minlength=NUM_STRENGTHS + 1)
    found[0] = 0  # combos that the board blocks
    assert not (found % 21).any()  # every hand is found with each five of its cards as the board
    counts = by_category(found // 21)
    assert counts == [
        23294460,
        58627800,
        31433400,
        6461620,
        6180020,
        4047644,
        3473184,
        224848,
        41584,
    ]
    assert sum(counts) == 133_784_560
    assert np.count_nonzero(found) == 4824


@pytest.mark.parametrize(
    ("num_cards", "strengths"),
    [(6, plain_strengths), (7, plain_strengths), (7, seven_card_strengths)],
)
def test_more_cards_are_worth_their_best_five(num_cards: int, strengths: Strengths) -> None:
    rng = np.random.default_rng(5)
    hands = np.argsort(rng.random((4000, 52)), axis=1)[:, :num_cards]
    subsets = [plain_strengths(hands[:, list(five)]) for five in combinations(range(num_cards), 5)]
    assert (strengths(hands) == np.max(subsets, axis=0)).all()


LADDER = [
    "7c5d4h3s2c",  # the worst hand
    "AcKdQhJs9c",
    "2c2d3h4s5c",
    "AcAdKhQsJc",
    "3c3d2h2s4c",
    "AcAdKhKsQc",
    "2c2d2h3s4c",
    "AcAdAhKsQc",
    "Ac2d3h4s5c",  # the wheel
    "2c3d4h5s6c",
    "TcJdQhKsAc",
    "2c3c4c5c7c",
    "AcKcQcJc9c",
    "2c2d2h3s3c",
    "AcAdAhKsKc",
    "2c2d2h2s3c",
    "AcAdAhAsKc",
    "Ac2c3c4c5c",
    "2c3c4c5c6c",
    "TcJcQcKcAc",  # the best
]


def test_hands_in_the_order_everyone_knows() -> None:
    got = plain_strengths([cards_from_string(hand) for hand in LADDER])
    assert (np.diff(got) > 0).all()
    assert got[0] == 1
    assert got[-1] == NUM_STRENGTHS
    assert category_of(got).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())
def test_the_shared_board_way_agrees_with_seven_cards(board: str) -> None:
    cards = cards_from_string(board)
    got = board_strengths([cards])[0]
    free = unblocked(cards)
    hands = np.concatenate([np.tile(cards, (1081, 1)), COMBO_CARDS[free]], axis=1)
    assert (got[free] == plain_strengths(hands)).all()
    assert not got[~free].any()


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_any_board_agrees_with_seven_cards(cards: list[int]) -> None:
    got = board_strengths([cards, cards[::-1]])
    free = unblocked(cards)
    hands = np.concatenate([np.tile(cards, (1081, 1)), COMBO_CARDS[free]], axis=1)
    assert (got[0, free] == plain_strengths(hands)).all()
    assert (got[0] == got[1]).all()


@given(st.permutations(range(52)), st.permutations(range(4)))
def test_order_and_suit_names_do_not_matter(deck: list[int], suits: list[int]) -> None:
    hand = deck[:7]
    renamed = [4 * (card // 4) + suits[card % 4] for card in hand]
    first, second, third = seven_card_strengths([hand, sorted(hand), renamed])
    assert first == second == third


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ([0, 1, 2], r"want \[B, 5\]"),
        ([0, 1, 2, 3, 3], "not five different cards"),
        ([7] * 5, "not five different cards"),
        ([0, 1, 2, 3, 52], "want integers 0"),
        ([0, 1, 2, 3, -1], "want integers 0"),
        ([0.0, 1, 2, 3, 4], "want integers 0"),
    ],
)
def test_what_is_not_a_board_is_refused(board: list[int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        board_strengths([board])


def test_no_boards_have_no_strengths() -> None:
    assert board_strengths(np.empty((0, 5), np.uint8)).shape == (0, 1326)
