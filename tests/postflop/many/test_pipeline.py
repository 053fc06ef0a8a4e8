"""Many spots on a GPU, its kernels on the host: groups, their stages, and what each comes to."""

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import poker_solver as ps
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, SpotError
from poker_solver.jobs.flop_batch import FlopBatch
from poker_solver.postflop.engines.cuda import engine as postflop_cuda
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.postflop.layout.layout import Layout, layout_of
from poker_solver.postflop.layout.shape import Shape
from poker_solver.postflop.many import pipeline as pipeline_module
from poker_solver.postflop.many import scheduler as many
from poker_solver.postflop.many.pipeline import by_betting, cut, largest_counts
from poker_solver.postflop.plan import Plan, cuda_guess
from poker_solver.postflop.solution.riverless import RiverlessStrategy
from poker_solver.postflop.solve import solver as postflop_solver
from poker_solver.runtime import device
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.runtime.memory import plan_bytes
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.many import pretend
from tests.support.postflop_spots import small_spot
from tests.support.spots import named_spot

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

BOARDS = ("Ks7h2d9c4s", "QsJh2h5c9d", "Td9d6hQc2s", "As8s3s3h2c", "7h6h5d4cKd")


def spots(*boards: str) -> list[Spot]:
    ranges = "AA,KQs,77,54s", "QQ,AKs,65s,99:0.5"
    return [small_spot(board, *ranges, "75%", "a", stack=200) for board in boards]


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> HostMachine:
    machine = HostMachine()
    monkeypatch.setattr(device, "num_cuda", lambda: 1)
    small = partial(CudaGroup, threads=32, upper_threads=32)
    pretend(monkeypatch, open_gpu=lambda name: machine, batch=small)
    monkeypatch.setattr(postflop_solver, "open_gpu", lambda name: machine)
    monkeypatch.setattr(postflop_cuda, "CudaGroup", small)
    return machine


def groups_used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many spots each group on the card has, filled as they come."""
    found: list[int] = []
    kind = many.HERE.batch

    def noted(group: SpotGroup, *given: Any, **more: Any) -> Any:
        engine = kind(group, *given, **more)
        found.append(len(group.layouts))
        return engine

    pretend(monkeypatch, batch=noted)
    return found


def test_each_is_bit_for_bit_what_it_is_alone(
    card: HostMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, left = groups_used(monkeypatch), list[int]()
    leave = CudaGroup.leave

    def noted(group: CudaGroup, done: NDArray[np.bool_]) -> None:
        left.append(int(done.sum()))
        leave(group, done)

    monkeypatch.setattr(CudaGroup, "leave", noted)
    given = spots(*BOARDS)
    found = list(ps.solve_many(given, target_pct=8.0, max_iterations=40, device="cuda"))
    assert used == [5]
    assert sorted({*left, 5}) == [*left, 5]  # more and more are left as they are
    iterations = set()
    for spot, solution in zip(given, found, strict=True):
        assert isinstance(solution, ps.Solution)
        alone = ps.solve(spot, target_pct=8.0, max_iterations=40, device="cuda")
        assert solution.spot is spot
        assert (solution.weights == alone.weights).all()
        assert solution.record.iterations == alone.record.iterations
        assert solution.record.stopped == alone.record.stopped == "target"
        assert solution.record.equity == alone.record.equity
        np.testing.assert_allclose(solution.record.curve, alone.record.curve, rtol=1e-12)
        np.testing.assert_allclose(solution.record.ev_chips, alone.record.ev_chips, rtol=1e-12)
        assert solution.record.device == "cuda"
        iterations.add(solution.iterations)
    assert len(iterations) > 1  # they are read when they are there, not all at the end


def test_sixteen_bits_are_those_of_each_alone(card: HostMachine) -> None:
    given = spots(*BOARDS[:3])
    how: dict[str, Any] = {"max_iterations": 3, "device": "cuda", "precision": "int16"}
    for spot, solution in zip(given, ps.solve_many(given, **how), strict=True):
        assert isinstance(solution, ps.Solution)
        packed, whole = ps.solve(spot, **how), ps.solve(spot, **{**how, "precision": "float32"})
        assert (solution.weights == packed.weights).all()
        assert (solution.weights != whole.weights).any()


def test_one_with_locks_goes_to_the_gpu_alone(
    card: HostMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, given = groups_used(monkeypatch), spots(*BOARDS[:3])
    given[1] = given[1].with_locks([{"line": "x", "hands": {"QQ": {"x": 1.0}}}])
    on_cpu = ps.solve(given[1], max_iterations=1, device="cpu")

    def alone(spot: Spot, options: SolveOptions) -> ps.Solution:
        assert (spot, options.device) == (given[1], "cuda")
        return on_cpu

    pretend(monkeypatch, solve=alone)
    found = list(ps.solve_many(given, max_iterations=1, device="cuda"))
    assert used == [2]
    assert found[1] is on_cpu


def test_shapes_are_told_apart_and_cut_by_what_a_gpu_holds() -> None:
    rivers = spots(*BOARDS)
    other = small_spot(BOARDS[0], "AA,KQs", "QQ,AKs", "50%", "a")
    locked = rivers[0].with_locks([{"line": "x", "hands": {"QQ": {"x": 1.0}}}])
    given = [rivers[0], other, rivers[1], locked, locked, rivers[2]]
    assert by_betting(given) == [[0, 2, 5], [1], [3], [4]]
    counts = largest_counts([named_spot("3betpot_fast")])
    assert counts.boards == (0, 1, 49, 49 * 48)
    assert cut(range(5), counts, 140 << 30) == [(0,), (1,), (2,), (3,), (4,)]
    assert cut(range(5), counts, 1000) == [(0,), (1,), (2,), (3,), (4,)]  # they will be refused
    river = largest_counts([rivers[0]])
    assert cut(range(5), river, 140 << 30) == [(0, 1, 2, 3, 4)]
    turn = largest_counts([named_spot("turn_example")])
    sizes = [len(some) for some in cut(range(1000), turn, 140 << 30)]
    assert sizes == [63] * 15 + [55]  # more than one at a time, so that stages overlap
    float32, int16 = (plan_bytes(cuda_guess(river, kind)) for kind in ("float32", "int16"))
    two = int(2.3 * float32)
    assert cut(range(5), river, two) == [(0, 1), (2, 3), (4,)]
    assert float32 - int16 == 2 * river.num_elements


def test_a_group_that_does_not_fit_is_halved(
    card: HostMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = groups_used(monkeypatch)
    given = spots(*BOARDS)
    list(ps.solve_many(given[:2], max_iterations=1, device="cuda"))
    monkeypatch.setattr(pipeline_module, "SPARE", 1e9)
    card.free_bytes = int(plan_bytes(cuda_guess(largest_counts([given[0]]), "float32")) * 2)
    found = list(ps.solve_many(given, max_iterations=1, device="cuda"))
    assert used[0] == 2
    assert sum(used[1:]) == 5
    assert max(used[1:]) < 5
    assert [s.spot.board for s in found if isinstance(s, ps.Solution)] == list(BOARDS)
    card.free_bytes = 1000
    refused = list(ps.solve_many(given[:2], max_iterations=1, device="cuda"))
    assert all(isinstance(error, SpotError) for error in refused)
    assert str(refused[1]).startswith("spot 2 (QsJh2h5c9d): this spot needs")


def test_one_that_cannot_be_laid_out_is_named_and_the_others_are_solved(
    card: HostMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = spots(*BOARDS[:3])

    def short(planned: Plan, *shapes: Shape) -> Layout:
        if planned.written is given[0]:
            raise ConfigError("too much")
        return layout_of(planned, *shapes)

    monkeypatch.setattr(pipeline_module, "layout_of", short)
    found = list(ps.solve_many(given, max_iterations=2, device="cuda"))
    assert str(found[0]) == "spot 1 (Ks7h2d9c4s): too much"
    assert [solution.iterations for solution in found[1:]] == [2, 2]  # type: ignore[union-attr]


def test_what_finish_raises_ends_everything(card: HostMachine) -> None:
    def full(place: int, solution: ps.Solution) -> None:
        raise OSError(28, "No space left on device")

    how = SolveOptions(target=0.3, max_iterations=2, device="cuda", threads=2)
    with pytest.raises(OSError, match="No space left"):
        list(many.solve_each(spots(*BOARDS), full, how))


def test_stopped_in_the_middle_gives_what_there_is(card: HostMachine) -> None:
    pressed = threading.Event()
    stop = Interrupt()

    def press(progress: ManyProgress) -> None:
        stop.requested = True
        pressed.set()

    how = SolveOptions(max_iterations=1000, device="cuda", threads=2, stop=stop)
    given = spots(*BOARDS[:2])
    each = many.solve_each(given, lambda _, s: s, how, report=press, in_order=True)
    found = [solution for _, solution in each]
    assert pressed.is_set()
    for solution in found:
        assert isinstance(solution, ps.Solution)
        assert solution.record.stopped == "interrupted"
        assert 0 < solution.iterations < 1000


def test_auto_leaves_small_groups_to_the_cpu(
    card: HostMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, given = groups_used(monkeypatch), spots(*BOARDS[:3])
    with monkeypatch.context() as without:
        pretend(without, open_gpu=None)  # not even opened
        found = list(ps.solve_many(given, max_iterations=1))
    assert [s.record.device for s in found if isinstance(s, ps.Solution)] == ["cpu"] * 3
    assert not used
    size = largest_counts([given[0]]).num_elements
    monkeypatch.setattr(many, "POSTFLOP", replace(device.POSTFLOP, gpu_size=3 * size))
    found = list(ps.solve_many(given, max_iterations=1))
    assert [s.record.device for s in found if isinstance(s, ps.Solution)] == ["cuda"] * 3


def test_a_batch_saves_what_the_cpu_would_save_of_the_same_strategies(
    card: HostMachine, tmp_path: Path
) -> None:
    sizes = {"flop": {"bet": "a"}, "turn": {"bet": "a"}, "river": {}}
    oop, ip = {"range": "AA,76s", **sizes}, {"range": "QQ", **sizes}
    fields = {"pot": 100, "stack": 150, "oop": oop, "ip": ip, "rake": {"rate": 0.05, "cap": 4.0}}
    flops = FlopSet("mine", ("Ks9s2s",), (4.0,))
    how = SolveOptions(max_iterations=1, device="cuda", threads=2)
    done = FlopBatch.of(fields, flops, tmp_path, how).run()
    assert not done.failed
    for flop in flops.flops:
        saved = ps.Solution.load(tmp_path / f"{flop}.pks")
        whole = ps.solve(saved.spot, target_pct=None, max_iterations=1, device="cpu")
        whole.save(tmp_path / "cpu.pks", rivers=False)
        want = ps.Solution.load(tmp_path / "cpu.pks")
        assert isinstance(saved.strategy, RiverlessStrategy)
        assert isinstance(want.strategy, RiverlessStrategy)
        assert np.abs(saved.strategy.kept.astype(int) - want.strategy.kept).max() <= 2
        pairs = zip(saved.strategy.kept_values, want.strategy.kept_values, strict=True)
        for got, expected in pairs:
            np.testing.assert_allclose(got, expected, rtol=0, atol=2e-3)
        np.testing.assert_allclose(saved.record.ev_chips, want.record.ev_chips, atol=1e-3)
