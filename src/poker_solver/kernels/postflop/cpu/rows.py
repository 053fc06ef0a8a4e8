"""What happens to whole rows of hands at a decision of a street above the river.

A plain 0.0 is a float64 and widens all it is compared with, and a signed offset could be negative
and then counts from the end, so that every access is checked: each keeps a loop from vectorising,
which is five times slower.
"""

from typing import Any

import numpy as np

from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu.jit import inlined, inner, inner_loops
from poker_solver.kernels.postflop.cpu.packing import narrow, wide, widen
from poker_solver.kernels.postflop.cpu.simd import blocks

ONE, ZERO = np.float32(1), np.float32(0)

match_block, play_block, learn_block = blocks.match, blocks.play, blocks.learn


@inlined
def match(stored: Any, offset: int, count: int, num_hands: int, policy: Any, first: int) -> None:
    """policy[first + a] = stored clipped at 0 and normalised over a; uniform where all are 0."""
    pitch = policy.shape[1]
    for i in range(0, num_hands, LANES):
        match_block(stored, offset + i, num_hands, count, policy, first * pitch + i, pitch)


@inlined
def play(
    stored: Any, offset: int, count: int, num_hands: int, reach: Any, row: int, first: int
) -> None:
    """reach[first + a] = reach[row] * policy of a; the policy itself is not kept."""
    pitch = reach.shape[1]
    for i in range(0, num_hands, LANES):
        r, below = row * pitch + i, first * pitch + i
        play_block(stored, offset + i, num_hands, count, reach, r, below, pitch)


@inner_loops
def add(cfv: Any, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += cfv[a, i]


@inner_loops
def best(cfv: Any, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = maximum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] = max(cfv[node, i], cfv[a, i])


@inner_loops
def mix(cfv: Any, node: int, policy: Any, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions of policy * cfv."""
    for i in range(num_hands):
        cfv[node, i] = policy[first, i] * cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += policy[a, i] * cfv[a, i]


@inner
def record(
    written: Any, offset: int, width: int, num_actions: int, num_hands: int, cfv: Any, first: int
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
            written[offset + a * width + i] = ONE if is_best else ZERO


@inlined
def learn(
    state: Any, offset: int, scale_at: int, count: int, num_hands: int, is_live: Any, cfv: Any,
    node: int, first: int, own: Any, own_row: int, weights: Any, scratch: Any,
) -> None:  # fmt: skip
    """Set cfv[node] to the mix and update regret and policy sum of the player who acts there."""
    size, pitch = count * num_hands, cfv.shape[1]
    widen(state.regret, state.scale, offset, scale_at, size, scratch, 0)
    regret, begin = wide(state.regret, offset, scratch, 0)
    for i in range(0, num_hands, LANES):
        learn_block(
            regret, begin + i, state.policy_sum, offset + i, num_hands, count, cfv,
            node * pitch + i, first * pitch + i, pitch, own, own_row * pitch + i, weights[0],
            weights[1], weights[2],
        )  # fmt: skip
    narrow(state.regret, state.scale, offset, scale_at, count, num_hands, is_live, scratch, 0)
