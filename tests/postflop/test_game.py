"""A game as arrays: what a spot comes to, what is refused, and what its names tell apart."""

from dataclasses import replace

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.errors import ConfigError, InputError
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solve.solver import PostflopSolver
from tests.support.postflop_spots import small_spot
from tests.support.spots import named_spot

TURN = small_spot("Ks7s2sTs", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")
LOCKED = TURN.with_locks([{"line": "b75", "hands": {"77": {"f": 0.25, "c": 0.75}}}])


def test_a_game_has_what_the_spot_says() -> None:
    game = PostflopGame.of(LOCKED)
    assert (game.cards, game.board, game.pot) == (TURN.cards, "Ks7s2sTs", TURN.pot)
    np.testing.assert_array_equal(game.weights, TURN.weights)
    assert game.tree.actions(0) == ("x", "b75")
    (lock,) = game.locks
    assert game.tree.line_of(lock.node) == "b75"
    assert lock.hands.sum() == 3  # 7s is on the board
    np.testing.assert_array_equal(lock.policy[:2, lock.hands].T, [[0.25, 0.75]] * 3)
    with pytest.raises(ValueError, match="read-only"):
        game.weights[0] = 0
    assert PostflopGame.of(game) is game


def test_what_is_wrong_with_a_lock_is_said_when_the_game_is_made() -> None:
    with pytest.raises(ConfigError, match=r"locks\[0\].line: token 1 'b99'"):
        PostflopGame.of(TURN.with_locks([{"line": "b99", "strategy": {"x": 1}}]))


def test_the_board_blocks_hands() -> None:
    game = PostflopGame.of(TURN)
    everything = replace(game, weights=np.ones((2, 1326)))
    assert everything.weights.sum(axis=1).tolist() == [48 * 47 / 2] * 2


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"cards": TURN.cards[:3]}, "the betting begins on 4 cards"),
        ({"cards": TURN.cards[:3] + TURN.cards[:1]}, "the betting begins on 4 cards"),
        ({"weights": np.full((2, 1326), 2.0)}, "want 0 to 1"),
        ({"weights": np.full((2, 1326), np.nan)}, "want 0 to 1"),
        ({"weights": np.ones((2, 1325))}, r"shape \(1325,\)"),
        ({"weights": np.eye(2, 1326)[[0, 0]]}, "no hand of one range can meet"),
    ],
)
def test_arrays_that_are_no_game_are_refused(change: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        replace(PostflopGame.of(TURN), **change)  # type: ignore[arg-type]


def test_the_betting_is_the_same_whatever_the_cards_and_ranges() -> None:
    other = small_spot("Ah8d3c2c", "random", "KK", "75%", "a")
    assert TURN.betting == other.betting
    assert hash(TURN.betting) == hash(other.betting)
    assert small_spot("Ah8d3c2c", "random", "KK", "75%", "a,3x").betting != TURN.betting
    assert small_spot("Ah8d3c2cTd", "random", "KK", "75%", "a").betting != TURN.betting
    mapping = TURN.to_mapping()
    assert ps.Spot.from_mapping({**mapping, "max_raises": 1}).betting != TURN.betting
    raked = ps.Spot.from_mapping({**mapping, "rake": {"rate": 0.05, "cap": 3}})
    assert raked.betting != TURN.betting, "payoffs differ"


def test_a_fingerprint_covers_everything() -> None:
    game = PostflopGame.of(TURN)
    assert PostflopGame.of(ps.Spot.from_mapping(TURN.to_mapping())).fingerprint() == (
        game.fingerprint()
    )
    weights = game.weights.copy()
    weights[1, weights[1] > 0] *= 0.5
    others = [
        PostflopGame.of(LOCKED),
        replace(game, weights=weights),
        replace(game, betting=replace(game.betting, stack=game.stack + 1)),
        PostflopGame.of(small_spot("Ks7s2sTd", "AA,KQs,98s", "77,AQs:0.5,JTs", "75%", "a")),
    ]
    assert len({game.fingerprint(), *(other.fingerprint() for other in others)}) == 5


def test_arrays_are_solved_as_the_text_is() -> None:
    spot = named_spot("river_example")
    written, made = PostflopSolver(spot, threads=1), PostflopSolver(PostflopGame.of(spot))
    for solver in (written, made):
        solver.solve(None, max_iterations=20)
    assert (written.engine.regret == made.engine.regret).all()
    solution = made.solution()
    assert solution.exploitability_chips == written.solution().exploitability_chips
    assert solution.summary()["spot"] == PostflopGame.of(spot).fingerprint()
    with pytest.raises(InputError, match="made from arrays"):
        _ = solution.spot
