import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poker_solver.cli import main

ROOT = Path(__file__).parents[2]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    captured = capsys.readouterr()
    return exit_.value.code, captured.out, captured.err


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
    assert "information set " not in out
    code, out, _ = run(capsys, "leduc", "--iterations", "5")
    assert "... and 248 more information sets; --json prints all" in out


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
        (["kuhn", "--device", "tpu"], 1, "device is 'tpu'"),
        (["kuhn", "--plot", "x.jpg"], 2, "x.jpg must end in .png"),
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


@pytest.mark.parametrize("command", [["-m", "poker_solver"], ["main.py"]], ids=str)
def test_ctrl_c_in_a_real_process_keeps_the_result(command, tmp_path):
    saved = tmp_path / "l.ck"
    arguments = ["leduc", "--iterations", "1000000000", "--quiet", "--save", str(saved)]
    process = subprocess.Popen(
        [sys.executable, *command, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "stopped by Ctrl-C" in out
    assert saved.exists()
