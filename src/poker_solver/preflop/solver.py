"""The preflop solver: an engine, stop rules, progress and checkpoints."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from poker_solver.cards import hand_to_string, parse_hand
from poker_solver.cfr.options import PREFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.cfr.solve import Checkpoint, Solve, Unit
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.preflop import Config
from poker_solver.errors import FormatError, InputError
from poker_solver.games.betting import POSITIONS, BettingRules
from poker_solver.preflop.deal import class_deal
from poker_solver.preflop.engine import PreflopEngine
from poker_solver.preflop.solution import PreflopSolution, game_header, read_deal
from poker_solver.runtime.device import PREFLOP, choose
from poker_solver.terminal import getting_ready, reporting
from poker_solver.trees.betting import build_betting_tree

KIND = "preflop solve"

Strategies = Mapping[str, Mapping[str, float]]
"""By information set and action."""


class PreflopSolver:
    """Finds the equilibrium of a preflop config; `solve` may be called again to go on.

    Making the first one on a machine compiles the kernels, which takes some seconds.

    Args:
        config: the game.
        device: `auto`, `cpu` or `cuda`; `auto` is the CPU unless the tree is large, and so is
            `mps`, which has no float64.
        threads: for the CPU; all cores by default. Results do not depend on it.
        hands: deal only these classes, by index; for tests and small studies.
        backend: `numba` or `torch`; by default what the device calls for.
    """

    def __init__(
        self,
        config: Config,
        *,
        schedule: Schedule | str | None = None,
        device: str = "auto",
        threads: int | None = None,
        hands: Sequence[int] | None = None,
        backend: str | None = None,
    ) -> None:
        self.config = config
        self.tree = build_betting_tree(BettingRules(config.betting))
        self.deal = class_deal(hands)
        self.device = choose(device, self.tree.num_nodes, PREFLOP)
        if self.device == "mps":
            self.device = "cpu"  # it has no float64; a solve takes seconds there
        self.engine = PreflopEngine(
            self.tree,
            self.deal,
            DCFR if schedule is None else as_schedule(schedule),
            device=self.device,
            threads=threads,
            backend=backend,
        )
        self._solve = Solve(self.engine, Unit(config.starting_pot_chips / CHIPS_PER_BB))

    def solve(
        self,
        target_pct: float | None = None,
        *,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        progress: bool | Report = False,
    ) -> PreflopSolution:
        """Iterate until a stop rule holds or Ctrl-C, and return what was found.

        Without a rule it is to 0.1 % of the starting pot. `progress` is True for a line on the
        terminal, or a function told at each check.
        """
        options = SolveOptions(
            target=target_pct,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
            progress=progress,
        )
        return self.go_on(options)

    def go_on(self, options: SolveOptions) -> PreflopSolution:
        """What `solve` does, by the stop rules, progress, checkpoint and stop of these options."""
        rules = self._solve.rules(options.stopping(PREFLOP_TARGET_PCT))
        save = None if (path := options.checkpoint) is None else lambda: self.save(path)
        with reporting(options.progress) as report:
            self._solve.run(rules, report=report, stop=options.stop, save=save)
        if save is not None:
            save()
        return self.solution()

    def solution(self) -> PreflopSolution:
        """What has been found so far, as it is now: later iterations do not change it."""
        gap_bb = self._solve.exploitability()
        big, small = self.engine.values()[:, 0].tolist()
        return PreflopSolution(
            config=self.config,
            tree=self.tree,
            deal=self.deal,
            policy_sum=self.engine.stored()["policy_sum"].copy(),
            iterations=self.engine.iteration,
            seconds=self._solve.seconds,
            exploitability_bb=gap_bb,
            exploitability_pct=self._solve.unit.of(gap_bb),
            value_bb=(big, small),
            curve=tuple(self._solve.curve),
            stopped=self._solve.stopped,
        )

    def save(self, path: str | Path) -> None:
        """Write everything: `load` goes on from it bit for bit on the same device."""
        self._solve.save(path, KIND, game_header(self.config, self.deal))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        config: Config | None = None,
        device: str = "auto",
        threads: int | None = None,
        backend: str | None = None,
    ) -> Self:
        """Go on from a file; with `config`, one of another game is refused."""
        saved = Checkpoint.load(path, KIND)
        held, deal = read_deal(path, saved.header)
        if config is not None and config != held:
            raise FormatError(
                f"{path} holds {held.name} ({held.fingerprint()}), asked for "
                f"{config.name} ({config.fingerprint()})"
            )
        solver = cls(
            held,
            schedule=saved.schedule,
            device=device,
            threads=threads,
            hands=deal.classes,
            backend=backend,
        )
        solver._solve.restore(saved)
        return solver


def solve_preflop(config: Config, options: SolveOptions) -> PreflopSolution:
    """Solve a config by these options; to 0.1 % of the starting pot if they have no rule."""
    return open_solver(config, options).go_on(options)


def solution_of(config: Config, strategy: Strategies) -> PreflopSolution:
    """A strategy that is a plain dictionary, measured: what it is worth, how exploitable it is.

    Keys are those of `HUNLPreflop`, `SB:AA:` and `BB:T9:r2.5`; of hands and lines it does not have,
    every action is taken as often as any other. Only the hands it has are dealt.
    """
    hands = sorted({parse_hand(key.split(":")[1])[0] for key in strategy if key.count(":") == 2})
    if not hands:
        raise InputError("the strategy has no key such as SB:AA: or BB:T9:r2.5")
    solver = PreflopSolver(config, hands=hands)
    tree, known = solver.tree, set[str]()
    weights = np.zeros((tree.num_nodes, len(hands)))
    for node in np.flatnonzero(tree.is_decision).tolist():
        position, history = POSITIONS[tree.actor[node]], "-".join(tree.history(node))
        for column, hand in enumerate(hands):
            key = f"{position}:{hand_to_string(hand)}:{history}"
            known.add(key)
            mix = strategy.get(key, {})
            for child, action in zip(tree.children(node), tree.actions(node), strict=True):
                weights[child, column] = mix.get(action, 0.0)
    if wrong := [key for key in strategy if key not in known]:
        raise InputError(f"{config.name} has no decision {wrong[0]!r}")
    held = solver.engine.stored()
    solver.engine.restore({**held, "policy_sum": weights}, 0)
    return solver.solution()


def open_solver(config: Config, options: SolveOptions) -> PreflopSolver:
    """A solve that has not begun, on the device and threads of these options."""
    with getting_ready(options.progress is True):
        return PreflopSolver(
            config, schedule=options.schedule, device=options.device, threads=options.threads
        )
