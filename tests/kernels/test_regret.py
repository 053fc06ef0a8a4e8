"""Regret matching and the regret update: every backend against the reference, and by hand."""

from typing import Any

import numpy as np
import pytest
import torch
from numba import njit
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F64
from poker_solver.kernels.regret import PLAIN, TINY, Rule, Weights, on_numba, on_torch, reference

WEIGHTS = Weights(positive=0.75, negative=0.4, policy=0.6)
RULES = {
    "plain": PLAIN,
    "drops": Rule(prediction=0.0, drops_negative=True),
    "predicts": Rule(prediction=1 / 3, drops_negative=True),
}
SHAPES = [(1, 1), (2, 3), (3, 63), (7, 1326)]  # one action, odd numbers of hands, all hands
SCALES = [1e-30, 1.0, 1e30]
KINDS: dict[str, Any] = {"numba": np.float64, "torch": np.float64, "torch32": np.float32}


@njit(nogil=True)
def _learn(regret: F64, r: F64, weights: Weights, rule: Rule) -> None:
    for i in range(len(regret)):
        regret[i] = on_numba.floor(on_numba.discount(regret[i], weights) + r[i], rule)


@njit(nogil=True)
def _add_policy(policy_sum: F64, played: F64, weights: Weights) -> None:
    for i in range(len(policy_sum)):
        policy_sum[i] = on_numba.add_policy(policy_sum[i], played[i], weights)


def learned(backend: str, state: list[NDArray[Any]], rule: Rule) -> tuple[Any, Any]:
    """New regrets and sums of (regret, policy_sum, r, played)."""
    regret, policy_sum, r, played = (array.copy() for array in state)
    if backend == "numba":
        _learn(regret.ravel(), r.ravel(), WEIGHTS, rule)
        _add_policy(policy_sum.ravel(), played.ravel(), WEIGHTS)
    else:
        tensors = [torch.from_numpy(array) for array in (regret, policy_sum, r, played)]
        factors = [torch.tensor(w, dtype=tensors[0].dtype) for w in WEIGHTS]
        weights = on_torch.DeviceWeights(*factors)
        on_torch.learn_into(tensors[0], tensors[1], tensors[2], tensors[3], weights, rule)
    return regret, policy_sum


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("backend", KINDS)
def test_an_update_is_within_budget_of_the_reference(
    backend: str, rule: str, shape: tuple[int, int], scale: float
) -> None:
    rng, kind = np.random.default_rng(shape[1]), KINDS[backend]
    regret, r = (scale * rng.standard_normal((2, *shape))).astype(kind)
    policy_sum, played = (scale * rng.random((2, *shape))).astype(kind)
    regret[0, 0], r[-1, -1] = 0.0, 0.0
    weights = Weights(*(float(kind(w)) for w in WEIGHTS))  # what the dtype can say
    got = learned(backend, [regret, policy_sum, r, played], RULES[rule])
    eps = np.finfo(kind).eps
    for at in np.ndindex(shape):
        old, new, total, reach = (float(x[at]) for x in (regret, r, policy_sum, played))
        want = reference.learn(old, new, weights, RULES[rule])
        assert abs(got[0][at] - want) <= 2 * eps * (abs(old) + abs(new))
        want = reference.add_policy(total, reach, weights)
        assert abs(got[1][at] - want) <= 2 * eps * (total + reach)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("prediction", [0.0, 1 / 3])
@pytest.mark.parametrize("backend", ["torch", "torch32"])
def test_matching_is_within_budget_of_the_reference(
    backend: str, prediction: float, shape: tuple[int, int], scale: float
) -> None:
    rng, kind = np.random.default_rng(shape[1]), KINDS[backend]
    regret, last = (scale * rng.integers(-9, 9, (2, *shape))).astype(kind)  # sums are exact
    regret[:, 0], last[:, 0] = -scale, 0.0  # nothing above 0: uniform
    clipped = on_torch.clip(torch.from_numpy(regret), torch.from_numpy(last), prediction)
    got = on_torch.normalise(clipped, clipped.sum(0, keepdim=True), 1 / shape[0])
    for hand in range(shape[1]):
        own = regret[:, hand].tolist(), last[:, hand].tolist()
        want = reference.match(*own, prediction)
        gap = np.abs(got[:, hand].numpy() - want).max()
        assert gap <= (shape[0] + 2) * np.finfo(kind).eps


def test_an_update_by_hand() -> None:
    assert reference.learn(2.0, -3.0, WEIGHTS, PLAIN) == -1.5
    assert reference.learn(-5.0, 1.0, WEIGHTS, PLAIN) == -1.0
    assert reference.learn(2.0, -3.0, WEIGHTS, RULES["drops"]) == 0.0
    assert reference.add_policy(10.0, 0.5, WEIGHTS) == 6.5


def test_matching_by_hand() -> None:
    assert reference.match([3.0, -1.0, 1.0], [], 0.0) == [0.75, 0.0, 0.25]
    assert reference.match([-3.0, 0.0], [], 0.0) == [0.5, 0.5]
    assert reference.match([1.0, -1.0], [-0.5, 3.0], 1.0) == [0.2, 0.8]
    assert reference.match([TINY, 0.0], [], 0.0) == [1.0, 0.0]
    assert reference.match([TINY, 0.0], [], 0.0, TINY) == [0.5, 0.5]
