"""Two hundred small random spots of every street against the slow oracle."""

import numpy as np
import pytest

from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from tests.support.postflop_oracle import Oracle, normalised
from tests.support.postflop_spots import random_spot
from tests.support.postflop_states import cfv_gaps, learn_gaps, places, symmetrise

NUM_SPOTS = {5: 130, 4: 58, 3: 12}
SPOTS = [(cards, seed) for cards, count in NUM_SPOTS.items() for seed in range(count)]
SOME = [(cards, seed) for cards, seed in SPOTS if seed < NUM_SPOTS[cards] // 3]


def trained(cards: int, seed: int) -> tuple[PostflopEngine, Oracle]:
    """A spot after a few iterations, when strategies are mixed and far from good."""
    spot = random_spot(seed, cards)
    engine = PostflopEngine(lay_out(spot))
    engine.train(1 + seed % 7)
    return engine, Oracle(spot)


@pytest.mark.parametrize(("cards", "seed"), SPOTS)
def test_values_and_best_responses_are_the_oracles(cards: int, seed: int) -> None:
    engine, oracle = trained(cards, seed)
    _, policy_sum = symmetrise(engine, oracle, places(engine.layout, oracle))
    policy = normalised(policy_sum)
    assert max(cfv_gaps(engine, oracle, policy)) <= 1, "cfv per hand: means and bests"
    assert engine.layout.num_pairs == pytest.approx(oracle.num_pairs, rel=1e-6)
    rounding = oracle.budget_chips(0) + oracle.budget_chips(1)
    evs = [engine.values()[player, 0] for player in (0, 1)]
    for player in (0, 1):
        want = oracle.ev_chips(player, oracle.mean_cfv(player, policy))
        assert evs[player] == pytest.approx(want, abs=oracle.budget_chips(player))
    assert sum(evs) == pytest.approx(oracle.spot.pot - oracle.expected_rake(policy), abs=rounding)
    exploitability = engine.measure()[0]
    assert exploitability == pytest.approx(oracle.exploitability_chips(policy), abs=rounding)
    assert exploitability >= -rounding


@pytest.mark.parametrize(("cards", "seed"), SOME)
def test_a_pass_learns_what_the_oracle_learns(cards: int, seed: int) -> None:
    engine, oracle = trained(cards, seed)
    where = places(engine.layout, oracle)
    for player in (0, 1):
        symmetrise(engine, oracle, where)
        weights = engine.schedule.table(engine.iteration + 1, 1)[0].astype(np.float32)
        assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1
