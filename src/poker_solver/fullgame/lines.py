"""Lines of a full game as people write them: `SBr2.5 BBc | QsJh2h x b94 c 7d`; no rules."""

from collections.abc import Sequence
from typing import NamedTuple

from poker_solver.cards import cards_from_string
from poker_solver.errors import InputError
from poker_solver.games.notation import format_history, is_card


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
    before: str | tuple[str, ...]
    if isinstance(line, str):
        before, _, rest = line.partition("|")
        tokens = rest.split()
    else:
        end = next((n for n, token in enumerate(line) if _is_cards(token)), len(line))
        before, tokens = tuple(line[:end]), list(line[end:])
    if not tokens:
        return Halves(before, "", ())
    flop = tokens.pop(0)
    while len(flop) < 6 and tokens and is_card(tokens[0]):
        flop += tokens.pop(0)
    return Halves(before, flop, tuple(tokens))


def three_cards(flop: str) -> tuple[int, ...]:
    """The cards of a flop."""
    cards = cards_from_string(flop)
    if len(cards) != 3:
        raise InputError(f"flop {flop!r}: want three cards, as in QsJh2h")
    return cards


def _is_cards(token: str) -> bool:
    """A card or a flop, and not an action."""
    return len(token) in (2, 6) and is_card(token[:2])
