"""A full game of six classes, three lines and three flops, trained and lifted in a second."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from poker_solver.cards.classes import parse_hand
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.rows import FlopRows, FlopRowsWriter, RowArrays
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.fullgame.solver import UnifiedSolver

CLASSES = tuple(sorted(parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "T9", "JTo", "33")))


def small_config() -> UnifiedConfig:
    """Six big blinds that can only go in after the flop."""
    return UnifiedConfig.from_mapping(
        {
            "name": "Small",
            "stack": 6,
            "preflop": {"raise_sizes": [["2bb"]], "allin": False, "raise_cap": 1},
            "postflop": {street: {"bet": "a"} for street in ("flop", "turn", "river")},
            "flops": {"AsTh5d": 7000, "KsJs7h": 8000, "9s8h4s": 7100},
        }
    )


@cache
def _trained() -> UnifiedSolver:
    """Has its flops in memory."""
    solver = UnifiedSolver(small_config(), device="cpu", threads=1, hands=CLASSES)
    solver.train(max_iterations=60)
    return solver


@cache
def small_solver() -> UnifiedSolver:
    """Has the trained strategy, and lifts it flop by flop; nobody changes it."""
    return UnifiedSolver.of(_trained().solution(), device="cpu", threads=1)


_FOLDER = TemporaryDirectory()


@cache
def rows_file() -> Path:
    """Rows of its lines and flops, the last line on the last flop left out."""
    solver, path = small_solver(), Path(_FOLDER.name) / "rows"
    writer = FlopRowsWriter(path, solver.game, solver.flops, solver.sums)

    def keep(first_flop: int, line: int, rows: Sequence[RowArrays]) -> None:
        if (first_flop, line) != (2, 2):
            writer.put(first_flop, line, rows)

    small_solver().certify(solver.flops, keep=keep)
    writer.close()
    return path


@cache
def solution_file() -> Path:
    """The solution with its rows."""
    rows = FlopRows.load(rows_file(), small_solver().game)
    path = Path(_FOLDER.name) / "small.pks"
    replace(small_solver().solution(), rows=rows).save(path)
    return path


@cache
def small() -> UnifiedSolution:
    """The solution as it is read."""
    return UnifiedSolution.load(solution_file())
