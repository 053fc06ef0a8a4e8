"""`hunl` solves without a terminal: pages, JSON, files, and what is said about wrong input."""

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from numpy.typing import NDArray

import poker_solver as ps
from poker_solver.cards import HAND_NAMES
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import FormatError
from poker_solver.explore.preflop import Solved
from poker_solver.preflop.solution import PreflopSolution
from tests.support.commands import run

MODEL = ("--model", "checkdown")
BASIC = ("hunl", "--config", "push_fold_10", "--device", "cpu")


def test_a_pipe_gets_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *BASIC, "--iterations", "400", "--quiet")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Push or fold 10BB · stack 10 bb · pot 1.5 bb · SB to act"
    assert lines[5].startswith("AA  A AK  A")
    assert "\x1b" not in out
    assert any("58.3 %" in line for line in lines), "the small blind pushes 58.3 % of hands"


def test_the_checked_down_model_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    page = ("--iterations", "2", "--quiet", "--device", "cpu")
    by_model = run(capsys, "hunl", *MODEL, *page)
    assert by_model[1].startswith("Standard 100BB · stack 100 bb · pot 1.5 bb · SB to act\n")
    assert "Model: flops are checked down; SB's EV is too low" in by_model[1]
    assert run(capsys, "hunl", "--config", "standard", *page) == by_model
    _, out, _ = run(capsys, "hunl", *MODEL, *page, "--config", "short_20", "--json")
    found = json.loads(out)
    assert found["config"] == "Short 20BB"
    assert list(found) == [
        "config", "stack_bb", "iterations", "seconds", "exploitability", "value_bb", "line",
        "player", "pot_bb", "actions", "frequency", "hands",
    ]  # fmt: skip
    assert list(found["exploitability"]) == ["bb", "pct_pot"]


def test_json_is_one_object_for_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *BASIC, "--json", "--action", "SBa", "--iterations", "50")
    assert code == 0
    found = json.loads(out)
    assert (found["config"], found["line"], found["player"]) == ("Push or fold 10BB", "SBa", "BB")
    assert (found["stack_bb"], found["pot_bb"], found["iterations"]) == (10, 11, 50)
    assert found["actions"] == ["f", "c"]
    assert tuple(found["hands"]) == HAND_NAMES
    assert found["hands"]["AA"] == pytest.approx([0, 1], abs=0.02)


def test_a_line_may_ask_for_another_stack(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, *BASIC, "--json", "--action", "20bb SBa", "--iterations", "20", "--quiet"
    )
    assert code == 0
    assert json.loads(out)["stack_bb"] == 20


def test_an_end_is_printed_without_hints(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, *BASIC, "--action", "SBa BBc", "--iterations", "20", "--no-interactive"
    )
    assert code == 0
    assert "All-in and called: the board is run out for a pot of 20 bb." in out
    assert "goes back" not in out


def test_save_load_and_go_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "p.pks")
    run(capsys, *BASIC, "--iterations", "30", "--save", path, "--quiet")
    load = ("hunl", "--load", path, "--json", "--quiet", "--device", "cpu")
    _, opened, _ = run(capsys, *load)
    _, further, _ = run(capsys, *load, "--iterations", "20")
    _, through, _ = run(capsys, *BASIC, "--iterations", "50", "--json", "--quiet")
    assert json.loads(opened)["iterations"] == 30
    assert json.loads(further)["iterations"] == 50
    assert json.loads(further)["hands"] == json.loads(through)["hands"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text("name: Small\nstack_depth: 12\nraise_sizes: [2.5, 4, 12]\n")
    return path


def test_csv_has_a_row_per_class(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, small: Path
) -> None:
    path = tmp_path / "m.csv"
    arguments = ("--action", "SBr2.5", "--iterations", "30", "--quiet", "--export", str(path))
    code, _, err = run(capsys, "hunl", "--config", str(small), *arguments, "--device", "cpu")
    assert (code, err) == (0, f"wrote {path}\n")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(row["hand"] for row in rows) == HAND_NAMES
    assert sum(int(row["combos"]) for row in rows) == 1326
    assert [name for name in rows[0] if name.startswith("freq_")] == [
        "freq_f", "freq_c", "freq_r4", "freq_a",
    ]  # fmt: skip
    for row in rows:
        frequencies = [float(p) for name, p in row.items() if name.startswith("freq_")]
        assert sum(frequencies) == pytest.approx(1, abs=1e-5)
        assert float(row["ev_f"]) == 0


def test_csv_says_how_often_a_hand_gets_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, small: Path
) -> None:
    def column(line: str, name: str) -> NDArray[np.float64]:
        path = tmp_path / "m.csv"
        arguments = ("--iterations", "30", "--quiet", "--device", "cpu", "--export", str(path))
        run(capsys, "hunl", "--config", str(small), "--action", line, *arguments)
        with path.open(newline="") as file:
            return np.array([float(row[name]) for row in csv.DictReader(file)])

    line = "SBr2.5 BBr4"
    reach, folds = column(line, "reach"), column(line, "freq_f")
    assert 0 < column(line, "combos") @ reach < 1326
    deals = reach * (load_equity_table().pairs @ column("SBr2.5", "freq_r4"))
    arguments = ("--action", line, "--iterations", "30", "--quiet", "--json", "--device", "cpu")
    _, out, _ = run(capsys, "hunl", "--config", str(small), *arguments)
    found = json.loads(out)["frequency"][0]
    assert deals @ folds / deals.sum() == pytest.approx(found, abs=1e-5)


def test_json_file_is_the_summary_with_evs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "m.json"
    _, out, _ = run(capsys, *BASIC, "--iterations", "30", "--json", "--export", str(path))
    printed, written = json.loads(out), json.loads(path.read_text())
    for name, value in printed.items():
        assert written[name] == value
    assert written["reach"]["72o"] == 1
    assert written["combos"]["AKo"] == 12
    assert written["ev_bb"]["72o"][0] == 0


def test_png_cells_have_the_colour_of_their_action(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "m.PNG"
    code, _, _ = run(capsys, *BASIC, "--target", "0.1", "--quiet", "--export", str(path))
    assert code == 0
    assert path.stat().st_size < 400_000
    pixels = imread(path, format="png")[:, :, :3]

    def dominates(color: tuple[float, float, float], x: float, y: float) -> bool:
        """The colour stands in the middle of the cell in column x and row y."""
        inch = 110
        row = round(inch * (0.22 + 0.65 + (y + 0.7) * 8.45 / 13))
        column = round(inch * (0.22 + (x + 0.5) * 8.45 / 13))
        return bool(np.allclose(pixels[row, column], color, atol=0.02))

    yellow, red = (0xFF / 255, 0xD4 / 255, 0x3B / 255), (0xE5 / 255, 0x48 / 255, 0x4D / 255)
    assert dominates(yellow, 0, 0)  # AA pushes
    assert dominates(red, 11, 12)  # 32o folds
    assert dominates(yellow, 12, 12)  # 22 pushes


def test_rules_have_the_names_of_the_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *BASIC, "--max-iterations", "10", "--json")
    assert json.loads(out)["iterations"] == 10
    _, out, _ = run(capsys, *BASIC, "--target", "1e-9", "--max-seconds", "0.05", "--json")
    assert json.loads(out)["seconds"] < 5


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--config", "nothing"], 2, "'nothing' is not a preset; presets: aggressive"),
        (["--config", "no/such.yaml"], 2, "cannot read"),
        (["--action", "SBr7"], 2, "token 1 'SBr7': not legal here; SB may play f, c, r2.5"),
        (["--action", "BBc"], 2, "it is SB's turn"),
        (["--config", ""], 2, "cannot read"),
        ([*MODEL, "--action", "0.2bb SBc"], 2, "token 1 '0.2bb': stack_depth: 0.2"),
        (["--action", "SBr" + "9" * 400], 2, "is more than anybody has"),
        (["--target", "0"], 2, "target is 0, must be above 0"),
        (["--target", "nan"], 2, "target is nan, must be above 0"),
        (["--iterations", "-1"], 2, "iterations is -1, must be above 0"),
        (["--schedule", "x"], 2, "schedule is 'x'"),
        (["--device", "tpu"], 2, "device is 'tpu'"),
        (["--export", "x.jpg"], 2, "x.jpg must be a name that ends in .csv, .json or .png"),
        (["--export", "no/such/x.png"], 1, "there is no folder no/such"),
        ([*MODEL, "--export", "x.png", "--action", "SBc BBx"], 2, "is over after SBc BBx"),
        (["--save", "no/such/x"], 1, "there is no folder no/such"),
        (["--load", "missing.pks"], 1, "cannot read missing.pks"),
        (["--save", "a.csv", "--export", "a.csv"], 2, "--save and --export both name a.csv"),
        (["--nonsense"], 2, "--nonsense"),
    ],
    ids=str,
)
def test_bad_input_is_one_line_and_an_exit_code(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    found, out, err = run(capsys, "hunl", *arguments)
    assert (found, out) == (code, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_file_of_another_game_stack_or_schedule_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "p.pks")
    run(capsys, *BASIC, "--iterations", "10", "--save", path, "--quiet")
    load = ("hunl", "--load", path, "--quiet", "--device", "cpu")
    code, _, err = run(capsys, *load, "--config", "short_20")
    assert (code, "asked for Short 20BB" in err) == (1, True)
    code, _, err = run(capsys, *load, "--action", "20bb SBa")
    assert (code, "was solved at 10 bb, the line asks for 20 bb" in err) == (2, True)
    code, _, err = run(capsys, *load, "--schedule", "cfr+")
    assert (code, "was solved with dcfr, not cfr+" in err) == (2, True)


def test_help_of_the_program_stays_light() -> None:
    code = (
        "import sys, poker_solver.cli.app; "
        "print([m for m in ('torch', 'numba', 'matplotlib') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_small_tree_is_solved_without_pytorch() -> None:
    code = (
        "import sys; from poker_solver.config.preflop import load_config; "
        "from poker_solver.preflop.solver import PreflopSolver; "
        "print(PreflopSolver(load_config('push_fold_10'), device='auto').device, "
        "'torch' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "cpu False"


def test_a_file_that_cannot_be_written_costs_nobody_the_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: object, *rest: object) -> None:
        raise FormatError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("poker_solver.cfr.solve.write_file", full)
    monkeypatch.setattr("poker_solver.store.files.write_bytes", full)
    save, export = str(tmp_path / "p.pks"), str(tmp_path / "p.csv")
    arguments = ("--iterations", "10", "--quiet", "--json", "--save", save, "--export", export)
    code, out, err = run(capsys, *BASIC, *arguments)
    assert (code, json.loads(out)["iterations"]) == (1, 10)
    no_space = "No space left on device"
    assert err == f"error: cannot write {save}: {no_space}; cannot write {export}: {no_space}\n"


def test_a_stack_is_solved_once_and_again_only_if_it_was_stopped() -> None:
    solved: list[float] = []

    def solve(config: Config) -> PreflopSolution:
        solved.append(config.stack_depth)
        solution = ps.solve(config, max_iterations=1)
        return replace(solution, stopped="interrupted") if len(solved) == 1 else solution

    first = Solved(ps.solve(load_config("push_fold_10"), max_iterations=1), solve)
    assert first.at_stack(10) is first
    assert first.at_stack(8).solution.stopped == "interrupted"
    again = first.at_stack(8)
    assert again.solution.stopped == "iterations"
    assert again.at_stack(8) is again
    assert again.at_stack(10) is first
    assert solved == [8, 8]
