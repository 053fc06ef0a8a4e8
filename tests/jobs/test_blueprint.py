"""Blueprints trained on three flops with six classes: stopped, resumed, damaged, refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import DeviceError, FormatError, MemoryPlanError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.writer import BlueprintWriter
from poker_solver.fullgame.training import row_plan
from poker_solver.jobs.blueprint import BlueprintProgress, BlueprintTraining, sampled_schedule
from poker_solver.runtime.interrupts import Interrupt
from tests.support.full_games import CLASSES

ROWS = {"river": {"quantiles": 8}}
FLOPS = {"KsJs7s": 8000, "4s4h4d": 7000, "9s9h9d": 7100}
"""With few boards up to suits."""


def config(**changed: Any) -> UnifiedConfig:
    """Two lines that see a flop, one size there, none on the turn, all-in on the river."""
    fields = {
        "name": "Book",
        "stack": 12,
        "preflop": {"raise_sizes": [["2.5bb", "4bb"]], "limp": False, "raise_cap": 1},
        "postflop": {
            "flop": {"bet": "50%"}, "turn": {}, "river": {"bet": "a"}, "max_raises": 0,
        },
        "flops": FLOPS,
        "rows": ROWS,
        "flop_batch_size": 2,
        "epochs": 2,
        **changed,
    }  # fmt: skip
    return UnifiedConfig.from_mapping(fields)


class Run:
    """One training and what it noted; it stops after an iteration if that is asked for."""

    def __init__(self, path: Path, stop_at: int | None = None, **changed: Any) -> None:
        rules = {name: changed.pop(name) for name in list(changed) if name in RULES}
        self.notes: list[str] = []
        self.told: list[BlueprintProgress] = []
        self.flag, self.stop_at = Interrupt(), stop_at
        options = SolveOptions(stop=self.flag, **{"device": "cpu", "threads": 1, **rules})
        self.training = BlueprintTraining(
            config(**changed), path, options, self.notes.append, CLASSES
        )

    def report(self, progress: BlueprintProgress) -> None:
        self.told.append(progress)
        self.flag.requested = progress.iteration == self.stop_at

    def go(self) -> BlueprintStrategy:
        self.training.find_before()
        if self.training.before is not None:
            return self.training.before
        self.training.open()
        return self.training.save(self.training.run(self.report))


RULES = ("max_iterations", "max_seconds", "threads", "precision", "device")


def beside(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.glob(f"{path.name}*"))


def same(one: Run, other: Run, first: BlueprintStrategy, second: BlueprintStrategy) -> None:
    """All that was learned, and all that is played."""
    want, found = one.training.trunk.stored(), other.training.trunk.stored()
    assert want.keys() == found.keys()
    for name, array in want.items():
        assert np.array_equal(array, found[name]), name
    assert first.tables is not None
    assert second.tables is not None
    for name, array in first.tables.mapped.items():
        assert np.array_equal(array, second.tables.mapped[name]), name


def test_the_epochs_of_the_config_are_trained_and_written(tmp_path: Path) -> None:
    run = Run(tmp_path / "b")
    book = run.go()
    assert [one.iteration for one in run.told] == [1, 2, 3, 4]  # two batches are an epoch
    assert run.told[-1].seconds_left == 0
    assert book.solution is not None
    record = book.solution.record
    assert (record.iterations, record.epochs, record.stopped) == (4, 2, "iterations")
    assert (record.num_flops, record.sampled_flops) == (3, 3)
    lower, upper = record.sampled_mbb or (0, 0)
    assert lower == upper == record.exploitability_mbb > 0
    assert upper == 1000 * run.training.trunk.worth().exploitability_bb
    assert sum(record.value_bb) == pytest.approx(0, abs=1e-7)
    bounds = {"lower_mbb": lower, "upper_mbb": upper, "error_mbb": 0.0}
    assert book.summary()["sampled"] == {"flops": 3, **bounds}
    assert book.summary()["flops"] == {"there": 3, "of": 3}
    assert beside(tmp_path / "b") == ["b"]
    assert book.at("").mix_of("AA")["f"] < 0.5  # it has learnt something
    mix = book.at("SBr2.5 BBc | KsJs7s").mix_of("AhAd")
    assert sum(mix.values()) == pytest.approx(1)

    again = Run(tmp_path / "b")
    assert again.go().iterations_trained == 4
    assert again.notes == [f"{tmp_path / 'b'} is trained already: 4 iterations"]
    more = Run(tmp_path / "b", max_iterations=5)
    more.training.find_before()
    assert more.notes == [
        f"{tmp_path / 'b'} (4 iterations) will be replaced: there is no checkpoint of it"
    ]


SHARED = {"river": {"buckets": 8}}


@pytest.mark.parametrize(
    ("precision", "rows"), [("float32", ROWS), ("int16", ROWS), ("float32", SHARED)]
)
def test_what_was_stopped_goes_on_bit_for_bit_on_any_threads(
    tmp_path: Path, precision: str, rows: Any
) -> None:
    rules: dict[str, Any] = {"max_iterations": 7, "precision": precision, "rows": rows}
    through, stopped = Run(tmp_path / "t", **rules), Run(tmp_path / "s", stop_at=3, **rules)
    whole, part = through.go(), stopped.go()
    assert part.iterations_trained == 3
    assert part.solution is not None
    assert part.solution.record.stopped == "interrupted"
    assert beside(tmp_path / "s") == ["s", "s.checkpoint"]
    assert stopped.notes[-1].endswith("s.checkpoint is written: the same command goes on")
    resumed = Run(tmp_path / "s", threads=2, **rules)
    same(through, resumed, whole, resumed.go())
    assert resumed.notes == [f"going on from {tmp_path / 's.checkpoint'}, after 3 iterations"]
    assert resumed.told[0].iteration == 4
    assert beside(tmp_path / "s") == ["s"]


def test_killed_while_it_is_written_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = BlueprintWriter.put

    def fail(self: BlueprintWriter, flop: int, line: int, weights: Any) -> None:
        if (flop, line) == (1, 1):
            raise KeyboardInterrupt
        put(self, flop, line, weights)

    through, killed = Run(tmp_path / "t", max_iterations=4), Run(tmp_path / "k", max_iterations=4)
    whole = through.go()
    with monkeypatch.context() as patch:
        patch.setattr(BlueprintWriter, "put", fail)
        with pytest.raises(KeyboardInterrupt):
            killed.go()
    assert beside(tmp_path / "k") == ["k.checkpoint", "k.part"]
    again = Run(tmp_path / "k", max_iterations=4)
    same(through, again, whole, again.go())
    assert not again.told  # all iterations were there
    assert beside(tmp_path / "k") == ["k"]


def test_a_checkpoint_of_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b"
    Run(path, stop_at=2, max_iterations=9).go()
    for changed, message in (
        ({"rows": {"river": {"quantiles": 9}}}, "trained with rows .*quantiles:8, asked for"),
        ({"dcfr": {"gamma": 5}}, "trained with schedule dcfr:1.5,0.5,2, asked for dcfr:1.5,0.5,5"),
        ({"stack": 13}, "another game"),
        ({"flop_batch_size": 3}, "trained on 2 flops at a time, not 3"),
    ):
        with pytest.raises(FormatError, match=message):
            Run(path, max_iterations=9, **changed).training.open()
    with pytest.raises(FormatError, match=r"holds Book .*, asked for Book"):
        Run(path, stack=13).training.find_before()  # the blueprint too
    checkpoint = tmp_path / "b.checkpoint"
    data = bytearray(checkpoint.read_bytes())
    data[-1000] ^= 1
    checkpoint.write_bytes(data)
    with pytest.raises(FormatError, match=r"is damaged: line 1 .* does not match its checksum"):
        Run(path, max_iterations=9).go()
    checkpoint.write_bytes(data[:-1000])
    with pytest.raises(FormatError, match="truncated"):
        Run(path, max_iterations=9).go()


def test_bad_requests_are_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceError, match="device cuda: rows are trained on cpu"):
        Run(tmp_path / "b", device="cuda")
    with pytest.raises(FormatError, match="no folder"):
        Run(tmp_path / "no" / "b")
    plan = Run(tmp_path / "b").training.plan
    least = plan.num_bytes - plan.flop_bytes // 4
    monkeypatch.setattr(row_plan, "available_bytes", lambda device: least)
    with pytest.raises(MemoryPlanError, match=r"3 flops and 2 lines .* 2 flops would fit"):
        Run(tmp_path / "b").training.open()
    monkeypatch.setattr(row_plan, "available_bytes", lambda device: 1000)
    with pytest.raises(MemoryPlanError, match="not one flop fits"):
        Run(tmp_path / "b").training.open()


def test_too_little_disk_is_said_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disk:
        free = 1000

    monkeypatch.setattr("shutil.disk_usage", lambda folder: Disk)
    with pytest.raises(FormatError, match=r"cannot write .*: it takes .* has 0.0 MB free"):
        Run(tmp_path / "b").training.open()
    Disk.free = 2_000_000
    run = Run(tmp_path / "b", stop_at=1)
    run.go()
    assert run.notes[0].startswith("no checkpoint is kept: it takes ")
    assert beside(tmp_path / "b") == ["b"]


@pytest.mark.parametrize("rows", [{}, SHARED])
def test_the_plan_is_what_is_allocated(tmp_path: Path, rows: Any) -> None:
    for precision in ("float32", "int16"):
        run = Run(tmp_path / "b", rows=rows, precision=precision).training
        run.open()
        state = sum(engine.state_bytes for engine in run.trunk.row_engines)
        assert state == pytest.approx(run.plan.state_bytes, rel=0.01)


def test_discounts_suit_sampled_flops_unless_they_are_given() -> None:
    assert str(sampled_schedule(config())) == "dcfr:1.5,0.5,2"
    assert str(sampled_schedule(config(dcfr={"warmup": 3}))) == "dcfr:1.5,0.5,2"
    assert str(sampled_schedule(config(dcfr={"gamma": 3}))) == "dcfr:1.5,0.5,3"
