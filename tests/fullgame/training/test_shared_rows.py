"""Streets that learn in one table for all boards: a reference, lossless tables, threads, order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import StreetRows, exact_rows
from poker_solver.cfr.schedules import DCFR
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import RowTables, row_tables
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.regret import Weights
from poker_solver.kernels.row_cfr import FLOOR
from poker_solver.postflop.engines.classes import class_index
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_spots import small_spot
from tests.support.row_pass import Shares, run_shared_pass

BUDGET = 4e-6
CLASSES = np.arange(169, dtype=np.int32)
WEIGHTS = np.array([0.9, 0.5, 0.8], np.float32)
FLOP_WEIGHTS = (4.0, 12.0)
BUCKETS = 6

TURNS = [
    small_spot(board, "TT+,A5s,AK", "99,KQ,98s", bet="50%", raise_="a")
    for board in ("Ks9s4h2s", "7h7d2c5s")
]
FLOPS = [
    small_spot(board, "AA,76s", "KQs,98s", bet="a", stack=150) for board in ("Ks9s4s", "8d5h5c")
]


def shared_rows(boards: Any) -> StreetRows:
    """Buckets that mean something: what is left of a hand's ranks; rivers by strength."""
    if boards.shape[1] == 5:
        return river_rows(RowRule("buckets", BUCKETS), boards)
    hands = np.tril_indices(52, -1)
    row = np.where(exact_rows(boards).row >= 0, (hands[0] // 4 + hands[1] // 4) % BUCKETS, -1)
    return StreetRows(row.astype(np.int16), np.full(len(boards), BUCKETS, np.int32))


def own_rows(boards: Any) -> StreetRows:
    """Of every board its own, of several hands each."""
    if boards.shape[1] == 5:
        return river_rows(RowRule("quantiles", 5), boards)
    found = shared_rows(boards)
    return StreetRows(
        np.where(found.row >= 0, found.row // 2, -1).astype(np.int16), found.num_rows // 2
    )


def rows_of(layout: Layout, shared: Sequence[bool]) -> tuple[StreetRows, ...]:
    first = RIVER + 1 - len(shared)
    return tuple(
        (shared_rows if is_shared else own_rows)(layout.runouts.boards(first + k))
        for k, is_shared in enumerate(shared)
    )


def engine_of(
    spots: Sequence[Any], shared: tuple[bool, ...], weights: tuple[float, ...] = FLOP_WEIGHTS,
    **options: Any,
) -> RowEngine:  # fmt: skip
    layouts = [lay_out(spot) for spot in spots]
    tables = [row_tables(layout, rows_of(layout, shared)) for layout in layouts]
    sharing = Sharing(shared, weights)
    engine = RowEngine(layouts, tables, CLASSES, DCFR, sharing=sharing, **options)
    rng = np.random.default_rng(7)
    for player in (0, 1):
        engine.set_reach(player, rng.random(169) * (rng.random(169) > 0.2))
    return engine


def drawn_state(engine: RowEngine, rng: np.random.Generator) -> dict[str, Any]:
    """Any regrets and sums, some of them 0."""
    state = {name: array.copy() for name, array in engine.stored().items()}
    for name in ("regret", "shared_regret"):
        state[name][:] = rng.normal(size=len(state[name])) * (rng.random(len(state[name])) > 0.2)
    for name in ("policy_sum", "shared_sum"):
        state[name][:] = rng.exponential(size=len(state[name]))
    return state


def joined(state: dict[str, Any]) -> tuple[Any, Any]:
    """Own and shared state one after the other, in float64."""
    regret = np.concatenate([state["regret"], state["shared_regret"]]).astype(np.float64)
    return regret, np.concatenate([state["policy_sum"], state["shared_sum"]]).astype(np.float64)


PASSES = [
    (TURNS, (False, True), 0), (TURNS, (True, True), 1), (TURNS, (True, False), 0),
    (FLOPS, (False, True, True), 1),
]  # fmt: skip


@pytest.mark.parametrize(("spots", "shared", "player"), PASSES)
def test_passes_are_those_of_the_reference(
    spots: Any, shared: tuple[bool, ...], player: int
) -> None:
    engine = engine_of(spots, shared)
    engine.restore(drawn_state(engine, np.random.default_rng(player)), 3)
    before = joined(engine.stored())
    sizes = [
        BUCKETS * actions if is_shared else 0
        for actions, is_shared in zip(engine.shape.num_actions, shared, strict=True)
    ]
    begin = len(engine.stored()["regret"]) + np.cumsum([0, *sizes])[:-1]
    shares = Shares(shared, tuple(begin.tolist()), FLOP_WEIGHTS)
    index = class_index(engine.layouts, CLASSES)
    reach = [
        tuple(
            engine.class_reach[p][index[p][k]].astype(np.float32).astype(np.float64) for p in (0, 1)
        )
        for k in range(2)
    ]
    rows = [rows_of(layout, shared) for layout in engine.layouts]
    for mode in (BEST, MEAN, LEARN):
        engine.run_pass(player, mode, WEIGHTS)
        how = player, mode, Weights(*WEIGHTS.tolist())
        want = run_shared_pass(engine.layouts, rows, shares, how, reach, before)  # type: ignore[arg-type]
        got, scale = joined(engine.stored()), max(float(np.abs(one.cfv).max()) for one in want)
        for values, one in zip(engine.root_values(player), want, strict=True):
            assert np.abs(values - one.cfv).max() <= BUDGET * scale
        if mode != LEARN:
            assert all(np.array_equal(a, b) for a, b in zip(got, before, strict=True))
            continue
        assert np.abs(got[0] - want[0].regret).max() <= BUDGET * scale
        np.testing.assert_allclose(got[1], want[0].policy_sum, rtol=BUDGET, atol=BUDGET)
        assert not np.array_equal(got[0], before[0])


def with_least(tables: RowTables) -> RowTables:
    """With no hand that weighs 1 for being alone in its row."""
    upper = [
        tuple(replace(of, floor=np.full_like(of.floor, FLOOR)) for of in side)
        for side in tables.upper
    ]
    return replace(tables, upper=(upper[0], upper[1]))


def test_a_bucket_for_every_hand_of_the_only_board_is_rows_of_its_own() -> None:
    layout = lay_out(TURNS[0])
    rows = exact_rows(layout.runouts.boards(TURN)), own_rows(layout.runouts.boards(RIVER))
    tables = [with_least(row_tables(layout, rows))]
    shared = RowEngine([layout], tables, CLASSES, sharing=Sharing((True, False), (5.0,)))
    own = RowEngine([layout], tables, CLASSES)
    for engine in (shared, own):
        engine.train(6)
        assert engine.run_pass(1, MEAN, WEIGHTS).any()
    upper = len(shared.stored()["shared_regret"])
    for name, one in (("regret", "shared_regret"), ("policy_sum", "shared_sum")):
        both = np.concatenate([shared.stored()[one], shared.stored()[name]])
        assert np.array_equal(both, own.stored()[name])
    assert upper == engine.shape.num_actions[0] * int(rows[0].num_rows[0])
    assert np.array_equal(shared.read_sums(0), own.read_sums(0))
    (first, second), (none, third) = own.read_rows(0), shared.read_rows(0)
    assert none is None
    assert first is not None
    assert np.array_equal(shared.read_shared(TURN), first[0])
    assert np.array_equal(np.asarray(second), np.asarray(third))


@pytest.mark.parametrize("river_average", [True, False])
def test_buckets_that_no_two_boards_have_in_common_are_rows_of_their_own(
    river_average: bool,
) -> None:
    """What a board weighs is then the unit of its regrets, and changes nothing."""
    layout = lay_out(TURNS[0])
    turn, own = own_rows(layout.runouts.boards(TURN)), own_rows(layout.runouts.boards(RIVER))
    begin = np.cumsum(own.num_rows) - own.num_rows
    apart = np.where(own.row >= 0, own.row + begin[:, None], -1).astype(np.int16)
    total = int(own.num_rows.sum())
    one = StreetRows(apart, np.full(len(apart), total, np.int32))
    engines = [
        RowEngine(
            [layout],
            [row_tables(layout, (turn, rows))],
            CLASSES,
            river_average=river_average,
            sharing=Sharing((False, is_shared), (1.0,)),
        )
        for rows, is_shared in ((own, False), (one, True))
    ]
    for engine in engines:
        engine.train(12)
    for mode in (BEST, MEAN):
        for player in (0, 1):
            want, got = (engine.run_pass(player, mode, WEIGHTS) for engine in engines)
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * np.abs(want).max())
    by_board, table = engines[0].read_rows(0)[1], engines[1].read_shared(RIVER)
    assert by_board is not None
    weight = layout.runouts.river_weight
    for board, num_rows in enumerate(own.num_rows.tolist()):
        own_part = table[:, begin[board] : begin[board] + num_rows]
        whole = weight[board] * by_board[board, :, :num_rows]
        np.testing.assert_allclose(own_part, whole, rtol=1e-2, atol=1e-3 * whole.max())
    assert weight.sum() == 48
    assert weight.max() > 1


@pytest.mark.parametrize("spots", [TURNS, FLOPS], ids=["turns", "flops"])
def test_threads_and_what_was_stored_change_nothing(spots: Any) -> None:
    shared = (True,) * (2 if spots is TURNS else 3)
    through, stopped, resumed = (engine_of(spots, shared) for _ in range(3))
    threaded = engine_of(spots, shared, threads=3)
    through.train(4)
    threaded.train(4)
    stopped.train(2)
    resumed.restore({name: array.copy() for name, array in stopped.stored().items()}, 2)
    resumed.train(2)
    for name, array in through.stored().items():
        assert np.array_equal(array, threaded.stored()[name]), name
        assert np.array_equal(array, resumed.stored()[name]), name
    assert through.stored()["shared_regret"].any()


def test_the_order_of_flops_does_not_matter() -> None:
    sweep, batch = (engine_of(TURNS, (False, True)) for _ in "sb")
    for player in (0, 1):
        want = sweep.run_pass(player, LEARN, WEIGHTS)
        got = batch.run_some([1, 0], player, LEARN, WEIGHTS)
        np.testing.assert_allclose(got[[1, 0]], want, rtol=1e-4, atol=1e-5 * np.abs(want).max())
    for name, array in sweep.stored().items():
        found = batch.stored()[name]
        np.testing.assert_allclose(found, array, rtol=1e-4, atol=1e-5 * np.abs(array).max())


def test_flops_teach_as_they_weigh() -> None:
    """Twice the same flop is one flop, whatever each weighs; one of them alone is its part."""
    one = engine_of(TURNS[:1], (False, True), (3.0,))
    two, some = (engine_of([TURNS[0]] * 2, (False, True), (4.0, 12.0)) for _ in "ts")
    for player in (0, 1):
        for engine, spots in ((one, [0]), (two, [0, 1]), (some, [0])):
            engine.run_some(spots, player, LEARN, WEIGHTS)
    want = one.stored()["shared_sum"]
    assert np.array_equal(some.stored()["shared_sum"], 0.5 * want)
    np.testing.assert_allclose(two.stored()["shared_sum"], 2 * want, rtol=1e-5)
    assert want.any()


def test_a_line_that_nobody_comes_to_only_fades() -> None:
    engine = engine_of(TURNS, (False, True))
    engine.restore(drawn_state(engine, np.random.default_rng(0)), 3)
    before = {name: array.copy() for name, array in engine.stored().items()}
    engine.run_some([], 0, LEARN, WEIGHTS)
    state, regret = engine.stored(), before["shared_regret"]
    faded = regret * np.where(regret > 0, WEIGHTS[0], WEIGHTS[1])
    own = state["shared_sum"] != before["shared_sum"]
    assert np.array_equal(state["shared_regret"][own], faded[own])
    assert np.array_equal(state["shared_sum"][own], (before["shared_sum"] * WEIGHTS[2])[own])
    assert 0.2 < own.mean() < 0.8


def test_regrets_of_16_bits_are_those_of_boards_alone() -> None:
    engine = engine_of(TURNS, (False, True), precision="int16")
    engine.train(3)
    state = engine.stored()
    assert state["regret"].dtype == np.int16
    assert state["shared_regret"].dtype == np.float32
    assert len(state["shared_regret"]) == BUCKETS * engine.shape.num_actions[1]


def test_bad_input_is_refused() -> None:
    layout = lay_out(TURNS[0])
    tables = [row_tables(layout, rows_of(layout, (False, True)))]
    uneven = [row_tables(layout, (rows_of(layout, (False,) * 2)[0], strength_rows(layout)))]
    with pytest.raises(InputError, match="share rows have from"):
        RowEngine([layout], uneven, CLASSES, sharing=Sharing((False, True), (1.0,)))
    with pytest.raises(InputError, match="must be 1 numbers above 0"):
        RowEngine([layout], tables, CLASSES, sharing=Sharing((False, True), (0.0,)))
    with pytest.raises(InputError, match="3 streets are said"):
        RowEngine([layout], tables, CLASSES, sharing=Sharing((False, True, True), (1.0,)))
    with pytest.raises(InputError, match="share no rows"):
        RowEngine([layout], tables, CLASSES).read_shared(RIVER)


def strength_rows(layout: Layout) -> StreetRows:
    return river_rows(RowRule("strength"), layout.runouts.boards(RIVER))
