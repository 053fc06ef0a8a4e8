"""The formulas of the package docstring in float64, one decision at a time; slow and obvious."""

import numpy as np

from poker_solver.kernels.arrays import F64, I16
from poker_solver.kernels.postflop import reference
from poker_solver.kernels.regret import Weights
from poker_solver.kernels.row_cfr import FLOOR


def policy(stored: F64, row: I16) -> F64:
    """[A, H] what hands play whose rows have [A, R] these numbers; 0 where a row is below 0."""
    by_row = reference.policy(stored)
    return np.where(row >= 0, by_row[:, row], 0.0)


def sum_rows(values: F64, row: I16, num_rows: int) -> F64:
    """[.., R] the sum of [.., H] over the hands of each row."""
    found = np.zeros((*values.shape[:-1], num_rows))
    for h in np.flatnonzero(row >= 0).tolist():
        found[..., row[h]] += values[..., h]
    return found


def weigh(own_reach: F64, row: I16) -> F64:
    """[H] how much each hand has to say in its row."""
    live = row[row >= 0]
    if len(np.unique(live)) == len(live):
        return np.ones(len(row))
    return FLOOR + (1 - FLOOR) * own_reach


def tell(values: F64, own_reach: F64, row: I16, num_rows: int, weight: float) -> tuple[F64, F64]:
    """What a board that stands for `weight` tells rows that all boards share: [A, R] and [R]."""
    says = weight * (FLOOR + (1 - FLOOR) * own_reach)
    return sum_rows(says * values, row, num_rows), sum_rows(weight * own_reach, row, num_rows)


def learn(
    regret: F64, policy_sum: F64, values: F64, own_reach: F64, row: I16, weights: Weights
) -> tuple[F64, F64, F64]:
    """A decision of the player with [A, H] values: [H] cfv, [A, R] new regrets, [A, R] new sums."""
    told = sum_rows(weigh(own_reach, row) * values, row, regret.shape[1])
    reach = sum_rows(own_reach, row, regret.shape[1])
    _, new_regret, new_sum = reference.learn(regret, policy_sum, told, reach, weights)
    return reference.mix(policy(regret, row), values), new_regret, new_sum
