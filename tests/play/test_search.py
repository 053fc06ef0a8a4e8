"""Search stands on the stored strategy: before the flop, at other stacks, and where it cannot."""

from dataclasses import replace

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.play.model import checked_down
from poker_solver.subgame.answer import SubgameAnswer


@pytest.fixture(scope="module")
def search():
    return ps.SearchPolicy(ps.StoredPolicy(ps.UnifiedSolution.load("hu_10")))


def test_before_the_flop_it_is_the_stored_strategy(search):
    hand = ps.PokerHand.start(10, "", "AhKh")
    combo = hand.holes[1]
    assert combo is not None
    found = search.decide(hand, combo)
    assert (found.source, found.mix) == ("stored", search.stored.decide(hand, combo).mix)
    assert found.mean_ev_chips is not None


def test_another_stack_is_not_searched_and_says_so(search):
    hand = ps.PokerHand.start(12, "AhKh", "").played("SBc BBx | QsJh2h")
    found = search.decide(hand, 1300)
    assert found.notes[0] == "12 bb is not searched"


def test_what_is_solved_is_played_by_every_hand_of_its_own(search, monkeypatch):
    hand = ps.PokerHand.start(10, "AhKh", "").played("SBc BBx | QsJh2h")
    combos = np.array([5, 1300], np.int32)
    strategy = np.array([[0.25, 1.0], [0.75, 0.0]], np.float32)
    nan = np.full(2, np.nan, np.float32)
    answer = SubgameAnswer(
        "", "QsJh2h", 0, ("x", "b150"), combos, strategy, nan, 0.5, 40, 12.0, "search"
    )
    asked = []

    def solve_range(board, history):
        asked.append(history)
        return answer

    monkeypatch.setattr(search.solvers[10.0], "solve_range", solve_range)
    assert search.decide(hand, 5).mix == {"x": 0.25, "b150": 0.75}
    assert search.decide(hand, 1300).mix == {"x": 1.0, "b150": 0.0}
    assert asked[0] == "SBc BBx | QsJh2h"
    assert "exploitable by 0.5 % of the pot" in search.decide(hand, 5).notes


def test_what_cannot_be_solved_is_left_to_the_stored_strategy(search, monkeypatch):
    def solve_range(board, history):
        raise ps.InputError("no such flop")

    monkeypatch.setattr(search.solvers[10.0], "solve_range", solve_range)
    hand = ps.PokerHand.start(10, "AhKh", "").played("SBc BBx | QsJh2h")
    found = search.decide(hand, 1300)
    assert (found.mix, found.notes[0]) == ({"x": 1.0}, "not searched: no such flop")


def test_the_checked_down_model_is_worth_what_its_equities_are():
    """EVs by what lines are worth are those of a preflop solution that checks flops down."""
    real = ps.UnifiedSolution.load("hu_10")
    model = checked_down(real)
    assert model.certificate is None
    assert not np.array_equal(model.sums, real.sums)
    by_lines, by_equity = model.preflop, replace(model.preflop, leaf_values=None)
    for line in ("", "SBc"):
        found, wanted = (one.node(line).ev_actions_bb for one in (by_lines, by_equity))
        np.testing.assert_allclose(found, wanted, atol=1e-9)
    root = by_equity.node("")
    best = (root.ev_actions_bb.max(axis=0) * root.combos).sum() / 1326
    mean = ((root.ev_actions_bb * root.strategy).sum(axis=0) * root.combos).sum() / 1326
    assert 0 <= best - mean < 0.002  # bb: the button does what is best for it
