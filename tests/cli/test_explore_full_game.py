"""`explore` opens full games: pages of every street, exports, spots, refusals."""

from pathlib import Path

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.explore.full_game import ExploredGame
from poker_solver.store.files import write_file
from tests.support.commands import run
from tests.support.full_games import small, solution_file


def explore(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return run(capsys, "explore", str(solution_file()), *arguments)


def test_pages_of_every_street(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = explore(capsys)
    assert (code, err) == (0, "")
    assert out.startswith("Small · stack 6 bb · pot 1.5 bb · SB to act\nfirst decision")
    assert f"{small().exploitability_mbb:.2f} mbb exploitable, certified over 3 flops" in out
    assert "Model" not in out
    code, out, _ = explore(capsys, "--line", "SBr2 BBc")
    assert "Flop: a pot of 4 bb, 4 bb behind. Name it, as in QsJh2h." in out
    code, out, _ = explore(capsys, "--line", "SBr2 BBc | AdTh5s")
    assert out.startswith("Ad Th 5s · pot 4 bb · behind 4 bb and 4 bb · OOP to act\n")
    assert "line SBr2 BBc | AdTh5s\n" in out
    assert "looked up" in out
    code, out, _ = explore(capsys, "--line", "SBr2 BBc | AdTh5s x x 7d x", "--view", "ev")
    assert "solved again to" in out
    assert "EV in bb" in out


def test_a_node_and_a_spot_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    node, spot, line = tmp_path / "n.csv", tmp_path / "flop.yaml", "SBr2 BBc | AdTh5s"
    code, out, err = explore(capsys, "--line", line, "--export", str(node), "--spot", str(spot))
    assert (code, out, err) == (0, "", f"wrote {node}\nwrote {spot}: {line}\n")
    assert node.read_text().startswith("board,line,player,hand,")
    assert ps.Spot.load(spot) == small().spot("SBr2 BBc", "AdTh5s")
    code, _, err = explore(capsys, "--line", "SBr2", "--export", str(tmp_path / "n.png"))
    assert code == 0
    code, _, err = explore(capsys, "--line", line, "--export", str(tmp_path / "n.png"))
    assert (code, (tmp_path / "n.png").read_bytes()[:4]) == (0, b"\x89PNG")
    code, _, err = explore(capsys, "--line", line, "--export", str(tmp_path / "n.txt"))
    assert (code, "must be a name that ends in .csv, .json, .parquet or .png" in err) == (2, True)


def test_what_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "flop.yaml"
    for line, why in {
        "SBr2": "a spot follows where the betting before the flop is over with chips behind",
        "SBr2 | QsJh2h": "no flop is seen with chips behind after",
        "20bb SBr2 BBc | QsJh2h": "solved at 6 bb, the line asks for 20 bb",
        "SBr2 BBc | Qs": "flop 'Qs': want three cards",
    }.items():
        code, _, err = explore(capsys, "--line", line, "--spot", str(path))
        assert (code, why in err) == (2, True), err
        assert not path.exists()
    write_file(tmp_path / "c", "unified solve", {}, {})
    code, _, err = run(capsys, "explore", str(tmp_path / "c"))
    assert (code, "is a checkpoint of unified, to go on from" in err) == (2, True)


def test_texts_to_paste_are_broken_into_lines() -> None:
    session = InteractiveSession(ExploredGame(small()), ("r2", "c"), width=60)
    text = session.handle("ranges").text.plain
    assert max(map(len, text.splitlines())) <= 60
    big, small_blind = text.split("\nSB")
    for pasted, want in zip((big[2:], small_blind), small().range_texts("SBr2 BBc"), strict=True):
        np.testing.assert_allclose(ps.parse_range(pasted), ps.parse_range(want), atol=5.1e-4)
    assert "spot flop.yaml" in session.handle("?").text.plain
