"""`poker-solver solve` from the outside."""

import csv
import json
import resource
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

import poker_solver as ps
from poker_solver.cli.solve import print_summary
from tests.support import commands
from tests.support.spots import FOLDER, river
from tests.support.terminal import Terminal

RIVER = str(FOLDER / "river_example.yaml")
WORDS = ("--board", "QsJh2h5c9d", "--pot", "180", "--stack", "910", "--oop", "88+", "--ip", "99-22")


def run(capsys, *arguments):
    return commands.run(capsys, "solve", *arguments)


def test_json_is_one_object_and_nothing_else(capsys):
    code, out, _ = run(capsys, RIVER, "--json", "--threads", "1")
    assert code == 0
    summary = json.loads(out)
    assert summary["exploitability"]["pct_pot"] <= 0.3
    assert summary["players"]["oop"]["ev_chips"] == pytest.approx(92.77, abs=0.6)
    assert summary["threads"] == 1


def test_the_summary_on_screen(capsys):
    code, out, err = run(capsys, RIVER, "--max-iterations", "60", "--quiet", "--threads", "1")
    assert (code, err) == (0, "")
    assert "Td9d6hQc2s: pot 200, 900 behind" in out
    assert "51.62 %" in out
    assert "OOP acts first  x " in out
    assert "60 of dcfr:1.35,0.25,4 on 1 thread" in out
    assert "(all done)" in out


def test_the_summary_names_the_device_or_the_threads(capsys):
    solution = ps.solve(ps.Spot.load(RIVER), target_pct=None, max_iterations=1, threads=2)
    for device, text in (("cpu", "on 2 threads, "), ("cuda:1", "on cuda:1, ")):
        print_summary(replace(solution, record=replace(solution.record, device=device)))
        assert text in capsys.readouterr().out


def test_a_spot_from_options_is_the_spot_of_a_file(capsys, tmp_path):
    path = tmp_path / "spot.yaml"
    sizes = {"bet": "52%", "raise": "45%"}
    streets = dict.fromkeys(("flop", "turn", "river"), sizes)
    spot = ps.Spot.from_mapping(
        {
            "board": "QsJh2h5c9d",
            "pot": 180,
            "stack": 910,
            "oop": {"range": "88+", **streets},
            "ip": {"range": "99-22", **streets},
        }
    )
    path.write_text(spot.to_yaml())
    same = ("--json", "--quiet", "--max-iterations", "10", "--threads", "1")
    by_file = json.loads(run(capsys, str(path), *same)[1])
    by_words = json.loads(run(capsys, *WORDS, "--bet", "52%", "--raise", "45%", *same)[1])
    assert by_words["spot"] == by_file["spot"] == spot.fingerprint()
    assert by_words["players"] == by_file["players"]
    assert by_words["iterations"] == 10


def test_save_checkpoint_and_load(capsys, tmp_path):
    saved, check = tmp_path / "a.pks", tmp_path / "a.check"
    code, _, _ = run(
        capsys, RIVER, "--max-iterations", "20", "--quiet",
        "--save", str(saved), "--checkpoint", str(check),
    )  # fmt: skip
    assert code == 0
    assert ps.Solution.load(saved).iterations == 20
    on = ("--max-iterations", "20", "--json", "--quiet")
    further = json.loads(run(capsys, "--load", str(check), *on)[1])
    straight = json.loads(run(capsys, RIVER, "--max-iterations", "40", "--json", "--quiet")[1])
    assert further["iterations"] == 40
    assert further["players"] == straight["players"]
    assert further["exploitability"] == straight["exploitability"]
    code, _, err = run(capsys, "--load", str(saved), *on)
    assert (code, err.count("\n")) == (1, 1)
    assert "holds a postflop solution, asked for a checkpoint" in err


def test_files_of_a_checkpoint_are_checked_before_it_goes_on(capsys, monkeypatch, tmp_path):
    check = str(tmp_path / "r.ck")
    run(capsys, RIVER, "--max-iterations", "1", "--checkpoint", check, "--quiet")
    monkeypatch.setattr("poker_solver.postflop.solve.solver.PostflopSolver.go_on", None)
    table = ("--export", str(tmp_path / "a.csv"))
    for files, text in {
        (*table, "--line", "b7"): "the actions here are",
        (*table, "--line", "x x"): "nobody acts",
        ("--save", str(tmp_path / "a.pks"), "--no-rivers"): "of a flop or turn spot",
    }.items():
        code, out, err = run(capsys, "--load", check, *files, "--quiet")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert text in err


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_a_node_is_exported(capsys, tmp_path, suffix):
    path = tmp_path / f"node.{suffix}"
    given = (RIVER, "--max-iterations", "30", "--quiet", "--export", str(path))
    code, _, _ = run(capsys, *given, "--line", "b120")
    assert code == 0
    if suffix == "csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
        assert len(rows) == 246
        assert rows[0]["board"] == "Td9d6hQc2s"
        assert (rows[0]["line"], rows[0]["player"]) == ("b120", "ip")
        mix = [float(rows[0][f"freq_{action}"]) for action in ("f", "c", "r300")]
        assert sum(mix) == pytest.approx(1, abs=1e-5)
        return
    node = json.loads(path.read_text())
    assert node["actions"] == ["f", "c", "r300"]
    assert sum(node["ev"].values()) == pytest.approx(320, rel=1e-4)
    assert len(node["hands"]) == 246
    assert len(node["opponent"]) == 167


def test_a_parquet_node_says_what_the_csv_says(capsys, tmp_path):
    import pyarrow.parquet as pq

    given = (RIVER, "--max-iterations", "30", "--quiet", "--line", "b120 r300")
    for name in ("node.csv", "node.parquet"):
        assert run(capsys, *given, "--export", str(tmp_path / name))[0] == 0
    rows = list(csv.DictReader((tmp_path / "node.csv").read_text().splitlines()))
    table = pq.read_table(tmp_path / "node.parquet")
    assert table.column_names == list(rows[0])
    for stored, row in zip(table.to_pylist(), rows, strict=True):
        for name, value in stored.items():
            text = value if isinstance(value, str) else f"{round(value, 6) + 0.0:.6f}"
            assert text == row[name]
    about = json.loads(table.schema.metadata[b"poker_solver"])
    assert about["kind"] == "postflop node"
    assert about["actions"] == ["f", "c", "a"]
    assert (about["pot"], about["iterations"]) == (620, 30)


WRONG = {
    "no spot": ((), 2, "give a spot"),
    "half a spot": (("--pot", "100"), 2, "needs --board, --stack, --oop, --ip too"),
    "pot": ((RIVER, "--pot", "5.5"), 2, "pot: 5.5 must be whole chips (5.5bb is in big blinds)"),
    "no file": (("nothing.yaml",), 2, "nothing.yaml"),
    "bad range": ((*WORDS[:-1], "ZZ"), 2, "ip.range"),
    "target": ((RIVER, "--target", "0"), 2, "target is 0, must be above 0"),
    "device": ((RIVER, "--device", "mps"), 1, "device mps"),
    "precision": ((RIVER, "--precision", "int3"), 2, "known precisions are float32"),
    "schedule": ((RIVER, "--schedule", "pcfr+"), 2, "schedule pcfr+ predicts regrets"),
    "one file": ((RIVER, "--save", "a", "--checkpoint", "./a"), 2, "--checkpoint both name a"),
    "folder": ((RIVER, "--save", "/nowhere/a.pks"), 1, "/nowhere"),
    "export": (
        (RIVER, "--export", "a.txt"),
        2,
        "must be a name that ends in .csv, .json, .parquet or .png",
    ),
    "line": ((RIVER, "--export", "a.csv", "--line", "b7"), 2, "the actions here are"),
    "end": ((RIVER, "--export", "a.csv", "--line", "x x"), 2, "nobody acts"),
    "no export": ((RIVER, "--line", "x"), 2, "there is no --export"),
    "no rivers": ((RIVER, "--no-rivers", "--save", "a.pks"), 2, "of a flop or turn spot"),
    "load": (("--load", RIVER), 1, "not a poker-solver file"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line_and_a_code(capsys, name):
    arguments, want, text = WRONG[name]
    code, out, err = run(capsys, *arguments, "--quiet")
    assert (code, out, err.count("\n")) == (want, "", 1)
    assert text in err


@pytest.mark.parametrize("option", ["--save", "--checkpoint", "--export"])
def test_a_disk_that_fills_up_costs_neither_result_nor_old_file(
    capsys, monkeypatch, tmp_path, option
):
    import errno
    from pathlib import Path

    path = tmp_path / "old.csv"
    path.write_text("the last good one")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("poker_solver.store.files.os.fsync", full)
    monkeypatch.setattr(Path, "write_text", full)
    code, out, err = run(
        capsys, RIVER, "--max-iterations", "5", "--quiet", "--json", option, str(path)
    )
    assert (code, err.count("\n")) == (1, 1)
    assert "No space left on device" in err
    assert json.loads(out)["iterations"] == 5
    assert path.read_bytes() == b"the last good one"


def test_memory_that_runs_out_while_saving_does_not_cost_the_result(capsys, monkeypatch, tmp_path):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(ps.Solution, "save", full)
    path, given = tmp_path / "node.csv", (RIVER, "--max-iterations", "5", "--quiet", "--json")
    code, out, err = run(capsys, *given, "--save", str(tmp_path / "a"), "--export", str(path))
    assert (code, err) == (1, "error: out of memory while writing a file\n")
    assert json.loads(out)["iterations"] == 5
    assert path.exists()


def test_a_full_disk_under_one_file_does_not_cost_the_others(capsys, tmp_path):
    limit, kept = resource.getrlimit(resource.RLIMIT_FSIZE), tmp_path / "kept.pks"
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, limit[1]))  # 43 kB of state, 13 kB saved
    try:
        code, _, err = run(
            capsys, RIVER, "--max-iterations", "5", "--quiet",
            "--checkpoint", str(tmp_path / "lost.check"), "--save", str(kept),
        )  # fmt: skip
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    assert (code, err.count("\n")) == (1, 1)
    assert "lost.check: File too large" in err
    assert ps.Solution.load(kept).iterations == 5
    assert [path.name for path in tmp_path.iterdir()] == ["kept.pks"]


def test_a_spot_too_large_is_refused_with_the_numbers(capsys, monkeypatch):
    from poker_solver.postflop import plan as postflop_memory

    monkeypatch.setattr(postflop_memory, "available_bytes", lambda device: 1_000_000_000)
    code, out, err = run(capsys, str(FOLDER / "k72r_srp.yaml"), "--quiet")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "433,702,656 elements" in err
    assert "1.0 GB is free" in err


def test_as_a_program(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(ps.Spot.from_mapping(river("50%")).to_yaml())
    done = subprocess.run(
        [sys.executable, "-m", "poker_solver", "solve", str(path), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["root"]["actions"] == ["x", "b50"]
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_with_what_there_is(tmp_path):
    saved = tmp_path / "stopped.pks"
    endless = (RIVER, "--max-iterations", "900000", "--save", str(saved))
    with Terminal("solve", *endless, columns=120) as terminal:
        terminal.wait_for("exploitability")
        terminal.type("\x03")
        terminal.wait_for("stopped by Ctrl-C after")
        terminal.wait_for("(stopped by Ctrl-C)")
        assert terminal.wait_for_end() == 1
        assert "Traceback" not in terminal.text
    assert ps.Solution.load(saved).record.stopped == "interrupted"


def test_a_wrong_size_of_the_options_is_said_once_beside_the_rest(capsys):
    words = ("--board", "QsJh", "--pot", "100", "--stack", "0", "--oop", "AA", "--ip", "KK")
    code, out, err = run(capsys, *words, "--bet", "5q", "--raise", "45%")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: --bet: size '5q' is not a size; sizes are written")
    assert err.count("5q") == 1
    for said in ("board: 'QsJh' has 2 cards, want 3, 4 or 5", "stack: 0 must be positive"):
        assert said in err


def test_a_betting_tree_too_large_is_no_wrong_input(capsys, monkeypatch):
    monkeypatch.setattr("poker_solver.trees.betting.MOST_NODES", 100)
    code, out, err = run(capsys, str(FOLDER / "3betpot_fast.yaml"))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "more than 100 nodes" in err


def test_a_spot_is_not_overwritten_by_what_becomes_of_it(capsys, tmp_path):
    spot = tmp_path / "spot.yaml"
    spot.write_text(ps.named_spot("river_example").to_yaml())
    before = spot.read_bytes()
    for option in ("--save", "--checkpoint"):
        code, _, said = run(capsys, str(spot), option, f"{tmp_path}/./spot.yaml")
        assert (code, spot.read_bytes()) == (2, before)
        assert f"{option} would overwrite" in said


def test_a_game_without_bets_says_so(capsys, tmp_path):
    spot = ("--board", "Td9d6hQc2s", "--pot", "100", "--stack", "200", "--oop", "AA", "--ip", "KK")
    file = str(tmp_path / "river.pks")
    code, out, _ = run(capsys, *spot, "--save", file, "--quiet")
    assert code == 0
    assert "check-only: no bets were given" in out
    _, out, _ = commands.run(capsys, "explore", file, "--no-interactive")
    assert "Check-only: no bets were given" in out
    _, out, _ = run(capsys, *spot, "--bet", "50%", "--quiet")
    assert "check-only" not in out


def test_a_solve_stopped_early_says_so(capsys, tmp_path):
    file = str(tmp_path / "river.pks")
    rule = ("--max-iterations", "1", "--quiet")
    _, out, _ = run(capsys, "river_example", *rule, "--save", file)
    assert "too early to use" in out
    _, out, _ = commands.run(capsys, "explore", file, "--no-interactive")
    assert "Too early to use" in out
    _, out, _ = run(capsys, "river_example", "--target", "4.9", "--quiet")
    assert "too early" not in out
