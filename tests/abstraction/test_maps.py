"""Rows of whole flops: boards that engines keep, hands that suits make equal, files."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from poker_solver.abstraction import maps as maps_module
from poker_solver.abstraction.clusters import find_clusters
from poker_solver.abstraction.maps import RowMaps, cache_path, find_row_maps, make_row_maps
from poker_solver.abstraction.runout_points import runout_points
from poker_solver.cards import cards_from_string, cards_to_string, unblocked
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    combo_permutation,
    permute_cards,
    suit_symmetries,
)
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import FormatError, InputError, PokerSolverError
from poker_solver.games.betting import FLOP, RIVER
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.store.files import read_file, write_file
from poker_solver.trees.runouts import find_runouts

FLOPS = ["KsQs2s", "7s7h2d", "KsQs2h"]
CLUSTERED = RowsConfig.of({"flop": "emd:30", "turn": "emd:20", "river": "quantiles:16"})


@pytest.fixture(scope="module")
def maps():
    return make_row_maps(CLUSTERED, FLOPS)


def boards_of(flop):
    runouts = find_runouts(cards_from_string(flop))
    return [runouts.boards(street) for street in range(FLOP, RIVER + 1)]


def check_symmetries(found, first=0):
    streets = zip(found.streets[first:], boards_of(found.flop)[first:], strict=True)
    for street, boards in streets:
        for row, board in zip(street.row, boards.tolist(), strict=True):
            for renaming in suit_symmetries(board)[1:]:
                assert (row[combo_permutation(renaming)] == row).all()


@pytest.mark.parametrize("flop", FLOPS)
def test_exact_rows_number_the_hands_that_each_board_leaves(flop):
    found = make_row_maps(RowsConfig.of({}), [flop]).of(flop)
    assert found.flop == flop
    streets = zip(found.streets, boards_of(flop), (1176, 1128, 1081), strict=True)
    for street, boards, left in streets:
        assert street.row.shape == (len(boards), 1326)
        assert (street.num_rows == left).all()
        for row, board in zip(street.row, boards, strict=True):
            live = unblocked(board.tolist())
            assert (row[~live] == -1).all()
            assert (np.sort(row[live]) == np.arange(left)).all()


@pytest.mark.parametrize("river", ["strength", "buckets:16"])
def test_river_hands_that_suits_make_equal_share_a_row(river):
    found = make_row_maps(RowsConfig.of({"river": river}), FLOPS).of(FLOPS[0])
    check_symmetries(found, first=2)


@pytest.mark.parametrize("flop", FLOPS)
def test_clusters_of_every_board_have_all_their_rows(maps, flop):
    found = maps.of(flop)
    check_symmetries(found)
    for street, boards, most in zip(found.streets, boards_of(flop), (30, 20, 16), strict=True):
        assert street.num_rows.max() <= most
        for row, num_rows, board in zip(street.row, street.num_rows, boards, strict=True):
            live = unblocked(board.tolist())
            assert (row[~live] == -1).all()
            assert set(row[live].tolist()) == set(range(num_rows))


def test_the_rows_of_a_turn_board_are_the_clusters_of_its_points(maps):
    board = boards_of("KsQs2h")[1][7].tolist()
    hands = runout_points(board)
    clusters = find_clusters(hands.points, hands.weight, 20)
    expected = clusters.own[hands.hand]
    found = maps.of("KsQs2h").streets[1].row[7]
    live = hands.hand >= 0
    mean = hands.points.mean(axis=1)[hands.hand]
    by_row = [mean[live & (found == row)].mean() for row in range(20)]
    assert len({*zip(expected[live].tolist(), found[live].tolist(), strict=True)}) == 20
    assert np.diff(by_row).min() > -100  # rows ascend with what their middle hand is worth


def test_renamed_suits_and_another_order_of_the_flop_have_the_same_rows(maps):
    cards = cards_from_string("KsQs2h")
    plain = maps.of("KsQs2h")
    for renaming in SUIT_PERMUTATIONS[5::7]:
        moved = permute_cards(cards[::-1], renaming)
        found = maps.of(cards_to_string(moved))
        to = combo_permutation(renaming)
        assert (found.streets[0].row[0][to] == plain.streets[0].row[0]).all()


def test_threads_and_other_flops_beside_it_change_no_row(maps):
    config = CLUSTERED.model_copy(update={"flop": RowsConfig().flop})
    alone = make_row_maps(config, ["7s7h2d"], threads=1)
    assert (alone.of("7s7h2d").streets[1].row == maps.of("7s7h2d").streets[1].row).all()


def test_the_rows_of_this_version(maps):
    """The same on every machine; if this changes, so must `ROWS_VERSION`, or caches are wrong."""
    digest = hashlib.sha256()
    for street in maps.of("7s7h2d").streets:
        digest.update(street.row.astype("<i2").tobytes())
    assert (maps_module.ROWS_VERSION, digest.hexdigest()[:16]) == (1, "627b7d9aa62b00bf")


def test_shared_buckets_do_not_depend_on_the_flops(monkeypatch):
    monkeypatch.setattr("poker_solver.abstraction.board_rows.NUM_SAMPLES", 6)
    config = RowsConfig.of({"turn": "buckets:40", "river": "buckets:8"})
    one, two = make_row_maps(config, ["KsQs2s"]), make_row_maps(config, FLOPS[:2], threads=1)
    first, second = one.of("KsQs2s"), two.of("KsQs2s")
    check_symmetries(second, first=1)
    for street in (1, 2):
        assert (first.streets[street].row == second.streets[street].row).all()
    assert (first.streets[1].num_rows == 40).all()
    assert (first.streets[2].num_rows == 8).all()
    rows = first.streets[1].row
    assert rows.max() <= 39
    assert len(np.unique(rows)) > 30  # of all boards together most are used


def test_a_flop_that_was_not_made_is_refused(maps):
    with pytest.raises(InputError, match="no rows were made for the board 7s6s2h"):
        maps.of("7s6s2h")
    with pytest.raises(InputError, match="has 4 cards, a flop has 3"):
        maps.of("7s6s2h3d")


def test_a_file_gives_the_same_rows(maps, tmp_path):
    maps.save(tmp_path / "maps.pks")
    found = RowMaps.load(tmp_path / "maps.pks")
    assert found.config == maps.config
    assert found.fingerprint == maps.fingerprint
    for ours, theirs in zip(maps.of("7s7h2d").streets, found.of("7s7h2d").streets, strict=True):
        assert (ours.row == theirs.row).all()
        assert (ours.num_rows == theirs.num_rows).all()
    found.check("maps.pks", CLUSTERED, ["7h7c2s"])


def test_what_a_file_is_not_for_is_named(maps):
    with pytest.raises(FormatError, match=r"^x has rows flop emd:30, turn emd:20, .*; asked for "):
        maps.check("x", RowsConfig.of({"turn": "emd:21"}), FLOPS)
    with pytest.raises(FormatError, match=r"^x has rows of 3 flops, and 9s8s7s is not among them"):
        maps.check("x", CLUSTERED, ["9h8h7h"])


def test_damaged_files_are_refused_in_one_line(maps, tmp_path):
    path = tmp_path / "maps.pks"
    maps.save(path)
    data = path.read_bytes()
    for wrong in (data[:-7], data[:-7] + b"1234567", data[:40], b""):
        path.write_bytes(wrong)
        with pytest.raises(FormatError, match=r"maps\.pks"):
            RowMaps.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda header, arrays: header.update(rows_version=7), "version 7; this program makes 1"),
        (lambda header, arrays: header.pop("flops"), "broken header"),
        (lambda header, arrays: header.update(rows={"turn": "emd"}), "broken header"),
        (lambda header, arrays: arrays.pop("turn row"), "array turn row has shape None"),
        (lambda header, arrays: header["rows"].update(turn="exact"), "array turn boards has shape"),
    ],
)
def test_files_of_another_version_or_config_are_refused(maps, tmp_path, change, message):
    path = tmp_path / "maps.pks"
    maps.save(path)
    header, arrays = read_file(path, maps_module.KIND)
    change(header, arrays)
    write_file(path, maps_module.KIND, header, arrays)
    with pytest.raises(FormatError, match=message):
        RowMaps.load(path)


def test_the_users_cache_is_read_the_second_time(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    config = RowsConfig.of({"turn": "emd:5"})
    made = find_row_maps(config, ["KsQs2s"])
    path = cache_path(config, ["KsQs2s"])
    assert [*tmp_path.rglob("*.pks")] == [path]
    told = []
    found = find_row_maps(config, ["KhQh2h"], report=lambda done, total: told.append(done))
    assert told == []
    assert found.fingerprint == made.fingerprint == json.loads(json.dumps(made.fingerprint))
    path.write_bytes(b"")
    with pytest.raises(FormatError, match=path.name):
        find_row_maps(config, ["KsQs2s"])


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    config = RowsConfig.of({"flop": "emd:5"})
    assert find_row_maps(config, ["KsQs2s"]).of("KsQs2s").streets[0].num_rows.tolist() == [5]


def test_exact_rows_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    find_row_maps(RowsConfig.of({"river": "strength"}), FLOPS)
    assert [*Path(tmp_path).iterdir()] == []


def test_it_says_how_far_it_is_and_stops_when_asked():
    told, stop = [], Interrupt()

    def report(done, total):
        told.append((done, total))
        stop.requested = done == 3

    with pytest.raises(PokerSolverError, match="stopped by Ctrl-C after 3 of 23 boards"):
        make_row_maps(RowsConfig.of({"turn": "emd:5"}), ["KsQs2s"], report=report, stop=stop)
    assert told == [(1, 23), (2, 23), (3, 23)]
