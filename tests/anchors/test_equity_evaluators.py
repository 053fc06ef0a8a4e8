"""A million random hands against two evaluators that share no code with ours or each other."""

import warnings

import numpy as np
import phevaluator
import pytest
from numpy.typing import NDArray

from poker_solver.cards import card_to_string
from tests.support.strength import seven_card_strengths

with warnings.catch_warnings():  # its range parser, not used here, calls old names
    warnings.simplefilter("ignore", DeprecationWarning)
    import eval7

NUM_HANDS = 1_000_000


@pytest.fixture(scope="module")
def hands() -> NDArray[np.uint8]:
    """[N, 7] card ids, each row the first seven of a shuffled deck."""
    rng = np.random.default_rng(7)
    deck = np.tile(np.arange(52, dtype=np.uint8), (NUM_HANDS, 1))
    for place in range(7):  # the start of a Fisher-Yates shuffle, all rows at once
        other = rng.integers(place, 52, NUM_HANDS)
        rows = np.arange(NUM_HANDS)
        deck[rows, place], deck[rows, other] = deck[rows, other], deck[rows, place].copy()
    return deck[:, :7]


def test_a_million_hands_have_the_rank_phevaluator_gives(hands: NDArray[np.uint8]) -> None:
    evaluate = phevaluator.evaluate_cards
    theirs = np.array([evaluate(*hand) for hand in hands.tolist()])  # 1 is best, 7462 worst
    assert (seven_card_strengths(hands) == 7463 - theirs).all()


def test_a_million_hands_are_in_the_order_eval7_gives(hands: NDArray[np.uint8]) -> None:
    deck = [eval7.Card(card_to_string(card)) for card in range(52)]
    theirs = np.array([eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()])
    ours = seven_card_strengths(hands).astype(np.int64)
    pairs = np.unique(np.stack([ours, theirs], axis=1), axis=0)  # sorted by ours, then theirs
    assert (np.diff(pairs, axis=0) > 0).all(), "equal for one, or in another order"
