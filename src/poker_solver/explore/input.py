"""What a person types in the explorer, read the same way for every game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from poker_solver.cards import RANKS, parse_classes, parse_hand
from poker_solver.config.lines.text import WORDS, read_line
from poker_solver.errors import InputError, LineError
from poker_solver.games.betting import POSITIONS

COMMANDS = {
    "b": "back", "back": "back", "u": "back", "undo": "back",
    "start": "start", "root": "start",
    "": "show", "show": "show",
    "o": "opponent", "opp": "opponent", "opponent": "opponent",
    "?": "help", "h": "help", "help": "help",
    "q": "quit", "quit": "quit", "exit": "quit",
    "range": "range", "spot": "spot", "export": "export", "png": "png", "save": "save",
}  # fmt: skip
"""What every game knows; each adds its own."""

_NUMBER = re.compile(r"\d+(\.\d*)?")


@dataclass(frozen=True)
class Play:
    """Go on from here with these actions and cards, in the tokens of a history.

    With a position (`BBr8`; `OOPx` is `BB`), only if it is that player's turn.
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
        if played := self._play(typed):
            return played
        first, _, rest = typed.partition(" ")
        if self.commands.get(first.lower()) == "start" and (played := self._play(rest)):
            return replace(played, position="", from_start=True)
        if rest and self.commands.get(first.lower()) == "help":  # h AK, hand by hand
            return self._hand(rest)
        if len(typed) in (2, 3, 4) and typed[0].upper() in RANKS and "." not in typed:
            return self._hand(typed)
        raise InputError(f"{typed!r} is {self._not_understood(lower)}; ? shows what can be typed")

    def _play(self, typed: str) -> Play | None:
        """Actions and cards, if the text is nothing else."""
        try:
            words = read_line(typed)
        except LineError:
            return None
        if not words:
            return None
        unit = self.unit.strip()  # in which amounts are written anyway
        tokens = (w.token.removesuffix(unit) if w.token[:1] in "br" else w.token for w in words)
        first = words[0].seat
        return Play(tuple(tokens), "" if first is None else POSITIONS[first])

    def _hand(self, typed: str) -> Look:
        try:
            return read_look(typed)
        except InputError:
            lower = typed.lower()
            if _NUMBER.fullmatch(typed) or self._meant(lower):
                raise InputError(f"{typed!r} is {self._not_understood(lower)}") from None
            raise

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
        words = [word for word in (*self.commands, *WORDS) if len(word) > 2]
        return next(iter(get_close_matches(lower, words, n=1, cutoff=0.74)), "")


def read_look(typed: str) -> Look:
    """A class or a combo, as in `AKs` and `AhKh`."""
    classes, cards = parse_classes(typed), parse_hand(typed)[2]
    return Look(classes, "".join(rank + suit for rank, suit in cards or ()), typed)
