"""A fold above the river, for one reach vector; those of a river are summed in `simd.sums`."""

import numpy as np

from poker_solver.kernels.arrays import F32, F64
from poker_solver.kernels.postflop import Hands
from poker_solver.kernels.postflop.cpu.jit import inner


@inner
def fold_above(
    own: Hands, other: Hands, reach: F32, payoff: np.float32, sums: F64, cfv: F32
) -> None:
    """Set cfv = payoff * (W* + w(h)) for one reach vector, in hand order, sums in float64."""
    sums[:] = 0.0
    for j in range(len(other.cards)):
        sums[52] += reach[j]
        sums[other.cards[j, 0]] += reach[j]
        sums[other.cards[j, 1]] += reach[j]
    for i in range(len(own.cards)):
        met = sums[52] - sums[own.cards[i, 0]] - sums[own.cards[i, 1]]
        if own.twin[i] >= 0:
            met += reach[own.twin[i]]
        cfv[i] = payoff * met
