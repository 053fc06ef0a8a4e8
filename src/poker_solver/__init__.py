"""Heads-up no-limit hold'em equilibrium solver: measured exploitability on everything.

The public names are imported when first used, so that `import poker_solver` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # isort: off
    from poker_solver.cards.cards import parse_board as parse_board
    from poker_solver.cards.classes import (
        canonical_index as canonical_index,
        get_matrix_layout as get_matrix_layout,
        hand_to_string as hand_to_string,
        parse_hand as parse_hand,
    )
    from poker_solver.cards.equity import range_equity as range_equity
    from poker_solver.cards.flops import (
        all_flops as all_flops,
        find_flops as find_flops,
        flop_subset as flop_subset,
    )
    from poker_solver.cards.ranges import format_range as format_range, parse_range as parse_range
    from poker_solver.cfr.generic.batched import BatchedCFR as BatchedCFR
    from poker_solver.cfr.generic.best_response import (
        best_response_value as best_response_value,
        compute_exploitability as compute_exploitability,
        game_value as game_value,
    )
    from poker_solver.cfr.generic.solver import Solver as Solver, SolveResult as SolveResult
    from poker_solver.cfr.generic.vanilla import VanillaCFR as VanillaCFR
    from poker_solver.cfr.options import SolveOptions as SolveOptions
    from poker_solver.cfr.schedules import Schedule as Schedule, parse_schedule as parse_schedule
    from poker_solver.cli.pages.explorer import InteractiveSession as InteractiveSession
    from poker_solver.cli.pages.matrix import render_matrix as render_matrix
    from poker_solver.config.named_spots import named_spot as named_spot
    from poker_solver.config.preflop import (
        Config as Config,
        get_preset_path as get_preset_path,
        load_config as load_config,
    )
    from poker_solver.config.spot import Spot as Spot
    from poker_solver.config.unified import UnifiedConfig as UnifiedConfig
    from poker_solver.errors import (
        ConfigError as ConfigError,
        DeviceError as DeviceError,
        DeviceNameError as DeviceNameError,
        FormatError as FormatError,
        GameError as GameError,
        InputError as InputError,
        LineError as LineError,
        MemoryPlanError as MemoryPlanError,
        MissingPackageError as MissingPackageError,
        NotFoundError as NotFoundError,
        NumericsError as NumericsError,
        PokerSolverError as PokerSolverError,
        ScheduleError as ScheduleError,
        SpotError as SpotError,
        StrategyError as StrategyError,
    )
    from poker_solver.explore.full_game import ExploredGame as ExploredGame
    from poker_solver.explore.postflop import ExploredSpot as ExploredSpot
    from poker_solver.explore.training.trainer import Trainer as Trainer
    from poker_solver.fullgame.blueprint.keys import BlueprintKey as BlueprintKey
    from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy as BlueprintStrategy
    from poker_solver.fullgame.solution import (
        Certificate as Certificate,
        UnifiedSolution as UnifiedSolution,
    )
    from poker_solver.fullgame.solver import UnifiedSolver as UnifiedSolver
    from poker_solver.games.base import CHANCE as CHANCE, Game as Game
    from poker_solver.games.betting import Street as Street
    from poker_solver.games.hunl_postflop import (
        HunlPostflop as HunlPostflop,
        PostflopConfig as PostflopConfig,
        PostflopState as PostflopState,
    )
    from poker_solver.games.hunl_preflop import HUNLPreflop as HUNLPreflop, HUNLState as HUNLState
    from poker_solver.games.kuhn import KuhnPoker as KuhnPoker, KuhnState as KuhnState
    from poker_solver.games.leduc import LeducPoker as LeducPoker, LeducState as LeducState
    from poker_solver.games.notation import (
        ParsedAction as ParsedAction,
        parse_action_sequence as parse_action_sequence,
    )
    from poker_solver.games.openspiel import OpenSpielGame as OpenSpielGame
    from poker_solver.play.find import find_strategy as find_strategy
    from poker_solver.play.hand import PokerHand as PokerHand
    from poker_solver.play.mix import (
        HandMix as HandMix,
        RangeMix as RangeMix,
        Policy as Policy,
    )
    from poker_solver.play.player import Advice as Advice, Player as Player
    from poker_solver.play.review import (
        HandToReview as HandToReview,
        Review as Review,
        Reviewer as Reviewer,
        review_hands as review_hands,
    )
    from poker_solver.play.search import SearchPolicy as SearchPolicy
    from poker_solver.play.session import GuestSession as GuestSession
    from poker_solver.play.simple import (
        AlwaysCall as AlwaysCall,
        AlwaysFold as AlwaysFold,
        RandomAmounts as RandomAmounts,
    )
    from poker_solver.play.stored import StoredPolicy as StoredPolicy
    from poker_solver.play.strength.aivat import Aivat as Aivat
    from poker_solver.play.strength.by_ranges import (
        RangesResult as RangesResult,
        play_match_by_ranges as play_match_by_ranges,
    )
    from poker_solver.play.strength.lbr import (
        LbrResult as LbrResult,
        local_best_response as local_best_response,
    )
    from poker_solver.play.strength.lbr_by_ranges import lbr_by_ranges as lbr_by_ranges
    from poker_solver.play.strength.match import (
        MatchResult as MatchResult,
        play_match as play_match,
    )
    from poker_solver.postflop.engines.batch import SpotBatch as SpotBatch
    from poker_solver.postflop.engines.cpu import PostflopEngine as PostflopEngine
    from poker_solver.postflop.game import PostflopGame as PostflopGame
    from poker_solver.postflop.layout.layout import lay_out as lay_out
    from poker_solver.postflop.many.scheduler import solve_many as solve_many
    from poker_solver.postflop.solution.solution import Solution as Solution
    from poker_solver.postflop.solve.exploit import Exploit as Exploit, max_exploit as max_exploit
    from poker_solver.postflop.solve.solver import PostflopSolver as PostflopSolver
    from poker_solver.preflop.solution import PreflopSolution as PreflopSolution
    from poker_solver.preflop.solver import PreflopSolver as PreflopSolver
    from poker_solver.protocols.histories.read import (
        Histories as Histories,
        read_histories as read_histories,
    )
    from poker_solver.query.compare import Comparison as Comparison, compare as compare
    from poker_solver.query.node import (
        ActionDistribution as ActionDistribution,
        NodeView as NodeView,
    )
    from poker_solver.query.view import node_view as node_view
    from poker_solver.runtime.device import get_device as get_device
    from poker_solver.solving import solve as solve
    from poker_solver.subgame.answer import SubgameAnswer as SubgameAnswer
    from poker_solver.subgame.cache import SubgameCache as SubgameCache
    from poker_solver.subgame.config import (
        CacheConfig as CacheConfig,
        SubgameConfig as SubgameConfig,
    )
    from poker_solver.subgame.key import SubgameKey as SubgameKey
    from poker_solver.subgame.solver import SubgameSolver as SubgameSolver
    from poker_solver.trees.betting import build_betting_tree as build_betting_tree
    from poker_solver.trees.compile import compile_game as compile_game
    from poker_solver.trees.compiled import CompiledGame as CompiledGame
    from poker_solver.trees.runouts import find_runouts as find_runouts

_NAMES = {
    "cards.cards": "parse_board",
    "cards.classes": "canonical_index get_matrix_layout hand_to_string parse_hand",
    "cards.equity": "range_equity",
    "cards.flops": "all_flops find_flops flop_subset",
    "cards.ranges": "format_range parse_range",
    "cfr.generic.batched": "BatchedCFR",
    "cfr.generic.best_response": "best_response_value compute_exploitability game_value",
    "cfr.generic.solver": "Solver SolveResult",
    "cfr.generic.vanilla": "VanillaCFR",
    "cfr.options": "SolveOptions",
    "cfr.schedules": "Schedule parse_schedule",
    "cli.pages.explorer": "InteractiveSession",
    "cli.pages.matrix": "render_matrix",
    "config.named_spots": "named_spot",
    "config.preflop": "Config get_preset_path load_config",
    "config.spot": "Spot",
    "config.unified": "UnifiedConfig",
    "errors": "ConfigError DeviceError DeviceNameError FormatError GameError InputError LineError "
    "MemoryPlanError MissingPackageError NotFoundError NumericsError PokerSolverError "
    "ScheduleError SpotError StrategyError",
    "explore.full_game": "ExploredGame",
    "explore.postflop": "ExploredSpot",
    "explore.training.trainer": "Trainer",
    "fullgame.blueprint.keys": "BlueprintKey",
    "fullgame.blueprint.strategy": "BlueprintStrategy",
    "fullgame.solution": "Certificate UnifiedSolution",
    "fullgame.solver": "UnifiedSolver",
    "games.base": "CHANCE Game",
    "games.betting": "Street",
    "games.hunl_postflop": "HunlPostflop PostflopConfig PostflopState",
    "games.hunl_preflop": "HUNLPreflop HUNLState",
    "games.kuhn": "KuhnPoker KuhnState",
    "games.leduc": "LeducPoker LeducState",
    "games.notation": "ParsedAction parse_action_sequence",
    "games.openspiel": "OpenSpielGame",
    "play.find": "find_strategy",
    "play.hand": "PokerHand",
    "play.mix": "HandMix Policy RangeMix",
    "play.player": "Advice Player",
    "play.review": "HandToReview Review Reviewer review_hands",
    "play.search": "SearchPolicy",
    "play.session": "GuestSession",
    "play.simple": "AlwaysCall AlwaysFold RandomAmounts",
    "play.stored": "StoredPolicy",
    "play.strength.aivat": "Aivat",
    "play.strength.by_ranges": "RangesResult play_match_by_ranges",
    "play.strength.lbr": "LbrResult local_best_response",
    "play.strength.lbr_by_ranges": "lbr_by_ranges",
    "play.strength.match": "MatchResult play_match",
    "postflop.engines.batch": "SpotBatch",
    "postflop.engines.cpu": "PostflopEngine",
    "postflop.game": "PostflopGame",
    "postflop.layout.layout": "lay_out",
    "postflop.many.scheduler": "solve_many",
    "postflop.solution.solution": "Solution",
    "postflop.solve.exploit": "Exploit max_exploit",
    "postflop.solve.solver": "PostflopSolver",
    "preflop.solution": "PreflopSolution",
    "preflop.solver": "PreflopSolver",
    "protocols.histories.read": "Histories read_histories",
    "query.compare": "Comparison compare",
    "query.node": "ActionDistribution NodeView",
    "query.view": "node_view",
    "runtime.device": "get_device",
    "solving": "solve",
    "subgame.answer": "SubgameAnswer",
    "subgame.cache": "SubgameCache",
    "subgame.config": "CacheConfig SubgameConfig",
    "subgame.key": "SubgameKey",
    "subgame.solver": "SubgameSolver",
    "trees.betting": "build_betting_tree",
    "trees.compile": "compile_game",
    "trees.compiled": "CompiledGame",
    "trees.runouts": "find_runouts",
}
"""The public names of each module; the imports above tell them to type checkers."""

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'poker_solver' has no attribute {name!r}")
    value = getattr(import_module(f"poker_solver.{_HOME[name]}"), name)
    globals()[name] = value
    return value
