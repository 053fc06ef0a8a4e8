"""One spot on many flops: rows as solved alone, kept, continued, and refused where they differ."""

import shutil
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

import poker_solver as ps
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.options import SolveOptions
from poker_solver.errors import ConfigError, FormatError, LineError
from poker_solver.jobs.flop_batch import FlopBatch
from poker_solver.postflop import plan as postflop_memory
from poker_solver.postflop.solution.riverless import RiverlessStrategy
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.query.flops.lines import line_totals
from poker_solver.query.runouts import runouts
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.store.folders import own_folder
from tests.support.many import pretend

FLOPS = FlopSet("mine", ("KhQh2h", "Ts9s3d", "7h7d2c"), (4.0, 12.0, 24.0))
HOW = SolveOptions(max_iterations=3, threads=2)
STOP = Interrupt()
STOP.requested = True


def fields(**more):
    sizes = {"flop": {"bet": "60%"}, "turn": {"bet": "60%"}, "river": {}}
    oop, ip = {"range": "AA,JTs:0.5", **sizes}, {"range": "QQ,AKs", **sizes}
    return {"pot": 100, "stack": 150, "oop": oop, "ip": ip, **more}


def batch(folder, flops=FLOPS, how=HOW, saves=True, lines=(), **more):
    return FlopBatch.of(fields(**more), flops, folder, how, saves=saves, lines=lines)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    return batch(folder).run()


def rows_of(folder):
    return pq.read_table(folder / "flops.parquet").to_pylist()


def test_a_row_and_a_save_per_flop_say_what_the_flop_says_alone(done):
    rows = rows_of(done.batch.folder)
    assert [row["flop"] for row in rows] == list(FLOPS.flops)
    assert [row["weight"] for row in rows] == [4, 12, 24]
    for row in rows:
        alone = ps.solve(
            ps.Spot.from_mapping(fields(board=row["flop"])), target_pct=None, max_iterations=3
        )
        assert (row["oop_ev"], row["ip_ev"]) == alone.record.ev_chips
        assert (row["oop_equity"], row["ip_equity"]) == alone.record.equity
        assert row["exploitability_pct"] == alone.exploitability_pct
        assert [row["freq_x"], row["freq_b60"]] == alone.root_frequency.tolist()
        assert (row["iterations"], row["stopped"], row["device"]) == (3, "iterations", "cpu")
        assert row["problem"] is None
        saved = ps.Solution.load(done.batch.folder / f"{row['flop']}.pks")
        assert saved.record.ev_chips == alone.record.ev_chips
        assert isinstance(saved.strategy, RiverlessStrategy)
        assert saved.node("x x 4c x").board == f"{row['flop']}4c"


def test_pairs_are_the_deals_a_flop_leaves(done):
    """On KhQh2h: 6 aces meet 3 QQ and, of 3 AKs, those with another ace; 4 JTs at half all 6."""
    aces = 6 * 3 + 3 * 3
    tens = 0.5 * 4 * (3 + 3)
    assert rows_of(done.batch.folder)[0]["pairs"] == aces + tens


def test_means_are_over_all_deals(done):
    rows = rows_of(done.batch.folder)
    shares = np.array([row["weight"] * row["pairs"] for row in rows])
    for name in ("oop_ev", "ip_equity", "freq_b60"):
        want = sum(s * row[name] for s, row in zip(shares, rows, strict=True)) / shares.sum()
        assert done.mean(name) == pytest.approx(want)
    found = done.summary()
    assert found["players"]["oop"]["ev_chips"] + found["players"]["ip"][
        "ev_chips"
    ] == pytest.approx(100, abs=1e-3)
    assert sum(found["root"]["frequency"]) == pytest.approx(1)
    assert (found["solved"], found["solved_now"], found["failed"]) == (3, 3, {})
    assert found["interrupted"] is False


def test_what_is_done_is_not_done_again(done, monkeypatch):
    before = {path.name: path.read_bytes() for path in done.batch.folder.iterdir()}
    pretend(monkeypatch, solve=None)  # nothing may be solved
    again = batch(done.batch.folder).run()
    assert again.num_done_now == 0
    assert again.mean("oop_ev") == done.mean("oop_ev")
    assert {path.name: path.read_bytes() for path in done.batch.folder.iterdir()} == before


def test_a_run_that_broke_off_is_continued(tmp_path, monkeypatch):

    def breaks(spot, options):
        if spot.board == "7h7d2c":
            raise KeyError("a bug")
        return solve_spot(spot, options)

    pretend(monkeypatch, solve=breaks)
    one = SolveOptions(max_iterations=3, threads=1)
    with pytest.raises(KeyError):
        batch(tmp_path, how=one).run()
    assert [row["flop"] for row in rows_of(tmp_path)] == ["KhQh2h", "Ts9s3d"]
    half, foreign = tmp_path / f".{'0f' * 16}.tmp", tmp_path / ".mine.tmp"
    half.write_text("of a run that was killed")
    foreign.write_text("of somebody else")
    (tmp_path / "Ts9s3d.pks").unlink()
    pretend(monkeypatch, solve=solve_spot)
    first = (tmp_path / "KhQh2h.pks").stat().st_mtime_ns
    result = batch(tmp_path).run()
    assert result.num_done_now == 2  # the one that broke, and the one whose save is gone
    assert (tmp_path / "KhQh2h.pks").stat().st_mtime_ns == first
    assert not half.exists()
    assert foreign.exists()
    assert [row["flop"] for row in rows_of(tmp_path)] == list(FLOPS.flops)


@pytest.mark.parametrize("damage", ["gone", "garbage", "cut", "another flop"])
def test_a_flop_whose_save_is_no_save_is_solved_again(done, tmp_path, damage):
    folder = tmp_path / "batch"
    shutil.copytree(done.batch.folder, folder)
    save, other = folder / f"{FLOPS.flops[1]}.pks", folder / f"{FLOPS.flops[0]}.pks"
    whole = save.read_bytes()
    if damage == "gone":
        save.unlink()
    else:
        bad = {"garbage": b"garbage", "cut": whole[:-1], "another flop": other.read_bytes()}
        save.write_bytes(bad[damage])
    result = batch(folder).run()
    assert result.num_done_now == 1
    assert ps.Solution.load(save).spot.board == FLOPS.flops[1]


def test_another_batch_in_the_folder_is_refused_by_name(done):
    folder = done.batch.folder
    other = FlopSet("other", FLOPS.flops, (1.0, 1.0, 1.0))
    wrong = [
        (batch(folder, stack=151), "another spot"),
        (batch(folder, flops=other), r"another set of flops \(mine\)"),
    ]
    for asked, what in wrong:
        with pytest.raises(FormatError, match=what):
            asked.run()
    same = FlopSet("renamed", FLOPS.flops[::-1], FLOPS.weights[::-1])
    assert batch(folder, flops=same).run().num_done_now == 0
    batch(folder).run()


def test_a_stricter_rule_goes_on_and_a_looser_one_has_nothing_to_do(tmp_path, monkeypatch):
    first = batch(tmp_path, how=SolveOptions(target=5.0), lines=["x"]).run()
    pct = {flop: row["exploitability_pct"] for flop, row in first.solved.items()}
    looser = batch(tmp_path, how=SolveOptions(target=50.0))
    assert (looser.num_done(), looser.run().num_done_now) == (3, 0)
    middle = sorted(pct.values())[1]  # one flop is worse than this
    stricter = batch(tmp_path, how=SolveOptions(target=middle))
    assert stricter.num_done() == 2
    pretend(monkeypatch, solve=lambda spot, options: solve_spot(spot, replace(options, stop=STOP)))
    stopped = stricter.run()
    assert stopped.num_done_now == 0
    assert {row["flop"]: row["exploitability_pct"] for row in rows_of(tmp_path)} == pct  # kept
    pretend(monkeypatch, solve=solve_spot)
    result = stricter.run()
    assert result.num_done_now == 1
    assert max(row["exploitability_pct"] for row in rows_of(tmp_path)) <= middle
    worst = max(pct, key=lambda flop: pct[flop])
    assert set(result.lines["x"]) == set(FLOPS.flops) - {worst}  # what was solved anew is not told
    again = batch(tmp_path, how=SolveOptions(target=middle), lines=["x"]).run()
    saved = ps.Solution.load(tmp_path / f"{worst}.pks")
    assert again.lines["x"][worst] == line_totals(saved, "x")


def test_lines_are_the_same_from_a_solve_and_from_its_save(tmp_path):
    lines = ["x", "b60%", "x x 4c"]
    there, later = tmp_path / "there", tmp_path / "later"
    at_once = batch(there, lines=lines).run()
    batch(later).run()
    after = batch(later, lines=lines).run()
    assert after.num_done_now == 0
    assert at_once.batch.lines == ("x", "b60", "x x 4c")
    assert after.lines == at_once.lines
    table = pq.read_table(there / "lines.parquet").to_pylist()
    assert [(row["line"], row["flop"]) for row in table] == [
        (line, flop) for line in at_once.batch.lines for flop in FLOPS.flops
    ]
    for row in table:
        node = ps.Solution.load(there / f"{row['flop']}.pks").node(row["line"])
        assert row["oop_ev"] == node.players[0].mean_ev
        assert row["ip_equity"] == node.players[1].mean_equity
        assert row["ip_eqr"] == pytest.approx(row["ip_ev"] / (row["ip_equity"] * node.pot))
        shares = [row[f"freq_{action}"] for action in node.actions]
        assert shares == node.frequency.tolist()
    text = (there / "lines.csv").read_text().splitlines()
    assert text[0].split(",") == list(table[0])
    assert len(text) == 1 + len(table)
    assert (there / "flops.csv").read_text().startswith("flop,weight,pairs,oop_ev")


def test_without_saves_lines_are_told_of_the_solve_itself(tmp_path):
    result = batch(tmp_path, saves=False, lines=["x"]).run()
    alone = ps.solve(
        ps.Spot.from_mapping(fields(board="Ts9s3d")), target_pct=None, max_iterations=3
    )
    assert result.lines["x"]["Ts9s3d"].ev_chips[1] == alone.node("x").players[1].mean_ev
    more = batch(tmp_path, saves=False, lines=["x", "x b60"]).run()
    assert more.num_done_now == 3  # nothing was kept that it could be read from


def test_a_star_is_every_card(tmp_path):
    """Means over the cards are those over the deals; a check down to the turn loses nothing."""
    result = batch(tmp_path, lines=["x x *"]).run()
    for flop, found in result.lines["x x *"].items():
        solution = ps.Solution.load(tmp_path / f"{flop}.pks")
        before = solution.node("x x")
        assert found.ev_chips == pytest.approx([p.mean_ev for p in before.players], rel=1e-4)
        assert found.equity == pytest.approx([p.mean_equity for p in before.players], rel=1e-4)
        assert found.reached == pytest.approx(line_totals(solution, "x x").reached, rel=1e-5)
        cards = [row for row in runouts(solution, "x x *").rows if row.share > 0]
        often = sum(row.share * row.frequency[1] for row in cards)
        assert found.frequency[1] == pytest.approx(often, rel=1e-5)
    again = batch(tmp_path, lines=["x x *"]).run()
    assert (again.num_done_now, again.lines["x x *"]) == (0, result.lines["x x *"])
    with pytest.raises(LineError, match="one star at a time"):
        batch(tmp_path, lines=["x x * x x *"])


def test_a_card_of_a_line_that_is_on_the_flop_leaves_it_out(tmp_path):
    result = batch(tmp_path, lines=["x x 2c"]).run()
    assert list(result.reports[0].rows) == ["KhQh2h", "Ts9s3d"]


def test_a_save_that_is_broken_is_solved_again_when_a_line_is_wanted(tmp_path):
    batch(tmp_path).run()
    (tmp_path / "Ts9s3d.pks").write_bytes(b"garbage")
    result = batch(tmp_path, lines=["x"]).run()
    assert result.num_done_now == 1
    assert set(result.lines["x"]) == set(FLOPS.flops)


def test_a_folder_in_which_nothing_is_solved_yet_takes_any_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(FlopBatch, "_take", lambda *_: ({}, 0))
    batch(tmp_path, how=SolveOptions(target=0.5, max_iterations=3)).run()
    monkeypatch.undo()
    assert batch(tmp_path, saves=False).run().num_done_now == 3
    with pytest.raises(FormatError, match="another spot"):
        batch(tmp_path, stack=151).run()


def test_a_flop_that_leaves_a_range_nothing_is_a_row_without_values(tmp_path):
    flops = FlopSet("mine", ("KhQh2h", "QsQdQc"), (1.0, 1.0))
    oop = {**fields()["oop"], "range": "QdQc"}
    result = batch(tmp_path, flops=flops, saves=False, oop=oop).run()
    solved, empty = rows_of(tmp_path)
    assert solved["problem"] is None
    assert empty["problem"] == "oop.range: is empty: the board QsQdQc blocks every hand"
    assert {name for name, value in empty.items() if value is not None} == {
        "flop", "weight", "problem",
    }  # fmt: skip
    assert (result.summary()["solved"], result.summary()["impossible"]) == (1, 1)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        ".lock",
        "flops.csv",
        "flops.parquet",
    ]


def test_a_spot_that_is_wrong_everywhere_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="pot: "):
        batch(tmp_path, pot=-1)


def test_one_flop_that_does_not_fit_is_told_and_tried_again(tmp_path, monkeypatch):

    def short(spot, options):
        if spot.board == "Ts9s3d":
            raise MemoryError
        return solve_spot(spot, options)

    pretend(monkeypatch, solve=short)
    result = batch(tmp_path, saves=False).run()
    assert result.failed == {"Ts9s3d": "out of memory"}
    assert [row["flop"] for row in rows_of(tmp_path)] == ["KhQh2h", "7h7d2c"]
    pretend(monkeypatch, solve=solve_spot)
    assert batch(tmp_path, saves=False).run().num_done_now == 1


def test_nothing_fits(tmp_path, monkeypatch):
    monkeypatch.setattr(postflop_memory, "available_bytes", lambda device: 1000)
    result = batch(tmp_path).run()
    assert list(result.failed) == list(FLOPS.flops)
    assert "is free" in result.failed["KhQh2h"]
    assert result.mean("oop_ev") is None


def test_a_disk_that_fills_up_ends_it_and_keeps_what_is_done(tmp_path, monkeypatch):
    def full(path, *_):
        if "Ts9s3d" in str(path):
            raise FormatError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("poker_solver.jobs.flop_batch.write_bytes", full)
    one = SolveOptions(max_iterations=3, threads=1)
    with pytest.raises(FormatError, match="No space left"):
        batch(tmp_path, how=one).run()
    assert [row["flop"] for row in rows_of(tmp_path)] == ["KhQh2h"]


def test_a_folder_is_one_runs_at_a_time(tmp_path):
    with own_folder(tmp_path), pytest.raises(FormatError, match="is in use by another run"):
        batch(tmp_path).run()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match=r"cannot write into .*file: it is not a folder"):
        batch(tmp_path / "file").run()
    with pytest.raises(FormatError, match=r"cannot write into .*inside: Not a directory"):
        batch(tmp_path / "file" / "inside").run()


def test_ranges_that_tell_suits_apart_are_noticed(tmp_path):
    every = FlopSet("47", FLOPS.flops, FLOPS.weights)
    assert not batch(tmp_path, flops=every).tells_suits_apart
    oop = {**fields()["oop"], "range": "AhAd,JTs"}
    assert batch(tmp_path, flops=every, oop=oop).tells_suits_apart
    assert not batch(tmp_path, oop=oop).tells_suits_apart  # a file means the flops it names
