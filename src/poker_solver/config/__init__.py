"""What is played before the flop, read from YAML and checked entirely; no rules, no solving.

The names are imported when first used: a spot after the flop needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poker_solver.config.base import CHIPS_PER_BB, MOST_STACK_BB, Rake, bb_text
    from poker_solver.config.preflop import (
        Blinds,
        Config,
        get_preset_path,
        load_config,
        preset_names,
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


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'poker_solver.config' has no attribute {name!r}")
    part = "base" if name in ("CHIPS_PER_BB", "MOST_STACK_BB", "Rake", "bb_text") else "preflop"
    return getattr(import_module(f"poker_solver.config.{part}"), name)
