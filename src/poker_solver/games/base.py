"""The rules of a game, one state at a time; how it is solved is somebody else's business."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from math import fsum, isfinite
from typing import Any, Generic, TypeVar

from poker_solver.errors import GameError

CHANCE = -1
"""What `Game.player` says where nature moves."""

Action = Hashable
State = TypeVar("State", bound=Hashable)


class Game(ABC, Generic[State]):
    """A finite two-player zero-sum game of perfect recall.

    States are frozen and hashable. Play starts in one of `initial_states`, drawn in proportion to
    `deal_weight`. Two states with one `info_set_key` look the same to the player who acts there.
    """

    num_players = 2

    @property
    def name(self) -> str:
        """What to call the game on screen and in files."""
        return type(self).__name__

    @abstractmethod
    def initial_states(self) -> Sequence[State]:
        """Every deal the game can start from."""

    def deal_weight(self, state: State) -> float:
        """How often this deal comes, relative to the others."""
        return 1.0

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Who acts: 0, 1 or `CHANCE`."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """What the player may do, in a fixed order; at a chance node, what may happen."""

    def chance_probabilities(self, state: State) -> Sequence[float]:
        """The probability of each of `actions(state)` at a chance node; uniform by default."""
        num_actions = len(self.actions(state))
        return [1.0 / num_actions] * num_actions

    @abstractmethod
    def next_state(self, state: State, action: Action) -> State:
        """Where the action leads."""

    @abstractmethod
    def utility(self, state: State, player: int) -> float:
        """What the player has won when the game is over."""

    @abstractmethod
    def info_set_key(self, state: State) -> str:
        """What the player to act knows, as text; unique over both players."""

    def key_name(self, key: str) -> str:
        """What `info_set_key` says, as a person reads it."""
        return key

    def action_name(self, state: State, action: Action) -> str:
        """The action in words a person reads."""
        return str(action)


def check_over(game: Game[State], state: State) -> None:
    """Refuse to pay out where the game goes on."""
    if not game.is_terminal(state):
        raise GameError(f"{game.name}: utility wants a terminal state, the game goes on at {state}")


def weighted_deals(game: Game[Any]) -> list[tuple[Any, float]]:
    """The deals that can come, each with its probability."""
    deals = [(state, game.deal_weight(state)) for state in game.initial_states()]
    for state, weight in deals:
        if not (isfinite(weight) and weight >= 0):
            what = f"has deal weight {weight}; must be 0 or more and finite"
            raise GameError(f"{game.name}: state {state} {what}")
    total = fsum(weight for _, weight in deals)
    if not total > 0:
        raise GameError(f"{game.name} has no initial state with a weight above 0")
    return [(state, weight / total) for state, weight in deals if weight > 0]
