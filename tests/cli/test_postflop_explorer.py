"""The explorer of a solved spot: as text, as a command, and on a pseudo-terminal."""

import csv
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.postflop.solve.solver import PostflopSolver
from tests.support import commands
from tests.support.solved import solved
from tests.support.spots import named_spot
from tests.support.terminal import Terminal


def session(line: str = "", **more) -> InteractiveSession:
    return InteractiveSession(solved("turn_example"), line.split(), **more)


def test_the_page_says_where_we_are_and_what_is_played():
    page = session("x b120").page().plain
    assert "Td 9d 6h Qc · pot 320 · behind 900 and 780 · OOP to act" in page
    assert "line x b120" in page
    pct = solved("turn_example").exploitability_pct
    assert f"exploitability {pct:.2g} % of the starting pot" in page
    assert " C  call " in page
    assert page.splitlines()[6].startswith("AA  C ")


def test_actions_cards_back_and_start():
    walk = session()
    assert walk.prompt == "OOP> "
    walk.handle("check")
    walk.handle("x")
    assert walk.prompt == "deal> "
    assert "Pick the card" in walk.page().plain
    walk.handle("7S")
    assert (walk.view.line, walk.view.board) == ("x x 7s", "Td9d6hQc7s")
    walk.handle("b")
    assert walk.view.line == "x x"
    walk.handle("start b120 c 2d x")
    assert walk.view.line == "b120 c 2d x"
    walk.handle("start Bet 120 raise to 300 call")
    assert walk.view.line == "b120 r300 c"
    walk.handle("start")
    assert walk.view.line == ""
    assert "nothing to go back to" in walk.handle("b").text.plain


def test_the_looks_of_the_matrix():
    walk = session("x b120")
    ev = walk.handle("ev").text.plain
    assert "EV in chips out of the pot" in ev
    assert "-0.00" not in ev
    assert "Equity in %" in walk.handle("eq").text.plain
    assert "Equity in %" in walk.handle("").text.plain
    assert " C  call " in walk.handle("s").text.plain


def test_groups_ranges_hands_and_runouts():
    walk = session("x b120")
    made = walk.handle("made").text.plain
    assert made.startswith("made hand")
    assert "overpair" in made
    assert "flush draw" in walk.handle("draws").text.plain
    assert "IP's range after x b120" in walk.handle("o").text.plain
    assert "OOP's range" in walk.handle("oop").text.plain
    suited = walk.handle("AKs").text.plain
    assert [line[:4] for line in suited.splitlines()[1:]] == ["AcKc", "AdKd", "AhKh", "AsKs"]
    both = [line[:4] for line in walk.handle("AK").text.plain.splitlines()[1:]]
    assert (both[:4], len(both)) == (["AcKc", "AdKd", "AhKh", "AsKs"], 16)
    one = walk.handle("KhAh").text.plain
    assert "AhKh, OOP to act after x b120" in one
    assert "raise 300" in one
    assert "  fold " in one
    walk.handle("start x x")
    table = walk.handle("runouts").text.plain
    cards = table[table.index("\ncard ") :].splitlines()[2:]
    assert (len(cards), cards[0][:3]) == (48, "As ")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("b7", "the actions here are x, b120, b216, a"),
        ("7d", "no card is dealt here"),
        ("start x x Td", "already on the board"),
        ("runouts", "no card falls after ''"),
        ("72o", "72o is not in OOP's range here"),
        ("AhTd", "is not in OOP's range here"),
        ("banana", "neither an action"),
        ("made hands", "'hands' is none of straight flush, quads"),
        ("mabe", "did you mean made?"),
    ],
)
def test_a_wrong_input_says_why_and_changes_nothing(typed, said):
    walk = session()
    assert said in walk.handle(typed).text.plain
    assert walk.view.line == ""


@given(st.text(max_size=12))
@settings(max_examples=60, deadline=None)
def test_whatever_is_typed_gets_a_page_or_a_reason_and_leads_to_a_node(text):
    walk = session()
    reply = walk.handle(text)
    assert reply.text.plain or reply.done
    known = solved("turn_example").node(walk.view.line)
    assert (walk.view.board, walk.view.actions) == (known.board, known.actions)
    assert max(map(len, reply.text.plain.splitlines()), default=0) <= 80


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    walk = session("x b120", width=width)
    for typed in ("", "ev", "eq", "s", "made", "draws", "o", "AKs", "AhKh", "?"):
        lines = walk.handle(typed).text.plain.splitlines()
        assert max(map(len, lines)) <= width, typed


def test_completions():
    assert session().completions("b1") == ["b120"]
    assert session().completions("ru") == ["runouts"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "turn.pks"
    solved("turn_example").save(path)
    return str(path)


def run(capsys, *arguments):
    return commands.run(capsys, "explore", *arguments)


def test_explore_prints_the_node_where_there_is_no_terminal(capsys, saved):
    code, out, _ = run(capsys, saved, "--line", "x x 7s", "--view", "equity")
    assert code == 0
    assert "Td 9d 6h Qc 7s" in out
    assert "Equity in %" in out


def test_explore_exports_a_node(capsys, saved, tmp_path):
    path = tmp_path / "node.csv"
    code, _, err = run(capsys, saved, "--line", "x x 7s", "--export", str(path))
    assert (code, err) == (0, f"wrote {path}\n")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert {row["board"] for row in rows} == {"Td9d6hQc7s"}
    assert not any("7s" in row["hand"] for row in rows)
    run(capsys, saved, "--line", "x b120", "--export", str(path))
    folds = {row["ev_f"] for row in csv.DictReader(path.read_text().splitlines())}
    assert folds == {"0.000000"}


def test_a_checkpoint_opens_as_far_as_it_got_and_says_so(capsys, tmp_path):
    path, solver = tmp_path / "river.check", PostflopSolver(named_spot("river_example"), threads=1)
    found = solver.solve(None, max_iterations=30)
    solver.save(path)
    code, _, err = run(capsys, str(path), "--export", str(tmp_path / "node.json"))
    said = f"30 iterations, {found.exploitability_pct:.3g} % of pot\n"
    assert (code, err.splitlines(True)[0]) == (0, f"{path} is a checkpoint: {said}")
    node = json.loads((tmp_path / "node.json").read_text())
    assert node["frequency"] == pytest.approx(found.root_frequency.tolist(), abs=1e-6)


def test_what_is_wrong_is_one_line_and_a_code(capsys, saved, tmp_path):
    for arguments, want, text in [
        ((saved, "--line", "b7"), 2, "the actions here are"),
        ((saved, "--view", "nonsense"), 2, "must be one of strategy, ev, equity"),
        ((str(tmp_path / "nothing.pks"),), 1, "cannot read"),
        ((saved, "--export", "a.txt"), 2, "must be a name that ends in"),
        ((__file__,), 1, "is truncated or not a poker-solver file"),
    ]:
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (want, "", 1)
        assert text in err


def test_a_session_on_a_terminal(saved):
    with Terminal("explore", saved) as terminal:
        assert "Td 9d 6h Qc · pot 200" in terminal.wait_for("OOP> ")
        terminal.ask("x x", "deal> ")
        assert "line x x 7s" in terminal.ask("7s", "OOP> ")
        assert "EV in chips" in terminal.ask("ev", "OOP> ")
        terminal.type("q\n")
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.text
