"""A betting tree before the flop as the range kernels want it; no hands."""

import numpy as np

from poker_solver.config.base import to_bb
from poker_solver.games import betting
from poker_solver.games.betting import FOLD, NONE, Betting
from poker_solver.kernels.arrays import I32, I64
from poker_solver.kernels.range_cfr import DECISION, FOLDED, LEAF, SHOWDOWN, Tree
from poker_solver.trees.betting import BettingTree

_KIND = {betting.DECISION: DECISION, betting.FOLD: FOLDED, betting.SHOWDOWN: SHOWDOWN}


def flop_nodes(tree: BettingTree) -> I64:
    """[K] where a flop would be seen with chips behind."""

    def sees_flop(state: Betting) -> bool:
        return state.kind == betting.SHOWDOWN and state.bet < tree.rules.stack

    return np.flatnonzero(tree.by_state(sees_flop, np.bool_))


def kernel_tree(tree: BettingTree, num_deals: float, leaves: I64 | None = None) -> Tree:
    """Stakes are per deal, and both players pay half the rake of a pot that is shown down.

    What `leaves`, some of its ends, are worth comes from outside.
    """
    child_start = np.empty(tree.num_nodes + 1, np.int64)
    child_start[0] = 1
    np.cumsum(tree.num_children, out=child_start[1:])
    child_start[1:] += 1
    stake, rake = np.array([stakes_bb(tree, state) for state in tree.states]).T
    kind = tree.by_state(lambda state: _KIND[state.kind], np.int8)
    if leaves is not None:
        kind[leaves] = LEAF
    return Tree(
        num_levels=len(tree.level_start) - 1,
        child_start=child_start,
        kind=kind,
        actor=tree.by_state(
            lambda state: state.folder if state.kind == FOLD else state.actor, np.int8
        ),
        stake=((stake - rake / 2) / num_deals)[tree.state],
        drop=(rake / 2 / num_deals)[tree.state],
    )


def leaf_numbers(tree: BettingTree, leaves: I64) -> I32:
    """[V] which of the leaves each node is; NONE elsewhere."""
    numbers = np.full(tree.num_nodes, NONE, np.int32)
    numbers[leaves] = np.arange(len(leaves))
    return numbers


def stakes_bb(tree: BettingTree, state: Betting) -> tuple[float, float]:
    """What the loser has paid at an end of the betting, and the rake; 0 elsewhere.

    At a fold the loser is who folded and nobody takes a rake.
    """
    betting = tree.rules.preflop
    assert betting is not None
    if not state.is_over:
        return 0.0, 0.0
    stake = to_bb(state.bets[state.folder] + betting.ante_chips)  # both are the same at a showdown
    return stake, 0.0 if state.kind == FOLD else betting.rake.taken(2 * stake)
