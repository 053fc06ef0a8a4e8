"""Certificates of strategies that can be worked out by hand, and of those nobody can beat."""

import numpy as np
import pytest

from poker_solver.cards import COMBO_CLASS
from poker_solver.cards.flops import FlopSet
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.fullgame.training.trunk import Trunk
from poker_solver.kernels.postflop import BEST, MEAN
from poker_solver.postflop.engines.classes import SpotsByClass
from tests.support.full_game_oracle import (
    F64,
    always,
    anything,
    game_of,
    measure_again,
    open_trunk,
    play,
    showdown_edges,
    showdowns,
)
from tests.support.postflop_states import owned
from tests.support.subset_game import subset_rules

FLOPS = FlopSet("two", ("AsAhKd", "Ks7s6h"), (10_000.0, 12_100.0))
BB, SB = 0, 1


def river_game() -> FullGame:
    """12 bb: SB folds or opens for 4, BB folds or calls; on the river a bet is all-in."""
    return game_of(subset_rules(12, "4bb"), ("AK", "76"))


def trunk_of(first: str, second: str) -> Trunk:
    """BB and SB play the first of these letters that they may."""
    trunk = open_trunk(river_game(), FLOPS)
    play(trunk, BB, always(first))
    play(trunk, SB, always(second))
    return trunk


def test_always_folding_loses_the_blind() -> None:
    """BB's best response wins 0.5 whatever it is; SB wins the big blind of a BB who folds."""
    worth = trunk_of("fx", "fx").worth()
    assert worth.mean == pytest.approx((0.5, -0.5), abs=1e-12)
    assert worth.best == pytest.approx((0.5, 1.0), abs=1e-12)
    assert worth.exploitability_bb == pytest.approx(0.75, abs=1e-12)


def test_the_certificate_of_always_folding() -> None:
    """The same through lift and certificate; who never comes to a flop gives nothing away there."""
    fields = UnifiedConfig.load("hu_tiny").to_mapping()
    small = {**fields, "flops": dict(zip(FLOPS.flops, FLOPS.weights, strict=True))}
    solver = UnifiedSolver(
        UnifiedConfig.from_mapping(small), device="cpu", hands=river_game().deal.classes
    )
    for player in (BB, SB):
        play(solver.trunk, player, always("fx"))
    proof = solver.certify(solver.flops)
    assert proof.value_bb == pytest.approx((0.5, -0.5), abs=1e-12)
    assert proof.best_response_bb == pytest.approx((0.5, 1.0), abs=1e-12)
    assert proof.exploitability_mbb == pytest.approx(750, abs=1e-9)
    assert proof.gap_mbb == 0


def best_against_calls(game: FullGame, fold_bb: float) -> float:
    """What to win off who always comes along and always calls, by every hand and board.

    He who wins more often than he loses on a river bets 8 more; he who loses too much on all of
    them together folds his class before the flop.
    """
    num_deals, played = game.deal.num_deals, dict.fromkeys(game.deal.classes, 0.0)
    for measure, outcome in showdowns(game, FLOPS):
        more: dict[int, int] = {}
        for (mine, _), sign in outcome.items():
            more[mine] = more.get(mine, 0) + sign
        for mine, times in more.items():
            played[int(COMBO_CLASS[mine])] += measure * max(4 * times, 12 * times)
    folded = -fold_bb * game.deal.pairs.sum(axis=1)
    return float(np.maximum(folded, [played[c] for c in game.deal.classes]).sum()) / num_deals


def test_always_calling_is_worth_its_equity() -> None:
    game = river_game()
    worth = trunk_of("cx", "rcx").worth()
    equity = 4 * showdown_edges(game, FLOPS).sum() / game.deal.num_deals
    assert worth.mean == pytest.approx((equity, -equity), abs=1e-6)
    want = best_against_calls(game, 1.0), best_against_calls(game, 0.5)
    assert min(want) > 0.1
    assert worth.best == pytest.approx(want, abs=1e-6)


def test_playing_evenly_is_worth_what_a_line_of_algebra_says() -> None:
    """Of every class, too: what it wins on the flop follows from how its showdowns end."""
    game = river_game()
    trunk = open_trunk(game, FLOPS)  # nobody has learnt anything
    edges = showdown_edges(game, FLOPS)
    shown = edges.sum(axis=1)
    everybody = seen_by_class(game)
    # half bet and are called or not; of those who check, half are bet at and call or not
    won = (12 / 4 + 4 / 4 + 12 / 8) * shown + (4 / 4 - 4 / 8) * everybody
    by_class = trunk.leaf_values(MEAN)[BB, 0] * game.deal.num_deals
    np.testing.assert_allclose(by_class, won / 2, rtol=0, atol=1e-5)  # SB opens half of the time
    value = 0.5 * 0.5 - 0.25 * 1.0 + won.sum() / 4 / game.deal.num_deals
    assert trunk.worth().mean == pytest.approx((value, -value), abs=1e-6)


def seen_by_class(game: FullGame) -> F64:
    """[C] deals in which a class sees a flop, by their measure."""
    found = dict.fromkeys(game.deal.classes, 0.0)
    for measure, outcome in showdowns(game, FLOPS):
        for mine, _ in outcome:
            found[int(COMBO_CLASS[mine])] += measure
    return np.array([*found.values()])


def test_a_best_response_that_is_played_wins_what_it_is_said_to() -> None:
    trunk = open_trunk(game_of(subset_rules(12, "4bb", bets=("a", "a", "a")), ("AK", "76")), FLOPS)
    for player in (BB, SB):
        play(trunk, player, anything(np.random.default_rng(player)))
    for player in (BB, SB):
        best = trunk.leaf_values(BEST)[player]
        assert (best > trunk.leaf_values(MEAN)[player] + 1e-3).all()
        trunk._hand_down_average()
        for engine in trunk.engines:
            assert isinstance(engine, SpotsByClass)
            for spot in engine._batch.engines:
                _, played = spot.best_response(player)
                mine = owned(spot.layout, player)
                spot.policy_sum[mine] = played[mine]
        measure_again(trunk)
        np.testing.assert_allclose(trunk.leaf_values(MEAN)[player], best, rtol=0, atol=1e-6)


def test_nobody_wins_more_than_a_best_response() -> None:
    """All 169 classes: whoever plays against a strategy, the certificate has seen worse.

    SB's opponent is what BB has tried last. One flop stands for all: the claim is of any set.
    """
    fields = UnifiedConfig.load("hu_tiny").to_mapping()
    config = UnifiedConfig.from_mapping({**fields, "flops": {"KsKh7d": 22_100}})
    trunk = UnifiedSolver(config, device="cpu").trunk
    trunk.train(5)
    for player in (BB, SB):
        worth = trunk.worth()
        won = {"himself": worth.mean[player]}
        for name, choose in (
            ("calls", always("cxr")),
            ("jams", always("ac")),
            ("anything", anything(np.random.default_rng(5))),
        ):
            play(trunk, player, choose)
            won[name] = trunk.worth().mean[player]
        assert max(won.values()) < worth.best[player]
        assert max(won.values()) > min(won.values()) + 0.1, won
