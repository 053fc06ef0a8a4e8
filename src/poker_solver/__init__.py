"""Heads-up no-limit hold'em equilibrium solver: measured exploitability on everything.

The public names are imported when first used, so that `import poker_solver` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poker_solver.cfr.batched import BatchedCFR
    from poker_solver.cfr.best_response import (
        best_response_value,
        compute_exploitability,
        game_value,
    )
    from poker_solver.cfr.schedules import Schedule, parse_schedule
    from poker_solver.cfr.solver import Solver, SolveResult
    from poker_solver.cfr.vanilla import VanillaCFR
    from poker_solver.devices import get_device
    from poker_solver.errors import PokerSolverError
    from poker_solver.games.base import CHANCE, Game
    from poker_solver.games.kuhn import KuhnPoker, KuhnState
    from poker_solver.games.leduc import LeducPoker, LeducState
    from poker_solver.games.openspiel import OpenSpielGame
    from poker_solver.trees.compile import compile_game
    from poker_solver.trees.compiled import CompiledGame

_HOME = {
    "CHANCE": "games.base",
    "BatchedCFR": "cfr.batched",
    "CompiledGame": "trees.compiled",
    "Game": "games.base",
    "KuhnPoker": "games.kuhn",
    "KuhnState": "games.kuhn",
    "LeducPoker": "games.leduc",
    "LeducState": "games.leduc",
    "OpenSpielGame": "games.openspiel",
    "PokerSolverError": "errors",
    "Schedule": "cfr.schedules",
    "SolveResult": "cfr.solver",
    "Solver": "cfr.solver",
    "VanillaCFR": "cfr.vanilla",
    "best_response_value": "cfr.best_response",
    "compile_game": "trees.compile",
    "compute_exploitability": "cfr.best_response",
    "game_value": "cfr.best_response",
    "get_device": "devices",
    "parse_schedule": "cfr.schedules",
}

__all__ = [
    "CHANCE",
    "BatchedCFR",
    "CompiledGame",
    "Game",
    "KuhnPoker",
    "KuhnState",
    "LeducPoker",
    "LeducState",
    "OpenSpielGame",
    "PokerSolverError",
    "Schedule",
    "SolveResult",
    "Solver",
    "VanillaCFR",
    "best_response_value",
    "compile_game",
    "compute_exploitability",
    "game_value",
    "get_device",
    "parse_schedule",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'poker_solver' has no attribute {name!r}")
    value = getattr(import_module(f"poker_solver.{_HOME[name]}"), name)
    globals()[name] = value
    return value
