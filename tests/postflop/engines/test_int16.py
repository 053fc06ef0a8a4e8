"""Regrets in 16 bits: what rounding costs, and that a solve gets as far."""

from typing import Any

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.errors import FormatError
from poker_solver.games.betting import TURN
from poker_solver.kernels.postflop import DEAL, LEARN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solve.solver import KIND, PostflopSolver
from poker_solver.store.files import read_file, write_file
from tests.support.solved import flop_mapping
from tests.support.spots import named_spot

RIVER, FLOP = named_spot("river_example"), ps.Spot.from_mapping(flop_mapping())
WEIGHTS = np.array([0.9, 0.5, 0.8], np.float32)


def regrets(engine: PostflopEngine, node: int, boards: int) -> Any:
    """[B, A, H] as numbers, whatever they are kept in."""
    rows = state_rows(engine.layout, engine.regret, node, 0, boards).astype(np.float64)
    return rows if engine.precision == "float32" else rows * scales(engine, node, boards)


def scales(engine: PostflopEngine, node: int, boards: int) -> Any:
    layout = engine.layout
    part = [*layout.streets, layout.river][layout.tree.street[node] - layout.tree.first_street]
    (place,) = np.flatnonzero((part.offset == layout.offset[node]) & (part.kind < DEAL))
    where = part.scale_at[place] + np.arange(boards) * part.scale_stride
    return engine.scale[where].astype(np.float64)[:, None, None]


def pair(spot: ps.Spot) -> tuple[PostflopEngine, PostflopEngine]:
    """A packed engine after some iterations, and a float32 one with the same regrets and sums."""
    packed, plain = (PostflopEngine(lay_out(spot), precision=p) for p in ("int16", "float32"))
    packed.train(4)
    layout = packed.layout
    for node in np.flatnonzero(layout.tree.is_decision).tolist():
        boards = layout.runouts.num_boards[layout.tree.street[node]]
        state_rows(layout, plain.regret, node, 0, boards)[:] = regrets(packed, node, boards)
    plain.policy_sum[:] = packed.policy_sum
    return packed, plain


def live(engine: PostflopEngine, node: int) -> Any:
    layout = engine.layout
    street, hands = int(layout.tree.street[node]), layout.ranked.hands[layout.tree.actor[node]]
    count = len(layout.combos[layout.tree.actor[node]])
    if street == layout.tree.first_street:
        return np.ones((1, count), bool)
    return (hands.is_live if street == TURN else hands.is_live_river)[:, :count] > 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("spot", [RIVER, FLOP], ids=["river", "flop"])
def test_a_pass_rounds_to_half_a_step(spot, player):
    packed, plain = pair(spot)
    before = packed.scale.copy()
    cfv = [engine.run_pass(player, LEARN, WEIGHTS) for engine in (packed, plain)]
    budget = 4e-6 * np.abs(cfv).max()  # of a pass in float32
    layout = packed.layout
    assert (packed.scale != before).any()
    for node in np.flatnonzero(layout.tree.actor == player).tolist():
        boards = layout.runouts.num_boards[layout.tree.street[node]]
        want, step = regrets(plain, node, boards), scales(packed, node, boards)
        alive = live(packed, node)[:, None]
        most = np.abs(want * alive).max(axis=(1, 2), keepdims=True)
        np.testing.assert_allclose(step * 32767, most, rtol=1e-5, atol=budget)
        gap = np.abs(regrets(packed, node, boards) - want) * alive
        assert (gap <= 0.501 * step + budget).all()
    np.testing.assert_allclose(packed.policy_sum, plain.policy_sum, rtol=1e-5, atol=1e-6)


def test_a_solve_gets_as_far_as_in_float32():
    solution = ps.solve(named_spot("turn_example"), target_pct=0.05, precision="int16")
    assert solution.exploitability_pct <= 0.05
    assert solution.summary()["players"]["oop"]["ev_chips"] == pytest.approx(91.961, abs=0.1)


def test_threads_do_not_matter():
    engines = [PostflopEngine(lay_out(FLOP), threads=t, precision="int16") for t in (1, 2)]
    for engine in engines:
        engine.train(3)
    one, two = engines
    for name in ("regret", "scale", "policy_sum"):
        assert (getattr(one, name) == getattr(two, name)).all()


def test_a_checkpoint_goes_on_bit_for_bit(tmp_path):
    path = tmp_path / "spot.ck"
    straight = PostflopSolver(RIVER, precision="int16")
    straight.solve(None, max_iterations=20)
    first = PostflopSolver(RIVER, precision="int16")
    first.solve(None, max_iterations=10, checkpoint=path)
    second = PostflopSolver.load(path)
    assert second.plan.precision == "int16"
    second.solve(None, max_iterations=10)
    for name in ("regret", "scale", "policy_sum"):
        assert (getattr(straight.engine, name) == getattr(second.engine, name)).all()


def test_regrets_of_another_kind_are_refused(tmp_path):
    path = tmp_path / "spot.ck"
    PostflopSolver(RIVER, precision="int16").save(path)
    header, arrays = read_file(path, KIND)
    write_file(path, KIND, {**header, "precision": "float32"}, arrays)
    with pytest.raises(FormatError, match=r"spot\.ck: array scale has shape .*, wants None"):
        PostflopSolver.load(path)
    del arrays["scale"]
    write_file(path, KIND, {**header, "precision": "float32"}, arrays)
    with pytest.raises(FormatError, match=r"spot\.ck: array regret has dtype int16, wants float32"):
        PostflopSolver.load(path)


def test_a_locked_strategy_stays():
    tree = lay_out(RIVER).tree
    first, second, *rest = tree.actions(0)
    locked = RIVER.with_locks([{"line": "", "strategy": {first: 0.7, second: 0.3}}])
    engine = PostflopEngine(lay_out(locked), precision="int16")
    engine.train(30)
    want = np.array([0.7, 0.3, *[0.0] * len(rest)])[:, None]
    for state, within in ((engine.regret, 1 / 16384), (engine.policy_sum, 1e-6)):
        (rows,) = state_rows(engine.layout, state, 0, 0, 1)
        np.testing.assert_allclose(rows / rows.sum(axis=0), want + 0 * rows, atol=within)
