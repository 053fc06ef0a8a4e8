"""The float64 reference of the postflop kernels: by hand, and beside the oracle."""

import numpy as np
import pytest

from poker_solver.kernels.postflop import BEST, LEARN, MEAN, reference
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.layout.layout import lay_out
from tests.support.postflop_oracle import Oracle, Table, normalised
from tests.support.postflop_pass import Learned, run_pass
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import places, read, write

SPOT = small_spot(
    "Ks7h2d9c4s", "AA,KQ,77:0.5,65s", "QQ,AK,76s,KQs:0.25", "50%,a", "2.5x,a",
    rake={"rate": 0.05, "cap": 3.0},
)  # fmt: skip


def random_state(oracle: Oracle) -> tuple[Table, Table]:
    rng = np.random.default_rng(7)
    zeros = oracle.zeros()
    regret = {n: rng.uniform(-1, 1, table.shape) for n, table in zeros.items()}
    return regret, {n: rng.uniform(0, 1, table.shape) for n, table in zeros.items()}


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
    cfv, new_regret, new_sum = reference.learn(regret, sums, values, own, Weights(0.5, 0.25, 0.5))
    assert cfv.tolist() == [5.0, 3.0]
    assert new_regret.tolist() == [[0.5, -0.5], [3.5, -3.25], [-4.0, 3.0]]
    np.testing.assert_allclose(new_sum, [[2.75, 2 + 1 / 6], [2.25, 2 + 1 / 6], [2, 2 + 1 / 6]])


@pytest.mark.parametrize("player", [0, 1])
def test_a_pass_is_the_oracles(player: int) -> None:
    """Another implementation: other evaluator, chips counted from the whole pot.

    Payoffs come in float32: 250 chips with rake, met by some twenty hands, are off by 3e-4 at most.
    Weights of hands do too, and are numbers that it holds exactly.
    """
    layout, oracle = lay_out(SPOT), Oracle(SPOT)
    regret, policy_sum = random_state(oracle)
    weights, where = Weights(0.9, 0.6, 0.8), places(layout, oracle)
    opponents = oracle.meets if player == 0 else oracle.meets.T
    half = SPOT.pot / 2 * (opponents @ oracle.weight[1 - player])
    state = np.zeros(layout.num_elements), np.zeros(layout.num_elements)
    for table, array in zip((regret, policy_sum), state, strict=True):
        write(table, array, where)

    def run(mode: int) -> Learned:
        return run_pass(layout, player, mode, weights, *state)

    averages = normalised(policy_sum)
    for mode, want in ((MEAN, oracle.mean_cfv), (BEST, oracle.best_cfv)):
        got = run(mode).cfv + half
        np.testing.assert_allclose(got, want(player, averages), rtol=0, atol=3e-4)
    learned = run(LEARN)
    want_regret, want_sum = oracle.step(player, regret, policy_sum, weights)
    got_regret, got_sum = read(learned.regret, where), read(learned.policy_sum, where)
    for n in oracle.decisions:
        np.testing.assert_allclose(got_regret[n], want_regret[n], rtol=0, atol=3e-4)
        np.testing.assert_allclose(got_sum[n], want_sum[n], rtol=0, atol=1e-12)
