"""The showdown kernel against every pair of hands."""

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS
from poker_solver.kernels.showdown import on_numba, reference


def some_hands(rng, count, strengths):
    """Hands and their strengths on two boards, some of them tied, some blocked."""
    combos = np.sort(rng.choice(120, count, replace=False))  # of few cards, so that many collide
    return COMBO_CARDS[combos].astype(np.int64), strengths[:, combos]


@pytest.mark.parametrize("num_other", [1, 7, 30])
def test_net_and_met_are_those_of_every_pair(num_other):
    rng = np.random.default_rng(num_other)
    strengths = rng.integers(0, 6, (2, 120)).astype(np.int16)
    cards, strength = some_hands(rng, 25, strengths)
    other_cards, other = some_hands(rng, num_other, strengths)
    reach = rng.random((2, 3, num_other))
    out, met = np.full((2, 3, 25), np.nan), np.full((6, 25), np.nan)
    want, want_met = np.empty_like(out), np.empty_like(met)
    on_numba.run(strength, other, cards, other_cards, reach, out)
    on_numba.run_met(cards, other_cards, reach.reshape(6, -1), met)
    reference.run(strength, other, cards, other_cards, reach, want)
    reference.run_met(cards, other_cards, reach.reshape(6, -1), want_met)
    budget = 1e-12 * reach.sum(axis=2).max()
    np.testing.assert_allclose(out, want, rtol=0, atol=budget)
    np.testing.assert_allclose(met, want_met, rtol=0, atol=budget)
    assert np.abs(want).max() > 0.1
