"""Heads-up hold'em from the deal to the river as a `Game`: the readable rules, one state at a time.

Chance deals each player two cards, the flop, a turn and a river; a card that falls is named by its
text, as in `AsAh`, `QsJh2h` and `7d`. Who may bet what is `games.betting`. With hands and boards of
its own choosing a game is small enough for the generic engine: that is how solvers of the whole
game are checked. They work on ranges and use none of this.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from poker_solver.cards import (
    COMBO_CARDS,
    NUM_CARDS,
    NUM_COMBOS,
    card_to_string,
    cards_from_string,
    cards_to_string,
    combo_to_string,
    parse_range,
    unblocked,
)
from poker_solver.cards.strength import board_strengths
from poker_solver.config.base import CHIPS_PER_BB, Document, Rake, to_bb, to_chips
from poker_solver.config.preflop import PreflopBetting, Stack
from poker_solver.config.problems import Problem
from poker_solver.config.sizes import Size
from poker_solver.config.spot import PlayerSizes, PostflopBetting, Thresholds
from poker_solver.errors import GameError
from poker_solver.games.base import CHANCE, Action, Game, check_over
from poker_solver.games.betting import (
    BB,
    DEAL,
    FOLD,
    POSITIONS,
    PREFLOP,
    SB,
    Betting,
    BettingRules,
    Street,
)

_Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)]


def _must_be_an_order(sizes: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sorted(set(sizes)))


class PostflopConfig(Document):
    """A whole game in three numbers; blinds are 0.5 and 1, the all-in is always offered.

    `stack_depth` is each player's stack in big blinds. `bet_sizes` are fractions of the pot,
    offered as bets and raises on every street; one that is too small is the
    smallest legal one. `samples_per_iteration` is how many deals a solver that samples them takes
    at a time.
    """

    stack_depth: Stack = 100.0
    bet_sizes: Annotated[tuple[_Positive, ...], AfterValidator(_must_be_an_order)] = (
        0.33,
        0.5,
        0.75,
        1.0,
    )
    samples_per_iteration: Annotated[int, Field(strict=True, gt=0)] = 1000

    @classmethod
    def disagreements(
        cls, fields: Mapping[str, Any], problems: Sequence[Problem]
    ) -> Sequence[Problem]:
        """A stack that leaves nothing to play for."""
        stack = fields.get("stack_depth", 100.0)
        if any(problem.field == "stack_depth" for problem in problems) or stack > 1:
            return ()
        return (Problem("stack_depth", f"{stack:g} must be more than the big blind"),)

    @cached_property
    def rules(self) -> BettingRules:
        """Who may do what on all four streets."""
        pot_sizes = (Size("pot", Fraction(repr(size))) for size in self.bet_sizes)
        sizes = (*pot_sizes, Size("allin"))
        stack, played = to_chips(self.stack_depth), PlayerSizes(sizes, sizes, sizes)
        by_street = (PlayerSizes(), played, played, played)
        preflop = PreflopBetting(
            blind_chips=(CHIPS_PER_BB // 2, CHIPS_PER_BB),
            ante_chips=0,
            all_in_chips=stack,
            raise_sizes=(sizes,),
            lifts=True,
        )
        postflop = PostflopBetting(
            num_cards=3,
            pot=2 * CHIPS_PER_BB,
            stack=stack,
            sizes=(by_street, by_street),
            rake=Rake(),
            thresholds=Thresholds(),
            max_raises=None,
        )
        return BettingRules(preflop, (postflop,))


@dataclass(frozen=True, slots=True)
class PostflopState:
    """A deal and all that has happened in it; the big blind comes first in every pair."""

    hands: tuple[int, ...]  # combos: none yet, BB's, then SB's too
    board: tuple[int, ...]  # cards: the flop from the highest down, the turn, the river
    history: tuple[str, ...]  # actions and cards: ("r2.5", "c", "QsJh2h", "x", "b165")
    betting: Betting  # street, turn and bets

    @property
    def street(self) -> Street:
        """Where the betting is; while cards are to fall, the street before them."""
        return self.betting.street


class HunlPostflop(Game[PostflopState]):
    """No-limit hold'em as a config or betting rules describe it; utilities in bb.

    With rake the two utilities sum to less than 0, so engines that want a zero-sum game refuse it;
    a pot that nobody contests before the flop pays none.

    Args:
        config: the game; or the rules of its betting, from the blinds to the river.
        hands: what BB and SB may hold, as two ranges; all deals of them are initial states.
            Without, chance deals any cards.
        boards: what may fall, in the order of the cards, all of one length from three to five and
            equally likely where hands leave them; any cards follow. Without, all boards.
    """

    def __init__(
        self,
        config: PostflopConfig | BettingRules | None = None,
        *,
        hands: tuple[str, str] | None = None,
        boards: Sequence[str] | None = None,
    ) -> None:
        given = PostflopConfig() if config is None else config
        self.rules = given if isinstance(given, BettingRules) else given.rules
        if self.rules.preflop is None or not self.rules.postflop:
            raise GameError("HunlPostflop wants rules of betting both before and after the flop")
        self.preflop = self.rules.preflop
        self.weights = None if hands is None else tuple(map(parse_range, hands))
        self.boards = None if boards is None else _read_boards(boards)
        self._known: dict[Betting, dict[str, Betting]] = {}

    def initial_states(self) -> Sequence[PostflopState]:
        """The blinds posted: every deal of the given hands, or one before any card."""
        if self.weights is None:
            return [PostflopState((), (), (), self.rules.first)]
        big, small = (np.flatnonzero(weights).tolist() for weights in self.weights)
        return [
            PostflopState((first, second), (), (), self.rules.first)
            for first in big
            for second in small
            if not _held((first,)) & _held((second,))
        ]

    def deal_weight(self, state: PostflopState) -> float:
        """Both hands' weights in the ranges given."""
        if self.weights is None:
            return 1.0
        return float(self.weights[BB][state.hands[BB]] * self.weights[SB][state.hands[SB]])

    def is_terminal(self, state: PostflopState) -> bool:
        """Somebody folded, or five cards lie there and the betting is over."""
        return state.betting.is_over

    def player(self, state: PostflopState) -> int:
        """The small blind, on the button, is 1: first before the flop and last after it."""
        if len(state.hands) < 2 or state.betting.kind == DEAL:
            return CHANCE
        return state.betting.actor

    def actions(self, state: PostflopState) -> Sequence[str]:
        """Tokens: fold, check or call, then amounts from small to large; or what may fall."""
        if len(state.hands) < 2:
            free = unblocked(_held(state.hands))
            return [_names()[combo] for combo in np.flatnonzero(free).tolist()]
        if state.betting.kind == DEAL:
            return [*self._cards_to_fall(state)]
        return [*self._steps(state.betting)]

    def chance_probabilities(self, state: PostflopState) -> Sequence[float]:
        """Uniform; with a list of boards, uniform over those that can still come."""
        if len(state.hands) < 2 or self.boards is None:
            return super().chance_probabilities(state)
        counts = [*self._cards_to_fall(state).values()]
        return [count / sum(counts) for count in counts]

    def next_state(self, state: PostflopState, action: Action) -> PostflopState:
        """Play one of `actions(state)`."""
        token, betting = str(action), state.betting
        if len(state.hands) < 2:
            return PostflopState((*state.hands, _combos()[token]), (), (), betting)
        history, steps = (*state.history, token), self._steps(betting)
        if betting.kind == DEAL:
            fallen = cards_from_string(token)
            return PostflopState(state.hands, state.board + fallen, history, steps[""])
        if token not in steps:
            raise GameError(f"{self.name}: {token!r} is not legal; legal are {', '.join(steps)}")
        return PostflopState(state.hands, state.board, history, steps[token])

    def utility(self, state: PostflopState, player: int) -> float:
        """What the player wins in bb; what the other could not call goes back to who bet it."""
        check_over(self, state)
        betting = state.betting
        stake = to_bb(self.preflop.ante_chips + betting.paid + min(betting.bets))
        if betting.kind == FOLD:
            sign = -1 if betting.folder == player else 1
        else:
            sign = self._outcome(state) * (1 if player == BB else -1)
        if betting.kind == FOLD and betting.street == PREFLOP:
            return sign * stake
        rake = self.preflop.rake.taken(2 * stake)
        return sign * stake - rake * (1 + sign) / 2

    def info_set_key(self, state: PostflopState) -> str:
        """`SB:AsAh:`, `BB:Td9d:r2.5`, `BB:Td9d:r2.5-c-QsJh2h-x-b165`."""
        return f"{POSITIONS[state.betting.actor]}:{self._hand(state)}:{'-'.join(state.history)}"

    def pot_chips(self, state: PostflopState) -> int:
        """All that lies in the middle, bets in front of the players included."""
        return self.rules.pot + 2 * state.betting.paid + sum(state.betting.bets)

    def stack_chips(self, state: PostflopState) -> tuple[int, int]:
        """What BB and SB have behind."""
        left = self.rules.stack - state.betting.paid
        return left - state.betting.bets[BB], left - state.betting.bets[SB]

    def _hand(self, state: PostflopState) -> str:
        """What the player to act knows of his hand."""
        return _names()[state.hands[state.betting.actor]]

    def _steps(self, here: Betting) -> dict[str, Betting]:
        """Where each action leads: there are few states of the betting, and many deals of each."""
        if here not in self._known:
            self._known[here] = {step.token: step.after for step in self.rules.steps(here)}
        return self._known[here]

    def _cards_to_fall(self, state: PostflopState) -> dict[str, int]:
        """What may come next, each with the number of boards that begin with it."""
        held, now, more = _held(state.hands), len(state.board), 1 if state.board else 3
        if self.boards is None or now >= len(self.boards[0]):
            dead = held.union(state.board)
            live = [c for c in range(NUM_CARDS - 1, -1, -1) if c not in dead]
            return {"".join(cards): 1 for cards in combinations(map(card_to_string, live), more)}
        found = Counter(
            cards_to_string(board[now : now + more])
            for board in self.boards
            if board[:now] == state.board and held.isdisjoint(board)
        )
        if not found:
            hands = " and ".join(_names()[hand] for hand in state.hands)
            raise GameError(f"{self.name}: {hands} block every board that is given")
        return found

    def _outcome(self, state: PostflopState) -> int:
        """1 if the big blind wins, -1 if the small blind does, 0 if they share."""
        strength = _strengths(tuple(sorted(state.board)))
        big, small = strength[state.hands[BB]], strength[state.hands[SB]]
        return int(big > small) - int(big < small)


@cache
def _names() -> tuple[str, ...]:
    """Text of every combo."""
    return tuple(combo_to_string(combo) for combo in range(NUM_COMBOS))


@cache
def _combos() -> dict[str, int]:
    """Every combo by its text."""
    return {name: combo for combo, name in enumerate(_names())}


@lru_cache(maxsize=10_000)
def _held(hands: tuple[int, ...]) -> frozenset[int]:
    """The cards of some combos."""
    return frozenset(COMBO_CARDS[[*hands]].ravel().tolist())


@lru_cache(maxsize=10_000)
def _strengths(board: tuple[int, ...]) -> tuple[int, ...]:
    """Strengths [1326] on five cards, kept because many deals meet on one board."""
    return tuple(board_strengths([board])[0].tolist())


def _read_boards(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Different boards of one length, each flop from its highest card down."""
    cards = [cards_from_string(text) for text in texts]
    if {len(board) for board in cards} not in ({3}, {4}, {5}):
        raise GameError(f"boards {', '.join(texts)!r}: want some of 3, 4 or 5 cards, all alike")
    boards = [(*sorted(board[:3], reverse=True), *board[3:]) for board in cards]
    if len(set(boards)) < len(boards):
        raise GameError(f"boards {', '.join(texts)!r}: one is there twice")
    return tuple(boards)
