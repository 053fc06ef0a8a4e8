"""Rows of one river board are those that many boards have."""

import numpy as np
import pytest

from poker_solver.abstraction.one_board import one_river_rows
from poker_solver.abstraction.river_rows import river_rows
from poker_solver.config.unified_fields import RowsConfig

RULES = ["exact", "strength", "quantiles:1", "quantiles:16", "quantiles:200", "buckets:7",
         "buckets:300"]  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_rows_are_those_of_many_boards(rule: str) -> None:
    river, rng = RowsConfig.of({"river": rule}).river, np.random.default_rng(9)
    boards = np.array([rng.permutation(52)[:5] for _ in range(60)] + [[0, 1, 2, 3, 51]])
    for board, row in zip(boards.tolist(), river_rows(river, boards).row, strict=True):
        assert np.array_equal(one_river_rows(river, board), row)
