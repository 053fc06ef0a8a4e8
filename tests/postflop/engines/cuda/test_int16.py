"""Regrets of 16 bits on CUDA, its kernels compiled for the host, beside the CPU's."""

from typing import Any

import numpy as np
import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import MemoryPlanError
from poker_solver.kernels.postflop import BEST, LEARN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.int16 import packed_regret, plain_scales
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.runtime.memory import plan_bytes
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_oracle import Oracle
from tests.support.postflop_spots import small_spot

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

RAKE = {"rate": 0.05, "cap": 3.0}
RIVER = small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "50%,a", "a")
TURN = small_spot("Ks7h2d9c", "AhAd,KdQd,8s8h", "QhQc,AsKh,7s6s", "75%", "a", rake=RAKE)
LOCKED = Spot.from_mapping(
    {
        "board": "Ks7h2d9c4s", "pot": 100, "stack": 200,
        "oop": {"range": "AA,KQ,77", "river": {"bet": "75%", "raise": "a"}},
        "ip": {"range": "QQ,AK", "river": {"bet": "75%", "raise": "a"}},
        "locks": [{"line": "b75", "hands": {"QQ": {"c": 0.25, "f": 0.75}}}],
    }
)  # fmt: skip
SPOTS = {"river": RIVER, "raked turn": TURN, "locked river": LOCKED}


def on_host(spot: Spot, **how: Any) -> CudaEngine:
    given = {"machine": HostMachine(), "threads": 32, "upper_threads": 32, "precision": "int16"}
    return CudaEngine(lay_out(spot), **{**given, **how})


def decisions(layout: Layout) -> list[tuple[slice, int]]:
    """Of every decision on every board its regrets and the place of its scale."""
    found, places = [], layout.shape.offsets
    for node in np.flatnonzero(layout.tree.is_decision):
        street, player = int(layout.tree.street[node]), int(layout.tree.actor[node])
        size = int(layout.tree.num_children[node]) * layout.width[player]
        for board in range(layout.runouts.num_boards[street]):
            begin = int(layout.offset[node] + board * layout.stride[node])
            at = int(places.scale_at[node] + board * places.scale_stride[node])
            found.append((slice(begin, begin + size), at))
    return found


def numbers(engine: CudaEngine | PostflopEngine) -> tuple[Any, Any]:
    """[elements] regrets as numbers, and the scale of each."""
    regret, scale = engine.regret.astype(np.float64), np.zeros(engine.layout.num_elements)
    for part, at in decisions(engine.layout):
        scale[part] = engine.scale[at]
    return regret * scale, scale


def both(spot: Spot, **how: Any) -> tuple[CudaEngine, PostflopEngine]:
    """The two engines with the state of the CPU's after two iterations."""
    cpu = PostflopEngine(lay_out(spot), precision="int16")
    cpu.train(2)
    gpu = on_host(spot, **how)
    gpu.restore(cpu.stored(), cpu.iteration)
    return gpu, cpu


@pytest.mark.parametrize("most_rows", [32, 0])
@pytest.mark.parametrize("name", SPOTS)
def test_a_pass_is_the_cpus(name: str, most_rows: int) -> None:
    """From one state: a step of the scale apart where both round, and what cfv may differ by."""
    spot = SPOTS[name]
    gpu, cpu = both(spot, most_rows=most_rows)
    oracle = Oracle(spot)
    live = cpu.policy_sum > 0
    for player in (0, 1):
        for engine in (gpu, cpu):
            engine.run_pass(player, LEARN, np.array(cpu.schedule.at(3), np.float32))
        (got, step), (want, _) = numbers(gpu), numbers(cpu)
        budget = 2 * oracle.budget_cfv(player) + 1.001 * step
        free = live & ~locked(cpu.layout)
        assert (np.abs(got - want) <= budget)[free].all()
        np.testing.assert_allclose(gpu.policy_sum[live], cpu.policy_sum[live], rtol=1e-5, atol=1e-6)
        gpu.restore(cpu.stored(), cpu.iteration)


def locked(layout: Layout) -> Any:
    """[elements] whether a lock holds it."""
    held = np.zeros(layout.num_elements, np.float32)
    engine = PostflopEngine(layout)
    for player in (0, 1):
        engine.lay_locks(player, held)
    return held > 0


@pytest.mark.parametrize("name", SPOTS)
def test_state_goes_there_and_back_bit_by_bit(name: str) -> None:
    gpu, cpu = both(SPOTS[name])
    alive = cpu.policy_sum > 0
    assert gpu.regret.dtype == np.int16
    assert (gpu.regret[alive] == cpu.regret[alive]).all()
    assert (gpu.scale == cpu.scale).all()
    back = PostflopEngine(cpu.layout, precision="int16")
    back.restore(gpu.stored(), gpu.iteration)
    for player in (0, 1):
        got, want = (
            engine.run_pass(player, BEST, np.zeros(3, np.float32)) for engine in (gpu, back)
        )
        np.testing.assert_allclose(got, want, rtol=0, atol=Oracle(SPOTS[name]).budget_cfv(player))


@pytest.mark.parametrize("most_rows", [32, 0])
def test_the_largest_regret_of_a_decision_takes_all_bits(most_rows: int) -> None:
    engine = on_host(TURN, most_rows=most_rows)
    engine.train(2)
    regret, scale = engine.regret, engine.scale
    for part, at in decisions(engine.layout):
        most = np.abs(regret[part].astype(np.int32)).max()
        assert most == (32767 if scale[at] > 0 else 0)


def test_every_scale_has_one_place_on_either_side() -> None:
    """Of two flops side by side, in the order of a file and on the device."""
    flops = [small_spot(board, "AA", "QQ", "75%", stack=300) for board in ("Ks7s2d", "Th9h8h")]
    group = group_spots([lay_out(spot) for spot in flops], packed=True)
    sides = [packed_regret(group, player, HostMachine()) for player in (0, 1)]
    for spot, layout in enumerate(group.layouts):
        plain = [plain_scales(group, spot, player, sides[player])[0] for player in (0, 1)]
        num_scales = layout.shape.offsets.num_scales
        assert sorted(np.concatenate(plain).tolist()) == list(range(num_scales))
    for player, packed in enumerate(sides):
        device = [plain_scales(group, spot, player, packed)[1] for spot in (0, 1)]
        size = packed.scale.num_bytes // 4
        assert sorted(np.concatenate(device).tolist()) == list(range(size))


@pytest.mark.parametrize("name", SPOTS)
def test_going_on_is_as_if_never_stopped(name: str) -> None:
    straight, first, second = (on_host(SPOTS[name]) for _ in range(3))
    straight.train(3)
    first.train(2)
    second.restore(first.stored(), first.iteration)
    second.train(1)
    assert (second.regret == straight.regret).all()
    assert (second.scale == straight.scale).all()
    assert (second.policy_sum == straight.policy_sum).all()


def test_locked_hands_play_what_they_are_told() -> None:
    engine = on_host(LOCKED)
    cpu = PostflopEngine(engine.layout, precision="int16")
    for each in (engine, cpu):
        each.train(10)
    held = locked(engine.layout)
    assert (engine.policy_sum[held] == cpu.policy_sum[held]).all()
    assert (engine.regret[held] == cpu.regret[held]).all()
    assert engine.measure()[0] == pytest.approx(cpu.measure()[0], abs=0.05)


def test_a_river_is_solved() -> None:
    engine = on_host(RIVER)
    engine.train(300)
    assert engine.measure()[0] < 1e-3 * RIVER.pot


def test_16_bits_are_offered_where_they_would_fit() -> None:
    machine = HostMachine()
    group = on_host(RIVER).group
    small, large = (plan_bytes(group.slabs(packed)) for packed in (True, False))
    assert small < large
    machine.free_bytes = small
    with pytest.raises(MemoryPlanError, match="give precision int16"):
        CudaEngine(lay_out(RIVER), machine=machine)
    CudaEngine(lay_out(RIVER), machine=machine, precision="int16", threads=32, upper_threads=32)
