"""One object to solve a game with: engine, stop rules, progress, checkpoints."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import compute_exploitability, game_value
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.limits import DEFAULT_ITERATIONS, check_stop_rules
from poker_solver.cfr.loop import Loop, Stopped, StopRules
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.errors import FormatError, InputError
from poker_solver.games.base import Action, Game
from poker_solver.runtime.device import device_name
from poker_solver.store.files import Arrays, read_file, write_file
from poker_solver.terminal import reporting
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame, Float, normalized_policy

if TYPE_CHECKING:
    import torch

KIND = "checkpoint of a generic solve"
MOST_ITERATIONS = 10_000_000
"""Where a solve that was only given a target gives up."""


@dataclass(frozen=True)
class SolveResult:
    """What a solve reached."""

    iterations: int  # in all, with those of earlier solves
    seconds: float  # of this solve
    value: float  # to player 0
    exploitability: float
    curve: tuple[tuple[int, float], ...]  # (iteration, exploitability) at each check
    stopped: Stopped


class Solver:
    """Finds an equilibrium of a two-player zero-sum game and says how far from it it is.

    Args:
        game: the rules, or a game compiled already.
        device: `auto`, `cpu`, `cuda` or `mps`; `auto` keeps small games on the CPU, and a compiled
            game on the device it was compiled for.
        engine: `batched`, or `vanilla` for the readable reference.
        schedule: a `Schedule` or its name.
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
        self.schedule = as_schedule(schedule)
        self.alternating = alternating
        self.compiled = _compiled(game, device)
        self.curve: list[tuple[int, float]] = []
        self._engine: BatchedCFR | VanillaCFR
        if engine == "batched":
            self._engine = BatchedCFR(
                self.compiled, self.schedule, alternating=alternating, batch_size=batch_size
            )
        elif engine == "vanilla" and not isinstance(game, CompiledGame):
            if batch_size is not None:
                raise InputError(
                    f"batch_size is {batch_size}; the vanilla engine always takes every deal"
                )
            self._engine = VanillaCFR(game, self.schedule, alternating=alternating)
        else:
            raise InputError(
                f"engine is {engine!r}; must be batched, or vanilla with a game not yet compiled"
            )

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._engine.iteration

    def solve(
        self,
        iterations: int | None = None,
        target: float | None = None,
        progress: bool | Report = False,
    ) -> SolveResult:
        """Iterate until a stop rule holds or Ctrl-C; call again to go on.

        Args:
            iterations: how many to add at most; 10,000 if there is no target either.
            target: exploitability to stop at.
            progress: True for a line on the terminal, or a function that is told.
        """
        check_stop_rules(iterations, target)
        if iterations is None:
            iterations = MOST_ITERATIONS if target is not None else DEFAULT_ITERATIONS
        last = self.iteration + int(iterations)
        with reporting(progress) as report:
            return self._run(last, target, report)

    def _run(self, last: int, target: float | None, report: Report | None) -> SolveResult:
        began = time.perf_counter()
        loop = Loop(
            iteration=lambda: self.iteration,
            train=self._engine.train,
            measure=self.exploitability,
            next_check=next_check,
            curve=self.curve,
            report=report,
        )
        stopped = loop.run(StopRules(last, target))
        measured = bool(self.curve) and self.curve[-1][0] == self.iteration
        return SolveResult(
            iterations=self.iteration,
            seconds=time.perf_counter() - began,
            value=self.value(),
            exploitability=self.curve[-1][1] if measured else self.exploitability(),
            curve=tuple(self.curve),
            stopped=stopped,
        )

    @property
    def average_policy(self) -> Float:
        """[Q] the average strategy in the order of the compiled game."""
        if isinstance(self._engine, BatchedCFR):
            return self._engine.average_policy
        return normalized_policy(self.compiled, self._by_sequence(self._engine.policy_sum))

    def get_strategy(self, key: str | None = None) -> Mapping[Any, Any]:
        """The average strategy: {key: {action: probability}}, or {action: probability} of one."""
        strategies = self.compiled.strategy_by_key(self.average_policy)
        if key is None:
            return strategies
        if key not in strategies:
            raise InputError(f"{self.compiled.name} has no information set {key!r}")
        return strategies[key]

    def exploitability(self) -> float:
        """Mean of both best responses to the average strategy."""
        if isinstance(self._engine, BatchedCFR):
            return self._engine.exploitability()
        return compute_exploitability(self.compiled, self.average_policy)

    def value(self) -> float:
        """What player 0 wins when both play the average strategy."""
        if isinstance(self._engine, BatchedCFR):
            return self._engine.value()
        return game_value(self.compiled, self.average_policy)

    def save(self, path: str | Path) -> None:
        """Write a checkpoint; `load` goes on from it bit for bit on the same device."""
        header = {
            "game": self.compiled.name,
            "fingerprint": self.compiled.fingerprint,
            "engine": "batched" if isinstance(self._engine, BatchedCFR) else "vanilla",
            "schedule": self.schedule.to_texts(),
            "alternating": self.alternating,
            "iteration": self.iteration,
        }
        arrays = {"curve": np.array(self.curve, np.float64).reshape(-1, 2), **self._stored()}
        write_file(path, KIND, header, arrays)

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
        entries, arrays = read_file(path, KIND)
        header = _read_header(path, entries)
        compiled = _compiled(game, device)
        if header.fingerprint != compiled.fingerprint:
            raise FormatError(
                f"{path} holds game {header.game} ({header.fingerprint[:16]}), asked for "
                f"{compiled.name} ({compiled.fingerprint[:16]})"
            )
        _check_arrays(path, arrays, header, compiled.num_sequences)
        is_vanilla = header.engine == "vanilla" and not isinstance(game, CompiledGame)
        solver = cls(
            game if is_vanilla else compiled,
            engine="vanilla" if is_vanilla else "batched",
            schedule=header.schedule,
            batch_size=batch_size,
            alternating=header.alternating,
        )
        solver.curve = [(int(t), float(e)) for t, e in arrays.pop("curve")]
        if isinstance(solver._engine, BatchedCFR):
            if header.schedule.prediction == 0:
                arrays["last"] = np.zeros(0)  # the vanilla engine always writes it
            solver._engine.restore(arrays, header.iteration)
        else:
            stored = {name: solver._by_key(array) for name, array in arrays.items()}
            solver._engine.restore(stored, header.iteration)
        return solver

    def _stored(self) -> dict[str, NDArray[np.floating]]:
        if isinstance(self._engine, BatchedCFR):
            return self._engine.stored()
        return {name: self._by_sequence(table) for name, table in self._engine.stored().items()}

    def _by_sequence(self, table: Mapping[str, Mapping[Action, float]]) -> Float:
        pairs = zip(self.compiled.keys, self.compiled.actions, strict=True)
        return np.array([table.get(key, {}).get(a, 0.0) for key, actions in pairs for a in actions])

    def _by_key(self, array: NDArray[np.floating]) -> dict[str, dict[Action, float]]:
        return self.compiled.strategy_by_key(array.astype(np.float64))


def _compiled(game: Game[Any] | CompiledGame, device: "str | torch.device") -> CompiledGame:
    if not isinstance(game, CompiledGame):
        return compile_game(game, device)
    if str(device) != "auto" and (wanted := device_name(device)) != game.device:
        raise InputError(
            f"device is {wanted}, but {game.name} is compiled for {game.device}; leave device out, "
            "or compile it for that one"
        )
    return game


def next_check(iteration: int) -> int:
    """The iteration to look at exploitability next: every one at first, then 5 % further."""
    return iteration + max(1, iteration // 20)


class _Header(NamedTuple):
    """What a checkpoint says beside its arrays."""

    game: str
    fingerprint: str
    engine: str
    schedule: Schedule
    alternating: bool
    iteration: int


def _read_header(path: str | Path, entries: Mapping[str, Any]) -> _Header:
    try:
        header = _Header(
            game=str(entries["game"]),
            fingerprint=str(entries["fingerprint"]),
            engine={"batched": "batched", "vanilla": "vanilla"}[entries["engine"]],
            schedule=Schedule.from_texts(entries["schedule"]),
            alternating=bool(entries["alternating"]),
            iteration=int(entries["iteration"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} has a broken header: {error!r}") from error
    return header


def _check_arrays(path: str | Path, arrays: Arrays, header: _Header, num_sequences: int) -> None:
    """Refuse arrays the engine could not go on from, by name."""
    has_last = header.engine == "vanilla" or header.schedule.prediction > 0
    num_checks = len(arrays["curve"]) if "curve" in arrays else 0
    wanted: dict[str, tuple[int, ...]] = {
        "curve": (num_checks, 2),
        "regret": (num_sequences,),
        "policy_sum": (num_sequences,),
        "last": (num_sequences if has_last else 0,),
    }
    for name in sorted(wanted.keys() | arrays.keys()):
        found = arrays[name].shape if name in arrays else None
        if found != wanted.get(name):
            raise FormatError(f"{path}: array {name} has shape {found}, wants {wanted.get(name)}")
