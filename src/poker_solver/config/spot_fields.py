"""The fields of a spot one by one: what may stand in each, and what to say if it may not."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import inf, isfinite
from typing import Annotated, Any, TypeGuard

import numpy as np
from pydantic import BeforeValidator

from poker_solver.cards import cards_from_string, cards_to_string, format_range, parse_range
from poker_solver.cards.ranges import check_weights
from poker_solver.config.base import CHIPS_PER_BB, number
from poker_solver.config.lines.text import SEATS
from poker_solver.config.problems import said
from poker_solver.config.sizes import NOTATION, format_sizes, parse_sizes
from poker_solver.errors import ConfigError, InputError

LEAST_WEIGHT = 1e-12
"""Of a hand in a range: from here to 1 results are exact. Text with less is refused; in an array,
which another solve has made, less is 0."""

MOST_CHIPS = 1_000_000_000

Amounts = tuple[int, ...]
"""Chips, one number for each action."""

_STREETS = 6
"""Cards of a river board, plus one: streets left are this less the cards on the board."""


_PLAYERS = ("oop", "ip")
_KEYS = (
    "board", "pot", "stack", "oop", "ip", "rake", "thresholds", "max_raises", "min_bet", "lines",
    "overrides", "bb", "locks",
)  # fmt: skip

_BIG_BLINDS = re.compile(r"\s*(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*bb\s*", re.IGNORECASE)


def usual_keys(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a spot with keys as the program writes them: `OOP:`, `BTN:` and `Board:` too.

    A player may be named as at the table; `bb` with a number is the big blind.
    """
    found: dict[str, Any] = {}
    for key, value in fields.items():
        name, given = key.lower(), value
        if name in SEATS and isinstance(value, Mapping):
            name = _PLAYERS[SEATS[name]]
            given = {
                str(inner).lower(): {str(k).lower(): v for k, v in sizes.items()}
                if isinstance(sizes, Mapping)
                else sizes
                for inner, sizes in value.items()
            }
        known = name in _KEYS
        if known and name in found:
            raise ConfigError(f"{key}: {name} is given twice")
        found[name if known else key] = given
    return found


def spot_in_chips(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a spot with amounts such as `5.5bb` in chips.

    A big blind is `bb` chips, or 100 where an amount is in big blinds and the spot does not say;
    then no other amount may leave open which of the two it is in.
    """
    fields = usual_keys(fields)
    rake = fields.get("rake")
    cap = rake.get("cap") if isinstance(rake, Mapping) else None
    given = {key: fields.get(key) for key in ("pot", "stack", "min_bet")}
    if not any_in_bb((*given.values(), cap)):
        return dict(fields)
    if fields.get("bb") is None:
        check_one_unit({**given, "rake.cap": cap})
    big_blind = fields.get("bb", CHIPS_PER_BB)
    if isinstance(big_blind, bool) or not isinstance(big_blind, (int, float)):
        return dict(fields)  # which the check of the fields says
    amounts = {key: _of_bb(amount, big_blind) for key, amount in given.items() if _is_in_bb(amount)}
    found = {**fields, **amounts, "bb": big_blind}
    if isinstance(rake, Mapping) and _is_in_bb(cap):
        found["rake"] = {**rake, "cap": float(_of_bb(cap, big_blind))}
    return found


AMOUNTS = ("pot", "stack", "min_bet", "rake.cap")


def check_one_unit(given: Mapping[str, object], beside: str | None = None) -> None:
    """Refuse bare numbers beside big blinds: 100 may be chips, or big blinds without their sign.

    `beside` names an amount in big blinds that is not among those given.
    """
    amounts = {key: given[key] for key in AMOUNTS if given.get(key) is not None}
    known = [f"{key}: {amount}" for key, amount in amounts.items() if _is_in_bb(amount)]
    bare = {key: f"{amount:g}" for key, amount in amounts.items() if _is_bare(amount)}
    if bare and (known or beside):
        raise ConfigError(
            "; ".join(
                f"{key}: {amount} beside {(*known, beside)[0]} could be {amount} chips or "
                f"{amount}bb: write {key}: {amount}bb, or bb: {CHIPS_PER_BB} if it is chips"
                for key, amount in bare.items()
            )
        )


def _is_bare(amount: object) -> TypeGuard[float]:
    """A whole number above 0 without a unit; others are no chips, or the same in every unit."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        return False
    return 0 < amount < inf and amount == int(amount)


def any_in_bb(amounts: Iterable[object]) -> bool:
    """Whether one is written in big blinds."""
    return any(map(_is_in_bb, amounts))


def _is_in_bb(amount: object) -> TypeGuard[str]:
    return isinstance(amount, str) and _BIG_BLINDS.fullmatch(amount) is not None


def _of_bb(amount: str, big_blind: float) -> float:
    match = _BIG_BLINDS.fullmatch(amount)
    assert match is not None
    chips = Fraction(match[1]) * Fraction(big_blind)
    return int(chips) if chips.denominator == 1 else float(chips)


def _chips(given: Any) -> int:
    chips = number(given, "a number of chips, or big blinds as in 5.5bb")
    if not isfinite(chips) or chips != int(chips):
        raise ValueError("must be whole chips (5.5bb is in big blinds)")
    if chips <= 0:
        raise ValueError("must be positive")
    if chips > MOST_CHIPS:
        raise ValueError(f"must be at most {MOST_CHIPS:,} chips")
    return int(chips)


def _big_blind(given: Any) -> int | None:
    return None if given is None else _chips(given)


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
        weights = check_weights(given)
        return format_range(np.where(weights < LEAST_WEIGHT, 0.0, weights)) or "random:0"
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


def _line(given: Any) -> Amounts:
    numbers = given.split() if isinstance(given, str) else given
    try:
        amounts = tuple(int(str(number)) for number in numbers)
    except (TypeError, ValueError):
        raise said(f"{given!r} must be whole chips, as in 0 0 12 12 54 230") from None
    if not amounts or min(amounts) < 0:
        raise said(f"{given!r} must be chips from 0 up, one number for each action")
    return amounts


def read_lines(given: Any) -> tuple[Amounts, ...]:
    """Each line once, in order; as text or as numbers."""
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)):
        raise said("must be a list of lines, as in [0 0 12 12 54 230]")
    return tuple(sorted({_line(line) for line in given}))


def line_text(line: Amounts) -> str:
    """`0 0 12 12 54 230`, as files have it."""
    return " ".join(map(str, line))


def line_problem(line: Amounts, num_cards: int, stack: int) -> str | None:
    """Why nobody can play a line from a board of so many cards with so much behind; None if so."""
    streets, bet, may_end = _STREETS - num_cards, 0, False
    for action, amount in enumerate(line, 1):
        where = f"{line_text(line)!r}: action {action}, {amount},"
        if streets == 0:
            return f"{where} comes after the hand is over"
        if amount < bet:
            return f"{where} is less than the {bet} it must match"
        if amount > stack:
            return f"{where} is more than the stack of {stack}"
        if amount > bet:
            bet, may_end = amount, True
        elif may_end:
            streets, may_end = (streets - 1 if bet < stack else 0), False
        else:
            may_end = True
    return None


Chips = Annotated[int, BeforeValidator(_chips)]
BigBlind = Annotated[int | None, BeforeValidator(_big_blind)]
NumRaises = Annotated[int | None, BeforeValidator(_num_raises)]
Threshold = Annotated[float, BeforeValidator(_threshold)]
BoardText = Annotated[str, BeforeValidator(_board)]
RangeText = Annotated[str, BeforeValidator(_range)]
BetText = Annotated[str, BeforeValidator(partial(_sizes, raising=False))]
RaiseText = Annotated[str, BeforeValidator(partial(_sizes, raising=True))]
LineList = Annotated[tuple[Amounts, ...], BeforeValidator(read_lines)]
