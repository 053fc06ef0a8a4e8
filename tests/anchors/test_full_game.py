"""All 1,755 flops are the real game: checked down, they make the equities before the flop."""

import numpy as np
import pytest

from poker_solver.cards.flops import all_flops
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.line_tables import NO_WEIGHTS
from poker_solver.kernels.postflop import MEAN
from tests.support.full_game_oracle import SCHEDULE, game_of
from tests.support.subset_game import subset_rules


@pytest.mark.slow
def test_all_flops_checked_down_make_the_equities_before_the_flop() -> None:
    """Each on one of its variants, by its engine; the equities were counted over all boards.

    What is left is float32's: 1/45 and 1/44 alone are off by 2e-8 of themselves.
    """
    game, flops = (
        game_of(subset_rules(12, "4bb", bets=("", "", "")), ("AA", "KQ", "72o")),
        all_flops(),
    )
    lines, chip = LineEngines(game, SCHEDULE, Machine(threads=1)), game.measure(flops)
    found = np.zeros((2, game.num_classes))
    for flop, worth in zip(flops.flops, chip, strict=True):
        (opening,) = lines.prepare([flop])
        engine = opening()
        for player in (0, 1):
            found[player] += worth * engine.run_pass(player, MEAN, NO_WEIGHTS)[0]
    edge = game.deal.pairs * (2 * game.deal.equity - 1)
    want = 4 * edge.sum(axis=1) / game.deal.num_deals
    np.testing.assert_allclose(found, [want, want], rtol=0, atol=1e-6)
