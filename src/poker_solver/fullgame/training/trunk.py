"""The trunk: CFR on the tree before the flop joined to every line on every flop of a set.

Each half of an iteration every line's engine learns for one player from the ranges that preflop
hands down, and hands back what each class of his wins there; then preflop learns, and hands his new
ranges down. It is CFR on one tree, so its exploitability in the game of these flops is one pass.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS, LineTables, OwnTables
from poker_solver.fullgame.training.pruning import Pruning
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.range_cfr.on_numba import Engine as PreflopKernels
from poker_solver.kernels.range_cfr.on_numba import compile_kernels
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.preflop.ranges import leaf_reach
from poker_solver.store.files import Arrays

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

NEVER = 1e-5
"""A class that comes to a line less often does not come there."""


class Worth(NamedTuple):
    """What strategies are worth, in bb per hand, BB first."""

    best: tuple[float, float]  # a best response against the other's average
    mean: tuple[float, float]  # both averages

    @property
    def exploitability_bb(self) -> float:
        """The mean gain of the two best responses."""
        return (sum(self.best) - sum(self.mean)) / 2


class Preflop:
    """The game before the flop: what it has learnt, whatever flops taught it."""

    def __init__(self, game: FullGame, schedule: Schedule) -> None:
        compile_kernels()
        self.game, self.iteration = game, 0
        self.kernels = PreflopKernels(
            game.kernel_tree(), game.deal.hands, schedule.rule, leaves=game.leaves
        )

    def worth(self, best: F64, mean: F64) -> Worth:
        """With [2, K, C] what a best response and the average get at every line."""
        (best_0, mean_0), (best_1, mean_1) = (
            [float(of.sum()) for of in self.kernels.values(player, best[player], mean[player])]
            for player in (0, 1)
        )
        return Worth((best_0, best_1), (mean_0, mean_1))

    def played(self, best: F64, mean: F64) -> F64:
        """[2, K, C] what classes win at lines: those who never come, by a best response.

        Averages of theirs are of the first iterations, and say nothing of what a line is worth.
        """
        reach = leaf_reach(self.game.tree, self.kernels.state.policy_sum, self.game.leaves)
        return np.where(reach < NEVER, best, mean)


class Trunk:
    """An `Engine` of one full game on some flops, F = 1; amounts are in bb.

    Args:
        preflop: the game before the flop, which may have learnt from other flops before.
        flops: the flops that stand for all.
        engines: one of every line of the game, with a spot for every flop; or tables that lie
            elsewhere.
        schedule: how regrets and averages are weighted, before and after the flop.
        warmup: iterations that averages leave out.
        pruning: which hands are left out of lines; without, none are.
    """

    first_step = 1

    def __init__(
        self,
        preflop: Preflop,
        flops: FlopSet,
        engines: Sequence[ClassEngine] | LineTables,
        schedule: Schedule,
        warmup: int = 0,
        pruning: Pruning | None = None,
    ) -> None:
        self.game, self.flops, self.schedule, self.warmup = preflop.game, flops, schedule, warmup
        self.iteration, self.before, game = 0, preflop, preflop.game
        self.tables = engines if isinstance(engines, LineTables) else OwnTables(engines, pruning)
        self.pruning, shape = pruning, (2, len(game.lines), game.num_classes)
        self.held = np.ones(shape, bool)
        """[2, K, C] which classes the engines of lines have."""
        self._left_out = np.zeros(shape)  # what those would win that the engines do not have
        self._chip = game.measure(flops)
        self._reach = np.zeros(shape)  # as last handed down
        self._owed = [[Weights(1.0, 1.0, 1.0)] * len(game.lines) for _ in (0, 1)]
        self._measured: tuple[tuple[int, int], dict[int, F64]] = ((-1, -1), {})  # since when, what
        self._hand_down_current()
        self.course = [self._reach.astype(np.float32)]
        """[2, K, C] the ranges handed down before the first iteration and after each."""

    def next_check(self, iteration: int) -> int:
        """When to measure next: that costs some two iterations."""
        return iteration + max(20, iteration // 5)

    @property
    def preflop(self) -> PreflopKernels:
        """State and strategies before the flop."""
        return self.before.kernels

    @property
    def engines(self) -> list[ClassEngine]:
        """One of every line, where they are this process's own."""
        assert isinstance(self.tables, OwnTables)
        return self.tables.engines

    def settle(self, iterations: int) -> None:
        """Run some iterations after the flop alone, from the ranges that averages lead to."""
        self._hand_down_average()
        self.tables.train(iterations)
        self.iteration += iterations
        self._hand_down_current()

    def train(self, iterations: int) -> None:
        """Run some more iterations, BB first."""
        for _ in range(iterations):
            self.iteration += 1
            self.before.iteration += 1
            before = self._weights(self.before.iteration)
            after = self._weights(self.iteration)
            for player in (0, 1):
                self.preflop.update(player, before, self._learn(player, after))
                self._hand_down(player, self._current(player))
            self.course.append(self._reach.astype(np.float32))
            if self.pruning is not None and self.pruning.is_due(self.iteration):
                self._prune(self.pruning)

    def replay(self, course: Sequence[F32]) -> None:
        """Learn after the flop from the ranges of another trunk's iterations; preflop stands.

        What these flops then play is what they would play there if they came too seldom to matter:
        a lift from average ranges would forget those who come to a line only now and then.
        """
        for player in (0, 1):
            self._hand_down(player, course[0][player].astype(np.float64))
        for reach in course[1:]:
            self.iteration += 1
            weights = self._weights(self.iteration)
            for player in (0, 1):
                self._learn(player, weights)
                self._hand_down(player, reach[player].astype(np.float64))

    def _prune(self, pruning: Pruning) -> None:
        """Ask what those would win who do not come, and decide anew who does."""
        best, regret = self.leaf_values(BEST), self.preflop.state.regret
        held = pruning.held(regret, self.held)
        pruning.drop_sums(regret, self.preflop.state.policy_sum)
        for k in np.flatnonzero((held != self.held).any(axis=(0, 2))).tolist():
            self.tables.reopen(k, held[:, k], self.iteration)
        self.held, self._left_out = held, np.where(held, 0.0, best)
        self._measured = (-1, -1), {}
        self._hand_down_current()

    def _weights(self, iteration: int) -> Weights:
        """The factors of an iteration; the first that counts drops what was summed before."""
        weights = self.schedule.at(iteration)
        return weights._replace(policy=0.0) if iteration == self.warmup + 1 else weights

    def _learn(self, player: int, weights: Weights) -> F64:
        """[K, C] what the player's classes win at every line, having learnt there.

        A line that neither player comes to learns nothing; what its state should have faded by is
        made up for when somebody comes again.
        """
        found, rows = np.zeros(self._reach.shape[1:]), {}
        for k, owed in enumerate(self._owed[player]):
            due = Weights(*(a * b for a, b in zip(owed, weights, strict=True)))
            if not self._reach[:, k].any():
                self._owed[player][k] = due
                continue
            self._owed[player][k] = Weights(1.0, 1.0, 1.0)
            rows[k] = np.array(due, np.float32)
        for k, values in self.tables.run_pass(player, LEARN, rows).items():
            found[k] = self._chip @ values
        return np.where(self.held[player], found, self._left_out[player])

    def _current(self, player: int) -> F64:
        """[K, C] how the player's regrets lead his classes to every line."""
        weight = np.maximum(self.preflop.state.regret, 0.0)
        found: F64 = leaf_reach(self.game.tree, weight, self.game.leaves)[player]
        return found

    def _hand_down(self, player: int, reach: F64) -> None:
        reach = reach * self.held[player]
        is_new = [
            not np.array_equal(*both) for both in zip(self._reach[player], reach, strict=True)
        ]
        self.tables.set_reach(player, {k: reach[k] for k in np.flatnonzero(is_new).tolist()})
        self._reach[player] = reach

    def _hand_down_average(self) -> None:
        average = leaf_reach(self.game.tree, self.preflop.state.policy_sum, self.game.leaves)
        for player in (0, 1):
            self._hand_down(player, average[player])

    def _hand_down_current(self) -> None:
        for player in (0, 1):
            self._reach[player] = np.nan  # whatever the engines have now
            self._hand_down(player, self._current(player))

    def worth(self) -> Worth:
        """What the average strategies and best responses to them are worth in the subset game."""
        return self.before.worth(self.leaf_values(BEST), self.leaf_values(MEAN))

    def played_values(self) -> F64:
        """[2, K, C] bb per deal that classes win at every line, see `Preflop.played`."""
        return self.before.played(self.leaf_values(BEST), self.leaf_values(MEAN))

    def leaf_values(self, mode: int) -> F64:
        """[2, K, C] bb per deal at every line of BEST responses or MEAN, on average strategies."""
        when, known = self._measured
        if when != (self.iteration, self.before.iteration):
            known = {}
            self._measured = (self.iteration, self.before.iteration), known
        if mode not in known:
            known[mode] = self._leaf_values(mode)
        return known[mode]

    def values_by_flop(self, mode: int) -> F64:
        """[2, K, F, C] the same of each flop."""
        self._hand_down_average()
        chip = self._chip[:, None]
        values = [[chip * own for own in self._averages(player, mode)] for player in (0, 1)]
        self._hand_down_current()
        return np.array(values)

    def _averages(self, player: int, mode: int) -> list[F64]:
        """[F, C] of each line, from a pass over average strategies."""
        every = dict.fromkeys(range(len(self.game.lines)), NO_WEIGHTS)
        found = self.tables.run_pass(player, mode, every)
        return [found[k] for k in every]

    def _leaf_values(self, mode: int) -> F64:
        self._hand_down_average()
        values = [[self._chip @ own for own in self._averages(player, mode)] for player in (0, 1)]
        found = np.array(values)
        if mode == BEST and self.pruning is not None:
            for k in np.flatnonzero(~self.held.all(axis=(0, 2))).tolist():
                held, reach = self.held[:, k], self._reach[:, k].copy()
                asked = self.tables.ask_all(k, held, reach, self.iteration)
                best = np.stack([self._chip @ own for own in asked])
                found[:, k] = np.where(held, found[:, k], best)
        self._hand_down_current()
        return found

    def measure(self) -> F64:
        """[1] exploitability in the subset game."""
        return np.array([self.worth().exploitability_bb])

    def values(self) -> F64:
        """[2, 1] what the average strategies win, BB and SB."""
        return np.array(self.worth().mean)[:, None]

    @property
    def used_bytes(self) -> int:
        """Where the tables lie."""
        return self.tables.used_bytes

    def stored(self) -> Arrays:
        """Preflop's state, then every line's."""
        before = {f"preflop {n}": array for n, array in self.preflop.stored().items()}
        own = {
            "taught": np.array([self.before.iteration]),
            "owed": np.array(self._owed, np.float64),
            "held": self.held,
            "left out": self._left_out,
            "course": np.array(self.course),
        }
        return {**before, **own, **self.tables.stored()}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        before = {f"preflop {n}": a.shape for n, a in self.preflop.stored().items()}
        owed = (2, len(self.game.lines), 3)
        every = dict.fromkeys(("held", "left out"), self.held.shape)
        course = (len(arrays["course"]) if "course" in arrays else 0, *self.held.shape)
        shapes = {**before, "taught": (1,), "owed": owed, **every, "course": course}
        check_arrays({name: arrays[name] for name in shapes if name in arrays}, shapes)
        held = arrays["held"].astype(bool)
        for k in np.flatnonzero((held != self.held).any(axis=(0, 2))).tolist():
            self.tables.reopen(k, held[:, k], None)
        self.held, self._left_out = held, arrays["left out"].copy()
        self.course = list(arrays["course"])
        self.before.iteration = int(arrays["taught"][0])
        self.preflop.restore({name.removeprefix("preflop "): arrays[name] for name in before})
        self._owed = [[Weights(*row) for row in of.tolist()] for of in arrays["owed"]]
        self.tables.restore(arrays, iteration)
        self.iteration, self._measured = iteration, ((-1, -1), {})
        self._hand_down_current()
