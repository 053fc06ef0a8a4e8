"""Spots whose equilibrium is known on paper, and a river that the generic engine solves."""

from math import inf

import numpy as np
import pytest

from poker_solver.cfr.generic.solver import Solver
from poker_solver.config.spot import Spot
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from tests.support.postflop_oracle import Float, Oracle, minimax_chips
from tests.support.postflop_spots import small_spot
from tests.support.river_game import RiverGame

NUTS, AIR, CATCHER = "KhKd:0.8", "JhTh,JdTd:0.6,Jc8c", "QhQd,QcQs"
VALUE_WEIGHT, AIR_WEIGHT = 0.8, 2.6
BOARD = "Ks7h2d9c4s"


def solved(spot: Spot, iterations: int) -> PostflopEngine:
    engine = PostflopEngine(lay_out(spot))
    engine.train(iterations)
    return engine


def strategy(engine: PostflopEngine, line: str) -> Float:
    """[A, H] average on the spot's own board."""
    layout = engine.layout
    node = layout.tree.node_at(line)
    table: Float = state_rows(layout, engine.policy_sum, node, 0, 1)[0].astype(np.float64)
    table /= table.sum(axis=0)
    return table


RAKES = [(0.0, 0.0), (0.05, inf), (0.1, 12.0)]


@pytest.mark.parametrize("rake", RAKES, ids=str)
@pytest.mark.parametrize("bet", [25, 50, 100, 200])
def test_clairvoyance_out_of_position(bet: int, rake: tuple[float, float]) -> None:
    """Nuts or nothing against hands that beat nothing but a bluff; pot P, bet B, rake k.

    The caller is indifferent when a bluff comes B / (P + 2 B - k_called) of the time; a bluff
    wins nothing when he calls (P - k) / (P - k + B) of the time.
    """
    rate, cap = rake
    pot, folded, called = 100, min(100 * rate, cap), min((100 + 2 * bet) * rate, cap)
    spot = small_spot(
        BOARD, f"{NUTS},{AIR}", CATCHER, f"{bet}c", ip_bet="", rake={"rate": rate, "cap": cap}
    )
    engine = solved(spot, 4000)
    bets, calls = strategy(engine, "")[1], strategy(engine, f"b{bet}" if bet < 200 else "a")[1]

    bluffs = bet / (pot + 2 * bet - called)  # of all bets
    call_p = (pot - folded) / (pot - folded + bet)
    weight = engine.layout.reach[0]
    is_nuts = np.arange(4) == 3  # combos stand from low cards to high, and kings are highest
    assert weight[is_nuts].sum() == pytest.approx(VALUE_WEIGHT)
    assert bets[is_nuts] == pytest.approx(1, abs=1e-3)
    bluffed = float((bets * weight)[~is_nuts].sum())
    assert bluffed / (bluffed + VALUE_WEIGHT) == pytest.approx(bluffs, abs=2e-3)
    assert calls.mean() == pytest.approx(call_p, abs=2e-3)

    bet_ev = (1 - call_p) * (pot - folded) + call_p * (pot + bet - called)
    share = VALUE_WEIGHT / (VALUE_WEIGHT + AIR_WEIGHT)
    assert engine.values()[0, 0] == pytest.approx(share * bet_ev, abs=1e-2)
    assert -1e-4 < engine.measure()[0] < 2e-2


@pytest.mark.parametrize("bet", [50, 150])
def test_clairvoyance_in_position(bet: int) -> None:
    spot = small_spot(BOARD, CATCHER, f"{NUTS},{AIR}", f"{bet}c", oop_bet="")
    engine = solved(spot, 4000)
    bets, calls = strategy(engine, "x")[1], strategy(engine, f"x b{bet}")[1]
    bluffed = float((bets * engine.layout.reach[1])[:3].sum())
    assert bets[3] == pytest.approx(1, abs=1e-3)
    assert bluffed / VALUE_WEIGHT == pytest.approx(bet / (100 + bet), abs=4e-3)
    assert calls.mean() == pytest.approx(100 / (100 + bet), abs=2e-3)
    share = VALUE_WEIGHT / (VALUE_WEIGHT + AIR_WEIGHT)
    assert engine.values()[1, 0] == pytest.approx(share * (100 + bet * 100 / (100 + bet)), abs=1e-2)


ALWAYS_WIN = [
    ("Ks7h2d9c4s", "KhKd,7s7d", "QQ,AQ,JT"),  # sets on the river
    ("AsAhAd2c", "AcKc,AcQd:0.5", "QQ,JJ,KQs"),  # four aces, drawing dead
    ("AsAhAd", "AcKc", "QhQd,JsTd"),
]


@pytest.mark.parametrize(("board", "winner", "loser"), ALWAYS_WIN)
def test_who_always_wins_gets_the_pot(board: str, winner: str, loser: str) -> None:
    checked = solved(small_spot(board, winner, loser), 1)  # nobody can bet: no strategy at all
    assert checked.values()[0, 0] == pytest.approx(100, abs=1e-4)
    assert checked.values()[1, 0] == pytest.approx(0, abs=1e-4)
    assert checked.measure()[0] == pytest.approx(0, abs=1e-4)
    engine = solved(small_spot(board, winner, loser, "a"), 40)
    assert engine.values()[0, 0] == pytest.approx(100, abs=1e-2)
    assert engine.measure()[0] < 1e-2


ALWAYS_TIE = [
    ("AsKsQsJsTs", "random", "random"),  # everybody plays the board
    ("AsAcKsKc", "AhKh", "AdKd"),
    ("AsKcQs", "AhKh", "AdKd"),  # neither can make a flush
]


@pytest.mark.parametrize(("board", "first", "second"), ALWAYS_TIE)
def test_who_always_ties_gets_half(board: str, first: str, second: str) -> None:
    engine = solved(small_spot(board, first, second, "a"), 40)
    for player in (0, 1):
        assert engine.values()[player, 0] == pytest.approx(50, abs=1e-2)
    assert -1e-4 < engine.measure()[0] < 1e-2


@pytest.mark.parametrize(("board", "first", "second"), ALWAYS_TIE)
def test_rake_is_shared_on_a_tie(board: str, first: str, second: str) -> None:
    spot = small_spot(board, first, second, rake={"rate": 0.05, "cap": 4})
    engine = solved(spot, 1)  # nobody can bet
    for player in (0, 1):
        assert engine.values()[player, 0] == pytest.approx(48, abs=1e-4)
    assert engine.measure()[0] == pytest.approx(0, abs=1e-4)


ONE_COMBO = [
    (small_spot(BOARD, "AhAd", "KhQh", "50%,a", "a"), 300),
    (small_spot(BOARD, "QhJh", "AcTc:0.3", "50%,a", "a"), 300),
    (small_spot("Th7h2d3s", "AhKh", "QcQd", "50%,a", "a"), 300),  # fifteen outs
    (small_spot("Th7h2d3s", "QcQd:0.5", "AhKh", "50%,a", "a"), 300),
    (small_spot("Th7h2d", "AhKh", "TcTd", "a", stack=30), 60),  # cheap enough to call
]


@pytest.mark.parametrize(("spot", "iterations"), ONE_COMBO)
def test_one_combo_a_side_is_worth_what_open_cards_are(spot: Spot, iterations: int) -> None:
    """Nothing is hidden, so backward induction over every card gives the value."""
    engine, oracle = solved(spot, iterations), Oracle(spot)
    for player in (0, 1):
        want = minimax_chips(oracle, player)
        assert engine.values()[player, 0] == pytest.approx(want, abs=1e-2)
    assert -1e-3 < engine.measure()[0] < 1e-2


TINY = [
    small_spot(BOARD, "AA,KQs,76s", "AA,KQs,76s", "50%", "a"),
    small_spot(
        BOARD, "KhKd,Kc9h:0.7,AhAd,QhJh,Th8h:0.5", "AcKc,7s7c,QdQh:0.4,JcTc,8h8d", "33%,75%", "2.5x"
    ),
    small_spot("8s7s6s5d2h", "9s9d,AsKd,AdKd,4s3s:0.2,TT", "99,QsJs,AsAd,88:0.5", "e,a", "60%"),
]


@pytest.mark.parametrize("spot", TINY, ids=lambda spot: spot.board)
def test_a_tiny_river_is_worth_what_the_generic_engine_says(spot: Spot) -> None:
    """To 1e-6 of the pot; the generic engine solves it hand by hand in float64."""
    exact = Solver(RiverGame(Oracle(spot)), "cpu", schedule="precise").solve(target=1e-7)
    engine = solved(spot, 10_000)
    want = exact.value + spot.pot / 2
    assert engine.values()[0, 0] == pytest.approx(want, abs=1e-6 * spot.pot)
    assert engine.values()[1, 0] == pytest.approx(spot.pot - want, abs=1e-6 * spot.pot)
