"""Leduc poker of any size: two betting rounds, one public card, a pair beats a higher card.

Suits do not matter once hands are compared, so a state names ranks only and carries how many
ways the suits can fall as its weight: 288 information sets for the usual six cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poker_solver.errors import GameError
from poker_solver.games.base import CHANCE, Action, Game, check_over

_NEXT_ROUND = "/"


@dataclass(frozen=True, slots=True)
class LeducState:
    """Private ranks, public rank once it is dealt, and both rounds' actions.

    `f` folds, `c` checks or calls, `r` bets or raises; `/` ends the first round.
    """

    cards: tuple[int, int]
    board: int | None = None
    history: str = ""


class LeducPoker(Game[LeducState]):
    """Leduc hold'em with `num_ranks` x `num_suits` cards; the defaults are the usual game."""

    def __init__(
        self,
        num_ranks: int = 3,
        num_suits: int = 2,
        bet_sizes: Sequence[int] = (2, 4),
        max_raises: int = 2,
    ) -> None:
        """Fix the cards, the bet of each round, and how often a round may be raised."""
        if num_ranks < 2 or num_suits < 1 or num_ranks * num_suits < 3:
            raise GameError(
                f"Leduc with {num_ranks} ranks and {num_suits} suits; "
                "needs at least 2 ranks, 1 suit and 3 cards"
            )
        bet_sizes = tuple(bet_sizes)
        if len(bet_sizes) != 2 or min(bet_sizes) <= 0:
            raise GameError(f"Leduc bet_sizes are {bet_sizes}; must be two, both above 0")
        if max_raises < 1:
            raise GameError(f"Leduc max_raises is {max_raises}; must be at least 1")
        self.num_ranks = num_ranks
        self.num_suits = num_suits
        self.bet_sizes = bet_sizes
        self.max_raises = max_raises

    @property
    def name(self) -> str:
        """The class name, with the parameters where they are not the usual ones."""
        given = self.num_ranks, self.num_suits, self.bet_sizes, self.max_raises
        if given == (3, 2, (2, 4), 2):
            return "LeducPoker"
        return (
            f"LeducPoker(num_ranks={self.num_ranks}, num_suits={self.num_suits}, "
            f"bet_sizes={self.bet_sizes}, max_raises={self.max_raises})"
        )

    def initial_states(self) -> Sequence[LeducState]:
        """Every pair of ranks the cards allow."""
        ranks = range(self.num_ranks)
        states = [LeducState((first, second)) for first in ranks for second in ranks]
        return [state for state in states if self.deal_weight(state) > 0]

    def deal_weight(self, state: LeducState) -> float:
        """How many ordered pairs of cards have these ranks."""
        first, second = state.cards
        return float(self.num_suits * (self.num_suits - (first == second)))

    def is_terminal(self, state: LeducState) -> bool:
        """Somebody folded, or the second round is over."""
        return state.history.endswith("f") or (
            state.board is not None and _round_is_over(_last_round(state))
        )

    def player(self, state: LeducState) -> int:
        """Player 0 opens both rounds; chance deals between them."""
        current = _last_round(state)
        return CHANCE if state.board is None and _round_is_over(current) else len(current) % 2

    def actions(self, state: LeducState) -> Sequence[Action]:
        """Fold against a raise, check or call, raise up to the cap; at a deal, the ranks left."""
        current = _last_round(state)
        if state.board is None and _round_is_over(current):
            return [rank for rank in range(self.num_ranks) if self._left(state, rank) > 0]
        actions = ["f", "c"] if current.endswith("r") else ["c"]
        return [*actions, "r"] if current.count("r") < self.max_raises else actions

    def chance_probabilities(self, state: LeducState) -> Sequence[float]:
        """In proportion to the cards of each rank that are left."""
        cards_left = self.num_ranks * self.num_suits - 2
        return [self._left(state, rank) / cards_left for rank in range(self.num_ranks)
                if self._left(state, rank) > 0]  # fmt: skip

    def next_state(self, state: LeducState, action: Action) -> LeducState:
        """Deal the public card, or write the action down."""
        if isinstance(action, int):
            return LeducState(state.cards, action, state.history + _NEXT_ROUND)
        return LeducState(state.cards, state.board, f"{state.history}{action}")

    def utility(self, state: LeducState, player: int) -> float:
        """What the loser put in."""
        check_over(self, state)
        paid = self._paid(state.history)
        if state.history.endswith("f"):
            loser = (len(_last_round(state)) - 1) % 2
        else:
            strength = [self._strength(card, state.board) for card in state.cards]
            if strength[0] == strength[1]:
                return 0.0
            loser = int(strength[0] > strength[1])
        return -float(paid[loser]) if player == loser else float(paid[loser])

    def info_set_key(self, state: LeducState) -> str:
        """Own rank, the public one, and the history, like `2:cr` or `2|0:cc/r`."""
        current = _last_round(state)
        board = "" if state.board is None else f"|{state.board}"
        return f"{state.cards[len(current) % 2]}{board}:{state.history}"

    def key_name(self, key: str) -> str:
        """`2|0:cc/r` -> `K|J:cc/r` where there are three ranks."""
        cards, colon, history = key.partition(":")
        if self.num_ranks != 3:
            return key
        return cards.translate(str.maketrans("012", "JQK")) + colon + history

    def action_name(self, state: LeducState, action: Action) -> str:
        """In words."""
        facing_raise = state.history.endswith("r")
        words = {"f": "fold", "c": "call" if facing_raise else "check"}
        return words.get(str(action), "raise" if "r" in _last_round(state) else "bet")

    def _left(self, state: LeducState, rank: int) -> int:
        return self.num_suits - state.cards.count(rank)

    def _strength(self, card: int, board: int | None) -> int:
        return self.num_ranks if card == board else card

    def _paid(self, history: str) -> list[int]:
        """Chips each player has put in, the ante of 1 included."""
        paid = [1, 1]
        rounds = history.split(_NEXT_ROUND)
        for actions, bet in zip(rounds, self.bet_sizes[: len(rounds)], strict=True):
            for turn, action in enumerate(actions):
                actor = turn % 2
                if action == "c":
                    paid[actor] = paid[1 - actor]
                elif action == "r":
                    paid[actor] = paid[1 - actor] + bet
        return paid


def _last_round(state: LeducState) -> str:
    return state.history.rpartition(_NEXT_ROUND)[2]


def _round_is_over(actions: str) -> bool:
    return actions == "cc" or (actions.endswith("c") and "r" in actions)
