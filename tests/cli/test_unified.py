"""`unified`, `solve-unified` and `certify` from the outside, on games of one to three flops."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import yaml

from poker_solver.cards import HAND_NAMES
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame import plan as planning
from poker_solver.fullgame.lift_file import LiftFile
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.fullgame.training.trunk import Trunk
from poker_solver.jobs import full_game
from tests.support.commands import run

Capture = pytest.CaptureFixture[str]

SMALL = {
    "name": "Small",
    "stack": 3,
    "preflop": {"raise_sizes": [["2bb"]], "limp": False},
    "postflop": {"flop": {"bet": "a"}, "turn": {}, "river": {}},
    "flops": {"KsQs2s": 12_100, "7s7h7d": 10_000},
}
REST = ("--device", "cpu", "--quiet")


class Given(NamedTuple):
    """A config's file, and where its strategy goes."""

    config: str
    save: Path

    @property
    def command(self) -> tuple[str, ...]:
        return "unified", self.config, "--save", str(self.save), *REST

    def beside(self) -> list[str]:
        return sorted(path.name for path in self.save.parent.glob("s.pks*"))


@pytest.fixture
def given(tmp_path: Path) -> Given:
    return write(tmp_path)


def write(folder: Path, **changed: object) -> Given:
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump({**SMALL, **changed}, sort_keys=False))
    return Given(str(path), folder / "s.pks")


def at_iteration(monkeypatch: pytest.MonkeyPatch, wanted: int, happens: Callable[[], None]) -> None:
    """Let something happen before an iteration of the training."""
    train = Trunk.train

    def train_one_by_one(self: Trunk, iterations: int) -> None:
        for _ in range(iterations):
            if self.iteration + 1 == wanted:
                happens()
            train(self, 1)

    monkeypatch.setattr(Trunk, "train", train_one_by_one)


def test_the_tiny_preset_comes_below_5_mbb(capsys: Capture, tmp_path: Path) -> None:
    save = str(tmp_path / "t.pks")
    game = ("unified", "hu_tiny", "--save", save, "--target-mbb", "5", "--device", "cpu")
    code, out, err = run(capsys, *game)
    assert code == 0
    assert "HU tiny: 6 bb, 3 flops" in err
    assert "SBr2 BBc  50,182,272" in err
    assert "per iteration" in err
    assert "flops/s · exploitability" in err
    assert "over the 3 flops it was trained on" in out
    assert "SB acts first   f " in out
    solution = UnifiedSolution.load(save)
    assert solution.record.exploitability_mbb <= 5
    assert solution.certificate is not None
    assert solution.certificate.exploitability_mbb <= 5
    assert os.listdir(tmp_path) == ["t.pks"]

    code, out, err = run(capsys, *game, "--json")  # again: it is there
    assert code == 0
    assert "t.pks is trained already: 20 iterations" in err
    found = json.loads(out)
    assert found == solution.summary()
    assert found["value_bb"]["SB"] == pytest.approx(-found["value_bb"]["BB"])
    assert found["certified"]["flops"] == 3

    (tmp_path / "one.txt").write_text("KhQh2d")
    flops = ("--flops", str(tmp_path / "one.txt"))
    code, out, _ = run(capsys, "certify", save, *flops, *REST)
    assert code == 0
    assert "mbb over 1 flops" in out
    after = UnifiedSolution.load(save)
    assert after.certificate is not None
    assert (after.certificate.num_flops, after.record) == (1, solution.record)
    assert np.array_equal(after.sums, solution.sums)


def test_a_folder_gets_preflop_as_json(capsys: Capture, given: Given, tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    game = ("solve-unified", "-c", given.config, "-o", str(out), "--certify", "none")
    assert run(capsys, *game, "--max-iterations", "5", *REST)[0] == 0
    assert sorted(os.listdir(out)) == ["preflop_strategy.json", "unified.pks"]
    solution = UnifiedSolution.load(out / "unified.pks")
    assert solution.certificate is None
    found = json.loads((out / "preflop_strategy.json").read_text())
    assert {line: (node["player"], node["actions"]) for line, node in found.items()} == {
        "": ("SB", ["f", "r2", "a"]),
        "SBr2": ("BB", ["f", "c", "a"]),
        "SBa": ("BB", ["f", "c"]),
        "SBr2 BBa": ("SB", ["f", "c"]),
    }
    assert tuple(found["SBr2"]["hands"]) == HAND_NAMES
    node = solution.preflop.node("SBr2")
    mixes = np.array(list(found["SBr2"]["hands"].values()))
    np.testing.assert_allclose(mixes, node.strategy.T, atol=1e-6)
    np.testing.assert_allclose(mixes.sum(axis=1), 1, atol=2e-6)


def test_progress_on_a_pipe_is_a_line_every_so_many_checks(capsys: Capture, given: Given) -> None:
    rules = ("--max-iterations", "61", "--certify", "none", "--print-every", "2")
    code, _, err = run(capsys, *given.command[:-1], *rules)
    assert code == 0
    told = [line for line in err.splitlines() if line.startswith("iteration ")]
    assert [line.split(" · ")[0] for line in told] == ["iteration 40", "iteration 61"]


def test_ctrl_c_keeps_what_there_is_and_the_same_command_goes_on(
    capsys: Capture, given: Given, tmp_path: Path
) -> None:
    rules = ("--max-iterations", "30")
    with pytest.MonkeyPatch.context() as patch:
        at_iteration(patch, 7, lambda: signal.raise_signal(signal.SIGINT))
        code, out, err = run(capsys, *given.command, *rules)
    assert (code, given.beside()) == (1, ["s.pks", "s.pks.checkpoint"])
    assert "certified       no" in out
    stopped = UnifiedSolution.load(given.save).record
    assert 7 <= stopped.iterations < 30
    assert stopped.stopped == "interrupted"
    done = f"after {stopped.iterations} iterations"
    assert f"note: stopped by Ctrl-C {done}; {given.save} has them" in err
    assert "s.pks.checkpoint is written: the same command goes on" in err

    code, _, err = run(capsys, *given.command, *rules)
    assert (code, given.beside()) == (0, ["s.pks"])
    assert f"s.pks.checkpoint, {done}" in err
    through = given._replace(save=tmp_path / "through.pks")
    assert run(capsys, *through.command, *rules)[0] == 0
    one, other = (UnifiedSolution.load(path) for path in (given.save, through.save))
    assert np.array_equal(one.sums, other.sums)
    assert one.record.iterations == 30


def test_a_certificate_that_was_stopped_is_gone_on_with(
    capsys: Capture, given: Given, tmp_path: Path
) -> None:
    rules = ("--max-iterations", "20")
    write_lift = LiftFile.write

    def stop(self: LiftFile, *what: object) -> None:
        write_lift(self, *what)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiftFile, "write", stop)
        code, out, err = run(capsys, *given.command, *rules)
    assert (code, err.count("error: ")) == (1, 1)
    assert "error: stopped by Ctrl-C; the same command goes on certifying" in err
    assert "certified       no" in out
    assert given.beside() == ["s.pks", "s.pks.lift", "s.pks.rows"]

    code, out, err = run(capsys, *given.command, "--certify", "5", *rules)
    assert code == 1
    assert "s.pks.rows has rows of another strategy or of other flops" in err
    code, _, err = run(capsys, *given.command, *rules)
    assert code == 0
    assert "is trained already" in err
    assert given.beside() == ["s.pks"]
    through = given._replace(save=tmp_path / "through.pks")
    assert run(capsys, *through.command, *rules)[0] == 0
    proofs = [UnifiedSolution.load(path).certificate for path in (given.save, through.save)]
    assert proofs[0] is not None
    assert proofs[1] is not None
    assert proofs[0].best_response_bb == proofs[1].best_response_bb


def test_killed_it_goes_on_from_its_checkpoint(capsys: Capture, given: Given) -> None:
    program = (
        "from poker_solver.jobs import full_game; full_game.CHECKPOINT_SECONDS = 0.0\n"
        "import sys; from poker_solver.cli import main; main(sys.argv[1:])"
    )
    rules = ("--max-iterations", "100000", "--certify", "none")
    process = subprocess.Popen([sys.executable, "-c", program, *given.command, *rules])
    checkpoint, end = given.save.with_name("s.pks.checkpoint"), time.monotonic() + 60
    while not checkpoint.exists():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert not given.save.exists()
    code, _, err = run(capsys, *given.command, "--max-iterations", "1", "--certify", "none")
    assert code == 0
    assert "s.pks.checkpoint, after " in err
    assert UnifiedSolution.load(given.save).record.iterations >= 20


def disk_is_full_after(monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Let all but the first writes fail at their end."""
    done = 0

    def fsync(file: int) -> None:
        nonlocal done
        done += 1
        if done > writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)


def test_a_full_disk_leaves_the_last_checkpoint(
    capsys: Capture, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_game, "CHECKPOINT_SECONDS", 0.0)
    rules = ("--max-iterations", "60", "--certify", "none")
    with pytest.MonkeyPatch.context() as patch:
        disk_is_full_after(patch, 1)
        code, out, err = run(capsys, *given.command, *rules)
    assert (code, given.beside()) == (1, ["s.pks.checkpoint"])
    assert "iterations      60 " in out
    lines = err.splitlines()
    assert lines[0].startswith("note: no new checkpoint: cannot write ")
    assert lines[-1].startswith("error: cannot write ")
    assert lines[-1].endswith("s.pks: No space left on device")
    code, _, err = run(capsys, *given.command, *rules)
    assert code == 0
    assert "s.pks.checkpoint, after 20 iterations" in err
    assert given.beside() == ["s.pks"]


def test_a_full_disk_leaves_the_flops_that_are_certified(
    capsys: Capture, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = given.save.with_name("others.txt")
    others.write_text("KsQs2s 11000\n7s7h7d 11100\n")
    rules = ("--max-iterations", "3", "--certify", str(others))
    with pytest.MonkeyPatch.context() as patch:
        disk_is_full_after(patch, 3)  # the save, room for rows, the first flop
        code, out, err = run(capsys, *given.command, *rules)
    assert (code, err.count("\n")) == (1, 1)
    assert err.endswith("s.pks.lift: No space left on device\n")
    assert "certified       no" in out
    assert given.beside() == ["s.pks", "s.pks.lift", "s.pks.rows"]
    assert run(capsys, *given.command, *rules)[0] == 0
    assert UnifiedSolution.load(given.save).certificate is not None
    code, _, err = run(capsys, *given.command, "--max-iterations", "4", "--certify", "none")
    assert code == 0
    assert "s.pks (3 iterations, " in err
    assert ") has ended and keeps no checkpoint: training begins anew and replaces it" in err


def test_memory_that_runs_out_leaves_the_last_checkpoint(
    capsys: Capture, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise MemoryError

    monkeypatch.setattr(full_game, "CHECKPOINT_SECONDS", 0.0)
    at_iteration(monkeypatch, 25, fail)
    code, _, err = run(capsys, *given.command, "--max-iterations", "60")
    assert (code, err) == (1, "error: out of memory\n")
    assert given.beside() == ["s.pks.checkpoint"]
    solver = UnifiedSolver.load(given.save.with_name("s.pks.checkpoint"), device="cpu")
    assert solver.preflop.iteration == 20


def test_a_checkpoint_without_room_is_left_out(
    capsys: Capture, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(given.save.parent)._replace(free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setattr(full_game, "CHECKPOINT_SECONDS", 0.0)
    code, _, err = run(capsys, *given.command, "--max-iterations", "2", "--certify", "none")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("note: no checkpoint is kept: it takes ")
    assert given.beside() == ["s.pks"]


def test_flops_in_batches(capsys: Capture, tmp_path: Path) -> None:
    batches = {"flop_batch_size": 1, "iterations_per_batch": 12, "epochs": 2}
    given = write(tmp_path, **batches)
    code, out, err = run(capsys, *given.command[:-1], "--target-mbb", "5", "--json")
    assert code == 0
    assert "2 flops, 1 at a time" in err
    assert "note: the flops are trained in batches" in err
    assert " left" in err
    found = json.loads(out)
    assert (found["epochs"], found["iterations"]) == (2, 8)
    assert found["certified"]["flops"] == 2


def test_what_does_not_fit_is_refused_before_anything_is_allocated(
    capsys: Capture, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "available_bytes", lambda device: 10**6)
    code, out, err = run(capsys, *given.command[:-1])
    assert (code, out) == (1, "")
    assert "1.0 MB free; about " in err  # the plan comes first
    assert "error: 2 flops and 1 lines have " in err
    assert given.beside() == []


WRONG: dict[str, tuple[dict[str, object], tuple[str, ...], str]] = {
    "stack": ({"stack": 1}, (), "stack: 1 bb must leave more than the big blind"),
    "sizes": (
        {"preflop": {"raise_sizes": [["0.5q"]]}, "postflop": {"flop": {"bet": "no"}}},
        (),
        "preflop.raise_sizes",
    ),
    "no game": (
        {"preflop": {"raise_sizes": [], "limp": False, "allin": False}},
        (),
        "only folding is left",
    ),
    "no flop": ({"preflop": {"raise_sizes": [], "limp": False}}, (), "no line of the betting"),
    "repeats": ({"flops": {"KsQs2s": 1, "KhQh2h": 2}}, (), "are one flop up to suits"),
    "flops": ({}, ("--certify", "46"), "flops '46': want all, 184, 95, 47, 25, 12, 5"),
    "target": ({}, ("--target-mbb", "0"), "target is 0, must be above 0"),
    "threads": ({}, ("--threads", "0"), "threads is 0"),
    "device": ({}, ("--device", "gpu"), "device is 'gpu'"),
    "print": ({}, ("--print-every", "0"), "--print-every"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_one_line_and_code_2(capsys: Capture, tmp_path: Path, name: str) -> None:
    changed, more, text = WRONG[name]
    given = write(tmp_path, **changed)
    code, out, err = run(capsys, *given.command, *more)
    errors = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert (code, out, len(errors)) == (2, "", 1)
    assert text in errors[0]
    assert given.beside() == []


def test_files_of_another_game_are_refused(capsys: Capture, given: Given, tmp_path: Path) -> None:
    rules = ("--max-iterations", "1", "--certify", "none")
    assert run(capsys, *given.command, *rules)[0] == 0
    other = write(tmp_path, name="Other", stack=4)
    code, out, err = run(capsys, *other.command, *rules)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "s.pks holds Small (" in err
    assert "asked for Other (" in err
    config = UnifiedConfig.from_mapping(SMALL)
    UnifiedSolver(config, device="cpu").save(given.save.with_name("s.pks.checkpoint"))
    given.save.unlink()
    code, _, err = run(capsys, *other.command, *rules)
    assert (code, err.count("\n")) == (1, 1)
    assert "s.pks.checkpoint holds Small (" in err


CANNOT = {
    "no preset": (("unified", "hu_11", "--save", "x.pks"), 2, "hu_11"),
    "no folder": (("unified", "hu_tiny", "--save", "no/x.pks"), 1, "there is no folder no"),
    "no save": (("certify", "x.pks"), 1, "cannot read x.pks"),
    "not ours": (("certify", "text"), 1, "not a poker-solver file"),
    "into a file": (("solve-unified", "-c", "hu_tiny", "-o", "text/a"), 1, "cannot write into"),
}


@pytest.mark.parametrize("name", CANNOT)
def test_files_that_are_not_there(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("this is none of ours")
    arguments, want, text = CANNOT[name]
    code, out, err = run(capsys, *arguments, *REST)
    assert (code, out, err.count("\n")) == (want, "", 1)
    assert text in err
