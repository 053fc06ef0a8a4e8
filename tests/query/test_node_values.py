"""Nodes as plain values: mixes, totals, card removal."""

import math
from dataclasses import replace

import pytest

from poker_solver.cards import CLASS_SIZE, HAND_NAMES
from poker_solver.errors import InputError
from poker_solver.query.node import (
    ActionDistribution,
    ActionKind,
    HandView,
    NodeView,
    action_kind,
    action_words,
    strength,
)
from tests.support.views import InventedSource


def mix(**frequency: float) -> ActionDistribution:
    names = {name.replace("_", "."): p for name, p in frequency.items()}
    return ActionDistribution(tuple(names), tuple(names.values()))


def test_raises_count_as_one_kind() -> None:
    both = mix(f=0.1, c=0.35, r2_5=0.3, r3=0.25)
    letter, share = both.dominant
    assert (letter, round(share, 12)) == ("r", 0.55)


def test_all_in_is_not_a_raise() -> None:
    assert mix(c=0.4, r3=0.3, a=0.3).dominant == ("c", 0.4)


def test_a_check_keeps_its_letter_and_counts_as_a_call() -> None:
    checks = mix(x=1.0, r3=0.0)
    assert checks.dominant == ("x", 1.0)
    assert action_kind(checks.dominant[0]) is ActionKind.CALL


def test_of_equals_the_first_dominates() -> None:
    assert mix(f=0.5, a=0.5).dominant[0] == "f"


@pytest.mark.parametrize(
    ("actions", "frequency", "why"),
    [
        (("f", "c"), (1.0,), "1 frequencies for 2 actions"),
        (("f", "c"), (0.5, 0.4), "sum to 1"),
        (("f", "c"), (1.5, -0.5), "must be positive"),
    ],
)
def test_a_mix_that_is_none_is_refused(
    actions: tuple[str, ...], frequency: tuple[float, ...], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        ActionDistribution(actions, frequency)


@pytest.mark.parametrize(
    ("share", "how"),
    [(1.0, "pure"), (0.85, "pure"), (0.8499, "mostly"), (0.60, "mostly"), (0.5999, "mixed")],
)
def test_bright_from_85_and_dim_from_60_per_cent(share: float, how: str) -> None:
    assert strength(share) == how


def test_words_of_actions() -> None:
    assert [action_words(a) for a in ("f", "c", "x", "r2.5", "a")] == [
        "fold", "call", "check", "raise 2.5", "all-in",
    ]  # fmt: skip
    assert action_kind("r2.5") is ActionKind.RAISE
    with pytest.raises(InputError, match="action 'z'"):
        action_kind("z")


def test_class_sizes_are_those_of_the_deck() -> None:
    sizes = zip(HAND_NAMES, CLASS_SIZE.tolist(), strict=True)
    assert all(hand(name, size, 1.0).part == 1 for name, size in sizes)


def hand(name: str, dealt: int, reach: float) -> HandView:
    return HandView(name, dealt, reach, share=0.0, ev_chips=0.0, equity=0.5)


def test_known_cards_leave_1225_combos_of_the_other_range() -> None:
    view = InventedSource().view(())
    known = view.holding(view.actor or 0, "AcKh")
    assert known.acting.num_dealt == 1326
    assert known.opponent.blocked_by == "AcKh"
    assert sum(hand.share for hand in known.opponent.hands) == pytest.approx(1)
    left = {hand.name: hand.num_dealt for hand in known.opponent.hands}
    assert sum(left.values()) == 1225
    assert (left["AA"], left["KK"], left["QQ"]) == (3, 3, 6)
    assert (left["AKs"], left["AQs"], left["KQs"], left["QJs"]) == (2, 3, 3, 4)
    assert (left["AKo"], left["AQo"], left["KQo"], left["QJo"]) == (7, 9, 9, 12)


def test_part_of_a_class_is_of_the_combos_that_no_card_blocks() -> None:
    assert hand("AKo", 12, 0.5).part == 0.5
    assert hand("AKo", 7, 0.5).part == pytest.approx(7 / 24)  # five suits are not in the range
    assert replace(hand("AKo", 7, 0.5), num_live=7).part == 0.5  # five are blocked
    assert replace(hand("AKo", 0, 0.0), num_live=0).part == 0.0
    assert not hand("AKo", 12, 0.0004).is_here
    assert not hand("AKo", 0, 1.0).is_here


def test_totals_are_over_the_deals_that_get_here() -> None:
    view = InventedSource().view(("r2.5", "r6"))
    assert sum(total.num_combos for total in view.totals) == pytest.approx(view.acting.num_combos)
    assert sum(total.share for total in view.totals) == pytest.approx(1)
    assert view.acting.num_dealt == 1326
    first = replace(view.hands[0], share=3.0)  # as if it met three times as many hands as all
    hands = (first, *(replace(hand, share=1 / 168) for hand in view.hands[1:]))
    weighted = with_hands(view, hands)
    rest = sum(hand.mix.frequency[0] for hand in hands[1:]) / 168
    share = (3 * first.mix.frequency[0] + rest) / 4
    assert weighted.totals[0].share == pytest.approx(share)
    assert weighted.totals[0].num_combos == view.totals[0].num_combos


def with_hands(view: NodeView, hands: tuple[HandView, ...]) -> NodeView:
    acting = replace(view.acting, hands=hands)
    other = view.opponent
    return replace(view, players=(acting, other) if view.actor == 0 else (other, acting))


def test_nobody_here_has_no_shares() -> None:
    view = InventedSource().view(())
    gone = with_hands(view, tuple(replace(h, reach=0.0, share=0.0) for h in view.hands))
    assert all(math.isnan(total.share) and total.num_combos == 0 for total in gone.totals)


def test_where_nobody_acts_there_is_nobody_to_ask_for() -> None:
    view = InventedSource().view(("a", "c"))
    assert (view.player, view.actions, view.hands, view.combos, view.totals) == ("", (), (), (), ())
    with pytest.raises(InputError, match="nobody acts after 'SBa BBc'"):
        _ = view.acting


def test_money_is_in_bb_where_there_is_a_big_blind() -> None:
    view = InventedSource().view(())
    assert (view.pot_chips, view.facts.money(view.pot_chips)) == (150, 1.5)
    assert replace(view.facts, chips_per_bb=None).money(150) == 150
