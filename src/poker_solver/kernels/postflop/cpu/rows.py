"""What happens to whole rows of hands at a decision of a street above the river.

A plain 0.0 is a float64 and widens all it is compared with, and a signed offset could be negative
and then counts from the end, so that every access is checked: each keeps a loop from vectorising,
which is five times slower.
"""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, I16
from poker_solver.kernels.postflop import LANES
from poker_solver.kernels.postflop.cpu import Rows, State
from poker_solver.kernels.postflop.cpu.jit import inlined, inner, inner_loops
from poker_solver.kernels.postflop.cpu.packing import is_packed, learning, narrow, widen
from poker_solver.kernels.postflop.cpu.simd import blocks

ONE, ZERO = np.float32(1), np.float32(0)

match_block, play_block, learn_block = blocks.match, blocks.play, blocks.learn


class Decision(NamedTuple):
    """Where a decision stands in state and scratch."""

    offset: int  # of its state
    scale_at: int
    num_actions: int
    node: int  # its row
    first: int  # that of its first action


@inlined
def match(
    stored: F32 | I16, offset: int, count: int, num_hands: int, policy: F32, first: int
) -> None:
    """policy[first + a] = stored clipped at 0 and normalised over a; uniform where all are 0."""
    pitch = policy.shape[1]
    for i in range(0, num_hands, LANES):
        match_block(stored, offset + i, num_hands, count, policy, first * pitch + i, pitch)


@inlined
def play(
    stored: F32 | I16, offset: int, count: int, num_hands: int, reach: F32, row: int, first: int
) -> None:
    """reach[first + a] = reach[row] * policy of a; the policy itself is not kept."""
    pitch = reach.shape[1]
    for i in range(0, num_hands, LANES):
        r, below = row * pitch + i, first * pitch + i
        play_block(stored, offset + i, num_hands, count, reach, r, below, pitch)


@inner_loops
def add(cfv: F32, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += cfv[a, i]


@inner_loops
def best(cfv: F32, node: int, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = maximum over actions."""
    for i in range(num_hands):
        cfv[node, i] = cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] = max(cfv[node, i], cfv[a, i])


@inner_loops
def mix(cfv: F32, node: int, policy: F32, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions of policy * cfv."""
    for i in range(num_hands):
        cfv[node, i] = policy[first, i] * cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += policy[a, i] * cfv[a, i]


@inner
def record(
    written: F32, offset: int, width: int, num_actions: int, num_hands: int, cfv: F32, first: int
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
def learn(state: State, weights: F32, at: Decision, is_live: F32, rows: Rows, scratch: F32) -> None:
    """Set the decision's cfv to the mix and update regret and policy sum of who acts there."""
    cfv, num_hands, pitch = rows.cfv, len(is_live), rows.cfv.shape[1]
    scale_at = at.scale_at
    regret, begin = learning(state, at.offset, scratch, 0)
    if is_packed(state):
        size = at.num_actions * num_hands
        widen(state.regret, at.offset, state.scale[scale_at], size, scratch, 0)
    for i in range(0, num_hands, LANES):
        node, below = at.node * pitch + i, at.first * pitch + i
        learn_block(
            regret, begin + i, state.policy_sum, at.offset + i, num_hands, at.num_actions, cfv,
            node, below, pitch, rows.own, node, weights,
        )  # fmt: skip
    if is_packed(state):
        narrow(scratch, 0, at.num_actions, is_live, state, at.offset, scale_at)
