"""Text of PokerStars and GGPoker, whole and damaged."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import poker_solver as ps
from poker_solver.games.betting import BB, SB
from tests.support.histories import GG, STARS, TOURNAMENT


def one(text):
    found = ps.read_histories(text)
    assert not found.skipped
    (hand,) = found.hands
    return hand


def why(text):
    found = ps.read_histories(text)
    assert not found.hands
    (skipped,) = found.skipped
    return skipped.why


def test_a_cash_hand_with_an_awkward_name():
    hand = one(STARS)
    record = hand.history
    assert (record.site, record.hand_id, record.is_tournament) == (
        "PokerStars", "230000000001", False,
    )  # fmt: skip
    assert (record.stakes, record.currency, record.button) == ("$0.50/$1.00", "$", 1)
    assert hand.names == ("bob", "Ann: raises")
    assert (record.hero, hand.hero) == ("Ann: raises", SB)
    # 97.30 to 143: the smaller stack counts, and the turn raise to 84.30 is all of it
    assert str(hand.hand) == "97.3bb SBr3 BBc | QsJh2h x b400 r1000 c 7d b2000 a c 3c"
    assert hand.notes == ("stacks of 143 and 97.3 bb, the smaller counts",)
    assert hand.hand.is_shown
    assert hand.hand.won_chips(SB) == 9730
    ann, bob = record.players
    assert (ann.won, bob.won) == (Decimal("96.80"), Decimal("-97.30"))
    assert record.actions[0].amount == 3
    assert record.actions[-2].is_all_in
    (asked,) = hand.to_review()
    assert (asked.seat, asked.name) == (SB, "Ann: raises")
    (other,) = hand.to_review("bob")
    assert (other.seat, other.hand.holes[BB]) == (BB, hand.hand.holes[BB])
    assert hand.to_review("nobody") == ()


def test_a_tournament_hand_of_two_who_are_dealt_in():
    hand = one(TOURNAMENT)
    assert hand.history.is_tournament
    assert str(hand.hand) == "10bb SBr3 BBf"
    assert [player.won for player in hand.history.players] == [-50, 50]
    assert hand.hand.holes[BB] is None


def test_ggpoker():
    hand = one(GG)
    assert (hand.history.site, hand.history.hand_id) == ("GGPoker", "HD2258209222")
    assert hand.history.players[0].stack == Decimal("1204.57")
    assert str(hand.hand) == "100bb SBc BBx | Ks8d5h x b140 f"
    assert hand.hero == BB
    assert hand.notes[0] == "the small blind was 0.4 bb, played as 0.5 bb"


def test_files_of_several_hands_with_marks_and_other_line_ends():
    text = "\ufeff" + "\n\n\n".join([STARS, "\ufeff" + GG, TOURNAMENT])
    for given_text in (text, text.replace("\n", "\r\n"), text.encode(), text.encode("utf-16")):
        found = ps.read_histories(given_text)
        assert [hand.history.hand_id for hand in found.hands] == [
            "230000000001", "HD2258209222", "230000000002",
        ]  # fmt: skip


@pytest.mark.parametrize("sign", ["€", "£", "¥", ""])
def test_any_currency(sign):
    assert str(one(GG.replace("$", sign)).hand) == str(one(GG).hand)


def test_a_board_that_is_run_twice_counts_once():
    twice = STARS.replace("*** RIVER *** [Qs", "*** FIRST RIVER *** [Qs").replace(
        "*** SHOW DOWN", "*** SECOND RIVER *** [Qs Jh 2h 7d] [9c]\n*** SHOW DOWN"
    )
    assert str(one(twice).hand) == str(one(STARS).hand)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Hold'em No Limit", "Omaha Pot Limit", "another game"),
        ("is sitting out", "", "3 players were dealt in, want 2"),
        ("Ann: posts small", "Ann: posts the ante 5\nAnn: posts small", "ante posted"),
        ("Ann: posts small", "bob: posts straddle 100\nAnn: posts small", "straddle posted"),
        ("Ann: posts small", "Ann: posts button 50\nAnn: posts small", "posts button 50"),
        ("bob: posts big blind 50", "", "0 players posted the big blind"),
        ("big blind 50", "big blind 30 and is all-in", "posted was 30, want 50"),
        ("(25/50)", "(15/50)", "posted was 25, want 15"),
        ("raises 100 to 150", "raises 20 to 70", "below the minimum"),
        ("raises 100 to 150", "raises 100", "not to what"),
        ("raises 100 to 150", "raises 1,00 to 1,50", "amount '1,50'"),
        ("bob: folds", "Ann: folds", "Ann folds out of turn"),
        ("bob: folds", "bob: calls 100\nbob: checks", "where nobody is to act"),
        ("[7d 2c]", "[7d 7d]", "7d is there twice"),
        ("[7d 2c]", "[7d Xc]", "not a rank"),
        ("bob (500", "bob (60", "a stack of 1.2 bb"),
    ],
)
def test_what_the_rules_do_not_know_is_left_out_with_a_reason(old, new, reason):
    damaged = TOURNAMENT.replace(old, new)
    assert damaged != TOURNAMENT
    assert reason in why(damaged)
    both = ps.read_histories(damaged + "\n\n" + STARS)
    assert (len(both.hands), len(both.skipped)) == (1, 1)
    assert [*both.reasons.values()] == [1]


def test_a_board_that_cannot_be_is_left_out():
    assert "5 cards at the turn" in why(STARS.replace("[Qs Jh 2h] [7d]", "[Qs Jh 2h 7d] [8d]"))
    assert "dealt twice" in why(STARS.replace("[Qs Jh 2h", "[Qd Jh 2h"))


def test_a_smallest_raise_that_rounds_below_itself_is_taken():
    # 3 cents to the big blind: a raise to 6 and one to 10 come to 200 and 333 chips of 100 to it,
    # a bet of 7 to 233, and the least raise over it, to 14, to 467 where 466 would be exact
    text = GG.replace("$0.02/$0.05", "$0.015/$0.03").replace(
        "small blind $0.02", "small blind $0.015"
    )
    text = text.replace("big blind $0.05", "big blind $0.03").replace("calls $0.03", "calls $0.015")
    text = text.replace("Hero: folds", "Hero: raises $0.07 to $0.14\n626f7725: folds")
    assert str(one(text).hand).endswith("x b233 r467 f")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "\0" * 100,
        "Mano n.o 123456789 de PokerStars: Hold'em No Limit",
        b"\xff\xfa\x00",
    ],
)
def test_what_is_no_history_is_refused_in_one_line(text):
    with pytest.raises(ps.InputError) as caught:
        ps.read_histories(text)
    assert "want PokerStars or GGPoker hands in English, or PHH" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_language_is_named():
    german = "PokerStars-Hand #230000000001: Hold'em No Limit (0,50 €/1,00 €)"
    with pytest.raises(ps.InputError, match="another language"):
        ps.read_histories(german)


def test_bounds():
    with pytest.raises(ps.InputError, match="5,000,001 bytes"):
        ps.read_histories("x" * 5_000_001)
    head = "Poker Hand #HD1: Omaha (1/2)\n"
    assert len(ps.read_histories(head * 10_000).skipped) == 10_000
    with pytest.raises(ps.InputError, match="more than 10,000 hands"):
        ps.read_histories(head * 10_001)
    assert "a line of 5," in why(TOURNAMENT + "x" * 5_000)
    assert "lines, want" in why(TOURNAMENT + "x\n" * 5_000)


LINES = STARS.splitlines()


@given(
    st.lists(
        st.tuples(st.integers(0, len(LINES) - 1), st.integers(0, len(LINES) - 1), st.text()),
        min_size=1,
        max_size=6,
    )
)
def test_damage_never_stops_the_other_hands(damage):
    lines = [*LINES]
    for place, source, text in damage:
        lines[place] = (LINES[source][: len(text)] + text) if len(text) % 2 else LINES[source]
    found = ps.read_histories("\n".join(lines) + "\n\n" + GG)
    assert str(found.hands[-1].hand) == "100bb SBc BBx | Ks8d5h x b140 f"
    assert all("\n" not in skipped.why for skipped in found.skipped)
