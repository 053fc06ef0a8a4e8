"""The trunk on two flops with a few classes: zero-sum, convergent, resumed bit for bit."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cards.classes import parse_hand
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import as_schedule
from poker_solver.config.base import Rake
from poker_solver.config.preflop import Config
from poker_solver.config.sizes import parse_sizes
from poker_solver.config.spot import PlayerSizes, PostflopBetting, Thresholds
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.lift import Lift
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.trunk import Preflop, Trunk
from poker_solver.games.betting import BettingRules
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.regret import Weights
from poker_solver.preflop.ranges import shares
from tests.support.full_game_oracle import measure_again, randomise

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


def trunk(kind: type[Trunk] = Trunk, warmup: int = 0) -> Trunk:
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=1))
    engines = [opening() for opening in lines.prepare(FLOPS.flops)]
    return kind(Preflop(small_game(), SCHEDULE), FLOPS, engines, SCHEDULE, warmup)


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


def test_flops_that_repeat_a_course_come_to_the_same_bits() -> None:
    solved, again = trunk(), trunk()
    solved.train(9)
    again.replay(solved.course)
    assert again.preflop.state.regret.max() == 0.0  # preflop has learnt nothing
    for name, array in solved.stored().items():
        if name.startswith("line"):
            assert np.array_equal(array, again.stored()[name]), name


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


def test_averages_begin_after_the_warmup() -> None:
    """Of five iterations the last two count, the fourth of them by (4/5)^3."""
    plain, warm = trunk(), trunk(warmup=3)
    played = []
    for _ in range(5):
        first = slice(1, 1 + len(plain.game.tree.children(0)))
        played.append(shares(np.maximum(plain.preflop.state.regret[first], 0.0)))
        plain.train(1)
    warm.train(5)
    want = played[3] * (4 / 5) ** 3 + played[4]
    np.testing.assert_allclose(warm.preflop.state.policy_sum[first], want, rtol=0, atol=1e-12)
    assert np.array_equal(warm.preflop.state.regret, plain.preflop.state.regret)
    for got, same in zip(warm.engines, plain.engines, strict=True):
        assert np.array_equal(got.stored()["regret"], same.stored()["regret"])
        assert not np.array_equal(got.stored()["policy_sum"], same.stored()["policy_sum"])


class Tireless(Trunk):
    """Visits every line in every iteration, also where nobody comes."""

    def _learn(self, player: int, weights: Weights) -> NDArray[np.float64]:
        row = np.array(weights, np.float32)
        found = [self._chip @ engine.run_pass(player, LEARN, row) for engine in self.engines]
        return np.array(found)


def test_a_line_that_nobody_comes_to_fades_all_the_same() -> None:
    """What was left out is made up for as soon as somebody comes again."""
    solved = trunk(), trunk(Tireless)
    for one in solved:
        randomise(one, np.random.default_rng(0))
        one.iteration = one.before.iteration = 6
        coming, staying = (
            {name: array.copy() for name, array in one.preflop.stored().items()} for _ in (0, 1)
        )
        tree = one.game.tree
        for node in np.flatnonzero(tree.is_decision).tolist():
            staying["regret"][[*tree.children(node)]] = -1e9
            staying["regret"][tree.children(node)[0]] = 1e9  # everybody folds
        one.preflop.restore(staying)
        measure_again(one)
        before = one.engines[0].stored()["regret"].copy()
        one.train(3)
        assert np.array_equal(one.engines[0].stored()["regret"], before) != (one is solved[1])
        one.preflop.restore(coming)
        measure_again(one)
        one.train(2)
    for name, want in solved[1].engines[0].stored().items():
        np.testing.assert_allclose(
            solved[0].engines[0].stored()[name], want, rtol=1e-5, atol=1e-6 * np.abs(want).max()
        )
