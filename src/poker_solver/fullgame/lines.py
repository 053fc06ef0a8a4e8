"""Lines of a full game as people write them: `SBr2.5 BBc | QsJh2h x b94 c 7d`; no rules."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from poker_solver.cards import RANKS, cards_from_string, cards_to_string
from poker_solver.config.lines.text import is_card, tokens_of
from poker_solver.errors import InputError, LineError
from poker_solver.games.notation import format_history

_CARD = rf"((?:10|[{RANKS}])[cdhs♣♦♥♠])"
FLOP = re.compile(rf"(?<![^\s|,]){_CARD}[\s,]*{_CARD}[\s,]*{_CARD}(?![^\s,])", re.IGNORECASE)
"""Three cards, together or apart."""


class FullLine(NamedTuple):
    """A line of play of a full game, in tokens."""

    before: tuple[str, ...]  # the flop
    flop: str = ""  # `QsJh2h`; empty if it is not seen
    after: tuple[str, ...] = ()  # actions and cards from the flop on

    @property
    def tokens(self) -> tuple[str, ...]:
        """All of it."""
        return (*self.before, *((self.flop,) if self.flop else ()), *self.after)

    @property
    def cards(self) -> tuple[int, ...]:
        """The board where it ends."""
        return cards_from_string(self.flop + "".join(filter(is_card, self.after)))

    def __str__(self) -> str:
        """`SBr2.5 BBc | QsJh2h x b94 c 7d`."""
        text = format_history(self.before)
        return f"{text} | {' '.join((self.flop, *self.after))}" if self.flop else text


class Halves(NamedTuple):
    """A line cut at its flop; what is played is not read yet."""

    before: str | tuple[str, ...]  # as text, or in tokens
    flop: str  # as written; empty if there is none
    after: tuple[str, ...]


def cut_line(line: str | Sequence[str]) -> Halves:
    """A line as text, `SBr2.5 BBc | QsJh2h x b33% c 7d`, or as its tokens."""
    if isinstance(line, str):
        return _cut_text(line)
    end = next((n for n, token in enumerate(line) if _is_cards(token)), len(line))
    before, tokens = tuple(line[:end]), list(line[end:])
    if not tokens:
        return Halves(before, "", ())
    flop = tokens.pop(0)
    while len(flop) < 6 and tokens and is_card(tokens[0]):
        flop += tokens.pop(0)
    return Halves(before, flop, tuple(tokens))


def _cut_text(line: str) -> Halves:
    """At its bar, or without one where three cards stand together."""
    flop = FLOP.search(line)
    before, bar, rest = line.partition("|")
    if flop is None or (bar and rest[: flop.start() - len(before) - 1].strip()):
        if rest.strip():
            raise LineError(
                f"flop {rest.split()[0][:40]!r}: want three cards after |, as in QsJh2h"
            )
        return Halves(before, "", ())
    before = before if bar else line[: flop.start()]
    cards = cards_to_string(cards_from_string("".join(flop.groups())))
    return Halves(before, cards, tokens_of(line[flop.end() :]))


def three_cards(flop: str) -> tuple[int, ...]:
    """The cards of a flop."""
    cards = cards_from_string(flop)
    if len(cards) != 3:
        raise InputError(f"flop {flop!r}: want three cards, as in QsJh2h")
    return cards


def _is_cards(token: str) -> bool:
    """A card or a flop, and not an action."""
    return len(token) in (2, 6) and is_card(token[:2])
