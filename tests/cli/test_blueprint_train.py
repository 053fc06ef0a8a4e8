"""`blueprint train` from the outside, on a game of three flops with few boards."""

import json
import signal
from pathlib import Path

import pytest
import yaml

from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.training.sampled import SampledTrunk
from tests.support.commands import run

Capture = pytest.CaptureFixture[str]

SMALL = {
    "name": "Small",
    "stack": 3,
    "preflop": {"raise_sizes": [["2bb"]], "limp": False},
    "postflop": {"flop": {"bet": "a"}, "turn": {}, "river": {}},
    "flops": {"KsQs2s": 8000, "7s7h7d": 7000, "4s4h4d": 7100},
    "rows": {"turn": {"emd": 9}, "river": {"quantiles": 16}},
    "flop_batch_size": 2,
}


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The command with its config and its file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return written(tmp_path)


def written(folder: Path, **changed: object) -> tuple[str, ...]:
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump({**SMALL, **changed}, sort_keys=False))
    return "blueprint", "train", str(path), "--save", str(folder / "s.pkb")


def test_a_blueprint_is_planned_trained_written_and_read(
    capsys: Capture, tmp_path: Path, command: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, *command, "--max-iterations", "40", "--print-every", "20")
    assert code == 0
    assert "Small: 3 bb, 3 flops" in err
    assert "SBr2 BBc" in err
    assert "rows flop exact, turn emd:9, river quantiles:16; 2 flops an iteration" in err
    told = [line for line in err.splitlines() if line.startswith("iteration ")]
    assert [line.split(" · ")[0] for line in told] == ["iteration 20", "iteration 40"]
    assert "flops/s" in told[0]
    assert told[0].endswith(" left")
    assert "mbb on all 3 flops, not certified" in out
    save = str(tmp_path / "s.pkb")
    book = BlueprintStrategy.load(save)
    assert book.iterations_trained == 40
    assert json.loads(run(capsys, "blueprint", "info", save, "--json")[1]) == book.summary()
    code, out, _ = run(
        capsys, "blueprint", "lookup", save, "--line", "SBr2 BBc | KdQd2d", "--hand", "AhAs"
    )
    assert code == 0
    assert "BB with AhAs" in out
    assert run(capsys, "blueprint", "show", save, "--line", "SBr2 BBc | KdQd2d")[0] == 0

    code, out, err = run(capsys, *command, "--max-iterations", "40", "--json")
    assert code == 0
    assert json.loads(out) == book.summary()
    assert "s.pkb is trained already: 40 iterations" in err


def test_ctrl_c_keeps_what_there_is_and_the_same_command_goes_on(
    capsys: Capture, tmp_path: Path, command: tuple[str, ...]
) -> None:
    rules = ("--max-iterations", "9", "--quiet", "--threads", "1")
    train = SampledTrunk.train

    def train_and_press(self: SampledTrunk, iterations: int) -> None:
        train(self, iterations)
        if self.iteration == 4:
            signal.raise_signal(signal.SIGINT)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SampledTrunk, "train", train_and_press)
        code, out, err = run(capsys, *command, *rules)
    assert code == 1
    assert "iterations   4" in out
    assert "stopped by Ctrl-C after 4 iterations" in err
    assert "s.pkb.checkpoint is written: the same command goes on" in err
    assert (tmp_path / "s.pkb.checkpoint").exists()
    code, out, err = run(capsys, *command, *rules, "--json")
    assert code == 0
    assert "s.pkb.checkpoint, after 4 iterations" in err
    assert json.loads(out)["iterations"] == 9
    assert sorted(one.name for one in tmp_path.glob("s.pkb*")) == ["s.pkb"]

    through = (*command[:-1], str(tmp_path / "t.pkb"))
    assert run(capsys, *through, *rules)[0] == 0
    one, other = (BlueprintStrategy.load(tmp_path / name) for name in ("s.pkb", "t.pkb"))
    assert one.tables is not None
    assert other.tables is not None
    for name, array in one.tables.mapped.items():
        assert (array == other.tables.mapped[name]).all(), name


def test_what_cannot_be_trained_is_one_line(
    capsys: Capture, tmp_path: Path, command: tuple[str, ...]
) -> None:
    for changed, message in (
        ({"rows": {"turn": "strength"}}, "rows.turn: 'strength' makes no rows on the turn"),
        ({"stack": 2}, "no line of the betting sees a flop with chips behind"),
    ):
        code, _, err = run(capsys, *written(tmp_path, **changed), "--quiet")
        assert code == 2
        errors = [line for line in err.splitlines() if line.startswith("error: ")]
        assert len(errors) == 1
        assert message in errors[0]
    code, _, err = run(capsys, *written(tmp_path), "--device", "mps")
    assert code == 1
    assert "error: device mps" in err
