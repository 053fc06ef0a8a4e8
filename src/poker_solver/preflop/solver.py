"""The preflop solver: an engine, stop rules, progress and checkpoints."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from poker_solver.cfr.options import PREFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.cfr.solve import Checkpoint, Solve, Unit
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.preflop import Config
from poker_solver.errors import DeviceError, FormatError
from poker_solver.games.betting import BettingRules
from poker_solver.preflop.deal import class_deal
from poker_solver.preflop.engine import PreflopEngine
from poker_solver.preflop.solution import PreflopSolution, game_header, read_deal
from poker_solver.runtime.device import PREFLOP, choose
from poker_solver.terminal import getting_ready, reporting
from poker_solver.trees.betting import build_betting_tree

KIND = "preflop solve"


class PreflopSolver:
    """Finds the equilibrium of a preflop config; `solve` may be called again to go on.

    Making the first one on a machine compiles the kernels, which takes some seconds.

    Args:
        config: the game.
        device: `auto`, `cpu` or `cuda`; `auto` is the CPU unless the tree is large.
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
            raise DeviceError("device mps has no float64, which preflop solving needs; use cpu")
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


def open_solver(config: Config, options: SolveOptions) -> PreflopSolver:
    """A solve that has not begun, on the device and threads of these options."""
    with getting_ready(options.progress is True, "some seconds"):
        return PreflopSolver(
            config, schedule=options.schedule, device=options.device, threads=options.threads
        )
