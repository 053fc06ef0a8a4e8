from math import inf, nan

import numpy as np
import pytest

from poker_solver.cfr.generic.batched import BatchedCFR
from poker_solver.cfr.generic.best_response import (
    best_response_value,
    compute_exploitability,
    game_value,
)
from poker_solver.cfr.generic.vanilla import VanillaCFR
from poker_solver.errors import GameError, InputError, StrategyError
from poker_solver.games.base import Game
from poker_solver.games.kuhn import KuhnPoker, KuhnState
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


@pytest.mark.parametrize("row", [(0.5, 1.0), (-0.5, 1.5), (nan, 1.0), (inf, -inf)], ids=str)
@pytest.mark.parametrize("game", [KuhnPoker(), KUHN], ids=["game", "compiled"])
def test_what_are_not_probabilities_is_refused_by_key(game, row):
    strategy = ALWAYS_BET | {"1:b": dict(zip("pb", row, strict=True))}
    for call in (compute_exploitability, game_value):
        with pytest.raises(StrategyError, match=r"at '1:b' is .* wants probabilities"):
            call(game, strategy)


@pytest.mark.parametrize("row", [(0.5, 1.0), (-0.5, 1.5), (nan, 1.0), (inf, -inf)], ids=str)
def test_arrays_that_are_not_probabilities_are_refused_by_key(row):
    policy = uniform_policy(KUHN)
    i = KUHN.keys.index("1:b")
    policy[KUHN.info_start[i] : KUHN.info_start[i + 1]] = row
    with pytest.raises(StrategyError, match=r"at '1:b' is .* wants probabilities"):
        compute_exploitability(KUHN, policy)


def test_arrays_belong_to_compiled_games():
    with pytest.raises(StrategyError, match="wants \\(24,\\)"):
        compute_exploitability(KUHN, np.ones(3))
    for call in (compute_exploitability, game_value):
        with pytest.raises(StrategyError, match="KuhnPoker is not compiled"):
            call(KuhnPoker(), uniform_policy(KUHN))


@pytest.mark.parametrize("player", [2, 7, -1, None])
def test_there_are_two_players(player):
    for game in (KuhnPoker(), KUHN):
        with pytest.raises(InputError, match="must be 0 or 1"):
            best_response_value(game, ALWAYS_BET, player)
    with pytest.raises(InputError, match="must be 0 or 1"):
        BatchedCFR(KUHN).best_response_value(player)


class SomeDealsNeverCome(KuhnPoker):
    """Kuhn poker with a deal of weight 0, whose state no rule knows."""

    def initial_states(self):
        return [*super().initial_states(), KuhnState((8, 9), "never")]

    def deal_weight(self, state):
        return 0.0 if state.history == "never" else 1.0

    def is_terminal(self, state):
        assert state.history != "never"
        return super().is_terminal(state)


def test_deals_of_weight_zero_are_never_visited():
    game = SomeDealsNeverCome()
    assert compute_exploitability(game, ALWAYS_BET) == compute_exploitability(KUHN, ALWAYS_BET)
    assert game_value(game, ALWAYS_BET) == pytest.approx(game_value(KUHN, ALWAYS_BET))
    engine = VanillaCFR(game)
    engine.train(2)
    assert len(engine.get_all_average_strategies()) == 12


class Ladder(Game[int]):
    """One player climbs; every rung may look like the one before."""

    def __init__(self, height: int, remembers: bool) -> None:
        self.height, self.remembers = height, remembers

    def initial_states(self):
        return [0]

    def is_terminal(self, state):
        return state < 0 or state >= self.height

    def player(self, state):
        return 0

    def actions(self, state):
        return ("up", "off")

    def next_state(self, state, action):
        return state + 1 if action == "up" else -1

    def utility(self, state, player):
        return 0.0

    def info_set_key(self, state):
        return str(state) if self.remembers else "a rung"


def test_an_absent_minded_game_is_refused():
    game, strategy = Ladder(3, remembers=False), {"a rung": {"up": 0.5, "off": 0.5}}
    with pytest.raises(GameError, match="'a rung' comes again below itself: imperfect recall"):
        best_response_value(game, strategy, 0)


def test_a_game_too_deep_for_recursion_is_refused_with_the_way_out():
    game = Ladder(5_000, remembers=True)
    strategy = {str(rung): {"up": 1.0, "off": 0.0} for rung in range(5_000)}
    for call in (compute_exploitability, game_value):
        with pytest.raises(GameError, match=r"Ladder is too deep .*; compile_game has no such"):
            call(game, strategy)
    with pytest.raises(GameError, match="too deep"):
        VanillaCFR(game).train(1)
    assert game_value(compile_game(game), strategy) == 0


def test_arrays_and_mappings_say_the_same():
    policy = uniform_policy(KUHN)
    by_key = KUHN.strategy_by_key(policy)
    assert compute_exploitability(KUHN, policy) == compute_exploitability(KUHN, by_key)
