"""The lift: every line on every flop, by the course of a training or from its average ranges.

`ReplayedLift` repeats what preflop did in its training, so that flops learn as those of the trunk
did. `Lift` solves lines from the ranges that preflop leads to, where no course was kept; it is not
safe: those who seldom come to a line have no say in how it is played.

Flops are taken some at a time, in their order. What is kept of them is what preflop needs to know:
for every line, player and class, what a best response and the average win, summed over flops.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.rows import RowArrays, RowMaker
from poker_solver.fullgame.training.engines import LineEngines, Opening
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS
from poker_solver.fullgame.training.trunk import F32, Preflop, Trunk
from poker_solver.kernels.postflop import BEST, MEAN
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.preflop.ranges import leaf_reach

F64 = NDArray[np.float64]

Keep = Callable[[int, int, Sequence[RowArrays]], None]
"""Told of every line when it is solved: the number of its first flop, its own, rows of flops."""

FEWEST = 20
"""Iterations of every line: those who do not come have nothing to say of how good it is."""


class Lifted(NamedTuple):
    """What lines are worth on some flops, in bb per deal; K lines, C classes."""

    best: F64  # [2, K, C] to each player of a best response after the flop
    mean: F64  # [2, K, C] of the strategies that were found
    iterations: NDArray[np.int64]  # [K] done
    gap_mbb: F64  # [K] what best responses after the flop gain, given who comes

    def __add__(self, other: object) -> "Lifted":
        """Of both sets of flops together."""
        if not isinstance(other, Lifted):
            return NotImplemented
        most = np.maximum(self.iterations, other.iterations)
        return Lifted(
            self.best + other.best, self.mean + other.mean, most, self.gap_mbb + other.gap_mbb
        )


def lots_of(
    engines: LineEngines, flops: FlopSet, at_once: int, first: int
) -> Iterator[tuple[range, list[Opening]]]:
    """Some flops at a time from the first on: which they are, and what opens their lines."""
    starts = range(first, len(flops), at_once)
    lots = [range(begin, min(begin + at_once, len(flops))) for begin in starts]
    boards = [flops.flops[lot.start : lot.stop] for lot in lots]
    return zip(lots, engines.prepare_each(boards), strict=True)


@dataclass(frozen=True, eq=False)
class ReplayedLift:
    """A lift that takes flops through the iterations of a trunk; all lines are in memory together.

    Args:
        preflop: the strategies before the flop.
        engines: opens engines of lines, with the schedule of the trunk.
        course: [T + 1][2, K, C] the ranges of the trunk's iterations, see `Trunk.course`.
        warmup: iterations that averages leave out.
    """

    preflop: Preflop
    engines: LineEngines
    course: Sequence[F32]
    warmup: int

    def solve(
        self, flops: FlopSet, at_once: int, first: int = 0, keep: Keep | None = None
    ) -> Iterator[tuple[range, Lifted]]:
        """Solve some flops at a time from the first on; which they were, what they came to."""
        for lot, openings in lots_of(self.engines, flops, at_once, first):
            yield lot, self.lift_lot(flops, lot, openings, keep)

    def lift_lot(
        self, flops: FlopSet, lot: range, openings: list[Opening], keep: Keep | None
    ) -> Lifted:
        """What some of the flops come to, given what opens their lines."""
        own = slice(lot.start, lot.stop)
        some = FlopSet("lot", flops.flops[own], flops.weights[own])
        engines = [opening() for opening in openings]
        trunk = Trunk(self.preflop, some, engines, self.engines.schedule, self.warmup)
        trunk.replay(self.course)
        return _measured(trunk, lot.start, keep)


@dataclass(frozen=True, eq=False)
class OwnLift:
    """A trunk's own flops, which need no lift while they are in memory."""

    trunk: Trunk

    def solve(
        self, flops: FlopSet, at_once: int, first: int = 0, keep: Keep | None = None
    ) -> Iterator[tuple[range, Lifted]]:
        """All of them at once."""
        yield range(len(flops)), _measured(self.trunk, 0, keep)


def _measured(trunk: Trunk, first: int, keep: Keep | None) -> Lifted:
    """What the average strategies of a trunk came to; `first` is the number of its first flop."""
    game, sums = trunk.game, trunk.preflop.state.policy_sum
    best, mean = trunk.leaf_values(BEST), trunk.leaf_values(MEAN)
    if keep is not None:
        for k, rows in trunk.tables.rows(RowMaker(game, sums)):
            keep(first, k, rows)
    reach = leaf_reach(game.tree, sums, game.leaves)
    gap = 500.0 * (reach * (best - mean)).sum(axis=(0, 2))
    return Lifted(best, mean, np.full(len(game.lines), trunk.iteration), gap)


@dataclass(frozen=True, eq=False)
class Lift:
    """A lift of given preflop strategies from their average ranges.

    Args:
        game: the rules and the deal.
        sums: [V, C] preflop's average strategy, not normalised.
        engines: opens engines of lines.
        target_mbb: what best responses after the flop may gain in all, over all lines and flops.
        max_iterations: of any line.
    """

    game: FullGame
    sums: F64
    engines: LineEngines
    target_mbb: float
    max_iterations: int = 1000

    def reach(self) -> F64:
        """[2, K, C] who comes to every line."""
        return leaf_reach(self.game.tree, self.sums, self.game.leaves)

    def solve(
        self, flops: FlopSet, at_once: int, first: int = 0, keep: Keep | None = None
    ) -> Iterator[tuple[range, Lifted]]:
        """Solve some flops at a time from the first on; which they were, what they came to.

        While one lot is solved the next one is laid out.
        """
        for lot, openings in lots_of(self.engines, flops, at_once, first):
            yield lot, self.lift_lot(flops, lot, openings, keep)

    def lift_lot(
        self, flops: FlopSet, lot: range, openings: list[Opening], keep: Keep | None
    ) -> Lifted:
        """What some of the flops come to, given what opens their lines."""
        chip = self.game.measure(flops)[lot.start : lot.stop]
        share = sum(flops.weights[lot.start : lot.stop]) / sum(flops.weights)
        target_bb = self.target_mbb / 1000 * share / max(len(self.game.lines), 1)
        found, reach, maker = [], self.reach(), RowMaker(self.game, self.sums)
        for k, opening in enumerate(openings):
            engine = opening()
            for player in (0, 1):
                engine.set_reach(player, reach[player, k])
            found.append(self._solve_line(engine, reach[:, k], chip, target_bb))
            if keep is not None:
                keep(lot.start, k, maker.rows(k, engine))
            del engine  # before the next one is opened
        best, mean, iterations, gap = zip(*found, strict=True)
        both = np.stack(best, axis=1), np.stack(mean, axis=1)
        return Lifted(*both, np.array(iterations), 1000 * np.array(gap))

    def _solve_line(
        self, engine: ClassEngine, reach: F64, chip: F64, target_bb: float
    ) -> tuple[F64, F64, int, float]:
        """Iterate until best responses of those who come gain little enough."""

        def worth(mode: int) -> F64:
            """[2, C] of the average strategies as they are."""
            both = [chip @ engine.run_pass(player, mode, NO_WEIGHTS) for player in (0, 1)]
            return np.stack(both)

        done = 0
        while True:
            more = max(FEWEST // 2, done // 4) if done else FEWEST
            engine.train(more)
            done += more
            best = worth(BEST)
            mean = worth(MEAN) if engine.layouts[0].has_rake else np.zeros_like(best)
            gap = float((reach * (best - mean)).sum()) / 2
            if gap <= target_bb or done >= self.max_iterations:
                mean = mean if engine.layouts[0].has_rake else worth(MEAN)
                return best, mean, done, gap
