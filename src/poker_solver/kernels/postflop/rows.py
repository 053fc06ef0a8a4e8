"""What happens to whole rows of hands at a decision.

Full blocks of sixteen hands of two to four actions go through `blocks`; the hands that are left
over, and decisions of other sizes, through the plain loops here, which say the same.

Two things keep such a loop from vectorising, each five times slower: a plain 0.0, which is a
float64 and widens all it is compared with; and a signed offset, which could be negative and then
counts from the end, so that every access is checked.
"""

from typing import Any

import numpy as np
from numba import njit

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.blocks import (
    learn_2,
    learn_3,
    learn_4,
    match_2,
    match_3,
    match_4,
    play_2,
    play_3,
    play_4,
)

ZERO, ONE = np.float32(0), np.float32(1)


@njit(cache=True, nogil=True)
def match(
    stored: Any, offset: int, width: int, num_actions: int, num_hands: int,
    policy: Any, first: int, total: Any,
) -> None:  # fmt: skip
    """policy[first + a] = stored clipped at 0 and normalised over a; uniform where all are 0."""
    pitch, done = policy.shape[1], 0
    if 2 <= num_actions <= 4:
        done = num_hands // LANES * LANES
        for i in range(0, done, LANES):
            s, p = offset + i, first * pitch + i
            if num_actions == 2:
                match_2(stored, s, width, policy, p, pitch)
            elif num_actions == 3:
                match_3(stored, s, width, policy, p, pitch)
            else:
                match_4(stored, s, width, policy, p, pitch)
    if done < num_hands:
        _match(stored, offset, width, num_actions, done, num_hands, policy, first, total)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _match(
    stored: Any, offset: int, width: int, num_actions: int, begin: int, end: int,
    policy: Any, first: int, total: Any,
) -> None:  # fmt: skip
    for i in range(begin, end):
        total[i] = ZERO
    for a in range(num_actions):
        start, row = np.uint64(offset + a * width), first + a
        for i in range(begin, end):
            clipped = max(stored[start + np.uint64(i)], ZERO)
            policy[row, i] = clipped
            total[i] += clipped
    uniform = np.float32(1.0 / num_actions)
    for i in range(begin, end):
        total[i] = ONE / total[i] if total[i] > ZERO else ZERO
    for a in range(first, first + num_actions):
        for i in range(begin, end):
            policy[a, i] = policy[a, i] * total[i] if total[i] > ZERO else uniform


@njit(cache=True, nogil=True)
def play(
    stored: Any, offset: int, width: int, num_actions: int, num_hands: int,
    reach: Any, row: int, first: int, policy: Any, total: Any,
) -> None:  # fmt: skip
    """reach[first + a] = reach[row] * policy of a; the policy itself is not kept."""
    pitch, done = reach.shape[1], 0
    if 2 <= num_actions <= 4:
        done = num_hands // LANES * LANES
        for i in range(0, done, LANES):
            s, r, below = offset + i, row * pitch + i, first * pitch + i
            if num_actions == 2:
                play_2(stored, s, width, reach, r, below, pitch)
            elif num_actions == 3:
                play_3(stored, s, width, reach, r, below, pitch)
            else:
                play_4(stored, s, width, reach, r, below, pitch)
    if done < num_hands:
        _match(stored, offset, width, num_actions, done, num_hands, policy, first, total)
        for a in range(first, first + num_actions):
            for i in range(done, num_hands):
                reach[a, i] = reach[row, i] * policy[a, i]


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


@njit(cache=True, nogil=True)
def record(
    written: Any, offset: int, num_actions: int, num_hands: int, cfv: Any, first: int
) -> None:
    """Write 1 at the best action of each hand, 0 at the others; all 0 if they are equal."""
    for i in range(num_hands):
        most, least = 0, 0
        for a in range(1, num_actions):
            if cfv[first + a, i] > cfv[first + most, i]:
                most = a
            if cfv[first + a, i] < cfv[first + least, i]:
                least = a
        for a in range(num_actions):
            is_best = a == most and cfv[first + most, i] > cfv[first + least, i]
            written[offset + a * num_hands + i] = ONE if is_best else ZERO


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def mix(
    cfv: Any, node: int, policy: Any, first: int, num_actions: int, begin: int, end: int
) -> None:
    """cfv[node] = sum over actions of policy * cfv, for hands begin:end."""
    for i in range(begin, end):
        cfv[node, i] = policy[first, i] * cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(begin, end):
            cfv[node, i] += policy[a, i] * cfv[a, i]


@njit(cache=True, nogil=True)
def learn(
    regret: Any, policy_sum: Any, offset: int, width: int, num_actions: int, num_hands: int,
    cfv: Any, node: int, first: int, own: Any, own_row: int, weights: Any, policy: Any, total: Any,
) -> None:  # fmt: skip
    """Set cfv[node] to the mix and update regret and policy sum of the player who acts there."""
    up, down, keep = weights[0], weights[1], weights[2]
    pitch, done = cfv.shape[1], 0
    if 2 <= num_actions <= 4:
        done = num_hands // LANES * LANES
        for i in range(0, done, LANES):
            s, n, below, o = offset + i, node * pitch + i, first * pitch + i, own_row * pitch + i
            if num_actions == 2:
                learn_2(regret, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)
            elif num_actions == 3:
                learn_3(regret, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)
            else:
                learn_4(regret, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)
    if done < num_hands:
        _match(regret, offset, width, num_actions, done, num_hands, policy, first, total)
        mix(cfv, node, policy, first, num_actions, done, num_hands)
        _learn(
            regret, policy_sum, offset, width, num_actions, done, num_hands, cfv, node, first,
            policy, own, own_row, weights,
        )  # fmt: skip


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _learn(
    regret: Any, policy_sum: Any, offset: int, width: int, num_actions: int, begin: int, end: int,
    cfv: Any, node: int, first: int, policy: Any, own: Any, own_row: int, weights: Any,
) -> None:  # fmt: skip
    positive, negative, keep = weights[0], weights[1], weights[2]
    for a in range(num_actions):
        start, row = np.uint64(offset + a * width), first + a
        for i in range(begin, end):
            old = regret[start + np.uint64(i)]
            faded = old * (positive if old > ZERO else negative)
            regret[start + np.uint64(i)] = faded + (cfv[row, i] - cfv[node, i])
        for i in range(begin, end):
            played = own[own_row, i] * policy[row, i]
            summed = policy_sum[start + np.uint64(i)] * keep + played
            policy_sum[start + np.uint64(i)] = summed
