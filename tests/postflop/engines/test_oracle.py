"""What vouches for the oracle: numbers by hand, and the generic engine's own best response."""

import numpy as np
import pytest

from poker_solver.cfr.generic.best_response import best_response_value, game_value
from poker_solver.games.betting import FLOP, RIVER, TURN
from tests.support.postflop_oracle import Float, Oracle, Table, minimax_chips, normalised
from tests.support.postflop_spots import random_spot, small_spot
from tests.support.river_game import RiverGame


def random_policy(oracle: Oracle, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    return normalised({n: rng.random(zeros.shape) for n, zeros in oracle.zeros().items()})


def by_key(oracle: Oracle, policy: Table) -> dict[str, dict[str, float]]:
    """A river strategy as the generic engine writes it."""
    return {
        f"{oracle.tree.actor[n]}:{h}:{n}": dict(
            zip(oracle.tree.actions(n), policy[n][0, :, h].tolist(), strict=True)
        )
        for n in oracle.decisions
        for h in range(len(oracle.hands[oracle.tree.actor[n]]))
    }


def test_hands_meet_unless_they_share_a_card() -> None:
    oracle = Oracle(small_spot("Ks7h2d9c4s", "AhAd,AhQh:0.5,KsKd", "AhAd,QhJh,TcTd"))
    assert [len(h) for h in oracle.hands] == [2, 3]  # the board has the king of spades
    assert oracle.meets.tolist() == [[1, 0, 0], [1, 1, 0]]  # AhQh and AhAd; TdTc, QhJh, AhAd
    assert oracle.num_pairs == 2.5


def test_payoffs_by_hand() -> None:
    """A bet of 50 into 100: 5 % of 200 called, of 100 folded to, at most 8; a flush ties none."""
    rake = {"rate": 0.05, "cap": 8}
    oracle = Oracle(small_spot("AsKsQsJs2d", "TsTd,3h3d", "9s8s,3s4s", "50%", rake=rake))
    check, called, folded = (oracle.tree.node_at(line) for line in ("x x", "b50 c", "b50 f"))
    assert oracle.outcome[0].tolist() == [[-1, -1], [1, 1]]  # 3h3d, then the royal flush
    assert oracle.payoffs(check, 0)[0, 1].tolist() == [95, 95]
    assert oracle.payoffs(called, 0)[0, 1].tolist() == [100 + 50 - 8, 142]
    assert oracle.payoffs(called, 1)[0, 1].tolist() == [-50, -50]
    assert oracle.payoffs(folded, 0)[0, 0].tolist() == [95, 95]
    assert oracle.payoffs(folded, 1)[0, 0].tolist() == [0, 0]
    tie = Oracle(small_spot("AsKsQsJsTs", "3h3d", "4h4d", "50%", rake=rake))
    assert tie.payoffs(check, 0).ravel().tolist() == [47.5]
    assert tie.payoffs(called, 1).ravel().tolist() == [46]


def test_every_card_falls_once_and_probabilities_sum_to_one() -> None:
    oracle = Oracle(small_spot("Ks7h2d", "AhAd", "QcJc"))
    assert [len(oracle.boards[street]) for street in (FLOP, TURN, RIVER)] == [1, 49, 49 * 48]
    both = oracle.alive(RIVER, 0)[:, 0] * oracle.alive(RIVER, 1)[:, 0]
    assert both.sum() == 45 * 44
    assert both.sum() * oracle.chance(RIVER) == pytest.approx(1)


def test_a_check_down_is_worth_the_equity() -> None:
    """AhKh against QcQd on the turn: 15 of 44 rivers save the ace-high hand."""
    oracle = Oracle(small_spot("Th7h2d3s", "AhKh", "QcQd"))
    policy = normalised(oracle.zeros())
    outs = 9 + 3 + 3  # hearts; aces and kings that are no hearts
    assert oracle.ev_chips(0, oracle.mean_cfv(0, policy)) == pytest.approx(100 * outs / 44)
    assert minimax_chips(oracle, 1) == pytest.approx(100 * (44 - outs) / 44)


@pytest.mark.parametrize("seed", range(20))
def test_values_and_best_responses_are_the_generic_engines(seed: int) -> None:
    """On rivers without rake, every hand against every hand in a plain game tree."""
    drawn = random_spot(seed, 5)
    oracle = Oracle(drawn.model_copy(update={"rake": type(drawn.rake)()}))
    policy = random_policy(oracle, seed)
    game, strategy, half = RiverGame(oracle), by_key(oracle, policy), drawn.pot / 2
    value = oracle.ev_chips(0, oracle.mean_cfv(0, policy))
    assert value == pytest.approx(game_value(game, strategy) + half, abs=1e-9 * drawn.pot)
    for player in (0, 1):
        best = oracle.ev_chips(player, oracle.best_cfv(player, policy))
        want = best_response_value(game, strategy, player) + half
        assert best == pytest.approx(want, abs=1e-9 * drawn.pot)


@pytest.mark.parametrize("cards", [4, 5])
@pytest.mark.parametrize("seed", range(5))
def test_evs_sum_to_the_pot_less_rake_and_nobody_beats_his_best(cards: int, seed: int) -> None:
    oracle = Oracle(random_spot(seed, cards))
    policy = random_policy(oracle, seed)
    means = [oracle.mean_cfv(player, policy) for player in (0, 1)]
    total = sum(oracle.ev_chips(player, means[player]) for player in (0, 1))
    assert total == pytest.approx(oracle.spot.pot - oracle.expected_rake(policy), rel=1e-12)
    for player in (0, 1):
        gain: Float = oracle.best_cfv(player, policy) - means[player]
        assert gain.min() >= -1e-9 * oracle.spot.pot


def test_the_first_step_by_hand() -> None:
    """One hand a side, the better one bets half of the pot or checks; all start at one half.

    After a bet the other calls half of the time: 100 / 2 + 150 / 2 = 125, against 100 for a
    check, and the mean is 112.5. He bets from then on, and a call loses 50 where a fold loses 0.
    """
    oracle = Oracle(small_spot("Ks7h2d9c4s", "KhKd:0.5", "QcQd:0.25", "50%", ip_bet=""))
    root = 0
    after_bet = oracle.tree.node_at("b50")
    regret, policy_sum = oracle.step(0, oracle.zeros(), oracle.zeros(), (0, 0, 0))
    assert regret[root][0, :, 0].tolist() == pytest.approx([0.25 * -12.5, 0.25 * 12.5])
    assert policy_sum[root][0, :, 0].tolist() == [0.25, 0.25]  # half of his weight each
    assert not regret[after_bet].any()
    regret, policy_sum = oracle.step(1, regret, policy_sum, (0, 0, 0))
    assert regret[after_bet][0, :, 0].tolist() == pytest.approx([0.5 * 25, 0.5 * -25])
    assert policy_sum[after_bet][0, :, 0].tolist() == [0.125, 0.125]
    regret, policy_sum = oracle.step(0, regret, policy_sum, (0.5, 0.25, 0.75))
    # He folds now: a bet wins 100, as a check does, and the old regrets are only faded.
    assert regret[root][0, :, 0].tolist() == pytest.approx([-3.125 * 0.25, 3.125 * 0.5])
    assert policy_sum[root][0, :, 0].tolist() == [0.25 * 0.75, 0.25 * 0.75 + 0.5]
