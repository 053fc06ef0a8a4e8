"""The fast engine's regrets and sums equal the reference's, iteration by iteration."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import compute_exploitability, game_value
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.schedules import NAMED, Schedule
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.trees.compile import compile_game
from tests.support.compare import by_sequence, kind_or_text
from tests.support.random_games import RandomGame

SCHEDULES = {**NAMED, "dcfr:1.25,0.5,4": Schedule(1.25, 0.5, 4)}
BUDGET = 1e-9


def assert_same_path(game, schedule, alternating, iterations, backend, batch_size=None):
    compiled = compile_game(game)
    fast = BatchedCFR(
        compiled, schedule, alternating=alternating, backend=backend, batch_size=batch_size
    )
    slow = VanillaCFR(game, schedule, alternating=alternating)
    for _ in range(iterations):
        fast.train(1)
        slow.train(1)
        np.testing.assert_allclose(
            fast.stored()["regret"], by_sequence(slow.regret, compiled), rtol=0, atol=BUDGET
        )
        np.testing.assert_allclose(
            fast.stored()["policy_sum"], by_sequence(slow.policy_sum, compiled), rtol=0, atol=BUDGET
        )


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("game", "iterations"), [(KuhnPoker(), 20), (LeducPoker(), 6)], ids=kind_or_text
)
def test_known_games(game, iterations, schedule, alternating, backend):
    assert_same_path(game, SCHEDULES[schedule], alternating, iterations, backend)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    max_depth=st.integers(1, 6),
    num_deals=st.integers(1, 4),
    schedule=st.sampled_from(sorted(SCHEDULES)),
    alternating=st.booleans(),
    backend=st.sampled_from(["numba", "torch"]),
    batch_size=st.none() | st.integers(1, 5),
)
def test_random_games(seed, max_depth, num_deals, schedule, alternating, backend, batch_size):
    game = RandomGame(seed, max_depth, num_deals)
    assert_same_path(game, SCHEDULES[schedule], alternating, 10, backend, batch_size)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), max_depth=st.integers(1, 6), num_deals=st.integers(1, 4))
def test_best_response_and_value_agree_on_random_games(seed, max_depth, num_deals):
    game = RandomGame(seed, max_depth, num_deals)
    compiled = compile_game(game)
    engine = BatchedCFR(compiled, backend="torch")
    engine.train(7)
    strategy = engine.get_all_average_strategies()
    slow = compute_exploitability(game, strategy)
    assert compute_exploitability(compiled, strategy) == pytest.approx(slow, abs=1e-12)
    assert engine.exploitability() == pytest.approx(slow, abs=1e-12)
    assert slow > -1e-12
    value = game_value(game, strategy)
    assert game_value(compiled, strategy) == pytest.approx(value, abs=1e-12)
    assert engine.value() == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("batch_size", [1, 2, 5, 9, 1000])
def test_cpu_results_do_not_depend_on_batch_size_in_any_bit(batch_size):
    whole, parts = BatchedCFR(LeducPoker()), BatchedCFR(LeducPoker(), batch_size=batch_size)
    whole.train(300)
    parts.train(300)
    assert (whole.stored()["regret"] == parts.stored()["regret"]).all()
    assert (whole.stored()["policy_sum"] == parts.stored()["policy_sum"]).all()


def test_smaller_batches_gather_less():
    game = compile_game(LeducPoker(6, 2))
    sizes = [BatchedCFR(game, backend="torch", batch_size=b).pass_bytes for b in (36, 12, 4, 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 8 * sizes[-1]


def test_many_iterations_at_once_are_the_same_as_one_by_one():
    at_once, one_by_one = BatchedCFR(LeducPoker()), BatchedCFR(LeducPoker())
    at_once.train(50)
    for _ in range(50):
        one_by_one.train(1)
    assert (at_once.stored()["regret"] == one_by_one.stored()["regret"]).all()
