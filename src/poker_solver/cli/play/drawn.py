"""A table as it is drawn: cards, pot, what may be done, what a coach says."""

from collections.abc import Sequence

from rich.text import Text

from poker_solver.cards import COMBO_CARDS, card_to_string
from poker_solver.config.base import bb_text, to_bb
from poker_solver.games.betting import POSITIONS, PREFLOP
from poker_solver.play.hand import PokerHand
from poker_solver.play.player import Reviewed

_SUITS = {
    "s": ("♠", "bold"),
    "h": ("♥", "bold red"),
    "d": ("♦", "bold blue"),
    "c": ("♣", "bold green"),
}
_WORDS = {"f": "folds", "x": "checks", "c": "calls"}


def cards_drawn(cards: Sequence[int]) -> Text:
    """`A♥ K♥`, each suit in its colour."""
    text = Text()
    for number, card in enumerate(cards):
        name = card_to_string(card)
        sign, style = _SUITS[name[1]]
        text.append(f"{' ' if number else ''}{name[0]}{sign}", style)
    return text


def holding_drawn(combo: int) -> Text:
    """Both cards of a hand."""
    return cards_drawn(COMBO_CARDS[combo].tolist())


def first_line(number: int, seat: int, hand: PokerHand) -> Text:
    """Which hand it is, where one sits, what one holds."""
    own = hand.holes[seat]
    assert own is not None
    button = " on the button" if POSITIONS[seat] == "SB" else ""
    text = Text(f"Hand {number} · you are {POSITIONS[seat]}{button}, {hand.stack_bb:g} bb · ")
    return text + holding_drawn(own) + Text("\n")


def action_text(hand: PokerHand, token: str) -> str:
    """`raises to 2.5 bb`, `bets 375 (3.75 bb)`."""
    if token in _WORDS:
        return _WORDS[token]
    amount = hand.amount_of(token)
    verb = "bets" if hand.betting.bet == 0 else "raises to"
    all_in = " and is all-in" if token == "a" else ""
    return f"{verb} {bb_text(amount)} bb{all_in}"


def decision_line(hand: PokerHand) -> Text:
    """Board, pot, what a call costs, what may be done."""
    legal, text = hand.legal, Text()
    if hand.board:
        text += cards_drawn(hand.board) + Text(" · ")
    text.append(f"pot {bb_text(hand.pot_chips)} bb")
    if hand.to_call_chips:
        text.append(f", {bb_text(hand.to_call_chips)} bb to call")
    behind = hand.stack_chips - max(hand.paid_chips)
    text.append(f", {bb_text(behind)} bb behind · {' '.join(legal.tokens)}")
    if legal.least:
        unit = "bb" if hand.betting.street == PREFLOP else "chips"
        least = bb_text(legal.least) if hand.betting.street == PREFLOP else str(legal.least)
        letter = "r" if hand.betting.street == PREFLOP or hand.betting.bet else "b"
        text.append(f" {letter}{least}.. ({unit}) a")
    return text + Text("\n")


def end_line(hand: PokerHand, seat: int, won_chips: int, shown: int) -> Text:
    """Who won how much, and with what."""
    text = Text()
    if hand.is_shown:
        text += cards_drawn(hand.board) + Text(" · shows ") + holding_drawn(shown) + Text(" · ")
    verb = "win" if won_chips > 0 else "lose" if won_chips < 0 else "share:"
    amount = f"{to_bb(abs(won_chips)):g} bb"
    style = "bold green" if won_chips > 0 else "bold red" if won_chips < 0 else "bold"
    return text + Text(f"you {verb} {amount}", style) + Text("\n")


def coach_line(found: Reviewed) -> Text:
    """The mix to play, and what was lost."""
    mix = "  ".join(
        f"{token} {100 * share:.0f} %"
        for token, share in found.decision.mix.items()
        if share > 0.005
    )
    text = Text(f"  coach: {mix} ({found.decision.source})", "dim")
    if found.ev_lost_chips is None:
        text.append(f" · you do this {100 * found.frequency:.0f} % of the time", "dim")
    else:
        style = "yellow" if found.ev_lost_chips > 5 else "dim"
        text.append(f" · {found.played} loses {to_bb(found.ev_lost_chips):.2f} bb", style)
    return text + Text("\n")


def score_line(num_hands: int, total_chips: int) -> Text:
    """Hands, and what they came to."""
    hands = "1 hand" if num_hands == 1 else f"{num_hands:,} hands"
    per = f", {10 * total_chips / num_hands:+,.0f} mbb per hand" if num_hands else ""
    return Text(f"{hands}: {to_bb(total_chips):+g} bb{per}\n", "bold")


HELP = (
    "f fold  x or k check  c call  a all-in\n"
    "r2.5 raise to 2.5 bb before the flop; b375 bet, r900 raise to chips after it, 100 to the bb\n"
    "b66% bet two thirds of the pot, after the flop\n"
    "s the score  ? this  q leave (Ctrl-C and Ctrl-D too)\n"
)
