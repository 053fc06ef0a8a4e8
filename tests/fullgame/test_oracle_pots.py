"""Several lines that see flops, each with its own sizes, and rake, against the readable rules."""

from dataclasses import replace

import numpy as np

from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.generic.best_response import best_response_value, game_value
from poker_solver.config.base import Rake, to_bb
from poker_solver.fullgame.training.trunk import Worth
from poker_solver.games.betting import DEAL, BettingRules
from poker_solver.games.hunl_postflop import PostflopState
from poker_solver.trees.compile import compile_game
from tests.support.full_game_oracle import (
    Reader,
    exact,
    game_of,
    largest_gap,
    open_trunk,
    randomise,
    subset_game,
    worth_by_the_rules,
)
from tests.support.subset_game import SubsetGame, subset_rules

EXACT, FLOAT32 = 1e-9, 1e-6
FLOP = FlopSet("one", ("AsAhKd",), (22_100.0,))


def test_lines_with_sizes_of_their_own_are_worth_what_the_rules_say() -> None:
    """Limped, raised and raised after a limp: all-in on the river of the first, else the turn."""
    rules = subset_rules(12, "4bb", all_in=True, limp=True)
    raised = subset_rules(12, bets=("", "a", "")).postflop
    game = game_of(BettingRules(rules.preflop, rules.postflop + raised), ("AK", "76"))
    assert [str(line) for line in game.lines] == ["SBc BBx", "SBr4 BBc", "SBc BBr4 SBc"]
    trunk = open_trunk(game, FLOP)
    compiled = compile_game(subset_game(trunk))
    randomise(trunk, np.random.default_rng(0))
    want = worth_by_the_rules(compiled, Reader(trunk, compiled).policy())
    assert largest_gap(exact(trunk).worth(), want) < EXACT
    assert largest_gap(trunk.worth(), want) < FLOAT32


class OneSide(SubsetGame):
    """What one player wins, as a game of zero sum, so that the generic engine takes a rake."""

    player_paid = 0

    def utility(self, state: PostflopState, player: int) -> float:
        """A called all-in before the flop costs both half of the rake on average."""
        won = super().utility(state, self.player_paid)
        if state.betting.kind == DEAL and not state.board and self._is_all_in(state):
            stake = to_bb(self.rules.stack + self.preflop.ante_chips)
            rake = self.preflop.rake.taken(2 * stake)
            won = (stake - rake / 2) * won / stake - rake / 2
        return won if player == self.player_paid else -won


def test_a_raked_game_is_worth_what_the_rules_say() -> None:
    """A cap that some pots reach; bets on the flop, folds before it that cost nothing."""
    rules = subset_rules(12, "4bb", all_in=True, bets=("a", "", ""))
    assert rules.preflop is not None
    raked = replace(rules.preflop, rake=Rake(rate=0.05, cap=0.7))
    game = game_of(BettingRules(raked, rules.postflop), ("AK", "76"))
    trunk = open_trunk(game, FLOP)
    randomise(trunk, np.random.default_rng(0))
    best, mean = [], []
    for player in (0, 1):
        one = OneSide(game.rules, [int(c) for c in game.deal.classes], FLOP)
        one.player_paid = player
        compiled = compile_game(one)
        policy = Reader(trunk, compiled).policy()
        best.append(best_response_value(compiled, policy, player))
        mean.append(game_value(compiled, policy) * (1 if player == 0 else -1))
    want = Worth((best[0], best[1]), (mean[0], mean[1]))
    assert sum(mean) < -0.01
    assert largest_gap(exact(trunk).worth(), want) < EXACT
    assert largest_gap(trunk.worth(), want) < FLOAT32
