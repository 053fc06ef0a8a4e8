"""Each backend against the plain loops, one step at a time."""

from typing import Any

import numpy as np
import pytest
import torch

from poker_solver.cfr.batched import sequence_form
from poker_solver.games.base import Game
from poker_solver.games.leduc import LeducPoker
from poker_solver.kernels.sequence_form import Form, Rule, State, on_numba, on_torch, reference
from poker_solver.trees.compile import compile_game
from tests.support.random_games import RandomGame

GAMES: dict[str, Game[Any]] = {
    "leduc": LeducPoker(),
    "random": RandomGame(11, 6, 4),
    "ragged": RandomGame(5, 7, 2),
}
RULES = {
    "cfr": Rule(drops_negative=False, prediction=0.0, alternating=True),
    "predictive": Rule(drops_negative=True, prediction=1 / 3, alternating=True),
    "simultaneous": Rule(drops_negative=False, prediction=0.0, alternating=False),
}
WEIGHTS = np.array([[0.7, 0.4, 0.9]])


def make(backend: str, form: Form, rule: Rule):
    if backend == "numba":
        return on_numba.Engine(form, rule)
    return on_torch.Engine(form, rule, [0, len(form.payoff)], "cpu", torch.float64)


def some_state(form: Form, rng):
    num_sequences = int(form.info_start[-1])
    return {
        "regret": rng.standard_normal(num_sequences),
        "policy_sum": rng.random(num_sequences),
        "last": rng.standard_normal(num_sequences),
    }


def reference_state(stored) -> State:
    size = len(stored["regret"])
    fresh = {name: np.full(size, np.nan) for name in ("policy",)}
    plans = {name: np.full(size + 2, np.nan) for name in ("plan", "cfv")}
    return State(**{name: array.copy() for name, array in stored.items()}, **fresh, **plans)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_one_iteration_is_within_budget_of_the_reference(backend, game, rule):
    form = sequence_form(compile_game(GAMES[game]))
    stored = some_state(form, np.random.default_rng(3))
    state = reference_state(stored)
    for player in (0, 1):
        reference.match(form, state, RULES[rule], player)
    reference.run(form, state, RULES[rule], WEIGHTS)

    engine = make(backend, form, RULES[rule])
    if RULES[rule].prediction == 0:
        stored["last"] = np.zeros(0)
    engine.restore(stored)
    engine.run(WEIGHTS)

    scale = max(1.0, np.abs(form.payoff).sum())
    for name in ("regret", "policy_sum"):
        got, want = engine.stored()[name], getattr(state, name)
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-12 * scale)


@pytest.mark.parametrize("best", [True, False])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_values_are_within_budget_of_the_reference(backend, game, player, best):
    compiled = compile_game(GAMES[game])
    form = sequence_form(compiled)
    rng = np.random.default_rng(4)
    policy = np.concatenate([rng.dirichlet(np.ones(len(actions))) for actions in compiled.actions])
    got = make(backend, form, RULES["cfr"]).value(policy, player, best=best)
    assert got == pytest.approx(reference.value(form, policy, player, best=best), abs=1e-12)


def test_learning_by_hand():
    """One information set, two actions worth 3 and 1, everything worked out on paper."""
    form = Form(
        first_info=np.array([0, 1, 1]),
        info_level=np.zeros(1, np.int32),
        info_start=np.array([0, 2], np.int32),
        info_parent=np.array([2], np.int32),
        terminal_sequence=np.array([[0, 1], [3, 3]], np.int32),
        payoff=np.array([3.0, 1.0]),
    )
    for backend in ("numba", "torch"):
        engine = make(backend, form, RULES["cfr"])
        engine.restore(
            {
                "regret": np.array([1.0, -2.0]),  # plays action 0
                "policy_sum": np.array([10.0, 20.0]),
                "last": np.zeros(0),
            }
        )
        engine.run(np.array([[0.5, 0.25, 0.1]]))
        stored = engine.stored()
        assert stored["regret"].tolist() == [1 * 0.5 + 0, -2 * 0.25 + (1 - 3)]
        assert stored["policy_sum"].tolist() == [10 * 0.1 + 1, 20 * 0.1 + 0]
