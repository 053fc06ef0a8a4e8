"""Safe re-solving: no hand of the opponent gains by a strategy that was solved behind a gadget.

At the root of a subgame the opponent, IP, may refuse with each hand and take its alternative: what
its best response gets against the stored strategy, a. The stored strategy holds him to the sum of
w a over all hands, w > 0 being any weights, so the value of the gadget game is no more. Against the
strategy found he can get the sum of w max(a, b), b being what the best response of a hand gets
against it; that is at most the value plus the exploitability e of what was found. Every term is at
least w a, hence: the sum of w max(0, b - a) is at most e, and no hand gains more than e / w.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cfr.schedules import CFR
from poker_solver.config.spot import Spot
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.trees.runouts import IDENTITY
from tests.support.postflop_spots import small_spot

Float = NDArray[np.float64]
NOTHING = np.zeros(3, np.float32)

# OOP holds hands that beat a bluff and lose to a set; IP holds sets, bluffs and some between.
RIVER = small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77,QJs,65s,T9s", "100%", "a", stack=300)
SETS = small_spot("KhQd7s4c2d", "AQ,JJ,TT", "KK,77", "100%", "a", stack=300)
TURN = small_spot("KhQd7s4c", "AQs,JJ", "KK,QJs,65s,T9s", "75%", "a", stack=150)


def best_of_ip(engine: PostflopEngine) -> Float:
    """[H] cfv of IP's best responses to OOP's average strategy; his own range has no part in it."""
    return engine.run_pass(1, BEST, NOTHING).astype(np.float64)


def stored_strategy(layout: Layout, kind: str) -> PostflopEngine:
    """An engine whose average strategies are what was stored: near equilibrium, or anything."""
    engine = PostflopEngine(layout)
    if kind == "solved":
        engine.train(1000)
    else:
        rng = np.random.default_rng(11)
        engine.policy_sum[:] = rng.random(layout.num_elements, np.float32) ** 3
    return engine


@dataclass(frozen=True)
class Resolved:
    """What came of re-solving behind a gadget."""

    engine: PostflopEngine
    weights: Float  # [H] of IP's hands in the gadget game
    exploitability: float  # of both averages there, summed over players; chips times weight


def resolve(layout: Layout, alternative: Float, iterations: int) -> Resolved:
    """CFR on the gadget game: the subgame's own by `step`, the choice before it out here."""
    engine = PostflopEngine(layout, CFR)
    weights = np.ones(len(alternative))
    regret, plays_sum = np.zeros((2, len(alternative))), np.zeros(len(alternative))  # refuse, play
    for _ in range(iterations):
        positive = np.maximum(regret, 0.0)
        total = positive.sum(axis=0)
        plays = np.where(total > 0, positive[1] / np.where(total > 0, total, 1.0), 0.5)
        engine.set_reach(1, (weights * plays)[None])
        worth = np.stack([alternative, engine.step()[1][0].astype(np.float64)])
        regret += worth - ((1 - plays) * worth[0] + plays * worth[1])
        plays_sum += plays
    plays = plays_sum / iterations
    ip = weights @ np.maximum(alternative, best_of_ip(engine))
    engine.set_reach(1, (weights * plays)[None])
    oop = engine.run_pass(0, BEST, NOTHING).astype(np.float64) @ layout.reach[0]
    return Resolved(engine, weights, float(ip + oop - (weights * (1 - plays)) @ alternative))


@pytest.mark.parametrize("kind", ["solved", "random"])
@pytest.mark.parametrize(
    ("spot", "iterations"), [(RIVER, 4000), (TURN, 600)], ids=["river", "turn"]
)
def test_no_hand_gains_by_what_was_solved_behind_a_gadget(
    spot: Spot, iterations: int, kind: str
) -> None:
    layout = lay_out(spot, symmetries=[IDENTITY])
    stored = stored_strategy(layout, kind)
    alternative = best_of_ip(stored)
    found = resolve(layout, alternative, iterations)
    pairs = layout.num_pairs
    rounding = 1e-5 * spot.pot * pairs  # passes are float32: 6e-7 of the largest number or less
    assert 0 < found.exploitability < 0.02 * spot.pot * pairs  # or the bound would say little
    gain = best_of_ip(found.engine) - alternative
    assert found.weights @ np.maximum(gain, 0) <= found.exploitability + rounding
    assert (found.weights * gain).max() <= found.exploitability + rounding
    if kind == "random":  # there is much to win back, and re-solving does
        assert gain.mean() < -0.05 * spot.pot * pairs / len(gain)


def test_without_the_gadget_hands_gain_that_nobody_expected() -> None:
    """OOP believes that IP has sets only and gives up: every bluff then wins the pot."""
    layout = lay_out(RIVER, symmetries=[IDENTITY])
    alternative = best_of_ip(stored_strategy(layout, "solved"))
    unsafe = PostflopEngine(layout)
    sets = np.isin(layout.combos[1], lay_out(SETS, symmetries=[IDENTITY]).combos[1])
    unsafe.set_reach(1, np.where(sets, 1.0, 1e-3)[None])
    unsafe.train(1000)
    gain = best_of_ip(unsafe) - alternative
    found = resolve(layout, alternative, 4000)
    assert gain[~sets].max() > 10 * found.exploitability  # what a hand gains behind the gadget
    assert np.maximum(gain, 0).sum() > 20 * found.exploitability
