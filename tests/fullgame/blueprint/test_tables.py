"""Tables in a file: any board and row read where it was put, and nothing that was not put whole."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from poker_solver.cards import cards_from_string, unblocked
from poker_solver.cards.combos import combo_index
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    Permutation,
    combo_permutation,
    permute_cards,
)
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import FormatError, InputError, NotFoundError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import STREETS, table_shape
from poker_solver.fullgame.blueprint.writer import BlueprintWriter, in_255ths
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.store.files import array_places
from poker_solver.trees.runouts import find_runouts
from tests.support.blueprints import (
    FLOPS,
    RANK_ROWS,
    book,
    book_file,
    book_solution,
    by_hand,
    random_weights,
    row_maps,
)


def expected(weights: np.ndarray, board: int, pairs: range, row: int) -> list[float]:
    found = weights[board, pairs.start : pairs.stop, row].tolist()
    return [one / sum(found) for one in found] if any(found) else [1 / len(found)] * len(found)


@pytest.mark.parametrize(
    "rows",
    [
        RowsConfig.of({"flop": {"emd": RANK_ROWS}, "river": "strength"}),
        RowsConfig.of({"turn": {"emd": RANK_ROWS}, "river": {"quantiles": 16}}),
    ],
    ids=["flop and strength", "turn and quantiles"],
)
def test_every_row_of_every_board_is_read_where_it_was_put(
    rows: RowsConfig, tmp_path: Path
) -> None:
    kept = FLOP if rows.flop.kind == "emd" else TURN
    plain = row_maps(RowsConfig.of({"river": rows.river.as_written()}))
    maps, rng = [by_hand(of, kept) for of in plain], np.random.default_rng(3)
    solution, shape = book_solution(), table_shape(book_solution().game, rows, maps)
    writer, put = BlueprintWriter(tmp_path / "b", solution, shape), {}
    for flop, own in enumerate(maps):
        writer.put_maps(flop, own)
        for line in (0, 1):
            put[flop, line] = random_weights(rng, line, own)
            writer.put(flop, line, put[flop, line])
    found = writer.finish()
    assert found.tables is not None
    assert found.tables.num_done == 2
    for flop, line, street in [(f, k, s) for f in (0, 1) for k in (0, 1) for s in STREETS]:
        boards = find_runouts(cards_from_string(FLOPS[flop])).boards(street)
        here, s = maps[flop].streets[street - FLOP], street - FLOP
        for board in rng.choice(len(boards), min(len(boards), 12), replace=False).tolist():
            cards = tuple(boards[board].tolist())
            table = found.tables.board(line, cards)
            for combo in rng.choice(np.flatnonzero(unblocked(cards)), 8).tolist():
                row = int(here.row[board, combo])
                assert table.row_of(combo) == row
                for pairs in shape.decisions[line][s].values():
                    want = expected(put[flop, line][s], board, pairs, row)
                    assert table.mix_of(pairs, row) == pytest.approx(want)
                    free = unblocked(cards)
                    assert table.mix(pairs, free)[:, combo] == pytest.approx(want)


def representatives(cards: tuple[int, ...], flop: str) -> list[tuple[int, Permutation]]:
    """Every board of a flop that renaming suits makes of these cards, and each way there."""
    boards = find_runouts(cards_from_string(flop)).boards(len(cards) - 2).tolist()
    numbers = {(*sorted(board[:3]), *board[3:]): b for b, board in enumerate(boards)}
    ways = ((permute_cards(cards, one), one) for one in SUIT_PERMUTATIONS)
    named = (((*sorted(moved[:3]), *moved[3:]), one) for moved, one in ways)
    return [(numbers[board], one) for board, one in named if board in numbers]


def test_any_suits_lead_to_the_board_and_the_hand_that_stand_for_them(tmp_path: Path) -> None:
    rows = RowsConfig.of({"river": {"quantiles": 16}})
    maps, rng = row_maps(rows), np.random.default_rng(11)
    shape = table_shape(book_solution().game, rows, maps)
    writer = BlueprintWriter(tmp_path / "b", book_solution(), shape)
    put = [random_weights(rng, 0, of) for of in maps]
    for flop, weights in enumerate(put):
        writer.put(flop, 0, weights)
    tables = writer.finish().tables
    assert tables is not None
    for _ in range(300):
        flop, street = int(rng.integers(2)), STREETS[int(rng.integers(3))]
        cards = [
            *permute_cards(cards_from_string(FLOPS[flop]), SUIT_PERMUTATIONS[rng.integers(24)])
        ]
        left = rng.permutation(np.setdiff1d(np.arange(52), cards)).tolist()
        board = (*rng.permutation(cards).tolist(), *left[: street - FLOP])
        combo = combo_index(*left[-2:])
        pairs = list(shape.decisions[0][street - FLOP].values())[-1]
        table, own = tables.board(0, board), maps[flop].streets[street - FLOP]
        ways = representatives(board, FLOPS[flop])
        stand_for = [(b, int(own.row[b, combo_permutation(way)[combo]])) for b, way in ways]
        row, here = table.row_of(combo), put[flop][street - FLOP]
        assert row in [row for _, row in stand_for]
        assert table.mix_of(pairs, row) in [expected(here, b, pairs, r) for b, r in stand_for]


def test_a_street_that_all_boards_share_has_one_table(tmp_path: Path) -> None:
    rows = RowsConfig.of({"turn": {"buckets": RANK_ROWS}, "river": {"buckets": 30}})
    plain = row_maps(RowsConfig.of({"river": {"buckets": 30}}))
    maps, rng = [by_hand(of, TURN) for of in plain], np.random.default_rng(4)
    shape = table_shape(book_solution().game, rows, maps)
    writer = BlueprintWriter(tmp_path / "b", book_solution(), shape)
    for flop, own in enumerate(maps):
        writer.put_maps(flop, own)
        weights = random_weights(rng, 0, own)
        writer.put(flop, 0, [weights[0], None, None])
    shared = {
        street: rng.random((shape.num_pairs[0, street - FLOP], count))
        for street, count in ((TURN, RANK_ROWS), (RIVER, 30))
    }
    writer.put_shared(0, TURN, shared[TURN])
    writer.put_shared(0, RIVER, shared[RIVER])
    with pytest.raises(InputError, match=r"shape \(3, 3\), want \(6, 30\)|want"):
        writer.put_shared(1, RIVER, np.ones((3, 3)))
    found = writer.finish()
    assert found.tables is not None
    assert found.tables.num_bytes < 500_000
    for own in maps:
        runouts = find_runouts(cards_from_string(own.flop))
        for street in (TURN, RIVER):
            cards = tuple(runouts.boards(street)[5].tolist())
            combo = int(np.flatnonzero(unblocked(cards))[700])
            row = int(own.streets[street - FLOP].row[5, combo])
            codes = in_255ths(shared[street][None], shape.decisions[0][street - FLOP].values())
            for pairs in shape.decisions[0][street - FLOP].values():
                table = found.tables.board(0, cards)
                want = expected(codes, 0, pairs, row)
                assert table.mix_of(pairs, table.row_of(combo)) == pytest.approx(want)
    with pytest.raises(NotFoundError, match="does not have SBr4 BBc"):
        found.tables.board(1, tuple(find_runouts(cards_from_string(FLOPS[0])).boards(TURN)[0]))


def flip(path: Path, name: str, index: int) -> None:
    """Change a byte of an array in a file."""
    place, data = array_places(path)[name], bytearray(path.read_bytes())
    data[place.offset + index] ^= 1
    path.write_bytes(data)


def test_a_board_that_was_changed_is_refused_and_others_are_not(tmp_path: Path) -> None:
    path = tmp_path / "b"
    shutil.copy(book_file(), path)
    flip(path, f"book 0 {FLOP.value}", 3)  # the first flop itself
    broken = BlueprintStrategy.load(path)
    with pytest.raises(FormatError, match=r"damaged: SBr2.5 BBc on KsJs7s does not match"):
        broken.at("SBr2.5 BBc | KsJs7s").mix_of("AhAd")
    line = "SBr2.5 BBc | KsJs7s x x 2d"
    assert broken.at(line).mix_of("AhAd") == book().at(line).mix_of("AhAd")
    assert broken.at("SBr2.5 BBc | 4s4h4d").mix_of("AhAd")


def test_other_damage_is_refused_too(tmp_path: Path) -> None:
    path, line = tmp_path / "b", "SBr2.5 BBc | KsJs7s"
    shutil.copy(book_file(), path)
    flip(path, "book sums 0", 0)
    with pytest.raises(FormatError, match=r"damaged: SBr2.5 BBc on KsJs7s"):
        BlueprintStrategy.load(path).at(line).mix_of("AhAd")
    shutil.copy(book_file(), path)
    flip(path, "book rows", 0)
    with pytest.raises(FormatError, match="is damaged"):
        BlueprintStrategy.load(path)
    shutil.copy(book_file(), path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FormatError, match="truncated"):
        BlueprintStrategy.load(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="truncated or not"):
        BlueprintStrategy.load(path)


def test_rivers_whose_rows_are_made_differently_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = BlueprintStrategy.load(book_file())
    monkeypatch.setattr("poker_solver.fullgame.blueprint.tables.river_mark", lambda *_: 1)
    found.at("SBr2.5 BBc | KsJs7s x x 2d").mix_of("AhAd")
    with pytest.raises(FormatError, match="river rows are of another version"):
        found.at("SBr2.5 BBc | KsJs7s x x 2d x x 3d").mix_of("AhAd")


def test_tables_stay_mapped() -> None:
    tables = book().tables
    assert tables is not None
    assert all(isinstance(array, np.memmap) for array in tables.mapped.values())
    table = tables.board(0, cards_from_string(FLOPS[0]))
    assert np.shares_memory(table.weights, tables.mapped[f"book 0 {FLOP.value}"])
