"""Flop rows in a file: what a lift found, looked up for any suits, and never misread."""

import shutil
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import poker_solver as ps
from poker_solver.cards import cards_from_string
from poker_solver.cards.flops import FlopSet
from poker_solver.cards.isomorphism import combo_permutation, permute_cards
from poker_solver.cfr.schedules import DCFR
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.rows import FlopRows, FlopRowsWriter, RowMaker, decision_rows
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.layout.layout import Layout
from tests.support.full_games import rows_file, small, small_solver

RAISED = "SBr2 BBc"


@pytest.fixture
def rows() -> FlopRows:
    return FlopRows.load(rows_file(), small_solver().game)


def test_a_row_is_what_solving_the_flop_finds(rows: FlopRows) -> None:
    solution, line = small(), small().find_line(RAISED)
    solved = ps.solve(solution.spot(RAISED, "AsTh5d"), target_pct=0.02, threads=1)
    row, node = rows.read(solved.game.cards, line), solved.node()
    assert row is not None
    for player, held in enumerate(node.players):
        values = row.values[player, held.combos]
        assert held.mean(values) == pytest.approx(held.mean_ev, abs=0.2)
        comes = held.reach > 0.01
        np.testing.assert_allclose(values[comes], held.ev_chips[comes], atol=3)
    first = decision_rows(solution.game.lines[line].tree)[0]
    mix = row.strategy[first.start : first.stop, node.acting.combos] / 255
    assert mix @ node.acting.share == pytest.approx(node.frequency, abs=0.03)
    assert np.abs(mix.sum(axis=0) - 1).max() <= 1 / 255


def test_other_suits_have_the_same_row_renamed(rows: FlopRows) -> None:
    flop, renaming = cards_from_string("KsJs7h"), (2, 0, 3, 1)
    to = combo_permutation(renaming)
    plain, renamed = (rows.read(f, 1) for f in (flop, permute_cards(reversed(flop), renaming)))
    assert plain is not None
    assert renamed is not None
    pot = small_solver().game.lines[1].betting.pot  # two suits are alike: rounding, of the pot
    np.testing.assert_allclose(renamed.strategy[:, to], plain.strategy, atol=1)
    np.testing.assert_allclose(renamed.values[:, to], plain.values, rtol=0, atol=1e-5 * pot)
    assert plain.strategy.any()


def test_what_was_not_put_is_not_there(rows: FlopRows) -> None:
    assert rows.num_done == 2
    assert rows.read(cards_from_string("9s8h4s"), 2) is None
    assert rows.read(cards_from_string("9s8h4s"), 1) is not None
    assert rows.read(cards_from_string("2c3d4h"), 0) is None
    assert all(isinstance(of, np.memmap) for of in (*rows.strategy, *rows.values))


def test_a_writer_goes_on_where_it_was_killed(tmp_path: Path, rows: FlopRows) -> None:
    solver, path = small_solver(), tmp_path / "rows"
    shutil.copy(rows_file(), path)
    writer = FlopRowsWriter(path, solver.game, solver.flops, solver.sums)
    with pytest.raises(FormatError, match="in use by another run"):
        FlopRowsWriter(path, solver.game, solver.flops, solver.sums)
    writer.close()
    assert writer.rows().num_done == 2
    flop = cards_from_string("AsTh5d")
    row, before = writer.rows().read(flop, 2), rows.read(flop, 2)
    assert row is not None
    assert before is not None
    assert np.array_equal(row.strategy, before.strategy)


class Told:
    """An engine that has found this on one flop."""

    def __init__(self, layout: Layout) -> None:
        self.layouts, sums = [layout], np.random.default_rng(1)
        self.sums = sums.random(layout.shape.num_upper, np.float32)

    def root_values(self, player: int) -> list[NDArray[np.float32]]:
        return [np.ones(len(self.layouts[0].combos[player]), np.float32)]

    def read_sums(self, spot: int) -> NDArray[np.float32]:
        return self.sums


def test_a_row_that_was_being_put_when_all_ended_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, path, flop = small_solver(), tmp_path / "rows", cards_from_string("9s8h4s")
    shutil.copy(rows_file(), path)
    engine = Told(LineEngines(solver.game, DCFR, Machine()).lay_out("9s8h4s")[2])
    rows = RowMaker(solver.game, solver.sums).rows(2, cast(ClassEngine, engine))
    writer = FlopRowsWriter(path, solver.game, solver.flops, solver.sums)
    write = writer._file.write

    def killed(name: str, index: tuple[int, ...], part: NDArray[Any]) -> None:
        if name == "rows put":
            raise KeyboardInterrupt
        write(name, index, part)

    monkeypatch.setattr(writer._file, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        writer.put(2, 2, rows)
    writer.close()
    again = FlopRowsWriter(path, solver.game, solver.flops, solver.sums)
    assert again.rows().num_done == 2
    assert again.rows().read(flop, 2) is None
    again.put(2, 2, rows)
    again.close()
    assert again.rows().num_done == 3
    row = again.rows().read(flop, 2)
    assert row is not None
    ends = np.isfinite(row.values).sum(axis=1)  # hands that are dealt, not those of other classes
    assert ends.tolist() == [len(own) for own in engine.layouts[0].combos]


def test_rows_of_something_else_are_refused(tmp_path: Path) -> None:
    solver, path = small_solver(), tmp_path / "rows"
    shutil.copy(rows_file(), path)
    with pytest.raises(FormatError, match="another strategy or of other flops"):
        FlopRowsWriter(path, solver.game, solver.flops, solver.sums + 1)
    with pytest.raises(FormatError, match="another strategy or of other flops"):
        FlopRowsWriter(path, solver.game, FlopSet("x", ("AsTh5d",), (22_100,)), solver.sums)
    with pytest.raises(InputError, match="of another strategy"):
        ps.UnifiedSolution(
            small().config, small().sums + 1, small().leaf_values, small().record,
            hands=small().hands, rows=FlopRows.load(path, solver.game),
        )  # fmt: skip


def test_a_row_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    shutil.copy(rows_file(), path)
    data = bytearray(path.read_bytes())
    data[-1 - 8 * 1176] ^= 1  # the last line has eight rows of its third flop, then of its second
    path.write_bytes(data)
    broken = FlopRows.load(path, small_solver().game)
    assert broken.read(cards_from_string("AsTh5d"), 2) is not None
    with pytest.raises(FormatError, match="rows of KsJs7h are damaged"):
        broken.read(cards_from_string("KsJs7h"), 2)
    path.write_bytes(data[:-1])
    with pytest.raises(FormatError, match="truncated"):
        FlopRows.load(path, small_solver().game)
