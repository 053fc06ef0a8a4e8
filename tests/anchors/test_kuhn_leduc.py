"""Known answers of the two small games."""

import numpy as np
import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import (
    best_response_value,
    compute_exploitability,
    game_value,
)
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.schedules import CFR, CFR_PLUS, DCFR, NAMED, PRECISE
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import uniform_policy
from tests.support.compare import kind_or_text

LEDUC_VALUE = -0.085606424078


def kuhn_equilibrium(alpha):
    """The whole family of equilibria: player 0 bluffs a jack with alpha in [0, 1/3]."""
    bet = {
        "0:": alpha, "1:": 0.0, "2:": 3 * alpha,
        "0:pb": 0.0, "1:pb": alpha + 1 / 3, "2:pb": 1.0,
        "0:p": 1 / 3, "1:p": 0.0, "2:p": 1.0,
        "0:b": 0.0, "1:b": 1 / 3, "2:b": 1.0,
    }  # fmt: skip
    return {key: {"p": 1 - p, "b": p} for key, p in bet.items()}


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.2, 1 / 3])
@pytest.mark.parametrize("game", [KuhnPoker(), compile_game(KuhnPoker())], ids=["game", "compiled"])
def test_kuhn_equilibria_cannot_be_exploited(game, alpha):
    strategy = kuhn_equilibrium(alpha)
    assert compute_exploitability(game, strategy) == pytest.approx(0, abs=1e-15)
    assert game_value(game, strategy) == pytest.approx(-1 / 18, abs=1e-15)
    assert best_response_value(game, strategy, 0) == pytest.approx(-1 / 18, abs=1e-15)
    assert best_response_value(game, strategy, 1) == pytest.approx(1 / 18, abs=1e-15)


def test_outside_the_family_kuhn_can_be_exploited():
    assert compute_exploitability(KuhnPoker(), kuhn_equilibrium(0.33) | {
        "2:": {"p": 0.5, "b": 0.5}
    }) > 1e-3  # fmt: skip


@pytest.mark.parametrize("schedule", NAMED)
def test_every_schedule_finds_a_kuhn_equilibrium_of_the_family(schedule):
    engine = BatchedCFR(KuhnPoker(), NAMED[schedule])
    engine.train(20_000)
    bet = {key: row["b"] for key, row in engine.get_all_average_strategies().items()}
    alpha = bet["0:"]
    assert engine.value() == pytest.approx(-1 / 18, abs=1e-4)
    assert -1e-3 < alpha < 1 / 3 + 1e-3
    assert bet["2:"] == pytest.approx(3 * alpha, abs=0.02)
    assert bet["1:pb"] == pytest.approx(alpha + 1 / 3, abs=0.02)
    assert bet["0:p"] == pytest.approx(1 / 3, abs=0.02)
    assert bet["1:b"] == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.parametrize(
    ("game", "uniform"), [(KuhnPoker(), 11 / 24), (LeducPoker(), 2.373611)], ids=["Kuhn", "Leduc"]
)
def test_exploitability_of_uniform_play(game, uniform):
    compiled = compile_game(game)
    policy = uniform_policy(compiled)
    assert compute_exploitability(compiled, policy) == pytest.approx(uniform, abs=5e-7)
    strategy = compiled.strategy_by_key(policy)
    assert compute_exploitability(game, strategy) == pytest.approx(uniform, abs=5e-7)


@pytest.mark.parametrize(
    ("game", "schedule", "at_100", "at_1000"),
    [
        (KuhnPoker(), CFR, "8.23e-03", "9.38e-04"),
        (KuhnPoker(), CFR_PLUS, "1.19e-03", "8.74e-05"),
        (KuhnPoker(), DCFR, "1.67e-03", "1.47e-04"),
        (LeducPoker(), CFR, "9.57e-02", "1.18e-02"),
        (LeducPoker(), CFR_PLUS, "1.34e-02", "2.57e-04"),
        (LeducPoker(), DCFR, "7.75e-03", None),  # at 1,000 see below
    ],
    ids=kind_or_text,
)
def test_convergence_rows_to_the_printed_digits(game, schedule, at_100, at_1000):
    engine = BatchedCFR(game, schedule)
    engine.train(100)
    assert f"{engine.exploitability():.2e}" == at_100
    engine.train(900)
    if at_1000 is not None:
        assert f"{engine.exploitability():.2e}" == at_1000


def test_leduc_dcfr_after_1000_iterations():
    """Regret matching amplifies the last bit tenfold every dozen iterations of DCFR here.

    After 1,000 the third digit belongs to the order of additions, not to the algorithm: 1.42e-4
    in arithmetic of 150 and of 300 digits, 1.63e-4 here, 2.02e-4 in the reference engine and
    1.53e-4 in the table of known answers.
    """
    engine = BatchedCFR(LeducPoker(), DCFR)
    engine.train(1000)
    assert 1.4e-4 < engine.exploitability() < 2.1e-4


def test_the_reference_engine_follows_the_same_rows():
    engine = VanillaCFR(KuhnPoker(), CFR_PLUS)
    engine.train(1000)
    strategies = engine.get_all_average_strategies()
    assert len(strategies) == 12
    assert f"{compute_exploitability(KuhnPoker(), strategies):.2e}" == "8.74e-05"
    assert engine.get_average_strategy("1:b") == strategies["1:b"]


def test_precise_mode_finds_the_leduc_value():
    engine = BatchedCFR(LeducPoker(), PRECISE)
    engine.train(20_000)
    assert engine.exploitability() < 1e-6
    assert engine.value() == pytest.approx(LEDUC_VALUE, abs=1e-6)
    assert engine.value() == pytest.approx(LEDUC_VALUE, abs=1e-9)


def test_leduc_has_288_information_sets_and_its_policies_are_probabilities():
    engine = BatchedCFR(LeducPoker())
    assert engine.game.num_info_sets == 288
    engine.train(10)
    rows = [list(row.values()) for row in engine.get_all_average_strategies().values()]
    np.testing.assert_allclose([sum(row) for row in rows], 1, atol=1e-12)
