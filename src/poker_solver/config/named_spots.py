"""The postflop spots that come with the program: what is measured, tested and written about."""

from pathlib import Path

from poker_solver.config.spot import Spot
from poker_solver.config.yaml_text import parse_mapping, read_text
from poker_solver.errors import ConfigError

FOLDER = Path(__file__).parent / "spots"

SMALL = ("river_example", "river_full", "turn_example")
"""Solved in a second or two."""

LARGE = ("flop_example", "3betpot_fast", "k72r_srp")
"""Whole flops: a gigabyte and more, a minute and more."""


def named_spot(name: str) -> Spot:
    """The spot of this name."""
    if name not in (*SMALL, *LARGE):
        known = ", ".join((*SMALL, *LARGE))
        raise ConfigError(f"{name!r} is not a named spot; there are {known}")
    return Spot.load(FOLDER / f"{name}.yaml")


def spot_fields(path: Path) -> dict[str, object]:
    """The keys and values of a spot's file, not checked yet: its board may be missing."""
    try:
        return typed_fields(read_text(path))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def typed_fields(text: str) -> dict[str, object]:
    """The same of YAML text."""
    fields, twice = parse_mapping(text, Spot.model_fields)
    if twice:
        raise ConfigError("; ".join(twice))
    return fields


def find_spot(name_or_path: str | Path) -> Spot:
    """The spot in a YAML file, or the named one where there is no such file."""
    path = Path(name_or_path)
    if path.suffix or path.exists() or len(path.parts) > 1:
        return Spot.load(path)
    return named_spot(path.name)
