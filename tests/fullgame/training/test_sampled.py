"""Batches of flops under one preflop tree: beside the trunk, resumed, on threads, with bounds."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from poker_solver.abstraction.rows import StreetRows
from poker_solver.cards.flops import FlopSet
from poker_solver.cfr.schedules import as_schedule
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import KeptTables
from poker_solver.fullgame.training.sampled import SampledTrunk
from poker_solver.fullgame.training.trunk import Preflop, Trunk
from poker_solver.postflop.layout.layout import Layout
from poker_solver.trees.runouts import Runouts
from tests.fullgame.training.test_row_engine import EXACT, hand_by_hand, streets
from tests.fullgame.training.test_trunk import small_game

FEW = RowRule("quantiles", 6)
SCHEDULE = as_schedule("dcfr:1.5,0.5,2")
FLOPS = FlopSet(
    "five", ("7s7h7d", "KsQs2s", "4s4h4d", "JsTs3s", "9s9h9d"), (4e3, 5e3, 3e3, 5.1e3, 5e3)
)
"""With few boards up to suits."""


@cache
def layouts() -> list[Layout]:
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=1))
    return [lines.lay_out(flop)[0] for flop in FLOPS.flops]


def rows_of(layout: Layout, river: RowRule) -> list[StreetRows]:
    """A row for every hand on all streets, or for few on turn and river."""
    return streets(layout, river, turn=river != EXACT)


def row_engine(river: RowRule, most: int = 5, **options: Any) -> RowEngine:
    def rows(runouts: Runouts) -> list[StreetRows]:
        return rows_of(replace(layouts()[0], runouts=runouts), river)

    tables = KeptTables(layouts(), rows, most)
    return RowEngine(layouts(), tables, small_game().classes, SCHEDULE, **options)


def sampled(batch_size: int, river: RowRule = FEW, **options: Any) -> SampledTrunk:
    engine, before = row_engine(river, **options), Preflop(small_game(), SCHEDULE)
    return SampledTrunk(before, FLOPS, [engine], SCHEDULE, batch_size)


def agree(one: Trunk, other: Trunk) -> None:
    found = other.stored()
    for name, array in one.stored().items():
        if name in found:
            assert np.array_equal(array, found[name]), name


def test_one_batch_of_all_flops_is_the_trunk_bit_for_bit() -> None:
    batch = sampled(5)
    sweep = Trunk(Preflop(small_game(), SCHEDULE), FLOPS, [row_engine(FEW)], SCHEDULE)
    for one in (batch, sweep):
        one.train(6)
    agree(batch, sweep)
    assert batch.worth() == sweep.worth()
    found = batch.estimate(5)
    assert found.lower_mbb == found.upper_mbb == 1000 * sweep.worth().exploitability_bb
    assert found.worth == sweep.worth()
    assert found.error_mbb == 0
    assert np.array_equal(found.leaf_values, sweep.played_values())


def test_every_cycle_walks_every_flop_once_and_batches_stand_for_all() -> None:
    trunk = sampled(2)
    per_cycle = trunk.batches.per_cycle
    assert per_cycle == 3
    for cycle in range(4):
        batches = [trunk.batch(cycle * per_cycle + n) for n in (1, 2, 3)]
        assert sorted(flop for batch in batches for flop in batch) == [0, 1, 2, 3, 4]
    weights = np.array(FLOPS.weights)
    means = [per_cycle * weights[trunk.batch(t)].sum() for t in range(1, 3001)]
    assert np.mean(means) == pytest.approx(22_100)


def test_a_resumed_training_goes_on_bit_for_bit_within_a_cycle() -> None:
    through, stopped, resumed = sampled(2), sampled(2), sampled(2)
    through.train(8)
    stopped.train(4)
    stopped.estimate(4)  # changes nothing
    resumed.restore({name: array.copy() for name, array in stopped.stored().items()}, 4)
    resumed.train(4)
    agree(through, resumed)
    with pytest.raises(InputError, match="trained on 2 flops at a time, not 3"):
        sampled(3).restore(stopped.stored(), 4)


def test_threads_and_how_many_tables_are_kept_change_nothing() -> None:
    one, other = sampled(2), sampled(2, threads=3, most=1)
    for trunk in (one, other):
        trunk.train(7)
    agree(one, other)
    assert one.estimate(4).bounds_mbb == other.estimate(4).bounds_mbb


def test_batches_come_near_equilibrium_by_the_exact_measure() -> None:
    """A row for every hand: exact engines say the same of the same strategies."""
    trunk = sampled(2, EXACT)
    found = []
    for _ in range(2):
        trunk.train(60)
        found.append(trunk.estimate(5).upper_mbb)
    assert found[-1] < 12
    assert found[-1] < found[0]
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=1))
    exact = Trunk(
        trunk.before, FLOPS, [opening() for opening in lines.prepare(FLOPS.flops)], SCHEDULE
    )
    engine, given = trunk.row_engines[0], [rows_of(layout, EXACT) for layout in layouts()]
    state = {name: hand_by_hand(engine, name, given) for name in ("regret", "policy_sum")}
    exact.engines[0].restore(state, trunk.iteration)
    exact.iteration = trunk.iteration
    assert 1000 * exact.worth().exploitability_bb == pytest.approx(found[-1], abs=1e-4)


def test_bounds_from_halves_lie_on_either_side_on_average() -> None:
    """Over all pairs of halves that could have been drawn, beside the exact measure."""
    trunk = sampled(2)
    trunk.train(60)
    exact, low, high, errors = 1000 * trunk.worth().exploitability_bb, [], [], []
    with pytest.MonkeyPatch.context() as patch:
        for cycle in range(40):
            patch.setattr("poker_solver.fullgame.training.sampled.SAMPLE_CYCLE", cycle)
            found = trunk.estimate(4)
            low.append(found.lower_mbb)
            high.append(found.upper_mbb)
            errors.append(found.error_mbb)
            assert found.lower_mbb <= found.upper_mbb + 1e-9
            assert found.num_flops in (3, 4)
    assert np.mean(low) <= exact <= np.mean(high)
    assert np.mean(low) < np.mean(high)
    assert 0.5 < np.mean(errors) / np.std(high) < 2
