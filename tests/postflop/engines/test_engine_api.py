"""What others build on the engine: root values, ranges that change, warm starts."""

import numpy as np
import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from tests.support.postflop_spots import small_spot
from tests.support.solved import flop_mapping
from tests.support.spots import named_spot

NOTHING = np.zeros(3, np.float32)


def turn_spot(oop="AA,KK,KsQs,9h8h", ip="QQ,AsKs,JJ:0.5,9d8d"):
    return small_spot("Ks9s4h2s", oop, ip, bet="50%", raise_="a")


@pytest.mark.parametrize("spot", [turn_spot(), named_spot("river_example")], ids=["turn", "river"])
def test_steps_are_iterations_and_return_the_root_values(spot):
    stepped, trained, fresh = (PostflopEngine(lay_out(spot)) for _ in range(3))
    first = stepped.step()
    uniform = [fresh.run_pass(player, MEAN, NOTHING) for player in (0, 1)]
    budget = 4e-6 * np.abs(uniform[0]).max()
    np.testing.assert_allclose(first[0][0], uniform[0], rtol=0, atol=budget)
    assert np.abs(first[1][0] - uniform[1]).max() > 1000 * budget  # OOP has moved on
    for _ in range(3):
        stepped.step()
    trained.train(4)
    assert stepped.iteration == trained.iteration == 4
    np.testing.assert_array_equal(stepped.regret, trained.regret)
    np.testing.assert_array_equal(stepped.policy_sum, trained.policy_sum)


def test_another_range_is_the_spot_with_that_range():
    changed, other = (
        PostflopEngine(lay_out(turn_spot())),
        PostflopEngine(lay_out(turn_spot(ip="QQ:0.25,AsKs,JJ,9d8d"))),
    )
    assert changed.layout.combos[1].tolist() == other.layout.combos[1].tolist()
    changed.set_reach(1, other.layout.reach[1][None])
    changed.train(5)
    other.train(5)
    np.testing.assert_array_equal(changed.regret, other.regret)
    assert changed.layout.num_pairs == other.layout.num_pairs
    assert changed.measure()[0] == other.measure()[0]
    assert changed.values()[0, 0] + changed.values()[1, 0] == pytest.approx(100, abs=1e-3)


def test_ranges_that_a_layout_cannot_hold_are_refused():
    spot = Spot.from_mapping(flop_mapping())
    engine = PostflopEngine(lay_out(spot))
    some = engine.layout.reach[0].copy()
    with pytest.raises(InputError, match="shape"):
        engine.set_reach(0, some[None, 1:])
    for bad in (-1.0, np.nan):
        with pytest.raises(InputError, match="finite and not negative"):
            engine.set_reach(0, np.append(some[1:], bad)[None])
    some[-1] /= 2  # one of the suited hands of a class, on a flop where suits stand for each other
    with pytest.raises(InputError, match="suits"):
        engine.set_reach(0, some[None])
    PostflopEngine(lay_out(spot, symmetries=[(0, 1, 2, 3)])).set_reach(0, some[None])


def test_a_warm_start_goes_on_bit_for_bit():
    straight, first, second = (PostflopEngine(lay_out(turn_spot())) for _ in range(3))
    straight.train(9)
    first.train(4)
    second.restore(first.stored(), first.iteration)
    second.train(5)
    np.testing.assert_array_equal(second.regret, straight.regret)
    np.testing.assert_array_equal(second.policy_sum, straight.policy_sum)
    with pytest.raises(InputError, match="policy_sum has shape"):
        second.restore({"regret": first.regret, "policy_sum": first.policy_sum[1:]}, 1)
