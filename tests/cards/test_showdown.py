"""Wins and ties of every hand against all others on whole river boards."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cards.combos import COMBO_CARDS, NUM_COMBOS
from poker_solver.cards.isomorphism import canonical_boards
from poker_solver.cards.showdown import count_boards_into
from poker_solver.cards.strength import board_strengths
from poker_solver.cards.strength_tables import strength_tables

NUM_MET = 990  # C(45, 2)


def counted(boards):
    wins = np.empty((len(boards), NUM_COMBOS), np.int16)
    ties = np.empty_like(wins)
    count_boards_into(strength_tables(), np.array(boards, np.uint8), COMBO_CARDS, wins, ties)
    return wins, ties


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
@settings(max_examples=20, deadline=None)
def test_wins_and_ties_are_those_of_comparing_every_pair(board):
    (wins,), (ties,) = counted([board])
    strength = board_strengths(np.array([board]))[0].astype(int)
    masks = (1 << COMBO_CARDS.astype(np.int64)).sum(axis=1)
    met = ((masks[:, None] & masks) == 0) & (strength > 0)
    live = strength > 0
    assert ((wins == -1) == ~live).all()
    assert ((ties == -1) == ~live).all()
    assert ((strength[:, None] > strength) & met).sum(axis=1)[live].tolist() == wins[live].tolist()
    assert ((strength[:, None] == strength) & met).sum(axis=1)[live].tolist() == ties[live].tolist()


def test_all_rivers_have_20_687_different_results_against_a_random_hand():
    seen = np.zeros((NUM_MET + 1, NUM_MET + 1), bool)
    boards = canonical_boards(5).cards
    for first in range(0, len(boards), 2000):
        wins, ties = counted(boards[first : first + 2000])
        live = wins >= 0
        seen[wins[live], ties[live]] = True
    assert seen.sum() == 20_687
