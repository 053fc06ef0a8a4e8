"""The formulas of the package docstring in float64, hand by hand; slow and obvious."""

import numpy as np

from poker_solver.kernels.arrays import F64
from poker_solver.kernels.regret import PLAIN, TINY, Weights
from poker_solver.kernels.regret import reference as regret


def enter(forced: F64, choice: F64, stored: F64) -> F64:
    """[H] weight that plays, by [2, H] regrets or policy sums."""
    found = np.zeros(len(forced))
    for h in range(len(forced)):
        play, _ = regret.match(stored[:, h].tolist(), (), 0.0, TINY)
        found[h] = forced[h] + choice[h] * play
    return found


def settle(take: F64, cfv: F64, stored: F64, policy_sum: F64, weights: Weights) -> tuple[F64, F64]:
    """[2, H] new regrets and new policy sums."""
    new_regret, new_sum = np.zeros(stored.shape), np.zeros(stored.shape)
    for h in range(len(take)):
        sigma = regret.match(stored[:, h].tolist(), (), 0.0, TINY)
        values = (float(cfv[h]), float(take[h]))
        v = sigma[0] * values[0] + sigma[1] * values[1]
        for a in range(2):
            new_regret[a, h] = regret.learn(float(stored[a, h]), values[a] - v, weights, PLAIN)
            new_sum[a, h] = regret.add_policy(float(policy_sum[a, h]), sigma[a], weights)
    return new_regret, new_sum
