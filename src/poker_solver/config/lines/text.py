"""Actions and cards as people write them, in one grammar for prompts, options, locks and files.

    x  check  checks          a  all-in  allin  shove  jam
    c  call                   b182  bet 182  B182        182 chips
    f  fold                   b33%  bet 33%              of the pot
    7d  10c  10♣              r250  raise to 250  r2.5x  r8bb
    *  any card

By spaces or commas, in either case. Who acts may be named before an action: `SBr2.5`, `BTN r2.5`,
`OOP x`, `ip:c`. A token comes out as the program writes it: `b33%`, `Tc`, `a`.
"""

import re
from typing import NamedTuple

from poker_solver.cards import RANKS, SUITS, card_from_string, card_to_string
from poker_solver.errors import InputError, LineError

EVERY_CARD = "*"

SEATS = {"oop": 0, "bb": 0, "ip": 1, "sb": 1, "btn": 1, "bu": 1}
"""Names of the two players: the big blind is out of position on every later street."""

WORDS = {
    "f": "f", "fold": "f", "folds": "f",
    "c": "c", "call": "c", "calls": "c",
    "x": "x", "check": "x", "checks": "x",
    "a": "a", "all-in": "a", "all in": "a", "allin": "a", "all": "a",
    "shove": "a", "shoves": "a", "jam": "a", "jams": "a", "push": "a",
}  # fmt: skip
"""Actions without an amount, as they are written."""

MOST_DIGITS = 12

_HOW_MUCH = {"b": "bet", "r": "raise to"}

_SEPARATOR = re.compile(r"[\s,;]+")
_NEXT = r"(?=[\s,;]|$)"
_TOKEN = re.compile(
    rf"(?:(?P<seat>{'|'.join(sorted(SEATS, key=len, reverse=True))})\s*:?\s*)?"
    rf"(?:(?P<card>(?:10|[{RANKS}])[cdhs♣♦♥♠])"
    r"|(?P<every>\*)"
    r"|(?:(?P<raise>r|raises?)|b|bets?)\s*(?:to\s*)?(?P<amount>\d+(?:\.\d*)?|\.\d+)"
    r"(?P<unit>x|\s*%|bb|\s+bb(?!\s*:?\s*[fcxabr]))?"
    rf"|(?P<word>{'|'.join(sorted(WORDS, key=len, reverse=True))})"
    rf"|(?P<any>b|bet|r|raise)){_NEXT}",
    re.IGNORECASE,
)
_SEAT = re.compile("|".join(sorted(SEATS, key=len, reverse=True)), re.IGNORECASE)
_WORD = re.compile(r"([a-z-]*)(.*)", re.IGNORECASE | re.DOTALL)


class LineWord(NamedTuple):
    """One action or card of a line."""

    token: str  # as the program writes it: x, b182, b33%, r2.5x, r8bb, Tc, *
    seat: int | None = None  # who was named before it
    text: str = ""  # as it was typed


def read_line(line: str, *, any_amount: bool = False) -> tuple[LineWord, ...]:
    """What a line says, token by token; a `LineError` names the first that says nothing.

    With `any_amount`, `b` and `r` alone stand for a bet or raise of any size.
    """
    found: list[LineWord] = []
    place = _skip(line, 0)
    while place < len(line):
        match = _TOKEN.match(line, place)
        if match is None:
            chunk = _SEPARATOR.split(line[place : place + 80], maxsplit=1)[0]
            raise LineError(f"token {len(found) + 1} {chunk[:40]!r}: {_why_not(chunk)}")
        try:
            token = _token(match, any_amount)
        except InputError as error:
            raise LineError(f"token {len(found) + 1} {match[0][:40]!r}: {error}") from None
        seat = None if match["seat"] is None else SEATS[match["seat"].lower()]
        found.append(LineWord(token, seat, match[0]))
        place = _skip(line, match.end())
    return tuple(found)


def tokens_of(line: str, *, any_amount: bool = False) -> tuple[str, ...]:
    """The tokens of a line alone."""
    return tuple(written.token for written in read_line(line, any_amount=any_amount))


def is_card(token: str) -> bool:
    """A card, and not an action: `As`, not `a`."""
    return len(token) == 2 and token[0].upper() in RANKS and token[1].lower() in SUITS


def read_player(text: str) -> int:
    """Whom a name means: 0 for `OOP` or `BB`, 1 for `IP`, `SB` or `BTN`."""
    seat = SEATS.get(text.strip().lower())
    if seat is None:
        raise InputError(f"player {text!r}: want oop or ip; bb is oop, and sb and btn are ip")
    return seat


def _skip(line: str, place: int) -> int:
    match = _SEPARATOR.match(line, place)
    return match.end() if match else place


def _token(match: re.Match[str], any_amount: bool) -> str:
    if match["card"]:
        return card_to_string(card_from_string(match["card"]))
    if match["every"]:
        return EVERY_CARD
    if match["word"]:
        return WORDS[match["word"].lower()]
    if match["any"]:
        letter = match["any"][0].lower()
        if not any_amount:
            raise InputError(f"{_HOW_MUCH[letter]} how much? as in '{letter}2.5'")
        return letter
    if len(match["amount"]) > MOST_DIGITS:
        raise InputError("is more than anybody has")
    letter, unit = "r" if match["raise"] else "b", (match["unit"] or "").strip().lower()
    if letter == "b" and unit == "x":
        raise InputError("a bet multiplies nothing; want b33% or b182")
    return f"{letter}{float(match['amount']):.12g}{unit}"


def _why_not(chunk: str) -> str:
    """What is wrong with a token that cannot be read."""
    if re.fullmatch(r"\d+(\.\d+)?bb", chunk, re.IGNORECASE):
        return "a stack may only lead the line"
    named = _SEAT.match(chunk)
    rest = chunk[named.end() :].lstrip(":") if named else chunk
    match = _WORD.fullmatch(rest)
    word = match[1].lower() if match else ""
    if not rest:
        return "nothing is no action; want f, c, x, a, or b or r and an amount"
    if match and word in WORDS and match[2][:1].isdigit():
        return "only a bet or raise takes an amount"
    return (
        f"{rest[:40]!r} is no action; want f, c, x, a, b182, b33%, r250 or a card such as 7d, with "
        "or without who acts: SB, BTN, BB, OOP, IP"
    )
