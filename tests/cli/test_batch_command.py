"""`poker-solver batch` from the outside."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.support import commands
from tests.support.terminal import Terminal

SIZES = {"flop": {"bet": "60%"}, "turn": {"bet": "60%"}, "river": {}}
SPOT = {
    "pot": 100,
    "stack": 150,
    "oop": {"range": "AA,JTs:0.5", **SIZES},
    "ip": {"range": "QQ,AKs", **SIZES},
}


def run(capsys, *arguments):
    return commands.run(capsys, "batch", *arguments)


@pytest.fixture
def given(tmp_path):
    (tmp_path / "spot.yaml").write_text(yaml.safe_dump(SPOT))
    (tmp_path / "flops.txt").write_text("KhQh2h 4\nTs9s3d 12\n7h7d2c 24\n")
    out = str(tmp_path / "out")
    return str(tmp_path / "spot.yaml"), "--flops", str(tmp_path / "flops.txt"), "--out", out


def rows_of(given):
    return pq.read_table(f"{given[-1]}/flops.parquet").to_pylist()


def test_json_then_the_same_again_on_screen(capsys, given):
    code, out, _ = run(capsys, *given, "--max-iterations", "3", "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["flops"], found["solved"], found["solved_now"]) == (3, 3, 3)
    assert found["root"]["actions"] == ["x", "b60"]
    assert found["exploitability"]["max_pct_pot"] == max(
        row["exploitability_pct"] for row in rows_of(given)
    )
    code, out, err = run(capsys, *given, "--max-iterations", "3", "--quiet")
    assert (code, err) == (0, "")
    assert "3 flops: pot 100, 150 behind" in out
    assert f"OOP  {100 * found['players']['oop']['equity']:.2f} %" in out
    assert "flops           3 solved" in out
    assert "time            0 in " in out


def test_explore_opens_a_save(capsys, given, tmp_path):
    (tmp_path / "flops.txt").write_text("Ts9s3d")
    assert run(capsys, *given, "--max-iterations", "3", "--quiet")[0] == 0
    code, out, _ = commands.run(capsys, "explore", f"{given[-1]}/Ts9s3d.pks", "--line", "x x 2c")
    assert code == 0
    assert "Ts 9s 3d 2c" in out


def test_lines_on_flops_given_by_commas_sorted_and_filtered(capsys, given):
    rules = ("--max-iterations", "3", "--quiet")
    flops = ("--flops", "KhQh2h, Ts9s3d,7h7d2c:24,AsAd7c,9h8h7h")
    arguments = (given[0], *flops, *given[3:], *rules, "--line", "x", "--line", "x b60%")
    code, out, err = run(capsys, *arguments, "--sort", "b60% up", "--rows", "2")
    assert (code, err) == (0, "")
    first, second = out.split("after x b60: OOP acts, pot 160")
    assert first.startswith("after x: IP acts, pot 100")
    assert "... 3 more: --rows 5" in first
    assert "paired (2)" in first
    table = pq.read_table(f"{given[-1]}/lines.parquet").to_pylist()
    bets = {row["flop"]: row["freq_b60"] for row in table if row["line"] == "x"}
    order = sorted(bets, key=lambda flop: bets[flop])
    for page in (first, second):  # the flops of the first line that has the column
        assert [line[:6] for line in page.splitlines() if line[:6] in bets] == order[:2]
    assert f" {100 * bets[order[0]]:.1f}%" in first
    text = Path(f"{given[-1]}/lines.csv").read_text()
    assert text.startswith("line,flop,weight,high,suits")
    code, out, _ = run(capsys, *arguments, "--where", "not paired", "--json")
    found = json.loads(out)
    assert (code, found["solved_now"]) == (0, 0)
    assert [line["line"] for line in found["lines"]] == ["x", "x b60"]
    assert list(found["lines"][0]["rows"]) == ["KhQh2h", "Ts9s3d", "9h8h7h"]
    assert found["lines"][1]["by_tag"]["monotone"]["flops"] == 2


def test_the_folder_of_a_batch_says_what_it_is_of(capsys, given, tmp_path):
    assert run(capsys, *given, "--max-iterations", "3", "--quiet")[0] == 0
    code, out, err = run(capsys, given[-1], "--line", "x", "--where", "paired", "--quiet")
    assert (code, err) == (0, "")
    assert "after x: IP acts" in out
    assert "time            0 in " in out
    assert [line[:6] for line in out.splitlines() if line.startswith("7h7d2c")] == ["7h7d2c"]
    (tmp_path / "empty").mkdir()
    code, _, err = run(capsys, str(tmp_path / "empty"))
    assert (code, err.count("\n")) == (2, 1)
    assert "is a folder without a batch; give a spot" in err
    for left, missing in (((given[0],), "--flops"), (given[:3], "--out")):
        code, _, err = run(capsys, *left)
        assert (code, err.startswith(f"error: {missing} is missing")) == (2, True)


def test_a_stricter_target_goes_on_in_the_same_folder(capsys, given):
    assert json.loads(run(capsys, *given, "--target", "9", "--json")[1])["solved_now"] == 3
    found = json.loads(run(capsys, *given, "--target", "0.5", "--json")[1])
    assert found["solved_now"] > 0
    assert found["exploitability"]["max_pct_pot"] <= 0.5


WRONG = {
    "no spot": (("nothing.yaml",), 2, "error: nothing.yaml: cannot read"),
    "no flops": (("--flops", "46"), 2, "flops '46': want all, 184, 95, 47, 25, 12, 5, flops"),
    "a flop": (("--flops", "As7d2c,Ks"), 2, "flop 2: 'Ks' has 1 cards, a flop has 3"),
    "a line": (("--line", "x b50"), 2, "token 2 'b50': the actions here are x, b60"),
    "a filter": (("--where", "wet"), 2, "where 'wet': want a comparison such as ip_ev>100, or A-"),
    "an order": (("--line", "x", "--sort", "b61%"), 2, "sort 'b61%': no column 'b61%'; there are"),
    "target": (("--target", "0"), 2, "target is 0, must be above 0"),
    "threads": (("--threads", "0"), 2, "threads is 0"),
    "device": (("--device", "cuda:x"), 2, "device is 'cuda:x'"),
    "folder": (("--out", "/dev/null/out"), 1, "cannot write into /dev/null/out"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line_and_a_code(capsys, given, name):
    more, want, text = WRONG[name]
    arguments = (*more, *given[1:]) if name == "no spot" else (*given, *more)
    code, out, err = run(capsys, *arguments, "--quiet")
    assert (code, out, err.count("\n")) == (want, "", 1)
    assert text in err


def test_a_wrong_spot_is_named_with_all_its_problems(capsys, given, tmp_path):
    (tmp_path / "spot.yaml").write_text(yaml.safe_dump({**SPOT, "pot": 0, "stack": "no"}))
    code, _, err = run(capsys, *given, "--quiet")
    assert (code, err.count("\n")) == (2, 1)
    assert "spot.yaml: pot: " in err
    assert "stack: " in err


def test_a_flop_that_fails_is_told_after_the_others(capsys, given, monkeypatch):
    from poker_solver.postflop import plan as postflop_memory

    monkeypatch.setattr(postflop_memory, "available_bytes", lambda device: 1000)
    code, out, err = run(capsys, *given, "--quiet", "--json")
    assert (code, err.count("\n")) == (1, 1)
    assert "3 of 3 flops could not be solved; KhQh2h: this spot has" in err
    assert json.loads(out)["players"]["oop"] == {"equity": None, "ev_chips": None}
    assert run(capsys, *given, "--quiet")[0] == 1


def test_suits_told_apart_are_noted(capsys, given, tmp_path):
    oop = {"range": "AhAd", **SIZES}
    (tmp_path / "spot.yaml").write_text(yaml.safe_dump({**SPOT, "oop": oop}))
    arguments = (given[0], "--flops", "47", *given[3:])
    from poker_solver.postflop import plan as postflop_memory

    with pytest.MonkeyPatch.context() as patch:  # none is solved: only the note is wanted
        patch.setattr(postflop_memory, "available_bytes", lambda device: 1000)
        _, _, err = run(capsys, *arguments, "--quiet")
    assert err.startswith("note: the ranges tell suits apart")


def test_killed_in_the_middle_it_goes_on(capsys, given):
    rules = ("--max-iterations", "30", "--threads", "1")
    program = [sys.executable, "-m", "poker_solver", "batch", *given, *rules, "--quiet"]
    process = subprocess.Popen(program)
    end = time.monotonic() + 120
    while not os.path.exists(f"{given[-1]}/KhQh2h.pks") or not rows_of(given):
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = rows_of(given)
    assert 1 <= len(kept) < 3
    stamp = os.stat(f"{given[-1]}/KhQh2h.pks").st_mtime_ns
    code, out, _ = run(capsys, *given, *rules, "--quiet", "--json")
    assert code == 0
    assert json.loads(out)["solved_now"] == 3 - len(kept)
    assert os.stat(f"{given[-1]}/KhQh2h.pks").st_mtime_ns == stamp
    rows = rows_of(given)
    assert rows[: len(kept)] == kept
    assert [row["iterations"] for row in rows] == [30] * 3


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(given):
    with Terminal("batch", *given, "--max-iterations", "900000", columns=120) as terminal:
        terminal.wait_for("% of pot")
        terminal.type("\x03")
        terminal.wait_for("stopped by Ctrl-C after 0 of 3 flops; the same command goes on")
        assert terminal.wait_for_end() == 1
        assert "Traceback" not in terminal.text
    assert rows_of(given) == []
