"""Hands after the fact: what was lost, what is not known and why, totals."""

import math

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.games.betting import BB, SB
from poker_solver.play import review as reviewing
from poker_solver.play.deals import deal
from poker_solver.play.review import HandToReview, Review, Reviewer, StreetTotal, review_hands


@pytest.fixture(scope="module")
def reviewer():
    return Reviewer(["hu_10", "hu_100"], budget_ms=150)


def to_review(stack, big, small, line, seat, name="1"):
    return HandToReview(name, ps.PokerHand.start(stack, big, small).played(line), seat)


def test_a_jam_with_the_worst_hand_loses_what_the_solution_says(reviewer):
    found = reviewer.review(to_review(10, "", "7d2c", "SBa BBf", SB))
    assert (found.game, found.problem) == ("hu_10", "")
    (decision,) = found.decisions
    node = ps.UnifiedSolution.load("hu_10").preflop.node("")
    row, hands = node.ev_actions_bb, [*node.hands]
    mine = hands.index("72o")
    assert decision.ev_bb["a"] == pytest.approx(row[node.actions.index("a"), mine])
    earned = (row * node.strategy)[:, mine].sum()
    assert decision.lost_bb == pytest.approx(earned - row[node.actions.index("a"), mine], abs=1e-3)
    assert decision.lost_bb == pytest.approx(found.lost_bb)
    assert 0.3 < found.lost_bb < 0.7
    assert (decision.source, decision.best) == ("stored", "f")
    assert decision.frequency < 1e-6


def test_checking_back_the_nuts_loses_a_bet(reviewer):
    """Quads on the river behind a check: a call is all that can be lost, and some of it is."""
    line = "SBr2.5 BBc | QsQh2h x b375 c 7d x b900 c 3c x x"
    found = reviewer.review(to_review(100, "AhKh", "QdQc", line, SB))
    assert not found.problem
    _, flop, turn, river = found.decisions
    assert (flop.lost_bb, flop.source) == (None, "search")
    assert flop.why == "flops are searched on a few turns only"
    assert (turn.street, turn.board) == (2, "QsQh2h7d")
    assert river.ev_bb["x"] == pytest.approx(river.pot_bb)  # it wins every showdown
    assert river.lost_bb is not None
    assert 0.5 < river.lost_bb < river.pot_bb
    assert river.best != "x"
    assert found.worst is river


def test_another_stack_and_size_are_said_and_judged_while_they_are_near(reviewer):
    found = reviewer.review(to_review(97.3, "", "QdQc", "SBr3 BBf", SB))
    (decision,) = found.decisions
    assert (decision.played, decision.nearest) == ("r3", "r2.5")
    assert decision.notes[0] == "97.3 bb played as 100 bb"
    assert decision.notes[-1] == "r3 counts as r2.5"
    assert decision.lost_bb is not None
    assert decision.lost_bb < 0.05

    (far,) = reviewer.review(to_review(60, "", "QdQc", "SBr2.5 BBf", SB)).decisions
    assert (far.lost_bb, far.why) == (None, "60 bb is far from the strategy's 100 bb")
    (large,) = reviewer.review(to_review(100, "", "QdQc", "SBr8 BBf", SB)).decisions
    assert (large.lost_bb, large.why) == (None, "no size of the strategy is near r8")
    (after,) = reviewer.review(to_review(100, "AhKh", "", "SBr8 BBc", BB)).decisions
    assert after.lost_bb is None
    assert "is far from the strategy's" in after.why


def test_what_the_strategy_mostly_does_loses_nothing_though_its_ev_is_not_known():
    hand = ps.PokerHand.start(20, "", "AhKh")
    answer = reviewing._Answer({"f": 0.0, "c": 0.4, "a": 0.6}, {"f": 0.0, "c": 1.0}, "search")
    usual = reviewing._judged(hand, "a", answer)
    assert (usual.lost_bb, usual.why, usual.best) == (0.0, "", "a")
    assert reviewing._judged(hand, "c", answer).lost_bb is None  # the all-in may be worth more
    often = reviewing._Answer({"f": 0.0, "c": 0.99, "a": 0.01}, {"f": 0.0, "c": 1.0}, "search")
    assert reviewing._judged(hand, "f", often).lost_bb == pytest.approx(1.0)
    assert reviewing._judged(hand, "f", often, error_bb=1.0).lost_bb == 0.0  # cannot be told
    assert reviewing._judged(hand, "a", often).lost_bb is None


class Told(Reviewer):
    """A reviewer that says what it is told to."""

    def __init__(self, lost):
        self.lost = lost

    def review(self, asked, stopping=lambda: False):
        hand = asked.hand
        loss = self.lost[asked.hand_id]
        decision = reviewing.ReviewedDecision(
            0, "", "", 1.5, "f", "f", {"f": 1.0}, {"f": 0.0}, loss, "" if loss is not None else "?",
            "stored",
        )  # fmt: skip
        assert hand.holes[asked.seat] is not None
        return reviewing.HandReview(asked, (decision,))


def hands(count):
    return [to_review(10, "", "7d2c", "SBf", SB, str(number)) for number in range(count)]


def test_totals_and_order():
    found = review_hands(hands(4), Told({"0": 0.25, "1": 1.5, "2": None, "3": 0.0}))
    assert [hand.asked.hand_id for hand in found.hands] == ["1", "0", "2", "3"]
    assert found.lost_bb == 1.75
    assert found.lost_bb_per_100 == 43.75
    nothing = StreetTotal(0, 0, 0)
    assert found.streets == (StreetTotal(4, 3, 1.75), nothing, nothing, nothing)
    assert (found.num_asked, found.is_stopped) == (4, False)
    assert Review((), 0).lost_bb_per_100 is None


def test_progress_and_stopping():
    told = []
    found = review_hands(
        hands(5),
        Told(dict.fromkeys("01234", 0.0)),
        progress=lambda done, count: told.append((done, count)),
        stopping=lambda: len(told) > 2,
    )
    assert (len(found.hands), found.num_asked, found.is_stopped) == (2, 5, True)
    assert told == [(0, 5), (1, 5), (2, 5)]


def test_what_breaks_is_said_of_that_hand(reviewer, monkeypatch):
    def broken(*args):
        raise RuntimeError("no luck")

    monkeypatch.setattr(reviewer.stored, "decide", broken)
    found = review_hands(hands(2), reviewer)
    assert [hand.problem for hand in found.hands] == ["RuntimeError: no luck"] * 2
    assert found.problems == {"RuntimeError: no luck": 2}
    assert found.lost_bb_per_100 is None
    unknown = HandToReview("9", ps.PokerHand.start(10).played("SBf"), SB)
    assert "not known" in reviewer.review(unknown).problem


def test_a_flop_that_is_solved_has_evs(monkeypatch):
    monkeypatch.setattr(reviewing, "TOO_EARLY_PCT", math.inf)  # two seconds may be few
    line = "SBc BBx | QsQh2h x x"
    asked = to_review(10, "AhKh", "QdQc", line, SB)
    found = Reviewer(["hu_10"], flop_seconds=2).review(asked)
    flop = found.decisions[-1]
    assert flop.source == "solved"
    assert math.isfinite(flop.ev_bb["x"])
    assert flop.ev_bb["x"] > 0.5 * flop.pot_bb


@pytest.mark.parametrize("number", range(5))
def test_whatever_was_played_is_reviewed(reviewer, number):
    cards, rng = deal(11, number), np.random.default_rng(number)
    hand = cards.fall(cards.start(float(rng.choice([3.2, 12, 33, 70, 180]))))
    while not hand.is_over:
        mix = ps.RandomAmounts().decide(hand, cards.holes[hand.actor]).mix
        token = str(rng.choice([*mix], p=[*mix.values()]))
        hand = cards.fall(hand.act("c" if token == "f" and rng.random() < 0.8 else token))
    hand = hand.with_holes(*cards.holes)
    for seat in (BB, SB):
        found = reviewer.review(HandToReview("1", hand, seat))
        assert not found.problem
        acted = [before for before, _ in hand.steps() if before.actor == seat]
        assert len(found.decisions) == len(acted)
        for one in found.decisions:
            assert (one.lost_bb is None) == bool(one.why)
            assert one.lost_bb is None or one.lost_bb >= 0
            assert sum(one.mix.values()) == pytest.approx(1, abs=1e-3)
