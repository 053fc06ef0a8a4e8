"""The fields of a spot one by one: what may stand in each, and what to say if it may not."""

from functools import partial
from math import isfinite
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator

from poker_solver.cards import cards_from_string, cards_to_string, format_range, parse_range
from poker_solver.config.base import number
from poker_solver.config.problems import said
from poker_solver.config.sizes import NOTATION, format_sizes, parse_sizes
from poker_solver.errors import InputError

MOST_CHIPS = 1_000_000_000


def _chips(given: Any) -> int:
    chips = number(given, "a number of chips")
    if not isfinite(chips) or chips != int(chips):
        raise ValueError("must be whole chips")
    if chips <= 0:
        raise ValueError("must be positive")
    if chips > MOST_CHIPS:
        raise ValueError(f"must be at most {MOST_CHIPS:,} chips")
    return int(chips)


def _num_raises(given: Any) -> int | None:
    if given is None:
        return None
    count = number(given, "a whole number, or null for no limit")
    if not isfinite(count) or count != int(count) or count < 0:
        raise ValueError("must be a whole number from 0 up, or null for no limit")
    return int(count)


def _threshold(given: Any) -> float:
    threshold = number(given, "a number")
    if not isfinite(threshold):
        raise ValueError("must be a finite number")
    if threshold < 0:
        raise ValueError("must not be negative (0 turns it off)")
    return threshold


def _board(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError("must be text, as in QsJh2h")
    try:
        cards = cards_from_string(given)
    except InputError as error:
        raise said(str(error)) from None
    if not cards:
        raise said("is empty, want 3, 4 or 5 cards")
    if len(cards) not in (3, 4, 5):
        count = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        raise said(f"{given!r} has {count}, want 3, 4 or 5")
    return cards_to_string(cards)


def _range(given: Any) -> str:
    if isinstance(given, (int, float)):
        raise ValueError("must be text: put it in quotes")
    if not isinstance(given, (str, np.ndarray)):
        raise ValueError("must be text, or an array of 1326 weights")
    try:
        if isinstance(given, str):
            parse_range(given)
            return given
        return format_range(given) or "random:0"
    except InputError as error:
        raise said(str(error)) from None


def _sizes(given: Any, *, raising: bool) -> str:
    if isinstance(given, (list, tuple)) and all(isinstance(size, str) for size in given):
        given = ",".join(given)
    if given is None:
        return ""
    if not isinstance(given, str):
        raise said(f"{given!r} is not a size; {NOTATION}")
    try:
        return format_sizes(parse_sizes(given, raising=raising))
    except InputError as error:
        raise said(str(error)) from None


Chips = Annotated[int, BeforeValidator(_chips)]
NumRaises = Annotated[int | None, BeforeValidator(_num_raises)]
Threshold = Annotated[float, BeforeValidator(_threshold)]
BoardText = Annotated[str, BeforeValidator(_board)]
RangeText = Annotated[str, BeforeValidator(_range)]
BetText = Annotated[str, BeforeValidator(partial(_sizes, raising=False))]
RaiseText = Annotated[str, BeforeValidator(partial(_sizes, raising=True))]
