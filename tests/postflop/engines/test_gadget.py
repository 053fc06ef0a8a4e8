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

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.config.spot import Spot
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.engine import with_reach
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
    """The gadget game, every hand of IP with the same weight and the choice."""
    weights = np.ones(len(alternative))
    gadget = Gadget.of(1, 0 * weights, weights, alternative)
    engine = PostflopEngine(with_reach(layout, 1, weights), gadget=gadget)
    engine.train(iterations)
    deals = met_pairs(layout, weights)
    return Resolved(engine, weights, 2 * float(engine.measure()[0]) * deals)


def met_pairs(layout: Layout, weights: Float) -> float:
    """Weighted pairs of OOP's hands and of IP's with other weights."""
    ip = np.zeros(NUM_COMBOS)
    ip[layout.combos[1]] = weights
    return float(layout.reach[0] @ disjoint_sum(ip)[layout.combos[0]])


@pytest.mark.parametrize("kind", ["solved", "random"])
@pytest.mark.parametrize(("spot", "iterations"), [(RIVER, 300), (TURN, 300)], ids=["river", "turn"])
def test_no_hand_gains_by_what_was_solved_behind_a_gadget(
    spot: Spot, iterations: int, kind: str
) -> None:
    layout = lay_out(spot, symmetries=[IDENTITY])
    stored = stored_strategy(layout, kind)
    alternative = best_of_ip(stored)
    found = resolve(layout, alternative, iterations)
    pairs = layout.num_pairs
    rounding = 1e-5 * spot.pot * pairs  # passes are float32: 6e-7 of the largest number or less
    assert -rounding < found.exploitability < 0.02 * spot.pot * pairs  # or it would say little
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
    found = resolve(layout, alternative, 300)
    assert gain[~sets].max() > 10 * found.exploitability  # what a hand gains behind the gadget
    assert np.maximum(gain, 0).sum() > 20 * found.exploitability


@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_nobody_may_take_more_than_there_is_and_then_all_play(spot: Spot) -> None:
    """With alternatives below any loss the gadget game is the game itself."""
    layout = lay_out(spot, symmetries=[IDENTITY])
    weights = layout.reach[1].astype(np.float64)
    worst = np.full(len(weights), -1e3 * spot.pot * layout.reach[0].sum())
    behind = PostflopEngine(layout, gadget=Gadget.of(1, 0.25 * weights, 0.75 * weights, worst))
    plain = PostflopEngine(layout)
    for engine in (behind, plain):
        engine.train(200)
    np.testing.assert_allclose(behind.root_reach(1), weights, rtol=1e-6)
    assert float(plain.measure()[0]) < 0.01 * spot.pot
    behind.enter_average()
    assert float(behind.measure()[0]) < 0.02 * spot.pot


def test_the_gadget_is_the_same_on_any_threads() -> None:
    layout = lay_out(TURN, symmetries=[IDENTITY])
    take = best_of_ip(stored_strategy(layout, "random"))
    found = []
    for threads in (1, 2):
        gadget = Gadget.of(1, 0 * take, np.ones(len(take)), take)
        engine = PostflopEngine(layout, threads=threads, gadget=gadget)
        engine.train(20)
        found.append(engine.policy_sum.copy())
    assert (found[0] == found[1]).all()
