"""The float64 reference of the postflop kernels: by hand, beside the oracle, and beside engines."""

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS
from poker_solver.cards.strength import board_strengths
from poker_solver.holdem.postflop import PostflopEngine
from poker_solver.holdem.postflop_layout import Layout, chip_payoffs, lay_out
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, reference
from tests.support.postflop_oracle import Oracle, Table, normalised
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import places, read, write

SPOT = small_spot(
    "Ks7h2d9c4s", "AA,KQ,77:0.5,65s", "QQ,AK,76s,KQs:0.3", "50%,a", "2.5x,a",
    rake={"rate": 0.05, "cap": 3.0},
)  # fmt: skip


def river_board(layout: Layout) -> reference.RiverBoard:
    tree, strengths = layout.tree, board_strengths(layout.runouts.boards(2))[0]
    payoff = chip_payoffs(tree, layout.spot, np.arange(tree.num_nodes)).astype(np.float64)
    oop, ip = layout.combos
    cards, strength = (COMBO_CARDS[oop], COMBO_CARDS[ip]), (strengths[oop], strengths[ip])
    return reference.RiverBoard(
        tree.kind, tree.first_child, tree.num_children, payoff, cards, strength
    )


def random_state(oracle: Oracle) -> tuple[Table, Table]:
    rng = np.random.default_rng(7)
    zeros = oracle.zeros()
    regret = {n: rng.uniform(-1, 1, table.shape) for n, table in zeros.items()}
    return regret, {n: rng.uniform(0, 1, table.shape) for n, table in zeros.items()}


def one_board(table: Table) -> Table:
    return {n: values[0] for n, values in table.items()}


def test_terminals_by_hand() -> None:
    """Three hands against two; the first two share a card, the tie is halved by the payoff."""
    met = reference.meets(np.array([[0, 1], [2, 3], [4, 5]]), np.array([[0, 6], [7, 8]]))
    assert met.tolist() == [[0, 1], [1, 1], [1, 1]]
    reach = np.array([10.0, 1.0])
    assert reference.fold(met, reach, -2.0).tolist() == [-2.0, -22.0, -22.0]
    cfv = reference.showdown(met, np.array([5, 3, 1]), np.array([1, 3]), reach, 100.0, -50.0, 7.0)
    assert cfv.tolist() == [100.0, 1007.0, 20.0]


def test_learning_by_hand() -> None:
    """Regrets 3, 1 and 0 of one hand, -2, -1, 0 of another, which plays evenly."""
    regret = np.array([[3.0, -2.0], [1.0, -1.0], [0.0, 0.0]])
    sums, values = np.full((3, 2), 4.0), np.array([[4.0, 3.0], [8.0, 0.0], [1.0, 6.0]])
    own = np.array([1.0, 0.5])
    cfv, new_regret, new_sum = reference.learn(regret, sums, values, own, (0.5, 0.25, 0.5))
    assert cfv.tolist() == [5.0, 3.0]
    assert new_regret.tolist() == [[0.5, -0.5], [3.5, -3.25], [-4.0, 3.0]]
    np.testing.assert_allclose(new_sum, [[2.75, 2 + 1 / 6], [2.25, 2 + 1 / 6], [2, 2 + 1 / 6]])


@pytest.mark.parametrize("player", [0, 1])
def test_a_pass_is_the_oracles(player: int) -> None:
    """Another implementation: other evaluator, chips counted from the whole pot.

    Payoffs come in float32: 250 chips with rake, met by some twenty hands, are off by 3e-4 at most.
    """
    layout, oracle = lay_out(SPOT), Oracle(SPOT)
    regret, policy_sum = random_state(oracle)
    weights = (0.9, 0.6, 0.8)
    opponents = oracle.meets if player == 0 else oracle.meets.T
    half = SPOT.pot / 2 * (opponents @ oracle.weight[1 - player])
    state = one_board(regret), one_board(policy_sum)
    reach, own = oracle.weight[1 - player], oracle.weight[player]
    averages = normalised(policy_sum)
    for mode, want in ((MEAN, oracle.mean_cfv), (BEST, oracle.best_cfv)):
        got = reference.RiverPass(river_board(layout), player, mode, *state).cfv(0, reach, own)
        np.testing.assert_allclose(got + half, want(player, averages), rtol=0, atol=3e-4)
    walk = reference.RiverPass(river_board(layout), player, LEARN, *state, weights)
    walk.cfv(0, reach, own)
    want_regret, want_sum = oracle.step(player, regret, policy_sum, weights)
    for n in oracle.decisions:
        np.testing.assert_allclose(walk.regret[n], want_regret[n][0], rtol=0, atol=3e-4)
        np.testing.assert_allclose(walk.policy_sum[n], want_sum[n][0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_the_cpu_engine_is_within_the_budget_of_the_contract(player: int) -> None:
    layout, oracle = lay_out(SPOT), Oracle(SPOT)
    engine, where = PostflopEngine(layout), places(layout, oracle)
    regret, policy_sum = random_state(oracle)
    write(regret, engine.regret, where)
    write(policy_sum, engine.policy_sum, where)
    state = one_board(read(engine.regret, where)), one_board(read(engine.policy_sum, where))
    weights = np.array([0.9, 0.6, 0.8], np.float32)
    reach, own = (layout.reach[p].astype(np.float64) for p in (1 - player, player))
    for mode in (BEST, MEAN, LEARN):
        walk = reference.RiverPass(river_board(layout), player, mode, *state, weights.tolist())
        want = walk.cfv(0, reach, own)
        got = engine.run_pass(player, mode, weights)
        np.testing.assert_allclose(got, want, rtol=0, atol=4e-6 * np.abs(want).max())
