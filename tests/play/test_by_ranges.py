"""Matches valued by ranges: known answers, agreement with matches of single hands, Ctrl-C."""

import json

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.play.deals import deal
from poker_solver.play.equities import equities
from poker_solver.play.mix import RangeMix
from poker_solver.play.strength.by_ranges import RangeWalk
from poker_solver.play.strength.lbr import STREETS, Responder
from poker_solver.play.strength.lbr_by_ranges import RangeResponder
from poker_solver.runtime.interrupts import Interrupt
from tests.support.commands import run


class PushOrFold:
    """Goes all-in, or calls an all-in, with a first part of all combos, and folds the others."""

    def __init__(self, pushes: float, calls: float) -> None:
        self.name = f"push {pushes} call {calls}"
        self.pushes, self.calls = pushes, calls

    def decide(self, hand, combo):
        return self.whole_range(hand).of(combo)

    def whole_range(self, hand):
        plays = "c" if hand.line.tokens else "a"
        share = self.calls if hand.line.tokens else self.pushes
        first = np.arange(NUM_COMBOS) < share * NUM_COMBOS
        return RangeMix(("f", plays), np.stack([~first, first]).astype(np.float64), "rule")


class OneHand:
    """Checks and calls, but bets all-in on the river with one hand only."""

    name = "one hand"

    def __init__(self, combo: int) -> None:
        self.combo = combo

    def decide(self, hand, combo):
        return self.whole_range(hand).of(combo)

    def whole_range(self, hand):
        bets = np.zeros(NUM_COMBOS)
        if len(hand.board) == 5 and hand.legal.call == "x":
            bets[self.combo] = 1.0
            return RangeMix(("x", "a"), np.stack([1 - bets, bets]), "rule")
        return RangeMix((hand.legal.call,), 1 - bets[None], "rule")


class HighCards:
    """Limps, and from a street on goes all-in with the highest combos and calls with some more."""

    name = "high cards"

    def __init__(self, street: int, bets: int, calls: int) -> None:
        self.street, self.bets, self.calls = street, bets, calls

    def decide(self, hand, combo):
        return self.whole_range(hand).of(combo)

    def whole_range(self, hand):
        if hand.betting.street < self.street:
            return ps.AlwaysCall().whole_range(hand)
        is_facing = hand.to_call_chips > 0
        high = np.arange(NUM_COMBOS) >= (self.calls if is_facing else self.bets)
        actions = ("f", "c") if is_facing else ("x", "a")
        return RangeMix(actions, np.stack([~high, high]).astype(np.float64), "rule")


def test_always_fold_gives_up_half_a_small_blind():
    """It folds the small blind, and the other one limps and checks down, which is worth nothing."""
    found = ps.play_match_by_ranges(ps.AlwaysFold(), ps.AlwaysCall(), num_boards=4)
    np.testing.assert_allclose(found.chips, -25.0, rtol=1e-12)


def test_always_call_against_random_loses_what_is_folded_to_it():
    """Only the small blind is ever folded: one time in eight, half a big blind, one hand in two."""
    found = ps.play_match_by_ranges(ps.AlwaysCall(), ps.RandomAmounts(), num_boards=3, stack_bb=20)
    np.testing.assert_allclose(found.chips, 100 / 32, rtol=1e-9)


def test_all_ins_before_the_flop_have_their_exact_equity_on_every_board():
    """By hand: sums over all pairs of hands, with the table of hands against hands."""
    loose, tight = PushOrFold(0.5, 0.3), PushOrFold(0.1, 0.6)
    found = ps.play_match_by_ranges(loose, tight, num_boards=2, stack_bb=10)

    def small_blind_wins(pushes, calls):
        total, met = 0.0, 0
        for combo in range(NUM_COMBOS):
            equity = equities(combo, ())
            free = ~np.isnan(equity)
            met += int(free.sum())
            if combo >= pushes * NUM_COMBOS:
                total -= 50 * free.sum()
                continue
            called = free & (np.arange(NUM_COMBOS) < calls * NUM_COMBOS)
            total += 1000 * (2 * equity[called] - 1).sum() + 100 * (free & ~called).sum()
        return total / met

    wins = (small_blind_wins(0.5, 0.6) - small_blind_wins(0.1, 0.3)) / 2
    np.testing.assert_allclose(found.chips, wins, rtol=1e-10)


def test_a_river_bet_of_one_hand_wins_what_it_shows_down_against_those_that_it_can_meet():
    """Called by all, the bet adds 19 bb to a showdown of the 990 hands without its cards."""
    cards = deal(7, 0).board
    free = [c for c in range(NUM_COMBOS) if not np.isnan(equities(c, cards)).all()]
    combo = next(c for c in free if np.nanmean(equities(c, cards)) > 0.9)
    found = ps.play_match_by_ranges(
        OneHand(combo), ps.AlwaysCall(), num_boards=1, stack_bb=20, seed=7
    )
    edge = np.nansum(2 * equities(combo, cards) - 1)
    # as BB it bets, as SB too after the other's check: both seats win alike
    assert found.chips[0] == pytest.approx(1900 * edge / (1081 * 990), rel=1e-9)


def test_a_strategy_against_itself_wins_exactly_nothing():
    stored = ps.StoredPolicy(ps.UnifiedSolution.load("hu_10"))
    found = ps.play_match_by_ranges(stored, stored, num_boards=2, stack_bb=10)
    assert found.chips == [0.0, 0.0]


LOOSE, TIGHT = HighCards(2, 700, 900), HighCards(1, 1200, 1100)
"""One bets on turn and river, the other from the flop on; both fold and call, all-in or not."""


def test_what_one_wins_the_other_loses():
    one, two = (
        ps.play_match_by_ranges(*pair, num_boards=2, stack_bb=10)
        for pair in ((LOOSE, TIGHT), (TIGHT, LOOSE))
    )
    assert one.chips == [-won for won in two.chips]
    assert one.chips[0] != 0


def test_it_agrees_with_the_match_of_single_hands():
    single = ps.play_match(LOOSE, TIGHT, num_hands=6000, stack_bb=10)
    found = ps.play_match_by_ranges(LOOSE, TIGHT, num_boards=30, stack_bb=10)
    gap = abs(found.won.mbb - single.raw.mbb)
    assert gap < 1.5 * (found.won.half_width_mbb + single.raw.half_width_mbb)
    assert found.won.sd_mbb < single.raw.sd_mbb / 5


def test_hands_without_a_whole_mix_are_refused():
    class Half(OneHand):
        def whole_range(self, hand):
            return RangeMix((hand.legal.call,), np.full((1, NUM_COMBOS), 0.5), "rule")

    with pytest.raises(ps.StrategyError, match=r"mixes sum to 0\.5"):
        ps.play_match_by_ranges(Half(0), ps.AlwaysCall(), num_boards=1)


def test_a_walk_asks_nobody_about_lines_that_nobody_takes():
    asked = []

    def folds(hand, _):
        asked.append(str(hand))
        return ps.AlwaysFold().whole_range(hand)

    calls = ps.AlwaysCall()
    walk = RangeWalk((folds, lambda hand, _: calls.whole_range(hand)), deal(0, 0).board)
    walk.won_chips(100)
    assert asked[0] == "100bb"
    assert not any("r" in line or "b1" in line for line in asked)


def test_a_stop_keeps_what_there_is():
    stop = Interrupt()

    def report(result):
        stop.requested = result.num_boards == 3

    found = ps.play_match_by_ranges(
        ps.AlwaysCall(), ps.AlwaysFold(), num_boards=100, report=report, stop=stop
    )
    assert (found.num_boards, found.stopped) == (3, "interrupted")


def test_local_best_response_wins_750_mbb_of_always_fold():
    found = ps.lbr_by_ranges(ps.AlwaysFold(), num_boards=2)
    np.testing.assert_allclose(found.chips, 75.0, rtol=1e-12)


def test_local_best_response_agrees_with_that_of_single_hands():
    call = ps.AlwaysCall()
    single = ps.local_best_response(call, num_hands=200, stack_bb=5, first_street="river")
    found = ps.lbr_by_ranges(call, num_boards=8, stack_bb=5, first_street="river")
    gap = abs(found.won.mbb - single.lost.mbb)
    assert gap < 1.5 * (found.won.half_width_mbb + single.lost.half_width_mbb)
    assert found.won.half_width_mbb < single.lost.half_width_mbb / 2


@pytest.mark.parametrize("street", ["preflop", "river"])
def test_local_best_response_plays_every_hand_as_it_does_that_hand(street):
    """Hand by hand against RandomAmounts: the same choice, from its real hand and from all."""
    player, first = ps.RandomAmounts(), STREETS.index(street)
    theirs = np.random.default_rng(3).random(NUM_COMBOS)
    for number in range(6):
        dealt = deal(5, number)
        hand = dealt.start(20).act("c").act("x")
        for _ in range(2):
            hand = dealt.fall(hand).act("x").act("x")
        hand = dealt.fall(hand)
        one = Responder(player, dealt, hand.actor, first, np.random.default_rng(0), theirs)
        token = one._respond(hand).line.tokens[-1]
        every = RangeResponder(player, first).answer(hand, theirs * unblocked(hand.board))
        assert every.of(dealt.holes[hand.actor]).mix[token] == 1.0


def test_the_commands(capsys):
    args = ("--hands", "3", "--by-ranges", "--json", "--quiet")
    code, out, err = run(capsys, "match", "fold", "call", *args)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["boards"], found["players"]) == (3, ["always-fold", "always-call"])
    assert found["mbb"]["mean"] == -250.0
    code, out, _ = run(capsys, "lbr", "fold", "--hands", "2", "--by-ranges", "--from", "preflop")
    assert code == 0
    assert "local best response wins +750.0 ± 0.0 mbb per hand of always-fold: 2 boards" in out


@pytest.mark.parametrize("command", [["match", "fold", "call"], ["lbr", "fold"]])
def test_several_stacks_are_refused_in_one_line(capsys, command):
    code, out, err = run(capsys, *command, "--by-ranges", "--stack", "5-9")
    assert (code, out) == (2, "")
    assert "stack '5-9': want one here" in err
    assert err.count("\n") == 1
