"""What is played before the flop, read from YAML and checked entirely; no rules, no solving."""

from poker_solver.config.load import get_preset_path, load_config, preset_names
from poker_solver.config.schema import (
    CHIPS_PER_BB,
    MOST_STACK_BB,
    Blinds,
    Config,
    Rake,
    bb_text,
)

__all__ = [
    "CHIPS_PER_BB",
    "MOST_STACK_BB",
    "Blinds",
    "Config",
    "Rake",
    "bb_text",
    "get_preset_path",
    "load_config",
    "preset_names",
]
