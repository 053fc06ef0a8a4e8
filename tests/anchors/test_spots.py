"""The named spots against the results of independent solvers, cross-checked where two were at hand.

EVs of an equilibrium are unique without rake; the frequency of an action over a whole range nearly
so; the mix of one indifferent hand not at all. So EVs are held to the references' own accuracy,
frequencies to a percent, and single hands only where one action is clearly better.
"""

from functools import cache

import numpy as np
import pytest

from poker_solver.cards.equity import range_equity
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from tests.support.postflop_oracle import Float, Oracle, normalised
from tests.support.postflop_states import places, read
from tests.support.spots import named_spot

# name, iterations, OOP's EV, its bracket, OOP's equity, root frequencies
ANCHORS = [
    (
        "river_full",
        1000,
        46.747,
        (46.673, 46.803),
        0.5000,
        {"x": 0.672, "b33": 0.245, "b75": 0.083},
    ),
    ("river_example", 1000, 92.774, (92.722, 92.836), 0.5162, {"x": 0.689, "b120": 0.311}),
    ("turn_example", 800, 91.961, (91.948, 91.973), 0.5306, {"x": 0.964, "b120": 0.036}),
]
DECISIONS = {
    "river_full": 24,
    "river_example": 10,
    "turn_example": 2_754,
    "flop_example": 213_520,
    "3betpot_fast": 198_868,
}
HANDS = {
    "river_full": (1081, 1081),
    "river_example": (167, 246),
    "turn_example": (167, 250),
    "flop_example": (180, 265),
    "3betpot_fast": (273, 416),
}


@cache
def solved(name: str, iterations: int) -> PostflopEngine:
    engine = PostflopEngine(lay_out(named_spot(name)), threads=2)
    engine.train(iterations)
    return engine


def root_strategy(engine: PostflopEngine) -> Float:
    """[A, H] OOP's average."""
    table: Float = state_rows(engine.layout, engine.policy_sum, 0, 0, 1)[0].astype(np.float64)
    table /= table.sum(axis=0)
    return table


def root_frequencies(engine: PostflopEngine) -> dict[str, float]:
    """Over OOP's range, each hand by its weight and the opponent hands it can meet."""
    weights = engine.layout.game.weights
    met = range_equity(weights[0], weights[1], engine.layout.game.cards).players[0].opponents
    share = (weights[0] * met)[engine.layout.combos[0]]
    played = root_strategy(engine) @ (share / share.sum())
    return dict(zip(engine.layout.tree.actions(0), played.tolist(), strict=True))


@pytest.mark.parametrize(("name", "iterations", "ev", "bracket", "equity", "mix"), ANCHORS)
def test_a_named_spot_has_the_reference_result(
    name: str,
    iterations: int,
    ev: float,
    bracket: tuple[float, float],
    equity: float,
    mix: dict[str, float],
) -> None:
    engine = solved(name, iterations)
    spot = engine.layout.game
    gap = engine.measure()[0]
    assert 0 < gap < 2e-4 * spot.pot
    values = [engine.values()[player, 0] for player in (0, 1)]
    assert bracket[0] < values[0] < bracket[1]
    assert values[0] == pytest.approx(ev, abs=gap + 1e-5 * spot.pot)  # and theirs is rounded
    assert sum(values) == pytest.approx(spot.pot, abs=2e-5 * spot.pot)
    found = root_frequencies(engine)
    for action, frequency in found.items():
        assert frequency == pytest.approx(mix.get(action, 0.0), abs=0.01), action
    exact = range_equity(spot.weights[0], spot.weights[1], spot.cards).players[0].equity
    assert exact == pytest.approx(equity, abs=5e-5)


@pytest.mark.parametrize("name", ["river_full", "river_example"])
def test_hands_with_a_clearly_better_action_play_it(name: str) -> None:
    """By the oracle's values of each action at the root: 1 % of the pot is clear at 0.01 %."""
    engine = solved(name, 1000)
    spot, oracle = named_spot(name), Oracle(named_spot(name))
    policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
    found: list[Float] = []

    def remember(node: int, by_action: Float) -> Float:
        if node == 0:
            found.append(by_action[0])
        mean: Float = (policy[node] * by_action).sum(axis=1)
        return mean

    oracle.root_cfv(0, policy, remember)
    ev_chips = found[0] / (oracle.meets @ oracle.weight[1])  # [A, H]
    best, played = ev_chips.max(axis=0), policy[0][0]
    worse = ev_chips < best - 0.01 * spot.pot
    assert played[worse].max() < 0.01
    clear = worse.sum(axis=0) == len(ev_chips) - 1
    assert clear.sum() > len(best) / 20  # there are such hands
    assert (played.argmax(axis=0) == ev_chips.argmax(axis=0))[clear].all()


@pytest.mark.parametrize("name", DECISIONS)
def test_decisions_and_hands_of_a_named_spot(name: str) -> None:
    layout = lay_out(named_spot(name))
    boards = np.array(layout.runouts.num_boards)[layout.tree.street]
    assert int(boards[layout.tree.is_decision].sum()) == DECISIONS[name]
    assert tuple(map(len, layout.combos)) == HANDS[name]


@pytest.mark.slow
def test_3betpot_fast_at_a_tenth_of_a_percent() -> None:
    """A commercial solver agrees on these three: equity 55.347 %, EV 105.11, bet 55.2 %."""
    engine = PostflopEngine(lay_out(named_spot("3betpot_fast")), threads=2)
    pot = engine.layout.game.pot
    engine.train(140)
    while engine.measure()[0] > 1e-3 * pot and engine.iteration < 300:
        engine.train(20)
    assert 0 < engine.measure()[0] <= 1e-3 * pot
    assert engine.values()[0, 0] == pytest.approx(105.11, abs=0.2)
    assert root_frequencies(engine)["b94"] == pytest.approx(0.552, abs=0.01)
    spot = engine.layout.game
    equity = range_equity(spot.weights[0], spot.weights[1], spot.cards).players[0].equity
    assert equity == pytest.approx(0.55347, abs=5e-6)
