"""`poker-solver buckets` from the outside."""

import json
import signal
import subprocess
import sys

import pytest

from poker_solver.abstraction.maps import RowMaps
from tests.support import commands


def run(capsys, *arguments):
    return commands.run(capsys, "buckets", *arguments)


@pytest.fixture
def flops(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "flops.txt").write_text("KhQh2h 4\nTs9s3d 12\n")
    return "--flops", str(tmp_path / "flops.txt")


def test_json_and_the_file(capsys, flops, tmp_path):
    save = str(tmp_path / "maps.pks")
    code, out, err = run(capsys, *flops, "--turn", "emd:5", "--save", save, "--json", "--quiet")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["rows"] == {"flop": "exact", "turn": {"emd": 5}, "river": {"quantiles": 16}}
    assert found["flops"] == 2
    maps = RowMaps.load(save)
    assert maps.fingerprint == found["fingerprint"]
    assert maps.flops == ("Ts9s3h", "KsQs2s")
    flop, turn = maps.clusters
    assert flop is None
    assert turn is not None
    assert found["made"] == {"turn": {"boards": len(turn.boards), "rows": 5.0}}
    assert found["bytes"] == (tmp_path / "maps.pks").stat().st_size


def test_the_cache_is_used_the_second_time(capsys, flops, tmp_path):
    code, out, err = run(capsys, *flops, "--turn", "exact", "--flop", "emd:7")
    assert code == 0
    assert "flop   emd:7, 2 boards up to suits, 7 rows each" in out
    assert "turn   exact\n" in out
    assert "2 of 2 boards" in err or err == ""
    (path,) = (tmp_path / "cache" / "poker-solver" / "rows").iterdir()
    assert f"file   {path}" in out
    before = path.stat().st_mtime_ns
    code, out, err = run(capsys, *flops, "--turn", "exact", "--flop", "emd:7")
    assert (code, err) == (0, "")
    assert path.stat().st_mtime_ns == before
    path.write_bytes(b"nothing")
    code, _, err = run(capsys, *flops, "--turn", "exact", "--flop", "emd:7")
    assert code == 1
    assert err.count("\n") == 1
    assert str(path) in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--turn", "strength"), "turn: 'strength' makes no rows on the turn; want exact, "),
        (("--river", "quantiles:0"), "river: quantiles wants a whole number from 1 to 32,767"),
        (("--flops", "46"), "flops '46': want all, 184"),
        (("--threads", "0"), "threads is 0, must be at least 1"),
    ],
)
def test_wrong_options_are_named(capsys, flops, arguments, message):
    code, out, err = run(capsys, *flops, "--turn", "emd:5", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_known_before_the_work(capsys, flops, tmp_path):
    code, _, err = run(capsys, *flops, "--save", str(tmp_path / "none" / "maps.pks"))
    assert code == 1
    assert "there is no folder" in err


def test_ctrl_c_says_how_far_it_was_and_leaves_no_file(tmp_path):
    save = tmp_path / "maps.pks"
    command = [sys.executable, "-m", "poker_solver", "buckets", "--flops", "95"]
    command += ["--save", str(save)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    process.stderr.readline()  # ten of a hundred parts are done
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert " boards; none of them are kept" in err
    assert [*tmp_path.iterdir()] == []
