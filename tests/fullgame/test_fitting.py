"""Weights of flops fitted to what more flops pay."""

import numpy as np
import pytest

from poker_solver.cards.flops import FlopSet
from poker_solver.fullgame.fitting import F64, fitted_weights
from tests.fullgame.training.test_trunk import small_game

FLOPS = FlopSet("three", ("AsTh5d", "KsJs7h", "9s8h4s"), (7000.0, 8000.0, 7100.0))


def paid() -> F64:
    """[2, K, F, C] at random, for each flop by its weight."""
    game = small_game()
    shape = 2, len(game.lines), len(FLOPS), game.num_classes
    found: F64 = np.random.default_rng(5).normal(size=shape)
    found *= np.array(FLOPS.weights)[:, None] / 22_100
    return found


def test_flops_that_pay_what_is_wanted_keep_their_weights() -> None:
    own = paid()
    found = fitted_weights(small_game(), FLOPS, own, own.sum(axis=2))
    assert found.flops == FLOPS.flops
    assert found.weights == pytest.approx(FLOPS.weights)


def test_weights_go_nearly_to_those_that_would_pay_it() -> None:
    own, wanted = paid(), np.array([10_000.0, 3_000.0, 9_100.0])
    factor = wanted / FLOPS.weights
    found = fitted_weights(small_game(), FLOPS, own, np.einsum("pkfc,f->pkc", own, factor))
    assert sum(found.weights) == pytest.approx(22_100)
    assert found.weights == pytest.approx(wanted, rel=0.03)  # held a little where they were


def test_no_flop_is_given_up() -> None:
    own = paid()
    found = fitted_weights(small_game(), FLOPS, own, own[:, :, 0] * 22_100 / 7000)
    assert min(np.divide(found.weights, FLOPS.weights)) > 0.01
    assert found.weights[0] == max(found.weights)
    assert sum(found.weights) == pytest.approx(22_100)
