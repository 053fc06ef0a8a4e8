"""The fast engine: CFR on a compiled game, many iterations at a time."""

from typing import Any

import numpy as np

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.generic.best_response import check_player, sequence_form
from poker_solver.cfr.generic.engine import GameEngine
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.errors import InputError
from poker_solver.games.base import Action, Game
from poker_solver.store.files import Arrays
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame, Float, normalized_policy, uniform_policy


class BatchedCFR(GameEngine):
    """CFR in sequence form, with compiled kernels on the CPU and tensors elsewhere.

    Args:
        game: compiled for the device to run on; a plain `Game` is compiled for the CPU.
        schedule: which member of the family, by value or by name.
        alternating: update player 1 against player 0's new strategy, not the old one.
        batch_size: how many deals one pass over the terminals takes; all of them if not given.
            Tensor devices gather one number per terminal of a pass, so fewer deals need less
            memory and more launches (`pass_bytes` says how much). The CPU's kernels gather
            nothing, so there it changes neither memory nor speed. Results do not depend on it:
            bit for bit on the CPU, to rounding elsewhere.
        backend: `numba` or `torch`; by default numba on the CPU and torch elsewhere.
    """

    def __init__(
        self,
        game: CompiledGame | Game[Any],
        schedule: Schedule | str = DCFR,
        *,
        alternating: bool = True,
        batch_size: int | None = None,
        backend: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, CompiledGame) else compile_game(game)
        self.schedule = as_schedule(schedule)
        self.alternating = alternating
        if batch_size is not None and batch_size < 1:
            raise InputError(f"batch_size is {batch_size}, must be at least 1 deal")
        self.batch_size = min(batch_size or self.game.num_deals, self.game.num_deals)
        self.iteration = 0
        backend = backend or ("numba" if self.game.device == "cpu" else "torch")
        self._engine = self._make_engine(backend)
        # compile or record everything now, so that no solve is charged for it
        self._engine.run(self.schedule.table(1, 0))
        self._engine.value(uniform_policy(self.game), 0, best=True)

    def _make_engine(self, backend: str) -> Any:
        form, rule = sequence_form(self.game), self.schedule.rule
        if backend == "numba" and self.game.device == "cpu":
            from poker_solver.kernels.sequence_form import on_numba

            return on_numba.Engine(form, rule, alternating=self.alternating)
        if backend == "torch":
            import torch

            from poker_solver.kernels.sequence_form import on_torch

            dtype = torch.float32 if self.game.device == "mps" else torch.float64
            starts = [
                *self.game.deal_start[: -1 : self.batch_size].tolist(), len(self.game.payoff)
            ]  # fmt: skip
            return on_torch.Engine(
                form, rule, starts, self.game.device, dtype, alternating=self.alternating
            )
        raise InputError(f"backend {backend!r} does not run on {self.game.device}")

    @property
    def compiled(self) -> CompiledGame:
        """The game whose order arrays have."""
        return self.game

    @property
    def pass_bytes(self) -> int:
        """Working memory that grows with `batch_size`."""
        return int(self._engine.pass_bytes)

    def train(self, iterations: int) -> None:
        """Run some more iterations."""
        if iterations < 1:
            return
        self._engine.run(self.schedule.table(self.iteration + 1, iterations))
        self.iteration += iterations

    @property
    def average_policy(self) -> Float:
        """[Q] the average strategy: what converges."""
        return normalized_policy(self.game, self._engine.stored()["policy_sum"].astype(np.float64))

    @property
    def current_policy(self) -> Float:
        """[Q] what the next iteration plays: regrets matched."""
        stored = self._engine.stored()
        regret = stored["regret"].astype(np.float64)
        if self.schedule.prediction:
            regret = regret + self.schedule.prediction * stored["last"].astype(np.float64)
        return normalized_policy(self.game, np.maximum(regret, 0.0))

    def get_strategy(self, key: str) -> dict[Action, float]:
        """The current strategy of one information set."""
        return self._of(self.get_all_strategies(), key)

    def get_all_strategies(self) -> dict[str, dict[Action, float]]:
        """The current strategy of every information set; uniform before the first iteration."""
        return self.game.strategy_by_key(self.current_policy)

    def get_average_strategy(self, key: str) -> dict[Action, float]:
        """The average strategy of one information set."""
        return self._of(self.get_all_average_strategies(), key)

    def get_all_average_strategies(self) -> dict[str, dict[Action, float]]:
        """The average strategy of every information set."""
        return self.game.strategy_by_key(self.average_policy)

    def _of(self, strategies: dict[str, dict[Action, float]], key: str) -> dict[Action, float]:
        if key not in strategies:
            raise InputError(f"{self.game.name} has no information set {key!r}")
        return strategies[key]

    def best_response_value(self, player: int) -> float:
        """What the player's best response to the average strategy wins."""
        check_player(player)
        return float(self._engine.value(self.average_policy, int(player), best=True))

    def exploitability(self) -> float:
        """Mean of both best responses to the average strategy."""
        policy = self.average_policy
        return float(sum(self._engine.value(policy, player, best=True) for player in (0, 1))) / 2

    def value(self) -> float:
        """What player 0 wins when both play the average strategy."""
        return float(self._engine.value(self.average_policy, 0, best=False))

    def stored(self) -> Arrays:
        """[Q] each, what a checkpoint needs; the regret of the last iteration if it predicts."""
        return {name: np.array(array) for name, array in self._engine.stored().items()}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        wanted = (self.game.num_sequences,)
        last = wanted if self.schedule.prediction else (0,)
        check_arrays(arrays, {"regret": wanted, "policy_sum": wanted, "last": last})
        self._engine.restore(arrays)
        self.iteration = iteration
