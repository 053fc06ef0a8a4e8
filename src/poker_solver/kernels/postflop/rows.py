"""What happens to whole rows of hands at a decision.

Decisions of two to four actions go through `blocks`, sixteen hands at a time; those of other sizes
through the plain loops here, which say the same.

Two things keep such a loop from vectorising, each five times slower: a plain 0.0, which is a
float64 and widens all it is compared with; and a signed offset, which could be negative and then
counts from the end, so that every access is checked.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

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
    silence,
)
from poker_solver.kernels.postflop.compiled import inlined, inner, inner_loops

ZERO, HALF, ONE = np.float32(0), np.float32(0.5), np.float32(1)
MOST_16 = np.float32(32767)


@inlined
def match(
    stored: Any, offset: int, num_actions: int, num_hands: int, policy: Any, first: int, total: Any
) -> None:
    """policy[first + a] = stored clipped at 0 and normalised over a; uniform where all are 0."""
    if not 2 <= num_actions <= 4:
        _match(stored, offset, num_actions, num_hands, policy, first, total)
        return
    pitch = policy.shape[1]
    for i in range(0, num_hands, LANES):
        s, p = offset + i, first * pitch + i
        if num_actions == 2:
            match_2(stored, s, num_hands, policy, p, pitch)
        elif num_actions == 3:
            match_3(stored, s, num_hands, policy, p, pitch)
        else:
            match_4(stored, s, num_hands, policy, p, pitch)


@inner_loops
def _match(
    stored: Any, offset: int, num_actions: int, num_hands: int, policy: Any, first: int, total: Any
) -> None:
    for i in range(num_hands):
        total[i] = ZERO
    for a in range(num_actions):
        start, row = np.uint64(offset + a * num_hands), first + a
        for i in range(num_hands):
            clipped = max(np.float32(stored[start + np.uint64(i)]), ZERO)
            policy[row, i] = clipped
            total[i] += clipped
    uniform = np.float32(1.0 / num_actions)
    for i in range(num_hands):
        total[i] = ONE / total[i] if total[i] > ZERO else ZERO
    for a in range(first, first + num_actions):
        for i in range(num_hands):
            policy[a, i] = policy[a, i] * total[i] if total[i] > ZERO else uniform


@inlined
def play(
    stored: Any, offset: int, num_actions: int, num_hands: int, reach: Any, row: int, first: int,
    policy: Any, total: Any,
) -> None:  # fmt: skip
    """reach[first + a] = reach[row] * policy of a; the policy itself is not kept."""
    if not 2 <= num_actions <= 4:
        _match(stored, offset, num_actions, num_hands, policy, first, total)
        for a in range(first, first + num_actions):
            for i in range(num_hands):
                reach[a, i] = reach[row, i] * policy[a, i]
        return
    pitch = reach.shape[1]
    for i in range(0, num_hands, LANES):
        s, r, below = offset + i, row * pitch + i, first * pitch + i
        if num_actions == 2:
            play_2(stored, s, num_hands, reach, r, below, pitch)
        elif num_actions == 3:
            play_3(stored, s, num_hands, reach, r, below, pitch)
        else:
            play_4(stored, s, num_hands, reach, r, below, pitch)


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


@inner
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


@inner_loops
def mix(cfv: Any, node: int, policy: Any, first: int, num_actions: int, num_hands: int) -> None:
    """cfv[node] = sum over actions of policy * cfv."""
    for i in range(num_hands):
        cfv[node, i] = policy[first, i] * cfv[first, i]
    for a in range(first + 1, first + num_actions):
        for i in range(num_hands):
            cfv[node, i] += policy[a, i] * cfv[a, i]


@inlined
def learn(
    state: Any, offset: int, scale_at: int, num_actions: int, num_hands: int, is_live: Any,
    cfv: Any, node: int, first: int, own: Any, own_row: int, weights: Any, policy: Any, work: Any,
) -> None:  # fmt: skip
    """Set cfv[node] to the mix and update regret and policy sum of the player who acts there."""
    update(
        state.regret, state.scale, state.policy_sum, offset, scale_at, num_actions, num_hands,
        is_live, cfv, node, first, own, own_row, weights, policy, work.total, work.regret,
    )  # fmt: skip


def update(
    regret: Any, scale: Any, policy_sum: Any, offset: int, scale_at: int, num_actions: int,
    num_hands: int, is_live: Any, cfv: Any, node: int, first: int, own: Any, own_row: int,
    weights: Any, policy: Any, total: Any, scratch: Any,
) -> None:  # fmt: skip
    """`learn`, by the kind of number that regrets are kept in."""
    raise NotImplementedError  # only its compiled forms, below, are ever called


@overload(update, inline="always")
def _choose_update(
    regret: Any, scale: Any, policy_sum: Any, offset: int, scale_at: int, num_actions: int,
    num_hands: int, is_live: Any, cfv: Any, node: int, first: int, own: Any, own_row: int,
    weights: Any, policy: Any, total: Any, scratch: Any,
) -> Any:  # fmt: skip
    def in_place(
        regret: Any, scale: Any, policy_sum: Any, offset: int, scale_at: int, num_actions: int,
        num_hands: int, is_live: Any, cfv: Any, node: int, first: int, own: Any, own_row: int,
        weights: Any, policy: Any, total: Any, scratch: Any,
    ) -> None:  # fmt: skip
        _learn_rows(
            regret, offset, policy_sum, offset, num_actions, num_hands, cfv, node, first, own,
            own_row, weights, policy, total,
        )  # fmt: skip

    def unpacked(
        regret: Any, scale: Any, policy_sum: Any, offset: int, scale_at: int, num_actions: int,
        num_hands: int, is_live: Any, cfv: Any, node: int, first: int, own: Any, own_row: int,
        weights: Any, policy: Any, total: Any, scratch: Any,
    ) -> None:  # fmt: skip
        count = num_actions * num_hands
        _unpack(regret, offset, scale[scale_at], count, scratch)
        _learn_rows(
            scratch, 0, policy_sum, offset, num_actions, num_hands, cfv, node, first, own, own_row,
            weights, policy, total,
        )  # fmt: skip
        scale[scale_at] = _pack(scratch, num_actions, num_hands, is_live, regret, offset)

    return unpacked if isinstance(regret.dtype, types.Integer) else in_place


@inlined
def _learn_rows(
    regret: Any, regret_at: int, policy_sum: Any, sum_at: int, num_actions: int, num_hands: int,
    cfv: Any, node: int, first: int, own: Any, own_row: int, weights: Any, policy: Any, total: Any,
) -> None:  # fmt: skip
    if not 2 <= num_actions <= 4:
        _match(regret, regret_at, num_actions, num_hands, policy, first, total)
        mix(cfv, node, policy, first, num_actions, num_hands)
        _learn(
            regret, regret_at, policy_sum, sum_at, num_actions, num_hands, cfv, node, first,
            policy, own, own_row, weights,
        )  # fmt: skip
        return
    up, down, keep = weights[0], weights[1], weights[2]
    pitch, width = cfv.shape[1], num_hands
    for i in range(0, num_hands, LANES):
        r, s, n = regret_at + i, sum_at + i, node * pitch + i
        below, o = first * pitch + i, own_row * pitch + i
        if num_actions == 2:
            learn_2(regret, r, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)
        elif num_actions == 3:
            learn_3(regret, r, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)
        else:
            learn_4(regret, r, policy_sum, s, width, cfv, n, below, pitch, own, o, up, down, keep)


@inner_loops
def _learn(
    regret: Any, regret_at: int, policy_sum: Any, sum_at: int, num_actions: int, num_hands: int,
    cfv: Any, node: int, first: int, policy: Any, own: Any, own_row: int, weights: Any,
) -> None:  # fmt: skip
    positive, negative, keep = weights[0], weights[1], weights[2]
    for a in range(num_actions):
        start, row = np.uint64(regret_at + a * num_hands), first + a
        for i in range(num_hands):
            old = regret[start + np.uint64(i)]
            faded = old * (positive if old > ZERO else negative)
            regret[start + np.uint64(i)] = faded + (cfv[row, i] - cfv[node, i])
        start = np.uint64(sum_at + a * num_hands)
        for i in range(num_hands):
            played = own[own_row, i] * policy[row, i]
            summed = policy_sum[start + np.uint64(i)] * keep + played
            policy_sum[start + np.uint64(i)] = summed


@inner_loops
def _unpack(packed: Any, offset: int, scale: Any, count: int, out: Any) -> None:
    start = np.uint64(offset)
    for i in range(count):
        out[np.uint64(i)] = scale * np.float32(packed[start + np.uint64(i)])


@inner_loops
def _pack(
    values: Any, num_actions: int, num_hands: int, is_live: Any, packed: Any, offset: int
) -> Any:
    """Round live hands' numbers to int16, the largest becoming 32767; what to multiply by."""
    most = silence(values, is_live, num_actions, num_hands)
    factor = MOST_16 / most if most > ZERO else ZERO
    start = np.uint64(offset)
    for i in range(num_actions * num_hands):
        value = values[np.uint64(i)] * factor
        rounded = value + (HALF if value > ZERO else -HALF)  # np.rint would be called for each
        packed[start + np.uint64(i)] = np.int16(np.int32(rounded))
    return most / MOST_16
