"""The engine step by step: against the oracle, with and without isomorphism, on any threads."""

import numpy as np
import pytest

from poker_solver.cards import combo_to_string, parse_board, unblocked
from poker_solver.cards.isomorphism import suit_symmetries
from poker_solver.cfr.schedules import CFR_PLUS, DCFR, LCFR, Schedule
from poker_solver.config.spot import Spot
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.trees.runouts import IDENTITY
from tests.support.postflop_oracle import EPS, Oracle, Table, normalised
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import (
    cfv_gaps,
    engine_cfv,
    first_iterations_gap,
    largest_gap,
    learn_gaps,
    places,
    plays_live_hands_only,
    read,
    regret_budget,
    sum_budget,
    symmetrised,
    write,
)
from tests.support.spots import named_spot

RAKE = {"rate": 0.05, "cap": 12}

STEPPED = {
    "river": small_spot("Ks7h2d9c4s", "AhAd,KhQh,QhJh:0.5,KcQc", "AhKh,QQ,KhQh:0.3", "50%", "2.5x"),
    "raked river": small_spot("Ks7h2d9c4s", "AA,KQ,76s:0.5", "KQ,AQs", "40%,a", "a", rake=RAKE),
    "turn": small_spot("Ks7h2d9c", "AhAd,KhQh:0.5,Td8d", "KhQh,7s7c,AhTh:0.2", "60%", "a"),
    "raked turn": small_spot("Ks7h2d9c", "AhAd,KhQh:0.5", "KhQh,7s7c", "60%", rake=RAKE),
    "flop": small_spot("Ks7h2d", "AhAd,KhQh:0.5", "KhQh,Td8d", "75%", stack=160),
}


@pytest.mark.parametrize("name", STEPPED)
def test_first_iterations_are_the_oracles(name: str) -> None:
    """Pass by pass from the engine's own state, so that no difference is amplified."""
    spot = STEPPED[name]
    engine = PostflopEngine(lay_out(spot, symmetries=[IDENTITY]))
    assert first_iterations_gap(engine, Oracle(spot), 4) <= 1


@pytest.mark.parametrize("counts", [(1, 32), (15, 16), (16, 17), (17, 33), (31, 48)], ids=str)
def test_any_number_of_hands_with_two_to_five_actions(counts: tuple[int, int]) -> None:
    """Vector code takes sixteen hands at a time, and has a case for each number of actions."""
    rng = np.random.default_rng(counts)
    free = np.flatnonzero(unblocked(parse_board("Ks7h2d9c4s")))
    oop, ip = (
        ",".join(map(combo_to_string, rng.choice(free, count, replace=False))) for count in counts
    )
    spot = small_spot("Ks7h2d9c4s", oop, ip, "33%,75%,150%,a", "2.5x,a")
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    assert {len(oracle.tree.actions(n)) for n in oracle.decisions} == {2, 3, 4, 5}
    assert max(cfv_gaps(engine, oracle, normalised(oracle.zeros()))) <= 1, "all is uniform yet"
    assert first_iterations_gap(engine, oracle, 3) <= 1


def test_river_lines_that_nobody_reaches_fade() -> None:
    """A turn on which OOP only checks and IP only bets: whole groups of rivers have no reach."""
    spot = small_spot("Ks7h2d9c", "AhAd,KhQh:0.5,Td8d", "KhQh,7s7c", "60%", "50%", stack=2000)
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    engine.train(3)
    where = places(engine.layout, oracle)
    for n in oracle.decisions:
        if oracle.tree.street[n] == 1:
            played = 0 if oracle.tree.actor[n] == 0 else -1
            regret = np.full_like(engine.regret[where[n]], -1.0)
            regret[:, played] = 1.0
            engine.regret[where[n]] = regret
    assert len(engine.layout.river.group_start) > 3
    for weights in engine.schedule.table(4, 2).astype(np.float32):
        for player in (0, 1):
            assert max(learn_gaps(engine, oracle, where, player, weights)) <= 1


@pytest.mark.parametrize("name", ["raked river", "turn"])
@pytest.mark.parametrize("schedule", [POSTFLOP, DCFR, LCFR, CFR_PLUS], ids=str)
def test_training_is_passes_by_the_schedule(schedule: Schedule, name: str) -> None:
    """Player 0 first, the factors of iteration t counted from 1, and going on where it stopped."""
    spot = STEPPED[name]
    trained = PostflopEngine(lay_out(spot), schedule)
    trained.train(2)
    trained.train(3)
    passes = PostflopEngine(lay_out(spot), schedule)
    for t in range(1, 6):
        for player in (0, 1):
            passes.run_pass(player, LEARN, np.array(schedule.at(t), np.float32))
    assert trained.iteration == 5
    np.testing.assert_allclose(trained.regret, passes.regret, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(trained.policy_sum, passes.policy_sum, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_hands_that_hold_a_dealt_card_are_never_played(name: str) -> None:
    engine, oracle = PostflopEngine(lay_out(STEPPED[name])), Oracle(STEPPED[name])
    engine.train(3)
    assert plays_live_hands_only(engine, oracle)


def test_looking_changes_nothing() -> None:
    engine = PostflopEngine(lay_out(STEPPED["turn"]))
    engine.train(3)
    before = engine.regret.tobytes(), engine.policy_sum.tobytes()
    engine.measure()[0]
    engine.values()[0, 0]
    assert (engine.regret.tobytes(), engine.policy_sum.tobytes()) == before


def test_a_pass_returns_root_values_of_what_was_played() -> None:
    """LEARN: the regret strategies before it; the mean of those is the value."""
    spot = STEPPED["raked turn"]
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    engine.train(2)
    where = places(engine.layout, oracle)
    for player in (0, 1):
        policy = normalised(read(engine.regret, where))
        got = engine_cfv(engine, oracle, player, LEARN)
        want = oracle.mean_cfv(player, policy)
        np.testing.assert_allclose(got, want, rtol=0, atol=oracle.budget_cfv(player))


@pytest.mark.parametrize("name", ["river_full", "river_example"])
def test_the_error_of_a_pass_at_real_size(name: str) -> None:
    """With a thousand hands a side roundings average out: n of them cost like the root of n.

    Three running sums a terminal have 3 H in all; eight standard deviations are granted.
    """
    spot = named_spot(name)
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    where = places(engine.layout, oracle)
    for iterations in (1, 19):
        engine.train(iterations)
        policy = normalised(read(engine.policy_sum, where))
        for player in (0, 1):
            stake = (spot.pot / 2 + spot.stack) * oracle.weight[1 - player].sum()
            atol = 8 * np.sqrt(3 * len(oracle.hands[1 - player])) * EPS / 2 * stake
            for mode, cfv in ((MEAN, oracle.mean_cfv), (BEST, oracle.best_cfv)):
                got, want = engine_cfv(engine, oracle, player, mode), cfv(player, policy)
                np.testing.assert_allclose(got, want, rtol=0, atol=atol)


SYMMETRIC = {
    # board, renamings that leave all as it is
    "monotone flop": (small_spot("Ks7s2s", "AA,KQs", "77:0.5,AQs", "75%", stack=90), 6),
    "two-tone flop": (small_spot("Ks7s2d", "QQ,KJs:0.3", "AKs,76s", "75%", stack=90), 2),
    "paired flop": (small_spot("7s7h2d", "AA,76s:0.5", "QJs,22", "75%", stack=90), 2),
    "rainbow flop": (small_spot("Ks7h2d", "AhAd,KhQh", "77:0.5", "75%", stack=90), 1),
    "monotone turn": (small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%,a", "a"), 6),
    "two-suit turn": (small_spot("Ks7s2d9d", "AA,KQ", "77,AQ:0.5", "75%", "a", rake=RAKE), 2),
    "double-paired turn": (small_spot("KsKh7d7c", "AKs,QQ", "77,AQs", "75%", "a"), 4),
    "rainbow turn": (small_spot("Ks7h2d9c", "AA,KQ", "77,AQ:0.5", "75%", "a"), 1),
}


def random_state(oracle: Oracle, group: list[tuple[int, int, int, int]]) -> tuple[Table, Table]:
    """Regrets of both signs and sums above 0, both as symmetric as the spot."""
    rng = np.random.default_rng(len(group))

    def drawn(low: float) -> Table:
        table = {n: rng.uniform(low, 1.0, zeros.shape) for n, zeros in oracle.zeros().items()}
        return symmetrised(oracle, table, group)

    return drawn(-1.0), drawn(0.0)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_isomorphism_changes_nothing(name: str) -> None:
    """One engine deals representative cards, one every card; each pass starts from one state."""
    spot, num_symmetries = SYMMETRIC[name]
    oracle = Oracle(spot)
    group = suit_symmetries(spot.cards, spot.weights)
    assert len(group) == num_symmetries
    engines = PostflopEngine(lay_out(spot)), PostflopEngine(lay_out(spot, symmetries=[IDENTITY]))
    some, every = (sum(engine.layout.runouts.num_boards) for engine in engines)
    assert (some < every) == (num_symmetries > 1)
    where = [places(engine.layout, oracle) for engine in engines]
    regret, policy_sum = random_state(oracle, group)
    for engine, place in zip(engines, where, strict=True):
        write(regret, engine.regret, place)
        write(policy_sum, engine.policy_sum, place)
        assert max(cfv_gaps(engine, oracle, normalised(policy_sum))) <= 1
    weights = np.array([0.9, 0.6, 0.8], np.float32)
    for player in (0, 1):
        roots = [engine.run_pass(player, LEARN, weights) for engine in engines]
        np.testing.assert_allclose(roots[0], roots[1], rtol=0, atol=2 * oracle.budget_cfv(player))
        first, second = (
            (read(engine.regret, place), read(engine.policy_sum, place))
            for engine, place in zip(engines, where, strict=True)
        )
        budget = regret_budget(oracle, player, regret)
        assert largest_gap(oracle, first[0], second[0], budget) <= 2
        assert largest_gap(oracle, first[1], second[1], sum_budget(oracle, policy_sum)) <= 2
        write(first[0], engines[1].regret, where[1])  # the next pass starts from one state again


@pytest.mark.parametrize("name", ["monotone turn", "double-paired turn"])
def test_solved_with_and_without_isomorphism(name: str) -> None:
    """Both are near the same equilibrium; the oracle, dealing every card, says how near."""
    spot, _ = SYMMETRIC[name]
    oracle = Oracle(spot)
    values = []
    for symmetries in (None, [IDENTITY]):
        engine = PostflopEngine(lay_out(spot, symmetries=symmetries))
        engine.train(600)
        policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
        gap = engine.measure()[0]
        assert 0 < gap < 1e-3 * spot.pot
        assert gap == pytest.approx(oracle.exploitability_chips(policy), abs=1e-4 * spot.pot)
        values.append([engine.values()[player, 0] for player in (0, 1)])
    np.testing.assert_allclose(values[0], values[1], rtol=0, atol=1e-3 * spot.pot)


THREADED: dict[str, Spot] = {
    "river": STEPPED["raked river"],
    "turn": STEPPED["turn"],
    "turn_example": named_spot("turn_example"),
    "monotone flop": SYMMETRIC["monotone flop"][0],
    "flop": STEPPED["flop"],
}


@pytest.mark.parametrize("name", THREADED)
def test_threads_do_not_change_a_bit(name: str) -> None:
    layout = lay_out(THREADED[name])
    found: list[tuple[bytes, bytes, list[float]]] = []
    for threads in (1, 2, 3):
        engine = PostflopEngine(layout, threads=threads)
        engine.train(4)
        looks: list[float] = [engine.values()[0, 0], engine.measure()[0]]
        found.append((engine.regret.tobytes(), engine.policy_sum.tobytes(), looks))
    assert found[0] == found[1] == found[2]


def test_a_river_that_blocks_all_of_a_players_hands() -> None:
    """Every hand of one player holds the six of hearts, so one river is never seen."""
    spot = small_spot("4h9sAc3s", "Qs5c,QhQd", "Qd6h,Qs6h,6h5h", "50%", "a", rake=RAKE)
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    engine.train(5)
    policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
    assert max(cfv_gaps(engine, oracle, policy)) <= 1


def test_exploitability_is_never_below_zero() -> None:
    """Where it comes closest: a river solved until float32 has nothing left to improve."""
    spot = STEPPED["river"]
    engine, oracle = PostflopEngine(lay_out(spot)), Oracle(spot)
    budget = oracle.budget_chips(0) + oracle.budget_chips(1)
    for _ in range(20):
        engine.train(200)
        assert engine.measure()[0] >= -budget
