"""What training with rows takes: counted by hand for all flops of a preset, and what is kept."""

from dataclasses import replace
from functools import cache

import pytest

from poker_solver.cards.flops import all_flops
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import InputError, MemoryPlanError
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.training.row_plan import RowPlan, plan_rows
from poker_solver.games.full_game import full_game_rules

OWN = RowsConfig.of({"turn": "emd:100", "river": "quantiles:16"})
SHARED = RowsConfig.of({"flop": "buckets:3000", "turn": "buckets:200", "river": "buckets:50"})


def game() -> FullGame:
    return full_game(full_game_rules(UnifiedConfig.load("hu_20")))


@cache
def planned(rows: RowsConfig, precision: str = "float32") -> RowPlan:
    return plan_rows(game(), all_flops().flops, rows, 50, threads=2, precision=precision)


def test_all_flops_are_counted_board_by_board() -> None:
    """Each line has 14, 42 and 72 actions on a flop, a turn and a river."""
    plan = planned(OWN)
    flops, turns, rivers = 1755, 63_193, 2_554_656
    line = 14 * 1176 * flops + 42 * 100 * turns + 72 * 16 * rivers
    assert [one.num_elements for one in plan.lines] == [line, line]
    assert plan.state_bytes == 2 * line * 8
    assert planned(OWN, "int16").state_bytes == 2 * line * 6
    assert plan.walked == 2 * (14 * 1176 * flops + 42 * 1128 * turns + 72 * 1081 * rivers)
    assert (plan.num_flops, plan.batch_size) == (1755, 50)


def test_tables_that_all_boards_share_are_counted_once() -> None:
    plan = planned(SHARED)
    assert plan.num_elements == 2 * (14 * 3000 + 42 * 200 + 72 * 50)
    assert plan.num_bytes < 2e9  # with the tables of a batch
    assert planned(SHARED, "int16").state_bytes == plan.state_bytes


def test_what_does_not_fit_is_refused_with_what_would() -> None:
    plan = replace(planned(OWN), free_bytes=20 * 10**9)
    with pytest.raises(MemoryPlanError, match=r"1,755 flops and 2 lines .* (\d+) flops would fit"):
        plan.check()
    each = plan.flop_bytes / 1755
    fitting = int((20e9 - 50 * plan.table_bytes) / each)
    with pytest.raises(MemoryPlanError, match=f"cpu has 20.0 GB free; {fitting} flops would fit"):
        plan.check()
    with pytest.raises(InputError, match="precision 'int8'"):
        planned(OWN, "int8")


def test_tables_of_flops_are_all_kept_or_those_of_a_batch() -> None:
    plan = planned(SHARED)
    every = plan.num_bytes + 2 * 1755 * plan.table_bytes
    assert replace(plan, free_bytes=every + 1).kept_tables == 1755
    assert replace(plan, free_bytes=every).kept_tables == 50
    assert replace(plan, free_bytes=None).kept_tables == 50
