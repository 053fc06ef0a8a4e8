"""What is wrong with a config, each with its place, in words a player reads; no checks here."""

from dataclasses import dataclass
from difflib import get_close_matches
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: `raise_sizes[2]: -3 must be positive`."""

    place: str
    what: str

    @property
    def field(self) -> str:
        """The top-level key it belongs to."""
        return self.place.partition(".")[0].partition("[")[0]

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


_SAID = "said"
"""The kind of a pydantic error whose message needs nothing before it."""

_MOST_SHOWN = 60
"""Characters of a wrong value; what is longer says no more."""

_WANTED = {
    "float_type": "must be a number",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list of sizes in bb",
    "finite_number": "must be a finite number",
    "greater_than": "must be positive",
    "greater_than_equal": "must not be negative",
    "less_than_equal": "must be at most {le:,}",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
}


def said(why: str) -> PydanticCustomError:
    """A problem whose text needs nothing before it."""
    return PydanticCustomError(_SAID, "{why}", {"why": why})


def describe(error: ValidationError, schema: type[BaseModel]) -> list[Problem]:
    """Every problem pydantic found, in the order of the file."""
    return [_problem(details, schema) for details in error.errors(include_url=False)]


def _problem(details: ErrorDetails, schema: type[BaseModel]) -> Problem:
    where, kind, given = details["loc"], details["type"], details["input"]
    place = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" if i else step
        for i, step in enumerate(where)
    )
    if kind == "extra_forbidden":
        return Problem(place, "unknown key" + _did_you_mean(where, schema))
    if kind == "missing":
        return Problem(place, "missing")
    if kind == _SAID:
        return Problem(place, details["msg"])
    shown = f"{given:g}" if isinstance(given, float) else repr(given)
    if len(shown) > _MOST_SHOWN:
        shown = f"{shown[:_MOST_SHOWN]}..."
    wanted = _WANTED[kind].format(**details.get("ctx", {})) if kind in _WANTED else details["msg"]
    return Problem(place, f"{shown} {wanted}")


def _did_you_mean(where: tuple[int | str, ...], schema: type[BaseModel]) -> str:
    inner = schema
    for step in where[:-1]:
        inner = inner if isinstance(step, int) else _keys(inner)[step]
    known = list(_keys(inner))
    close = get_close_matches(str(where[-1]), known, n=1, cutoff=0.6)
    return f", did you mean {close[0]}?" if close else f"; known: {', '.join(known)}"


def _keys(schema: type[BaseModel]) -> dict[str, Any]:
    """The keys of a mapping as a file spells them, each with its type, `| None` taken off."""
    found = {}
    for name, info in schema.model_fields.items():
        kinds = [kind for kind in get_args(info.annotation) if kind is not NoneType]
        found[info.alias or name] = kinds[0] if kinds else info.annotation
    return found
