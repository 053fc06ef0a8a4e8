"""What is in a file, opened for a walk: any save, what a checkpoint has found, a game shipped."""

from collections.abc import Sequence
from pathlib import Path

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.lines.text import tokens_of
from poker_solver.errors import InputError
from poker_solver.explore.full_game import ExploredGame
from poker_solver.explore.postflop import ExploredSpot
from poker_solver.explore.preflop import Solved
from poker_solver.explore.session import Explored
from poker_solver.fullgame import solution as full_game
from poker_solver.postflop.solution.solution import KIND as SPOT
from poker_solver.postflop.solution.solution import Solution
from poker_solver.preflop.solution import KIND as PREFLOP
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.query.view import AnySolution
from poker_solver.store.files import file_kind

SAVES = (SPOT, PREFLOP, full_game.KIND)
"""Kinds of files that are solutions; checkpoints are to go on from."""


def read_solution(path: Path) -> AnySolution:
    """The solution in a file, or what the solve of a checkpoint has found so far."""
    from poker_solver.fullgame import solver as unified
    from poker_solver.postflop.solve import solver as postflop  # a compiler
    from poker_solver.preflop import solver as preflop

    kind = file_kind(path)
    if kind == PREFLOP:
        return PreflopSolution.load(path)
    if kind == full_game.KIND:
        return full_game.UnifiedSolution.load(path)
    if kind == preflop.KIND:
        return preflop.PreflopSolver.load(path).solution()
    if kind == postflop.KIND:
        return postflop.PostflopSolver.load(path).solution(copy=False)
    if kind == unified.KIND:
        raise InputError(
            f"{path} is a checkpoint of unified, to go on from; explore opens what it saves"
        )
    return Solution.load(path)


def explored(solution: AnySolution, options: SolveOptions) -> Explored:
    """A solution to walk through; what has to be solved on the way is solved by these options."""
    from poker_solver.preflop.solver import solve_preflop

    if isinstance(solution, full_game.UnifiedSolution):
        solution.after_flop.options = options
        return ExploredGame(solution)
    if isinstance(solution, PreflopSolution):
        return Solved(solution, lambda config: solve_preflop(config, options))
    return ExploredSpot(solution)


def tokens_at(solution: AnySolution, line: str) -> Sequence[str]:
    """The history that a line, written as people write it, means in this solution."""
    if isinstance(solution, full_game.UnifiedSolution):
        return solution.locate(line).tokens
    if isinstance(solution, PreflopSolution):
        return solution.history(line)
    return tokens_of(line)
