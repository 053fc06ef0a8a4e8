"""What a row engine has learned, in a blueprint."""

from pathlib import Path

import numpy as np
import pytest

from poker_solver.cards import card_to_string, cards_from_string, combo_to_string
from poker_solver.cfr.schedules import DCFR
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.fullgame.blueprint.tables import table_shape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.rows import decision_rows
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import row_tables
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.strategy import mixes
from poker_solver.trees.runouts import find_runouts
from tests.support.blueprints import FLOPS, book_solution, row_maps

ROWS = RowsConfig.of({"river": {"quantiles": 12}})
BUDGET = (3 + 1) / (510 - 3)


def trained(*, river_average: bool, rows: RowsConfig = ROWS, iterations: int = 20) -> RowEngine:
    """The first line on both flops after some iterations."""
    game = book_solution().game
    lines = LineEngines(game, DCFR, Machine(threads=1))
    layouts = [lines.lay_out(flop)[0] for flop in FLOPS]
    maps = row_maps(rows)
    tables = [row_tables(one, of.streets) for one, of in zip(layouts, maps, strict=True)]
    sharing = Sharing(tuple(rule.is_shared for rule in rows.rules), (1.0,) * len(layouts))
    engine = RowEngine(
        layouts, tables, game.classes, DCFR, river_average=river_average, sharing=sharing
    )
    engine.train(iterations)
    return engine


@pytest.mark.parametrize("river_average", [True, False])
def test_a_trained_row_engine_fills_a_blueprint(tmp_path: Path, river_average: bool) -> None:
    engine, maps = trained(river_average=river_average), row_maps(ROWS)
    solution, shape = book_solution(), table_shape(book_solution().game, ROWS, maps)
    writer = BlueprintWriter(tmp_path / "b", solution, shape)
    for flop in range(2):
        writer.put_maps(flop, maps[flop])
        writer.put(flop, 0, engine.read_rows(flop))
    book, rng = writer.finish(), np.random.default_rng(6)
    for flop, name in enumerate(FLOPS):
        layout, runouts = engine.layouts[flop], find_runouts(cards_from_string(name))
        sums = engine.read_sums(flop)
        for street in (FLOP, TURN):
            for node in decision_rows(layout.tree, street):
                board = int(rng.integers(runouts.num_boards[street]))
                dealt = runouts.boards(street)[board].tolist()[3:]
                line = layout.tree.line_of(node, dealt)
                point = book.at(f"SBr2.5 BBc | {name} {line}")
                want = mixes(state_rows(layout, sums, node, board, board + 1)[0])
                combos = layout.combos[point.player]
                free = [h for h, c in enumerate(combos.tolist()) if not held(c, dealt)]
                got = point.strategy[:, combos]
                np.testing.assert_allclose(got[:, free], want[:, free], atol=BUDGET)


def held(combo: int, cards: list[int]) -> bool:
    """Whether a combo has one of these cards."""
    return any(card_to_string(card) in combo_to_string(combo) for card in cards)


@pytest.mark.parametrize("river_average", [True, False])
def test_rivers_are_read_from_where_the_engine_keeps_them(river_average: bool) -> None:
    engine, maps = trained(river_average=river_average), row_maps(ROWS)
    state = engine.stored()["policy_sum" if river_average else "regret"]
    first = sum(engine.shape.num_elements([s.num_rows for s in maps[0].streets]))
    at = engine.shape.board_rows([s.num_rows for s in maps[1].streets])[2]
    river, layout, rng = engine.shape.river, engine.layouts[1], np.random.default_rng(1)
    nodes, found = layout.shape.nodes(RIVER), engine.read_rows(1)[2]
    decisions = decision_rows(layout.tree, RIVER)
    assert found is not None
    for _ in range(200):
        n = int(rng.choice(np.flatnonzero(river.kind < 2)))
        board, a = int(rng.integers(len(at.start))), int(rng.integers(river.num_children[n]))
        num_rows = int(at.num_rows[board])
        row = int(rng.integers(num_rows))
        kept = state[first + at.start[board] + (river.offset[n] + a) * num_rows + row]
        assert found[board, decisions[int(nodes[n])][a], row] == max(kept, 0)
        assert not found[board, :, num_rows:].any()


@pytest.mark.parametrize("river_average", [True, False])
def test_rivers_that_share_one_table_are_in_a_blueprint_once(
    tmp_path: Path, river_average: bool
) -> None:
    rows = RowsConfig.of({"river": {"buckets": 9}})
    engine, maps = trained(river_average=river_average, rows=rows, iterations=5), row_maps(rows)
    solution, shape = book_solution(), table_shape(book_solution().game, rows, maps)
    writer = BlueprintWriter(tmp_path / "b", solution, shape)
    for flop in range(2):
        writer.put_maps(flop, maps[flop])
        writer.put(flop, 0, engine.read_rows(flop))
    table = engine.read_shared(RIVER)
    writer.put_shared(0, RIVER, table)
    book, layout, rng = writer.finish(), engine.layouts[1], np.random.default_rng(2)
    boards = find_runouts(cards_from_string(FLOPS[1])).boards(RIVER)
    for node, pairs in decision_rows(layout.tree, RIVER).items():
        board = int(rng.integers(len(boards)))
        line = layout.tree.line_of(node, boards[board].tolist()[3:])
        point = book.at(f"SBr2.5 BBc | {FLOPS[1]} {line}")
        combos = layout.combos[point.player]
        row = maps[1].streets[2].row[board, combos]
        want = mixes(table[pairs][:, row])
        np.testing.assert_allclose(
            point.strategy[:, combos][:, row >= 0], want[:, row >= 0], atol=BUDGET
        )
    assert table.shape == (engine.shape.num_actions[2], 9)
