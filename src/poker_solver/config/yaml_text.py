"""A YAML file as keys and values, or one line that says why not; what the keys mean is not here."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel

from poker_solver.errors import ConfigError

T = TypeVar("T", bound=BaseModel)


Fields = dict[str, Any]

MOST_BYTES = 1_000_000
MOST_VALUES = 20_000
"""In a file, what an alias stands for counted wherever it stands."""

MOST_DEPTH, MOST_KEYS, MOST_DIGITS = 20, 2_000, 100
"""Lists and maps in each other; keys of one map; characters of a number."""


def load_yaml(make: type[T], path: Path, adapt: Callable[[Fields], Fields] = dict) -> T:
    """A record of a YAML file, its fields adapted first; errors begin with the path."""
    try:
        return made_of(make, read_text(path), adapt)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def made_of(make: type[T], text: str, adapt: Callable[[Fields], Fields] = dict) -> T:
    """A record of YAML text; all that is wrong in one message."""
    fields, twice = parse_mapping(text, make.model_fields)
    said, places = list(twice), [("", one) for one in twice]
    try:
        made = make(**adapt(fields))
    except ConfigError as error:
        said.append(str(error))
        places += error.problems or [("", str(error))]
    if said:
        raise ConfigError("; ".join(said), tuple(places))
    return made


def read_text(path: Path) -> str:
    """What a file holds; one without an end, or larger than anybody writes, is refused."""
    try:
        if path.exists() and not path.is_file():  # a pipe would wait for a writer for ever
            raise ConfigError("cannot read: it is not a regular file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ConfigError(f"cannot read: it has more than {MOST_BYTES:,} bytes")
        return data.decode("utf-8-sig")
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
    if path.is_file() or len(path.parts) != 1:
        return path
    if not names_a_file:
        return preset_path(folder, str(name_or_path))
    preset = folder / f"{path.stem}.yaml"  # `standard.yaml`, and no such file is here
    return preset if preset.is_file() else path


class _Loader(yaml.SafeLoader):
    """Plain values only; remembers the keys that are given twice."""

    twice: list[str]

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Note repeated keys, of which the last would win in silence."""
        counts = Counter(str(key.value) for key, _ in node.value)
        self.twice += [f"{key}: given twice" for key, count in counts.items() if count > 1]
        return super().construct_mapping(node, deep)


def _measure(node: yaml.Node, known: dict[yaml.Node, int], depth: int = 0) -> int:
    """Values in a node, aliases written out; refuses more than any file of ours needs."""
    if depth > MOST_DEPTH:
        raise ConfigError(f"nested deeper than {MOST_DEPTH}")
    if node in known:
        return known[node]
    count = 1
    if isinstance(node, yaml.ScalarNode):
        is_number = node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
        if is_number and len(node.value) > MOST_DIGITS:
            where = f"line {node.start_mark.line + 1}"
            raise ConfigError(f"{where}: a number of {len(node.value):,} characters")
    elif isinstance(node, yaml.MappingNode):
        if len(node.value) > MOST_KEYS:
            raise ConfigError(f"a map of {len(node.value):,} keys, {MOST_KEYS:,} is the most")
        count += sum(_measure(of, known, depth + 1) for pair in node.value for of in pair)
    else:
        count += sum(_measure(of, known, depth + 1) for of in node.value)
    if count > MOST_VALUES:
        raise ConfigError(f"comes to more than {MOST_VALUES:,} values, aliases written out")
    known[node] = count
    return count


def parse_mapping(text: str, wanted: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The text's keys and values, and what is given twice."""
    try:
        loader = _Loader(text)
        loader.twice = []
        node = loader.get_single_node()
        data = None
        if node is not None:
            _measure(node, {})
            data = loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        reason = getattr(error, "problem", None) or "cannot be parsed"
        raise ConfigError(f"{place}not YAML: {reason}") from None
    except RecursionError:
        raise ConfigError("nested too deep") from None
    except ConfigError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        # A tag that its value does not fit, a date that is none: PyYAML lets these out.
        raise ConfigError(f"not YAML: a value cannot be what its tag says: {error}") from None
    if not isinstance(data, dict):
        found = "nothing" if data is None else f"a {type(data).__name__}"
        raise ConfigError(f"holds {found}, wants keys: {', '.join(wanted)}")
    if odd := [key for key in data if not isinstance(key, str)]:
        raise ConfigError("; ".join(f"{key}: keys are text" for key in odd))
    return data, loader.twice
