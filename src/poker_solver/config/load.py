"""Configs from YAML files and from the presets shipped with the program; no defaults of its own."""

from pathlib import Path

from poker_solver.config.schema import Config
from poker_solver.config.yaml_text import made_of, read_mapping
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
    return made_of(Config, read_mapping(path, Config.model_fields), f"{path}: ")
