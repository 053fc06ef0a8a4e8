"""The root of a subgame on the CPU. See the package docstring."""

import numpy as np
from numba import njit

from poker_solver.kernels.arrays import F32
from poker_solver.kernels.gadget import PLAY, TAKE, Gadget
from poker_solver.kernels.regret import TINY

HALF, ONE, ZERO = np.float32(0.5), np.float32(1), np.float32(0)
LEAST = np.float32(TINY)


@njit(inline="always")
def play_share(play: np.float32, take: np.float32) -> np.float32:
    """How often a hand plays."""
    play, take = max(play, ZERO), max(take, ZERO)
    total = play + take
    return play / total if total > LEAST else HALF


@njit(inline="always")
def settle_inlined(gadget: Gadget, cfv: F32, weights: F32, reach: F32) -> None:
    """What `settle` does; inlined into the iterations of other kernels."""
    regret, sums = gadget.regret, gadget.policy_sum
    for h in range(len(gadget.take)):
        p = play_share(regret[PLAY, h], regret[TAKE, h])
        r = cfv[h] - gadget.take[h]
        sums[PLAY, h] = sums[PLAY, h] * weights[2] + p
        sums[TAKE, h] = sums[TAKE, h] * weights[2] + (ONE - p)
        for a in range(2):
            gain = (ONE - p) * r if a == PLAY else -p * r
            old = regret[a, h]
            regret[a, h] = old * (weights[0] if old > ZERO else weights[1]) + gain
        p = play_share(regret[PLAY, h], regret[TAKE, h])
        reach[h] = gadget.forced[h] + gadget.choice[h] * p


@njit(cache=True, nogil=True)
def settle(gadget: Gadget, cfv: F32, weights: F32, reach: F32) -> None:
    """Learn from what playing is worth, and set [H] the weight that plays next."""
    settle_inlined(gadget, cfv, weights, reach)


@njit(cache=True, nogil=True)
def enter(gadget: Gadget, stored: F32, reach: F32) -> None:
    """Set [H] the weight that plays, by [2, H] regrets or policy sums."""
    for h in range(len(gadget.take)):
        p = play_share(stored[PLAY, h], stored[TAKE, h])
        reach[h] = gadget.forced[h] + gadget.choice[h] * p
