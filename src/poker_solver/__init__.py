"""Heads-up no-limit hold'em equilibrium solver: measured exploitability on everything.

The public names are imported when first used, so that `import poker_solver` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poker_solver.cards.classes import (
        canonical_index,
        get_matrix_layout,
        hand_to_string,
        parse_hand,
    )
    from poker_solver.cfr.generic.batched import BatchedCFR
    from poker_solver.cfr.generic.best_response import (
        best_response_value,
        compute_exploitability,
        game_value,
    )
    from poker_solver.cfr.generic.solver import Solver, SolveResult
    from poker_solver.cfr.generic.vanilla import VanillaCFR
    from poker_solver.cfr.schedules import Schedule, parse_schedule
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.cli.pages.matrix import render_matrix
    from poker_solver.config.preflop import get_preset_path, load_config
    from poker_solver.config.spot import Spot
    from poker_solver.errors import PokerSolverError, SpotError
    from poker_solver.games.base import CHANCE, Game
    from poker_solver.games.hunl_preflop import HUNLPreflop, HUNLState
    from poker_solver.games.kuhn import KuhnPoker, KuhnState
    from poker_solver.games.leduc import LeducPoker, LeducState
    from poker_solver.games.notation import ParsedAction, parse_action_sequence
    from poker_solver.games.openspiel import OpenSpielGame
    from poker_solver.postflop.many.scheduler import solve_many
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.postflop.solve.exploit import max_exploit
    from poker_solver.postflop.solve.solver import solve
    from poker_solver.query.node import ActionDistribution
    from poker_solver.runtime.device import get_device
    from poker_solver.trees.compile import compile_game
    from poker_solver.trees.compiled import CompiledGame

_HOME = {
    "CHANCE": "games.base",
    "ActionDistribution": "query.node",
    "BatchedCFR": "cfr.generic.batched",
    "CompiledGame": "trees.compiled",
    "Game": "games.base",
    "HUNLPreflop": "games.hunl_preflop",
    "HUNLState": "games.hunl_preflop",
    "InteractiveSession": "cli.pages.explorer",
    "KuhnPoker": "games.kuhn",
    "KuhnState": "games.kuhn",
    "LeducPoker": "games.leduc",
    "LeducState": "games.leduc",
    "OpenSpielGame": "games.openspiel",
    "ParsedAction": "games.notation",
    "PokerSolverError": "errors",
    "Schedule": "cfr.schedules",
    "Solution": "postflop.solution.solution",
    "SolveResult": "cfr.generic.solver",
    "Solver": "cfr.generic.solver",
    "Spot": "config.spot",
    "SpotError": "errors",
    "VanillaCFR": "cfr.generic.vanilla",
    "best_response_value": "cfr.generic.best_response",
    "canonical_index": "cards.classes",
    "compile_game": "trees.compile",
    "compute_exploitability": "cfr.generic.best_response",
    "game_value": "cfr.generic.best_response",
    "get_device": "runtime.device",
    "get_matrix_layout": "cards.classes",
    "get_preset_path": "config.preflop",
    "hand_to_string": "cards.classes",
    "load_config": "config.preflop",
    "max_exploit": "postflop.solve.exploit",
    "parse_action_sequence": "games.notation",
    "parse_hand": "cards.classes",
    "parse_schedule": "cfr.schedules",
    "render_matrix": "cli.pages.matrix",
    "solve": "postflop.solve.solver",
    "solve_many": "postflop.many.scheduler",
}

__all__ = [
    "CHANCE",
    "ActionDistribution",
    "BatchedCFR",
    "CompiledGame",
    "Game",
    "HUNLPreflop",
    "HUNLState",
    "InteractiveSession",
    "KuhnPoker",
    "KuhnState",
    "LeducPoker",
    "LeducState",
    "OpenSpielGame",
    "ParsedAction",
    "PokerSolverError",
    "Schedule",
    "Solution",
    "SolveResult",
    "Solver",
    "Spot",
    "SpotError",
    "VanillaCFR",
    "best_response_value",
    "canonical_index",
    "compile_game",
    "compute_exploitability",
    "game_value",
    "get_device",
    "get_matrix_layout",
    "get_preset_path",
    "hand_to_string",
    "load_config",
    "max_exploit",
    "parse_action_sequence",
    "parse_hand",
    "parse_schedule",
    "render_matrix",
    "solve",
    "solve_many",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'poker_solver' has no attribute {name!r}")
    value = getattr(import_module(f"poker_solver.{_HOME[name]}"), name)
    globals()[name] = value
    return value
