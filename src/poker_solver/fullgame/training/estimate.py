"""What strategies of many flops are worth, measured on a sample of them: a bound on either side.

Best responses that are chosen and valued on the same flops fit them too well: on average they seem
to win more than any does on all flops. Chosen on one half of the sample and valued on the other
they win less than the best. After the flop nothing is sampled: there each is exact, flop by flop.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.kernels.range_cfr.numba_loops import Leaves
from poker_solver.kernels.range_cfr.on_numba import Evaluator
from poker_solver.preflop.ranges import node_reach

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """The exploitability of average strategies, between two bounds that hold on average."""

    num_flops: int  # of the sample
    lower_mbb: float  # chosen on one half, valued on the other
    upper_mbb: float  # chosen and valued on the same; the same number where all flops were walked
    value_bb: tuple[float, float]  # of BB and SB
    leaf_values: F64  # [2, K, C] bb per deal at every line, of both averages

    @property
    def bounds_mbb(self) -> tuple[float, float]:
        """The lower one first."""
        return self.lower_mbb, self.upper_mbb


class Replies:
    """Best responses before the flop, to average strategies [V, C] not normalised."""

    def __init__(self, game: FullGame, sums: F64) -> None:
        self.game, self.sums = game, sums
        self._evaluator = Evaluator(game.kernel_tree(), game.deal.hands)
        self._number = np.full(game.tree.num_nodes, -1, np.int32)
        self._number[game.leaves] = np.arange(len(game.leaves))

    def chosen_by(self, player: int, chosen: F64, valued: F64) -> float:
        """What the one that is best by [K, C] some values at lines wins by others."""
        leaves = Leaves(self._number, valued, valued)
        policy = self._choose(player, chosen)
        return float(self._evaluator.values(policy, player, leaves=leaves)[1].sum())

    def _choose(self, player: int, leaf_values: F64) -> F64:
        """[V, C] the averages, but what is best for every hand of the player."""
        tree, found = self.game.tree, self.sums.copy()
        leaves = Leaves(self._number, leaf_values, leaf_values)
        own = tree.is_decision & (tree.actor == player)
        for node in np.flatnonzero(own).tolist():
            children, other = tree.children(node), node_reach(tree, self.sums, node)[1 - player]
            values = [
                self._evaluator.values(self.sums, player, child, other, leaves)[0]
                for child in children
            ]
            best = np.stack(values)
            found[children.start : children.stop] = best == best.max(axis=0)
        return found


def estimate(preflop: Preflop, best: F64, mean: F64, num_flops: int) -> Estimate:
    """From [P, 2, K, C] what best responses and averages get at lines, on P parts of a sample.

    Each part stands for all flops. A single one is no sample: it has them all.
    """
    worth = preflop.worth(best.mean(axis=0), mean.mean(axis=0))
    upper = lower = sum(worth.best)
    if len(best) > 1:
        replies = Replies(preflop.game, preflop.kernels.state.policy_sum)
        pairs = zip(best, np.roll(best, 1, axis=0), strict=True)
        won = [replies.chosen_by(p, one[p], other[p]) for one, other in pairs for p in (0, 1)]
        lower = sum(won) / len(best)
    bounds = [500.0 * (found - sum(worth.mean)) for found in (lower, upper)]
    return Estimate(num_flops, bounds[0], bounds[1], worth.mean, mean.mean(axis=0))
