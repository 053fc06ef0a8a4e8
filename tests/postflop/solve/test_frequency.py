"""A frequency over a range: met exactly, by one factor per action, and still met after a solve."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.errors import ConfigError, InputError
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solve.frequency import DRIFT, settle, tilt
from poker_solver.postflop.solve.solver import PostflopSolver
from tests.support.postflop_spots import small_spot

TURN = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")


def random_start(seed: int, num_actions: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    hands = rng.random(1326) < 0.3
    start = rng.random((num_actions, 1326)) ** 6 + 1e-5
    return start / start.sum(axis=0), rng.random(1326) * hands, hands


@pytest.mark.parametrize("seed", range(6))
def test_tilting_meets_the_frequency_by_one_factor_per_action(seed: int) -> None:
    start, weight, hands = random_start(seed, 3)
    wanted = {0: 0.05 + 0.15 * seed, **({2: 0.1} if seed % 2 else {})}
    policy = tilt(start, weight, wanted, hands)
    often = policy @ weight / weight.sum()
    for action, share in wanted.items():
        assert often[action] == pytest.approx(share, abs=1e-9)
    np.testing.assert_allclose(policy[:, hands].sum(axis=0), 1, atol=1e-12)
    assert not policy[:, ~hands].any()
    for action in (0, 2):  # odds against action 1 are multiplied by one number for all hands
        before, after = (p[action, hands] / p[1, hands] for p in (start, policy))
        np.testing.assert_allclose(after / before, (after / before)[0], rtol=1e-9)
    if 2 not in wanted:
        np.testing.assert_allclose(
            policy[2, hands] / policy[1, hands], start[2, hands] / start[1, hands], rtol=1e-9
        )


def test_tilting_twice_is_tilting_once() -> None:
    start, weight, hands = random_start(9, 3)
    once = tilt(start, weight, {0: 0.7}, hands)
    twice = tilt(tilt(start, weight, {0: 0.2}, hands), weight, {0: 0.7}, hands)
    np.testing.assert_allclose(once, twice, atol=1e-8)


@pytest.mark.parametrize("share", [0, 1])
def test_never_and_always_are_exact(share: int) -> None:
    start, weight, hands = random_start(3, 3)
    assert (tilt(start, weight, {1: share}, hands)[1, hands] == share).all()
    assert (tilt(start, 0 * weight, {1: share}, hands)[1, hands] == share).all()


@pytest.mark.parametrize(
    ("line", "wanted"),
    [("b75", {"f": 0.8}), ("b75", {"f": 0, "c": 1}), ("x b75 c 5d x", {"x": 0.9})],
)
def test_a_solve_meets_the_frequency(line: str, wanted: dict[str, float], tmp_path: Path) -> None:
    spot = TURN.with_locks([{"line": line, "frequency": wanted}])
    solution = ps.solve(spot, target_pct=0.3, threads=1)
    node = solution.node(line)
    shares = dict(zip(node.actions, node.frequency.tolist(), strict=True))
    for action, share in wanted.items():
        assert shares[action] == pytest.approx(share, abs=DRIFT)
    assert node.locked.all()
    assert solution.exploitability_pct <= 0.3
    (told,) = solution.summary()["locks"]
    assert told["line"] == line
    assert told["frequency"] == pytest.approx(shares, abs=1e-4)
    assert solution.spot.fingerprint() == spot.fingerprint(), "named by what was asked for"
    solution.save(tmp_path / "met.pks")
    again = ps.Solution.load(tmp_path / "met.pks")
    np.testing.assert_allclose(again.node(line).strategy, node.strategy, atol=2e-5)
    if line == "b75":
        assert len(solution.layout.runouts.river_card) == 22, "suits are as alike as before"


def test_those_whom_it_costs_least_move_first() -> None:
    """Folding more often: whoever has less to lose by a fold folds more, and the best hands none.

    On a river a hand is worth what it shows: nothing beats KK and 77, most hands beat 33.
    """
    river = small_spot("Ks7s2dTc4h", "AA,KQs,QJs,98s,66", "KK,77,KJs,QTs,A7s,66,33", "75%", "")
    free = ps.solve(river, target_pct=0.3, threads=1)
    before = free.node("b75")
    gains = np.nan_to_num(before.ev_actions[1] - before.ev_actions[0])  # by calling, chips
    assert before.frequency[0] < 0.6
    after = []
    for share in (0.6, 0.65, 0.7):  # KK and 77 are 22 % of the range
        locks = [{"line": "b75", "frequency": {"f": share}}]
        asked = PostflopGame.of(river.with_locks(locks))
        node = PostflopSolver(settle(asked, free), threads=1).solution().node("b75")
        folds = node.strategy[0][np.argsort(gains)]
        sure = np.sort(gains) > 0.03 * before.pot  # who does not mix
        assert (np.diff(folds[sure]) <= 1e-6).all()
        assert (folds[np.sort(gains) >= gains.max() - 1e-3] < 1e-6).all()
        after.append(node.strategy[0])
    assert (np.diff(after, axis=0) >= -1e-6).all(), "who folds at 60 % folds at 70 %"


def test_a_frequency_that_is_played_already_changes_nothing() -> None:
    free = ps.solve(TURN, target_pct=0.3, threads=1)
    before = free.node("b75")
    asked = [{"line": "b75", "frequency": {"f": float(before.frequency[0])}}]
    game = PostflopGame.of(TURN.with_locks(asked))
    after = PostflopSolver(settle(game, free), threads=1).solution().node("b75")
    np.testing.assert_allclose(after.strategy, before.strategy, atol=2e-3)


def test_an_earlier_frequency_changes_the_range_of_a_later_one() -> None:
    """IP always bets after a check: nothing but the two frequencies decides who gets there."""
    asked = [
        {"line": "x b75", "frequency": {"f": 0.6}},
        {"line": "", "frequency": {"x": 0.7}},
    ]
    bets = TURN.with_locks([{"line": "x", "strategy": {"b75": 1}}])
    free = ps.solve(bets, target_pct=1.0, threads=1)
    assert abs(free.node("").frequency[0] - 0.7) > 0.05
    laid_over = ps.max_exploit(free, "ip", locks=asked).solution  # whose OOP plays as in `free`
    told = laid_over.summary()["locks"]
    assert "frequency" not in told[0]
    assert told[1]["frequency"]["f"] == pytest.approx(0.6, abs=1e-6)
    assert told[2]["frequency"]["x"] == pytest.approx(0.7, abs=1e-6)
    solved = ps.solve(bets.with_locks([*bets.locks, *asked]), target_pct=0.3, threads=1)
    told = solved.summary()["locks"]
    assert told[1]["frequency"]["f"] == pytest.approx(0.6, abs=DRIFT)
    assert told[2]["frequency"]["x"] == pytest.approx(0.7, abs=DRIFT)


def test_what_is_wrong_is_said_before_anything_is_solved() -> None:
    asked = {"line": "b75", "frequency": {"f": 0.8}}
    with pytest.raises(InputError, match="the lock at 'b75' is a frequency"):
        PostflopSolver(TURN.with_locks([asked]))
    with pytest.raises(ConfigError, match=r"locks\[1\].line: .* locked twice"):
        ps.solve(TURN.with_locks([asked, {"line": "b75", "strategy": {"f": 1}}]))
