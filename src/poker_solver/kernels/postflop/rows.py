"""What happens to whole rows of hands at a decision; contiguous loops that vectorise.

Two things keep a loop from vectorising, each five times slower: a plain 0.0, which is a float64
and widens all it is compared with; and a signed offset, which could be negative and then counts
from the end, so that every access is checked.
"""

from typing import Any

import numpy as np
from numba import njit

ZERO, ONE = np.float32(0), np.float32(1)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def match(
    stored: Any, offset: int, width: int, num_actions: int, num_hands: int,
    policy: Any, first: int, total: Any,
) -> None:  # fmt: skip
    """policy[first + a] = stored clipped at 0 and normalised over a; uniform where all are 0."""
    for i in range(num_hands):
        total[i] = ZERO
    for a in range(num_actions):
        begin, row = np.uint64(offset + a * width), first + a
        for i in range(num_hands):
            clipped = max(stored[begin + np.uint64(i)], ZERO)
            policy[row, i] = clipped
            total[i] += clipped
    uniform = np.float32(1.0 / num_actions)
    for i in range(num_hands):
        total[i] = ONE / total[i] if total[i] > ZERO else ZERO
    for a in range(first, first + num_actions):
        for i in range(num_hands):
            policy[a, i] = policy[a, i] * total[i] if total[i] > ZERO else uniform


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def multiply(target: Any, t: int, reach: Any, r: int, policy: Any, p: int, num_hands: int) -> None:
    """target[t] = reach[r] * policy[p]."""
    for i in range(num_hands):
        target[t, i] = reach[r, i] * policy[p, i]


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def add(cfv: Any, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += cfv[a, i]


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def best(cfv: Any, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = maximum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] = max(cfv[node, i], cfv[a, i])


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def mix(cfv: Any, node: int, policy: Any, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions of policy * cfv."""
    for i in range(num_hands):
        cfv[node, i] = policy[first, i] * cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += policy[a, i] * cfv[a, i]


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def learn(
    regret: Any, policy_sum: Any, offset: int, width: int, num_actions: int, num_hands: int,
    cfv: Any, node: int, first: int, policy: Any, own: Any, own_row: int, weights: Any,
) -> None:  # fmt: skip
    """Update regret and policy sum of the player who acts at `node`."""
    positive, negative, keep = weights[0], weights[1], weights[2]
    for a in range(num_actions):
        begin, row = np.uint64(offset + a * width), first + a
        for i in range(num_hands):
            old = regret[begin + np.uint64(i)]
            faded = old * (positive if old > ZERO else negative)
            regret[begin + np.uint64(i)] = faded + (cfv[row, i] - cfv[node, i])
        for i in range(num_hands):
            played = own[own_row, i] * policy[row, i]
            summed = policy_sum[begin + np.uint64(i)] * keep + played
            policy_sum[begin + np.uint64(i)] = summed
