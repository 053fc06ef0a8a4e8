"""What strategies of many flops are worth, measured on a sample of them: a bound on either side.

Best responses that are chosen and valued on the same flops fit them too well: on average they seem
to win more than any does on all flops. Chosen on one half of the sample and valued on the other
they win less than the best. After the flop nothing is sampled: there each is exact, flop by flop.
How far another sample may be from this one is told by how much flops differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.training.trunk import Preflop, Worth
from poker_solver.kernels.range_cfr.numba_loops import Leaves
from poker_solver.kernels.range_cfr.on_numba import Evaluator
from poker_solver.preflop.ranges import leaf_reach, node_reach

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """The exploitability of average strategies, between two bounds that hold on average."""

    num_flops: int  # of the sample
    lower_mbb: float  # chosen on one half, valued on the other
    worth: Worth  # chosen and valued on the same
    error_mbb: float  # standard error of the upper bound; 0 where all flops were walked
    leaf_values: F64  # [2, K, C] bb per deal that classes win at lines, see `Preflop.played`

    @property
    def upper_mbb(self) -> float:
        """The same number as the lower one where all flops were walked."""
        return 1000.0 * self.worth.exploitability_bb

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

    def gains(self, player: int, best: F64, mean: F64) -> F64:
        """[S] what the best one by all of them wins more than the average on each of some flops.

        With [S, K, C] what both get there at every line, which add up to what they get on all.
        """
        tree, leaves = self.game.tree, self.game.leaves
        reply = leaf_reach(tree, self._choose(player, best.sum(axis=0)), leaves)[player]
        average = leaf_reach(tree, self.sums, leaves)[player]
        found: F64 = (best * reply - mean * average).sum(axis=(1, 2))
        return found

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


@dataclass(frozen=True, eq=False)
class Part:
    """Flops of a sample that stand for all, and [2, 2, K, C] what is won there at every line.

    First of best responses, then of averages; BB first.
    """

    weights: F64  # [S] of the 22,100; all flops of a game have that many together
    by_flop: F64  # [S, 2, 2, K, C] in bb per deal
    total: F64  # [2, 2, K, C] their sum


def estimate(preflop: Preflop, parts: Sequence[Part], num_flops: int) -> Estimate:
    """From one part that has all flops of a game, or from two that are samples of so many."""
    best, mean = np.mean([part.total for part in parts], axis=0)
    worth = preflop.worth(best, mean)
    lower, error = sum(worth.best), 0.0
    if len(parts) > 1:
        replies = Replies(preflop.game, preflop.kernels.state.policy_sum)
        pairs = [(a.total[0], b.total[0]) for a, b in zip(parts, parts[::-1], strict=True)]
        won = [replies.chosen_by(p, one[p], other[p]) for one, other in pairs for p in (0, 1)]
        lower, error = sum(won) / len(parts), _error(replies, parts, num_flops)
    bound = 1000.0 * ((lower - sum(worth.mean)) / 2)
    walked = sum(len(part.weights) for part in parts)
    return Estimate(walked, bound, worth, 500.0 * error, preflop.played(best, mean))


def _error(replies: Replies, parts: Sequence[Part], num_flops: int) -> float:
    """The standard error of what both best responses gain, in bb: of a ratio to the weights."""
    by_flop = np.concatenate([part.by_flop for part in parts]) / len(parts)
    weights = np.concatenate([part.weights for part in parts])
    gains = sum(replies.gains(p, by_flop[:, 0, p], by_flop[:, 1, p]) for p in (0, 1))
    apart, num = gains - weights * (np.sum(gains) / weights.sum()), len(weights)
    left = max(0.0, 1 - num / num_flops)
    return float(np.sqrt(left * num / max(1, num - 1) * (apart @ apart)))
