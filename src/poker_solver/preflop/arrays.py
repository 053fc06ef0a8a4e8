"""A betting tree as the range kernels want it; no hands."""

import numpy as np

from poker_solver.kernels.range_cfr import Tree
from poker_solver.trees.preflop import BettingTree, stakes_bb


def kernel_tree(tree: BettingTree, num_deals: float) -> Tree:
    """Stakes are per deal, and both players pay half the rake of a pot that is shown down."""
    stake, rake = stakes_bb(tree)
    who = np.array([s.folded if s.is_over else s.to_act for s in tree.states], np.int8)
    return Tree(
        num_levels=tree.num_levels,
        child_start=tree.child_start.astype(np.int64),
        kind=tree.kind.astype(np.int8),
        actor=who[tree.state],
        stake=(stake - rake / 2) / num_deals,
        drop=rake / 2 / num_deals,
    )
