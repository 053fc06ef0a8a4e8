"""A YAML file as keys and values, or one line that says why not; what the keys mean is not here."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from poker_solver.errors import ConfigError

T = TypeVar("T")


def made_of(make: Callable[..., T], found: tuple[dict[str, Any], list[str]], place: str = "") -> T:
    """A record of keys and values that were read; all that is wrong in one message, at a place."""
    fields, twice = found
    problems, made = list(twice), None
    try:
        made = make(**fields)
    except ConfigError as error:
        problems.append(str(error))
    if made is None or problems:
        raise ConfigError(f"{place}{'; '.join(problems)}")
    return made


def read_mapping(path: Path, wanted: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The file's keys and values, and what is given twice; errors begin with the path."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError(f"{path}: cannot read: {reason}") from error
    try:
        return parse_mapping(text, wanted)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


class _Loader(yaml.SafeLoader):
    """Plain values only; remembers the keys that are given twice."""

    twice: list[str]

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Note repeated keys, of which the last would win in silence."""
        keys = [str(key.value) for key, _ in node.value]
        self.twice += [f"{key}: given twice" for key in dict.fromkeys(keys) if keys.count(key) > 1]
        return super().construct_mapping(node, deep)


def parse_mapping(text: str, wanted: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The text's keys and values, and what is given twice."""
    try:
        loader = _Loader(text)
        loader.twice = []
        data = loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        reason = getattr(error, "problem", None) or "cannot be parsed"
        raise ConfigError(f"{place}not YAML: {reason}") from None
    except RecursionError:
        raise ConfigError("nested too deep") from None
    if not isinstance(data, dict):
        found = "nothing" if data is None else f"a {type(data).__name__}"
        raise ConfigError(f"holds {found}, wants keys: {', '.join(wanted)}")
    if odd := [key for key in data if not isinstance(key, str)]:
        raise ConfigError("; ".join(f"{key}: keys are text" for key in odd))
    return data, loader.twice
