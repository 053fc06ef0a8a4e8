"""A full game of six classes on two flops, a line of it solved and put into a blueprint."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.maps import make_row_maps
from poker_solver.abstraction.rows import HandRows, StreetRows
from poker_solver.cards import COMBO_CLASS, cards_from_string
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import STREETS, TableShape, table_shape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.rows import decision_rows, decisions_end
from poker_solver.fullgame.solution import TrainingRecord, UnifiedSolution, solution_shapes
from poker_solver.games.betting import FLOP
from poker_solver.games.full_game import full_game_rules
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import solve_spot
from tests.support.full_games import CLASSES

FLOPS = ("KsJs7s", "4s4h4d")
"""With few boards up to suits."""
EXACT = RowsConfig()
FOLDER = TemporaryDirectory()


def book_config(stack: float = 12) -> UnifiedConfig:
    """Two lines that see a flop, two sizes there, none on the turn, all-in on the river."""
    return UnifiedConfig.from_mapping(
        {
            "name": "Book",
            "stack": stack,
            "preflop": {
                "raise_sizes": [["2.5bb", "4bb"]],
                "limp": False,
                "allin": False,
                "raise_cap": 1,
            },
            "postflop": {
                "flop": {"bet": "50%, 100%"},
                "turn": {},
                "river": {"bet": "a"},
                "max_raises": 0,
            },
            "flops": dict.fromkeys(FLOPS, 11_050),
        }
    )


@cache
def book_solution() -> UnifiedSolution:
    """Something that is played before the flop, drawn at random."""
    config = book_config()
    shapes = solution_shapes(full_game(full_game_rules(config), CLASSES))
    rng = np.random.default_rng(5)
    record = TrainingRecord(2, 70, 1, 1.0, "cpu", 0, 3.5, (0.0, 0.0), "iterations")
    sums, values = (rng.random(shapes[name]) for name in ("sums", "leaf_values"))
    return UnifiedSolution(config, sums, values, record, hands=CLASSES)


@cache
def solved_line(line: int, flop: str) -> Solution:
    """What is played there, solved from the ranges that come."""
    game = book_solution().spot_game(line, cards_from_string(flop))
    return solve_spot(game, SolveOptions(max_iterations=60, threads=1))


@cache
def row_maps(rows: RowsConfig = EXACT) -> tuple[HandRows, ...]:
    """Of both flops."""
    maps = make_row_maps(rows, FLOPS)
    return tuple(maps.of(flop) for flop in FLOPS)


def weights_of(solution: Solution, maps: HandRows) -> list[NDArray[Any]]:
    """[B, P, W] of each street: what a solution's hands do, summed over the hands of a row."""
    tree, strategy, found = solution.tree, solution.strategy, []
    for street, rows in zip(STREETS, maps.streets, strict=True):
        decisions, num_boards = decision_rows(tree, street), len(rows.num_rows)
        sums = np.zeros((num_boards, decisions_end(decisions), rows.num_rows.max()))
        for node, pairs in decisions.items():
            row = rows.row[:, solution.layout.combos[tree.actor[node]]]  # [B, H]
            weights = strategy.rows(node, range(num_boards))
            board, hand = np.nonzero(row >= 0)
            for a, pair in enumerate(pairs):
                np.add.at(sums[:, pair], (board, row[board, hand]), weights[board, a, hand])
        found.append(sums)
    return found


def book_shape(rows: RowsConfig = EXACT) -> TableShape:
    """Of both flops."""
    return table_shape(book_solution().game, rows, row_maps(rows))


def put_flops(writer: BlueprintWriter, rows: RowsConfig = EXACT) -> None:
    """The first line on both flops."""
    for flop, maps in enumerate(row_maps(rows)):
        writer.put_maps(flop, maps)
        writer.put(flop, 0, weights_of(solved_line(0, FLOPS[flop]), maps))


@cache
def book_file() -> Path:
    """The blueprint with exact rows."""
    path = Path(FOLDER.name) / "book.pkb"
    writer = BlueprintWriter(path, book_solution(), book_shape())
    put_flops(writer)
    writer.finish()
    return path


@cache
def book() -> BlueprintStrategy:
    """As it is read."""
    return BlueprintStrategy.load(book_file())


RANK_ROWS = 23
"""Rows of a map by hand: what is the same up to suits is in one row."""


def by_hand(maps: HandRows, street: int) -> HandRows:
    """The same with classes that leave one remainder in one row on a street."""
    streets = list(maps.streets)
    row = np.where(streets[street - FLOP].row >= 0, COMBO_CLASS % RANK_ROWS, -1)
    count = np.full(len(row), RANK_ROWS, np.int32)
    streets[street - FLOP] = StreetRows(row.astype(np.int16), count)
    return HandRows(maps.flop, (streets[0], streets[1], streets[2]))


def random_weights(rng: np.random.Generator, line: int, maps: HandRows) -> list[NDArray[np.uint8]]:
    """Of each street, in 255ths."""
    pairs = book_shape().num_pairs[line]
    return [
        rng.integers(0, 256, (len(rows.num_rows), pairs[s], rows.num_rows.max()), np.uint8)
        for s, rows in enumerate(maps.streets)
    ]
