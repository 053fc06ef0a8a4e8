"""A shape serves every spot of one betting with as many boards and hands, and no other."""

import numpy as np

from poker_solver.kernels.postflop import LEARN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.shape import kept_shape
from tests.support.postflop_spots import small_spot

ONE = small_spot("KsQh7d2c", "AA,KJ", "KQ,QJ", "50%", "a")
LIKE_IT = small_spot("KsQh7d3c", "AA,KJ", "KQ,QJ", "50%", "a")


def test_a_shape_is_taken_over_by_a_spot_like_it() -> None:
    kept_shape.cache_clear()
    alone = lay_out(LIKE_IT)
    kept_shape.cache_clear()
    first, shared = lay_out(ONE), lay_out(LIKE_IT)
    assert shared.shape is first.shape is not alone.shape
    weights = np.array([0.9, 0.5, 0.8], np.float32)
    engines = [PostflopEngine(layout) for layout in (alone, shared)]
    for engine in engines:
        engine.run_pass(0, LEARN, weights)
    assert np.array_equal(engines[0].regret, engines[1].regret)


def test_locks_are_no_part_of_a_shape() -> None:
    first = lay_out(ONE)
    locked = ONE.with_locks([{"line": "x", "strategy": {"x": 1}}])
    assert lay_out(locked).shape is first.shape


def test_other_spots_make_their_own() -> None:
    shape = lay_out(ONE).shape
    for spot in (
        small_spot("KsQh7d2c", "AA,KJ", "KQ,QJ", "75%", "a"),  # other sizes
        small_spot("KsQh7d2c", "AA", "KQ,QJ", "50%", "a"),  # fewer hands
        small_spot("KsQs7s2s", "AA,KJ", "KQ,QJ", "50%", "a"),  # suits that are alike
        small_spot("KsQh7d2c", "AA,KJ", "KQ,QJ", "50%", "a", rake={"rate": 0.05, "cap": 3}),
    ):
        assert lay_out(spot).shape is not shape
