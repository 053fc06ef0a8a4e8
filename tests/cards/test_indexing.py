"""Deals up to suits: every known count, numbers and back, suits renamed."""

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cards import COMBO_CARDS, COMBO_CLASS
from poker_solver.cards.indexing import DealIndexer
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, canonical_boards, permute_cards
from poker_solver.errors import InputError

SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (3,): 1_755,
    (4,): 16_432,
    (5,): 134_459,
    (3, 1): 63_193,
    (3, 1, 1): 2_554_656,
}
INDEXERS = {rounds: DealIndexer(rounds) for rounds in SIZES}
ROUNDS = st.sampled_from([*SIZES])


@st.composite
def deals(draw):
    rounds = draw(ROUNDS)
    cards = st.lists(st.integers(0, 51), min_size=sum(rounds), max_size=sum(rounds), unique=True)
    return rounds, draw(cards)


@pytest.mark.parametrize(("rounds", "size"), SIZES.items())
def test_known_counts(rounds, size):
    assert INDEXERS[rounds].size == size


def test_hands_have_the_numbers_of_169_classes():
    classes = {
        (COMBO_CLASS[combo], INDEXERS[2,].index(cards))
        for combo, cards in enumerate(COMBO_CARDS.tolist())
    }
    assert len(classes) == 169 == len({number for _, number in classes})


@pytest.mark.parametrize("num_cards", [3, 4])
def test_representatives_of_boards_have_all_numbers(num_cards):
    indexer = INDEXERS[num_cards,]
    boards = canonical_boards(num_cards).cards.tolist()
    assert {indexer.index(board) for board in boards} == set(range(indexer.size))


def test_three_cards_one_after_the_other():
    """All deals, grouped by renaming suits by hand."""
    indexer = DealIndexer((1, 1, 1))
    low = [card for card in range(52) if card // 4 < 4]  # ranks 2 to 5 are enough
    group: dict[int, set[tuple[int, ...]]] = {}
    for cards in permutations(low, 3):
        least = min(permute_cards(cards, renaming) for renaming in SUIT_PERMUTATIONS)
        group.setdefault(indexer.index(cards), set()).add(least)
    assert all(len(found) == 1 for found in group.values())
    assert len(group) == len({next(iter(found)) for found in group.values()})


@given(deals(), st.sampled_from(SUIT_PERMUTATIONS), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_suits_and_the_order_within_a_round_change_no_number(deal, renaming, rng):
    rounds, cards = deal
    indexer = INDEXERS[rounds]
    index = indexer.index(cards)
    assert 0 <= index < indexer.size
    renamed, shuffled = list(permute_cards(cards, renaming)), []
    for count in rounds:
        part, renamed = renamed[:count], renamed[count:]
        rng.shuffle(part)
        shuffled += part
    assert indexer.index(shuffled) == index
    assert indexer.index(indexer.deal(index)) == index


@given(ROUNDS, st.floats(0, 1, exclude_max=True))
@settings(max_examples=300, deadline=None)
def test_a_number_comes_back_from_its_deal(rounds, share):
    indexer = INDEXERS[rounds]
    for index in {0, indexer.size - 1, int(share * indexer.size)}:
        assert indexer.index(indexer.deal(index)) == index


def test_different_deals_have_different_numbers():
    """A deal and what its number gives back are the same up to suits, round by round."""
    rng = random.Random(5)
    for rounds in ((2, 3, 1, 1), (2, 4), (2, 3)):
        for _ in range(50):
            cards = rng.sample(range(52), sum(rounds))
            back = INDEXERS[rounds].deal(INDEXERS[rounds].index(cards))
            images = (permute_cards(cards, renaming) for renaming in SUIT_PERMUTATIONS)
            assert in_rounds(back, rounds) in [in_rounds(image, rounds) for image in images]


def in_rounds(cards, rounds):
    found, left = [], list(cards)
    for count in rounds:
        found.append(frozenset(left[:count]))
        left = left[count:]
    return found


def test_the_flops_of_one_hand():
    """A pair of aces, counted by the flops that renamings leave as they are."""
    aces = (51, 50)
    flops = combinations([card for card in range(52) if card not in aces], 3)
    numbers = {INDEXERS[2, 3].index((*aces, *flop)) for flop in flops}
    keeping = [p for p in SUIT_PERMUTATIONS if {*permute_cards(aces, p)} == {*aces}]
    left = [card for card in range(52) if card not in aces]
    fixed = 0  # Burnside: the mean number of flops that a renaming leaves as they are
    for renaming in keeping:
        for flop in combinations(left, 3):
            fixed += {*permute_cards(flop, renaming)} == {*flop}
    assert len(numbers) == fixed / len(keeping)


def test_what_cannot_be_dealt_is_refused():
    with pytest.raises(InputError, match="want at least 1 card each, at most 7 in all"):
        DealIndexer((2, 6))
    with pytest.raises(InputError, match="want 5 different ids"):
        INDEXERS[2, 3].index([1, 2, 3, 4, 4])
    with pytest.raises(InputError, match="want 2 different ids"):
        INDEXERS[2,].index([1, 52])
    with pytest.raises(InputError, match="deal 169: want 0 to 168"):
        INDEXERS[2,].deal(169)
