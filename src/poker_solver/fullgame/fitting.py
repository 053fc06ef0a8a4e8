"""A correction: flops in memory weighted anew, so that they pay what a larger set of flops pays.

Whatever the weights, flops in memory make a game; those that pay every class at every line about
what the larger set does make one whose preflop is that of the larger set.
"""

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import NUM_FLOPS, FlopSet
from poker_solver.fullgame.game import FullGame

F64 = NDArray[np.float64]

HOLD = 0.01
"""How strongly weights are held where they were, beside how much they change what is paid."""

LEAST = 0.05
"""The smallest part of its weight that a flop keeps."""


def fitted_weights(game: FullGame, flops: FlopSet, own: F64, larger: F64) -> FlopSet:
    """The flops with weights that fit [2, K, F, C] what each pays to [2, K, C] what others pay.

    Least squares over classes and lines, each class by its number of combos; weights sum to 22,100.
    """
    per_combo = 1.0 / np.sqrt(game.deal.combos)
    paid = (own * per_combo).swapaxes(2, 3).reshape(-1, len(flops))
    wanted = (larger * per_combo).reshape(-1)
    share = np.array(flops.weights) / NUM_FLOPS
    square = paid.T @ paid
    held = HOLD * np.trace(square) / len(flops)
    # Least squares under one condition, the sum of the weights, by its Lagrange multiplier.
    system = np.zeros((len(flops) + 1, len(flops) + 1))
    system[:-1, :-1] = square + held * np.eye(len(flops))
    system[-1, :-1] = system[:-1, -1] = share
    factor = np.linalg.solve(system, np.append(paid.T @ wanted + held, 1.0))[:-1]
    factor = np.maximum(factor, LEAST)
    factor /= share @ factor
    weights = tuple(float(one) for one in factor * flops.weights)
    return FlopSet(f"{flops.name} fitted", flops.flops, weights)
