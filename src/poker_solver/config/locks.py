"""Locks of a spot: which strategy is fixed at which line; the form only, no tree is known here.

A line is written as everywhere, cards where they fall, `*` for every card. What is fixed is one of

    strategy    one mix for every hand                     {f: 0.3, c: 0.7}
    hands       a mix for some hands, the others are free  {"AA,KK": {c: 1}, AhKh: {f: 0.5, c: 0.5}}
    frequency   how often the whole range takes an action  {f: 0.6}

A solve works out the hands that meet a frequency and keeps them beside it.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from poker_solver.cards import format_range, parse_range
from poker_solver.config.base import Checked
from poker_solver.config.lines.text import EVERY_CARD, is_card, tokens_of
from poker_solver.config.problems import said
from poker_solver.errors import InputError

Mix = dict[str, float]

_AS_IN = 'as in "b120=f:60% of range", "b120 with AA,AKs=c" or "x b94=f:50%,c:50%"'
_WITH = re.compile(r"(?<!\S)with\s", re.IGNORECASE)
_OF_RANGE = re.compile(r"\s+of\s+(?:the\s+)?range\s*$", re.IGNORECASE)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{0,9})?|\.\d{1,9})\s*%")

SUM_TOLERANCE = 1e-6
"""How far from 1 the probabilities of a mix may sum to."""


def _line(given: Any) -> str:
    if not isinstance(given, str):
        raise said(f"{given!r} must be text, as in x b94 c 7d")
    try:
        return " ".join(tokens_of(given))
    except InputError as error:
        raise said(str(error)) from None


def _shares(given: Any) -> Mix:
    """Actions with numbers from 0 to 1."""
    if not isinstance(given, Mapping) or not given:
        raise said(f"{given!r} must be actions with probabilities, as in {{f: 0.3, c: 0.7}}")
    found: Mix = {}
    for action, share in given.items():
        try:
            token, share = _one_action(str(action)), _as_number(share)
        except InputError as error:
            raise said(str(error)) from None
        is_number = isinstance(share, (int, float, np.integer, np.floating))
        if not is_number or isinstance(share, bool) or not 0 <= share <= 1:  # NaN is neither
            raise said(f"{action}: {share!r} must be a number from 0 to 1, or as in 60%")
        if token in found:
            raise said(f"{action}: {token} is given twice")
        found[token] = float(share)
    return found


def _one_action(text: str) -> str:
    """`fold` -> `f`, `bet 33%` -> `b33%`."""
    tokens = tokens_of(text)
    if len(tokens) != 1 or tokens[0] == EVERY_CARD or is_card(tokens[0]):
        raise InputError(f"{text!r} must be one action, as in f, c, x, b33%, r250 or a")
    return tokens[0]


def _as_number(share: Any) -> Any:
    """`60%` -> 0.6; anything else as it is."""
    if isinstance(share, str) and (percent := _PERCENT.fullmatch(share.strip())):
        return float(Fraction(percent[1]) / 100)
    return share


def _mix(given: Any) -> Mix:
    """A whole strategy: it sums to 1."""
    found = _shares(given)
    total = sum(found.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise said(f"the probabilities sum to {total:g}, must be 1")
    return found


def _frequency(given: Any) -> Mix:
    found = _shares(given)
    total = sum(found.values())
    if total > 1 + SUM_TOLERANCE:
        raise said(f"the frequencies sum to {total:g}, must be at most 1")
    return found


def _hands(given: Any) -> dict[str, Mix]:
    if not isinstance(given, Mapping) or not given:
        raise said(f"{given!r} must be hands with a mix each, as in {{AA: {{c: 1}}}}")
    found, wrong = {}, []
    for hands, mix in given.items():
        text = str(hands)
        try:
            weights = parse_range(text)
            if not np.isin(weights, (0.0, 1.0)).all():
                wrong.append(f"{text}: hands are locked or not, a weight means nothing")
            found[text] = _mix(mix)
        except (InputError, PydanticCustomError) as error:
            wrong.append(f"{text}: {error}")
    if wrong:
        raise said("; ".join(wrong))
    return found


class Lock(Checked):
    """One fixed strategy, as the YAML file has it."""

    line: Annotated[str, BeforeValidator(_line)]
    strategy: Annotated[Mix, BeforeValidator(_mix)] | None = None
    hands: Annotated[dict[str, Mix], BeforeValidator(_hands)] | None = None
    frequency: Annotated[Mix, BeforeValidator(_frequency)] | None = None

    @model_validator(mode="after")
    def _has_one_form(self) -> "Lock":
        given = [name for name in ("strategy", "hands", "frequency") if getattr(self, name)]
        if given not in (["strategy"], ["hands"], ["frequency"], ["hands", "frequency"]):
            found = " and ".join(given) or "none"
            raise said(f"has {found}, wants one of strategy, hands and frequency")
        return self

    @property
    def is_open(self) -> bool:
        """A frequency whose hands are not worked out yet."""
        return self.frequency is not None and self.hands is None

    def words(self) -> str:
        """`f 60 % of range`, `AA,KK: c 100 %`, `every hand: f 30 %, c 70 %`."""
        if self.frequency is not None:
            return f"{_mix_words(self.frequency)} of range"
        if self.strategy is not None:
            return f"every hand: {_mix_words(self.strategy)}"
        hands = (self.hands or {}).items()
        return "; ".join(f"{text}: {_mix_words(mix)}" for text, mix in hands)

    def named(self) -> dict[str, Any]:
        """What the lock asks for, one way for all spellings: part of a spot's fingerprint."""
        mixes: dict[str, Mix] = {}
        if self.frequency is not None:
            mixes = {"frequency": self.frequency}
        elif self.strategy is not None:
            mixes = {"strategy": self.strategy}
        else:
            assert self.hands is not None
            mixes = {format_range(parse_range(text)): mix for text, mix in self.hands.items()}
        return {"line": self.line, **{key: _spelled(mix) for key, mix in mixes.items()}}


def _mix_words(mix: Mix) -> str:
    return ", ".join(f"{action} {100 * share:.4g} %" for action, share in mix.items())


def _spelled(mix: Mix) -> dict[str, str]:
    return {action: repr(share) for action, share in mix.items() if share > 0}


def _locks(given: Any) -> Any:
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)):
        raise said("must be a list of locks, each with a line")
    return tuple(given)


LockList = Annotated[tuple[Lock, ...], BeforeValidator(_locks)]


def parse_lock(text: str) -> dict[str, Any]:
    """A lock of the command line as its fields.

    b120=f:60% of range           how often the whole range folds
    b120 with AA,AKs=c            these hands call; the others are free
    x b120=f:60%,c:40%            every hand alike
    """
    where, equals, mix = text.partition("=")
    line, *held = (part.strip() for part in _WITH.split(where, maxsplit=1))
    hands = held[0] if held else ""
    of_range = _OF_RANGE.search(mix)
    mix = mix[: of_range.start()] if of_range else mix
    shares: dict[str, Any] = {}
    for part in mix.split(","):
        action, colon, number = (piece.strip() for piece in part.partition(":"))
        if not equals or not action or (colon and not number):
            raise InputError(f"lock {text!r}: want a line and a mix, {_AS_IN}")
        shares[action] = _share_text(text, number) if colon else 1.0
    if of_range and hands:
        raise InputError(f"lock {text!r}: a frequency is of the range, not of hands")
    if of_range:
        return {"line": line, "frequency": shares}
    total = sum(shares.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise InputError(
            f"lock {text!r}: the shares sum to {100 * total:g} %, must be 100; how often the whole "
            f"range does it is written {line}={mix.strip()} of range"
        )
    return {"line": line, "hands": {hands: shares}} if hands else {"line": line, "strategy": shares}


def _share_text(lock: str, number: str) -> float:
    try:
        return float(_as_number(number))
    except ValueError:
        raise InputError(
            f"lock {lock!r}: {number!r} is no share; want a line and a mix, {_AS_IN}"
        ) from None
