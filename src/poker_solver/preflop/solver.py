"""The preflop solver: CFR on the betting tree with ranges of 169 classes, in float64.

It iterates, measures how far from equilibrium the average strategies are, and can be stopped,
saved and resumed; what the strategies say is `preflop_solution`'s business.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.loop import Loop, Stopped, StopRules
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Report
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.config import CHIPS_PER_BB, Config
from poker_solver.errors import DeviceError, FormatError, InputError
from poker_solver.games.betting import BB, SB
from poker_solver.preflop.arrays import kernel_tree
from poker_solver.preflop.deal import class_deal
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.runtime.device import PREFLOP, choose, num_threads
from poker_solver.runtime.memory import check_memory, preflop_plan
from poker_solver.store.files import read_file, write_file
from poker_solver.terminal import reporting
from poker_solver.trees.preflop import build_betting_tree

KIND = "preflop solve"
DEFAULT_TARGET_PCT = 0.1
MOST_ITERATIONS = 1_000_000
"""Where a solve that was only given a target gives up."""

Float = NDArray[np.float64]


class PreflopSolver:
    """Finds the equilibrium of a preflop config; `solve` may be called again to go on.

    Making the first one on a machine compiles the kernels, which takes some seconds.

    Args:
        config: the game.
        schedule: a `Schedule` or its name.
        device: `auto`, `cpu` or `cuda`; `auto` is the CPU unless the tree is large.
        threads: for the CPU; all cores by default. Results do not depend on it.
        hands: deal only these classes, by index; for tests and small studies.
        backend: `numba` or `torch`; by default what the device calls for.
    """

    def __init__(
        self,
        config: Config,
        *,
        schedule: Schedule | str = DCFR,
        device: str = "cpu",
        threads: int | None = None,
        hands: Sequence[int] | None = None,
        backend: str | None = None,
    ) -> None:
        self.config = config
        self.schedule = as_schedule(schedule)
        self.tree = build_betting_tree(config)
        self.deal = class_deal(hands)
        self.device = _choose_device(device, self.tree.num_nodes)
        self.iteration = 0
        self.seconds = 0.0
        self.curve: list[tuple[int, float]] = []
        """(iteration, exploitability in % of the starting pot) at each check."""
        plan = preflop_plan(self.tree.num_nodes, len(self.deal.classes), self._predicts)
        on_gpu = self.device != "cpu"
        check_memory(plan, self.device)
        arrays = kernel_tree(self.tree, self.deal.num_deals)
        self._engine: Any
        if backend == "torch" or (backend is None and on_gpu):
            from poker_solver.kernels.range_cfr.on_torch import Engine as TorchEngine

            self._engine = TorchEngine(
                arrays, self.deal.hands, self.schedule.rule, device=self.device
            )
        elif backend in (None, "numba"):
            from poker_solver.kernels.range_cfr.on_numba import Engine as CpuEngine
            from poker_solver.kernels.range_cfr.on_numba import compile_kernels

            compile_kernels()
            self._engine = CpuEngine(
                arrays, self.deal.hands, self.schedule.rule, threads=num_threads(threads)
            )
        else:
            raise InputError(f"backend is {backend!r}, must be numba or torch")

    @property
    def _predicts(self) -> bool:
        return self.schedule.prediction > 0

    def run(self, iterations: int) -> None:
        """Iterate this often, and do nothing else."""
        for _ in range(iterations):
            self.iteration += 1
            weights = self.schedule.at(self.iteration)
            for player in (SB, BB):
                self._engine.update(player, weights)

    def values_bb(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """(what a best response gets, what the average strategy gets) of BB and of SB."""
        big, small = self._engine.both_values()
        return (
            (float(big[0].sum()), float(big[1].sum())),
            (float(small[0].sum()), float(small[1].sum())),
        )

    def exploitability_bb(self) -> float:
        """Mean of what the two players could gain by a best response; 0 at an equilibrium."""
        return exploitability(self.values_bb())

    def solve(
        self,
        target_pct: float | None = None,
        *,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        progress: bool | Report = False,
    ) -> PreflopSolution:
        """Iterate until a stop rule holds or Ctrl-C, and return what was found.

        Args:
            target_pct: exploitability to stop at, in % of the starting pot; 0.1 if there is no
                other rule.
            max_iterations: how many to add at most.
            max_seconds: how long to go on at most.
            progress: True for a line on the terminal, or a function told at each check; its
                exploitability is in % of the starting pot.
        """
        target_pct = (
            SolveOptions(target=target_pct, max_iterations=max_iterations, max_seconds=max_seconds)
            .stopping(DEFAULT_TARGET_PCT)
            .target
        )
        last = self.iteration + (max_iterations or MOST_ITERATIONS)
        with reporting(progress) as report:
            return self._solve(target_pct, last, max_seconds, report)

    def _solve(
        self, target_pct: float | None, last: int, max_seconds: float | None, report: Report | None
    ) -> PreflopSolution:
        before = self.seconds

        def note(seconds: float) -> None:
            self.seconds = before + seconds

        loop = Loop(
            iteration=lambda: self.iteration,
            train=self.run,
            measure=lambda: self.pct_of_pot(self.exploitability_bb()),
            next_check=next_check,
            curve=self.curve,
            report=report,
            after_check=note,
            unit=" % of pot",
        )
        return self.solution(stopped=loop.run(StopRules(last, target_pct, max_seconds)))

    def solution(self, stopped: Stopped = "iterations") -> PreflopSolution:
        """What has been found so far, as it is now: later iterations do not change it."""
        values = self.values_bb()
        gap_bb = exploitability(values)
        return PreflopSolution(
            tree=self.tree,
            deal=self.deal,
            policy_sum=self._stored()["policy_sum"].copy(),
            iterations=self.iteration,
            seconds=self.seconds,
            exploitability_bb=gap_bb,
            exploitability_pct=self.pct_of_pot(gap_bb),
            value_bb=(values[0][1], values[1][1]),
            curve=tuple(self.curve),
            stopped=stopped,
        )

    def pct_of_pot(self, amount_bb: float) -> float:
        """% of the starting pot: blinds and antes."""
        return 100.0 * amount_bb * CHIPS_PER_BB / self.config.starting_pot_chips

    def save(self, path: str | Path) -> None:
        """Write everything: `load` goes on from it bit for bit on the same device."""
        header = {
            "config": self.config.model_dump(mode="json"),
            "fingerprint": self.config.fingerprint(),
            "hands": list(self.deal.classes),
            "schedule": self.schedule.to_texts(),
            "iteration": self.iteration,
            "seconds": self.seconds,
        }
        curve = np.array(self.curve, np.float64).reshape(-1, 2)
        write_file(path, KIND, header, {"curve": curve, **self._stored()})

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        config: Config | None = None,
        device: str = "cpu",
        threads: int | None = None,
        backend: str | None = None,
    ) -> Self:
        """Go on from a file; with `config`, one of another game is refused."""
        header, arrays = read_file(path, KIND)
        held = Config(**header["config"])
        if header["fingerprint"] != held.fingerprint():
            raise FormatError(f"{path}: its config does not match its fingerprint")
        if config is not None and config != held:
            raise FormatError(
                f"{path} holds {held.name} ({header['fingerprint']}), asked for "
                f"{config.name} ({config.fingerprint()})"
            )
        solver = cls(
            held,
            schedule=Schedule.from_texts(header["schedule"]),
            device=device,
            threads=threads,
            hands=header["hands"],
            backend=backend,
        )
        solver.iteration, solver.seconds = header["iteration"], header["seconds"]
        solver.curve = [(int(t), float(pct)) for t, pct in arrays.pop("curve")]
        solver._restore(path, arrays)
        return solver

    def _stored(self) -> dict[str, Float]:
        stored: dict[str, Float] = self._engine.stored()
        return stored

    def _restore(self, path: str | Path, arrays: dict[str, NDArray[Any]]) -> None:
        want = {name: array.shape for name, array in self._stored().items()}
        found = {name: array.shape for name, array in arrays.items()}
        if found != want:
            raise FormatError(f"{path} holds arrays {found}, wants {want}")
        self._engine.restore(arrays)


def solve_preflop(
    config: Config,
    *,
    target_pct: float | None = None,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    schedule: Schedule | str = DCFR,
    device: str = "cpu",
    threads: int | None = None,
    progress: bool | Report = False,
) -> PreflopSolution:
    """Solve a config to `target_pct` % of the starting pot, 0.1 by default."""
    solver = PreflopSolver(config, schedule=schedule, device=device, threads=threads)
    return solver.solve(
        target_pct, max_iterations=max_iterations, max_seconds=max_seconds, progress=progress
    )


def exploitability(values: tuple[tuple[float, float], tuple[float, float]]) -> float:
    """From (best, average) of both players: what they lose to best responses, on average.

    With rake the averages do not cancel, so each is taken off its own best response.
    """
    (best_big, average_big), (best_small, average_small) = values
    return ((best_small - average_small) + (best_big - average_big)) / 2


def next_check(iteration: int) -> int:
    """When to measure next: a measurement costs some four iterations, so every tenth at most."""
    return iteration + max(10, iteration // 10)


def _choose_device(device: str, num_nodes: int) -> str:
    name = choose(device, num_nodes, PREFLOP)
    if name == "mps":
        raise DeviceError("device mps has no float64, which preflop solving needs; use cpu")
    return name
