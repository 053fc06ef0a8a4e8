"""A YAML file as keys and values, or one line that says why not; what the keys mean is not here."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel

from poker_solver.errors import ConfigError

T = TypeVar("T", bound=BaseModel)


def load_yaml(make: type[T], path: Path) -> T:
    """A record of a YAML file; errors begin with the path."""
    try:
        return made_of(make, read_text(path))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def made_of(make: type[T], text: str) -> T:
    """A record of YAML text; all that is wrong in one message."""
    fields, problems = parse_mapping(text, make.model_fields)
    try:
        made = make(**fields)
    except ConfigError as error:
        problems.append(str(error))
    if problems:
        raise ConfigError("; ".join(problems))
    return made


def read_text(path: Path) -> str:
    """What a file holds."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError(f"cannot read: {reason}") from error


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
