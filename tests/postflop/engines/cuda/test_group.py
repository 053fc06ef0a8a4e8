"""Spots of one shape side by side on a GPU, its kernels on the host: what each is alone."""

from collections.abc import Sequence

import numpy as np
import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import InputError, MemoryPlanError
from poker_solver.games.betting import RIVER
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.layout.layout import lay_out
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_oracle import Oracle, normalised
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import places, read

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

RAKE = {"rate": 0.05, "cap": 3.0}
SHAPES: dict[str, list[Spot]] = {
    "river": [
        small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "50%,a", "a"),
        small_spot("QsJh2h5c9d", "QQ:0.5,T8s,87s", "AJ,JJ,22", "50%,a", "a"),
        small_spot("7s6s5s4s3s", "AA", "KK:0.3", "50%,a", "a"),  # all tie
    ],
    "raked turn": [
        small_spot("Ks7h2d9c", "AhAd,KdQd,8s8h", "QhQc,AsKh,7s6s", "75%", "a", rake=RAKE),
        small_spot("Ks7s2sTs", "AcAd,KcQc,KdQd,KhQh,AhAd,AcAh", "7c7d,7d7h,7c7h", "75%", "a",
                   rake=RAKE),
        small_spot("Kh7h2hTh", "AcAd,AcAs,AdAs,KcQc,KdQd,KsQs", "7c7d,7d7s,7c7s", "75%", "a",
                   rake=RAKE),  # other suits are alike
    ],
    "flop, all-in": [
        small_spot("Ks7s2s", "AA,QQ", "76s,KJs:0.5", "", stack=90),
        small_spot("KsKh2d", "AA", "QQ,76s", "", stack=90),
    ],
}  # fmt: skip


def group_of(spots: Sequence[Spot], most_rows: int = 32) -> CudaGroup:
    group = group_spots([lay_out(spot) for spot in spots], most_rows)
    return CudaGroup(group, machine=HostMachine(), threads=32, upper_threads=32)


def alone(spot: Spot, most_rows: int = 32) -> CudaEngine:
    return CudaEngine(
        lay_out(spot), machine=HostMachine(), most_rows=most_rows, threads=32, upper_threads=32
    )


@pytest.mark.parametrize(("name", "most_rows"), [*((name, 32) for name in SHAPES), ("river", 0)])
def test_each_is_bit_for_bit_what_it_is_alone(name: str, most_rows: int) -> None:
    spots = SHAPES[name]
    group = group_of(spots, most_rows)
    iterations = 1 if name == "flop, all-in" else 3  # its boards are many
    group.train(iterations)
    exploitability, values = group.measure(), group.values()
    for k, spot in enumerate(spots):
        engine = alone(spot, most_rows)
        assert engine.layout.num_elements == group.spots.layouts[k].num_elements
        engine.train(iterations)
        assert (group.read([k], "regret")[0] == engine.regret).all()
        assert (group.read([k], "policy_sum")[0] == engine.policy_sum).all()
        rel = 1e-12 * spot.pot  # in float64, only the order of the sum differs
        assert exploitability[k] == pytest.approx(engine.measure()[0], abs=rel)
        for player in (0, 1):
            assert values[player, k] == pytest.approx(engine.values()[player, 0], abs=rel)


def test_boards_that_stand_for_different_numbers_of_others_are_side_by_side() -> None:
    """Suits are alike in different ways; the float64 oracle, which knows nothing of it, agrees."""
    spots = SHAPES["raked turn"]
    group = group_of(spots)
    boards = [layout.runouts.num_boards[RIVER] for layout in group.spots.layouts]
    assert boards[0] == 48 > boards[1] == boards[2]
    group.train(2)
    values = group.values()
    for k, spot in enumerate(spots):
        oracle = Oracle(spot)
        policy = normalised(
            read(group.read([k], "policy_sum")[0], places(group.spots.layouts[k], oracle))
        )
        for player in (0, 1):
            want = oracle.ev_chips(player, oracle.mean_cfv(player, policy))
            budget = oracle.budget_chips(player)
            assert values[player, k] == pytest.approx(want, abs=budget)


def test_a_spot_that_is_left_stays_as_it_is_and_the_others_go_on() -> None:
    spots = SHAPES["raked turn"][:2]
    group, engine = group_of(spots), alone(spots[1])
    group.train(2)
    before = group.read([0], "policy_sum")[0]
    group.leave(np.array([True, False]))
    group.train(2)
    engine.train(4)
    assert (group.read([0], "policy_sum")[0] == before).all()
    assert (group.read([1], "policy_sum")[0] == engine.policy_sum).all()
    rel = 1e-12 * spots[1].pot
    assert group.measure()[1] == pytest.approx(engine.measure()[0], abs=rel)


def test_locks_are_for_one_spot_at_a_time() -> None:
    spots = SHAPES["river"][:2]
    locked = spots[0].with_locks([{"line": "x", "hands": {"QQ": {"x": 1.0}}}])
    with pytest.raises(InputError, match="one at a time"):
        group_spots([lay_out(locked), lay_out(spots[1])])


def test_a_group_that_does_not_fit_says_so_with_the_numbers() -> None:
    machine = HostMachine()
    machine.free_bytes = 1000
    group = group_spots([lay_out(spot) for spot in SHAPES["river"]])
    with pytest.raises(MemoryPlanError, match=r"these 3 spots need .* solve fewer at a time, use"):
        CudaGroup(group, machine=machine)
