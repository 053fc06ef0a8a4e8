"""Which hands come to a line: those that do not are left out of what is walked there.

A class is left out of a line while one of its own actions on the way has a regret far below 0. It
then has no part in the average any more. At every look (and `interval`) it is asked what a best
response of its would win at the line; that is what preflop is told until the next look, so that a
hand that is wanted again comes back by its regret.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.training.engines import LineEngines
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.engines.engine import state_sizes
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import move_state
from poker_solver.store.files import Arrays

Bool = NDArray[np.bool_]
F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pruning:
    """When hands are left out, and how the engine of a line is opened for some of them.

    Args:
        threshold_mbb: regrets of a hand, summed as the schedule does, below which it is left out.
        warmup: iterations before which nobody is.
        interval: iterations after which it is decided anew.
    """

    engines: LineEngines
    flops: Sequence[str]
    threshold_mbb: float
    warmup: int
    interval: int

    def is_due(self, iteration: int) -> bool:
        """Whether to decide anew after this iteration."""
        return iteration >= self.warmup and iteration % self.interval == 0

    def held(self, regret: F64, before: Bool) -> Bool:
        """[2, K, C] who comes by these regrets [V, C]; a range that would be empty stays."""
        game = self.engines.game
        wanted = self._is_wanted(game, regret)
        found = np.ones_like(before)
        for k, leaf in enumerate(game.leaves.tolist()):
            for node, player in own_steps(game, leaf):
                found[player, k] &= wanted[node]
        is_empty = ~np.asarray(found.any(axis=2, keepdims=True))
        return np.where(is_empty, before, found)

    def drop_sums(self, regret: F64, sums: F64) -> None:
        """Take actions that nobody is followed along out of the average [V, C]."""
        game = self.engines.game
        wanted = self._is_wanted(game, regret)
        for leaf in game.leaves.tolist():
            for node, _ in own_steps(game, leaf):
                sums[node][~wanted[node]] = 0.0

    def _is_wanted(self, game: FullGame, regret: F64) -> Bool:
        """[V, C] which actions of which classes are not far below 0, per hand that is dealt.

        The best of a decision always is, or its hands would have nothing to play.
        """
        per_hand = 1000.0 * game.deal.num_deals / game.deal.pairs.sum(axis=1)
        found: Bool = regret * per_hand >= self.threshold_mbb
        for node in np.flatnonzero(game.tree.is_decision).tolist():
            actions = slice(game.tree.children(node).start, game.tree.children(node).stop)
            found[actions] |= regret[actions] == regret[actions].max(axis=0)
        return found

    def open(self, line: int, held: Bool) -> ClassEngine:
        """The engine of a line with [2, C] these classes, before the first iteration."""
        return self.engines.prepare_line(line, self.flops, held)()

    def open_with(
        self, line: int, held: Bool, layouts: Sequence[Layout], state: Arrays, iteration: int
    ) -> ClassEngine:
        """Likewise, going on from the state of other layouts."""
        engine = self.open(line, held)
        engine.restore(_moved(layouts, engine.layouts, state), iteration)
        return engine


def own_steps(game: FullGame, leaf: int) -> list[tuple[int, int]]:
    """The nodes on the way to a leaf, the leaf included, each with who acted to get there."""
    found, node = [], leaf
    while node > 0:
        parent = int(game.tree.parent[node])
        found.append((node, game.tree.betting(parent).actor))
        node = parent
    return found


def _moved(old: Sequence[Layout], new: Sequence[Layout], state: Arrays) -> Arrays:
    """The state of spots for layouts with other hands; scales are of boards and stay."""
    found: Arrays = {}
    precision = str(state["regret"].dtype)
    for name, counts in state_sizes(old, precision).items():
        parts = np.split(state[name], np.cumsum(counts)[:-1])
        if name != "scale":
            pairs = zip(old, new, parts, strict=True)
            parts = [move_state(before, after, part) for before, after, part in pairs]
        found[name] = np.concatenate(parts)
    return found
