"""One verb for every kind of game."""

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cfr.progress import Progress


def test_a_game_gives_its_strategy():
    result = ps.solve(ps.KuhnPoker(), target=1e-3, schedule="cfr+")
    assert result.stopped == "target"
    assert result.value == pytest.approx(-1 / 18, abs=1e-3)
    assert result.strategy["1:b"]["b"] == pytest.approx(1 / 3, abs=0.02)
    again = ps.solve(ps.compile_game(ps.KuhnPoker()), target=1e-3, schedule="cfr+")
    assert again.strategy == result.strategy


def test_a_config_gives_a_preflop_solution():
    told: list[Progress] = []
    config = ps.load_config("push_fold_10")
    solution = ps.solve(config, max_iterations=20, threads=1, progress=told.append)
    assert isinstance(solution, ps.PreflopSolution)
    assert [progress.iteration for progress in told] == [10, 20]
    assert told[-1].exploitability == solution.exploitability_pct
    assert told[-1].unit == " % of pot"


def test_a_spot_gives_a_solution():
    solution = ps.solve(ps.named_spot("river_example"), max_iterations=10, target_pct=None)
    assert isinstance(solution, ps.Solution)
    assert solution.iterations == 10


def test_what_it_is_solved_to_without_a_rule(monkeypatch):
    assert ps.solve(ps.load_config("push_fold_10")).exploitability_pct <= 0.1
    assert ps.solve(ps.named_spot("river_example"), threads=1).exploitability_pct <= 0.3
    monkeypatch.setattr("poker_solver.cfr.generic.solver.DEFAULT_ITERATIONS", 7)
    assert ps.solve(ps.KuhnPoker()).iterations == 7


def test_a_checkpoint_goes_on(tmp_path):
    config = ps.load_config("push_fold_10")
    solution = ps.solve(config, max_iterations=20, checkpoint=tmp_path / "c")
    resumed = ps.PreflopSolver.load(tmp_path / "c", config=config)
    assert resumed.engine.iteration == 20
    assert (resumed.solution().policy_sum == solution.policy_sum).all()
    ps.solve(ps.KuhnPoker(), max_iterations=20, checkpoint=tmp_path / "k")
    assert ps.Solver.load(tmp_path / "k", ps.KuhnPoker()).engine.iteration == 20
    with pytest.raises(ps.FormatError, match="there is no folder"):
        ps.solve(config, max_iterations=20, checkpoint=tmp_path / "none" / "c")


@pytest.mark.parametrize(
    ("spec", "words", "error", "message"),
    [
        (ps.KuhnPoker(), {"threads": 2}, TypeError, "solve.. has no threads here; it takes check"),
        (ps.KuhnPoker(), {"target_pct": 2}, TypeError, "has no target_pct here"),
        (ps.load_config("short_20"), {"precision": "int16"}, TypeError, "has no precision here"),
        (ps.load_config("short_20"), {"target_pct": -1}, ps.InputError, "target is -1, must be"),
        (np.zeros(3), {}, ps.InputError, "cannot solve a ndarray; give a Spot, a preflop Config"),
    ],
    ids=["game threads", "game target_pct", "config precision", "config target", "array"],
)
def test_words_that_do_not_fit_are_refused(spec, words, error, message):
    with pytest.raises(error, match=message):
        ps.solve(spec, **words)
