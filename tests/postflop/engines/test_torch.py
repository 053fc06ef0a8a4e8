"""The PyTorch engine, on the CPU: against the float64 oracle and beside the compiled engine."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from poker_solver.cards.isomorphism import suit_symmetries
from poker_solver.config.spot import Spot
from poker_solver.errors import DeviceError, DeviceNameError, InputError, MemoryPlanError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN
from poker_solver.kernels.postflop.torch.walk import CHUNK_BYTES
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.runtime.device import torch_name
from poker_solver.solving import solve
from tests.support.postflop_locks import LockedOracle, random_locks
from tests.support.postflop_oracle import Oracle, normalised
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.postflop_states import (
    cfv_gaps,
    first_iterations_gap,
    largest_gap,
    learn_gaps,
    places,
    plays_live_hands_only,
    read,
    regret_budget,
    sum_budget,
    symmetrise,
    with_another_range,
)

RAKE = {"rate": 0.05, "cap": 3.0}
SPOTS: dict[str, Spot] = {
    "river": small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "33%,75%,150%,a", "2.5x,a"),
    "raked river": small_spot("Ks7h2d9c4s", "AA,KQ,77:0.5", "KQ,AK,76s", "75%", "a", rake=RAKE),
    "one plays the board": small_spot("AsKsQsJsTs", "AhAd,22", "KhKd,22:0.5", "50%", rake=RAKE),
    "raked turn": small_spot("Ks7h2d9c", "AhAd,KdQd,8s8h", "QhQc,AsKh,7s6s", "75%", "a", rake=RAKE),
    "a river that blocks all hands": small_spot("4h9sAc3s", "Qs5c,QhQd", "Qd6h,Qs6h,6h5h", "50%"),
}
MONOTONE_TURN = small_spot("Ks7s2sTs", "AcAd,KcQc,KdQd,KhQh,AhAd,AcAh", "7c7d,7d7h,7c7h", "a")
MONOTONE_FLOP = small_spot("Ks7s2s", "AhAd,AcAh,AcAd", "KdQd,KcQc,KhQh", "75%", stack=90)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Operations this small take longer to share than to do."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def on_torch(spot: Spot, chunk_bytes: int = CHUNK_BYTES) -> TorchEngine:
    return TorchEngine(lay_out(spot), device="cpu", chunk_bytes=chunk_bytes)


def on_cpu(spot: Spot) -> PostflopEngine:
    return PostflopEngine(lay_out(spot))


@pytest.mark.parametrize("name", SPOTS)
def test_first_iterations_are_the_oracles(name: str) -> None:
    spot = SPOTS[name]
    assert first_iterations_gap(on_torch(spot), Oracle(spot), 3) <= 1


@pytest.mark.parametrize(("cards", "seed"), [(5, 0), (5, 1), (5, 2), (5, 3), (4, 0), (4, 1)])
def test_locked_spots_are_the_oracles(cards: int, seed: int) -> None:
    spot = random_locks(random_spot(seed, cards), seed)
    engine, oracle = on_torch(spot), LockedOracle(spot)
    where = places(engine.layout, oracle)
    cpu = PostflopEngine(engine.layout)
    cpu.train(2)
    engine.restore(cpu.stored(), cpu.iteration)
    for player in (0, 1):
        weights = engine.schedule.table(3, 1)[0].astype(np.float32)
        before = [read(array, where) for array in (engine.regret, engine.policy_sum)]
        for each in (engine, cpu):
            each.run_pass(player, LEARN, weights)
        got, want = (
            [read(array, where) for array in (each.regret, each.policy_sum)]
            for each in (engine, cpu)
        )
        assert largest_gap(oracle, got[0], want[0], regret_budget(oracle, player, before[0])) <= 2
        assert largest_gap(oracle, got[1], want[1], sum_budget(oracle, before[1])) <= 2
        engine.restore(cpu.stored(), cpu.iteration)
    policy = normalised(read(cpu.policy_sum, where))
    if engine.layout.runouts.num_boards[RIVER] == len(oracle.boards[RIVER]):
        assert max(cfv_gaps(engine, oracle, policy)) <= 1
    assert engine.measure()[0] == pytest.approx(
        cpu.measure()[0], abs=oracle.budget_chips(0) + oracle.budget_chips(1)
    )


def test_a_lock_holds_from_the_beginning_and_in_the_best_response() -> None:
    lock = {"line": "b75", "hands": {"QQ": {"c": 0.25, "f": 0.75}}}
    spot = small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK", "75%", "a", locks=[lock])
    engine, oracle = on_torch(spot), LockedOracle(spot)
    where = places(engine.layout, oracle)
    for _ in range(2):
        for table in (read(engine.regret, where), read(engine.policy_sum, where)):
            held = oracle.held(table)
            assert all((held[n] == values).all() for n, values in table.items())
        engine.train(1)
    assert max(cfv_gaps(engine, oracle, normalised(read(engine.policy_sum, where)))) <= 1


def test_other_locks_hold_in_the_best_response_too() -> None:
    spot = SPOTS["river"]
    locked = spot.with_locks([{"line": "x", "strategy": {"x": 1}}])
    engine, cpu = on_torch(spot), on_cpu(locked)
    engine.train(2)
    engine.set_locks(lay_out(locked))
    cpu.restore(engine.stored(), 2)
    free = on_torch(spot)
    free.restore(engine.stored(), 2)
    got, want, before = (
        each.run_pass(1, BEST, np.zeros(3, np.float32)) for each in (engine, cpu, free)
    )
    budget = 4e-6 * np.abs(want).max()
    assert np.abs(got - want).max() <= budget
    assert np.abs(before - want).max() > 100 * budget, "the lock costs something"


@pytest.mark.parametrize(
    ("spot", "chunk_bytes"),
    [(MONOTONE_TURN, 1), (MONOTONE_TURN, 1 << 28), (MONOTONE_FLOP, 1 << 21)],
    ids=["turn, a board at a time", "turn", "flop"],
)
def test_isomorphic_cards_are_added_up(spot: Spot, chunk_bytes: int) -> None:
    """However many boards are walked at once."""
    assert len(suit_symmetries(spot.cards, spot.weights)) == 6
    engine, cpu, oracle = on_torch(spot, chunk_bytes), on_cpu(spot), Oracle(spot)
    levels = engine._walk.levels
    levels[1] = replace(levels[1], at_once=min(10, levels[1].at_once))  # also turns of a flop
    where = places(engine.layout, oracle)
    cpu.train(2)
    for player in (0, 1):
        state = symmetrise(cpu, oracle, where)
        engine.restore(cpu.stored(), 2)
        weights = np.array([0.9, 0.6, 0.8], np.float32)
        assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1
        engine.restore(cpu.stored(), 2)
        assert max(cfv_gaps(engine, oracle, normalised(state[1]))) <= 1
        cpu.run_pass(player, LEARN, weights)


def test_hands_that_hold_a_dealt_card_are_never_played() -> None:
    engine, oracle = on_torch(SPOTS["raked turn"]), Oracle(SPOTS["raked turn"])
    engine.train(2)
    assert plays_live_hands_only(engine, oracle)


def test_training_is_passes_by_the_schedule_and_repeats_bit_by_bit() -> None:
    trained, passes = on_torch(SPOTS["raked turn"]), on_torch(SPOTS["raked turn"])
    trained.train(2)
    trained.step()
    for t in range(1, 4):
        for player in (0, 1):
            passes.run_pass(player, LEARN, np.array(passes.schedule.at(t), np.float32))
    assert trained.iteration == 3
    assert (trained.regret == passes.regret).all()
    assert (trained.policy_sum == passes.policy_sum).all()
    before = trained.regret, trained.policy_sum
    trained.measure()[0]
    assert (trained.regret == before[0]).all()
    assert (trained.policy_sum == before[1]).all()


def test_another_range_over_the_same_hands() -> None:
    engine = with_another_range(on_torch)
    with pytest.raises(InputError, match="regret has shape"):
        engine.restore({**engine.stored(), "regret": engine.regret[:5]}, 1)


def test_the_best_response_plays_what_is_locked() -> None:
    """What else it plays, and what that is worth, is the same for every engine: test_response."""
    lock = {"line": "b75", "hands": {"QQ": {"c": 0.25, "f": 0.75}}}
    spot = small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK", "75%", "a", locks=[lock])
    engine, cpu = on_torch(spot), on_cpu(spot)
    engine.train(3)
    cpu.restore(engine.stored(), 3)
    got, want = engine.best_response(1), cpu.best_response(1)
    assert np.abs(got[0] - want[0]).max() <= 4e-6 * np.abs(want[0]).max()
    locked = [held for held in engine.layout.lock_tables.held(1) if len(held.hands)]
    assert locked
    for held in locked:
        rows = state_rows(engine.layout, got[1], held.node, held.board, held.board + 1)[0]
        assert (rows[:, held.hands] == held.policy).all()


def test_solved_on_a_device_and_continued_on_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A device of another name is all that is pretended here."""
    monkeypatch.setattr("poker_solver.runtime.device.torch_name", {"xpu": "cpu:0"}.get)
    spot, path = SPOTS["raked river"], tmp_path / "a.pks"
    solution = solve(spot, target_pct=0.1, device="xpu")
    assert solution.record.device == "cpu:0"
    assert solution.record.peak_bytes == solution.record.planned_bytes > 0
    monkeypatch.undo()
    on_one = solve(spot, target_pct=0.01)
    assert solution.record.ev_chips == pytest.approx(on_one.record.ev_chips, abs=0.001 * spot.pot)

    solver = PostflopSolver(spot, device="cpu")
    solver.solve(None, max_iterations=20, checkpoint=path)
    monkeypatch.setattr("poker_solver.runtime.device.torch_name", {"xpu": "cpu:0"}.get)
    other = PostflopSolver.load(path, spot=spot, device="xpu")
    assert isinstance(other.engine, TorchEngine)
    assert (other.engine.regret == solver.engine.regret).all()
    assert other.solve(0.1).record.exploitability_chips <= 0.001 * spot.pot
    other.save(path)
    monkeypatch.undo()
    back = PostflopSolver.load(path, spot=spot, device="cpu")
    assert back.iteration == other.iteration > 20
    assert (back.engine.policy_sum == other.engine.policy_sum).all()


def test_regrets_are_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_solver.runtime.device.torch_name", {"xpu": "cpu:0"}.get)
    with pytest.raises(DeviceError, match="device cpu:0: regrets are float32 there"):
        PostflopSolver(SPOTS["river"], device="xpu", precision="int16")


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_solver.postflop.engines.torch.available_bytes", lambda device: 1000)
    with pytest.raises(MemoryPlanError, match=r"needs .*regret.*boards.*, cpu has 0.0 MB free"):
        on_torch(SPOTS["river"])


@pytest.mark.parametrize(
    "error",
    [torch.OutOfMemoryError("many\nlines"), RuntimeError("MPS backend out of memory (10 GB\n")],
)
def test_memory_that_runs_out_is_one_line(
    monkeypatch: pytest.MonkeyPatch, error: RuntimeError
) -> None:
    engine = on_torch(SPOTS["river"])

    def full(*given: object) -> None:
        raise error

    monkeypatch.setattr(engine._walk, "root_cfv", full)
    with pytest.raises(MemoryPlanError, match="device cpu ran out of memory"):
        engine.train(1)


@pytest.mark.parametrize("name", ["tpu", "xpu:x", "cpu:", "mps:1"])
def test_devices_that_nobody_has(name: str) -> None:
    with pytest.raises(DeviceNameError, match=f"device is '{name}', must be one of auto, cpu"):
        torch_name(name)


@pytest.mark.parametrize("name", ["meta", "vulkan"])
def test_devices_that_are_not_here(name: str) -> None:
    with pytest.raises(DeviceError, match=f"device {name} is not available: PyTorch"):
        torch_name(name)
