"""Each does what was meant, or says what would."""

from pathlib import Path

import pytest
import typer

import poker_solver as ps
from poker_solver.cli.app import app
from tests.support.commands import run
from tests.support.postflop_spots import small_spot

COMMANDS = list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
RIVER = small_spot("Ks7s2sTs9c", "AA,KQs,98s", "77,AQs:0.5,JTs,QJo", "75%", "a")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert "Usage" in out
    assert "--help" in out


def test_an_export_is_no_solve_to_load(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("hand,combos\n")
    code, _, err = run(capsys, "hunl", "--load", str(path))
    assert (code, err) == (
        2,
        f"error: {path} is an export, not a solution; open what --save wrote\n",
    )


def test_a_target_with_its_sign(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("solve", "river_example", "--max-iterations", "1", "--quiet")
    assert run(capsys, *options, "--target", "1%")[0] == 0
    code, _, err = run(capsys, *options, "--target", "one")
    assert code == 2
    assert "'one' is no percentage; want 1 or 1%" in err


def test_keys_as_people_write_them() -> None:
    fields = RIVER.to_mapping()
    street = {"Range": "AA", "RIVER": {"Bet": "75%"}}
    meant = RIVER.replace(oop={"range": "AA", "river": {"bet": "75%", "raise": ""}})
    for name in ("OOP", "BB", "Oop"):
        given = {key: value for key, value in fields.items() if key != "oop"}
        found = ps.Spot.from_mapping({**given, name: street})
        assert found.fingerprint() == meant.fingerprint()
    with pytest.raises(ps.ConfigError, match="OOP: oop is given twice"):
        ps.Spot.from_mapping({**fields, "OOP": street})


def test_solve_takes_a_path(tmp_path: Path) -> None:
    path = tmp_path / "river.yaml"
    path.write_text(RIVER.to_yaml())
    solution = ps.solve(str(path), max_iterations=1)
    assert isinstance(solution, ps.Solution)
    assert solution.fingerprint == RIVER.fingerprint()
    assert isinstance(ps.solve("push_fold_10", max_iterations=1), ps.PreflopSolution)
    with pytest.raises(ps.ConfigError, match=r"nothing\.yaml: cannot read"):
        ps.solve("nothing.yaml")


def test_a_node_prints_as_one_line_and_finds_hands_in_either_order() -> None:
    node = ps.solve(RIVER, max_iterations=5).node("x")
    assert repr(node).startswith("<ip acts after 'x' on Ks7s2sTs9c, pot 100: x ")
    assert "b75 (75 %)" in repr(node)
    assert "\n" not in repr(node)
    assert node.hands.index("JdQc") == node.hands.index("QcJd")
    assert "JdQc" in node.hands
    assert "2c2d" not in node.hands
    with pytest.raises(ps.InputError, match="2c2d is not among the"):
        node.hands.index("2c2d")
