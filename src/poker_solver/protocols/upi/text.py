"""Words and numbers as UPI writes them."""

from collections.abc import Iterable, Sequence

import numpy as np

from poker_solver.cards import NUM_COMBOS
from poker_solver.errors import InputError
from poker_solver.games.betting import IP, OOP
from poker_solver.protocols.upi.numbers import Float

SEATS = {"OOP": OOP, "IP": IP}


def number_text(value: float) -> str:
    """Seven digits, as many as there are in 32 bits."""
    return f"{value:.7g}"


def numbers_text(values: Iterable[float]) -> str:
    """One line of them."""
    return " ".join(map(number_text, values))


def seat(word: str) -> int:
    """`OOP` or `IP`."""
    if word.upper() not in SEATS:
        raise InputError(f"player {word!r}: want OOP or IP")
    return SEATS[word.upper()]


def is_number(word: str) -> bool:
    """Whether a word is a number, be it infinite."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def floats(words: Sequence[str], what: str, count: int | None = None) -> Float:
    """So many finite numbers that are not negative."""
    if count is not None and len(words) != count:
        raise InputError(f"{what}: {len(words):,} numbers, want {count:,}")
    try:
        values = np.array([float(word) for word in words])
    except ValueError as error:
        raise InputError(f"{what}: {str(error).rpartition(': ')[2]} is not a number") from None
    if not np.isfinite(values).all() or (values < 0).any():
        raise InputError(f"{what}: numbers must be finite and not negative")
    return values


def hands(words: Sequence[str], what: str) -> Float:
    """[1326]."""
    return floats(words, what, NUM_COMBOS)


def whole(word: str, what: str) -> int:
    """A whole number from 0 up."""
    if not word.isdecimal():
        raise InputError(f"{what} {word!r}: want a whole number from 0 up")
    return int(word)


def unquoted(words: Sequence[str]) -> tuple[str, list[str]]:
    """A path, in quotes if it has spaces, and the words after it."""
    text = " ".join(words)
    if text.startswith('"'):
        path, _, rest = text[1:].partition('"')
        return path, rest.split()
    return (words[0], list(words[1:])) if words else ("", [])
