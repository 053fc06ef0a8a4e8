"""Rows of the river: strength by another evaluator, equal hands together, runs of like size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from poker_solver.abstraction.river_rows import NUM_LIVE, river_rows
from poker_solver.cards import COMBO_CARDS, card_to_string, cards_from_string
from poker_solver.cards.strength import board_strengths
from poker_solver.config.unified_fields import RowRule

BOARDS = ["KsQh7d4c2s", "9s8s7s6s2h", "QsJhTd9c8s", "AsAhAdKcKs", "7h7d2c2s3d"]
STRENGTH = RowRule("strength")

boards = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


def rows_on(rule, board):
    cards = cards_from_string(board) if isinstance(board, str) else board
    found = river_rows(rule, np.array([cards]))
    return found.row[0], int(found.num_rows[0])


def strengths_on(board):
    cards = cards_from_string(board) if isinstance(board, str) else board
    return board_strengths(np.array([cards]))[0]


@pytest.mark.parametrize("board", BOARDS)
def test_a_row_for_each_strength_of_another_evaluator(board):
    row, num_rows = rows_on(STRENGTH, board)
    dealt = [card_to_string(card) for card in cards_from_string(board)]
    rank = {}  # that evaluator's best hand is 1
    for combo in np.flatnonzero(row >= 0):
        hand = [card_to_string(int(card)) for card in COMBO_CARDS[combo]]
        rank[combo] = evaluate_cards(*dealt, *hand)
    steps = sorted(set(rank.values()), reverse=True)
    assert num_rows == len(steps)
    assert all(row[combo] == steps.index(value) for combo, value in rank.items())


def test_known_numbers_of_rows():
    assert rows_on(STRENGTH, "AsKsQsJsTs")[1] == 1  # all hands play the board
    assert rows_on(RowRule("quantiles", 16), "AsKsQsJsTs")[1] == 1
    assert rows_on(RowRule("buckets", 16), "AsKsQsJsTs")[1] == 16
    assert set(rows_on(RowRule("buckets", 16), "AsKsQsJsTs")[0]) == {-1, 8}  # all of them split


@pytest.mark.parametrize("rule", ["exact", "strength"])
def test_blocked_hands_have_no_row(rule):
    row, _ = rows_on(RowRule(rule), BOARDS[0])
    cards = cards_from_string(BOARDS[0])
    blocked = np.isin(COMBO_CARDS, cards).any(axis=1)
    assert ((row == -1) == blocked).all()
    assert (row >= 0).sum() == NUM_LIVE


@given(boards)
@settings(max_examples=50, deadline=None)
def test_exact_rows_are_the_hands_in_order_of_strength(board):
    row, num_rows = rows_on(RowRule("exact"), board)
    strength = strengths_on(board)
    live = np.flatnonzero(strength)
    assert num_rows == len(live) == NUM_LIVE
    assert (row[live[np.lexsort((live, strength[live]))]] == np.arange(NUM_LIVE)).all()


@given(boards, st.integers(1, 200), st.sampled_from(["quantiles", "buckets"]))
@settings(max_examples=100, deadline=None)
def test_rows_are_runs_that_never_part_equal_hands(board, count, kind):
    row, num_rows = rows_on(RowRule(kind, count), board)
    strength = strengths_on(board)
    live = np.flatnonzero(strength)
    order = live[np.argsort(strength[live], kind="stable")]
    steps = np.diff(row[order].astype(int))
    assert (steps >= 0).all()
    assert (steps[np.diff(strength[order]) == 0] == 0).all()
    if kind == "quantiles":
        assert row[order[0]] == 0
        assert row[order[-1]] == num_rows - 1
        assert steps.max(initial=0) <= 1
    assert num_rows <= count


@given(boards, st.integers(1, 100))
@settings(max_examples=100, deadline=None)
def test_quantiles_hold_about_as_many_hands(board, count):
    """A row holds its share, and may hold half of a strength too many at each end."""
    row, num_rows = rows_on(RowRule("quantiles", count), board)
    strength = strengths_on(board)
    most = np.bincount(strength[strength > 0]).max()
    sizes = np.bincount(row[row >= 0], minlength=num_rows)
    assert sizes.min() > 0
    assert sizes.max() <= NUM_LIVE / count + most


@given(boards)
@settings(max_examples=20, deadline=None)
def test_as_many_quantiles_as_hands_are_strengths(board):
    row, num_rows = rows_on(RowRule("quantiles", NUM_LIVE), board)
    other, num_strengths = rows_on(STRENGTH, board)
    assert (row == other).all()
    assert num_rows == num_strengths
    assert num_rows == len(set(strengths_on(board).tolist()) - {0})
