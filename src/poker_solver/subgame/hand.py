"""A hand as it was really played, with amounts of any size: streets, chips, who acts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from poker_solver.cards import cards_from_string, cards_to_string
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.lines import FullLine, cut_line, three_cards
from poker_solver.games.betting import DEAL, DECISION, FLOP, OOP, PREFLOP, Betting, BettingRules
from poker_solver.games.notation import live_card, parse_action_sequence

Board = str | Sequence[int] | None


class StreetPlay(NamedTuple):
    """What was played on one street."""

    street: int
    cards: tuple[int, ...]  # the board
    states: tuple[Betting, ...]  # before every action, and at the end
    tokens: tuple[str, ...]  # the actions, amounts in chips after the flop

    @property
    def first(self) -> Betting:
        """How the street began."""
        return self.states[0]


@dataclass(frozen=True)
class Hand:
    """A line of four streets that somebody acts at the end of."""

    rules: BettingRules
    streets: tuple[StreetPlay, ...]  # from preflop on

    @property
    def here(self) -> Betting:
        """Where it ends."""
        return self.streets[-1].states[-1]

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the table."""
        return self.streets[-1].cards

    @property
    def line(self) -> FullLine:
        """All of it."""
        before, *after = self.streets
        if not after:
            return FullLine(before.tokens)
        later = [t for s in after[1:] for t in (cards_to_string(s.cards[-1:]), *s.tokens)]
        return FullLine(before.tokens, cards_to_string(after[0].cards), (*after[0].tokens, *later))

    def chips_at(self, street: int) -> tuple[int, int]:
        """The pot, and what each has behind, where a street begins."""
        paid = self.streets[street].first.paid
        return self.rules.pot + 2 * paid, self.rules.stack - paid


def read_hand(rules: BettingRules, stack_bb: float, board: Board, history: str) -> Hand:
    """A line such as `SBr2.5 BBc | QsJh2h x b375 c 7d`, checked by the rules of poker.

    `board` may repeat its cards. Sizes need not be those of the game's tree.
    """
    before, flop, after = cut_line(history)
    if not isinstance(before, str):
        before = str(FullLine(tuple(before)))
    parsed = parse_action_sequence(before)
    if parsed.stack not in (None, stack_bb):
        raise LineError(f"the game is of {stack_bb:g} bb, the line asks for {parsed.stack:g} bb")
    reader = _Reader(rules)
    for action in parsed.actions:
        reader.act(action.token, str(action))
    hand = reader.after_flop(flop, after)
    _check_board(board, hand)
    if hand.here.kind != DECISION:
        raise LineError(f"nobody acts after {str(hand.line)!r}")
    return hand


def whole_hand(rules: BettingRules, line: FullLine) -> Hand:
    """A hand as far as it was played, whether or not somebody acts at the end of it."""
    reader = _Reader(rules)
    for token in line.before:
        reader.act(token, token)
    return reader.after_flop(line.flop, line.after)


class _Reader:
    """The streets that were read so far."""

    def __init__(self, rules: BettingRules) -> None:
        self.rules, self.done = rules, list[StreetPlay]()
        self.cards: tuple[int, ...] = ()
        self.states, self.tokens, self.number = [rules.first], list[str](), 0

    def act(self, token: str, written: str) -> None:
        self.number += 1
        here = self.states[-1]
        if here.kind == DEAL:
            where = "the flop comes after |" if here.street == PREFLOP else "a card is dealt here"
            raise LineError(f"token {self.number} {written!r}: {where}, as in 7d")
        try:
            step = self.rules.any_step(here, token)
        except InputError as error:
            raise LineError(f"token {self.number} {error}") from None
        self.tokens.append(step.token)
        self.states.append(step.after)

    def deal(self, cards: tuple[int, ...], written: str) -> None:
        self.number += 1
        here = self.states[-1]
        if here.kind != DEAL or (here.street == PREFLOP) != (len(cards) == 3):
            wrong = "no card is dealt here" if here.kind != DEAL else "want the flop's three cards"
            raise LineError(f"token {self.number} {written!r}: {wrong}")
        self._close()
        self.cards += cards
        self.states, self.tokens = [self.rules.steps(here)[0].after], []

    def _close(self) -> None:
        street = int(self.states[0].street)
        play = StreetPlay(street, self.cards, tuple(self.states), tuple(self.tokens))
        self.done.append(play)

    def after_flop(self, flop: str, tokens: Sequence[str]) -> Hand:
        """The whole hand, once what followed the flop was read too."""
        if flop:
            self.deal(three_cards(flop), flop)
        for token in tokens:
            if is_card(token):
                self.deal((live_card(token, self.cards),), token)
            else:
                self.act(token.lower(), token)
        self._close()
        return Hand(self.rules, tuple(self.done))


def _check_board(board: Board, hand: Hand) -> None:
    """The cards that are given besides the line are the line's."""
    if board is None or len(board) == 0:
        return
    given = cards_from_string(board) if isinstance(board, str) else tuple(map(int, board))
    found = hand.board
    if len(set(given)) != len(given):
        raise InputError(f"board {cards_to_string(given)}: a card is there twice")
    if set(given[:3]) != set(found[:3]) or given[3:] != found[3:]:
        want = cards_to_string(found) or "none"
        raise InputError(f"board {cards_to_string(given)}: the line has {want}")


def opened_by_caller(first: Betting) -> bool:
    """Whether the player out of position called on the street before."""
    return first.street > FLOP and first.caller == OOP
