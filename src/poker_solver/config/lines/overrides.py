"""Sizes of one line: what an entry under `overrides` of a spot may say; no tree is known here.

at       the line, cards left out or written `*`: `x b33% c * x`; `b` is any bet, `r` any raise
bet      the sizes there, instead of those of the street; `raise` where there is a bet
add      sizes besides
remove   actions that are not offered there: `b33%`, `a`, `x`
"""

from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, model_validator

from poker_solver.config.base import Checked
from poker_solver.config.lines.text import EVERY_CARD, is_card, tokens_of
from poker_solver.config.problems import said
from poker_solver.config.sizes import Size, format_sizes, parse_sizes
from poker_solver.config.spot_fields import BetText, RaiseText
from poker_solver.errors import InputError

ANY_AMOUNT = ("b", "r")
"""A bet or raise of any size, in `at` and in `remove`."""


class LineSizes(NamedTuple):
    """What holds at one line, read; hashable."""

    at: tuple[str, ...]  # actions, cards left out
    bet: tuple[Size, ...] | None = None
    raise_: tuple[Size, ...] | None = None
    add: tuple[Size, ...] = ()
    remove: tuple[str, ...] = ()

    def fields(self) -> dict[str, str]:
        """As the YAML file has it."""
        given = {"bet": self.bet, "raise": self.raise_, "add": self.add or None}
        sizes = {key: format_sizes(value) for key, value in given.items() if value is not None}
        remove = {"remove": " ".join(self.remove)} if self.remove else {}
        return {"at": " ".join(self.at), **sizes, **remove}


def _actions(given: Any) -> tuple[str, ...]:
    """The tokens of a line, `b` and `r` for any amount."""
    if isinstance(given, (list, tuple)) and all(isinstance(one, str) for one in given):
        given = " ".join(given)
    if not isinstance(given, str):
        raise said(f"{given!r} must be a line, as in x b33% c * x")
    try:
        return tokens_of(given, any_amount=True)
    except InputError as error:
        raise said(str(error)) from None


def _at(given: Any) -> str:
    tokens = _actions(given)
    if card := next(filter(is_card, tokens), None):
        raise said(f"{given!r}: sizes are the same on every card, write * for {card}")
    return " ".join(tokens)


def _remove(given: Any) -> str:
    return " ".join(_actions(given))


class Override(Checked):
    """What holds at one line of a spot, as the YAML file has it."""

    at: Annotated[str, BeforeValidator(_at)]
    bet: BetText | None = None
    raise_: Annotated[RaiseText | None, Field(alias="raise")] = None
    add: RaiseText | None = None
    remove: Annotated[str, BeforeValidator(_remove)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Override":
        if self.bet is not None and self.raise_ is not None:
            raise said("has bet and raise; at one line there is a bet to raise or there is none")
        if all(one is None for one in (self.bet, self.raise_, self.add, self.remove)):
            raise said("wants one of bet, raise, add and remove")
        return self

    def read(self) -> LineSizes:
        """The same as values."""
        return LineSizes(
            at=tuple(token for token in self.at.split() if token != EVERY_CARD),
            bet=None if self.bet is None else parse_sizes(self.bet, raising=False),
            raise_=None if self.raise_ is None else parse_sizes(self.raise_, raising=True),
            add=parse_sizes(self.add or "", raising=True),
            remove=tuple((self.remove or "").split()),
        )


def _overrides(given: Any) -> Any:
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)):
        raise said("must be a list, each entry with the line it is at")
    return tuple(given)


OverrideList = Annotated[tuple[Override, ...], BeforeValidator(_overrides)]
