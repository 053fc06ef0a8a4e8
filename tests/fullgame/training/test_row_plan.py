"""What training with rows takes: counted by hand for all flops of a preset, and what is kept."""

from dataclasses import replace
from functools import cache

import pytest

from poker_solver.cards.flops import all_flops
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import InputError, MemoryPlanError
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.training import row_plan
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


def on_gpu(monkeypatch: pytest.MonkeyPatch, name: str, free_gb: float, precision: str) -> RowPlan:
    monkeypatch.setattr(row_plan, "choose", lambda device, size, solvers: "cuda")
    monkeypatch.setattr(row_plan, "free_on_gpu", lambda name: int(free_gb * 1e9))
    played = full_game(full_game_rules(UnifiedConfig.load(name)))
    return plan_rows(played, all_flops().flops, OWN, 96, device="auto", precision=precision)


def test_a_gpu_keeps_averages_of_rivers_where_they_have_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of `hu_20`: 16 bits a regret, 32 a sum, 32 for each of a line's 6, 18 and 36 decisions."""
    rivers, wide = 72 * 16 * 2_554_656, on_gpu(monkeypatch, "hu_20", 140, "int16")
    elements = 14 * 1176 * 1755 + 42 * 100 * 63_193 + rivers
    scales = 6 * 1755 + 18 * 63_193 + 36 * 2_554_656
    assert (wide.device, wide.river_average) == ("cuda", True)
    assert wide.state_bytes == 2 * (6 * elements + 4 * scales)
    assert wide.kept_tables == 96
    narrow = on_gpu(monkeypatch, "hu_20", 26, "int16")
    assert not narrow.river_average
    assert narrow.state_bytes == wide.state_bytes - 2 * 4 * rivers
    narrow.check()
    assert narrow.kept_tables == 32  # those that are walked at once


def test_all_flops_of_hu_100_fit_one_large_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = on_gpu(monkeypatch, "hu_100", 90, "int16")
    plan.check()
    assert not plan.river_average
    with pytest.raises(MemoryPlanError, match=r"cuda has 24.0 GB free; \d+ flops would fit"):
        replace(plan, free_bytes=24 * 10**9).check()


def test_shared_rows_stay_on_the_cpu() -> None:
    device = plan_rows(game(), all_flops().flops, SHARED, 50, device="auto").device
    assert device == "cpu"
