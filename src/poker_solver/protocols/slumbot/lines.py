"""Actions as Slumbot's clients write them: `b200c/kk/b300`, chips on this street; k is a check."""

import re

from poker_solver.cards import card_to_string
from poker_solver.cards.combos import COMBO_CARDS
from poker_solver.errors import InputError
from poker_solver.play.hand import PokerHand

_BET = re.compile(r"b\d{1,9}")


def read_incr(hand: PokerHand, incr: str) -> str:
    """One action of a client as ours."""
    if incr in ("k", "c", "f"):
        token = "x" if incr == "k" else incr
        if token not in hand.legal.tokens:
            raise InputError(f"Illegal action {incr!r}")
        return token
    if not _BET.fullmatch(incr):
        raise InputError(f"Illegal action {incr[:20]!r}: want k, c, f or b and chips")
    amount, legal = int(incr[1:]), hand.legal
    if not legal.least:
        raise InputError(f"Illegal bet {incr!r}: the other player is all-in")
    if not legal.least <= amount <= legal.most:
        raise InputError(f"Illegal bet size {amount}: want {legal.least} to {legal.most}")
    return hand.bet_token(amount)


def incr_of(hand: PokerHand, token: str) -> str:
    """One of our tokens as a client reads it."""
    if token in ("f", "c", "x"):
        return "k" if token == "x" else token
    return f"b{hand.amount_of(token)}"


def action_text(hand: PokerHand) -> str:
    """All that was done: `b200c/kk/`; an all-in that was called is `b20000c///`."""
    return "".join("/" if at.cards_due else incr_of(at, token) for at, token in hand.steps())


def card_list(combo: int) -> list[str]:
    """`["Ah", "Kh"]`."""
    return [card_to_string(card) for card in COMBO_CARDS[combo].tolist()]
