"""The preflop engine: CFR on the betting tree with ranges of 169 classes, in float64 and bb."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.games.betting import BB, SB
from poker_solver.preflop.arrays import kernel_tree
from poker_solver.preflop.deal import ClassDeal
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.memory import check_preflop, resident_bytes, used_bytes
from poker_solver.store.files import Arrays
from poker_solver.trees.betting import BettingTree

if TYPE_CHECKING:
    from poker_solver.kernels.range_cfr import on_numba, on_torch

Float = NDArray[np.float64]


class PreflopEngine:
    """An `Engine` of one config, F = 1; amounts are in bb. Its backend is `numba` or `torch`."""

    first_step = 1

    def __init__(
        self,
        tree: BettingTree,
        deal: ClassDeal,
        schedule: Schedule,
        *,
        device: str = "cpu",
        threads: int | None = None,
        backend: str | None = None,
    ) -> None:
        self.tree, self.deal, self.schedule, self.device = tree, deal, schedule, device
        self.iteration = 0
        self._values: tuple[int, Float] | None = None  # at an iteration
        num_hands = len(deal.classes)
        check_preflop(tree.num_nodes, num_hands, schedule.prediction > 0, device)
        self._kernels = self._open(backend or ("numba" if device == "cpu" else "torch"), threads)

    def _open(self, backend: str, threads: int | None) -> "on_numba.Engine | on_torch.Engine":
        arrays, rule = kernel_tree(self.tree, self.deal.num_deals), self.schedule.rule
        if backend == "torch":
            from poker_solver.kernels.range_cfr import on_torch

            return on_torch.Engine(arrays, self.deal.hands, rule, device=self.device)
        if backend != "numba":
            raise InputError(f"backend is {backend!r}, must be numba or torch")
        from poker_solver.kernels.range_cfr import on_numba

        on_numba.compile_kernels()
        return on_numba.Engine(arrays, self.deal.hands, rule, threads=num_threads(threads))

    def next_check(self, iteration: int) -> int:
        """When to measure next: that costs some four iterations, so every tenth at most."""
        return iteration + max(10, iteration // 10)

    def train(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            weights = self.schedule.at(self.iteration)
            for player in (SB, BB):
                self._kernels.update(player, weights)

    def best_and_average(self) -> Float:
        """[2, 2] what a best response gets, then the average strategy; of BB, then SB."""
        if self._values is None or self._values[0] != self.iteration:
            found = [[float(of.sum()) for of in both] for both in self._kernels.both_values()]
            self._values = self.iteration, np.array(found)
        return self._values[1]

    def measure(self) -> Float:
        """[1] exploitability; with rake the averages do not cancel, so each is taken off."""
        best, average = self.best_and_average().T
        return np.array([(best - average).sum() / 2])

    def values(self) -> Float:
        """[2, 1] what the average strategies get, BB and SB."""
        return self.best_and_average()[:, 1:]

    @property
    def used_bytes(self) -> int:
        """Memory of this process, or of the device."""
        return (None if self.device == "cpu" else used_bytes(self.device)) or resident_bytes()

    def stored(self) -> Arrays:
        """[V, H] each; on the CPU the arrays themselves."""
        return dict(self._kernels.stored())

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        shape = self.tree.num_nodes, len(self.deal.classes)
        last = shape if self.schedule.prediction else (0, shape[1])
        check_arrays(arrays, {"regret": shape, "policy_sum": shape, "last": last})
        self._kernels.restore(arrays)
        self.iteration, self._values = iteration, None
