"""What must hold whatever is played: measures, sums, names of suits, order of flops, threads."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from poker_solver.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    NUM_CLASSES,
    cards_from_string,
)
from poker_solver.cards.flops import NUM_FLOPS, FlopSet, all_flops
from poker_solver.config.base import Rake
from poker_solver.config.preflop import Config
from poker_solver.fullgame.game import FLOPS_FOR_TWO_HANDS, full_game
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS
from poker_solver.fullgame.training.trunk import Preflop, Trunk
from poker_solver.games.betting import BettingRules
from poker_solver.kernels.postflop import BEST, MEAN
from poker_solver.kernels.range_cfr.on_numba import Engine as PreflopKernels
from poker_solver.preflop.arrays import kernel_tree
from poker_solver.preflop.deal import class_deal
from poker_solver.preflop.solver import PreflopSolver
from tests.support.full_game_oracle import (
    F64,
    SCHEDULE,
    always,
    by_class,
    game_of,
    largest_gap,
    open_trunk,
    play,
    showdown_edges,
)
from tests.support.subset_game import subset_rules

HANDS = ("AA", "KQ", "98o", "T9")
FLOPS = FlopSet("three", ("KsQs2h", "9s8h3d", "TsTh7s"), (7_000.0, 8_000.0, 7_100.0))


def seen(flops: FlopSet, classes: tuple[int, ...]) -> F64:
    """[C, C] how many deals of two classes see a flop, by its measure, counted by their cards."""
    size, by_card = [], []
    for flop in flops.flops:
        live = ~np.isin(COMBO_CARDS, cards_from_string(flop)).any(axis=1)
        own, held = COMBO_CLASS[live].astype(np.int64), COMBO_CARDS[live].T.astype(np.int64)
        size.append(np.bincount(own, minlength=NUM_CLASSES))
        counts = np.bincount((held * NUM_CLASSES + own).ravel(), minlength=52 * NUM_CLASSES)
        by_card.append(counts.reshape(52, NUM_CLASSES))
    weights = np.array(flops.weights)
    all_sizes, all_cards = np.array(size, np.float64), np.concatenate(by_card).astype(np.float64)
    total = all_sizes.T @ (weights[:, None] * all_sizes)
    total -= all_cards.T @ (np.repeat(weights, 52)[:, None] * all_cards)
    total += np.diag(weights @ all_sizes)  # the same combo shares two cards
    found: F64 = total[np.ix_(classes, classes)] / FLOPS_FOR_TWO_HANDS
    return found


def test_all_flops_have_measure_1_for_every_two_hands() -> None:
    """Which makes the game of 1,755 flops the real one: 1,326 x 1,225 deals of 17,296 flops."""
    deal, flops = class_deal(), all_flops()
    assert np.array_equal(seen(flops, deal.classes), deal.pairs)
    assert deal.num_deals == 1326 * 1225
    assert sum(flops.weights) == NUM_FLOPS


def test_a_constant_payoff_adds_up() -> None:
    """SB opens, BB calls and bets every flop, SB folds: 4 bb change hands, whatever the cards."""
    game = game_of(subset_rules(12, "4bb", bets=("a", "a", "a")), HANDS)
    trunk = open_trunk(game, FLOPS)
    play(trunk, 0, always("ac"))
    play(trunk, 1, always("rfx"))
    want = 4 * seen(FLOPS, game.deal.classes).sum(axis=1) / game.deal.num_deals
    won, best = trunk.leaf_values(MEAN)[:, 0], trunk.leaf_values(BEST)[:, 0]
    np.testing.assert_allclose(won, [want, -want], rtol=0, atol=1e-7)
    np.testing.assert_allclose(best[0], want, rtol=0, atol=1e-6)  # a bet on the turn wins as much
    assert trunk.worth().mean == pytest.approx((want.sum(), -want.sum()), abs=1e-6)


def test_a_rake_of_every_showdown_adds_up() -> None:
    """Checked down through all turns and rivers both lose the rake together, whoever wins."""
    rules = subset_rules(12, "4bb", bets=("", "", ""))
    assert rules.preflop is not None
    raked = replace(rules.preflop, rake=Rake(rate=0.25, cap=100.0))
    game = game_of(BettingRules(raked, rules.postflop), HANDS)
    trunk = open_trunk(game, FLOPS)
    play(trunk, 0, always("cx"))
    play(trunk, 1, always("rx"))
    want = -0.25 * 8 * seen(FLOPS, game.deal.classes).sum() / game.deal.num_deals
    assert sum(trunk.worth().mean) == pytest.approx(want, abs=1e-6)


def small_trunk(flops: FlopSet = FLOPS, threads: int = 1) -> Trunk:
    game = game_of(subset_rules(12, "4bb", limp=True, bets=("", "a", "a")), HANDS)
    return open_trunk(game, flops, threads=threads)


def test_threads_change_nothing() -> None:
    one, two = small_trunk(threads=1), small_trunk(threads=3)
    for trunk in (one, two):
        trunk.train(4)
    assert one.worth() == two.worth()
    for name, array in one.stored().items():
        assert np.array_equal(array, two.stored()[name]), name


def test_flops_side_by_side_are_flops_alone() -> None:
    together = small_trunk()
    together.train(3)
    lines = LineEngines(together.game, SCHEDULE, Machine(threads=1))
    stored = [engine.stored() for engine in together.engines]
    for number, flop in enumerate(FLOPS.flops):
        alone = [opening() for opening in lines.prepare([flop])]
        for k, (engine, both) in enumerate(zip(alone, together.engines, strict=True)):
            sizes = [layout.num_elements for layout in both.layouts]
            own = slice(sum(sizes[:number]), sum(sizes[: number + 1]))
            engine.restore({name: array[own] for name, array in stored[k].items()}, 3)
            for player, mode in product((0, 1), (MEAN, BEST)):
                for spots in (engine, both):
                    for p in (0, 1):
                        spots.set_reach(p, together._reach[p, k])
                got = engine.run_pass(player, mode, NO_WEIGHTS)[0]
                assert np.array_equal(got, both.run_pass(player, mode, NO_WEIGHTS)[number])


def test_the_order_of_flops_changes_nothing() -> None:
    one, two = small_trunk(), small_trunk(FlopSet("back", FLOPS.flops[::-1], FLOPS.weights[::-1]))
    for trunk in (one, two):
        trunk.train(5)
    assert largest_gap(one.worth(), two.worth()) < 1e-12
    np.testing.assert_allclose(
        one.preflop.state.policy_sum, two.preflop.state.policy_sum, rtol=0, atol=1e-12
    )


def test_names_of_suits_change_nothing() -> None:
    """From regrets and strategies by class: where hands tie, rounding decides what is learnt."""
    renamed = FlopSet("renamed", ("KcQc2d", "9d8c3s", "ThTd7h"), FLOPS.weights)
    one, two = small_trunk(), small_trunk(renamed)
    for trunk in (one, two):
        choose = by_class(np.random.default_rng(3))
        for player, name in product((0, 1), ("regret", "policy_sum")):
            play(trunk, player, choose, name)
        trunk.iteration = trunk.before.iteration = 3  # the first of all keeps nothing
        trunk.train(4)
    np.testing.assert_allclose(one.leaf_values(BEST), two.leaf_values(BEST), rtol=0, atol=1e-6)
    np.testing.assert_allclose(one.leaf_values(MEAN), two.leaf_values(MEAN), rtol=0, atol=1e-6)
    np.testing.assert_allclose(
        one.preflop.state.regret, two.preflop.state.regret, rtol=0, atol=1e-5
    )


def test_without_bets_it_is_the_checked_down_model_of_these_flops() -> None:
    """Preflop learns with flops as it does where somebody else has counted all showdowns."""
    flops = FlopSet("two", ("AsAhKd", "Ks7s6h"), (10_000.0, 12_100.0))
    game = game_of(subset_rules(12, "4bb", limp=True, bets=("", "", "")), ("AK", "76"))
    trunk = open_trunk(game, flops)
    assert len(trunk.engines) == 3
    hands = game.deal.hands._replace(edge=showdown_edges(game, flops).T.copy())
    model = PreflopKernels(kernel_tree(game.tree, game.deal.num_deals), hands, SCHEDULE.rule)
    for iteration in range(1, 21):
        for player in (0, 1):
            model.update(player, SCHEDULE.at(iteration))
    trunk.train(20)
    np.testing.assert_allclose(
        trunk.preflop.state.policy_sum, model.state.policy_sum, rtol=0, atol=1e-5
    )
    want = [[float(of.sum()) for of in both] for both in model.both_values()]
    worth = trunk.worth()
    assert worth.best == pytest.approx((want[0][0], want[1][0]), abs=1e-6)
    assert worth.mean == pytest.approx((want[0][1], want[1][1]), abs=1e-6)


def test_push_or_fold_is_the_preflop_solver_without_a_flop() -> None:
    config = Config(stack_depth=10, raise_sizes=[], limp=False)
    solved = PreflopSolver(config).solve(1e-3)
    game = full_game(BettingRules(config.betting, subset_rules(10).postflop))
    assert not game.lines
    before, nothing = Preflop(game, SCHEDULE), np.zeros((0, 169))
    for iteration in range(1, 400):
        for player in (0, 1):
            before.kernels.update(player, SCHEDULE.at(iteration), nothing)
    worth = before.worth(np.zeros((2, 0, 169)), np.zeros((2, 0, 169)))
    assert worth.exploitability_bb < 1e-4
    assert worth.mean[1] == pytest.approx(solved.value_bb[1], abs=1e-4)
