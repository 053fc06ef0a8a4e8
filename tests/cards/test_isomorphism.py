from collections import Counter
from itertools import combinations
from math import comb, perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import cards_from_string, cards_to_string, combo_from_string
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    CanonicalBoards,
    canonical_board,
    canonical_boards,
    combo_permutation,
    inverse,
    permute_cards,
    suit_symmetries,
)
from poker_solver.cards.strength import board_strengths
from tests.support.isomorphism import canonical_streets

boards = st.integers(3, 5).flatmap(
    lambda size: st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
)
suits = st.sampled_from(SUIT_PERMUTATIONS)


@pytest.mark.parametrize(("num_cards", "count"), [(3, 1755), (4, 16_432), (5, 134_459)])
def test_counts_and_weights_of_canonical_boards(num_cards: int, count: int) -> None:
    found = canonical_boards(num_cards)
    assert found.cards.shape == (count, num_cards)
    assert found.weight.sum() == comb(52, num_cards)
    assert len(np.unique(found.cards, axis=0)) == count
    assert set(found.weight.tolist()) <= {1, 4, 6, 12, 24}


def test_the_weight_is_how_many_flops_share_the_representative() -> None:
    counted = Counter(canonical_board(flop)[0] for flop in combinations(range(52), 3))
    found = canonical_boards(3)
    rows = map(tuple, found.cards.tolist())
    listed = dict(zip(rows, found.weight.tolist(), strict=True))
    assert counted == listed


def test_a_turn_kept_apart_from_the_flop_has_63193_representatives() -> None:
    found = {
        canonical_streets([flop, [turn]])
        for flop in canonical_boards(3).cards.tolist()
        for turn in range(52)
        if turn not in flop
    }
    assert len(found) == 63_193


def num_orbits(board: list[int], more_cards: int) -> int:
    """Hands with so many cards dealt on a board, in order, up to suits: Burnside's count.

    A renaming leaves a hand in its place if it does both cards, or changes them for each other.
    """
    fixed_sum, group = 0, suit_symmetries(board)
    for way in group:
        live = [card for card in range(52) if card not in board]
        moved = dict(zip(live, permute_cards(live, way), strict=True))
        num_fixed = sum(card == to for card, to in moved.items())
        num_swapped = sum(card < to and moved[to] == card for card, to in moved.items())
        dealt = perm(num_fixed, more_cards)
        left = num_fixed - more_cards
        fixed_sum += dealt * (comb(max(left, 0), 2) + num_swapped)
    assert fixed_sum % len(group) == 0
    return fixed_sum // len(group)


def test_hands_on_flops_turns_and_rivers_have_the_published_numbers() -> None:
    """Up to suits, the cards in order: what a strategy for the whole game says something about."""
    flops = canonical_boards(3).cards.tolist()
    assert sum(num_orbits(flop, 0) for flop in flops) == 1_286_792
    assert sum(num_orbits(flop, 1) for flop in flops) == 55_190_538
    assert sum(num_orbits(flop, 2) for flop in flops) == 2_428_287_420
    assert sum(num_orbits(board, 0) for board in canonical_boards(4).cards.tolist()) == 13_960_050


@given(boards, suits)
def test_renaming_suits_does_not_change_the_representative(
    board: list[int], permutation: tuple[int, int, int, int]
) -> None:
    renamed = permute_cards(board, permutation)
    representative, _ = canonical_board(board)
    assert canonical_board(renamed)[0] == representative
    assert (canonical_boards(len(board)).cards == representative).all(axis=1).sum() == 1


@given(boards)
def test_the_permutation_leads_there_and_its_inverse_back(board: list[int]) -> None:
    representative, permutation = canonical_board(board)
    assert set(permute_cards(board, permutation)) == set(representative)
    assert set(permute_cards(representative, inverse(permutation))) == set(board)


@given(st.permutations(range(52)), suits)
def test_combos_follow_their_cards(deck: list[int], permutation: tuple[int, int, int, int]) -> None:
    board = deck[:5]
    to = combo_permutation(permutation)
    renamed = board_strengths([permute_cards(board, permutation)])[0]
    assert (renamed[to] == board_strengths([board])[0]).all()
    assert (to[combo_permutation(inverse(permutation))] == np.arange(1326)).all()


def test_a_permutation_worked_out_by_hand() -> None:
    board = cards_from_string("Kc7h2h")
    representative, permutation = canonical_board(board)
    assert cards_to_string(representative) == "Ks7h2h"
    assert permutation == (3, 0, 2, 1)  # clubs to spades; the two empty suits keep their order
    to = combo_permutation(permutation)
    assert to[combo_from_string("AcKd")] == combo_from_string("AsKc")


@pytest.mark.parametrize(
    ("board", "count"), [("", 24), ("AsKsQs", 6), ("AsKsQh", 2), ("AsKhQd", 1), ("AsAhAd", 6)]
)
def test_symmetries_of_a_board(board: str, count: int) -> None:
    found = suit_symmetries(cards_from_string(board))
    assert found[0] == (0, 1, 2, 3)
    assert len(found) == count


def test_symmetries_respect_weights() -> None:
    weights = np.ones(1326)
    assert len(suit_symmetries((), [weights])) == 24
    weights[combo_from_string("AsKs")] = 0.5
    assert len(suit_symmetries((), [weights])) == 6  # spades stay
    weights[combo_from_string("AhKh")] = 0.5
    assert len(suit_symmetries((), [np.ones(1326), weights])) == 4  # spades and hearts swap


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(ValueError, match="want 3, 4 or 5"):
        canonical_boards(2)
    with pytest.raises(ValueError, match="different ids"):
        canonical_board([0, 0, 1])
    with pytest.raises(ValueError, match=r"want \[1326\]"):
        suit_symmetries((), [np.ones(169)])
    with pytest.raises(ValueError, match="weights sum to 1, want 22100"):
        CanonicalBoards(np.zeros((1, 3), np.uint8), np.ones(1, np.int64))
