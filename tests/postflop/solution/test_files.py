"""Games in files: what text has not is kept as arrays, to the last bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poker_solver.config.spot import Spot
from poker_solver.errors import FormatError, InputError
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.files import game_entries, read_game
from poker_solver.postflop.solution.solution import KIND, Solution
from poker_solver.postflop.solve.frequency import settle
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.solving import solve
from poker_solver.store.files import read_file, write_file
from poker_solver.trees.locks import LockedNode
from tests.support.postflop_spots import small_spot

TURN = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")
ASKED = TURN.with_locks(
    [{"line": "b75", "frequency": {"f": 0.8}}, {"line": "", "hands": {"AA": {"x": 1}}}]
)


def made_game(spot: Spot = TURN) -> PostflopGame:
    """The spot with weights that no text would have, and a lock that nobody wrote."""
    game, rng = PostflopGame.of(spot), np.random.default_rng(5)
    weights = game.weights * rng.random((2, 1326))
    node = game.tree.node_at("x")
    hands = (weights[1] > 0) & (rng.random(1326) < 0.5)
    mix = rng.random((int(game.tree.num_children[node]), 1326))
    policy = np.where(hands, mix / mix.sum(axis=0), 0.0)
    lock = LockedNode("x", node, (), hands, policy)
    return replace(game, weights=weights, locks=(lock,))


def same_game(one: PostflopGame, other: PostflopGame) -> bool:
    return one.cards == other.cards and one.fingerprint() == other.fingerprint()


RAKE = {"rate": 0.05, "cap": float("inf")}
LIMITS = {"thresholds": {"merge": 0.1}, "max_raises": 2}
SPOTS = {
    "turn": TURN,
    "flop, raked": small_spot("Ks7s2s", "AA,KQs", "77,JTs", "33%,2e120%", rake=RAKE),
    "thresholds": small_spot("Ks7s2sTs", "AA", "77,JTs", "33.3%,120c", "2.5x", **LIMITS),
    "donks": Spot.from_mapping({
        "board": "Ks7s2sTs", "pot": 100, "stack": 200,
        "oop": {"range": "AA", "turn": {"bet": "50%"}, "river": {"bet": "60%", "donk": "25%,a"}},
        "ip": {"range": "77,JTs", "turn": {"bet": "50%"}, "river": {"bet": "a", "raise": "3x"}},
    }),
    "no donks": Spot.from_mapping({
        "board": "Ks7s2sTs", "pot": 100, "stack": 200,
        "oop": {"range": "AA", "turn": {"bet": "50%"}, "river": {"bet": "60%", "donk": ""}},
        "ip": {"range": "77,JTs", "turn": {}, "river": {"bet": "a"}},
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOTS)
def test_a_game_that_nobody_wrote_comes_back(name: str) -> None:
    game = made_game(SPOTS[name])
    header, arrays = game_entries(game, None)
    again, written = read_game("file", header, arrays)
    assert written is None
    assert again.betting == game.betting
    assert same_game(again, game)
    (lock,), (kept,) = game.locks, again.locks
    assert (kept.line, kept.node, kept.dealt, kept.is_open) == (lock.line, lock.node, (), False)


def test_the_least_bet_comes_back() -> None:
    game = made_game()
    game = replace(game, betting=replace(game.betting, min_bet=100))
    header, arrays = game_entries(game, None)
    assert read_game("file", header, arrays)[0].betting == game.betting


def test_a_spot_is_kept_as_it_was_written() -> None:
    header, arrays = game_entries(PostflopGame.of(TURN), TURN)
    assert header == {"spot": TURN.to_mapping(), "fingerprint": TURN.fingerprint()}
    assert not arrays
    game, written = read_game("file", header, arrays)
    assert written == TURN
    assert same_game(game, PostflopGame.of(TURN))


def test_a_solution_of_arrays_is_saved_and_read(tmp_path: Path) -> None:
    game = made_game()
    solution = solve(game, target_pct=None, max_iterations=30, threads=1)
    for rivers in (True, False):
        path = tmp_path / f"{rivers}.pks"
        solution.save(path, rivers=rivers)
        back = Solution.load(path)
        assert same_game(back.game, game)
        assert back.record == solution.record
        assert back.summary()["spot"] == game.fingerprint()
        for line in ("", "x"):
            was, now = solution.node(line), back.node(line)
            assert was.hands == now.hands
            np.testing.assert_allclose(now.strategy, was.strategy, atol=2 / 65535)
        with pytest.raises(InputError, match="nobody wrote it"):
            _ = back.spot


def test_a_checkpoint_of_arrays_goes_on_bit_for_bit(tmp_path: Path) -> None:
    straight, first = (PostflopSolver(made_game(), threads=1) for _ in range(2))
    straight.solve(None, max_iterations=9)
    first.solve(None, max_iterations=5, checkpoint=tmp_path / "check.pks")
    second = PostflopSolver.load(tmp_path / "check.pks", threads=1)
    second.solve(None, max_iterations=4)
    assert (second.engine.regret == straight.engine.regret).all()
    with pytest.raises(FormatError, match="asked for"):
        PostflopSolver.load(tmp_path / "check.pks", spot=TURN)


def test_hands_that_meet_a_frequency_are_kept_exactly(tmp_path: Path) -> None:
    free = solve(TURN, target_pct=1.0, threads=1)
    game = settle(PostflopGame.of(ASKED), free)
    header, arrays = game_entries(game, ASKED)
    again, written = read_game("file", header, arrays)
    assert written == ASKED
    for lock, kept in zip(game.locks, again.locks, strict=True):
        assert np.array_equal(lock.policy, kept.policy)
        assert (lock.wanted, kept.is_open) == (kept.wanted, False)
    solution = solve(ASKED, target_pct=1.0, threads=1)
    solution.save(tmp_path / "met.pks")
    back = Solution.load(tmp_path / "met.pks")
    assert back.spot == ASKED
    assert same_game(back.game, solution.game)


def test_a_frequency_with_its_hands_in_text_is_still_read(tmp_path: Path) -> None:
    """As older files have them."""
    sevens = {"7c7d": {"f": 0.75, "c": 0.25}, "7h7c,7h7d": {"f": 1}}
    spot = TURN.with_locks([{"line": "b75", "hands": sevens, "frequency": {"f": 0.9}}])
    solution = PostflopSolver(spot, threads=1).solve(None, max_iterations=5)
    solution.save(tmp_path / "new.pks")
    header, arrays = read_file(tmp_path / "new.pks", KIND)
    old = {name: header[name] for name in ("spot", "fingerprint", "record")}
    write_file(tmp_path / "old.pks", KIND, old, {"strategy": arrays["strategy"]})
    back = Solution.load(tmp_path / "old.pks")
    assert same_game(back.game, solution.game)
    assert (back.game.locks[0].wanted, back.game.locks[0].is_open) == ({0: 0.9}, False)


def test_locks_that_do_not_fit_are_refused() -> None:
    header, arrays = game_entries(made_game(), None)
    short = {**arrays, "lock_policy": arrays["lock_policy"][:-1]}
    with pytest.raises(FormatError, match="file: its spot is broken: lock_policy"):
        read_game("file", header, short)
    with pytest.raises(FormatError, match="file: its spot is broken: 'lock_hands'"):
        read_game("file", header, {"weights": arrays["weights"]})
    other = {**arrays, "weights": arrays["weights"] / 2}
    with pytest.raises(FormatError, match="does not match its fingerprint"):
        read_game("file", header, other)
