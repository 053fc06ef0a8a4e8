"""The fast preflop solver against the generic engine, and its stop rules, files and devices."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import hand_to_string
from poker_solver.cfr.generic.best_response import (
    best_response_value,
    compute_exploitability,
    game_value,
)
from poker_solver.cfr.generic.solver import Solver
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.cfr.progress import Progress
from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import DeviceError, FormatError, InputError, MemoryPlanError
from poker_solver.games.betting import DECISION, POSITIONS, SB
from poker_solver.games.hunl_preflop import HUNLPreflop, HUNLState
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.runtime import memory

FEW = [0, 5, 12, 13, 40, 91, 130, 168]
SMALL = Config(stack_depth=15, raise_sizes=[2.5, 6, 15], ante=0.1)


@pytest.fixture(scope="module")
def small_game() -> HUNLPreflop:
    return HUNLPreflop(SMALL, hands=FEW)


class ButtonFirst(HUNLPreflop):
    """The same game, its players numbered in the order in which an iteration updates them."""

    def player(self, state: HUNLState) -> int:
        return 1 - super().player(state)

    def utility(self, state: HUNLState, player: int) -> float:
        return super().utility(state, 1 - player)


def by_key(solution: PreflopSolution) -> dict[str, dict[Any, float]]:
    """The strategy as the generic engines write it."""
    tree, out = solution.tree, {}
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        strategy, line = solution.strategy(node), "-".join(tree.history(node))
        for h, hand in enumerate(map(hand_to_string, solution.deal.classes)):
            key = f"{POSITIONS[tree.actor[node]]}:{hand}:{line}"
            out[key] = dict(zip(tree.actions(node), strategy[:, h].tolist(), strict=True))
    return out


def test_value_and_exploitability_agree_with_the_generic_engine(small_game: HUNLPreflop) -> None:
    solution = PreflopSolver(SMALL, hands=FEW).solve(1e-5)
    exact = Solver(small_game, schedule="precise").solve(target=1e-7)
    assert solution.value_bb[0] == pytest.approx(exact.value, abs=1e-6)
    strategy = by_key(solution)
    assert game_value(small_game, strategy) == pytest.approx(solution.value_bb[0], abs=1e-12)
    assert compute_exploitability(small_game, strategy) == pytest.approx(
        solution.exploitability_bb, abs=1e-12
    )


@pytest.mark.parametrize("schedule", ["dcfr", "cfr+", "cfr", "lcfr", "pcfr+", "sapcfr+"])
def test_first_iterations_are_those_of_the_reference_engine(
    schedule: str,
) -> None:
    solver = PreflopSolver(SMALL, hands=FEW, schedule=schedule)
    reference = VanillaCFR(ButtonFirst(SMALL, hands=FEW), solver.engine.schedule)
    for _ in range(3):
        solver.engine.train(1)
        reference.train(1)
        got, want = by_key(solver.solution()), reference.get_all_average_strategies()
        for key, mix in want.items():
            for action, p in mix.items():
                assert got[key][action] == pytest.approx(p, abs=1e-9), (key, action)


def test_both_players_lose_the_rake_and_exploitability_takes_it_off() -> None:
    config = Config(stack_depth=10, raise_sizes=[2.5, 10], rake={"rate": 0.05, "cap": 1})
    solver = PreflopSolver(config, hands=FEW)
    solution = solver.solve(0.01)
    assert solution.value_bb[0] + solution.value_bb[1] < -0.01
    assert 0 <= solution.exploitability_pct <= 0.01
    best, average = solver.engine.best_and_average().T
    game = HUNLPreflop(config, hands=FEW)
    strategy = by_key(solution)
    assert average[0] == pytest.approx(game_value(game, strategy), abs=1e-12)
    for player in (0, 1):
        want = best_response_value(game, strategy, player)
        assert best[player] == pytest.approx(want, abs=1e-12)
    assert sum(best) < 0  # the plain sum of best responses would be no distance at all
    want = (best[0] - average[0] + best[1] - average[1]) / 2
    assert solution.exploitability_bb == pytest.approx(want, abs=1e-15)


def test_a_uniform_strategy_is_as_exploitable_as_the_game_says(small_game: HUNLPreflop) -> None:
    solver = PreflopSolver(SMALL, hands=FEW)
    uniform = by_key(solver.solution())
    assert solver.engine.measure()[0] == pytest.approx(
        compute_exploitability(small_game, uniform), abs=1e-12
    )


@pytest.mark.parametrize("schedule", ["dcfr", "cfr+", "precise"])
@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_every_schedule_and_backend_converges(schedule: str, backend: str) -> None:
    solver = PreflopSolver(
        load_config("push_fold_10"), schedule=schedule, hands=FEW, backend=backend
    )
    assert solver.solve(0.01, max_iterations=5000).stopped == "target"


def test_threads_do_not_change_a_bit() -> None:
    states = []
    for threads in (1, 2, 3):
        solver = PreflopSolver(load_config("deep_200"), threads=threads)
        solver.engine.train(3)
        states.append(solver.engine.stored()["regret"].tobytes())
    assert states[0] == states[1] == states[2]


@pytest.mark.parametrize("schedule", ["dcfr", "precise"])
@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_saved_and_resumed_is_bit_identical(tmp_path: Path, schedule: str, backend: str) -> None:
    path = tmp_path / "solve.pks"
    whole = PreflopSolver(SMALL, hands=FEW, schedule=schedule, backend=backend)
    whole.engine.train(60)
    halves = PreflopSolver(SMALL, hands=FEW, schedule=schedule, backend=backend)
    halves.engine.train(25)
    halves.save(path)
    resumed = PreflopSolver.load(path, backend=backend)
    assert resumed.engine.iteration == 25
    resumed.engine.train(35)
    for name, array in whole.engine.stored().items():
        assert array.tobytes() == resumed.engine.stored()[name].tobytes(), name
    assert (resumed.engine.best_and_average() == whole.engine.best_and_average()).all()


def test_a_solve_that_is_resumed_ends_where_the_whole_one_does(tmp_path: Path) -> None:
    config = load_config("push_fold_10")
    whole = PreflopSolver(config)
    solution = whole.solve(0.01)
    broken = PreflopSolver(config)
    broken.solve(max_iterations=20)
    broken.save(tmp_path / "a.pks")
    resumed = PreflopSolver.load(tmp_path / "a.pks", config=config)
    again = resumed.solve(max_iterations=solution.iterations - 20)
    assert again.iterations == solution.iterations
    assert again.policy_sum.tobytes() == solution.policy_sum.tobytes()
    assert again.exploitability_bb == solution.exploitability_bb


def test_files_of_other_games_and_broken_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "solve.pks"
    PreflopSolver(SMALL, hands=FEW).save(path)
    with pytest.raises(FormatError, match=r"holds Custom .* asked for Standard 100BB"):
        PreflopSolver.load(path, config=load_config("standard"))
    with pytest.raises(FormatError, match=r"holds Custom .* asked for Custom"):
        PreflopSolver.load(path, config=SMALL.with_stack(SMALL.stack_depth + 1))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FormatError, match="truncated"):
        PreflopSolver.load(path)
    with pytest.raises(FormatError, match="cannot read"):
        PreflopSolver.load(tmp_path / "none.pks")


def test_stop_rules_and_progress() -> None:
    seen: list[Progress] = []
    solver = PreflopSolver(SMALL, hands=FEW)
    solution = solver.solve(1.0, progress=seen.append)
    assert solution.stopped == "target"
    assert solution.exploitability_pct <= 1.0
    assert [p.iteration for p in seen][:3] == [10, 20, 30]
    assert [(p.iteration, p.exploitability) for p in seen] == list(solution.curve)
    assert solver.solve(max_iterations=7).iterations == solution.iterations + 7
    assert solver.solve(1e-12, max_seconds=0.05).stopped == "seconds"


def test_ctrl_c_keeps_what_was_found() -> None:
    solver = PreflopSolver(load_config("standard"))

    def press(progress: Progress) -> None:
        if progress.iteration >= 20:
            os.kill(os.getpid(), signal.SIGINT)

    assert threading.current_thread() is threading.main_thread()
    solution = solver.solve(1e-9, progress=press)
    assert solution.stopped == "interrupted"
    assert 20 <= solution.iterations < 1000
    assert solution.node("").frequency.sum() == pytest.approx(1)


def test_the_default_target_is_a_tenth_of_a_percent() -> None:
    solution = ps.solve(load_config("push_fold_10"))
    assert solution.exploitability_pct <= 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target_pct": 0.0}, "target is 0, must be above 0"),
        ({"max_iterations": -1}, "max_iterations is -1, must be above 0"),
        ({"max_seconds": 0}, "max_seconds is 0, must be above 0"),
    ],
)
def test_bad_stop_rules_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PreflopSolver(SMALL, hands=FEW).solve(**arguments)


def test_bad_devices_threads_and_backends_are_refused() -> None:
    with pytest.raises(DeviceError, match="'tpu'"):
        PreflopSolver(SMALL, hands=FEW, device="tpu")
    with pytest.raises(InputError, match="threads is 0"):
        PreflopSolver(SMALL, hands=FEW, threads=0)
    with pytest.raises(InputError, match="backend is 'fortran'"):
        PreflopSolver(SMALL, hands=FEW, backend="fortran")
    assert PreflopSolver(SMALL, hands=FEW, device="auto").device == "cpu"  # a small tree


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda device: 3_000_000)
    with pytest.raises(MemoryPlanError) as caught:
        PreflopSolver(load_config("standard"))
    assert str(caught.value) == (
        "this tree needs 4.3 MB (regret 2.1 MB, policy_sum 2.1 MB, tree 0.1 MB), "
        "cpu has 3.0 MB free; give fewer raise_sizes, or min_raise: legal"
    )
    monkeypatch.setattr(memory, "available_bytes", lambda device: 8_550_000)
    memory.check_preflop(1_558, 169, False, "cpu")
    with pytest.raises(MemoryPlanError, match=r"needs 21\.4 MB .* cuda has 8\.6 MB free"):
        memory.check_preflop(1_558, 169, False, "cuda")


@pytest.mark.gpu
def test_cuda_reaches_the_same_value_and_resumes(tmp_path: Path) -> None:
    config = load_config("standard")
    solution = PreflopSolver(config, device="cuda").solve(0.05)
    assert solution.stopped == "target"
    assert solution.value_bb[SB] == pytest.approx(-0.0585, abs=2e-3)
    whole = PreflopSolver(config, device="cuda")
    whole.engine.train(30)
    half = PreflopSolver(config, device="cuda")
    half.engine.train(15)
    half.save(tmp_path / "gpu.pks")
    resumed = PreflopSolver.load(tmp_path / "gpu.pks", device="cuda")
    resumed.engine.train(15)
    assert whole.engine.stored()["regret"].tobytes() == resumed.engine.stored()["regret"].tobytes()
