"""A session without a terminal: text in, plain values out."""

import subprocess
import sys

import pytest

from poker_solver.explore.postflop import ExploredSpot
from poker_solver.explore.session import Session
from poker_solver.explore.shown import (
    Say,
    ShowGroups,
    ShowHands,
    ShowHelp,
    ShowNode,
    ShowRange,
    ShowRunouts,
)
from tests.support.solved import solved
from tests.support.views import InventedSource


def preflop(*history: str) -> Session:
    return Session(InventedSource(), history)


def spot(line: str = "") -> Session:
    return Session(ExploredSpot(solved("turn_example")), line.split())


def test_a_step_shows_the_node_it_leads_to() -> None:
    walk = preflop()
    shown = walk.answer("r2.5")
    assert isinstance(shown, ShowNode)
    assert shown.view == walk.view
    assert (shown.view.line, shown.view.player, walk.prompt) == ("SBr2.5", "BB", "BB> ")
    assert isinstance(walk.answer("start r2.5 r6"), ShowNode)
    assert walk.view.history == ("r2.5", "r6")


def test_a_hand_is_shown_as_classes_before_the_flop_and_as_combos_after_it() -> None:
    shown = preflop().answer("AK")
    assert isinstance(shown, ShowHands)
    assert [hand.name for hand in shown.hands] == ["AKs", "AKo"]
    shown = spot("x b120").answer("AKs")
    assert isinstance(shown, ShowHands)
    assert [hand.name for hand in shown.hands] == ["AcKc", "AdKd", "AhKh", "AsKs"]
    shown = spot("x b120").answer("KhAh")
    assert isinstance(shown, ShowHands)
    assert [hand.name for hand in shown.hands] == ["AhKh"]


def test_a_combo_in_hand_leaves_the_other_range() -> None:
    walk = preflop("r2.5")
    walk.answer("AcKh")
    assert walk.prompt == "BB [BB holds AcKh]> "
    shown = walk.answer("o")
    assert isinstance(shown, ShowRange)
    assert (shown.player.name, shown.player.num_dealt) == ("SB", 1225)
    walk.answer("-")
    assert walk.view.opponent.num_dealt == 1326


@pytest.mark.parametrize(("typed", "name"), [("o", "IP"), ("oop", "OOP"), ("ip", "IP")])
def test_ranges_of_a_spot(typed: str, name: str) -> None:
    shown = spot("x b120").answer(typed)
    assert isinstance(shown, ShowRange)
    assert shown.player.name == name


def test_groups_and_runouts_of_a_spot() -> None:
    walk = spot("x b120")
    shown = walk.answer("made")
    assert isinstance(shown, ShowGroups)
    total = sum(group.num_combos for group in shown.groups)
    assert total == pytest.approx(walk.view.acting.num_combos, abs=0.01)
    assert isinstance(walk.answer("runouts"), Say)
    walk.answer("start x x")
    rows = walk.answer("r")
    assert isinstance(rows, ShowRunouts)
    assert len(rows.found.rows) == 48


def test_the_look_stays_until_another_is_asked_for() -> None:
    walk = spot()
    for typed, look in (
        ("ev", "ev"),
        ("x", "ev"),
        ("eq", "equity"),
        ("", "equity"),
        ("s", "strategy"),
    ):
        shown = walk.answer(typed)
        assert isinstance(shown, ShowNode)
        assert shown.look == look


def test_words_of_one_game_are_unknown_to_the_other() -> None:
    assert isinstance(preflop().answer("runouts"), Say)
    assert isinstance(preflop().answer("ev"), Say)
    assert isinstance(spot().answer("sb"), Say)
    assert preflop().answer("?") == ShowHelp("preflop")
    assert spot().answer("help") == ShowHelp("postflop")
    assert spot().answer("q") is None


def test_where_nobody_acts_there_is_no_hand_to_look_at() -> None:
    for typed in ("AKs", "made", "o"):
        shown = spot("x x").answer(typed)
        assert isinstance(shown, Say)
        assert shown.text.startswith("nobody ")
    assert spot("x x").prompt == "deal> "
    assert preflop("a", "c").prompt == "end> "


def test_a_session_needs_no_terminal() -> None:
    code = (
        "import sys, poker_solver.explore.session, poker_solver.explore.input; "
        "print([m for m in sys.modules if m.split('.')[0] in ('rich', 'typer', 'matplotlib')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
