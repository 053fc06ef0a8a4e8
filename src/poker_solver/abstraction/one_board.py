"""The rows of one river board, without a compiler; `river_rows` makes those of many."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.one_board import one_board_strengths
from poker_solver.config.unified_fields import RowRule


def one_river_rows(rule: RowRule, board: Sequence[int]) -> NDArray[np.int16]:
    """[1326] the row of every combo, as `river_rows` has it; -1 where the board blocks it."""
    strengths = one_board_strengths(board)
    free = np.flatnonzero(strengths)
    row = np.full(NUM_COMBOS, -1, np.int16)
    if rule.kind == "exact":
        row[free[np.argsort(strengths[free], kind="stable")]] = np.arange(len(free))
        return row
    number = np.bincount(strengths[free])
    different = np.flatnonzero(number)
    equal = number[different]
    weaker = np.cumsum(equal) - equal
    rows = (rule.count or len(free)) * (2 * weaker + equal) // (2 * len(free))
    if not rule.is_shared:  # empty ones are left out
        rows = np.concatenate([[0], np.cumsum(np.diff(rows) > 0)])
    number[different] = rows
    row[free] = number[strengths[free]]
    return row
