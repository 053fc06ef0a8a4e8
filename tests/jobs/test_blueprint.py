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
from poker_solver.fullgame.training.row_plan import sampled_schedule
from poker_solver.jobs.blueprint import BlueprintProgress, BlueprintTraining
from poker_solver.runtime import cuda
from poker_solver.runtime.interrupts import Interrupt
from tests.support.cuda_on_host import COMPILER, HostMachine
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
        f"{tmp_path / 'b'} (4 iterations) has ended and keeps no checkpoint: "
        "training begins anew and replaces it"
    ]


SHARED = {"rows": {"river": {"buckets": 8}}}
DRAWN: dict[str, Any] = {
    "rows": {"turn": {"buckets": 5}, "river": {"buckets": 8}},
    "sampled_turns": 2,
}


@pytest.fixture
def few_centres(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets of turns that take no time, and that nobody else finds."""
    (tmp_path / "cache").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("poker_solver.abstraction.board_rows.NUM_SAMPLES", 4)


@pytest.mark.usefixtures("few_centres")
@pytest.mark.parametrize("changed", [{}, {"precision": "int16"}, SHARED, DRAWN])
def test_what_was_stopped_goes_on_bit_for_bit_on_any_threads(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    rules: dict[str, Any] = {"max_iterations": 7, **changed}
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


@pytest.mark.usefixtures("few_centres")
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
    Run(tmp_path / "d", stop_at=2, max_iterations=9, **DRAWN).go()
    with pytest.raises(FormatError, match="trained with sampled_turns 2, asked for 3"):
        Run(tmp_path / "d", max_iterations=9, **{**DRAWN, "sampled_turns": 3}).training.open()
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
    monkeypatch.setattr(row_plan, "choose", lambda device, size, solvers: device)
    with pytest.raises(DeviceError, match="device cuda: rows that all boards share, and sampled"):
        Run(tmp_path / "b", device="cuda", rows={"river": {"buckets": 8}})
    with pytest.raises(DeviceError, match="device mps: rows are trained on cpu or cuda"):
        Run(tmp_path / "b", device="mps")
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


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
def test_trained_on_a_gpu_it_is_as_on_the_cpu_and_goes_on_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernels of the GPU, on the host."""
    machine = HostMachine()
    monkeypatch.setattr(cuda, "open_gpu", lambda name: machine)
    monkeypatch.setattr(row_plan, "choose", lambda device, size, solvers: device)
    one: dict[str, Any] = {"flops": {"4s4h4d": 22_100}, "max_iterations": 2}
    whole, want = Run(tmp_path / "whole", device="cuda", **one), Run(tmp_path / "cpu", **one).go()
    book = whole.go()
    Run(tmp_path / "parts", stop_at=1, device="cuda", **one).go()
    resumed = Run(tmp_path / "parts", device="cuda", **one)
    same(whole, resumed, book, resumed.go())
    assert book.solution is not None
    assert want.solution is not None
    record, by_cpu = book.solution.record, want.solution.record
    assert (record.device, record.iterations) == ("cuda", 2)
    assert record.exploitability_mbb == pytest.approx(by_cpu.exploitability_mbb, abs=0.05)
    assert record.value_bb == pytest.approx(by_cpu.value_bb, abs=1e-5)
    line = "SBr2.5 BBc | 4s4h4d"
    assert book.at(line).mix_of("AhAd") == pytest.approx(want.at(line).mix_of("AhAd"), abs=0.02)
    plan = whole.training.plan
    state = sum(engine.state_bytes for engine in whole.training.trunk.row_engines)
    assert state <= plan.state_bytes + 1000


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


@pytest.mark.parametrize("rows", [{}, SHARED["rows"]])
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
