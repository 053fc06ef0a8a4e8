import numpy as np
import pytest

from poker_solver.cfr.best_response import best_response_value, compute_exploitability
from poker_solver.errors import StrategyError
from poker_solver.games.kuhn import KuhnPoker
from poker_solver.trees.compile import compile_game
from poker_solver.trees.compiled import uniform_policy

KUHN = compile_game(KuhnPoker())
ALWAYS_BET = {key: {"p": 0.0, "b": 1.0} for key in KUHN.keys}


@pytest.mark.parametrize("game", [KuhnPoker(), KUHN], ids=["game", "compiled"])
def test_best_response_does_not_see_the_other_card(game):
    """Against always betting, fold the jack (-1), call the king (+2); the queen wins half.

    Seeing the cards, the queen would fold to the king and call the jack: 1/2 more.
    """
    assert best_response_value(game, ALWAYS_BET, 1) == pytest.approx((-1 + 0 + 2) / 3)


@pytest.mark.parametrize("game", [KuhnPoker(), KUHN], ids=["game", "compiled"])
def test_strategies_that_do_not_fit_are_refused(game):
    with pytest.raises(StrategyError, match="no information set"):
        compute_exploitability(game, {"0:": {"p": 1.0}})
    with pytest.raises(StrategyError, match=r"at '0:' plays \['x'\]; legal are \['p', 'b'\]"):
        compute_exploitability(game, ALWAYS_BET | {"0:": {"x": 1.0}})


def test_probabilities_are_checked():
    with pytest.raises(StrategyError, match=r"at .0:. sums to 1\.5"):
        compute_exploitability(KUHN, ALWAYS_BET | {"0:": {"p": 0.5, "b": 1.0}})
    with pytest.raises(StrategyError, match="negative"):
        compute_exploitability(KUHN, ALWAYS_BET | {"0:": {"p": -0.5, "b": 1.5}})
    with pytest.raises(StrategyError, match="wants \\(24,\\)"):
        compute_exploitability(KUHN, np.ones(3))


def test_arrays_and_mappings_say_the_same():
    policy = uniform_policy(KUHN)
    by_key = KUHN.strategy_by_key(policy)
    assert compute_exploitability(KUHN, policy) == compute_exploitability(KUHN, by_key)
