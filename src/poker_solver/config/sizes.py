"""Bet sizes as a player writes them, read into values; what they come to in chips is not here.

33%      a third of the pot           a        all-in
2.5x     two and a half times a bet   e        the pot grows by the same share on every street
120c     120 chips                    2e       ... so that two streets put the stack in
                                      3e200%   ... three streets, at most twice the pot each

Before the flop also 2.5bb, to two and a half big blinds, and of the others 33%, 3x and a.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.errors import InputError

NOTATION = "sizes are written 33%, 2.5x (raises only), 120c, a, e, 2e or 3e200%"

PREFLOP_NOTATION = "sizes before the flop are written 2.5bb, 3x, 60% or a"

MOST_STREETS = 100

Kind = Literal["pot", "times", "chips", "to", "allin", "geometric"]

_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_PLAIN = re.compile(rf"({_NUMBER})([%xc])")
_BIG_BLINDS = re.compile(rf"({_NUMBER})bb")
_GEOMETRIC = re.compile(rf"(\d*)e(?:({_NUMBER})%)?")


@dataclass(frozen=True)
class Size:
    """One size. Numbers are exact: 33% is 33/100, not the nearest float."""

    kind: Kind
    value: Fraction = Fraction(0)  # of the pot, of the bet, in chips more, or to so many chips
    streets: int | None = None  # geometric: to be all-in after so many; None: those left
    cap: Fraction | None = None  # geometric: at most this share of the pot

    def __str__(self) -> str:
        if self.kind == "pot":
            return f"{_decimal(100 * self.value)}%"
        if self.kind == "times":
            return f"{_decimal(self.value)}x"
        if self.kind == "chips":
            return f"{_decimal(self.value)}c"
        if self.kind == "to":
            return f"{_decimal(self.value / CHIPS_PER_BB)}bb"
        if self.kind == "allin":
            return "a"
        cap = "" if self.cap is None else f"{_decimal(100 * self.cap)}%"
        return f"{self.streets or ''}e{cap}"


@lru_cache(maxsize=1024)
def parse_sizes(text: str, *, raising: bool) -> tuple[Size, ...]:
    """Sizes separated by commas; empty text is no size at all. All wrong ones are named."""
    return _parse_all(text, lambda token: _parse_size(token, raising), NOTATION)


MOST_CHARACTERS = 40
"""Of one size: more digits than any amount has."""


@lru_cache(maxsize=1024)
def parse_preflop_sizes(text: str) -> tuple[Size, ...]:
    """The same for a raise before the flop."""
    return _parse_all(text, _parse_preflop_size, PREFLOP_NOTATION)


def format_sizes(sizes: Sequence[Size]) -> str:
    """Text that `parse_sizes` reads back."""
    return ",".join(map(str, sizes))


def in_order(sizes: Iterable[Size]) -> tuple[Size, ...]:
    """The same sizes in one order, however they were written."""
    return tuple(sorted(sizes, key=lambda s: (s.kind, s.value, s.streets or 0, s.cap or 0)))


def _parse_all(text: str, parse: Callable[[str], Size], notation: str) -> tuple[Size, ...]:
    sizes, problems = [], []
    for token in text.split(",") if text.strip() else []:
        try:
            if len(token) > MOST_CHARACTERS:
                raise InputError("is too long")
            sizes.append(parse(token.strip()))
        except InputError as error:
            problems.append(f"size {token.strip()[:MOST_CHARACTERS]!r} {error}")
    if problems:
        raise InputError("; ".join([*problems, notation]))
    return tuple(dict.fromkeys(sizes))


def _parse_preflop_size(token: str) -> Size:
    if match := _BIG_BLINDS.fullmatch(token.lower().replace(" ", "")):
        chips = Fraction(match[1]) * CHIPS_PER_BB
        if chips.denominator != 1:
            raise InputError("must be a whole number of hundredths of a bb")
        if chips <= CHIPS_PER_BB:
            raise InputError("must be more than the big blind")
        return Size("to", chips)
    size = _parse_size(token, raising=True)
    if size.kind in ("chips", "geometric"):
        raise InputError("is for bets after the flop")
    return size


def _parse_size(token: str, raising: bool) -> Size:
    text = token.lower().replace(" ", "")
    if not text:
        raise InputError("is empty")
    if text == "a":
        return Size("allin")
    if match := _GEOMETRIC.fullmatch(text):
        return _geometric(*match.groups())
    if not (match := _PLAIN.fullmatch(text)):
        raise InputError("is not a size")
    value, unit = Fraction(match[1]), match[2]
    if value <= 0:
        raise InputError("must be positive")
    if unit == "%":
        return Size("pot", value / 100)
    if unit == "c":
        if value.denominator != 1:
            raise InputError("must be whole chips")
        return Size("chips", value)
    if not raising:
        raise InputError("is for raises only: there is no bet to multiply")
    if value <= 1:
        raise InputError("must be more than once the bet")
    return Size("times", value)


def _geometric(streets: str, cap: str | None) -> Size:
    if streets and not 1 <= int(streets) <= MOST_STREETS:
        raise InputError(f"must count 1 to {MOST_STREETS} streets")
    share = None if cap is None else Fraction(cap) / 100
    if share is not None and share <= 0:
        raise InputError("must have a positive cap")
    return Size("geometric", streets=int(streets) if streets else None, cap=share)


def _decimal(value: Fraction) -> str:
    """A decimal that was read, written without loss: 33.3, 2.5, 120."""
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    text = str(int(value * 10**digits)).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text
