"""What games before and after the flop share in a file: units, rake, how a file is checked."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from poker_solver.config.problems import Problem, describe
from poker_solver.errors import ConfigError

CHIPS_PER_BB = 100
MOST_STACK_BB = 100_000
"""The deeper, the slower a solve converges; this deep it takes a hundred thousand iterations."""


def to_chips(amount_bb: float) -> int:
    """Whole chips. With `to_bb`, the only place the two units meet."""
    return round(amount_bb * CHIPS_PER_BB)


def to_bb(chips: float) -> float:
    """Big blinds."""
    return chips / CHIPS_PER_BB


def bb_text(chips: int) -> str:
    """Big blinds as a player writes them: 250 -> `2.5`, 10000 -> `100`."""
    return f"{chips / CHIPS_PER_BB:.2f}".rstrip("0").rstrip(".")


def number(given: Any, what: str = "a number") -> float:
    """A number of any kind, but no truth value."""
    if isinstance(given, bool) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise ValueError(f"must be {what}")
    try:
        return float(given)
    except OverflowError:
        raise ValueError("is too large a number") from None


def _rate(given: Any) -> float:
    rate = number(given)
    if not 0 <= rate <= 1:
        raise ValueError("must be a fraction from 0 to 1 (0.05 is 5 %)")
    return rate


def _cap(given: Any) -> float:
    cap = number(given, "a number, or .inf for no cap")
    if cap != cap:
        raise ValueError("must be a number, or .inf for no cap")
    if cap < 0:
        raise ValueError("must not be negative")
    return cap


class Checked(BaseModel):
    """Frozen, and an unknown key is an error."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, populate_by_name=True
    )


class Rake(Checked):
    """`rate` of a pot, at most `cap`: big blinds in a config, chips in a spot; `.inf` is no cap.

    Without a rate the cap says nothing. Before the flop it is taken where hands are shown: a pot
    won before that pays nothing, as rooms do it ("no flop, no drop").
    """

    rate: Annotated[float, BeforeValidator(_rate)] = 0.0
    cap: Annotated[float, BeforeValidator(_cap)] = 0.0

    def taken(self, pot: float) -> float:
        """What the house takes out of a pot, both in the unit of the cap."""
        return min(self.rate * pot, self.cap) if self.rate else 0.0


class Document(Checked):
    """All that a file holds; a `ConfigError` lists everything that is wrong with it."""

    def __init__(self, /, **fields: Any) -> None:
        problems: list[Problem] = []
        try:
            super().__init__(**fields)
        except ValidationError as error:
            problems += describe(error, type(self))
        problems += self.disagreements(fields, tuple(problems))
        if problems:
            places = tuple((problem.place, problem.what) for problem in problems)
            raise ConfigError("; ".join(map(str, problems)), places)

    @classmethod
    def disagreements(
        cls, fields: Mapping[str, Any], problems: Sequence[Problem]
    ) -> Iterable[Problem]:
        """What is wrong between fields that are each fine on their own, given what is not."""
        raise NotImplementedError


def fingerprint(fields: Mapping[str, Any]) -> str:
    """Name these plain values the same way in every process and on every machine: a SHA-256."""
    text = json.dumps({"schema": 1, **fields}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
