"""A river in one pass of each engine against the walk of its lines, hand against hand."""

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS
from poker_solver.cards.strength import board_strengths
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.layout.state import state_rows
from tests.support.line_walks import Pairs, Walked, interpret
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.postflop_states import Engine

BUDGET = 4e-6
RAKE = {"rate": 0.05, "cap": 9.5}
SPOTS: dict[str, Spot] = {
    "raked": small_spot("Ks9s4h2s8d", "22+,A2s+,76s", "AT+,KQ,98s", "33%,a", "2.5x,a", rake=RAKE),
    "ties": small_spot("AsKsQhJdTc", "55,33,Ts8s,6c2c", "TT,77,33,5c5d,4c3c", "50%", "a"),
    **{f"random {seed}": random_spot(seed, 5) for seed in range(3)},
}


def pairs_on(layout: Layout, player: int) -> Pairs:
    """How hands meet on the spot's only board."""
    strength = board_strengths(layout.runouts.boards(RIVER))[0].astype(np.int64)
    own, other = layout.combos[player], layout.combos[1 - player]
    meet = (COMBO_CARDS[own][:, None, :, None] != COMBO_CARDS[other][None, :, None, :]).all((2, 3))
    order = np.sign(strength[own][:, None] - strength[other][None, :])
    return Pairs(meet.astype(float), order.astype(float))


def walked(layout: Layout, player: int, stored: np.ndarray, *, best: bool = False) -> Walked:
    """What the reference makes of the root's line, with policies from what is stored."""
    (group,) = layout.shape.groups[RIVER]
    policy = [np.zeros((group.num_rows[p], len(layout.combos[p]))) for p in (0, 1)]
    for _, decision in group.decisions:
        rows = state_rows(layout, stored, decision.node, 0, 1)[0].astype(np.float64)
        policy[decision.player][list(decision.rows)] = rows / rows.sum(0)
    reach = [row[None].astype(np.float64) for row in layout.reach]
    return interpret(group, player, policy, reach, pairs_on(layout, player), best=best)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("backend", ["cpu", "torch"])
@pytest.mark.parametrize("name", SPOTS)
def test_a_pass_is_the_walk_of_the_lines(name: str, backend: str, player: int) -> None:
    layout, rng = lay_out(SPOTS[name]), np.random.default_rng(2)
    engine: Engine = PostflopEngine(layout)
    if backend == "torch":
        engine = TorchEngine(layout, device="cpu")
    stored = {part: 0.1 + rng.random(layout.num_elements) for part in ("regret", "policy_sum")}
    stored = {part: array.astype(np.float32) for part, array in stored.items()}

    for mode in (MEAN, BEST):
        engine.restore(stored, 1)
        got = engine.run_pass(player, mode, np.zeros(3, np.float32))
        want = walked(layout, player, stored["policy_sum"], best=mode == BEST).values[0]
        assert np.abs(got - want).max() <= BUDGET * np.abs(want).max()

    engine.restore(stored, 1)
    got = engine.run_pass(player, LEARN, np.zeros(3, np.float32))  # nothing of before is kept
    learned = walked(layout, player, stored["regret"])
    scale = max(np.abs(value).max() for value in learned.values)
    assert np.abs(got - learned.values[0]).max() <= BUDGET * scale
    (group,) = layout.shape.groups[RIVER]
    for _, decision in group.decisions_of(player):
        mine = list(decision.rows)
        regret, played = (
            state_rows(layout, state, decision.node, 0, 1)[0]
            for state in (engine.regret, engine.policy_sum)
        )
        assert np.abs(regret - learned.gain[mine]).max() <= 2 * BUDGET * scale
        assert np.abs(played - learned.played[mine]).max() <= BUDGET
