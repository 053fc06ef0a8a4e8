"""Best response, exploitability and value of a strategy.

For a `Game` by walking its states: slow, and as the definition says. For a `CompiledGame` at
engine speed. Either way a best response chooses one action per information set, never one per
hidden state.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import fsum, isfinite
from typing import Any

import numpy as np

from poker_solver.errors import GameError, InputError, StrategyError
from poker_solver.games.base import CHANCE, Action, Game, weighted_deals
from poker_solver.kernels.sequence_form import Form, on_numba
from poker_solver.trees.compiled import CompiledGame, Float, group_sums

Strategies = Mapping[str, Mapping[Any, float]]

_SUM_TOLERANCE = 1e-6
"""How far from 1 the probabilities of an information set may sum."""


def compute_exploitability(game: Game[Any] | CompiledGame, strategy: Strategies | Float) -> float:
    """Mean of what the two best responses win: 0 at an equilibrium."""
    best = [best_response_value(game, strategy, player) for player in (0, 1)]
    return (best[0] + best[1]) / 2


def best_response_value(
    game: Game[Any] | CompiledGame, strategy: Strategies | Float, player: int
) -> float:
    """What the player wins when he plays best against the other's part of the strategy."""
    check_player(player)
    if isinstance(game, CompiledGame):
        policy = policy_from(game, strategy)
        return float(on_numba.value(sequence_form(game), policy, int(player), True))
    with depth_limit(game):
        return _BestResponse(game, _by_key(game, strategy), player).value()


def game_value(game: Game[Any] | CompiledGame, strategy: Strategies | Float) -> float:
    """What player 0 wins when both play the strategy."""
    if isinstance(game, CompiledGame):
        return float(on_numba.value(sequence_form(game), policy_from(game, strategy), 0, False))
    by_key = _by_key(game, strategy)
    with depth_limit(game):
        return sum(p * _expected(game, by_key, state) for state, p in weighted_deals(game))


def sequence_form(game: CompiledGame) -> Form:
    """The arrays of a compiled game that the kernels read."""
    return Form(**{name: getattr(game, name) for name in Form._fields})


def check_player(player: int) -> None:
    """Refuse whoever is not one of the two."""
    if player not in (0, 1):
        raise InputError(f"player is {player!r}, must be 0 or 1")


@contextmanager
def depth_limit(game: Game[Any]) -> Iterator[None]:
    """Within, a game too deep to be walked by recursion is refused with that reason."""
    try:
        yield
    except RecursionError as error:
        raise GameError(
            f"{game.name} is too deep to walk state by state; compile_game has no such limit"
        ) from error


def policy_from(game: CompiledGame, strategy: Strategies | Float) -> Float:
    """[Q] probabilities of a strategy; refuses one that does not fit the game."""
    if isinstance(strategy, np.ndarray):
        policy = np.asarray(strategy, np.float64)
        if policy.shape != (game.num_sequences,):
            raise StrategyError(f"strategy has shape {policy.shape}, wants ({game.num_sequences},)")
        _check_all(game, policy)
        return policy
    rows = [
        _row(strategy, key, actions) for key, actions in zip(game.keys, game.actions, strict=True)
    ]
    return np.array([p for row in rows for p in row], np.float64)


def _check_all(game: CompiledGame, policy: Float) -> None:
    with np.errstate(invalid="ignore"):  # infinities of both signs are about to be refused
        total = group_sums(policy, game.info_start)
    lowest = group_sums(np.minimum(policy, 0.0), game.info_start)
    wrong = ~((np.abs(total - 1) <= _SUM_TOLERANCE) & (lowest >= 0))
    if wrong.any():
        i = int(np.argmax(wrong))
        first, last = game.info_start[i : i + 2]
        _check_row(game.keys[i], policy[first:last].tolist())


def _check_row(key: str, row: Sequence[float]) -> None:
    """Refuse what are not probabilities, by the name of the information set."""
    if not all(isfinite(p) and p >= 0 for p in row) or abs(fsum(row) - 1) > _SUM_TOLERANCE:
        raise StrategyError(
            f"strategy at {key!r} is {list(row)}; wants probabilities, 0 or more with sum 1"
        )


def _by_key(game: Game[Any], strategy: Strategies | Float) -> Strategies:
    if isinstance(strategy, np.ndarray):
        raise StrategyError(
            f"strategy is an array, but {game.name} is not compiled; wants {{key: {{action: p}}}}"
        )
    return strategy


def _row(strategy: Strategies, key: str, actions: tuple[Action, ...]) -> list[float]:
    if key not in strategy:
        raise StrategyError(f"strategy has no information set {key!r}")
    if unknown := set(strategy[key]) - set(actions):
        raise StrategyError(
            f"strategy at {key!r} plays {sorted(map(str, unknown))}; legal are {list(actions)}"
        )
    row = [strategy[key].get(action, 0.0) for action in actions]
    _check_row(key, row)
    return row


def _moves(game: Game[Any], strategy: Strategies, state: Any) -> list[tuple[Any, float]]:
    """Where chance or the player to act goes from here, and how often."""
    actions = tuple(game.actions(state))
    if game.player(state) == CHANCE:
        probabilities = list(game.chance_probabilities(state))
    else:
        probabilities = _row(strategy, game.info_set_key(state), actions)
    return [
        (game.next_state(state, action), p)
        for action, p in zip(actions, probabilities, strict=True)
        if p > 0
    ]


def _expected(game: Game[Any], strategy: Strategies, state: Any) -> float:
    if game.is_terminal(state):
        return game.utility(state, 0)
    return sum(p * _expected(game, strategy, child) for child, p in _moves(game, strategy, state))


class _BestResponse:
    """One player's best response to a strategy, state by state."""

    def __init__(self, game: Game[Any], strategy: Strategies, player: int) -> None:
        self.game, self.strategy, self.player = game, strategy, player
        self.deals = weighted_deals(game)
        # the states of each own information set, with the probability that the others lead there
        self.members: defaultdict[str, list[tuple[Any, float]]] = defaultdict(list)
        for state, p in self.deals:
            self._collect(state, p)
        self.best: dict[str, Action] = {}
        self.under_way: set[str] = set()

    def value(self) -> float:
        return sum(p * self._value(state) for state, p in self.deals)

    def _collect(self, state: Any, reach: float) -> None:
        game = self.game
        if game.is_terminal(state):
            return
        if game.player(state) == self.player:
            self.members[game.info_set_key(state)].append((state, reach))
            for action in game.actions(state):
                self._collect(game.next_state(state, action), reach)
        else:
            for child, p in _moves(game, self.strategy, state):
                self._collect(child, reach * p)

    def _value(self, state: Any) -> float:
        game = self.game
        if game.is_terminal(state):
            return game.utility(state, self.player)
        if game.player(state) == self.player:
            return self._value(game.next_state(state, self.best_action(game.info_set_key(state))))
        return sum(p * self._value(child) for child, p in _moves(game, self.strategy, state))

    def best_action(self, key: str) -> Action:
        if key in self.under_way:
            raise GameError(
                f"{self.game.name}: information set {key!r} comes again below itself: "
                "imperfect recall"
            )
        if key not in self.best:
            self.under_way.add(key)
            self.best[key] = max(
                self.game.actions(self.members[key][0][0]),
                key=lambda action: self._value_in_set(key, action),
            )
            self.under_way.remove(key)
        return self.best[key]

    def _value_in_set(self, key: str, action: Action) -> float:
        return sum(
            reach * self._value(self.game.next_state(state, action))
            for state, reach in self.members[key]
        )
