"""The checked-down model before the flop, to stand beside real strategies; the rest is solved."""

from dataclasses import replace

import numpy as np

from poker_solver.cfr.schedules import DCFR
from poker_solver.config.base import to_bb
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.play.mix import F64
from poker_solver.preflop.engine import PreflopEngine
from poker_solver.preflop.ranges import leaf_reach

_ITERATIONS = 1000


def checked_down(solution: UnifiedSolution) -> UnifiedSolution:
    """The same game with what is played before the flop found as if flops were checked down."""
    game = solution.game
    engine = PreflopEngine(game.tree, game.deal, DCFR, device="cpu")
    engine.train(_ITERATIONS)
    sums = engine.stored()["policy_sum"].copy()
    values = _values(game, sums)
    return replace(
        solution, sums=sums, leaf_values=values, certificate=None, rows=None, course=None
    )


def _values(game: FullGame, sums: F64) -> F64:
    """[2, K, C] bb per deal that BB's and SB's classes win at every line, checked down."""
    tree, deal = game.tree, game.deal
    reach = leaf_reach(tree, sums, game.leaves)  # [2, K, C]
    edge = deal.pairs * (2 * deal.equity - 1) / deal.num_deals  # [C of BB, C of SB]
    bets = [tree.betting(node).bet for node in game.leaves.tolist()]
    stake = np.array([to_bb(bet + tree.rules.pot / 2) for bet in bets])[:, None]
    return np.stack([stake * (reach[1] @ edge.T), -stake * (reach[0] @ edge)])
