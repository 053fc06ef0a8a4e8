"""A published value: hold'em of two streets, by the trunk of the full game over all 1,755 flops."""

from typing import cast

import pytest

from poker_solver.cards.flops import all_flops
from poker_solver.cfr.schedules import as_schedule
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.training.trunk import Preflop, Trunk
from poker_solver.games.full_game import full_game_rules
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.engines.engine import postflop_schedule
from tests.support.two_streets import TwoStreets, hands_in_order

PUBLISHED_MBB = (154.07, 157.33)
"""Between what the button's value lies: blinds 1/2, stack 162, one bet of the pot a street."""


@pytest.mark.slow
def test_the_button_wins_what_was_published() -> None:
    config = UnifiedConfig.from_mapping({
        "stack": 81,
        "preflop": {"raise_sizes": [["100%"]], "raise_cap": 1, "allin": False},
        "postflop": {"flop": {}, "turn": {}, "river": {}},
        "flops": "all",
    })  # fmt: skip
    game, flops = full_game(full_game_rules(config)), all_flops()
    assert [line.betting.pot for line in game.lines] == [200, 600, 600]
    hands = [hands_in_order(flop) for flop in flops.flops]
    engines = [TwoStreets(hands, line.betting.pot) for line in game.lines]
    schedule = postflop_schedule(as_schedule("dcfr:1.5,0,4"))
    given = cast(list[ClassEngine], engines)
    trunk = Trunk(Preflop(game, schedule), flops, given, schedule)
    trunk.train(40)
    worth = trunk.worth()
    assert sum(worth.mean) == pytest.approx(0, abs=1e-9)
    assert 0 < 1000 * worth.exploitability_bb < 5
    assert PUBLISHED_MBB[0] < 1000 * worth.mean[1] < PUBLISHED_MBB[1]
