"""A YAML file as keys and values, or one line that says why not; what the keys mean is not here."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel

from poker_solver.errors import ConfigError

T = TypeVar("T", bound=BaseModel)


Fields = dict[str, Any]


def load_yaml(make: type[T], path: Path, adapt: Callable[[Fields], Fields] = dict) -> T:
    """A record of a YAML file, its fields adapted first; errors begin with the path."""
    try:
        return made_of(make, read_text(path), adapt)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def made_of(make: type[T], text: str, adapt: Callable[[Fields], Fields] = dict) -> T:
    """A record of YAML text; all that is wrong in one message."""
    fields, problems = parse_mapping(text, make.model_fields)
    try:
        made = make(**adapt(fields))
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


def preset_path(folder: Path, name: str) -> Path:
    """Where the preset of this name is kept."""
    known = preset_stems(folder)
    if name not in known:
        raise ConfigError(
            f"{name!r} is not a preset; presets: {', '.join(known)}; "
            "or give the path of a YAML file"
        )
    return folder / f"{name}.yaml"


def preset_stems(folder: Path) -> list[str]:
    """The presets of a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def preset_or_file(folder: Path, name_or_path: str | Path) -> Path:
    """The file of a preset's name, or the path itself where it names a file."""
    path = Path(name_or_path)
    names_a_file = isinstance(name_or_path, Path) or path.suffix in (".yaml", ".yml")
    if names_a_file or len(path.parts) != 1 or path.is_file():
        return path
    return preset_path(folder, str(name_or_path))


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
