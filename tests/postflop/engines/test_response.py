"""The best response as a strategy: played, it is worth what the best response is worth."""

import numpy as np
import pytest

from poker_solver.kernels.postflop import BEST, MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.layout.layout import lay_out
from tests.support.postflop_spots import random_spot
from tests.support.postflop_states import Engine, owned

NO_WEIGHTS = np.zeros(3, np.float32)


@pytest.mark.parametrize("backend", ["cpu", "torch"])
@pytest.mark.parametrize(("seed", "num_cards"), [(1, 5), (2, 5), (3, 4), (4, 4), (5, 3)])
def test_the_recorded_response_is_worth_the_best_response(
    seed: int, num_cards: int, backend: str
) -> None:
    layout = lay_out(random_spot(seed, num_cards))
    engine: Engine = PostflopEngine(layout, threads=2)
    if backend == "torch":
        engine = TorchEngine(layout, device="cpu")
    engine.train(7)
    regret = engine.regret.copy()
    for player in (0, 1):
        cfv, played = engine.best_response(player)
        assert np.array_equal(engine.regret, regret), "the state was written over"
        assert np.array_equal(cfv, engine.run_pass(player, BEST, NO_WEIGHTS))
        assert set(np.unique(played)) <= {0.0, 1.0}
        other = PostflopEngine(layout)
        other.policy_sum[:] = np.where(owned(layout, player), played, engine.policy_sum)
        scale = float(np.abs(cfv).max())
        assert np.abs(other.run_pass(player, MEAN, NO_WEIGHTS) - cfv).max() <= 4e-6 * scale
