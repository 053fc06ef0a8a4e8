"""The loop around any engine, with one that only counts."""

from itertools import islice

import numpy as np
import pytest

from poker_solver.cfr.options import SolveOptions
from poker_solver.cfr.progress import Progress
from poker_solver.cfr.schedules import DCFR
from poker_solver.cfr.solve import Checkpoint, Solve, StopRules, Unit, iterate
from poker_solver.errors import FormatError, InputError
from poker_solver.runtime.interrupts import Interrupt

KIND = "checkpoint of a count"


class Counting:
    """An engine whose exploitability at iteration t is 100 / t chips."""

    schedule, used_bytes, first_step = DCFR, 5, 3

    def __init__(self):
        self.iteration, self.measured = 0, 0

    def next_check(self, iteration):
        return iteration + 10

    def train(self, iterations):
        self.iteration += iterations

    def measure(self):
        self.measured += 1
        return np.array([100.0 / max(self.iteration, 1)])

    def values(self):
        return np.zeros((2, 1))

    def stored(self):
        return {"state": np.full(2, float(self.iteration))}

    def restore(self, arrays, iteration):
        if set(arrays) != {"state"}:
            raise InputError(f"holds {sorted(arrays)}")
        self.iteration = iteration


def run(solve, report=None, **options):
    solve.run(solve.rules(SolveOptions(**options)), report=report)
    return solve


def test_checks_come_when_the_engine_says_and_at_the_last_iteration():
    checks = islice(iterate(Counting(), StopRules(last=25), Interrupt()), 3)
    assert [(check.iteration, *check.exploitability) for check in checks] == [
        (10, 10.0), (20, 5.0), (25, 4.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "stopped", "iteration"),
    [
        ({"max_iterations": 25}, "iterations", 25),
        ({"target": 5.0}, "target", 20),
        ({"target": 5.0, "max_iterations": 20}, "target", 20),
        ({"target": 1.0, "max_iterations": 20}, "iterations", 20),
        ({"max_seconds": 1e-9}, "seconds", 3),
    ],
)
def test_the_first_rule_that_holds_stops(options, stopped, iteration):
    solve = run(Solve(Counting()), **options)
    assert (solve.stopped, solve.engine.iteration) == (stopped, iteration)
    assert solve.curve[-1] == (iteration, 100.0 / iteration)


def test_a_target_in_percent_of_a_pot():
    solve = run(Solve(Counting(), Unit(pot=200.0)), target=5.0)
    assert solve.curve == [(10, 5.0)]
    assert solve.exploitability() == 10.0


def test_a_request_to_stop_is_seen_at_the_check():
    stop, solve = Interrupt(), Solve(Counting())

    def press(progress: Progress) -> None:
        stop.requested = progress.iteration == 20

    solve.run(solve.rules(SolveOptions(max_iterations=100)), report=press, stop=stop)
    assert (solve.stopped, solve.engine.iteration) == ("interrupted", 20)


def test_what_was_measured_at_the_last_check_is_not_measured_again():
    solve = run(Solve(Counting()), max_iterations=20)
    assert solve.exploitability() == 5.0
    assert solve.engine.measured == 2
    solve.engine.train(5)
    assert solve.exploitability() == 4.0


def test_going_on_adds_iterations_to_one_curve():
    solve = run(run(Solve(Counting()), max_iterations=10), max_iterations=5)
    assert [t for t, _ in solve.curve] == [10, 15]


def test_a_checkpoint_is_read_as_it_was_written(tmp_path):
    solve = run(Solve(Counting()), max_iterations=15)
    solve.save(tmp_path / "c", KIND, {"game": "counting"})
    found = Checkpoint.load(tmp_path / "c", KIND)
    assert (found.header["game"], found.schedule, found.iteration) == ("counting", DCFR, 15)
    again = Solve(Counting())
    again.restore(found)
    assert again.engine.iteration == 15
    assert (again.curve, again.seconds) == (solve.curve, solve.seconds)


def test_what_an_engine_refuses_is_the_files_fault(tmp_path):
    engine = Counting()
    engine.stored = lambda: {"other": np.zeros(1)}  # type: ignore[method-assign]
    Solve(engine).save(tmp_path / "c", KIND, {})
    with pytest.raises(FormatError, match=r"c: holds \['other'\]"):
        Solve(Counting()).restore(Checkpoint.load(tmp_path / "c", KIND))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 0}, "target is 0, must be above 0"),
        ({"target": float("nan")}, "target is nan, must be above 0"),
        ({"max_iterations": -1}, "max_iterations is -1, must be above 0"),
        ({"max_iterations": 1.5}, r"max_iterations is 1\.5, must be a whole number"),
        ({"max_seconds": 0}, "max_seconds is 0, must be above 0"),
        ({"schedule": "x"}, "schedule is 'x'"),
    ],
)
def test_rules_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        SolveOptions(**options)


def test_a_schedule_is_read_once():
    assert SolveOptions(schedule="dcfr").schedule is DCFR


def test_a_usual_target_is_taken_where_nothing_else_stops():
    assert SolveOptions().stopping(0.3).target == 0.3
    assert SolveOptions(max_seconds=1).stopping(0.3).target is None
    with pytest.raises(InputError, match="nothing would stop this"):
        SolveOptions().stopping()
