"""The bench command: what it says of a spot, and what it refuses."""

import json

import pytest

from poker_solver.jobs.timing import Accuracy, time_to
from poker_solver.postflop.solve.solver import PostflopSolver
from tests.support import commands
from tests.support.spots import FOLDER, named_spot


def run(capsys, *arguments):
    return commands.run(capsys, "bench", *arguments)


def test_json_is_one_object_about_every_spot(capsys):
    path = str(FOLDER / "river_full.yaml")
    code, out, _ = run(
        capsys, "river_example", path, "--target", "2", "--threads", "1", "--json"
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["copy_bytes_per_second"] > 1e8
    assert [spot["spot"] for spot in found["spots"]] == ["river_example", path]
    assert [spot["elements"] for spot in found["spots"]] == [5_369, 73_508]
    for spot in found["spots"]:
        assert [each["threads"] for each in spot["iteration"]] == [1]
        assert spot["accuracy"][0]["pct_pot"] == 2
        assert spot["memory_bytes"]["planned"] > 0
    met = PostflopSolver(named_spot("river_example"), threads=1).solve(2).iterations
    assert found["spots"][0]["accuracy"][0]["iterations"] == met


def test_the_table_has_the_accuracy_on_the_way(capsys):
    code, out, _ = run(capsys, "river_example", "--threads", "2")
    head, row, *_ = out.splitlines()
    assert code == 0
    assert "ms/it, 1 thread  ms/it, 2 threads" in head
    assert "to 0.5 %" in head
    assert "to 0.1 %" in head
    assert row.startswith("river_example")
    assert "GB/s" in out


def test_a_target_that_is_not_met_is_said():
    solver = PostflopSolver(named_spot("river_example"), threads=1)
    found = time_to(solver, (5.0, 1e-9), max_seconds=0.05)
    assert found[0].iterations is not None
    assert found[1] == Accuracy(1e-9, None, None)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("nonsense",), 2, "'nonsense' is not a named spot; there are river_example,"),
        (("nonsense.yaml",), 2, "nonsense.yaml"),
        (("river_full", "--all"), 2, "give spots or --all, not both"),
        (("river_full", "--target", "0"), 2, "target is 0, must be above 0"),
        (("river_full", "--threads", "0"), 2, "threads is 0, must be at least 1"),
    ],
)
def test_what_is_wrong_is_one_line_and_a_code(capsys, arguments, code, text):
    found, out, err = run(capsys, *arguments)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert text in err
