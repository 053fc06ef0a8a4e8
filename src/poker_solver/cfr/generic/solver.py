"""One object to solve a game with: engine, stop rules, progress, checkpoints."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.options import DEFAULT_ITERATIONS, SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import DCFR, Schedule
from poker_solver.cfr.solve import Checkpoint, Solve, Stopped, sound_header
from poker_solver.errors import FormatError, InputError
from poker_solver.games.base import Action, Game
from poker_solver.games.hunl_preflop import HUNLPreflop
from poker_solver.runtime.device import device_name
from poker_solver.terminal import reporting
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame, Float

if TYPE_CHECKING:
    import torch

KIND = "checkpoint of a generic solve"

SLOW_NODES = 1_000_000
"""Reading a game takes some 20 us and 100 bytes a node."""


@dataclass(frozen=True, eq=False)
class SolveResult:
    """What a solve reached; later iterations do not change it."""

    game: CompiledGame = field(repr=False)
    policy: Float = field(repr=False)  # [Q] the average strategy in the order of the compiled game
    iterations: int  # in all, with those of earlier solves
    seconds: float  # of this solve
    value: float  # to player 0
    exploitability: float
    curve: tuple[tuple[int, float], ...]  # (iteration, exploitability) at each check
    stopped: Stopped

    @cached_property
    def strategy(self) -> dict[str, dict[Action, float]]:
        """The average strategy: {key: {action: probability}}."""
        return self.game.strategy_by_key(self.policy)


class Solver:
    """Finds an equilibrium of a two-player zero-sum game and says how far from it it is.

    Args:
        device: `auto`, `cpu`, `cuda` or `mps`; `auto` keeps small games on the CPU, and a compiled
            game on the device it was compiled for.
        engine: `batched`, or `vanilla` for the readable reference.
        batch_size: deals per pass of the batched engine; see `BatchedCFR`.
        alternating: update the players in turn, not together.
    """

    def __init__(
        self,
        game: Game[Any] | CompiledGame,
        device: "str | torch.device" = "auto",
        *,
        engine: str = "batched",
        schedule: Schedule | str = DCFR,
        batch_size: int | None = None,
        alternating: bool = True,
    ) -> None:
        _warn_if_slow(game)
        self.alternating = alternating
        self.engine_name = engine
        self.engine: BatchedCFR | VanillaCFR
        if engine == "batched":
            self.engine = BatchedCFR(
                _compiled(game, device), schedule, alternating=alternating, batch_size=batch_size
            )
        elif engine == "vanilla" and not isinstance(game, CompiledGame):
            if batch_size is not None:
                raise InputError(
                    f"batch_size is {batch_size}; the vanilla engine always takes every deal"
                )
            device_name(device)
            self.engine = VanillaCFR(game, schedule, alternating=alternating)
        else:
            raise InputError(
                f"engine is {engine!r}; must be batched, or vanilla with a game not yet compiled"
            )
        self._solve = Solve(self.engine)

    @property
    def compiled(self) -> CompiledGame:
        """The game whose order arrays have."""
        return self.engine.compiled

    def solve(
        self,
        iterations: int | None = None,
        target: float | None = None,
        progress: bool | Report = False,
        *,
        max_seconds: float | None = None,
    ) -> SolveResult:
        """Iterate until a stop rule holds or Ctrl-C; call again to go on.

        Without a rule it is for 10,000 iterations. The target is in what the game pays in;
        `progress` is True for a line on the terminal, or a function that is told.
        """
        options = SolveOptions(
            max_iterations=iterations, target=target, max_seconds=max_seconds, progress=progress
        )
        return self.go_on(options)

    def go_on(self, options: SolveOptions) -> SolveResult:
        """What `solve` does, by the stop rules, progress, checkpoint and stop of these options."""
        rules = self._solve.rules(options.stopping(max_iterations=DEFAULT_ITERATIONS))
        before = self._solve.seconds
        save = None if (path := options.checkpoint) is None else lambda: self.save(path)
        with reporting(options.progress) as report:
            self._solve.run(rules, report=report, stop=options.stop, save=save)
        if save is not None:
            save()
        return SolveResult(
            game=self.compiled,
            policy=self.engine.average_policy,
            iterations=self.engine.iteration,
            seconds=self._solve.seconds - before,
            value=self.value(),
            exploitability=self._solve.exploitability(),
            curve=tuple(self._solve.curve),
            stopped=self._solve.stopped,
        )

    def get_strategy(self, key: str | None = None) -> Mapping[Any, Any]:
        """The average strategy: {key: {action: probability}}, or {action: probability} of one."""
        strategies = self.compiled.strategy_by_key(self.engine.average_policy)
        if key is None:
            return strategies
        if key not in strategies:
            raise InputError(f"{self.compiled.name} has no information set {key!r}")
        return strategies[key]

    def exploitability(self) -> float:
        """Mean of both best responses to the average strategy."""
        return self.engine.exploitability()

    def value(self) -> float:
        """What player 0 wins when both play the average strategy."""
        return self.engine.value()

    def save(self, path: str | Path) -> None:
        """Write a checkpoint; `load` goes on from it bit for bit on the same device."""
        header = {
            "game": self.compiled.name,
            "fingerprint": self.compiled.fingerprint,
            "engine": self.engine_name,
            "alternating": self.alternating,
        }
        self._solve.save(path, KIND, header)

    @classmethod
    def load(
        cls,
        path: str | Path,
        game: Game[Any] | CompiledGame,
        device: "str | torch.device" = "auto",
        *,
        batch_size: int | None = None,
    ) -> Self:
        """Go on from a checkpoint of this very game; one of another game is refused.

        A solve of the vanilla engine goes on with the batched one if the game is compiled.
        """
        saved = Checkpoint.load(path, KIND)
        with sound_header(path):
            name, fingerprint = str(saved.header["game"]), str(saved.header["fingerprint"])
            engine = {"batched": "batched", "vanilla": "vanilla"}[saved.header["engine"]]
            alternating = bool(saved.header["alternating"])
        if engine == "vanilla" and isinstance(game, CompiledGame):
            engine = "batched"
            if not saved.schedule.prediction:
                saved.arrays["last"] = np.zeros(0)  # the vanilla engine always writes it
        solver = cls(
            game,
            device,
            engine=engine,
            schedule=saved.schedule,
            batch_size=batch_size,
            alternating=alternating,
        )
        if fingerprint != solver.compiled.fingerprint:
            raise FormatError(
                f"{path} holds game {name} ({fingerprint[:16]}), asked for "
                f"{solver.compiled.name} ({solver.compiled.fingerprint[:16]})"
            )
        solver._solve.restore(saved)
        return solver


def solve_game(game: Game[Any] | CompiledGame, options: SolveOptions) -> SolveResult:
    """Solve a game by these options; for 10,000 iterations if they have no rule."""
    return Solver(game, options.device, schedule=options.schedule or DCFR).go_on(options)


def _warn_if_slow(game: Game[Any] | CompiledGame) -> None:
    """Say of hold'em before the flop, deal by deal, that there is a faster way."""
    if not isinstance(game, HUNLPreflop):
        return
    size = build_betting_tree(game.rules).num_nodes * len(game.hands) ** 2
    if size > SLOW_NODES:
        warnings.warn(
            f"{game.name} has {size:,} nodes deal by deal: that takes minutes, and gigabytes of "
            "memory; poker_solver.solve(config), or PreflopSolver(config), takes seconds",
            stacklevel=3,
        )


def _compiled(game: Game[Any] | CompiledGame, device: "str | torch.device") -> CompiledGame:
    if not isinstance(game, CompiledGame):
        return compile_game(game, device)
    if str(device) != "auto" and (wanted := device_name(device)) != game.device:
        raise InputError(
            f"device is {wanted}, but {game.name} is compiled for {game.device}; leave device out, "
            "or compile it for that one"
        )
    return game
