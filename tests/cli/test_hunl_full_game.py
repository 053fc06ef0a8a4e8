"""`hunl` opens full games that come solved: pages, JSON, pictures, other stacks, refusals."""

import json
from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.cards import HAND_NAMES
from poker_solver.cfr.options import SolveOptions
from poker_solver.cli import hunl
from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.explore.full_game import ExploredGame
from tests.support.commands import run
from tests.support.full_games import small, solution_file
from tests.support.terminal import Terminal


def certified(name: str) -> str:
    solution = ps.UnifiedSolution.load(name)
    assert solution.certificate is not None
    flops = solution.certificate.num_flops
    over = "all 1,755 flops" if flops == 1755 else f"{flops} flops"
    return f"{solution.exploitability_mbb:.2f} mbb exploitable, certified over {over}"


def test_without_a_config_the_20_bb_game_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "hunl")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "HU 20BB · stack 20 bb · pot 1.5 bb · SB to act"
    assert lines[2] == certified("hu_20")
    assert "Model" not in out
    assert "\x1b" not in out
    assert sum(line.startswith(("AA ", "AKo", "A2o")) for line in lines) == 3
    assert run(capsys, "hunl", "--config", "hu_20") == (0, out, "")
    assert run(capsys, "explore", "hu_20") == (0, out, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--config", "hu_50", "--action", "SBr2.5 BBr8"],
        ["--action", "50bb SBr2.5 BBr8"],
        ["--config", "hu_100", "--action", "50bb SBr2.5 BBr8"],
    ],
    ids=str,
)
def test_a_stack_picks_the_game(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, out, _ = run(capsys, "hunl", *arguments)
    assert code == 0
    assert out.startswith("HU 50BB · stack 50 bb · pot 10.5 bb · SB to act\nline SBr2.5 BBr8 · ")
    assert certified("hu_50") in out


def test_json_has_the_shape_of_preflop_and_the_certificate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "n.json"
    code, out, err = run(capsys, "hunl", "--json", "--action", "SBr2.5", "--export", str(path))
    assert (code, err) == (0, f"wrote {path}\n")
    found, solution = json.loads(out), ps.UnifiedSolution.load("hu_20")
    assert list(found) == [
        "config", "stack_bb", "iterations", "seconds", "exploitability", "value_bb", "line",
        "player", "pot_bb", "actions", "frequency", "hands", "flops", "certified",
    ]  # fmt: skip
    mbb = found["exploitability"]["mbb"]
    assert mbb == solution.exploitability_mbb
    assert found["exploitability"]["bb"] == pytest.approx(mbb / 1000)
    assert found["exploitability"]["pct_pot"] == pytest.approx(mbb / 15)
    assert (found["flops"], found["certified"]["flops"]) == (47, 1755)
    assert (found["line"], found["player"], found["pot_bb"]) == ("SBr2.5", "BB", 3.5)
    assert found["actions"] == ["f", "c", "a"]
    assert tuple(found["hands"]) == HAND_NAMES
    written = json.loads(path.read_text())
    assert {name: written[name] for name in found} == found
    assert written["ev_bb"]["72o"][0] == 0


def test_json_of_an_end_and_of_a_flop(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "hunl", "--json", "--action", "SBc BBx")
    found = json.loads(out)
    assert (found["player"], found["actions"], found["hands"]) == (None, [], {})
    line, options = "SBr2 BBc | AdTh5s", SolveOptions()
    hunl.full_game(str(solution_file()), line, options, None, as_json=True, interactive=False)
    found = json.loads(capsys.readouterr().out)
    assert (found["line"], found["board"], found["player"]) == (line, "AdTh5s", "oop")
    assert found["exploitability_mbb"] == small().exploitability_mbb


def test_a_picture_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "sb.png"
    code, _, err = run(capsys, "hunl", "--export", str(path))
    assert (code, err) == (0, f"wrote {path}\n")
    assert path.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--action", "25bb SBr2.5"], "no full game of 25 bb comes solved, there are hu_10, hu_20"),
        (["--action", "25bb SBr2.5"], "--model checkdown solves preflop at any stack"),
        (["--config", "hu_tiny"], "hu_tiny does not come solved; hu_10, hu_20, hu_50, hu_100 do"),
        (["--model", "exact"], "model is 'exact', must be checkdown"),
        (["--model", "checkdown", "--config", "hu_20"], "hu_20 is a full game; --model checkdown"),
        (["--target", "1", "--save", "x"], "--target, --save would do nothing: hu_20 comes solved"),
        (["--config", "hu_10", "--load", "x"], "--load would do nothing: hu_10 comes solved"),
        (["--action", "SBc BBx", "--export", "x.csv"], "nobody acts after 'SBc BBx'; --export"),
        (["--action", "SBc BBx", "--export", "x.png"], "nobody acts after 'SBc BBx'; --export"),
        (["--action", "SBc BBx | Qs"], "flop 'Qs': want three cards"),
        (["--action", "SBc | QsJh2h"], "no flop is seen with chips behind after"),
    ],
    ids=str,
)
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "hunl", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_terminal_explores_and_goes_to_another_stack() -> None:
    with Terminal("hunl", columns=100) as terminal:
        terminal.wait_for("SB> ")
        assert "line SBr2.5 · " in terminal.ask("r2.5", "BB> ")
        shown = terminal.ask("100bb SBr2.5 BBr10", "SB> ")
        assert "HU 100BB · stack 100 bb · pot 12.5 bb · SB to act" in shown
        assert certified("hu_100") in shown
        assert "Flop: a pot of 20 bb, 90 bb behind. Name it" in terminal.ask("c", "flop> ")
        assert "no full game of 30 bb comes solved" in terminal.ask("30bb", "flop> ")
        assert "HU 20BB · stack 20 bb" in terminal.ask("20bb", "SB> ")
        terminal.type("q\n")
        assert terminal.wait_for_end() == 0


def test_a_game_of_ones_own_knows_no_other_stack() -> None:
    session = InteractiveSession(ExploredGame(small()))
    said = session.handle("20bb SBr2").text.plain
    assert said == "this was solved at 6 bb, the line asks for 20 bb\n"
    assert "line SBr2 · " in session.handle("6bb SBr2").text.plain
