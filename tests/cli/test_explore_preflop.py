"""`explore` opens what preflop solves wrote, too."""

import csv

import pytest

import poker_solver as ps
from tests.support.commands import run


@pytest.fixture(scope="module")
def solver():
    solver = ps.PreflopSolver(ps.load_config("push_fold_10"))
    solver.solve(max_iterations=30)
    return solver


def test_a_saved_solution_shows_what_the_solve_does(capsys, tmp_path, solver):
    solver.save(tmp_path / "solve.pks")
    solver.solution().save(tmp_path / "solution.pks")
    code, solution, err = run(capsys, "explore", str(tmp_path / "solution.pks"), "--line", "SBa")
    assert (code, err) == (0, "")
    assert solution.startswith("Push or fold 10BB · stack 10 bb · pot 11 bb · BB to act")
    code, solve, err = run(capsys, "explore", str(tmp_path / "solve.pks"), "--line", "SBa")
    assert (code, solve) == (0, solution)
    assert "is a checkpoint: 30 iterations" in err


def test_a_node_is_exported(capsys, tmp_path, solver):
    solver.solution().save(tmp_path / "s.pks")
    path = tmp_path / "n.csv"
    code, _, err = run(capsys, "explore", str(tmp_path / "s.pks"), "--export", str(path))
    assert (code, err) == (0, f"wrote {path}\n")
    with path.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 169
    code, _, err = run(capsys, "explore", str(tmp_path / "s.pks"), "--export", "n.parquet")
    assert (code, "must be a name that ends in .csv, .json or .png" in err) == (2, True)


def test_a_line_of_another_stack_is_refused(capsys, tmp_path, solver):
    solver.solution().save(tmp_path / "s.pks")
    code, _, err = run(capsys, "explore", str(tmp_path / "s.pks"), "--line", "20bb SBa")
    assert (code, "solved at 10 bb, the line asks for 20 bb" in err) == (2, True)
