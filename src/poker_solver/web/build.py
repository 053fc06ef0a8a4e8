"""A spot while it is being written: its fields for a form, its YAML, and all that is wrong.

The YAML is the spot; the form shows its keys and values as they were written, sound or not, so
that what is wrong can be mended where it stands. `Spot` reads and checks; nothing is parsed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import yaml

from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.named_spots import FOLDER, LARGE, SMALL
from poker_solver.config.spot import STREETS, Spot
from poker_solver.config.spot_fields import usual_keys
from poker_solver.config.yaml_text import parse_mapping
from poker_solver.errors import ConfigError, PokerSolverError

Fields = dict[str, Any]
Places = tuple[tuple[str, str], ...]
Unit = Literal["bb", "chips"]

OWN_SPOTS = Path(__file__).parent / "static" / "spots"
NO_CAP = ".inf"
"""How a form says that rake has no cap: JSON knows no infinity."""

LONGEST_NUMBER = 40

_PLAYERS = ("oop", "ip")
_AMOUNTS = ("pot", "stack", "min_bet")
_NUMBERS = (*_AMOUNTS, "bb", "max_raises", "rake.rate", "rake.cap")
_NUMBERS_IN = ("thresholds",)
_PLAYER_KEYS = ("range", *STREETS)
_EMPTY_IS_NONE = ("bet", "raise")


@dataclass(frozen=True)
class SizePreset:
    """Sizes of one player on one street, by a name."""

    name: str
    bet: str
    raise_: str


SIZE_PRESETS = (
    SizePreset("one size, 75", "75%", "60%"),
    SizePreset("small, 33", "33%", "60%"),
    SizePreset("33 / 75", "33%,75%", "60%"),
    SizePreset("polar 33, 75, 150", "33%,75%,150%", "60%,a"),
    SizePreset("overbet, 66 and 133", "66%,133%", "60%"),
    SizePreset("geometric", "e", "60%"),
    SizePreset("75 or all-in", "75%,a", "a"),
    SizePreset("raises only", "", "60%"),
    SizePreset("checks and calls", "", ""),
)


@dataclass(frozen=True)
class Draft:
    """A spot that may not be sound yet."""

    text: str  # YAML
    fields: Fields | None  # as written; None where the text is no YAML
    spot: Spot | None  # None where anything is wrong
    problems: Places = ()

    @property
    def unit(self) -> Unit:
        """In which the pot is written."""
        pot = (self.fields or {}).get("pot")
        return "bb" if isinstance(pot, str) and pot.strip().lower().endswith("bb") else "chips"


def read_draft(text: str) -> Draft:
    """What YAML says; everything that is wrong with it, each with its place."""
    try:
        given, twice = parse_mapping(text, Spot.model_fields)
        fields = usual_keys(given)
    except ConfigError as error:
        return Draft(text, None, None, (("", str(error)),))
    found = _checked(text, fields)
    wrong = (*(("", one) for one in twice), *found.problems)
    return Draft(text, _for_json(fields), None if wrong else found.spot, wrong)


def write_draft(given: Mapping[str, Any], unit: Unit | None = None) -> Draft:
    """The YAML of what a form holds, its amounts in a unit if one is named."""
    fields = _ordered(_numbers(given))
    found = _checked("", fields)
    if unit is not None and found.spot is not None:
        fields = _in_unit(fields, found.spot, unit)
        found = _checked("", fields)
    return Draft(_yaml(fields), _for_json(fields), found.spot, found.problems)


def starting_spots() -> dict[str, str]:
    """The spots to begin with, as YAML, by name."""
    own = {path.stem: path for path in sorted(OWN_SPOTS.glob("*.yaml"), reverse=True)}
    named = {name: FOLDER / f"{name}.yaml" for name in (*SMALL, *LARGE)}
    return {name: path.read_text(encoding="utf-8") for name, path in {**own, **named}.items()}


def _checked(text: str, fields: Fields) -> Draft:
    try:
        return Draft(text, fields, Spot.from_mapping(fields))
    except ConfigError as error:
        return Draft(text, fields, None, error.problems or (("", str(error)),))
    except PokerSolverError as error:
        return Draft(text, fields, None, (("", str(error)),))


def _yaml(fields: Fields) -> str:
    return yaml.safe_dump(
        fields, sort_keys=False, default_flow_style=None, width=10**6, allow_unicode=True
    )


def _ordered(fields: Fields) -> Fields:
    """Keys in the order in which files have them; what a form left empty is left out."""
    found = {key: fields[key] for key in Spot.model_fields if fields.get(key) is not None}
    found |= {key: value for key, value in fields.items() if key not in Spot.model_fields}
    for name in _PLAYERS:
        player = found.get(name)
        if isinstance(player, Mapping):
            keys = (*_PLAYER_KEYS, *(key for key in player if key not in _PLAYER_KEYS))
            found[name] = {key: _sizes(player[key]) for key in keys if player.get(key) is not None}
    for name in ("overrides", "locks", "lines", "rake", "thresholds"):
        if name in found and not found[name]:
            del found[name]
    return found


def _sizes(given: Any) -> Any:
    """Of a street; no bet sizes and none written are the same, no donk is not."""
    if not isinstance(given, Mapping):
        return given
    return {
        key: value
        for key, value in given.items()
        if value is not None and not (key in _EMPTY_IS_NONE and value == "")
    }


def _numbers(given: Mapping[str, Any]) -> Fields:
    """The same with numbers where a form typed them."""
    found = dict(given)
    for place in _NUMBERS:
        key, _, inner = place.partition(".")
        if not inner and key in found:
            found[key] = _typed(found[key])
        elif isinstance(found.get(key), Mapping) and inner in found[key]:
            found[key] = {**found[key], inner: _typed(found[key][inner])}
    for key in _NUMBERS_IN:
        if isinstance(found.get(key), Mapping):
            found[key] = {name: _typed(value) for name, value in found[key].items()}
    for key in ("rake", *_NUMBERS_IN):
        if isinstance(found.get(key), Mapping):
            found[key] = {name: value for name, value in found[key].items() if value is not None}
    return found


def _typed(value: Any) -> Any:
    """`180` -> 180, `.inf` -> infinity, nothing -> None, and any other text as it is."""
    if not isinstance(value, str):
        return value
    text = value.strip().replace(",", "")
    if not text:
        return None
    if len(text) > LONGEST_NUMBER:
        return value
    if text.lower() in (NO_CAP, "inf"):
        return float("inf")
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    except (ValueError, OverflowError):
        return value


def _in_unit(fields: Fields, spot: Spot, unit: Unit) -> Fields:
    """Pot, stack, least bet and cap of rake in chips, or in big blinds."""
    big_blind = spot.bb or CHIPS_PER_BB
    chips = {"pot": spot.pot, "stack": spot.stack, "min_bet": spot.min_bet}
    found = {**fields, **{key: chips[key] for key in _AMOUNTS if key in fields}, "bb": big_blind}
    cap = spot.rake.cap
    if "rake" in fields and isfinite(cap):
        found["rake"] = {**fields["rake"], "cap": int(cap) if cap == int(cap) else cap}
    if unit == "bb":
        found |= {key: _big_blinds(chips[key], big_blind) for key in _AMOUNTS if key in fields}
        if "rake" in fields and isfinite(cap) and cap:
            found["rake"] = {**fields["rake"], "cap": _big_blinds(cap, big_blind)}
        if big_blind == CHIPS_PER_BB:
            del found["bb"]
    return _ordered(found)


def _big_blinds(chips: float, big_blind: int) -> float | str:
    """`5.5bb`; the chips themselves where no short decimal says it."""
    amount = Fraction(chips) / big_blind
    text = f"{float(amount):.9f}".rstrip("0").rstrip(".")
    return f"{text}bb" if Fraction(text) == amount else chips


def _for_json(value: Any) -> Any:
    """Plain values that JSON has: infinity as text, and dates that YAML saw as they are written."""
    if isinstance(value, Mapping):
        return {str(key): _for_json(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_for_json(inner) for inner in value]
    if isinstance(value, float) and not isfinite(value):
        return NO_CAP if value > 0 else str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
