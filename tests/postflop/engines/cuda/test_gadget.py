"""The root of a subgame inside the iterations of a GPU, and of the host that stands for one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.gadget import Gadget, reference
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.cuda.sources import root_kernels
from poker_solver.kernels.postflop.cuda.structs import Root
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.runtime.cuda import Gpu, Launch
from poker_solver.trees.runouts import IDENTITY
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_oracle import Oracle
from tests.support.postflop_spots import small_spot

MACHINES = [
    pytest.param(
        HostMachine, id="host", marks=pytest.mark.skipif(COMPILER is None, reason="no compiler")
    ),
    pytest.param(Gpu, id="gpu", marks=pytest.mark.gpu),
]
Machine = Callable[[], Gpu]
EPS = float(np.finfo(np.float32).eps)
NOTHING = np.zeros(3, np.float32)

RAKE = {"rate": 0.05, "cap": 3.0}
SPOTS: dict[str, Spot] = {
    "river": small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77,QJs,65s,T9s", "100%", "a", stack=300),
    "raked turn": small_spot("KhQd7s4c", "AQs,JJ", "KK,QJs,65s,T9s", "75%", "a", rake=RAKE),
    "flop": small_spot("Ks7s2s", "AcAd,QhQc", "QhQd,AsKh,8h8d", "a", stack=90),
}


def gadget_of(layout: Layout, player: int, forced: float = 0.2) -> Gadget:
    """Some may and some must play; what they may take lies about where playing does."""
    weights = layout.reach[player].astype(np.float64)
    met = layout.reach[1 - player].sum()
    take = np.random.default_rng(5).normal(scale=0.3 * layout.game.pot * met, size=len(weights))
    return Gadget.of(player, forced * weights, (1 - forced) * weights, take)


def engines(make: Machine, name: str, player: int) -> tuple[CudaEngine, PostflopEngine]:
    """The same game behind the same gadget on a device and on the CPU."""
    layout = lay_out(SPOTS[name], symmetries=[IDENTITY])
    how: dict[str, Any] = {"threads": 32, "upper_threads": 32} if make is HostMachine else {}
    cuda = CudaEngine(layout, machine=make(), gadget=gadget_of(layout, player), **how)
    return cuda, PostflopEngine(layout, gadget=gadget_of(layout, player))


@pytest.mark.parametrize("make", MACHINES)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), num_hands=st.integers(1, 300))
def test_one_step_is_that_of_the_reference(make: Machine, seed: int, num_hands: int) -> None:
    rng, machine = np.random.default_rng(seed), make()
    machine.load(dict([root_kernels()]))
    forced, choice, take, cfv = rng.normal(size=(4, num_hands)).astype(np.float32)
    regret = (rng.normal(size=(2, num_hands)) * (rng.random((2, num_hands)) < 0.8)).astype("f4")
    sums, weights = rng.random((2, num_hands), np.float32), np.array([0.9, 0.5, 0.7], np.float32)
    forced, choice = np.abs(forced), np.abs(choice)
    names = ["forced", "choice", "take", "cfv", "regret", "sum", "weights"]
    given = (forced, choice, take, cfv, regret, sums, weights)
    on = {name: machine.put(array) for name, array in zip(names, given, strict=True)}
    on["reach"] = machine.put(np.full(num_hands + 3, 7, np.float32))
    pointers = {name: array.pointer for name, array in on.items()}
    root = Root(**pointers, stored=on["sum"].pointer, hands=num_hands).as_c()
    machine.launch([Launch("settle_root", -(-num_hands // 64), 64, 0, root)])
    exact = Weights(*(float(weight) for weight in weights))
    old, old_sums, of_take, of_cfv = (x.astype(np.float64) for x in (regret, sums, take, cfv))
    want, want_sums = reference.settle(of_take, of_cfv, old, old_sums, exact)
    r = np.abs(of_cfv - of_take)  # no more than this is added to a regret
    new, new_sums = (machine.get(on[name]).reshape(2, -1).copy() for name in ("regret", "sum"))
    assert (np.abs(new - want) <= 2 * EPS * (np.abs(old) + r) + 4 * EPS * r).all()
    assert (np.abs(new_sums - want_sums) <= 2 * EPS * (old_sums + 1) + 4 * EPS).all()
    for stored, kernel in ((new, None), (new_sums, "enter_root")):
        if kernel is not None:
            machine.launch([Launch(kernel, -(-num_hands // 64), 64, 0, root)])
        reach, by_hand = machine.get(on["reach"]), (forced, choice, stored)
        played = reference.enter(*(x.astype(np.float64) for x in by_hand))
        np.testing.assert_allclose(reach[:num_hands], played, rtol=6 * EPS)
        assert (reach[num_hands:] == 7).all()


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", SPOTS)
def test_a_step_behind_a_gadget_is_that_of_the_cpu(make: Machine, name: str, player: int) -> None:
    """From one state, pass by pass: what playing is worth, and how much plays after it."""
    cuda, cpu = engines(make, name, player)
    budget = [Oracle(SPOTS[name]).budget_cfv(p) for p in (0, 1)]
    iterations = 1 if name == "flop" else 3  # of 2,352 rivers each
    for row in cuda.schedule.table(1, iterations).astype(np.float32):
        for p in (0, 1):
            cpu.restore(cuda.stored(), 0)
            mine = read_root(cuda)
            cpu.gadget.regret[:], cpu.gadget.policy_sum[:] = mine.regret, mine.policy_sum
            cpu._put_reach(player, cuda.root_reach(player))
            got, want = (engine.run_pass(p, LEARN, row) for engine in (cuda, cpu))
            np.testing.assert_allclose(got, want, rtol=0, atol=budget[p])
            new = read_root(cuda)
            if p != player:
                assert (new.regret == mine.regret).all()
                continue
            error = budget[p] + 8 * EPS * np.abs(new.regret).max()
            np.testing.assert_allclose(new.regret, cpu.gadget.regret, rtol=0, atol=error)
            sums = new.policy_sum, cpu.gadget.policy_sum  # each within (2 + 2) ulp of 1
            np.testing.assert_allclose(*sums, rtol=2 * EPS, atol=8 * EPS)
            by_hand = (new.forced, new.choice, new.regret)
            played = reference.enter(*(x.astype(np.float64) for x in by_hand))
            np.testing.assert_allclose(cuda.root_reach(player), played, rtol=6 * EPS)


def read_root(engine: CudaEngine) -> Gadget:
    """What the device has learned at the root."""
    assert engine.group.gadget is not None
    return engine.group.gadget.read(engine.machine)


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(("name", "iterations"), [("river", 100), ("raked turn", 20)])
def test_a_solve_behind_a_gadget_is_worth_what_the_cpu_says(
    make: Machine, name: str, iterations: int
) -> None:
    """The same averages, measured by both; neither solve follows the other."""
    cuda, cpu = engines(make, name, 1)
    uniform = float(cuda.measure()[0])
    cuda.train(iterations)
    assert 0 < float(cuda.measure()[0]) < 0.1 * uniform
    before = cuda.root_reach(1)
    cpu.restore(cuda.stored(), iterations)
    mine = read_root(cuda)
    cpu.gadget.regret[:], cpu.gadget.policy_sum[:] = mine.regret, mine.policy_sum
    for mode in (BEST, MEAN):
        got_totals, want_totals = (each.gadget_totals(mode) for each in (cuda, cpu))
        assert got_totals == pytest.approx(want_totals, abs=1e-4 * cuda.layout.game.pot)
    np.testing.assert_array_equal(cuda.root_reach(1), before)  # measuring changes nothing
    for engine in (cuda, cpu):
        engine.enter_average()
    np.testing.assert_allclose(cuda.root_reach(1), cpu.root_reach(1), rtol=6 * EPS)
    assert float(cuda.measure()[0]) == pytest.approx(float(cpu.measure()[0]), abs=1e-3)


@pytest.mark.parametrize("make", MACHINES)
def test_training_settles_within_iterations(make: Machine) -> None:
    """Iterations that are launched together are the same as passes one by one."""
    trained, _ = engines(make, "river", 0)
    passes, _ = engines(make, "river", 0)
    trained.train(9)
    for row in passes.schedule.table(1, 9).astype(np.float32):
        for player in (0, 1):
            passes.run_pass(player, LEARN, row)
    for got, want in zip(read_root(trained), read_root(passes), strict=True):
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(trained.policy_sum, passes.policy_sum)


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("name", SPOTS)
def test_the_first_street_is_read_alone(make: Machine, name: str) -> None:
    cuda, cpu = engines(make, name, 1)
    cuda.train(1)
    cpu.restore(cuda.stored(), 1)
    layout, tree = cuda.layout, cuda.layout.tree
    sums = cuda.street_sums
    assert len(sums) < layout.num_elements or tree.first_street == RIVER
    first = tree.is_decision & (tree.street == tree.first_street)
    for node in np.flatnonzero(first).tolist():
        want = state_rows(layout, cpu.policy_sum, node, 0, 1)
        np.testing.assert_array_equal(state_rows(layout, sums, node, 0, 1), want)
    np.testing.assert_array_equal(cuda.first_sums, state_rows(layout, sums, 0, 0, 1)[0])


@pytest.mark.parametrize("make", MACHINES)
def test_other_locks_keep_what_was_learned_at_the_root(make: Machine) -> None:
    cuda, _ = engines(make, "river", 1)
    cuda.train(5)
    before, reach = read_root(cuda), cuda.root_reach(1)
    cuda.set_locks(cuda.layout)
    for got, want in zip(read_root(cuda), before, strict=True):
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(cuda.root_reach(1), reach)


@pytest.mark.skipif(COMPILER is None, reason="no compiler")
def test_several_spots_have_no_gadget() -> None:
    layout = lay_out(SPOTS["river"])
    group = group_spots([layout, layout])
    with pytest.raises(InputError, match="spots with a gadget are solved one at a time"):
        CudaGroup(group, machine=HostMachine(), gadget=gadget_of(layout, 1))
