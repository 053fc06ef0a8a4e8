"""Replies before the flop that are chosen by some values at lines and valued by others."""

import numpy as np
import pytest

from poker_solver.fullgame.training.estimate import Replies
from poker_solver.kernels.postflop import BEST, MEAN
from tests.fullgame.training.test_sampled import sampled
from tests.fullgame.training.test_trunk import small_game


def test_a_reply_chosen_and_valued_by_the_same_values_is_the_best_response() -> None:
    trunk = sampled(5)
    trunk.train(3)
    best, worth = trunk.leaf_values(BEST), trunk.worth()
    replies = Replies(small_game(), trunk.preflop.state.policy_sum)
    for player in (0, 1):
        won = replies.chosen_by(player, best[player], best[player])
        assert won == pytest.approx(worth.best[player], abs=1e-12)
        other = np.random.default_rng(0).random(best[player].shape)
        assert replies.chosen_by(player, other, best[player]) <= won


def test_gains_on_flops_add_up_to_what_is_gained_after_the_flop() -> None:
    """A tenth of all values on each of ten flops."""
    trunk = sampled(5)
    trunk.train(3)
    best, mean, worth = trunk.leaf_values(BEST), trunk.leaf_values(MEAN), trunk.worth()
    replies = Replies(small_game(), trunk.preflop.state.policy_sum)
    nothing = np.zeros_like(best)
    for player in (0, 1):
        by_flop = [np.stack([of[player] / 10] * 10) for of in (best, mean)]
        gains = replies.gains(player, *by_flop)
        assert gains == pytest.approx(gains[0])
        before = replies.chosen_by(player, best[player], nothing[player])
        average = trunk.before.worth(nothing, nothing).mean[player]
        gained = worth.best[player] - worth.mean[player]
        assert gains.sum() + before - average == pytest.approx(gained, abs=1e-12)
