"""Many spots solved together: the same results as alone, in order, and nothing is lost."""

import os
import signal
import sys
import threading
from collections.abc import Generator

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import ManyProgress
from poker_solver.errors import DeviceError, InputError
from poker_solver.postflop import plan as postflop_memory
from poker_solver.postflop.many.scheduler import solve_each
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.runtime.memory import plan_bytes
from poker_solver.terminal import many_line
from tests.support.many import pretend
from tests.support.solved import flop_mapping
from tests.support.spots import named_spot, river

BOARDS = ("Ks7h2d9c4s", "QsJh2h5c9d", "Td9d6hQc2s", "As8s3s3h2c", "7h6h5d4cKd")


def spots(*boards):
    return [ps.Spot.from_mapping(river("50%", "100%", board=board)) for board in boards]


def solved(given, **more):
    found = list(ps.solve_many(given, max_iterations=5, **more))
    assert all(isinstance(solution, ps.Solution) for solution in found)
    return found


def test_each_is_what_it_is_alone_in_the_order_given():
    given = spots(*BOARDS)
    found = solved(given, threads=3)
    assert [solution.spot.board for solution in found] == list(BOARDS)
    for spot, solution in zip(given, found, strict=True):
        alone = ps.solve(spot, max_iterations=5, threads=1)
        assert solution.iterations == 5
        assert solution.record.ev_chips == alone.record.ev_chips
        assert np.array_equal(solution.weights, alone.weights)


def test_one_that_takes_longer_is_waited_for(monkeypatch):
    given, third_begins = spots(*BOARDS[:3]), threading.Event()

    def slow_first(spot, options):
        if spot is given[0]:
            assert third_begins.wait(60)  # so the second is done before the first
        if spot is given[2]:
            third_begins.set()
        return solve_spot(spot, options)

    pretend(monkeypatch, solve=slow_first)
    assert [s.spot.board for s in solved(given, threads=2)] == list(BOARDS[:3])
    third_begins.clear()
    how = SolveOptions(target=0.3, max_iterations=5, threads=2)
    places = [place for place, _ in solve_each(given, lambda *_: None, how)]
    assert places[0] == 1  # as they are done


def test_threads_take_turns_as_before_once_all_is_done():
    usual = sys.getswitchinterval()
    each = ps.solve_many(spots(*BOARDS[:3]), max_iterations=2)
    next(each)
    assert sys.getswitchinterval() < usual
    assert isinstance(each, Generator)
    each.close()
    assert sys.getswitchinterval() == usual


def test_no_spots_give_nothing():
    assert list(ps.solve_many([])) == []


def test_one_that_does_not_fit_is_named_and_the_others_are_solved(monkeypatch):
    monkeypatch.setattr(postflop_memory, "available_bytes", lambda device: 100_000_000)
    first, last = spots(*BOARDS[:2])
    found = list(ps.solve_many([first, named_spot("k72r_srp"), last], max_iterations=5))
    assert [type(result) for result in found] == [ps.Solution, ps.SpotError, ps.Solution]
    assert str(found[1]).startswith("spot 2 (Ks7h2d): this spot has 433,702,656 elements")


def test_a_spot_in_the_middle_that_runs_out_of_memory_is_alone(monkeypatch):
    given = spots(*BOARDS[:3])

    def short(spot, options):
        if spot is given[1]:
            raise MemoryError
        return solve_spot(spot, options)

    pretend(monkeypatch, solve=short)
    found = list(ps.solve_many(given, max_iterations=5, threads=2))
    assert isinstance(found[0], ps.Solution)
    assert isinstance(found[2], ps.Solution)
    assert str(found[1]) == "spot 2 (QsJh2h5c9d): out of memory"


def test_a_thread_each_while_there_are_enough_and_memory_holds_them(monkeypatch):
    def threads_used(memory, count, side_by_side):
        meeting = threading.Barrier(side_by_side, timeout=60)

        def together(spot, options):
            meeting.wait()  # none is done before all have begun
            return solve_spot(spot, options)

        pretend(monkeypatch, free_bytes=lambda _: memory)
        pretend(monkeypatch, solve=together)
        return [s.record.threads for s in solved(spots(*BOARDS[:count]), threads=4)]

    assert threads_used(None, 4, 4) == [1, 1, 1, 1]
    assert threads_used(None, 2, 2) == [2, 2]
    assert threads_used(1, 3, 1) == [4, 4, 4]  # one at a time has them all


def test_memory_bounds_how_many_run_side_by_side(monkeypatch):
    given = spots(*BOARDS)
    need = plan_bytes(postflop_memory.plan(given[0]).slabs)
    pretend(monkeypatch, free_bytes=lambda _: 2 * need)
    lock, inside, most = threading.Lock(), 0, 0

    def counted(spot, options):
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        return solve_spot(spot, options)

    def leave(place, solution):
        nonlocal inside
        with lock:
            inside -= 1
        return place

    pretend(monkeypatch, solve=counted)
    how = SolveOptions(target=0.3, max_iterations=5, threads=5)
    assert sorted(place for place, _ in solve_each(given, leave, how)) == [0, 1, 2, 3, 4]
    assert most <= 2


def test_what_finish_raises_ends_everything():
    def full(place, solution):
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        list(solve_each(spots(*BOARDS), full, SolveOptions(target=0.3, max_iterations=5)))


def test_wrong_rules_are_refused_before_anything_is_asked_for():
    with pytest.raises(InputError, match="target is 0"):
        ps.solve_many(spots(*BOARDS), target_pct=0)
    with pytest.raises(InputError, match="threads is 0"):
        ps.solve_many(spots(*BOARDS), threads=0)
    with pytest.raises(InputError, match="precision 'int8': known precisions are float32, int16"):
        ps.solve_many(spots(*BOARDS), precision="int8")
    with pytest.raises(InputError, match="schedule is 'fast', must be one of"):
        ps.solve_many(spots(*BOARDS), schedule="fast")
    with pytest.raises(DeviceError, match="nonsense"):
        list(ps.solve_many(spots(*BOARDS), device="nonsense"))


def test_ctrl_c_gives_what_there_is_and_no_more():
    sent = threading.Event()

    def press(progress: ManyProgress) -> None:
        if not sent.is_set():
            sent.set()
            os.kill(os.getpid(), signal.SIGINT)

    flop = ps.Spot.from_mapping(flop_mapping())
    endless = ps.solve_many(
        [flop] * 9, target_pct=None, max_iterations=10**6, threads=2, progress=press
    )
    found = [solution for solution in endless if isinstance(solution, ps.Solution)]
    assert 1 <= len(found) <= 2
    assert {solution.record.stopped for solution in found} == {"interrupted"}


def test_a_frequency_that_is_locked_is_met():
    spot = spots(BOARDS[0])[0].with_locks([{"line": "", "frequency": {"b50": 0.25}}])
    (together,), alone = solved([spot]), ps.solve(spot, max_iterations=5)
    assert together.root_frequency.tolist() == alone.root_frequency.tolist()
    assert together.root_frequency.tolist() == pytest.approx([0.75, 0.25], abs=0.01)


def test_a_caller_that_leaves_early_leaves_nothing_running():
    before = set(threading.enumerate())
    slow = [ps.Spot.from_mapping(flop_mapping())] * 3
    results = solve_each(
        spots(BOARDS[0]) + slow,
        lambda place, solution: place,
        SolveOptions(target=0.5, max_seconds=600, threads=2),
    )
    assert next(results)[0] == 0
    results.close()  # type: ignore[attr-defined]
    assert set(threading.enumerate()) <= before  # pools of other tests may end meanwhile


def test_progress_counts_what_is_done():
    told: list[ManyProgress] = []
    list(ps.solve_many(spots(*BOARDS), max_iterations=5, threads=1, progress=told.append))
    assert [progress.done for progress in told] == [0, 1, 2, 3, 4]
    assert told[0].seconds_left is None
    assert told[-1].seconds_left == pytest.approx(told[-1].seconds / 4)


def test_the_line_on_the_screen():
    progress = ManyProgress(3, 7, "QsJh2h", 0.4567, 65.0, 130.0)
    assert many_line(progress, "flops", 1755, before=1000) == (
        "1,003 of 1,755 flops · QsJh2h 0.457 % of pot · 1 min 05 s · 2 min 10 s left · "
        "Ctrl-C stops and keeps what is done"
    )
