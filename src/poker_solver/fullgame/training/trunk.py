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
from poker_solver.errors import InputError
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.training.pruning import Pruning
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.range_cfr.on_numba import Engine as PreflopKernels
from poker_solver.kernels.range_cfr.on_numba import compile_kernels
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.preflop.ranges import leaf_reach
from poker_solver.store.files import Arrays

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
NO_WEIGHTS = np.zeros(3, np.float32)

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
        engines: one of every line of the game, with a spot for every flop.
        schedule: how regrets and averages are weighted, before and after the flop.
        warmup: iterations that averages leave out.
        pruning: which hands are left out of lines; without, none are.
    """

    first_step = 1

    def __init__(
        self,
        preflop: Preflop,
        flops: FlopSet,
        engines: Sequence[ClassEngine],
        schedule: Schedule,
        warmup: int = 0,
        pruning: Pruning | None = None,
    ) -> None:
        self.game, self.flops, self.schedule, self.warmup = preflop.game, flops, schedule, warmup
        self.engines, self.iteration, self.before, game = list(engines), 0, preflop, preflop.game
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

    def settle(self, iterations: int) -> None:
        """Run some iterations after the flop alone, from the ranges that averages lead to."""
        self._hand_down_average()
        for engine in self.engines:
            engine.train(iterations)
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
            layouts, state = self._close(k)
            self.engines[k:k] = [pruning.open_with(k, held[:, k], layouts, state, self.iteration)]
        self.held, self._left_out = held, np.where(held, 0.0, best)
        self._measured = (-1, -1), {}
        self._hand_down_current()

    def _close(self, line: int) -> tuple[Sequence[Layout], Arrays]:
        """Give back what a line's engine takes up; its layouts and its state."""
        engine = self.engines.pop(line)
        return engine.layouts, engine.stored()

    def _weights(self, iteration: int) -> Weights:
        """The factors of an iteration; the first that counts drops what was summed before."""
        weights = self.schedule.at(iteration)
        return weights._replace(policy=0.0) if iteration == self.warmup + 1 else weights

    def _learn(self, player: int, weights: Weights) -> F64:
        """[K, C] what the player's classes win at every line, having learnt there.

        A line that neither player comes to learns nothing; what its state should have faded by is
        made up for when somebody comes again.
        """
        found = np.zeros(self._reach.shape[1:])
        for k, engine in enumerate(self.engines):
            owed = self._owed[player][k]
            due = Weights(*(a * b for a, b in zip(owed, weights, strict=True)))
            if not self._reach[:, k].any():
                self._owed[player][k] = due
                continue
            self._owed[player][k] = Weights(1.0, 1.0, 1.0)
            row = np.array(due, np.float32)
            found[k] = self._chip @ engine.run_pass(player, LEARN, row)
        return np.where(self.held[player], found, self._left_out[player])

    def _current(self, player: int) -> F64:
        """[K, C] how the player's regrets lead his classes to every line."""
        weight = np.maximum(self.preflop.state.regret, 0.0)
        found: F64 = leaf_reach(self.game.tree, weight, self.game.leaves)[player]
        return found

    def _hand_down(self, player: int, reach: F64) -> None:
        reach = reach * self.held[player]
        for k, engine in enumerate(self.engines):
            if not np.array_equal(self._reach[player, k], reach[k]):
                engine.set_reach(player, reach[k])
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
        values = [
            [chip * engine.run_pass(player, mode, NO_WEIGHTS) for engine in self.engines]
            for player in (0, 1)
        ]
        self._hand_down_current()
        return np.array(values)

    def _leaf_values(self, mode: int) -> F64:
        self._hand_down_average()
        values = [
            [self._chip @ engine.run_pass(player, mode, NO_WEIGHTS) for engine in self.engines]
            for player in (0, 1)
        ]
        found = np.array(values)
        if mode == BEST and self.pruning is not None:
            for k in np.flatnonzero(~self.held.all(axis=(0, 2))).tolist():
                asked = self._ask_left_out(self.pruning, k)
                found[:, k] = np.where(self.held[:, k], found[:, k], asked)
        self._hand_down_current()
        return found

    def _ask_left_out(self, pruning: Pruning, line: int) -> F64:
        """[2, C] what best responses of all hands win at a line against the averages there."""
        reach, held, found = self._reach[:, line].copy(), self.held[:, line], []
        layouts, state = self._close(line)
        for player in (0, 1):
            asked = held.copy()
            asked[player] = True
            engine = pruning.open_with(line, asked, layouts, state, self.iteration)
            for one in (0, 1):
                engine.set_reach(one, reach[one])
            found.append(self._chip @ engine.run_pass(player, BEST, NO_WEIGHTS))
            del engine  # before the next one is opened
        again = pruning.open_with(line, held, layouts, state, self.iteration)
        self.engines[line:line] = [again]
        return np.stack(found)

    def measure(self) -> F64:
        """[1] exploitability in the subset game."""
        return np.array([self.worth().exploitability_bb])

    def values(self) -> F64:
        """[2, 1] what the average strategies win, BB and SB."""
        return np.array(self.worth().mean)[:, None]

    @property
    def used_bytes(self) -> int:
        """Of this process or device, which all engines share."""
        return max(engine.used_bytes for engine in self.engines)

    def stored(self) -> Arrays:
        """Preflop's state, then every line's."""
        lines = {
            f"line {k} {name}": array
            for k, engine in enumerate(self.engines)
            for name, array in engine.stored().items()
        }
        before = {f"preflop {n}": array for n, array in self.preflop.stored().items()}
        own = {
            "taught": np.array([self.before.iteration]),
            "owed": np.array(self._owed, np.float64),
            "held": self.held,
            "left out": self._left_out,
            "course": np.array(self.course),
        }
        return {**before, **own, **lines}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        before = {f"preflop {n}": a.shape for n, a in self.preflop.stored().items()}
        owed = (2, len(self.engines), 3)
        every = dict.fromkeys(("held", "left out"), self.held.shape)
        course = (len(arrays["course"]) if "course" in arrays else 0, *self.held.shape)
        shapes = {**before, "taught": (1,), "owed": owed, **every, "course": course}
        check_arrays({name: arrays[name] for name in shapes if name in arrays}, shapes)
        held = arrays["held"].astype(bool)
        for k in np.flatnonzero((held != self.held).any(axis=(0, 2))).tolist():
            if self.pruning is None:
                raise InputError("hands are left out of its lines, and nothing is pruned here")
            del self.engines[k]
            self.engines[k:k] = [self.pruning.open(k, held[:, k])]
        self.held, self._left_out = held, arrays["left out"].copy()
        self.course = list(arrays["course"])
        self.before.iteration = int(arrays["taught"][0])
        self.preflop.restore({name.removeprefix("preflop "): arrays[name] for name in before})
        self._owed = [[Weights(*row) for row in of.tolist()] for of in arrays["owed"]]
        for k, engine in enumerate(self.engines):
            head = f"line {k} "
            own = {n.removeprefix(head): a for n, a in arrays.items() if n.startswith(head)}
            engine.restore(own, iteration)
        self.iteration, self._measured = iteration, ((-1, -1), {})
        self._hand_down_current()
