"""A walk through a full game: preflop, any flop, any turn and river, ranges and spots."""

from pathlib import Path

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import cards_from_string, unblocked
from poker_solver.explore.full_game import ExploredGame
from poker_solver.explore.session import Session
from poker_solver.explore.shown import (
    Say,
    ShowHands,
    ShowNode,
    ShowRange,
    ShowRunouts,
    ShowTexts,
)
from poker_solver.query.export import export_bytes
from poker_solver.query.ranges import range_text
from tests.support.full_games import small, solution_file


@pytest.fixture
def walk() -> Session:
    return Session(ExploredGame(small()))


def test_a_walk_from_the_blinds_to_the_river(walk: Session) -> None:
    steps = {
        "r2": ("SBr2", "BB> "),
        "c": ("SBr2 BBc", "flop> "),
        "ad Th 5s": ("SBr2 BBc | AdTh5s", "OOP> "),
        "x": ("SBr2 BBc | AdTh5s x", "IP> "),
        "check 7d": ("SBr2 BBc | AdTh5s x x 7d", "OOP> "),
        "x x 2c": ("SBr2 BBc | AdTh5s x x 7d x x 2c", "OOP> "),
        "b100%": ("SBr2 BBc | AdTh5s x x 7d x x 2c a", "IP> "),
        "f": ("SBr2 BBc | AdTh5s x x 7d x x 2c a f", "fold> "),
        "b": ("SBr2 BBc | AdTh5s x x 7d x x 2c a", "IP> "),
    }
    for typed, (line, prompt) in steps.items():
        shown = walk.answer(typed)
        assert isinstance(shown, ShowNode), shown
        assert (shown.view.line, walk.prompt) == (line, prompt)
    for _ in range(9):
        walk.answer("b")
    assert walk.view.line == "SBr2"
    assert walk.view.facts.full_game is not None
    assert walk.view.facts.full_game.is_certified


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("SBr2 BBc | QsJh2h x", "SBr2 BBc | QsJh2h x"),
        ("start r2 c QsJh2h x x 7d", "SBr2 BBc | QsJh2h x x 7d"),
        ("SBc BBx", "SBc BBx"),
        ("SBc", "SBc"),
        ("start", ""),
    ],
)
def test_jumps(walk: Session, typed: str, line: str) -> None:
    walk.answer("r2")
    assert isinstance(walk.answer(typed), ShowNode)
    assert walk.view.line == line


def test_what_is_refused_changes_nothing(walk: Session) -> None:
    walk.answer("r2")
    for typed, why in {
        "QsJh2h": "no flop is seen with chips behind after",
        "r33%": "not legal here; BB may play f, c",
        "7d": "no flop is seen",
        "runouts": "no card falls here",
        "spot flop.yaml": "a spot follows where the betting before the flop is over",
        "SBr2 BBc | QsJh": "want three cards",
        "SBr2 BBc | QsQs2h": "Qs is there twice",
        "qq7": "",
    }.items():
        shown = walk.answer(typed)
        assert isinstance(shown, Say), typed
        assert why in shown.text, (typed, shown.text)
        assert walk.view.line == "SBr2"
    walk.answer("c AdTh5s x x")
    shown = walk.answer("runouts")
    assert isinstance(shown, Say)
    assert "the turns are not solved" in shown.text


def test_a_flop_that_was_looked_up_can_be_solved(walk: Session) -> None:
    walk.answer("r2 c AcTs5h x")  # suits that no other test looks up
    assert np.isnan(walk.view.players[0].ev_chips)
    before = [total.share for total in walk.view.totals]
    shown = walk.answer("solve")
    assert isinstance(shown, ShowNode)
    assert shown.view == walk.view
    assert sum(player.ev_chips for player in walk.view.players) == pytest.approx(400, abs=0.01)
    assert [total.share for total in walk.view.totals] == pytest.approx(before, abs=0.1)
    walk.answer("x")
    assert isinstance(walk.answer("runouts"), ShowRunouts)
    walk.answer("start")
    assert isinstance(walk.answer("solve"), Say)


def test_hands_and_ranges_on_every_street(walk: Session) -> None:
    walk.answer("AcAh")
    assert walk.prompt == "SB [SB holds AcAh]> "
    walk.answer("r2 c AdTh5s")
    assert walk.prompt == "OOP> "
    shown = walk.answer("JTo")
    assert isinstance(shown, ShowHands)
    assert len(shown.hands) == 9  # twelve, less three with the ten of hearts
    shown = walk.answer("sb")
    assert isinstance(shown, ShowRange)
    assert shown.player.name == "IP"
    walk.answer("start")
    assert walk.prompt == "SB [SB holds AcAh]> "


def test_ranges_as_text_are_the_reach(walk: Session) -> None:
    walk.answer("r2 c")
    shown = walk.answer("ranges")
    assert isinstance(shown, ShowTexts)
    assert [name for name, _ in shown.texts] == ["BB", "SB"]
    for (_, text), exact in zip(shown.texts, small().range_texts("SBr2 BBc"), strict=True):
        np.testing.assert_allclose(ps.parse_range(text), ps.parse_range(exact), atol=5.1e-4)
    walk.answer("AdTh5s x")
    for player in walk.view.players:
        weights = ps.parse_range(range_text(player)) * unblocked(cards_from_string("AdTh5s"))
        assert weights.sum() == pytest.approx(player.num_combos, abs=0.01)


def test_a_spot_is_written(walk: Session, tmp_path: Path) -> None:
    walk.answer("r2 c AdTh5s x")
    path = tmp_path / "flop.yaml"
    shown = walk.answer(f"spot {path}")
    assert shown == Say(f"wrote {path}: SBr2 BBc | AdTh5s")
    assert ps.Spot.load(path) == small().spot("SBr2 BBc", "AdTh5s")
    assert isinstance(walk.answer("spot"), Say)
    assert walk.answer("spot small.pks") == Say(
        "small.pks must be a name that ends in .yaml or .yml"
    )


def test_nodes_on_every_street_are_exported() -> None:
    for line in ("SBr2", "SBr2 BBc | AdTh5s", "SBr2 BBc | AdTh5s x x 7d"):
        rows = export_bytes(small(), line, ".csv").decode().splitlines()
        assert line in rows[1]
        assert export_bytes(small(), line, ".json").startswith(b'{"config": "Small"')


def test_how_often_a_flop_is_seen_adds_up() -> None:
    """Of all deals that get to the end of a line, each real flop has its part."""
    game = ps.UnifiedSolution.load(solution_file())  # nothing was solved in it yet
    view = ps.node_view(game, "SBr2 BBc")
    flop = ps.node_view(game, "SBr2 BBc | AdTh5s")
    assert flop.reached == pytest.approx(view.reached / 22_100, rel=0.5)
    parts = [ps.node_view(game, f"SBr2 BBc | AdTh5s {a}").reached for a in ("x", "a")]
    assert sum(parts) == pytest.approx(flop.reached, rel=1e-2)
    assert np.isnan(ps.node_view(game, "SBr2 BBc | AdTh5s x").players[0].ev_chips)
