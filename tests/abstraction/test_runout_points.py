"""Points of hands over all runouts: by another evaluator, by exact equities, by hand."""

import numpy as np
import pytest

from poker_solver.abstraction.runout_points import MOST_POINTS, runout_points
from poker_solver.cards import COMBO_CARDS, NUM_COMBOS, cards_from_string, combo_from_string
from poker_solver.cards.equity import range_equity
from poker_solver.cards.isomorphism import combo_permutation, suit_symmetries
from poker_solver.cards.strength import board_strengths

BOARDS = ["KsQs2s", "7s7h2d", "9s8s7h2c", "AsAhAdAc", "KsQsJs4s"]


def points_of(board, hand):
    found = runout_points(cards_from_string(board))
    return found.points[found.hand[combo_from_string(hand)]]


def against_any(board):
    everything = np.ones(NUM_COMBOS)
    return range_equity(everything, everything, board).players[0].equity_by_combo


@pytest.mark.parametrize(("board", "hand"), [("9s8s7h2c", "AsKs"), ("9s8s7h2c", "7c7d")])
def test_a_hand_on_a_turn_board_counted_by_strengths(board, hand):
    own, held = combo_from_string(hand), cards_from_string(hand)
    dealt = cards_from_string(board)
    rivers = [card for card in range(52) if card not in (*dealt, *held)]
    strength = board_strengths(np.array([(*dealt, card) for card in rivers]))
    apart = ~np.isin(COMBO_CARDS, held).any(axis=1)
    met = (strength > 0) & apart
    assert (met.sum(axis=1) == 990).all()
    mine = strength[:, own][:, None]
    points = (2 * (mine > strength) + (mine == strength)) * met
    assert sorted(points.sum(axis=1)) == points_of(board, hand).tolist()


def test_the_mean_on_a_turn_board_is_the_equity_against_any_hand():
    board = cards_from_string("KsTd6h3c")
    found = runout_points(board)
    equity = against_any(board)
    live = found.hand >= 0
    mean = found.points.mean(axis=1)[found.hand[live]] / MOST_POINTS
    assert mean == pytest.approx(equity[live], abs=1e-6)


def test_a_flop_keeps_the_middle_of_every_23_runouts():
    """47 of 1,081: near the whole distribution's mean."""
    board = cards_from_string("KsTd6h")
    found = runout_points(board)
    assert found.points.shape[1] == 47
    equity = against_any(board)
    live = found.hand >= 0
    mean = found.points.mean(axis=1)[found.hand[live]] / MOST_POINTS
    assert np.abs(mean - equity[live]).max() < 0.005


def test_points_by_hand():
    """Four aces: a king ties with the 87 hands that hold one of the other two, unless one falls."""
    kings = points_of("AsAhAdAc", "KsKh")
    assert kings.tolist() == [990] * 2 + [2 * (990 - 87) + 87] * 44
    assert set(points_of("KsQsJsTs", "As2d").tolist()) == {MOST_POINTS}


@pytest.mark.parametrize("board", BOARDS)
def test_hands_that_suits_make_equal_are_one(board):
    cards = cards_from_string(board)
    found = runout_points(cards)
    assert (
        (found.hand >= 0).sum() == found.weight.sum() == (52 - len(cards)) * (51 - len(cards)) // 2
    )
    for renaming in suit_symmetries(cards):
        assert (found.hand[combo_permutation(renaming)] == found.hand).all()
    assert len(found.weight) == found.hand.max() + 1
    assert (np.diff(found.points, axis=1) >= 0).all()
