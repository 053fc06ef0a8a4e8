"""Strategies that are fixed: what they are worth, and their place in the state."""

from typing import Any

import numpy as np

from poker_solver.kernels.postflop.cpu.jit import inner, kernel
from poker_solver.kernels.postflop.cpu.rows import ONE, ZERO


@inner
def hold(
    cfv: Any, row: int, first: int, num_actions: int, num_hands: int,
    locks: Any, node: int, board: int, hand: int,
) -> None:  # fmt: skip
    """cfv[row] = sum over actions of policy * cfv, for the hands of a node that are locked.

    The rows have num_hands hands, `hand` and those after it.
    """
    if locks.node[node] < 0:
        return
    table = locks.table[locks.node[node], board]
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
    part: Any, player: int, num_hands: int, regret: Any, unit: Any, policy_sum: Any
) -> None:
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
                        place = begin + a * num_hands + i
                        share = unit * locks.policy[table, a, i]
                        regret[place] = share if unit == ONE else np.rint(share)
                        policy_sum[place] = locks.policy[table, a, i]
