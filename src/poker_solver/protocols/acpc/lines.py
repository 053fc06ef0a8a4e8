"""Lines of the ACPC protocol, 2.0.0: `MATCHSTATE:0:30:cr300c/:9hQc|/8c8h5c`.

`f` folds, `c` calls or checks, `r300` raises to 300 chips put in by that player in the whole hand;
`/` begins a street. Seat 0 is the big blind. Blinds are 50 and 100.
"""

import re
import socket
from typing import NamedTuple

from poker_solver.cards import cards_to_string
from poker_solver.config.base import to_bb
from poker_solver.errors import InputError
from poker_solver.games.betting import FOLD
from poker_solver.play.hand import PokerHand, hole_text

VERSION_LINE = "VERSION:2.0.0"
END = "\r\n"

_ACTIONS = re.compile(r"(?:f|c|r\d{1,9})*")
_ACTION = re.compile(r"f|c|r\d+")
_MOST = 10_000
"""Characters of a line that are read."""


class MatchState(NamedTuple):
    """What the dealer tells a seat."""

    seat: int
    number: int  # of the hand
    hand: PokerHand

    @property
    def is_my_turn(self) -> bool:
        """Whether an answer is waited for."""
        return not self.hand.is_over and self.hand.actor == self.seat


def is_comment(line: str) -> bool:
    """A line that says nothing."""
    return not line.strip() or line[0] in "#;"


def read_state(line: str, stack_chips: int) -> MatchState:
    """A line of the dealer; refuses what no hand of this stack could be."""
    shown = line[:80]
    parts = line.strip().split(":")
    if len(line) > _MOST or len(parts) != 5 or parts[0] != "MATCHSTATE":
        raise InputError(f"{shown!r}: want MATCHSTATE:seat:hand:betting:cards")
    _, seat, number, betting, cards = parts
    if seat not in ("0", "1") or not number.isdecimal() or len(number) > 12:
        raise InputError(f"{shown!r}: want a seat, 0 or 1, and the number of the hand")
    holes, *board = cards.split("/")
    streets = betting.split("/")
    if holes.count("|") != 1 or len(board) != len(streets) - 1:
        raise InputError(f"{shown!r}: cards and betting are of different streets")
    hand = PokerHand.start(to_bb(stack_chips), *holes.split("|"))
    for street, actions in enumerate(streets):
        if not _ACTIONS.fullmatch(actions):
            raise InputError(f"{shown!r}: {actions!r} is no betting")
        if street:
            hand = hand.deal(board[street - 1])
        for action in _ACTION.findall(actions):
            hand = hand.act(token_of(hand, action))
    return MatchState(int(seat), int(number), hand)


def token_of(hand: PokerHand, action: str) -> str:
    """An action of the protocol as ours."""
    if hand.actor < 0:
        raise InputError(f"{action!r}: nobody acts after {hand}")
    if action == "c":
        return hand.legal.call
    if action == "f":
        return "f"
    return hand.bet_token(int(action[1:]) - hand.betting.paid)


def action_of(hand: PokerHand, token: str) -> str:
    """One of our tokens as the protocol writes it."""
    if token in ("f", "x", "c"):
        return "f" if token == "f" else "c"
    return f"r{hand.betting.paid + hand.amount_of(token)}"


def betting_of(hand: PokerHand) -> str:
    """All that was bet: `cr300c/`."""
    return "".join("/" if at.cards_due else action_of(at, token) for at, token in hand.steps())


def cards_text(hand: PokerHand, seat: int | None) -> str:
    """What a seat sees of the cards, or all: `9hQc|/8c8h5c`."""
    shown = [hole_text(combo) for combo in hand.holes]
    if seat is not None and (not hand.is_over or hand.betting.kind == FOLD):
        shown[1 - seat] = ""
    board = hand.board
    streets = [cards_to_string(part) for part in (board[:3], board[3:4], board[4:]) if part]
    return "/".join(["|".join(shown), *streets])


def state_line(seat: int, number: int, hand: PokerHand) -> str:
    """What a seat is told."""
    return f"MATCHSTATE:{seat}:{number}:{betting_of(hand)}:{cards_text(hand, seat)}"


def send_at_once(wire: socket.socket) -> None:
    """Let short lines not wait for one another, 40 ms each."""
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def legal_token(hand: PokerHand, action: str) -> str:
    """What an answer counts as: a raise is brought within its limits, all else wrong is a call."""
    legal = hand.legal
    if action == "f":
        return legal.passive
    if re.fullmatch(r"r\d{1,9}", action) and legal.least:
        amount = int(action[1:]) - hand.betting.paid
        return hand.bet_token(min(max(amount, legal.least), legal.most))
    return legal.call
