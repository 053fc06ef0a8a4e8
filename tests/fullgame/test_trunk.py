"""The trunk on two flops with a few classes: zero-sum, convergent, resumed bit for bit."""

from functools import cache

import numpy as np
import pytest

from poker_solver.cards.classes import parse_hand
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import as_schedule
from poker_solver.config.base import Rake
from poker_solver.config.preflop import Config
from poker_solver.config.sizes import parse_sizes
from poker_solver.config.spot import PlayerSizes, PostflopBetting, Thresholds
from poker_solver.fullgame.engines import LineEngines, Machine
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.lift import Lift
from poker_solver.fullgame.trunk import Preflop, Trunk
from poker_solver.games.betting import BettingRules

FLOPS = FlopSet("two", ("KsQs2h", "9c8d3h"), (12_000.0, 10_100.0))
SCHEDULE = as_schedule("dcfr:1.5,0.5,3")


@cache
def small_game() -> FullGame:
    """Five big blinds, six classes; who is called before the flop may only jam after it."""
    config = Config(stack_depth=5, raise_sizes=[2, 5], limp=False)
    jam = PlayerSizes(parse_sizes("a", raising=False), parse_sizes("a", raising=True))
    streets = (PlayerSizes(), jam, jam, jam)
    after = PostflopBetting(
        num_cards=3, pot=400, stack=300, sizes=(streets, streets), rake=Rake(),
        thresholds=Thresholds(), max_raises=1,
    )  # fmt: skip
    classes = [parse_hand(hand)[0] for hand in ("AA", "KQ", "98o", "72o", "T9", "33")]
    return full_game(BettingRules(config.betting, (after,)), classes)


def trunk(threads: int = 1) -> Trunk:
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=threads))
    before = Preflop(small_game(), SCHEDULE)
    return Trunk(before, FLOPS, [opening() for opening in lines.prepare(FLOPS.flops)], SCHEDULE)


def test_a_trunk_is_zero_sum_and_comes_near_equilibrium() -> None:
    solved = trunk()
    solved.train(120)
    worth = solved.worth()
    assert sum(worth.mean) == pytest.approx(0.0, abs=1e-7)
    assert worth.exploitability_bb < 1e-3
    assert worth.best[0] >= worth.mean[0] - 1e-7
    assert worth.best[1] >= worth.mean[1] - 1e-7


def test_a_resumed_trunk_goes_on_bit_for_bit() -> None:
    through, stopped = trunk(), trunk()
    through.train(9)
    stopped.train(4)
    resumed = trunk()
    resumed.restore({name: array.copy() for name, array in stopped.stored().items()}, 4)
    resumed.train(5)
    for name, array in through.stored().items():
        assert np.array_equal(array, resumed.stored()[name]), name


def test_a_lift_on_the_same_flops_is_worth_what_the_trunk_is() -> None:
    solved = trunk()
    solved.train(120)
    sums = solved.preflop.state.policy_sum
    lift = Lift(small_game(), sums, LineEngines(small_game(), SCHEDULE, Machine()), 0.05)
    (_, first), (lot, second) = lift.solve(FLOPS, at_once=1)
    assert lot == range(1, 2)
    total, before = first + second, solved.worth()
    worth = solved.before.worth(total.best, total.mean)
    assert worth.mean == pytest.approx(before.mean, abs=2e-4)
    assert worth.best[0] >= worth.mean[0] - 1e-7
    assert worth.best[1] >= worth.mean[1] - 1e-7
