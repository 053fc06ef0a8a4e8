"""PHH files, with pokerkit as the judge of what they mean."""

from decimal import Decimal

import numpy as np
import pytest
from pokerkit import HandHistory

import poker_solver as ps
from poker_solver.games.betting import BB, SB
from poker_solver.play.deals import deal
from poker_solver.play.simple import RandomAmounts
from tests.support.histories import PHH


def test_one_hand():
    (hand,) = ps.read_histories(PHH).hands
    assert (hand.history.site, hand.history.hand_id) == ("PHH", "77")
    assert hand.names == ("Ann", "bob")
    assert str(hand.hand) == "20bb SBr2.5 BBc | 2c3c4c x b300 r900 c 5d x x 9d a c"
    assert [seat.seat for seat in hand.to_review()] == [BB, SB]  # both were shown
    assert hand.history.actions[-1].is_all_in is False  # bob has 1,000 more


def test_several_hands_one_of_them_broken():
    text = "# all of a day\n" + "\n".join(
        f"[{number}]\n{PHH.replace('hand = 77', '')}" for number in (1, 2, 3)
    )
    broken = text.replace("[2]\n# a hand by hand\nvariant", "[2]\nthis is = = not TOML\nvariant")
    assert len(ps.read_histories(text).hands) == 3
    found = ps.read_histories(broken)
    assert [hand.history.hand_id for hand in found.hands] == ["1", "3"]
    assert found.skipped[0].hand_id == "2"
    assert found.skipped[0].why.startswith("not TOML")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"NT"', '"PO"', "variant 'PO', want NT"),
        ("antes = [0, 0]", "antes = [10, 10]", "ante posted"),
        ("antes = [0, 0]", "", "antes is missing"),
        ("[2000, 3000]", "[2000, 3000, 4000]", "3 players were dealt in"),
        ("[2000, 3000]", "[2000, inf]", "want a number, not negative"),
        ("[2000, 3000]", "[-1, 3000]", "want a number, not negative"),
        ("[50, 100]", "[0, 100]", "want a small and a big blind"),
        ("[50, 100]", "[10, 100]", "want the small one half of the big one"),
        ('"p1 cc"', '"p3 cc"', "player 'p3'"),
        ('"p1 cc"', '"p1 zz"', "action 'p1 zz' is not known"),
        ("d db 5d", "d db 5d6d7d", "6 cards on the board"),
        ("d db 5d", "d db 2c", "dealt twice"),
    ],
)
def test_what_cannot_be_used_says_why(old, new, why):
    found = ps.read_histories(PHH.replace(old, new))
    assert not found.hands
    assert why in found.skipped[0].why


def test_depth_without_end_is_refused():
    found = ps.read_histories("variant = " + "[" * 50_000)
    assert found.skipped[0].why.startswith("not TOML")


def phh_of(hand, holes):
    """A hand of ours as PHH: the first player is the big blind."""
    names, actions = {BB: "p1", SB: "p2"}, []
    from poker_solver.cards import combo_to_string

    for seat in (BB, SB):
        actions.append(f"d dh {names[seat]} {combo_to_string(holes[seat])}")
    for before, token in hand.steps():
        if before.actor < 0:
            actions.append(f"d db {token}")
        elif token in ("x", "c"):
            actions.append(f"{names[before.actor]} cc")
        elif token == "f":
            actions.append(f"{names[before.actor]} f")
        else:
            actions.append(f"{names[before.actor]} cbr {before.amount_of(token)}")
    if hand.is_shown:
        actions += [f"{names[s]} sm {combo_to_string(holes[s])}" for s in (BB, SB)]
    return (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n'
        f"starting_stacks = [{hand.stack_chips}, {hand.stack_chips}]\nactions = {actions}\n"
    )


@pytest.mark.parametrize("number", range(60))
def test_random_hands_come_back_and_pokerkit_pays_the_same(number):
    cards, rng = deal(7, number), np.random.default_rng(number)
    policy = RandomAmounts()
    hand = cards.fall(cards.start(float(rng.integers(5, 120))))
    while not hand.is_over:
        mix = policy.decide(hand, cards.holes[hand.actor]).mix
        token = rng.choice([*mix], p=[*mix.values()])
        hand = cards.fall(hand.act(str(token)))
    text = phh_of(hand, cards.holes)
    (read,) = ps.read_histories(text).hands
    assert read.hand == hand.with_holes(*cards.holes)
    *_, state = HandHistory.loads(text, automations=HandHistory.automations)
    assert state.stacks[0] - hand.stack_chips == read.hand.won_chips(BB)


def test_fractions_of_a_chip():
    text = PHH
    for old, new in (
        ("[50, 100]", "[0.5, 1.0]"), ("[2000, 3000]", "[20.0, 30.0]"), ("250", "2.5"),
        ("cbr 300", "cbr 3"), ("cbr 900", "cbr 9.0"), ("850", "8.5"), ("= 100", "= 1.0"),
    ):  # fmt: skip
        text = text.replace(old, new)
    (hand,) = ps.read_histories(text).hands
    assert hand.history.big_blind == Decimal("1.0")
    assert str(hand.hand) == "20bb SBr2.5 BBc | 2c3c4c x b300 r900 c 5d x x 9d a c"
