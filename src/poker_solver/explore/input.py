"""What a person types in the explorer, read the same way for every game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from poker_solver.cards import RANKS, SUITS, parse_classes, parse_hand
from poker_solver.errors import InputError

COMMANDS = {
    "b": "back", "back": "back", "u": "back", "undo": "back",
    "start": "start", "root": "start",
    "": "show", "show": "show",
    "o": "opponent", "opp": "opponent", "opponent": "opponent",
    "?": "help", "h": "help", "help": "help",
    "q": "quit", "quit": "quit", "exit": "quit",
}  # fmt: skip
"""What every game knows; each adds its own."""

_WORDS = {
    "f": "f", "fold": "f",
    "c": "c", "call": "c",
    "x": "x", "check": "x",
    "a": "a", "all-in": "a", "all in": "a", "allin": "a", "all": "a",
    "shove": "a", "jam": "a", "push": "a",
}  # fmt: skip
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<card>[{RANKS}][{SUITS}])(?= |$)"
    r"|(?:b|bet|(?P<raise>r|raise))\s*(?:to\s*)?(?P<amount>\d+(?:\.\d*)?|\.\d+)"
    r"(?P<unit>%|\s*bb)?(?= |$)"
    rf"|(?P<word>{_WORD})(?= |$)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(\.\d*)?")


@dataclass(frozen=True)
class Play:
    """Go on from here with these actions and cards, in the tokens of a history.

    With a position (`BBr8`), only if it is that player's turn.
    """

    tokens: tuple[str, ...]
    position: str = ""
    from_start: bool = False


@dataclass(frozen=True)
class Look:
    """Look at hand classes, or at one combo of one."""

    classes: tuple[int, ...]
    combo: str = ""
    typed: str = field(default="", compare=False)


@dataclass(frozen=True)
class Grammar:
    """What can be typed in one game."""

    commands: Mapping[str, str]  # all words, by what is typed
    unit: str  # " bb", or nothing for chips
    examples: str  # what would have been understood

    def read(self, typed: str) -> Play | Look | str:
        """What was typed, in single spaces; an `InputError` says what could have been."""
        lower = typed.lower()
        if lower in self.commands:
            return self.commands[lower]
        if tokens := read_tokens(typed):
            return Play(tokens)
        first, _, rest = typed.partition(" ")
        if self.commands.get(first.lower()) == "start" and (tokens := read_tokens(rest)):
            return Play(tokens, from_start=True)
        if rest and self.commands.get(first.lower()) == "help":  # h AK, hand by hand
            return self._hand(rest)
        if len(typed) in (2, 3, 4) and typed[0].upper() in RANKS and "." not in typed:
            return self._hand(typed)
        raise InputError(f"{typed!r} is {self._not_understood(lower)}; ? shows what can be typed")

    def _hand(self, typed: str) -> Look:
        try:
            classes, cards = parse_classes(typed), parse_hand(typed)[2]
        except InputError:
            lower = typed.lower()
            if _NUMBER.fullmatch(typed) or self._meant(lower):
                raise InputError(f"{typed!r} is {self._not_understood(lower)}") from None
            raise
        return Look(classes, "".join(rank + suit for rank, suit in cards or ()), typed)

    def _not_understood(self, lower: str) -> str:
        if lower in ("r", "raise", "bet"):
            return "a raise to how much? as in r20"
        if _NUMBER.fullmatch(lower):
            also = f", {lower}bb solves at that stack" if self.unit else ""
            return f"a number; r{lower} raises to {lower}{self.unit}{also}"
        if meant := self._meant(lower):
            return f"not understood, did you mean {meant}?"
        return f"neither {self.examples}"

    def _meant(self, lower: str) -> str:
        """The word that was probably mistyped, if any."""
        words = [word for word in (*self.commands, *_WORDS) if len(word) > 2]
        return next(iter(get_close_matches(lower, words, n=1, cutoff=0.74)), "")


def read_tokens(typed: str) -> tuple[str, ...]:
    """Actions and cards as a line has them if the text is nothing else, else nothing."""
    tokens, start = [], 0
    while start < len(typed):
        match = _TOKEN.match(typed, start)
        if match is None:
            return ()
        if card := match["card"]:
            tokens.append(card[0].upper() + card[1].lower())
        elif word := match["word"]:
            tokens.append(_WORDS[word.lower()])
        else:
            share = "%" if match["unit"] == "%" else ""
            tokens.append(f"{'r' if match['raise'] else 'b'}{float(match['amount']):.12g}{share}")
        start = match.end() + 1
    return tuple(tokens)
