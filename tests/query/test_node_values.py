"""Nodes as plain values: mixes, totals, card removal."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import CLASS_SIZE, HAND_NAMES
from poker_solver.errors import InputError
from poker_solver.query import (
    ActionDistribution,
    ActionKind,
    HandView,
    NodeView,
    RangeHand,
    action_kind,
    action_words,
)
from poker_solver.query.node import class_size, strength
from poker_solver.query.removal import combos_left
from tests.support.views import InventedSource


def mix(**frequency: float) -> ActionDistribution:
    names = {name.replace("_", "."): p for name, p in frequency.items()}
    return ActionDistribution(tuple(names), tuple(names.values()))


def test_raises_count_as_one_kind() -> None:
    both = mix(f=0.1, c=0.35, r2_5=0.3, r3=0.25)
    assert both.share(ActionKind.RAISE) == pytest.approx(0.55)
    letter, share = both.dominant
    assert (letter, round(share, 12)) == ("r", 0.55)


def test_all_in_is_not_a_raise() -> None:
    assert mix(c=0.4, r3=0.3, a=0.3).dominant == ("c", 0.4)


def test_a_check_keeps_its_letter_and_counts_as_a_call() -> None:
    checks = mix(x=1.0, r3=0.0)
    assert checks.dominant == ("x", 1.0)
    assert checks.share(ActionKind.CALL) == 1.0


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
    assert [class_size(name) for name in HAND_NAMES] == CLASS_SIZE.tolist()


def test_removal_of_two_cards_leaves_1225_combos() -> None:
    left = dict(zip(HAND_NAMES, combos_left("AcKh"), strict=True))
    assert sum(left.values()) == 1225
    assert (left["AA"], left["KK"], left["QQ"]) == (3, 3, 6)
    assert (left["AKs"], left["AQs"], left["KQs"], left["QJs"]) == (2, 3, 3, 4)
    assert (left["AKo"], left["AQo"], left["KQo"], left["QJo"]) == (7, 9, 9, 12)


def test_share_of_a_class_counts_reach_and_blocked_combos() -> None:
    assert RangeHand("AKo", 7, 0.5).share == pytest.approx(7 / 24)
    assert not RangeHand("AKo", 12, 0.0004).is_here
    assert not RangeHand("AKo", 0, 1.0).is_here


def test_totals_are_of_the_combos_that_get_here() -> None:
    view = InventedSource().view(("r2.5", "r6"))
    assert isinstance(view, NodeView)
    assert sum(total.combos for total in view.totals) == pytest.approx(view.combos)
    assert sum(total.share for total in view.totals) == pytest.approx(1)
    assert view.own.combos == view.combos
    assert view.own.dealt == 1326


def test_nobody_here_has_no_shares() -> None:
    view = InventedSource().view(())
    assert isinstance(view, NodeView)
    hands = tuple(HandView(h.name, h.combos, 0.0, h.mix, h.ev_bb) for h in view.hands)
    gone = NodeView(
        view.facts, view.line, view.history, view.player, view.pot_bb, view.behind_bb, 0.0,
        view.actions, hands, view.opponent,
    )  # fmt: skip
    assert all(math.isnan(total.share) and total.combos == 0 for total in gone.totals)


@given(st.lists(st.floats(0.01, 1.0), min_size=2, max_size=5))
def test_mean_ev_lies_between_the_evs_and_forgets_what_is_not_played(weights: list[float]) -> None:
    total = sum(weights)
    actions = tuple(f"r{3 + i}" for i in range(len(weights)))
    played = ActionDistribution((*actions, "a"), (*(w / total for w in weights), 0.0))
    evs = tuple(float(i) for i in range(len(weights)))
    hand = HandView("AA", 6, 1.0, played, (*evs, math.nan))
    assert min(evs) - 1e-9 <= hand.mean_ev_bb <= max(evs) + 1e-9
