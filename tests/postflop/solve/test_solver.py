"""Stop rules, memory, files and checkpoints of a postflop solve."""

import json

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cfr.progress import Progress
from poker_solver.errors import DeviceError, FormatError, InputError, MemoryPlanError
from poker_solver.postflop.engines.cpu import useful_threads
from poker_solver.postflop.engines.engine import next_check
from poker_solver.postflop.engines.walks import TURN_UNITS
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.plan import check_cpu, plan
from poker_solver.postflop.solve.solver import KIND, PostflopSolver
from poker_solver.store.files import read_file, write_file
from tests.support.solved import flop_mapping, solved
from tests.support.spots import named_spot

RIVER = named_spot("river_example")


def test_the_target_stops_a_solve():
    solution = ps.solve(RIVER, target_pct=0.3, threads=1)
    assert solution.record.stopped == "target"
    assert 0 <= solution.exploitability_pct <= 0.3
    assert solution.exploitability_chips == pytest.approx(2 * solution.exploitability_pct)


def test_iterations_and_seconds_stop_a_solve():
    few = ps.solve(RIVER, target_pct=None, max_iterations=7, threads=1)
    assert (few.iterations, few.record.stopped) == (7, "iterations")
    short = ps.solve(RIVER, target_pct=1e-9, max_seconds=0.05, threads=1)
    assert short.record.stopped == "seconds"
    assert short.iterations >= 1


@pytest.mark.parametrize(
    "rules",
    [{"target_pct": 0}, {"max_iterations": -1}, {"max_seconds": 0}, {"target_pct": None}],
    ids=str,
)
def test_rules_that_make_no_sense_are_refused(rules):
    with pytest.raises(InputError, match=r"must be above 0|nothing would stop"):
        ps.solve(RIVER, **rules)


def test_measuring_is_rare():
    checks = [0]
    while checks[-1] < 1000:
        checks.append(next_check(checks[-1]))
    gaps = np.diff(checks)
    assert gaps.min() == 10
    assert gaps.max() == 25


def test_progress_is_told_and_comes_down():
    told: list[Progress] = []
    ps.solve(RIVER, target_pct=0.3, threads=1, progress=told.append)
    assert [p.iteration for p in told][:3] == [10, 20, 30]
    assert told[-1].exploitability <= 0.3 < told[0].exploitability


def test_ctrl_c_returns_what_there_is(monkeypatch):
    class Pressed:
        requested = False

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    pressed = Pressed()
    monkeypatch.setattr("poker_solver.cfr.solve.ctrl_c_requests", lambda stop: pressed)

    def press(progress):
        pressed.requested = progress.iteration >= 20

    solution = ps.solve(RIVER, target_pct=1e-9, threads=1, progress=press)
    assert (solution.record.stopped, solution.iterations) == ("interrupted", 20)


def test_a_device_that_is_not_ours_is_refused():
    with pytest.raises(DeviceError, match=r"not available|on the CPU so far"):
        ps.solve(RIVER, device="mps")
    with pytest.raises(InputError, match="threads is 0"):
        ps.solve(RIVER, threads=0)


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch):
    planned = plan(named_spot("3betpot_fast"))
    monkeypatch.setattr("poker_solver.postflop.plan.available_bytes", lambda device: 10**12)
    need = check_cpu(planned)
    assert need > 8 * 155_952_394
    monkeypatch.setattr("poker_solver.postflop.plan.available_bytes", lambda device: 10**9)
    with pytest.raises(
        MemoryPlanError, match=r"155,952,394 elements and needs 1\.\d GB .* 1\.0 GB"
    ):
        check_cpu(planned)


def test_the_summary_is_the_contract():
    summary = solved("turn_example").summary()
    assert list(summary) == [
        "spot", "device", "threads", "iterations", "seconds", "memory_bytes", "exploitability",
        "players", "root",
    ]  # fmt: skip
    assert json.loads(json.dumps(summary)) == summary
    assert summary["spot"] == named_spot("turn_example").fingerprint()
    assert set(summary["seconds"]) == {"build", "solve"}
    assert set(summary["memory_bytes"]) == {"planned", "peak"}
    assert summary["root"]["actions"] == ["x", "b120", "b216", "a"]
    assert sum(summary["root"]["frequency"]) == pytest.approx(1, abs=1e-5)
    evs = [summary["players"][name]["ev_chips"] for name in ("oop", "ip")]
    assert sum(evs) == pytest.approx(200, rel=1e-5)


def test_a_saved_solution_comes_back(tmp_path):
    solution, path = solved("turn_example"), tmp_path / "turn.pks"
    solution.save(path)
    back = ps.Solution.load(path)
    assert back.spot.to_mapping() == solution.spot.to_mapping()
    assert back.record == solution.record
    assert back.summary()["players"] == solution.summary()["players"]
    assert path.stat().st_size < 2.1 * solution.layout.num_elements
    for line in ("", "x b120", "x x 7s", "b120 c 2d x"):
        was, now = solution.node(line), back.node(line)
        assert was.hands == now.hands
        np.testing.assert_allclose(now.strategy, was.strategy, atol=2 / 65535)
        assert now.acting.mean_ev == pytest.approx(was.acting.mean_ev, abs=0.01)
    back.save(tmp_path / "again.pks")
    assert (ps.Solution.load(tmp_path / "again.pks").weights == back.weights).all()


def test_a_file_has_the_order_of_the_spot_and_not_of_the_engine(tmp_path):
    solution, path = solved("turn_example"), tmp_path / "turn.pks"
    solution.save(path)
    _, arrays = read_file(path, "postflop solution")
    tree, begin, shares = solution.tree, 0, arrays["strategy"] / 65535
    for node in np.flatnonzero(tree.is_decision).tolist():
        for board in range(solution.layout.runouts.num_boards[tree.street[node]]):
            want = solution.values.ranges.mix(node, board)[None]
            found = shares[begin : begin + want.size].reshape(want.shape)
            learned = found.sum(axis=1, keepdims=True) > 0
            np.testing.assert_allclose(found, np.where(learned, want, 0), atol=1e-5)
            begin += want.size
    assert begin == len(shares) == plan(solution.spot).counts.num_elements


def test_a_checkpoint_in_another_order_is_refused(tmp_path):
    path, solver = tmp_path / "check.pks", PostflopSolver(named_spot("river_example"), threads=1)
    solver.save(path)
    header, arrays = read_file(path, KIND)
    write_file(path, KIND, {**header, "layout": "0" * 16}, arrays)
    with pytest.raises(FormatError, match="keeps its state in another order; solve again"):
        PostflopSolver.load(path)


def test_a_file_that_is_not_a_solution_is_refused_by_name(tmp_path):
    path = tmp_path / "spot.pks"
    solved("river_example").save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"spot\.pks is truncated"):
        ps.Solution.load(path)
    write_file(path, "something else", {}, {})
    with pytest.raises(FormatError, match="something else"):
        ps.Solution.load(path)
    header = {"spot": RIVER.to_mapping(), "fingerprint": "0" * 64}
    write_file(path, "postflop solution", header, {})
    with pytest.raises(FormatError, match="does not match its fingerprint"):
        ps.Solution.load(path)
    with pytest.raises(FormatError, match="cannot read"):
        ps.Solution.load(tmp_path / "nothing.pks")
    write_file(path, "postflop solution", {**header, "fingerprint": RIVER.fingerprint()}, {})
    with pytest.raises(FormatError, match="strategy has shape None"):
        ps.Solution.load(path)


def test_a_checkpoint_goes_on_bit_for_bit(tmp_path):
    spot, path = ps.Spot.from_mapping(flop_mapping()), tmp_path / "check.pks"
    straight, first = PostflopSolver(spot, threads=1), PostflopSolver(spot, threads=1)
    straight.solve(None, max_iterations=9)
    first.solve(None, max_iterations=5, checkpoint=path)
    second = PostflopSolver.load(path, spot=spot, threads=2)
    assert second.iteration == 5
    assert second.run.curve == first.run.curve
    second.solve(None, max_iterations=4)
    assert (second.engine.regret == straight.engine.regret).all()
    assert (second.engine.policy_sum == straight.engine.policy_sum).all()
    with pytest.raises(FormatError, match="asked for"):
        PostflopSolver.load(path, spot=RIVER)


def test_a_solution_does_not_change_when_the_solve_goes_on():
    solver = PostflopSolver(RIVER, threads=1)
    solver.solve(None, max_iterations=10)
    before = solver.solution()
    kept = before.weights.copy()
    solver.solve(None, max_iterations=10)
    assert (before.weights == kept).all()


def test_small_spots_take_few_threads_if_nobody_says_how_many() -> None:
    assert useful_threads(lay_out(named_spot("river_full"))) == 1
    assert useful_threads(lay_out(named_spot("turn_example"))) == TURN_UNITS
    assert useful_threads(lay_out(named_spot("3betpot_fast"))) >= 64
    assert PostflopSolver(RIVER).threads == 1
    assert PostflopSolver(RIVER, threads=2).threads == 2


def test_a_last_checkpoint_that_fails_costs_no_result(tmp_path):
    solver, gone = PostflopSolver(RIVER, threads=1), tmp_path / "gone"
    gone.mkdir()
    solution = solver.solve(
        None, max_iterations=3, checkpoint=gone / "a.ck", progress=lambda _: gone.rmdir()
    )
    assert solution.iterations == 3
    assert str(gone) in str(solver.unsaved)
    solver.solve(None, max_iterations=1, checkpoint=tmp_path / "a.ck")
    assert solver.unsaved is None
    assert PostflopSolver.load(tmp_path / "a.ck").iteration == 4


def test_nothing_is_measured_twice(monkeypatch):
    solver, calls = PostflopSolver(RIVER, threads=1), []
    measure = solver.engine.measure

    def noted():
        calls.append(solver.iteration)
        return measure()

    monkeypatch.setattr(solver.engine, "measure", noted)
    first = solver.solve(None, max_iterations=12)
    assert calls == [10, 12]
    assert solver.solution().exploitability_chips == first.exploitability_chips
    assert calls == [10, 12]
    solver.engine.train(1)
    assert solver.solution().exploitability_chips == measure()[0] != first.exploitability_chips
    assert calls == [10, 12, 13]


def test_a_plan_is_solved_as_its_spot_is():
    planned = plan(RIVER, device="cpu", precision="int16")
    solver, other = PostflopSolver(planned), PostflopSolver(RIVER, precision="int16")
    assert solver.plan is planned
    assert solver.spot is RIVER
    for each in (solver, other):
        each.engine.train(3)
    assert (solver.engine.regret == other.engine.regret).all()
