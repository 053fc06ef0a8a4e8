"""Ranges that strategies lead to: how often a player's own actions bring each class to a node."""

import numpy as np
from numpy.typing import NDArray

from poker_solver.trees.betting import BettingTree

Float = NDArray[np.float64]


def shares(weight: Float) -> Float:
    """[A, H] each action's part of what all have together; the same for all where that is 0."""
    total = weight.sum(axis=0)
    found = np.full_like(weight, 1.0 / max(len(weight), 1))
    np.divide(weight, total, out=found, where=total > 0)
    return found


def node_reach(tree: BettingTree, weight: Float, node: int) -> Float:
    """[2, H] of BB and SB at a node, where `weight` [V, H] says what is played."""
    found = np.ones((2, weight.shape[1]))
    while node > 0:
        parent = int(tree.parent[node])
        children = tree.children(parent)
        played = shares(weight[children.start : children.stop])
        found[tree.betting(parent).actor] *= played[node - children.start]
        node = parent
    return found


def leaf_reach(tree: BettingTree, weight: Float, nodes: NDArray[np.int64]) -> Float:
    """[2, K, H] likewise at several nodes."""
    return np.stack([node_reach(tree, weight, node) for node in nodes.tolist()], axis=1)
