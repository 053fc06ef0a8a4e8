"""The programs in examples/ run, and print what they say they print."""

import subprocess
import sys
from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.postflop.plan import plan

FOLDER = Path(__file__).parents[2] / "examples"

PRINTED = {
    "kuhn": ["value to the first player -0.05", "1:pb p"],
    "own_game": ["value -0.083"],
    "push_or_fold": ["SB wins -0.0454 bb", "'a': 0.58", "BB calls 0.36"],
    "river": ["OOP's EV", "KhTh is a straight: {'f': ", "'c': "],
    "lock_and_exploit": ["OOP's EV 9", "if IP folds 70 % to b120"],
    "many_rivers": ["Td9d6hQc2c: OOP", "Td9d6hQcAh: OOP"],
    "equity": ["AKs has 24.9653 % against QQ+"],
}


def test_every_example_is_run():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_example(name):
    program = [sys.executable, str(FOLDER / f"{name}.py")]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for text in PRINTED[name]:
        assert text in done.stdout, done.stdout


@pytest.mark.parametrize("path", list(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_spot_of_the_examples_is_a_whole_flop_that_a_desktop_holds(path):
    planned = plan(ps.Spot.load(path))
    assert planned.counts.boards[1:3] == (1, 49)
    assert 1e8 < planned.counts.num_elements < 3e8
    assert planned.game.tree.actions(0) == ("x",)  # the big blind may not lead
