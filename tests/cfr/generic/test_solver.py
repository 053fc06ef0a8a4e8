import dataclasses
import os
import signal
import threading
from contextlib import contextmanager

import numpy as np
import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.solver import KIND, Solver
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.progress import Progress, iterations_to
from poker_solver.cfr.schedules import PRECISE, Schedule
from poker_solver.errors import (
    DeviceError,
    DeviceNameError,
    FormatError,
    InputError,
    ScheduleError,
)
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.games.leduc import LeducPoker
from poker_solver.runtime.device import get_device, num_threads
from poker_solver.runtime.interrupts import Interrupt, ctrl_c_requests
from poker_solver.store.files import read_file, write_file
from poker_solver.terminal import duration, figures, progress_line
from poker_solver.trees.compile import compile_game

ENGINES = ["batched", "vanilla"]


@pytest.mark.parametrize("engine", ENGINES)
def test_solves_kuhn(engine):
    solver = Solver(KuhnPoker(), engine=engine)
    result = solver.solve(iterations=500)
    assert result.iterations == solver.engine.iteration == 500
    assert result.stopped == "iterations"
    assert result.value == pytest.approx(-1 / 18, abs=1e-3)
    assert result.exploitability == solver.exploitability() < 1e-3
    assert result.curve[-1] == (500, result.exploitability)
    assert solver.get_strategy("1:b")["b"] == pytest.approx(1 / 3, abs=0.01)
    assert len(solver.get_strategy()) == 12
    assert result.strategy == solver.get_strategy()


def test_a_result_stays_what_it_was():
    solver = Solver(KuhnPoker())
    result = solver.solve(iterations=10)
    solver.solve(iterations=100)
    assert result.strategy != solver.get_strategy()


def test_a_result_prints_without_the_arrays_of_its_game():
    printed = repr(Solver(KuhnPoker()).solve(iterations=1))
    assert printed.startswith("SolveResult(iterations=1, ")
    assert "array" not in printed


@pytest.mark.parametrize("engine", [BatchedCFR, VanillaCFR])
def test_an_engine_goes_on_from_what_it_stored(engine):
    first, second = engine(KuhnPoker(), "precise"), engine(KuhnPoker(), "precise")
    first.train(9)
    second.restore({name: array.copy() for name, array in first.stored().items()}, 9)
    for each in (first, second):
        each.train(4)
    assert (first.average_policy == second.average_policy).all()
    assert first.values()[0] == -first.values()[1] == second.values()[0] == first.value()
    assert first.measure() == second.exploitability()
    with pytest.raises(InputError, match=r"array last has shape None, wants \(24,\)"):
        first.restore({name: a for name, a in first.stored().items() if name != "last"}, 9)


def test_a_solve_ends_when_its_time_is_up():
    result = Solver(LeducPoker()).solve(target=1e-12, max_seconds=0.05)
    assert result.stopped == "seconds"
    assert result.seconds < 2


def test_before_the_first_iteration_play_is_uniform():
    for engine in ENGINES:
        solver = Solver(KuhnPoker(), engine=engine)
        assert solver.exploitability() == pytest.approx(11 / 24)
        assert solver.get_strategy("0:") == {"p": 0.5, "b": 0.5}


def test_stops_at_the_target():
    result = Solver(LeducPoker(), schedule="precise").solve(target=1e-3)
    assert result.stopped == "target"
    assert result.exploitability <= 1e-3
    assert result.curve[-2][1] > 1e-3


def test_iterations_limit_a_target_out_of_reach():
    result = Solver(LeducPoker()).solve(iterations=30, target=1e-9)
    assert (result.stopped, result.iterations) == ("iterations", 30)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("schedule", ["cfr", "dcfr:1.25,0.5,4", "precise"])
def test_a_checkpoint_goes_on_bit_for_bit(tmp_path, engine, schedule):
    solver = Solver(KuhnPoker(), engine=engine, schedule=schedule, alternating=False)
    solver.solve(iterations=37)
    solver.save(tmp_path / "kuhn.ck")
    through = solver.solve(iterations=60)
    resumed = Solver.load(tmp_path / "kuhn.ck", KuhnPoker())
    assert resumed.engine.schedule == solver.engine.schedule
    assert resumed.alternating is False
    again = resumed.solve(iterations=60)
    assert (again.iterations, again.exploitability) == (97, through.exploitability)
    assert again.curve == through.curve
    assert (resumed.engine.average_policy == solver.engine.average_policy).all()


def test_a_checkpoint_of_another_game_is_refused(tmp_path):
    Solver(KuhnPoker()).save(tmp_path / "kuhn.ck")
    with pytest.raises(FormatError, match=r"kuhn.ck holds game KuhnPoker .*, asked for LeducPoker"):
        Solver.load(tmp_path / "kuhn.ck", LeducPoker())


@pytest.mark.parametrize("schedule", ["dcfr", "precise"])
def test_a_vanilla_checkpoint_goes_on_with_a_compiled_game(tmp_path, schedule):
    slow = Solver(KuhnPoker(), engine="vanilla", schedule=schedule)
    slow.solve(iterations=20)
    slow.save(tmp_path / "k")
    fast = Solver.load(tmp_path / "k", compile_game(KuhnPoker()))
    assert fast.engine.iteration == 20
    np.testing.assert_allclose(fast.engine.average_policy, slow.engine.average_policy, rtol=1e-14)
    slow.solve(iterations=5)
    fast.solve(iterations=5)
    np.testing.assert_allclose(
        fast.engine.average_policy, slow.engine.average_policy, rtol=0, atol=1e-9
    )


def test_loading_honours_the_device(tmp_path):
    Solver(KuhnPoker()).save(tmp_path / "k")
    assert Solver.load(tmp_path / "k", KuhnPoker(), "cpu").compiled.device == "cpu"
    with pytest.raises(DeviceNameError, match="device is 'nonsense'"):
        Solver.load(tmp_path / "k", KuhnPoker(), "nonsense")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"regret": np.zeros(3)}, r"k: array regret has shape \(3,\), wants \(24,\)"),
        ({"regret": None}, r"k: array regret has shape None, wants \(24,\)"),
        ({"curve": np.zeros(4)}, r"k: array curve has shape \(4,\), wants \(4, 2\)"),
        ({"last": np.zeros(24)}, r"k: array last has shape \(24,\), wants \(0,\)"),
        ({"more": np.zeros(1)}, r"k: array more has shape \(1,\), wants None"),
        ({"iteration": None}, r"k has a broken header: KeyError\('iteration'\)"),
        ({"iteration": "x"}, r"k has a broken header: ValueError"),
        ({"schedule": 3}, r"k has a broken header: TypeError"),
        ({"schedule": ["0", "0", "0"]}, r"k has a broken header: ScheduleError"),
        ({"engine": "warp"}, r"k has a broken header: KeyError\('warp'\)"),
    ],
    ids=str,
)
def test_checkpoints_with_other_contents_are_refused_by_name(tmp_path, change, message):
    Solver(KuhnPoker()).save(tmp_path / "k")
    header, arrays = read_file(tmp_path / "k", KIND)
    for name, new in change.items():
        kept = arrays if name in arrays or isinstance(new, np.ndarray) else header
        kept[name] = new
        if new is None:
            del kept[name]
    write_file(tmp_path / "k", KIND, header, arrays)
    with pytest.raises(FormatError, match=message):
        Solver.load(tmp_path / "k", KuhnPoker())


def test_progress_is_reported():
    told: list[Progress] = []
    result = Solver(KuhnPoker()).solve(iterations=100, progress=told.append)
    assert [(p.iteration, p.exploitability) for p in told] == list(result.curve)
    assert told[-1].seconds_left == 0


@pytest.mark.parametrize("target", [None, 1e-12])
def test_ctrl_c_keeps_what_was_computed(target):
    solver = Solver(LeducPoker())
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = solver.solve(iterations=50_000_000, target=target)
    assert result.stopped == "interrupted"
    assert 0 < result.iterations < 50_000_000
    assert result.exploitability < 2
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_the_first_iteration(monkeypatch):
    @contextmanager
    def pressed_at_once(_):
        interrupt = Interrupt()
        interrupt.requested = True
        yield interrupt

    monkeypatch.setattr("poker_solver.cfr.solve.ctrl_c_requests", pressed_at_once)
    told: list[Progress] = []
    result = Solver(KuhnPoker()).solve(iterations=10, progress=told.append)
    assert (result.stopped, result.iterations, result.curve) == ("interrupted", 0, ())
    assert result.exploitability == pytest.approx(11 / 24)
    assert told[0].seconds_left is None


def test_the_second_ctrl_c_raises():
    with ctrl_c_requests() as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_exploitability_is_measured_once_per_check(monkeypatch):
    solver = Solver(KuhnPoker())
    measured: list[float] = []
    measure = solver.engine.exploitability

    def noted():
        measured.append(measure())
        return measured[-1]

    monkeypatch.setattr(solver.engine, "exploitability", noted)
    result = solver.solve(iterations=30)
    assert measured == [exploitability for _, exploitability in result.curve]
    assert result.exploitability == measured[-1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"engine": "vanilla", "batch_size": -4}, InputError, "batch_size is -4; the vanilla"),
        ({"device": "cpu:"}, DeviceNameError, "device is 'cpu:'"),
        ({"device": "auto:"}, DeviceNameError, "device is 'auto:'"),
        ({"device": "cuda:\u00b2"}, DeviceNameError, "must be one of"),
        ({"engine": "fast"}, InputError, "engine is 'fast'"),
        ({"schedule": "x"}, ScheduleError, "schedule is 'x'"),
        ({"device": "gpu"}, DeviceError, "device is 'gpu'"),
        ({"batch_size": 0}, InputError, "batch_size is 0"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        Solver(KuhnPoker(), **arguments)


def test_bad_stop_rules():
    solver = Solver(KuhnPoker())
    with pytest.raises(InputError, match="iterations is 0"):
        solver.solve(iterations=0)
    with pytest.raises(InputError, match=r"iterations is 1\.5, must be a whole number"):
        solver.solve(iterations=1.5)  # type: ignore[arg-type]
    assert solver.solve(iterations=np.int64(2)).iterations == 2  # type: ignore[arg-type]
    with pytest.raises(InputError, match="target is -1"):
        solver.solve(target=-1)
    with pytest.raises(InputError, match="no information set 'x'"):
        solver.get_strategy("x")
    with pytest.raises(InputError, match="vanilla with a game not yet compiled"):
        Solver(compile_game(KuhnPoker()), engine="vanilla")


def test_schedules_by_value():
    assert Solver(KuhnPoker(), schedule=Schedule(2, 0, 1)).engine.schedule == Schedule(2, 0, 1)
    assert Solver(KuhnPoker(), schedule="precise").engine.schedule == PRECISE


def test_devices():
    assert get_device("cpu").type == "cpu"
    assert get_device().type in ("cpu", "cuda", "mps")
    assert Solver(KuhnPoker()).compiled.device == "cpu"  # too small for anything else
    assert Solver(KuhnPoker(), device=get_device("cpu")).compiled.device == "cpu"
    with pytest.raises(DeviceError, match="must be one of auto, cpu, cuda, mps"):
        get_device("gpu")


def test_all_cores_are_taken_where_the_system_does_not_say_which_are_ours(monkeypatch):
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    assert num_threads(None) == 5


def test_a_compiled_game_has_its_device():
    game = compile_game(KuhnPoker())
    assert Solver(game, device="cpu").compiled is game
    with pytest.raises(DeviceNameError, match="device is 'nonsense'"):
        Solver(game, device="nonsense")
    elsewhere = dataclasses.replace(game, device="cuda")
    with pytest.raises(InputError, match="device is cpu, but KuhnPoker is compiled for cuda"):
        Solver(elsewhere, device="cpu")


def test_without_rules_a_solve_takes_the_default(monkeypatch):
    monkeypatch.setattr("poker_solver.cfr.generic.solver.DEFAULT_ITERATIONS", 7)
    assert Solver(KuhnPoker()).solve().iterations == 7


def test_checks_come_every_iteration_at_first_and_then_five_percent_apart():
    next_check = Solver(KuhnPoker()).engine.next_check
    assert [next_check(t) for t in (0, 1, 19, 40, 1000)] == [1, 2, 20, 42, 1050]


def test_guess_of_the_end():
    curve = [(t, 10.0 / t) for t in (10, 20, 40, 80, 160)]
    assert iterations_to(0.01, curve) == pytest.approx(1000, abs=2)
    assert iterations_to(0.01, curve[:2]) is None
    assert iterations_to(0.01, [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.047412, "0.0474"), (115.2, "115"), (999.4, "999"), (999.6, "1,000"), (1260.3, "1,260")],
)
def test_numbers_in_three_figures_have_no_exponent(value, text):
    assert figures(value) == text


def test_progress_line():
    line = progress_line(Progress(1234, 0.00123456, 61.2, 3.3))
    assert line.startswith("iteration 1,234 · exploitability 0.00123 · 1 min 01 s · 3.3 s left")
    assert duration(7322) == "2 h 02 min"
