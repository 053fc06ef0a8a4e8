"""One hand of heads-up hold'em as events: any stack, any legal amount; who acts and who wins.

Rules are those of `games`. A hand never changes: an event makes the next one. Chips are whole,
100 to the big blind; blinds are 50 and 100.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from poker_solver.cards import (
    COMBO_CARDS,
    cards_from_string,
    cards_to_string,
    combo_from_string,
    combo_to_string,
)
from poker_solver.config.base import to_bb, to_chips
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.lines import FullLine, cut_line
from poker_solver.games.betting import (
    BB,
    DEAL,
    DECISION,
    FOLD,
    POSITIONS,
    PREFLOP,
    SHOWDOWN,
    Betting,
    BettingRules,
)
from poker_solver.games.hunl_postflop import HunlPostflop, PostflopConfig, PostflopState
from poker_solver.games.notation import parse_action_sequence

Holes = tuple[int | None, int | None]

LEAST_STACK_BB, MOST_STACK_BB = 2, 1_000
"""Stacks that a hand may be played with."""


@dataclass(frozen=True)
class Legal:
    """What the player to act may do."""

    tokens: tuple[str, ...]  # fold and call, or check
    least: int  # chips, on this street, that may be bet or raised to; 0 if nothing may
    most: int  # likewise; that is all-in

    @property
    def passive(self) -> str:
        """Check or, where there is a bet, fold."""
        return self.tokens[0]

    @property
    def call(self) -> str:
        """Check or, where there is a bet, call."""
        return self.tokens[-1]


@dataclass(frozen=True)
class PokerHand:
    """What has happened so far; pairs are of BB and SB.

    Args:
        stack_chips: of each player at the start.
        holes: combos of both, None where it is not known.
        line: actions and cards, as the rules write them.
        betting: where that leads.
    """

    stack_chips: int
    holes: Holes
    line: FullLine
    betting: Betting

    @classmethod
    def start(
        cls, stack_bb: float = 100, big: str | int = "", small: str | int = ""
    ) -> "PokerHand":
        """The blinds are posted; what BB and SB hold as text or combo, or nothing if unknown."""
        if not LEAST_STACK_BB <= stack_bb <= MOST_STACK_BB:
            want = f"{LEAST_STACK_BB} to {MOST_STACK_BB:,}"
            raise InputError(f"a stack of {stack_bb:g} bb: want {want}")
        stack, holes = to_chips(stack_bb), (_combo(big), _combo(small))
        _check_apart(holes, ())
        return cls(stack, holes, FullLine(()), rules_at(stack).first)

    @property
    def rules(self) -> BettingRules:
        """Who may do what."""
        return rules_at(self.stack_chips)

    @property
    def stack_bb(self) -> float:
        """Of each player at the start."""
        return to_bb(self.stack_chips)

    @property
    def board(self) -> tuple[int, ...]:
        """Cards."""
        return self.line.cards

    @property
    def actor(self) -> int:
        """Who acts, BB or SB; -1 where nobody does."""
        return self.betting.actor

    @property
    def is_over(self) -> bool:
        """Somebody has folded, or hands are shown."""
        return self.betting.is_over

    @property
    def cards_due(self) -> int:
        """How many cards fall next: three, one, or none."""
        if self.betting.kind != DEAL:
            return 0
        return 3 if self.betting.street == PREFLOP else 1

    @property
    def is_all_in(self) -> bool:
        """All chips are in and called: only cards are still to fall."""
        return self.cards_due > 0 and self.paid_chips[0] == self.stack_chips

    @property
    def pot_chips(self) -> int:
        """All that lies in the middle, bets included."""
        return self.rules.pot + 2 * self.betting.paid + sum(self.betting.bets)

    @property
    def paid_chips(self) -> tuple[int, int]:
        """What each has put in, in the whole hand."""
        paid, (big, small) = self.betting.paid, self.betting.bets
        return paid + big, paid + small

    @property
    def to_call_chips(self) -> int:
        """What a call costs the player to act."""
        return self.betting.bets[1 - self.actor] - self.betting.bets[self.actor]

    @property
    def legal(self) -> Legal:
        """What may be done at a decision."""
        here = self.betting
        limits = self.rules.limits(here) or (0, 0)
        tokens = ("f", "c") if here.bets[0] != here.bets[1] else ("x",)
        return Legal(tokens, *limits)

    def bet_token(self, amount: int) -> str:
        """A bet or raise to so many chips on this street."""
        return self.rules.amount_token(self.betting, amount)

    def amount_of(self, token: str) -> int:
        """What a token bets or raises to, in chips on this street; 0 if nothing."""
        return self.rules.any_step(self.betting, token).amount

    def act(self, token: str) -> "PokerHand":
        """After the player to act has done this."""
        if self.betting.kind != DECISION:
            due = f"{self.cards_due} cards are to fall" if self.cards_due else "the hand is over"
            raise LineError(f"{token!r}: nobody acts here, {due}")
        step = self.rules.any_step(self.betting, token)
        before, flop, after = self.line
        if flop:
            line = FullLine(before, flop, (*after, step.token))
        else:
            line = FullLine((*before, step.token))
        return replace(self, line=line, betting=step.after)

    def deal(self, cards: str) -> "PokerHand":
        """After these cards have fallen."""
        if not self.cards_due:
            raise LineError(f"{cards!r}: no card falls here")
        fallen = cards_from_string(cards)
        if len(fallen) != self.cards_due:
            raise LineError(f"{cards!r}: {len(fallen)} cards, {self.cards_due} are to fall")
        _check_apart(self.holes, (*self.board, *fallen))
        before, flop, after = self.line
        text = cards_to_string(fallen)
        line = FullLine(before, flop, (*after, text)) if flop else FullLine(before, text)
        return replace(self, line=line, betting=self.rules.steps(self.betting)[0].after)

    def then(self, event: str) -> "PokerHand":
        """After an action or cards."""
        return self.deal(event) if is_card(event[:2]) else self.act(event)

    def played(self, line: str) -> "PokerHand":
        """After a line as people write it: `SBr2.5 BBc | QsJh2h x b375`."""
        before, flop, after = cut_line(line)
        text = before if isinstance(before, str) else " ".join(before)
        parsed = parse_action_sequence(text)
        if parsed.stack not in (None, self.stack_bb):
            raise LineError(f"the hand is of {self.stack_bb:g} bb, the line of {parsed.stack:g}")
        hand = self
        for event in (*parsed.to_history_tuple(), *((flop,) if flop else ()), *after):
            hand = hand.then(event)
        return hand

    def steps(self) -> "Iterator[tuple[PokerHand, str]]":
        """Where every event of it came, and which; cards too."""
        hand = replace(self, line=FullLine(()), betting=self.rules.first)
        for token in self.line.tokens:
            yield hand, token
            hand = hand.then(token)

    def with_holes(self, big: int | None, small: int | None) -> "PokerHand":
        """The same with other hole cards."""
        _check_apart((big, small), self.board)
        return replace(self, holes=(big, small))

    def seen_by(self, player: int) -> "PokerHand":
        """What one player knows: the other's cards are hidden."""
        big, small = self.holes
        return replace(self, holes=(big, None) if player == BB else (None, small))

    def won_chips(self, player: int) -> int:
        """What a player wins of a hand that is over; at a showdown both hands must be known."""
        if not self.is_over:
            raise InputError("the hand is not over, nobody has won yet")
        game, holes = _game(self.stack_chips), (0, 1)
        if self.betting.kind == SHOWDOWN:
            big, small = self.holes
            if big is None or small is None:
                raise InputError("hands are shown, and one of them is not known")
            holes = big, small
        state = PostflopState(holes, self.board, (), self.betting)
        return to_chips(game.utility(state, player))

    @property
    def is_shown(self) -> bool:
        """Whether it ended in a showdown."""
        return self.betting.kind == SHOWDOWN

    @property
    def is_folded(self) -> bool:
        """Whether somebody gave up."""
        return self.betting.kind == FOLD

    def __str__(self) -> str:
        """`100bb SBr2.5 BBc | QsJh2h x`."""
        return f"{self.stack_bb:g}bb {self.line}".strip()


@lru_cache(maxsize=256)
def rules_at(stack_chips: int) -> BettingRules:
    """Of hands that are played with this stack."""
    return _game(stack_chips).rules


@lru_cache(maxsize=256)
def _game(stack_chips: int) -> HunlPostflop:
    return HunlPostflop(PostflopConfig(stack_depth=to_bb(stack_chips)))


def position(text: str) -> int:
    """`BB` or `SB` as a player's number."""
    if text.upper() not in POSITIONS:
        raise InputError(f"position {text!r}: want SB or BB")
    return POSITIONS.index(text.upper())


def hole_text(combo: int | None) -> str:
    """`AhKh`, or nothing where it is not known."""
    return "" if combo is None else combo_to_string(combo)


def _combo(given: str | int) -> int | None:
    if given == "":
        return None
    combo = combo_from_string(given) if isinstance(given, str) else given
    combo_to_string(combo)  # refuses a number out of range
    return combo


def _check_apart(holes: Holes, board: tuple[int, ...]) -> None:
    """Refuse a card that is there twice."""
    held = [card for combo in holes if combo is not None for card in COMBO_CARDS[combo].tolist()]
    cards = [*held, *board]
    seen = np.bincount(cards, minlength=52) if cards else np.zeros(52)
    twice = [card for card in range(52) if seen[card] > 1]
    if twice:
        raise InputError(f"{cards_to_string(twice)}: dealt twice")
