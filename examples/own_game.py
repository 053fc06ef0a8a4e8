"""Write a game, then solve it: both hide one coin or two."""

from collections.abc import Hashable
from dataclasses import dataclass

import poker_solver as ps


@dataclass(frozen=True)
class State:
    """What each player has hidden so far; 0 is not yet."""

    hidden: tuple[int, int] = (0, 0)


class OddOrEven(ps.Game[State]):
    """The first player wins the coins if their number is even, else the second does."""

    def initial_states(self) -> list[State]:
        """Nothing is dealt."""
        return [State()]

    def is_terminal(self, state: State) -> bool:
        """Both have hidden."""
        return 0 not in state.hidden

    def player(self, state: State) -> int:
        """The first player hides first; the second does not see it."""
        return 0 if state.hidden[0] == 0 else 1

    def actions(self, state: State) -> list[str]:
        """One coin or two."""
        return ["1", "2"]

    def next_state(self, state: State, action: Hashable) -> State:
        """Hide that many."""
        first, coins = state.hidden[0], int(str(action))
        return State((coins, 0) if first == 0 else (first, coins))

    def info_set_key(self, state: State) -> str:
        """Neither knows anything but whose turn it is."""
        return f"player {self.player(state)}"

    def utility(self, state: State, player: int) -> float:
        """The coins, to the first player if their number is even."""
        coins = sum(state.hidden)
        won = coins if coins % 2 == 0 else -coins
        return float(won if player == 0 else -won)


result = ps.solve(OddOrEven(), max_iterations=5_000)
print(f"value {result.value:.4f} (exact: {-1 / 12:.4f})")
print(result.strategy["player 0"])
