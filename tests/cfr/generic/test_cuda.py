"""The tensor engine on a real GPU."""

from typing import Any

import numpy as np
import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.solver import Solver
from poker_solver.cfr.schedules import NAMED
from poker_solver.games.base import Game
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.trees.compile import compile_game
from tests.support.random_games import RandomGame

pytestmark = pytest.mark.gpu

GAMES: dict[str, Game[Any]] = {
    "kuhn": KuhnPoker(),
    "leduc": LeducPoker(),
    "random": RandomGame(11, 6, 4),
}


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("schedule", NAMED)
@pytest.mark.parametrize("game", GAMES)
def test_cuda_equals_the_cpu_iteration_by_iteration(game, schedule, alternating):
    on_cpu = BatchedCFR(compile_game(GAMES[game], "cpu"), NAMED[schedule], alternating=alternating)
    on_gpu = BatchedCFR(compile_game(GAMES[game], "cuda"), NAMED[schedule], alternating=alternating)
    for _ in range(8):
        on_cpu.train(1)
        on_gpu.train(1)
        np.testing.assert_allclose(
            on_gpu.stored()["regret"], on_cpu.stored()["regret"], rtol=0, atol=1e-9
        )
        np.testing.assert_allclose(
            on_gpu.stored()["policy_sum"], on_cpu.stored()["policy_sum"], rtol=0, atol=1e-9
        )
    assert on_gpu.exploitability() == pytest.approx(on_cpu.exploitability(), abs=1e-9)
    assert on_gpu.value() == pytest.approx(on_cpu.value(), abs=1e-9)


def test_batches_change_only_rounding():
    game = compile_game(LeducPoker(), "cuda")
    whole, parts = BatchedCFR(game), BatchedCFR(game, batch_size=2)
    whole.train(8)
    parts.train(8)
    np.testing.assert_allclose(
        whole.stored()["regret"], parts.stored()["regret"], rtol=0, atol=1e-9
    )
    assert parts.pass_bytes < whole.pass_bytes


def test_runs_repeat_and_resume_bit_for_bit(tmp_path):
    def solved():
        solver = Solver(LeducPoker(), "cuda")
        solver.solve(iterations=200)
        return solver

    first, second = solved(), solved()
    assert (first.engine.average_policy == second.engine.average_policy).all()
    first.save(tmp_path / "x")
    first.solve(iterations=100)
    resumed = Solver.load(tmp_path / "x", LeducPoker(), "cuda")
    resumed.solve(iterations=100)
    assert (first.engine.average_policy == resumed.engine.average_policy).all()


def test_large_games_go_to_the_gpu_by_themselves():
    solver = Solver(LeducPoker(24, 4))
    assert solver.compiled.device == "cuda"
    assert solver.solve(target=0.05).stopped == "target"
