"""The trunk and the certificate against the generic engine on the readable rules, on two flops.

In float64 they agree to rounding. The engines keep strategies, ranges, the weights of iterations
and chances such as 1/45 in float32: what that costs is bounded here too.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.schedules import as_schedule
from poker_solver.fullgame.lift import Lift
from poker_solver.fullgame.training.engines import LineEngines, Machine, Opening
from poker_solver.fullgame.training.trunk import Trunk
from poker_solver.games.betting import BettingRules
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import CompiledGame
from tests.support.full_game_oracle import (
    SCHEDULE,
    Reader,
    exact,
    game_of,
    largest_gap,
    make_symmetric,
    open_trunk,
    randomise,
    subset_game,
    worth_by_the_rules,
)
from tests.support.subset_game import SMALL_VALUE_BB, small_subset_game, subset_rules

EXACT = 1e-9
FLOAT32 = 1e-6
"""bb, where a stack is 12 bb."""

STEP = as_schedule("dcfr:1,0,1")
"""Iteration 4 keeps 3/4 and 1/2 of what was before: nothing that float32 would round."""


class Small(NamedTuple):
    """Two classes, an ante: SB folds, opens or jams, BB answers; on the river a bet is all-in."""

    trunk: Trunk
    compiled: CompiledGame
    reader: Reader


@pytest.fixture(scope="module")
def small() -> Small:
    """Compiled once: 700,000 nodes."""
    flops = FlopSet("two", ("AsAhKd", "Ks7s6h"), (10_000.0, 12_100.0))
    rules = subset_rules(12, "4bb", all_in=True)
    assert rules.preflop is not None
    ante = replace(rules.preflop, ante_chips=25, all_in_chips=1175)
    game = game_of(BettingRules(ante, rules.postflop), ("AK", "76"))
    trunk = open_trunk(game, flops, schedule=STEP)
    compiled = compile_game(subset_game(trunk))
    return Small(trunk, compiled, Reader(trunk, compiled))


@pytest.mark.parametrize("seed", range(2))
def test_any_strategy_is_worth_what_the_rules_say(small: Small, seed: int) -> None:
    randomise(small.trunk, np.random.default_rng(seed))
    want = worth_by_the_rules(small.compiled, small.reader.policy())
    assert want.exploitability_bb > 0.1
    assert largest_gap(exact(small.trunk).worth(), want) < EXACT
    assert largest_gap(small.trunk.worth(), want) < FLOAT32


def test_a_trained_strategy_is_worth_what_the_rules_say(small: Small) -> None:
    """As it was trained: hands that are one up to suits need not do quite the same."""
    trunk = open_trunk(small.trunk.game, small.trunk.flops)
    trunk.train(30)
    reader = Reader(trunk, small.compiled)
    assert largest_gap(trunk.worth(), worth_by_the_rules(small.compiled, reader.policy())) < FLOAT32
    make_symmetric(trunk)
    want = worth_by_the_rules(small.compiled, reader.policy())
    assert largest_gap(exact(trunk).worth(), want) < EXACT


def test_an_iteration_is_one_of_cfr_on_the_whole_tree(small: Small) -> None:
    """From any regrets: the generic engine and the trunk learn the same, before and after it."""
    randomise(small.trunk, np.random.default_rng(7))
    trunk = exact(small.trunk)
    trunk.iteration = trunk.before.iteration = 3
    reader, whole = Reader(trunk, small.compiled), BatchedCFR(small.compiled, STEP)
    before = {"regret": reader.read_regret(), "policy_sum": reader.read("policy_sum")}
    whole.restore({**before, "last": np.zeros(0)}, 3)
    whole.train(1)
    trunk.train(1)
    after = whole.stored()
    for name, got in (("regret", reader.read_regret()), ("policy_sum", reader.read("policy_sum"))):
        assert np.abs(after[name] - before[name]).max() > 0.01
        np.testing.assert_allclose(got, after[name], rtol=0, atol=1e-12, err_msg=name)


class Remembering(LineEngines):
    """Keeps the engines that are opened."""

    opened: list[ClassEngine]

    def prepare(self, flops: Sequence[str]) -> list[Opening]:
        self.opened = []

        def remembered(opening: Opening) -> Opening:
            def open_engine() -> ClassEngine:
                engine = opening()  # `opened` may be a new list by now: lots are laid out ahead
                self.opened.append(engine)
                return engine

            return open_engine

        return [remembered(opening) for opening in super().prepare(flops)]


def test_a_certificate_is_what_the_rules_say_of_the_lifted_strategy(small: Small) -> None:
    """Preflop's strategy is any; after the flop it is what the lift finds."""
    randomise(small.trunk, np.random.default_rng(11))
    game, flops, before = small.trunk.game, small.trunk.flops, small.trunk.before
    lines = Remembering(game, SCHEDULE, Machine())
    lift = Lift(game, before.kernels.state.policy_sum, lines, 0.0, max_iterations=30)
    ((_, lifted),) = lift.solve(flops, at_once=2)
    proof = before.worth(lifted.best, lifted.mean)
    trunk = Trunk(before, flops, lines.opened.copy(), SCHEDULE)
    reader = Reader(trunk, small.compiled)
    assert largest_gap(proof, worth_by_the_rules(small.compiled, reader.policy())) < FLOAT32
    make_symmetric(trunk)
    want = worth_by_the_rules(small.compiled, reader.policy())
    assert largest_gap(exact(trunk).worth(), want) < EXACT
    (_, first), (_, second) = lift.solve(flops, at_once=1)
    both = first + second
    assert largest_gap(before.worth(both.best, both.mean), proof) < EXACT


def test_the_value_of_a_game_is_that_of_the_generic_engine() -> None:
    flops = FlopSet("two", ("AsAhAd", "QsTs2s"), (10_000.0, 12_100.0))
    trunk = open_trunk(game_of(small_subset_game().rules, ("AK", "76")), flops)
    trunk.train(700)
    worth = trunk.worth()
    assert worth.mean[0] == pytest.approx(SMALL_VALUE_BB, abs=1e-6)
    assert -worth.best[1] <= SMALL_VALUE_BB <= worth.best[0]
    assert worth.exploitability_bb < 1e-3
