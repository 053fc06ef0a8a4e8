"""A player's day, points 13 and 14: both players' hands, filters, and files from the prompt."""

import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

import poker_solver as ps
from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.cli.prompt import run as run_prompt
from poker_solver.cli.prompt import show_paged
from poker_solver.errors import InputError
from poker_solver.explore.shown import ShowGroups, ShowPicked, ShowRange
from poker_solver.query.filters import Filter, parse_filter
from poker_solver.query.made_hands import DRAWS, MADE
from tests.support.solved import solved

TURN = solved("turn_example")


def session(line: str = "", **more) -> InteractiveSession:
    return InteractiveSession(TURN, line.split(), **more)


def test_the_player_not_to_act_has_everything_too() -> None:
    walk = session("x b120")
    groups = walk.answer("o made")
    assert isinstance(groups, ShowGroups)
    assert groups.player == "IP"
    total = sum(group.num_combos for group in groups.groups)
    assert total == pytest.approx(walk.view.opponent.num_combos, abs=0.02)
    shown = walk.answer("ip ev")
    assert isinstance(shown, ShowRange)
    assert (shown.player.name, shown.look) == ("IP", "ev")
    page = walk.handle("ip eq").text.plain
    assert "EQR" in page
    assert "Equity in %" in page
    assert "IP" in walk.handle("o draws").text.plain.splitlines()[0]
    assert len(walk.handle("ip AQs").text.plain.splitlines()) > 1
    walk.handle("c")
    assert isinstance(walk.answer("oop made"), ShowGroups)
    assert "say whose hands" in walk.handle("made").text.plain.replace("\n", " ")


def test_realised_equity_is_ev_over_the_fair_share() -> None:
    view = session("x b120").view
    for player in view.players:
        want = player.ev_chips / (player.equity * 320)
        assert view.realised(player) == pytest.approx(want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("made flush-draw", Filter(("flush draw",))),
        ("made top pair, set", Filter(("top pair", "set"))),
        ("draws gut", Filter(("gutshot",))),
        ("has Ks", Filter((), ("Ks",))),
        ("has ks, A", Filter((), ("Ks", "A"))),
        ("eq 40-60", Filter((), (), (0.4, 0.6))),
        ("eq 60+", Filter((), (), (0.6, 1.0))),
        ("has Ad made overpair eq -50%", Filter(("overpair",), ("Ad",), (0.0, 0.5))),
    ],
)
def test_filters_are_read(text: str, want: Filter) -> None:
    assert parse_filter(text) == want


@given(st.text("madehsq KsAc,-40%+ ", max_size=24))
def test_any_text_is_a_filter_or_an_input_error(text: str) -> None:
    with suppress(InputError):
        assert isinstance(parse_filter(text), Filter)


def test_filters_pick_exactly_the_hands_they_name() -> None:
    walk = session("x b120")
    picked = walk.answer("has Kd eq 40-60")
    assert isinstance(picked, ShowPicked)
    here = [hand for hand in walk.view.combos if hand.is_here]
    want = [h.name for h in here if "Kd" in (h.name[:2], h.name[2:]) and 0.4 <= h.equity <= 0.6]
    assert [hand.name for hand in picked.hands] == want
    assert picked.together.num_combos == pytest.approx(sum(h.num_combos for h in picked.hands))
    groups = walk.answer("made")
    assert isinstance(groups, ShowGroups)
    for group in groups.groups:
        one = walk.answer(f"made {group.name}")
        assert isinstance(one, ShowPicked)
        assert one.together.num_combos == pytest.approx(group.num_combos)
        assert one.together.mix.frequency == pytest.approx(group.mix.frequency)
    assert "has no such hand" in walk.handle("has Td").text.plain
    assert "is none of" in walk.handle("made nonsense").text.plain


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_what_a_filter_shows_fits(width: int) -> None:
    walk = session("x b120", width=width)
    for name in (*MADE, *DRAWS):
        text = walk.handle(f"made {name}").text.plain
        assert max(map(len, text.splitlines())) <= width


def test_files_from_the_prompt(tmp_path: Path) -> None:
    walk = session("x b120")
    for name in ("node.csv", "node.json", "node.parquet", "node.png"):
        path = tmp_path / name
        assert "wrote" in walk.handle(f"export {path}").text.plain
        assert path.stat().st_size > 1000
    assert "wrote" in walk.handle(f"png {tmp_path / 'b'}").text.plain
    assert (tmp_path / "b.png").read_bytes()[:4] == b"\x89PNG"
    said = walk.handle("export node.doc").text.plain
    assert ".csv, .json, .parquet or .png" in said
    assert "cannot" in walk.handle("export /nowhere/node.csv").text.plain
    walk.handle("c")
    walk.handle("runouts")
    walk.handle(f"export {tmp_path / 'cards.csv'}")
    assert len((tmp_path / "cards.csv").read_text().splitlines()) == 49
    said = walk.handle(f"save {tmp_path / 'again.pks'}").text.plain
    assert "MB" in said or "kB" in said
    assert ps.Solution.load(tmp_path / "again.pks").iterations == TURN.iterations
    assert "export wants the name of a file" in walk.handle("export").text.plain


def test_exploit_from_the_prompt() -> None:
    walk = session()
    text = walk.handle("exploit ip 5").text.plain
    assert "IP's best response to OOP" in text
    assert "245 more hands; exploit ip 50 shows more" in text
    assert "exploit wants a player" in walk.handle("exploit utg").text.plain


def test_lock_solves_again_and_unlock_takes_it_away() -> None:
    walk = session("b120")
    before = walk.view.players[0].ev_chips
    said = walk.handle("lock f:0.6,c:0.4").text.plain
    assert "solved again to" in said
    assert walk.view.line == "b120"
    assert walk.view.num_locked == len(walk.view.combos)
    assert walk.view.totals[0].share == pytest.approx(0.6, abs=1e-3)
    walk.handle("start")
    assert walk.view.players[0].ev_chips > 120
    walk.handle("b120")
    assert "solved again" in walk.handle("unlock").text.plain
    assert walk.view.num_locked == 0
    assert walk.view.players[0].ev_chips == pytest.approx(before, abs=4)
    assert "nothing is locked here" in walk.handle("unlock").text.plain
    assert "'z' is no action" in walk.handle("lock z:1").text.plain


def paged(monkeypatch: pytest.MonkeyPatch, text: Text, answers: str, height: int = 12) -> str:
    """What a screen of so many lines shows, given what is typed between its pages."""
    typed = iter(answers)
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    out = io.StringIO()
    show_paged(Console(file=out, width=100, height=height), text)
    return out.getvalue()


def test_a_long_table_stops_at_each_screen_and_keeps_its_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = session("x x").handle("runouts").text
    shown = paged(monkeypatch, text, " " * 40)
    rows = [line for line in text.plain.splitlines() if line.strip()]
    for row in rows:
        assert row.rstrip() in shown
    assert shown.count("card  OOP eq") >= 48 // 10  # on every screen of that table
    short = paged(monkeypatch, text, "q")
    assert len(short.splitlines()) == 10
    few = Text("one\ntwo\n")
    assert paged(monkeypatch, few, "") == "one\ntwo\n"


def test_what_is_typed_in_place_of_going_on_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, asked = iter(["runouts", "made", "q"]), []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    monkeypatch.setattr("builtins.input", typed)
    out = io.StringIO()
    run_prompt(session("x x"), Console(file=out, width=100, height=12))
    assert next(lines, None) is None
    assert "nobody acts here" in out.getvalue()
    assert sum("more line" in prompt for prompt in asked) >= 1
    long = Text("\n".join(f"row {n}" for n in range(11)))
    asked.clear()
    lines = iter(["q"])
    show_paged(Console(file=out, width=100, height=12), long)
    assert asked == ["-- 1 more line: Enter goes on, q stops -- "]
