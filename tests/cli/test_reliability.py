"""Programs that are killed, signalled or asked to overwrite what they read; files stay whole.

A few of each here; `make fuzz` runs as many as `FUZZ` says. Names have the point they hold.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

from poker_solver.cli import main
from poker_solver.cli.app import run
from poker_solver.config.spot import Spot
from poker_solver.errors import FormatError, InputError, PokerSolverError
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.runtime import numba_cache
from poker_solver.runtime.device import MOST_THREADS, num_threads
from poker_solver.store.files import is_temporary, read_file, write_file
from tests.support.postflop_spots import small_spot

TRIES = int(os.environ.get("FUZZ", "1"))
"""How many times as much is tried."""

ARRAYS = {"a": np.arange(300_000.0)}
WRITER = """
import sys
import numpy as np
from poker_solver.store.files import write_file
n = 0
while True:
    n += 1
    write_file(sys.argv[1], "thing", {"n": n}, {"a": np.full(300_000, float(n))})
    print(n, flush=True)
"""


def test_23_killed_writes_leave_whole_files_and_the_next_one_sweeps(tmp_path: Path) -> None:
    path, rng = tmp_path / "x", random.Random(9)
    for _ in range(4 * TRIES):
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            written = int(writer.stdout.readline())
            time.sleep(rng.uniform(0, 0.05))
            writer.kill()
            written = max([written, *map(int, writer.stdout.read().split())])
        header, arrays = read_file(path, "thing")
        assert written <= header["n"] <= written + 1
        assert (arrays["a"] == header["n"]).all()
    (tmp_path / f".{'0' * 32}.tmp").write_bytes(b"left over")
    write_file(path, "thing", {}, ARRAYS)
    assert [found.name for found in tmp_path.iterdir()] == ["x"]


def test_23_a_file_that_is_being_written_is_not_swept(tmp_path: Path) -> None:
    import fcntl

    busy = tmp_path / f".{'a' * 32}.tmp"
    with busy.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_file(tmp_path / "x", "thing", {}, ARRAYS)
        assert busy.exists()
    assert is_temporary(busy)


def test_23_permissions_of_a_file_saved_over_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_file(path, "thing", {}, ARRAYS)
    path.chmod(0o600)
    write_file(path, "thing", {}, ARRAYS)
    assert path.stat().st_mode & 0o777 == 0o600


def test_23_no_write_goes_over_what_is_read_or_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spot, link = tmp_path / "spot.yaml", tmp_path / "link.pks"
    text = yaml.safe_dump(small_spot("Ks7h2d9c4s", "AA", "KK", "50%").to_mapping())
    spot.write_text(text)
    link.symlink_to(tmp_path / "x.pks")
    there = tmp_path / "folder"
    there.mkdir()
    for given in (
        ["--save", str(spot)],
        ["--save", str(there / ".." / "spot.yaml")],
        ["--save", str(tmp_path / "x.pks"), "--checkpoint", str(link)],
        ["--save", str(tmp_path / "x.pks"), "--checkpoint", str(there / ".." / "x.pks")],
    ):
        assert run(["solve", str(spot), *given]) == 2
        assert re.search("would overwrite|both name", capsys.readouterr().err)
    assert spot.read_text() == text


def test_24_folders_of_compiled_code_are_their_users_own(tmp_path: Path) -> None:
    folder = numba_cache.private_folder(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert numba_cache.private_folder(tmp_path) == folder
    folder.chmod(0o755)
    assert numba_cache.private_folder(tmp_path) != folder
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert numba_cache.private_folder(tmp_path) != folder
    folder.unlink()
    folder.write_text("")  # put there by somebody else, to be in the way
    assert numba_cache.private_folder(tmp_path) != folder


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_24_a_signal_stops_a_solve_and_keeps_its_result(tmp_path: Path, number: int) -> None:
    given = ["--board", "Ks7h2d9c4s", "--pot", "100", "--stack", "200", "--bet", "50%"]
    given += ["--oop", "random", "--ip", "random"]
    save = str(tmp_path / "x.pks")
    code = (
        "import os, sys\n"
        "from poker_solver.cfr import solve\n"
        "from poker_solver.cli import program\n"
        "iterate = solve.iterate\n"
        "def stopped_at_the_first_check(*given):\n"
        "    for check in iterate(*given):\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "        yield check\n"
        "solve.iterate = stopped_at_the_first_check\n"
        f"sys.argv[1:] = {['solve', *given, '--target', '1e-12', '--save', save]!r}\n"
        "program()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
    assert Solution.load(save).record.stopped == "interrupted"


def test_24_a_ctrl_c_that_was_swallowed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def swallowed(_: object) -> int:
        import ctypes

        def stop() -> int:
            raise KeyboardInterrupt

        ctypes.CFUNCTYPE(ctypes.c_int)(stop)()  # Python can only print and forget it
        return 0

    monkeypatch.setattr("poker_solver.cli.app.run", swallowed)
    with pytest.raises(SystemExit) as left:
        main(["kuhn"])
    assert left.value.code == 1
    assert capsys.readouterr().err == "error: stopped\n"


def test_24_threads_are_bounded() -> None:
    assert num_threads(MOST_THREADS) == MOST_THREADS
    with pytest.raises(InputError, match="threads is 20,000, must be at most 1,024"):
        num_threads(20_000)


def test_24_a_ladder_is_refused_before_it_fills_the_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poker_solver.trees.betting.MOST_STEPS", 20_000)
    sizes = [2 + n for n in range(1_998)]
    config = {"name": "ladder", "stack_depth": 100_000, "raise_sizes": sizes}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))
    assert run(["hunl", "--config", str(tmp_path / "c.yaml"), "--json"]) == 2
    assert "too many bets to be looked at" in capsys.readouterr().err


WORDS = [*"&*[]{}:,-?|>'\\\"\x1b\u00bd\u0664", "pot", "oop", "range", "river", "self", "line"]
WORDS += ["AA", "22+", "50%", "2.5x", "a", "e", "1e400", ".nan", "-1", "0", "!!int", "!!bool", "<<"]


def test_25_random_spots_are_read_or_refused_by_name() -> None:
    rng = random.Random(25)
    base = yaml.safe_dump(small_spot("Ks7h2d9c4s", "AA,KQs:0.5", "KK", "50%").to_mapping())
    refused = 0
    for _ in range(600 * TRIES):
        text = list(base)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            word = rng.choice([" ", "\n", ": ", ""]) + rng.choice(WORDS)
            text[at : at + rng.randint(0, 12)] = word
        try:
            Spot.from_yaml("".join(text))
        except PokerSolverError as error:
            refused += len(str(error)) > 0
    assert refused > 300 * TRIES


def test_25_damaged_saves_and_checkpoints_are_refused(tmp_path: Path) -> None:
    rng = random.Random(26)
    solver = PostflopSolver(small_spot("Ks7h2d9c4s", "AA", "KK,QQ", "50%"), device="cpu")
    solver.solve(max_iterations=3).save(tmp_path / "x.pks")
    solver.save(tmp_path / "x.ck")
    refused = 0
    for name, load in (("x.pks", Solution.load), ("x.ck", PostflopSolver.load)):
        whole = (tmp_path / name).read_bytes()
        for _ in range(60 * TRIES):
            data = bytearray(whole)
            if rng.random() < 0.3:
                del data[rng.randrange(len(data)) :]
            for _ in range(rng.randint(0, 3)):
                if data:
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            (tmp_path / "bad").write_bytes(data)
            if bytes(data) == whole:
                continue
            try:
                load(tmp_path / "bad")
            except FormatError as error:
                refused += "bad" in str(error)
    assert refused > 60 * TRIES
