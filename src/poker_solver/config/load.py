"""Configs from YAML files and from the presets shipped with the program; no defaults of its own."""

from pathlib import Path
from typing import Any

import yaml

from poker_solver.config.schema import Config
from poker_solver.errors import ConfigError

_PRESETS = Path(__file__).parent / "presets"


def preset_names() -> list[str]:
    """The presets, sorted."""
    return sorted(path.stem for path in _PRESETS.glob("*.yaml"))


def get_preset_path(name: str) -> Path:
    """Where the preset of this name is kept."""
    if name not in preset_names():
        raise ConfigError(
            f"{name!r} is not a preset; presets: {', '.join(preset_names())}; "
            "or give the path of a YAML file"
        )
    return _PRESETS / f"{name}.yaml"


def load_config(name_or_path: str | Path) -> Config:
    """Read a preset by its name, or a YAML file by its path; all problems in one message."""
    path = Path(name_or_path)
    names_a_file = isinstance(name_or_path, Path) or path.suffix in (".yaml", ".yml")
    if not names_a_file and len(path.parts) == 1 and not path.is_file():
        path = get_preset_path(str(name_or_path))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError(f"{path}: cannot read: {reason}") from error
    try:
        fields, twice = _parse(text)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    try:
        config = Config(**fields)
    except ConfigError as error:
        raise ConfigError(f"{path}: {'; '.join([*twice, str(error)])}") from None
    if twice:
        raise ConfigError(f"{path}: {'; '.join(twice)}")
    return config


class _Loader(yaml.SafeLoader):
    """Plain values only; remembers the keys that are given twice."""

    twice: list[str]

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Note repeated keys, of which the last would win in silence."""
        keys = [str(key.value) for key, _ in node.value]
        self.twice += [f"{key}: given twice" for key in dict.fromkeys(keys) if keys.count(key) > 1]
        return super().construct_mapping(node, deep)


def _parse(text: str) -> tuple[dict[str, Any], list[str]]:
    """The file's keys and values, and what is given twice."""
    try:
        loader = _Loader(text)
        loader.twice = []
        data = loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        reason = getattr(error, "problem", None) or "cannot be parsed"
        raise ConfigError(f"{place}not YAML: {reason}") from None
    if not isinstance(data, dict):
        found = "nothing" if data is None else f"a {type(data).__name__}"
        raise ConfigError(f"holds {found}, wants keys: {', '.join(Config.model_fields)}")
    if odd := [key for key in data if not isinstance(key, str)]:
        raise ConfigError("; ".join(f"{key}: keys are text" for key in odd))
    return data, loader.twice
