import json

import numpy as np
import pytest

from poker_solver.cfr.generic.solver import Solver
from poker_solver.cli.pages.charts import convergence_figure, draw_convergence
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.trees import compile as compile_module
from tests.support.commands import run


def test_kuhn_prints_strategy_value_and_exploitability(capsys):
    code, out, _ = run(capsys, "kuhn", "--iterations", "2000")
    assert code == 0
    lines = out.splitlines()
    assert sum("pass" in line and "bet" in line for line in lines) == 12
    assert "KuhnPoker: 54 nodes, 12 information sets, on cpu" in out
    assert any(line.startswith("value to player 0   -0.0555") for line in lines)
    assert "2,000 of dcfr" in out


@pytest.mark.parametrize("command", [["kuhn"], ["leduc"], ["game", "kuhn_poker"]], ids=str)
def test_json_is_one_object_and_nothing_else(capsys, command):
    code, out, _ = run(capsys, *command, "--json", "--iterations", "50", "--schedule", "cfr+")
    assert code == 0
    found = json.loads(out)
    assert set(found) == {
        "game", "iterations", "seconds", "value", "exploitability", "strategy"
    }  # fmt: skip
    assert found["iterations"] == 50
    for row in found["strategy"].values():
        assert sum(row.values()) == pytest.approx(1)


def test_target_quiet_and_long_tables(capsys):
    code, out, err = run(capsys, "leduc", "--target", "0.01", "--quiet")
    assert (code, err) == (0, "")
    assert "target met" in out
    assert "information set " in out  # progress is hidden, the result is not
    code, out, _ = run(capsys, "leduc", "--iterations", "5")
    assert "... and 248 more information sets; --json prints all" in out


def test_time_is_a_rule_too_and_iterations_have_the_name_they_have_elsewhere(capsys):
    _, out, _ = run(capsys, "leduc", "--target", "1e-12", "--max-seconds", "0.05")
    assert "(time is up)" in out
    _, out, _ = run(capsys, "kuhn", "--max-iterations", "30", "--json")
    assert json.loads(out)["iterations"] == 30


def test_save_load_and_plot(capsys, tmp_path):
    checkpoint, picture = tmp_path / "l.ck", tmp_path / "l.png"
    run(capsys, "leduc", "--iterations", "40", "--save", str(checkpoint), "--plot", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")
    _, resumed, _ = run(capsys, "leduc", "--iterations", "60", "--load", str(checkpoint), "--json")
    _, through, _ = run(capsys, "leduc", "--iterations", "100", "--json")
    assert json.loads(resumed)["iterations"] == 100
    assert json.loads(resumed)["strategy"] == json.loads(through)["strategy"]


def test_no_command_prints_help(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    assert "kuhn" in out
    assert "leduc" in out
    assert "Usage" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["kuhn", "--schedule", "dcfr:0,0,2"], 2, "alpha is 0.0, must be above 0"),
        (["kuhn", "--schedule", "x"], 2, "schedule is 'x'"),
        (["kuhn", "--iterations", "many"], 2, "--iterations"),
        (["kuhn", "--iterations", "-3"], 2, "iterations is -3"),
        (["kuhn", "--iterations", "0"], 2, "iterations is 0"),
        (["kuhn", "--target", "0"], 2, "target is 0"),
        (["kuhn", "--device", "tpu"], 2, "device is 'tpu'"),
        (["kuhn", "--device", "cpu:"], 2, "device is 'cpu:'"),
        (["kuhn", "--device", "auto:"], 2, "device is 'auto:'"),
        (["kuhn", "--device", "cuda:99"], 1, "cuda:99"),
        (["kuhn", "--save", "x" * 300], 1, "File name too long"),
        (["kuhn", "--save", "/dev/null"], 1, "cannot write /dev/null: it is not a regular file"),
        (["kuhn", "--save", "/"], 1, "cannot write /: it is a folder"),
        (["kuhn", "--load", "/"], 1, "cannot read /"),
        (["kuhn", "--save", "a.png", "--plot", "a.png"], 2, "--save and --plot both name a.png"),
        (["game", "nfg_game"], 2, "OpenSpiel cannot load 'nfg_game'"),
        (["kuhn", "--plot", "x.jpg"], 2, "x.jpg must be a name that ends in .png"),
        (["kuhn", "--save", "no/such/x"], 1, "there is no folder no/such"),
        (["kuhn", "--load", "missing.ck"], 1, "cannot read missing.ck"),
        (["kuhn", "--nonsense"], 2, "--nonsense"),
        (["poker"], 2, "No such command 'poker'"),
        (["game", "goofspiel"], 2, "its moves are simultaneous"),
        (["game", "no_such_game"], 2, "has no game 'no_such_game'"),
        (["game"], 2, "Missing argument"),
    ],
    ids=str,
)
def test_bad_input_is_one_line_and_an_exit_code(capsys, arguments, code, message):
    found, out, err = run(capsys, *arguments)
    assert found == code
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_checkpoint_keeps_its_schedule(capsys, tmp_path):
    path = str(tmp_path / "k.ck")
    run(capsys, "kuhn", "--iterations", "5", "--save", path, "--schedule", "cfr")
    code, _, err = run(capsys, "kuhn", "--load", path, "--schedule", "cfr+")
    assert code == 2
    assert "was solved with cfr; it cannot go on with cfr+" in err


def test_a_result_that_cannot_be_written_is_still_printed(capsys, tmp_path, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("poker_solver.store.files.os.fsync", full)
    code, out, err = run(capsys, "kuhn", "--iterations", "5", "--save", str(tmp_path / "x"))
    assert code == 1
    assert "value to player 0" in out
    assert err == f"error: cannot write {tmp_path / 'x'}: No space left on device\n"


def test_what_can_be_checked_is_checked_before_the_game_is_read(capsys, tmp_path, monkeypatch):
    def read_too_early(*arguments, **keywords):
        raise AssertionError("the game was read first")

    (tmp_path / "text").write_text("hello")
    monkeypatch.setattr(compile_module, "compile_game", read_too_early)
    for arguments, code in {
        ("--load", str(tmp_path / "text")): 1,
        ("--load", str(tmp_path / "none")): 1,
        ("--iterations", "0"): 2,
        ("--target", "-1"): 2,
        ("--schedule", "x"): 2,
    }.items():
        assert run(capsys, "leduc", *arguments)[0] == code
    monkeypatch.setattr("poker_solver.store.files.os.access", lambda path, mode: False)
    code, _, err = run(capsys, "leduc", "--save", str(tmp_path / "x"))
    assert (code, "no permission to write in the folder" in err) == (1, True)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "error: out of memory\n"),
        (RuntimeError("CUDA out of memory.\nTried"), "error: the device ran out of memory; use "),
    ],
)
def test_memory_that_runs_out_is_one_line(capsys, monkeypatch, error, line):
    def full(*_, **__):
        raise error

    monkeypatch.setattr(compile_module, "compile_game", full)
    code, out, err = run(capsys, "kuhn")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(line)


def test_a_game_too_large_is_not_the_inputs_fault(capsys, monkeypatch):
    monkeypatch.setattr(compile_module, "MAX_NODES", 100)
    code, _, err = run(capsys, "game", "liars_dice(numdice=1)", "--quiet")
    assert (code, "too large to solve whole" in err) == (1, True)


def test_ctrl_c_while_the_game_is_read_is_one_line(capsys, monkeypatch):
    def pressed(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(compile_module._Walk, "run", pressed)
    assert run(capsys, "kuhn") == (1, "", "error: stopped\n")


def test_a_solve_of_the_reference_engine_goes_on(capsys, tmp_path):
    solver = Solver(KuhnPoker(), engine="vanilla")
    solver.solve(iterations=20)
    solver.save(tmp_path / "k")
    code, out, _ = run(capsys, "kuhn", "--load", str(tmp_path / "k"), "--iterations", "5", "--json")
    assert (code, json.loads(out)["iterations"]) == (0, 25)


def test_lines_are_not_wrapped_in_a_pipe(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = run(capsys, "game", "liars_dice(numdice=1,dice_sides=3)", "--iterations", "5")
    assert max(len(line) for line in out.splitlines()) > 80
    assert sum(
        line.startswith("liars_dice") and line.endswith("on cpu") for line in out.splitlines()
    )


def test_the_picture_has_every_point():
    curve = [(1, 0.5), (2, 0.25), (40, 0.0)]
    (line,) = convergence_figure(curve, "Kuhn").axes[0].lines
    assert np.asarray(line.get_xydata()).tolist() == [[1, 0.5], [2, 0.25], [40, 1e-17]]


def test_a_picture_of_nothing_is_drawn():
    assert draw_convergence((), "stopped before the first iteration")


def test_a_picture_that_cannot_be_written(capsys):
    code, _, err = run(capsys, "kuhn", "--iterations", "5", "--plot", "/proc/x.png")
    assert (code, err.count("\n")) == (1, 1)
    assert "cannot write /proc/x.png" in err
