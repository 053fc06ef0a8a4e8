"""Some fields of a spot changed: `board`, `turn.bet`, `oop.range`; what they mean is not here.

A change names a place, its parts by points. A street alone (`turn.bet`) is of both players. What
is given for a place takes the place of what was there, and None takes it away.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from poker_solver.errors import InputError

_PLAYERS = ("oop", "ip")
_TEXTS = ("board", "range", "bet", "raise", "donk")
_STREETS = ("flop", "turn", "river")


def changed_fields(fields: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with these changes; two underscores are a point."""
    found: dict[str, Any] = deepcopy(dict(fields))
    for name, value in changes.items():
        parts = name.replace("__", ".").lower().split(".")
        if parts[0] in _STREETS:
            for player in _PLAYERS:
                _put(found, [player, *parts], value)
        else:
            _put(found, parts, value)
    return found


def read_change(text: str) -> tuple[str, Any]:
    """`turn.bet=75%` -> its place and value: a number where a number is wanted, None for `null`."""
    place, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not place:
        raise InputError(f"--set {text!r}: want a place and a value, as in turn.bet=75%")
    if place.split(".")[-1].lower() in _TEXTS:
        return place, value
    if value.lower() in ("", "null", "none"):
        return place, None
    try:
        return place, float(value)
    except ValueError:
        return place, value


def _put(fields: dict[str, Any], parts: list[str], value: Any) -> None:
    here = fields
    for part in parts[:-1]:
        inner = here.get(part)
        here[part] = dict(inner) if isinstance(inner, Mapping) else {}
        here = here[part]
    last = parts[-1]
    if value is None:
        here.pop(last, None)
    elif isinstance(value, Mapping) and isinstance(here.get(last), Mapping):
        for key, inner in value.items():
            _put(here, [last, str(key)], inner)
    else:
        here[last] = value
