"""Kuhn poker: three cards, one bet, twelve information sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from poker_solver.games.base import Action, Game, check_over


@dataclass(frozen=True, slots=True, init=False)
class KuhnState:
    """Both cards (0 jack, 1 queen, 2 king) and what was done: `p` passes, `b` bets or calls."""

    cards: tuple[int, int]
    history: str

    def __init__(self, cards: tuple[int, int], history: Sequence[str] = "") -> None:
        """The history as text, or as a tuple of its letters."""
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "history", "".join(history))


class KuhnPoker(Game[KuhnState]):
    """Each player antes 1; the first to act may bet 1, the other may call it."""

    def initial_states(self) -> Sequence[KuhnState]:
        """Six deals, equally likely."""
        return [KuhnState((first, second)) for first, second in permutations(range(3), 2)]

    def is_terminal(self, state: KuhnState) -> bool:
        """A bet was answered, or both passed."""
        return state.history in ("pp", "pbp", "pbb", "bp", "bb")

    def player(self, state: KuhnState) -> int:
        """They take turns."""
        return len(state.history) % 2

    def actions(self, state: KuhnState) -> Sequence[str]:
        """Pass or bet, everywhere."""
        return ("p", "b")

    def next_state(self, state: KuhnState, action: Action) -> KuhnState:
        """Write the action down."""
        return KuhnState(state.cards, f"{state.history}{action}")

    def utility(self, state: KuhnState, player: int) -> float:
        """Win or lose 1, or 2 after a bet was called."""
        check_over(self, state)
        history = state.history
        if history.endswith("bp"):
            winner = len(history) % 2  # the bettor, who would act next
        else:
            winner = int(state.cards[1] > state.cards[0])
        stake = 2.0 if history.endswith("bb") else 1.0
        return stake if player == winner else -stake

    def info_set_key(self, state: KuhnState) -> str:
        """Own card and the history, like `1:pb`."""
        return f"{state.cards[self.player(state)]}:{state.history}"

    def key_name(self, key: str) -> str:
        """`1:pb` -> `Q:pb`."""
        return "JQK"[int(key[0])] + key[1:]

    def action_name(self, state: KuhnState, action: Action) -> str:
        """In words."""
        return "pass" if action == "p" else "bet"
