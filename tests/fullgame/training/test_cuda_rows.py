"""Rows on a GPU, or their kernels on the host: as the reference, the CPU, the exact engine."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import exact_rows
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import DeviceError, InputError
from poker_solver.fullgame.training.cuda.by_class import CudaByClass
from poker_solver.fullgame.training.cuda.row_boards import RowHandsOnGpu
from poker_solver.fullgame.training.cuda.row_engine import CudaRowEngine
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_spots import RowsKept
from poker_solver.fullgame.training.row_tables import row_tables
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.cuda import board_batches
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.runtime.cuda import Gpu
from tests.fullgame.training.test_row_engine import (
    EXACT,
    by_rank,
    hand_by_hand,
    live_elements,
)
from tests.fullgame.training.test_trunk import SCHEDULE
from tests.kernels.test_row_cfr import (
    BUDGET,
    CLASSES,
    KINDS,
    SPOTS,
    WEIGHTS,
    drawn_engine,
    ranges,
    rows_of,
)
from tests.support.cuda_on_host import HostMachine
from tests.support.postflop_spots import small_spot
from tests.support.row_pass import run_row_pass
from tests.support.rows_on_cuda import MACHINES, engine_on, rows_on

FOUR = RowRule("quantiles", 4)
NOTHING = np.zeros(3, np.float32)


@pytest.fixture(scope="module", params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Gpu:
    found: Gpu = request.param()
    return found


def taken_over(machine: Gpu, cpu: RowEngine, rows: Any, river: RowRule) -> CudaRowEngine:
    """An engine with the state and the ranges of another one."""
    hands = rows_on(machine, cpu.layouts, [rows], river)
    kept = RowsKept(cpu.precision, cpu.river_average)
    engine = engine_on(hands, CLASSES, **kept._asdict())
    engine.restore({name: array.copy() for name, array in cpu.stored().items()}, 3)
    for player in (0, 1):
        engine.set_reach(player, cpu.class_reach[player])
    return engine


PASSES = [
    ("flop", "quantiles", 0),
    ("turn", "strength", 1),
    ("turn, same hands, rake", "quantiles", 0),
    ("turn, one bet", "strength", 1),
]


@pytest.mark.parametrize(("name", "kind", "player"), PASSES)
def test_passes_are_those_of_the_reference(machine: Gpu, name: str, kind: str, player: int) -> None:
    """Clusters above the river in no order, another number of them on every board."""
    cpu, rows = drawn_engine(SPOTS[name], kind, np.random.default_rng(player))
    rule = KINDS[kind]
    assert rule is not None
    engine = taken_over(machine, cpu, rows, rule)
    layout, state = cpu.layouts[0], cpu.stored()
    reach, before = ranges(cpu), (state["regret"], state["policy_sum"])
    for mode in (BEST, MEAN, LEARN):
        engine.run_pass(player, mode, WEIGHTS)
        weights = Weights(*WEIGHTS.tolist())
        want = run_row_pass(layout, rows, player, mode, weights, reach, before)
        scale = float(np.abs(want.cfv).max())
        assert np.abs(engine.root_values(player)[0] - want.cfv).max() <= BUDGET * scale
        got = engine.stored()
        if mode != LEARN:
            assert all(np.array_equal(got[n], state[n]) for n in state)
            continue
        most = len(reach[player])  # hands of a row, at most
        assert np.abs(got["regret"] - want.regret).max() <= BUDGET * scale * most
        np.testing.assert_allclose(got["policy_sum"], want.policy_sum, rtol=BUDGET, atol=BUDGET)


def test_regrets_of_16_bits_are_those_of_the_cpu(machine: Gpu) -> None:
    cpu, rows = drawn_engine(
        SPOTS["turn"], "quantiles", np.random.default_rng(0), precision="int16",
        river_average=False,
    )  # fmt: skip
    engine = taken_over(machine, cpu, rows, RowRule("quantiles", 5))
    want, got = (one.run_pass(1, LEARN, WEIGHTS) for one in (cpu, engine))
    np.testing.assert_allclose(got, want, rtol=0, atol=2 * BUDGET * np.abs(want).max())
    wanted, found = cpu.stored(), engine.stored()
    np.testing.assert_allclose(found["scale"], wanted["scale"], rtol=1e-5)
    off = np.abs(found["regret"].astype(int) - wanted["regret"])
    assert off.max() <= 2
    assert (off > 0).mean() < 0.02
    np.testing.assert_allclose(found["policy_sum"], wanted["policy_sum"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_without_an_average_the_rivers_regrets_are_played(machine: Gpu, precision: str) -> None:
    without, kept = (
        small_engine(machine, FOUR, precision=precision, river_average=False),
        small_engine(machine, FOUR),
    )
    without.train(2)
    state = without.stored()
    sums, begin = [], 0
    for place in without._spots:  # those of a spot, then its river's regrets
        size = place.policy_sum.stop - place.policy_sum.start
        river = state["regret"][place.regret][size:].astype(np.float32)
        sums += [state["policy_sum"][begin : begin + size], river]
        begin += size
    given = {**kept.stored(), "policy_sum": np.concatenate(sums)}
    kept.restore(given, 2)
    for mode in (BEST, MEAN):
        for player in (0, 1):
            want, got = (one.run_pass(player, mode, NOTHING) for one in (kept, without))
            assert np.array_equal(got, want)
            assert np.abs(want).max() > 0


@cache
def small_layouts() -> list[Layout]:
    """Two turns with one betting and the same few hands."""
    held = "AA,KQs,98s,72o,T9s,33", "QQ,AKs,98s,T9o"
    return [lay_out(small_spot(board, *held, bet="a")) for board in ("Ks9s4s2s", "7s7h5s5h")]


@cache
def small_hands(machine: Gpu, river: RowRule) -> tuple[Any, RowHandsOnGpu]:
    """Their rows, and both alone or together on the device."""
    turn = exact_rows if river == EXACT else by_rank
    found = [
        [turn(x.runouts.boards(TURN)), river_rows(river, x.runouts.boards(RIVER))]
        for x in small_layouts()
    ]
    return found, rows_on(machine, small_layouts(), found, river, most_chunks=3)


def small_engine(machine: Gpu, river: RowRule, **kept: Any) -> CudaRowEngine:
    return engine_on(small_hands(machine, river)[1], CLASSES, SCHEDULE, **kept)


def test_a_row_for_every_hand_is_the_exact_engine(
    machine: Gpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit for bit where both compile alike; a GPU may round a product and a sum together."""
    monkeypatch.setattr(board_batches, "BLOCKS", 1)  # as long batches as rows have
    rows = small_engine(machine, EXACT)
    group = CudaGroup(group_spots(small_layouts()), SCHEDULE, machine=machine)
    exact = CudaByClass(group, CLASSES)
    rng, is_host = np.random.default_rng(0), isinstance(machine, HostMachine)
    for iteration in (1, 2):
        for player in (0, 1):
            reach = rng.random(len(CLASSES))
            weights = np.array(SCHEDULE.at(iteration), np.float32)
            for engine in (exact, rows):
                engine.set_reach(player, reach)
            want, got = (engine.run_pass(player, LEARN, weights) for engine in (exact, rows))
            close(got, want, is_host)
    for mode in (BEST, MEAN):
        want, got = (engine.run_pass(0, mode, NOTHING) for engine in (exact, rows))
        close(got, want, is_host)
    live = np.concatenate([live_elements(layout) for layout in rows.layouts])
    for name, state in exact.stored().items():
        by_hand = hand_by_hand(rows, name, small_hands(machine, EXACT)[0])
        close(by_hand[live], state[live], is_host)
    for spot, layout in enumerate(rows.layouts):
        upper = live_elements(layout)[: layout.shape.num_upper]
        close(rows.read_sums(spot)[upper], exact.read_sums(spot)[upper], is_host)


def close(got: Any, want: Any, is_equal: bool) -> None:
    assert np.abs(want).max() > 0
    if is_equal:
        assert np.array_equal(got, want)
    else:
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-5 * np.abs(want).max())


@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_what_was_stored_goes_on_bit_for_bit_and_twice_the_same(
    machine: Gpu, precision: str
) -> None:
    through, again, stopped, resumed = (
        small_engine(machine, FOUR, precision=precision) for _ in "tasr"
    )
    through.train(3)
    again.train(3)
    stopped.train(1)
    resumed.restore(stopped.stored(), 1)
    resumed.train(2)
    assert through.iteration == resumed.iteration == 3
    for name, array in through.stored().items():
        assert np.array_equal(array, again.stored()[name]), name
        assert np.array_equal(array, resumed.stored()[name]), name


def test_state_goes_to_the_cpu_and_back(machine: Gpu) -> None:
    """What is stored has one form, wherever it was learned; tables read the same from both."""
    engine, rows = small_engine(machine, FOUR), small_hands(machine, FOUR)[0]
    tables = [row_tables(*pair) for pair in zip(small_layouts(), rows, strict=True)]
    cpu = RowEngine(small_layouts(), tables, CLASSES, SCHEDULE)
    engine.train(2)
    cpu.restore(engine.stored(), 2)
    for spot in (0, 1):
        pairs = zip(engine.read_rows(spot), cpu.read_rows(spot), strict=True)
        assert all(np.array_equal(got, want) for got, want in pairs)  # type: ignore[arg-type]
        assert np.array_equal(engine.read_sums(spot), cpu.read_sums(spot))
    for player in (0, 1):
        want, got = (one.run_pass(player, MEAN, NOTHING) for one in (cpu, engine))
        np.testing.assert_allclose(got, want, rtol=0, atol=2 * BUDGET * np.abs(want).max())
    wrong = {**cpu.stored(), "regret": cpu.stored()["regret"].astype(np.float64)}
    with pytest.raises(InputError, match="array regret has dtype float64, wants float32"):
        engine.restore(wrong, 3)


def test_a_flop_alone_or_among_others_is_the_same_and_pays_what_it_owes(machine: Gpu) -> None:
    """One batch of all flops is a sweep; each spot of a chunk fades by its own weights."""
    sweep, batch, some, paid = (small_engine(machine, FOUR) for _ in "sbop")
    for iteration in range(1, 4):
        weights = np.array(SCHEDULE.at(iteration), np.float32)
        for player in (0, 1):
            want = sweep.run_pass(player, LEARN, weights)
            apart = [batch.run_some([spot], player, LEARN, weights) for spot in (1,)]
            batch._owed[player, 0] = 1.0  # the other flop is visited in the same iteration
            rest = batch.run_some([0], player, LEARN, weights)
            assert np.array_equal(np.concatenate([rest, *apart]), want)
            batch._owed[player] = 1.0
            some.run_some([0, 1] if iteration != 2 else [1], player, LEARN, weights)
    for name in ("regret", "policy_sum"):
        assert np.array_equal(sweep.stored()[name], batch.stored()[name]), name
    for iteration in (1, 3):
        factors = [np.array(SCHEDULE.at(t), np.float32).astype(float) for t in (2, 3)]
        due = np.prod(factors, axis=0) if iteration == 3 else SCHEDULE.at(1)
        for player in (0, 1):
            paid.run_some([0], player, LEARN, np.array(due, np.float32))
    first = sum(some.shape.num_elements(some.num_rows[0]))
    for name in ("regret", "policy_sum"):
        assert np.array_equal(some.stored()[name][:first], paid.stored()[name][:first]), name


@pytest.mark.parametrize(
    "rule", [EXACT, RowRule("strength"), RowRule("quantiles", 16), RowRule("buckets", 30)], ids=str
)
def test_rows_of_rivers_are_those_of_the_maps(machine: Gpu, rule: RowRule) -> None:
    """Some hands only, rows of all: a GPU counts what each hand beats of all 1,081."""
    layout = lay_out(small_spot("Ks9s4h2s", "22+,A2s+,KT+,76s", "99,AT,KQ,98s", bet="50%"))
    rows = rows_of(layout, "strength", np.random.default_rng(3))
    want = river_rows(rule, layout.runouts.boards(RIVER))
    hands = rows_on(machine, [layout], [(*rows[:-1], want)], rule)
    chunk = hands.chunk((0,))
    for player, tables in enumerate(hands.players):
        shape = len(want.row), tables.pad
        order = machine.get(chunk.river.order[player]).reshape(shape)
        row = machine.get(chunk.river.row[player]).reshape(shape)
        floor = machine.get(chunk.river.floor[player])
        for board, of_all in enumerate(want.row):
            live = int((of_all[layout.combos[player]] >= 0).sum())
            combos = tables.combos[order[board, :live]]
            assert np.array_equal(row[board, :live], of_all[combos])
            has_twins = len(np.unique(of_all[combos])) < live
            assert floor[board] == (np.float32(0.1) if has_twins else 1)


def test_what_it_cannot_train_is_refused(machine: Gpu) -> None:
    with pytest.raises(InputError, match="rows that all boards share are trained on cpu"):
        small_engine(machine, FOUR, sharing=Sharing((False, True), (1.0, 1.0)))
    spot = small_spot("Ks7h2d9c", "AA,KQ", "QQ,AK", "20%,40%,60%,80%,110%,a", "2x,3x,a")
    layout = lay_out(spot)
    rows = rows_of(layout, "strength", np.random.default_rng(0))
    hands = rows_on(machine, [layout], [rows], RowRule("strength"))
    with pytest.raises(DeviceError, match="too many actions for kernels by row"):
        engine_on(hands, CLASSES)
