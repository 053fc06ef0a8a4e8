"""CFR as the papers write it: dictionaries and recursion, no cleverness.

The reference for the fast engine, not the tool for large games. It does not check the game;
`compile_game` does.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.generic.best_response import depth_limit
from poker_solver.cfr.generic.engine import GameEngine
from poker_solver.cfr.schedules import DCFR, Schedule, as_schedule
from poker_solver.errors import InputError
from poker_solver.games.base import CHANCE, Action, Game, weighted_deals
from poker_solver.kernels.regret.reference import add_policy, learn, match, normalise
from poker_solver.store.files import Arrays
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame, Float, normalized_policy

Strategy = Mapping[Action, float]
Table = dict[str, dict[Action, float]]


class VanillaCFR(GameEngine):
    """Full-tree CFR with any schedule, updating players in turn or together."""

    def __init__(
        self, game: Game[Any], schedule: Schedule | str = DCFR, *, alternating: bool = True
    ) -> None:
        """Start before the first iteration: no regrets, uniform strategies."""
        self.game = game
        self.schedule = as_schedule(schedule)
        self.alternating = alternating
        self.iteration = 0
        self.regret: Table = {}
        self.policy_sum: Table = {}
        self._last: Table = {}  # regret of the last iteration
        self._gain: Table = {}  # regret of the pass under way
        self._played: Table = {}  # own reach times strategy, likewise
        self._deals = weighted_deals(game)

    def train(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            for players in ((0,), (1,)) if self.alternating else ((0, 1),):
                with depth_limit(self.game):
                    for player in players:
                        for state, deal_p in self._deals:
                            self.cfr(state, player, 1.0, deal_p)
                self._learn()

    def cfr(self, state: Hashable, player: int, own_reach: float, other_reach: float) -> float:
        """Value of the state to the player; notes his regrets below it.

        His own actions lead here with `own_reach`, chance and the opponent with `other_reach`.
        """
        game = self.game
        if game.is_terminal(state):
            return game.utility(state, player)
        actions = game.actions(state)
        if game.player(state) == CHANCE:
            outcomes = zip(actions, game.chance_probabilities(state), strict=True)
            return sum(
                p * self.cfr(game.next_state(state, action), player, own_reach, other_reach * p)
                for action, p in outcomes
                if p > 0
            )
        key = game.info_set_key(state)
        strategy = self._strategy(key, actions)
        if game.player(state) != player:
            return sum(
                p * self.cfr(game.next_state(state, action), player, own_reach, other_reach * p)
                for action, p in strategy.items()
            )
        values = {
            action: self.cfr(game.next_state(state, action), player, own_reach * p, other_reach)
            for action, p in strategy.items()
        }
        value = sum(p * values[action] for action, p in strategy.items())
        gain = self._gain.setdefault(key, dict.fromkeys(actions, 0.0))
        for action in actions:
            gain[action] += other_reach * (values[action] - value)
        # perfect recall: own reach is the same in every state of the set
        self._played[key] = {action: own_reach * p for action, p in strategy.items()}
        return value

    def get_strategy(self, key: str) -> Strategy:
        """The current strategy of an information set; uniform until it is visited."""
        return self._strategy(key, list(self._weights(self.regret, key)))

    def get_average_strategy(self, key: str) -> Strategy:
        """The average strategy of an information set: what converges; uniform until visited."""
        return _normalized(self._weights(self.policy_sum, key))

    def get_all_average_strategies(self) -> dict[str, Strategy]:
        """The average strategy of every information set that was visited, of all before that."""
        return {key: self.get_average_strategy(key) for key in self.policy_sum or self._actions}

    @cached_property
    def compiled(self) -> CompiledGame:
        """The game whose order arrays have; iterations do not need it."""
        return compile_game(self.game, "cpu")

    @property
    def average_policy(self) -> Float:
        """[Q] the average strategy: what converges."""
        return normalized_policy(self.compiled, self._array(self.policy_sum))

    def stored(self) -> Arrays:
        """[Q] each, what a checkpoint needs; 0 where nobody has been."""
        tables = {"regret": self.regret, "policy_sum": self.policy_sum, "last": self._last}
        return {name: self._array(table) for name, table in tables.items()}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave after that many iterations."""
        wanted = (self.compiled.num_sequences,)
        check_arrays(arrays, {"regret": wanted, "policy_sum": wanted, "last": wanted})
        self.regret, self.policy_sum, self._last = (
            self.compiled.strategy_by_key(arrays[name].astype(np.float64))
            for name in ("regret", "policy_sum", "last")
        )
        self.iteration = iteration

    def _array(self, table: Table) -> Float:
        pairs = zip(self.compiled.keys, self.compiled.actions, strict=True)
        return np.array([table.get(key, {}).get(a, 0.0) for key, actions in pairs for a in actions])

    @cached_property
    def _actions(self) -> dict[str, tuple[Action, ...]]:
        return dict(zip(self.compiled.keys, self.compiled.actions, strict=True))

    def _weights(self, table: Table, key: str) -> dict[Action, float]:
        if key in table:
            return table[key]
        if key not in self._actions:
            raise InputError(f"{self.game.name} has no information set {key!r}")
        return dict.fromkeys(self._actions[key], 0.0)

    def _strategy(self, key: str, actions: Sequence[Action]) -> Strategy:
        regret = self.regret.get(key)
        if regret is None:
            return _normalized(dict.fromkeys(actions, 0.0))
        last, prediction = self._last[key], self.schedule.prediction
        matched = match(list(regret.values()), [last[a] for a in regret], prediction)
        return dict(zip(regret, matched, strict=True))

    def _learn(self) -> None:
        """Take the pass under way into what is stored."""
        weights, rule = self.schedule.at(self.iteration), self.schedule.rule
        for key, gain in self._gain.items():
            regret = self.regret.setdefault(key, dict.fromkeys(gain, 0.0))
            policy_sum = self.policy_sum.setdefault(key, dict.fromkeys(gain, 0.0))
            for action, r in gain.items():
                regret[action] = learn(regret[action], r, weights, rule)
                played = self._played[key][action]
                policy_sum[action] = add_policy(policy_sum[action], played, weights)
        self._last.update(self._gain)
        self._gain, self._played = {}, {}


def _normalized(weights: Mapping[Action, float]) -> Strategy:
    return dict(zip(weights, normalise(list(weights.values())), strict=True))
