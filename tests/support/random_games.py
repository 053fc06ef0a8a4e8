"""Random zero-sum games of perfect recall: ragged trees, chance nodes, shared information sets."""

from dataclasses import dataclass
from random import Random

from poker_solver.games.base import CHANCE, Game


@dataclass(frozen=True)
class RandomState:
    """The deal and the actions since; what each player has seen is part of his memory."""

    deal: int
    path: tuple[int, ...] = ()
    memory: tuple[str, str] = ("", "")


class RandomGame(Game[RandomState]):
    """Everything about a state is drawn from the seed and the way to it.

    A player sees, when he acts, how many actions he has and one of two signs; he remembers all
    signs and actions of his own. So states share information sets whenever signs coincide, and
    recall is perfect.
    """

    def __init__(self, seed: int, max_depth: int = 5, num_deals: int = 3) -> None:
        self.seed = seed
        self.max_depth = max_depth
        self.num_deals = num_deals

    def _draw(self, state: RandomState, what: str) -> Random:
        return Random(f"{self.seed}/{state.deal}/{state.path}/{what}")

    def initial_states(self):
        return [RandomState(deal) for deal in range(self.num_deals)]

    def deal_weight(self, state):
        return self._draw(RandomState(state.deal), "weight").uniform(0.5, 2.0)

    def is_terminal(self, state):
        depth = len(state.path)
        stop_p = 0.15 * depth
        return depth >= self.max_depth or self._draw(state, "end").random() < stop_p

    def player(self, state):
        return self._draw(state, "player").choice([0, 0, 1, 1, CHANCE])

    def actions(self, state):
        return list(range(self._draw(state, "actions").randint(1, 3)))

    def chance_probabilities(self, state):
        rng = self._draw(state, "chance")
        weights = [rng.uniform(0.2, 1.0) for _ in self.actions(state)]
        return [weight / sum(weights) for weight in weights]

    def _sign(self, state: RandomState) -> str:
        return f"{len(self.actions(state))}{self._draw(state, 'sign').choice('xy')}"

    def next_state(self, state, action):
        memory = list(state.memory)
        player = self.player(state)
        if player != CHANCE:
            memory[player] += f"{self._sign(state)}{action},"
        return RandomState(state.deal, (*state.path, action), (memory[0], memory[1]))

    def utility(self, state, player):
        first = self._draw(state, "utility").gauss(0.0, 2.0)
        return first if player == 0 else -first

    def info_set_key(self, state):
        player = self.player(state)
        return f"{player}|{state.memory[player]}|{self._sign(state)}"
