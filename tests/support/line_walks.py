"""Hands, policies and reach to walk a group of lines with."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from poker_solver.trees.lines import Group, Pairs

Float = NDArray[np.float64]

NUM_HANDS = (4, 5)


def random_pairs(rng: Generator) -> tuple[Pairs, Pairs]:
    """Hands that meet or block each other, and beat each other in one order; of OOP and IP."""
    strength = [rng.integers(0, 4, count) for count in NUM_HANDS]
    meet = (rng.random(NUM_HANDS) < 0.8).astype(float)
    order = np.sign(strength[0][:, None] - strength[1][None, :]).astype(float)
    return Pairs(meet, order), Pairs(meet.T, -order.T)


def random_rows(rng: Generator, group: Group) -> tuple[list[Float], list[Float]]:
    """Policies and reach of both players."""
    policy = [
        np.zeros((rows, hands)) for rows, hands in zip(group.num_rows, NUM_HANDS, strict=True)
    ]
    for _, decision in group.decisions:
        drawn = rng.random((len(decision.rows), NUM_HANDS[decision.player]))
        policy[decision.player][list(decision.rows)] = drawn / drawn.sum(0)
    return policy, [rng.random((len(group.entries), hands)) for hands in NUM_HANDS]
