"""A player is told events, answers with reasons, never breaks, and reviews hands."""

import gc
import logging

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.play.find import warm_up
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import check_or_fold, sound_mix


class Broken:
    name = "broken"

    def decide(self, hand, combo):
        raise RuntimeError("lost\nits head")

    def whole_range(self, hand):
        raise RuntimeError


class Cheat(Broken):
    def decide(self, hand, combo):
        return ps.HandMix({"r1.1": 1.0}, "rule")


class Known(Broken):
    def decide(self, hand, combo):
        mix = {"f": 0.25, "c": 0.5, "r3": 0.25}
        return ps.HandMix(mix, "search", {"f": 0.0, "c": 40.0, "r3": 25.0})


def test_a_hand_from_blinds_to_river():
    player = ps.Player(ps.AlwaysCall(), seed=1)
    player.start("BB", "AhKh", stack_bb=20)
    assert not player.is_my_turn
    player.tell("r2.5")
    answer = player.act()
    assert (answer.action, answer.mix, answer.source) == ("c", {"c": 1.0}, "rule")
    for event in ("c", "QsJh2h", "x", "b375", "c", "7d", "x", "x", "As"):
        player.tell(event)
    assert player.is_my_turn
    assert player.advise().action == "x"


@pytest.mark.parametrize(("strategy", "why"), [(Broken(), "lost its head"), (Cheat(), "r1.1")])
def test_what_breaks_inside_checks_or_folds_and_says_why(strategy, why, caplog):
    player = ps.Player(strategy)
    player.start("SB", "7c2d", stack_bb=50)
    with caplog.at_level(logging.WARNING):
        answer = player.act()
    assert (answer.action, answer.source) == ("f", "fallback")
    assert why in player.problems[-1]
    assert why in caplog.text
    player.tell("c")
    player.tell("x")
    player.tell("QsJh2h")
    player.tell("x")
    assert player.act().action == "x"


def test_an_event_that_cannot_be_leaves_the_hand_as_it_was():
    player = ps.Player(ps.AlwaysFold())
    with pytest.raises(ps.InputError, match="no hand has begun"):
        player.tell("c")
    player.start("SB", "7c2d")
    for event in ("r1.5", "QsJh2h", "b100", "rabbit", "r.", "x"):
        with pytest.raises(ps.InputError):
            player.tell(event)
    assert str(player.hand) == "100bb"
    player.tell("c")
    with pytest.raises(ps.InputError, match="not SB's turn"):
        player.act()
    with pytest.raises(ps.InputError, match="7c: dealt twice"):
        player.tell_line("SBc BBx | 7cJh2h")


def test_actions_are_drawn_as_often_as_the_mix_says():
    player = ps.Player(Known(), seed=5)
    player.start("SB", "AhKh")
    drawn = [player.act().action for _ in range(2000)]
    shares = [drawn.count(token) / 2000 for token in ("f", "c", "r3")]
    assert np.abs(np.array(shares) - [0.25, 0.5, 0.25]).max() < 0.04
    answer = player.advise()
    assert (answer.action, answer.ev_chips["c"]) == ("c", 40.0)


def test_a_review_says_what_was_lost():
    hand = PokerHand.start(100, "2c2d", "AhKh").played("SBr2.5 BBc")
    (found,) = ps.Player(Known()).review(hand, "SB")
    assert (found.played, found.nearest, found.ev_lost_chips) == ("r2.5", "r3", 15.0)
    assert found.frequency == 0.25
    with pytest.raises(ps.InputError, match="not known"):
        ps.Player(Known()).review(hand.seen_by(0), "SB")


def test_a_slow_answer_is_logged():
    player = ps.Player(ps.AlwaysCall(), budget_ms=0)
    player.start("SB", "AhKh")
    player.act()
    assert "had 0" in player.problems[-1]


def test_no_answer_waits_for_the_garbage_collector_to_walk_what_was_loaded():
    loaded: list[object] = [[]]
    try:
        warm_up(ps.AlwaysCall())
        assert gc.get_freeze_count() > 0
        assert not any(one is loaded for one in gc.get_objects())
    finally:
        gc.unfreeze()


def test_two_tokens_of_one_action_are_one():
    hand = PokerHand.start(10)
    assert sound_mix(hand, {"r10": 0.5, "a": 0.5}) == {"a": 1.0}
    with pytest.raises(ps.StrategyError, match=r"sum to 0\.9"):
        sound_mix(hand, {"f": 0.9})
    assert check_or_fold(hand.played("SBc"), "so").mix == {"x": 1.0}
