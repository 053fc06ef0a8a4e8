"""Hands taken together, by closed forms."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import combo_to_string, hand_name
from poker_solver.cards.classes import CLASS_COMBOS
from poker_solver.query.groups import by_class
from poker_solver.query.node import ActionDistribution, HandView

ACTIONS = ("x", "b60")
ACES = [combo_to_string(int(combo)) for combo in CLASS_COMBOS[0]]


def combo(name: str, share: float, checks: float, ev: float) -> HandView:
    mix = ActionDistribution(ACTIONS, (checks, 1 - checks))
    return HandView(name, 1, 0.5, share, ev, ev / 100, mix, (ev, 2 * ev))


def test_means_are_over_the_deals() -> None:
    first, second = combo(ACES[0], 0.3, 1.0, 10.0), combo(ACES[1], 0.1, 0.2, 50.0)
    aces = by_class([first, second], ACTIONS, "")[0]
    assert (aces.name, aces.num_dealt, aces.reach, aces.share) == ("AA", 2, 0.5, 0.4)
    assert aces.mix.frequency == pytest.approx((0.8, 0.2))  # (0.3 x 1 + 0.1 x 0.2) / 0.4
    assert aces.ev_chips == pytest.approx(20)
    assert aces.ev_actions_chips == pytest.approx((20, 40))
    assert aces.equity == pytest.approx(0.2)


def test_a_class_that_nobody_holds_mixes_evenly_and_has_no_ev() -> None:
    never = replace(combo(ACES[0], 0.0, 1.0, math.nan), reach=0.0)
    aces, kings = by_class([never], ACTIONS, "")[:2]
    assert (aces.num_dealt, kings.num_dealt) == (1, 0)
    for hand in (aces, kings):
        assert hand.mix.frequency == (0.5, 0.5)
        assert math.isnan(hand.ev_chips)
        assert all(map(math.isnan, hand.ev_actions_chips))


def test_hands_that_meet_nobody_play_what_they_would() -> None:
    first, second = combo(ACES[0], 0.0, 1.0, math.nan), combo(ACES[1], 0.0, 0.6, math.nan)
    aces = by_class([first, replace(second, reach=0.25)], ACTIONS, "")[0]
    assert aces.mix.frequency == pytest.approx((2.6 / 3, 0.4 / 3))  # by 0.5 and 0.25 combos
    assert (aces.share, math.isnan(aces.ev_chips)) == (0.0, True)


@given(st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6))
def test_a_mean_lies_between_what_it_is_a_mean_of(shares: list[float]) -> None:
    pairs = enumerate(zip(ACES, shares, strict=True))
    hands = [combo(name, share, 0.5, 10.0 * i) for i, (name, share) in pairs]
    aces = by_class(hands, ACTIONS, "")[0]
    assert 0 <= aces.ev_chips <= 50 + 1e-9
    assert aces.share == pytest.approx(sum(shares))


def test_all_classes_are_there_in_order() -> None:
    assert [hand.name for hand in by_class([], ACTIONS, "")] == [hand_name(i) for i in range(169)]


def test_a_class_is_whole_where_only_known_cards_are_missing() -> None:
    """Of kings on Ks three combos are left; of three suits of AK one is there."""
    kings = [replace(combo(name, 0.1, 1.0, 1.0), reach=1.0) for name in ("KhKd", "KhKc", "KdKc")]
    suited = replace(combo("AhKh", 0.1, 1.0, 1.0), reach=1.0)
    classes = {one.name: one for one in by_class([*kings, suited], ACTIONS, "Ks7h2d")}
    assert (classes["KK"].num_live, classes["KK"].part) == (3, 1.0)
    assert classes["AKs"].num_live == 3
    assert classes["AKs"].part == pytest.approx(1 / 3)
