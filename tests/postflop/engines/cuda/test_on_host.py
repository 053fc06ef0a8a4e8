"""The CUDA engine without a GPU: its kernels compiled for the host, against the float64 oracle."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poker_solver.cards.isomorphism import suit_symmetries
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError, MemoryPlanError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS
from poker_solver.kernels.postflop.cuda.structs import WIDE
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda import exchange as postflop_cuda_order
from poker_solver.postflop.engines.cuda import group as postflop_cuda_group
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.solving import solve
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_oracle import Oracle, Table, normalised
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import (
    cfv_gaps,
    first_iterations_gap,
    learn_gaps,
    owned,
    places,
    read,
    with_another_range,
)

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

ROOT = Path(__file__).parents[4]
RAKE = {"rate": 0.05, "cap": 3.0}
SPOTS: dict[str, Spot] = {
    "river": small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "50%,a", "a"),
    "raked river": small_spot("Ks7h2d9c4s", "AA,KQ,77:0.5", "QQ,AK,76s", "75%", "a", rake=RAKE),
    "raked turn": small_spot("Ks7h2d9c", "AhAd,KdQd,8s8h", "QhQc,AsKh,7s6s", "75%", "a", rake=RAKE),
    "flop, all-in": small_spot("Ks7s2s", "AcAd,QhQc", "QhQd,AsKh", "", stack=90),
}


ISOMORPHIC = small_spot(
    "Ks7s2sTs", "AcAd,KcQc,KdQd,KhQh,AhAd,AcAh", "7c7d,7d7h,7c7h", "a", stack=90
)
SIZES = {"bet": "75%", "raise": "a"}
LOCKED = Spot.from_mapping(
    {
        "board": "Ks7h2d9c4s", "pot": 100, "stack": 200,
        "oop": {"range": "AA,KQ,77", "river": SIZES}, "ip": {"range": "QQ,AK", "river": SIZES},
        "locks": [{"line": "b75", "hands": {"QQ": {"c": 0.25, "f": 0.75}}}],
    }
)  # fmt: skip


def on_host(spot: Spot, shared_bytes: int = 227 << 10, threads: int = 32, **how: Any) -> CudaEngine:
    machine = HostMachine(shared_bytes)
    return CudaEngine(lay_out(spot), machine=machine, threads=threads, upper_threads=32, **how)


@pytest.mark.parametrize("name", SPOTS)
def test_first_iterations_are_the_oracles(name: str) -> None:
    spot = SPOTS[name]
    assert first_iterations_gap(on_host(spot), Oracle(spot), 2) <= 1


@pytest.mark.parametrize(
    ("shared_bytes", "most_rows", "kernel"),
    [(227 << 10, 0, "river_learn"), (0, MOST_ROWS, "river_learn_far")],
)
def test_lines_too_large_for_code_of_their_own(
    shared_bytes: int, most_rows: int, kernel: str
) -> None:
    """Five actions and any number of raises, by the kernel that reads programs."""
    spot = small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "33%,75%,150%,a", "2.5x,a", rake=RAKE)
    engine, oracle = on_host(spot, shared_bytes, most_rows=most_rows), Oracle(spot)
    where = places(engine.layout, oracle)
    for weights in engine.schedule.table(1, 2).astype(np.float32):
        for player in (0, 1):
            assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1
    assert max(cfv_gaps(engine, oracle, normalised(read(engine.policy_sum, where)))) <= 1
    assert kernel in engine.machine.launched  # type: ignore[attr-defined]


def test_several_warps_wait_for_each_other() -> None:
    spot = SPOTS["river"]
    engine, one = on_host(spot, threads=96), on_host(spot)
    for each in (engine, one):
        each.train(2)
    assert (engine.regret == one.regret).all()
    assert engine.measure()[0] == one.measure()[0]


@pytest.mark.parametrize("ip", ["random", "QQ,AK,76s"])
def test_hands_of_wide_ranges_are_summed_by_all_warps(ip: str) -> None:
    spot = small_spot("Ks7h2d9c4s", "random", ip, "75%", "a")
    engine, one = on_host(spot, threads=96), on_host(spot)
    assert len(engine.layout.combos[0]) > WIDE
    assert first_iterations_gap(engine, Oracle(spot), 2) <= 1
    one.train(2)
    assert (engine.regret == one.regret).all()


def test_isomorphic_cards_are_added_up() -> None:
    spot = ISOMORPHIC
    assert len(suit_symmetries(spot.cards, spot.weights)) == 6
    engine, oracle = on_host(spot), Oracle(spot)
    assert engine.layout.runouts.num_boards[RIVER] < 48
    engine.train(2)
    policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
    assert max(cfv_gaps(engine, oracle, policy)) <= 1


def test_training_is_passes_by_the_schedule_and_repeats_bit_by_bit() -> None:
    trained, passes = on_host(SPOTS["river"]), on_host(SPOTS["river"])
    trained.train(2)
    trained.train(1)
    for t in range(1, 4):
        for player in (0, 1):
            passes.run_pass(player, LEARN, np.array(passes.schedule.at(t), np.float32))
    assert trained.iteration == 3
    assert (trained.regret == passes.regret).all()
    assert (trained.policy_sum == passes.policy_sum).all()


@pytest.mark.parametrize("name", ["raked river", "raked turn"])
def test_state_goes_to_the_cpu_and_back(name: str) -> None:
    """A pass from one state gives the same on both, and reading returns what was written."""
    engine = on_host(SPOTS[name])
    cpu = PostflopEngine(engine.layout)
    cpu.train(3)
    engine.restore(cpu.stored(), cpu.iteration)
    oracle = Oracle(SPOTS[name])
    where = places(engine.layout, oracle)
    for got, want in ((engine.regret, cpu.regret), (engine.policy_sum, cpu.policy_sum)):
        found, wanted = read(got, where), read(want, where)
        for n in oracle.decisions:
            alive = oracle.alive(int(oracle.tree.street[n]), int(oracle.tree.actor[n]))[:, None] > 0
            assert (found[n] == wanted[n])[np.broadcast_to(alive, found[n].shape)].all()
    for player in (0, 1):
        for mode in (BEST, MEAN):
            want = cpu.run_pass(player, mode, np.zeros(3, np.float32))
            got = engine.run_pass(player, mode, np.zeros(3, np.float32))
            np.testing.assert_allclose(got, want, rtol=0, atol=oracle.budget_cfv(player))


@pytest.mark.parametrize("name", ["raked river", "raked turn"])
def test_the_first_decision_is_read_alone(name: str) -> None:
    engine = on_host(SPOTS[name])
    engine.train(2)
    want = state_rows(engine.layout, engine.policy_sum, 0, 0, 1)[0]
    assert (want.sum(axis=0) > 0).all()
    np.testing.assert_array_equal(engine.first_sums, want)


def test_a_solve_to_its_summary_loads_no_compiler_of_the_cpu() -> None:
    """Numba takes most of a second to load, several times what a GPU takes to solve a flop."""
    code = """
import json, sys
from poker_solver.config.spot import Spot
from poker_solver.postflop import plan
from poker_solver.postflop.solve import solver as postflop_solver
from tests.support.cuda_on_host import HostMachine

postflop_solver.open_gpu = lambda name: HostMachine()
plan.choose = lambda device, size, solvers: "cuda"
spot = Spot.from_mapping(json.loads(sys.argv[1]))
solution = postflop_solver.PostflopSolver(spot).solve(None, max_iterations=2)
print(json.dumps([solution.summary(), "numba" in sys.modules]))
"""
    spot = SPOTS["raked river"]
    given = [sys.executable, "-c", code, json.dumps(spot.to_mapping())]
    done = subprocess.run(given, capture_output=True, text=True, check=True, cwd=ROOT)
    summary, loaded = json.loads(done.stdout)
    assert not loaded
    cpu = solve(spot, target_pct=None, max_iterations=2, device="cpu").summary()
    for player in ("oop", "ip"):
        assert summary["players"][player] == pytest.approx(cpu["players"][player], abs=1e-4)
    assert summary["root"]["frequency"] == pytest.approx(cpu["root"]["frequency"], abs=1e-5)


class CountingMachine(HostMachine):
    """Knows how many bytes are allocated, and the most there were."""

    held = most = 0

    def allocate(self, num_bytes: int) -> int:
        self.held += num_bytes
        self.most = max(self.most, self.held)
        return super().allocate(num_bytes)

    def release(self, pointer: int, num_bytes: int) -> None:
        self.held -= num_bytes
        super().release(pointer, num_bytes)


def test_the_plan_has_room_for_reading_and_writing_piece_by_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A solve that fills the card must not fail when its result is read."""
    for module in (postflop_cuda_order, postflop_cuda_group):
        monkeypatch.setattr(module, "COPIED", 2000)
    machine = CountingMachine()
    engine = CudaEngine(lay_out(SPOTS["raked turn"]), machine=machine, threads=32, upper_threads=32)
    engine.train(1)
    assert engine.layout.num_elements > 5 * 2000
    before, regret, policy_sum = machine.held, engine.regret, engine.policy_sum
    engine.restore({"regret": regret, "policy_sum": policy_sum}, 1)
    small = 4096  # where rows stand in the plain order, kept once it is known
    slabs = {slab.name: slab.num_bytes for slab in engine.group.slabs(is_packed=False)}
    assert 0 < machine.most - before <= slabs["copies"] + small
    assert (engine.regret == regret).all()


@pytest.mark.parametrize("most_rows", [24, 0])
def test_locked_hands_play_what_they_are_told(most_rows: int) -> None:
    engine = on_host(LOCKED, most_rows=most_rows)
    cpu = PostflopEngine(engine.layout)
    for _ in range(2):
        engine.train(1)
        cpu.train(1)
    np.testing.assert_allclose(engine.policy_sum, cpu.policy_sum, rtol=0, atol=1e-4)
    for player in (0, 1):
        want = cpu.run_pass(player, BEST, np.zeros(3, np.float32))
        engine.restore(cpu.stored(), cpu.iteration)
        got = engine.run_pass(player, BEST, np.zeros(3, np.float32))
        np.testing.assert_allclose(got, want, rtol=0, atol=Oracle(LOCKED).budget_cfv(player))
    assert engine.measure()[0] == pytest.approx(cpu.measure()[0], abs=1e-3)


def test_another_range_over_the_same_hands() -> None:
    with_another_range(on_host)


def test_a_range_that_tells_equal_suits_apart_is_refused() -> None:
    engine = on_host(ISOMORPHIC)
    weights = engine.layout.reach[0].copy()
    weights[0] = 0.5
    with pytest.raises(InputError, match="suits that this layout takes for equal"):
        engine.set_reach(0, weights[None])


def most_given_away(oracle: Oracle, player: int, policy: Table, played: Table) -> float:
    """The most, in float64, that an action which is played is worth less than the best one.

    Two actions whose values are within their error of each other may be told apart either way.
    """
    worst = [0.0]

    def choose(node: int, by_action: Any) -> Any:
        rows, best = played[node], by_action.max(axis=1)
        value = (rows * by_action).sum(axis=1)
        is_told = ((rows > 0) & (rows < 1)).any(axis=1)  # locked hands
        lost = best - np.where(rows.sum(axis=1) > 0, value, by_action.min(axis=1))
        is_free = (oracle.alive(int(oracle.tree.street[node]), player) > 0) & ~is_told
        worst.append(float(lost[is_free].max(initial=0.0)))
        return np.where(is_told, value, best)

    oracle.root_cfv(player, policy, choose)
    return max(worst)


@pytest.mark.parametrize(
    ("name", "most_rows"),
    [("locked", 32), ("locked", 0), ("raked turn", 32)],
)
def test_the_best_response_is_the_cpus_and_worth_what_it_says(name: str, most_rows: int) -> None:
    spot = {**SPOTS, "locked": LOCKED}[name]
    engine = on_host(spot, most_rows=most_rows)
    cpu = PostflopEngine(engine.layout)
    cpu.train(3)
    engine.restore(cpu.stored(), cpu.iteration)
    before, nothing = engine.policy_sum, np.zeros(3, np.float32)
    oracle = Oracle(spot)
    where = places(engine.layout, oracle)
    policy = normalised(read(cpu.policy_sum, where))
    for player in (0, 1):
        budget = oracle.budget_cfv(player)
        (got, played), (want, _) = (each.best_response(player) for each in (engine, cpu))
        np.testing.assert_allclose(got, want, rtol=0, atol=budget)
        assert most_given_away(oracle, player, policy, read(played, where)) <= 2 * budget
        other = PostflopEngine(engine.layout)
        other.policy_sum[:] = np.where(owned(engine.layout, player), played, cpu.policy_sum)
        value = other.run_pass(player, MEAN, nothing)
        np.testing.assert_allclose(value, got, rtol=0, atol=budget)
    assert (engine.policy_sum == before).all()


def test_what_does_not_fit_is_refused_with_the_numbers() -> None:
    machine = HostMachine()
    machine.free_bytes = 1000
    with pytest.raises(
        MemoryPlanError, match=r"needs .* on the GPU .*regret.*, host has 0.0 MB free"
    ):
        CudaEngine(lay_out(SPOTS["river"]), machine=machine)
