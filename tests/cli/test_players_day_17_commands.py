"""Short options, names with endings, and `main.py` without a command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.support.commands import run

ROOT = Path(__file__).parents[2]


def main_py(*arguments):
    program = [sys.executable, str(ROOT / "main.py"), *arguments]
    return subprocess.run(program, capture_output=True, text=True, timeout=120)


def test_main_without_a_command_solves_kuhn():
    done = main_py(
        "--iterations", "300", "--device", "cpu", "--batch-size", "2", "--quiet"
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "KuhnPoker: 54 nodes" in done.stdout
    rows = done.stdout.splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["J:", "Q:", "K:"]
    assert "300 of dcfr" in done.stdout
    assert json.loads(main_py("-i", "30", "--json").stdout)["iterations"] == 30
    assert "poker-solver" in main_py("--version").stdout
    assert json.loads(main_py("leduc", "-i", "5", "--json").stdout)["game"] == "LeducPoker"
    assert "Commands" in main_py("--help").stdout


def test_short_options(capsys, tmp_path):
    code, out, err = run(capsys, "kuhn", "-i", "40", "-d", "cpu", "-b", "3", "-q")
    assert (code, err) == (0, "")
    assert "Q:pb" in out
    chart = tmp_path / "chart.csv"
    wanted = ("-c", "push_fold_10", "-i", "20", "-d", "cpu", "-a", "SBa", "-o", str(chart), "-q")
    code, out, _ = run(capsys, "hunl", *wanted, "--no-interactive")
    assert code == 0
    assert "BB to act" in out
    assert chart.read_text().startswith("line,player,hand")


def test_a_preset_with_its_ending(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wanted = ("hunl", "-c", "push_fold_10.yaml", "-i", "5", "--json", "-q")
    assert json.loads(run(capsys, *wanted)[1])["config"] == "Push or fold 10BB"
    own = (ROOT / "src/poker_solver/config/presets/push_fold_10.yaml").read_text()
    (tmp_path / "push_fold_10.yaml").write_text(own.replace("Push or fold 10BB", "My own"))
    assert json.loads(run(capsys, *wanted)[1])["config"] == "My own"
    code, _, err = run(capsys, "hunl", "-c", "nothing.yaml")
    assert (code, err.count("\n")) == (2, 1)
    assert "nothing.yaml: cannot read" in err


def test_preflop_on_mps_is_solved_on_the_cpu(capsys, monkeypatch):
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    wanted = ("hunl", "-c", "push_fold_10", "-i", "5", "--json", "-q", "-d", "mps")
    code, out, err = run(capsys, *wanted)
    assert (code, err) == (0, "")
    assert json.loads(out)["iterations"] == 5


@pytest.mark.parametrize("size", ["0", "-1"])
def test_a_batch_size_that_is_none(capsys, size):
    code, _, err = run(capsys, "kuhn", "-b", size)
    assert (code, err) == (2, f"error: batch_size is {size}, must be at least 1 deal\n")
