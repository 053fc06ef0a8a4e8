"""The root of a subgame against its formulas, one step at a time."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.kernels.gadget import Gadget, no_gadget, reference
from poker_solver.kernels.gadget.on_numba import enter, settle
from poker_solver.kernels.regret import Weights

EPS = float(np.finfo(np.float32).eps)


def drawn(seed: int, num_hands: int) -> tuple[Gadget, np.ndarray]:
    """Some root in the middle of a solve, and what playing is worth there."""
    rng = np.random.default_rng(seed)
    forced, choice, take, cfv = rng.normal(size=(4, num_hands)).astype(np.float32)
    gadget = Gadget.of(1, np.abs(forced), np.abs(choice), take)
    gadget.regret[:] = rng.normal(size=(2, num_hands)) * (rng.random((2, num_hands)) < 0.8)
    gadget.policy_sum[:] = rng.random((2, num_hands))
    return gadget, cfv


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), num_hands=st.integers(0, 40))
def test_one_step_is_that_of_the_reference(seed: int, num_hands: int) -> None:
    gadget, cfv = drawn(seed, num_hands)
    old, sums = gadget.regret.astype(np.float64), gadget.policy_sum.astype(np.float64)
    take = gadget.take.astype(np.float64)
    weights = np.array([0.9, 0.5, 0.7], np.float32)
    reach = np.full(num_hands + 3, 7, np.float32)
    settle(gadget, cfv, weights, reach)
    exact = Weights(*(float(weight) for weight in weights))
    regret, policy_sum = reference.settle(take, cfv.astype(np.float64), old, sums, exact)
    r = np.abs(cfv - take)  # no more than this is added to a regret
    error = 2 * EPS * (np.abs(old) + r) + 4 * EPS * r  # sigma has (A + 2) eps
    assert (np.abs(gadget.regret - regret) <= error).all()
    assert (np.abs(gadget.policy_sum - policy_sum) <= 2 * EPS * (sums + 1) + 4 * EPS).all()
    played = reference.enter(
        gadget.forced.astype(np.float64),
        gadget.choice.astype(np.float64),
        gadget.regret.astype(np.float64),
    )
    np.testing.assert_allclose(reach[:num_hands], played, rtol=6 * EPS)
    assert (reach[num_hands:] == 7).all()


def test_a_new_root_plays_half_of_what_may_choose() -> None:
    row = np.ones(5, np.float32)
    gadget, reach = Gadget.of(0, 3 * row, 4 * row, row), np.zeros(5, np.float32)
    enter(gadget, gadget.regret, reach)
    assert (reach == 5).all()


def test_nobody_may_take_where_there_is_no_gadget() -> None:
    assert no_gadget().player < 0
