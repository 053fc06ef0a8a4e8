"""Strategies that are fixed: what they are worth, and where they stand in the state."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16
from poker_solver.kernels.postflop import Locks, River, Street
from poker_solver.kernels.postflop.cpu.jit import inlined, inner, kernel
from poker_solver.kernels.postflop.cpu.rows import ONE, ZERO


@inlined
def locked(locks: Locks, node: int, board: int) -> np.int32:
    """Which table holds at a node on a board; -1 for none."""
    k = locks.node[node]
    table: np.int32 = locks.table[k, board] if k >= 0 else np.int32(-1)
    return table


@inner
def hold(
    cfv: F32, row: int, first: int, num_actions: int, num_hands: int, locks: Locks, table: np.int32,
    hand: int,
) -> None:  # fmt: skip
    """cfv[row] = sum over actions of policy * cfv, for the hands that a table locks.

    The rows have num_hands hands, `hand` and those after it.
    """
    if table < 0:
        return
    for i in range(num_hands):
        if locks.is_fixed[table, hand + i]:
            value = ZERO
            for a in range(num_actions):
                value += locks.policy[table, a, hand + i] * cfv[first + a, i]
            cfv[row, i] = value


@kernel
def restore(
    part: Street | River, player: int, num_hands: int, regret: F32 | I16, unit: np.float32,
    policy_sum: F32,
) -> None:  # fmt: skip
    """Set the state of the player's locked hands on one street to their probabilities.

    Regret matching and averaging both give back what they find there. `unit` is what a probability
    of 1 is as a regret: 1, or for int16 half of what is the most, so that hands that are free
    decide how fine the scale is.
    """
    locks = part.locks
    for node in range(len(locks.node)):
        k = locks.node[node]
        if k < 0 or part.kind[node] != player:
            continue
        for board in range(locks.table.shape[1]):
            table = locks.table[k, board]
            if table < 0:
                continue
            begin = part.offset[node] + board * part.stride[node]
            for a in range(part.num_children[node]):
                for i in range(num_hands):
                    if locks.is_fixed[table, i]:
                        at = begin + a * num_hands + i
                        share = unit * locks.policy[table, a, i]
                        regret[at] = share if unit == ONE else np.rint(share)
                        policy_sum[at] = locks.policy[table, a, i]
