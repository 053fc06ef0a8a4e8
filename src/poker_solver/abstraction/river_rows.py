"""Rows of river boards: hands in order of strength, cut into runs; nothing about what they do."""

from typing import Any

import numba as nb
import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.rows import StreetRows
from poker_solver.cards.strength import board_strengths
from poker_solver.config.unified_fields import RowRule

NUM_LIVE = 1081
"""Combos that a river board leaves. So many quantiles part any two strengths."""

_NUM_STRENGTHS = 7463


def river_rows(rule: RowRule, boards: NDArray[np.integer[Any]]) -> StreetRows:
    """The rows that a rule makes on each of `boards` [B, 5].

    A hand's place is what it beats of all hands and half of what it ties with, blockers left
    aside: it ascends with strength. `buckets` cuts that share into equal parts, some of them
    empty on one board or another; `quantiles` leaves those out.
    """
    strengths = board_strengths(boards)
    row = np.empty(strengths.shape, np.int16)
    num_rows = np.empty(len(row), np.int32)
    if rule.kind == "exact":
        _places_into(strengths, row)
        num_rows[:] = NUM_LIVE
    else:
        _quantiles_into(strengths, rule.count or NUM_LIVE, rule.is_shared, row, num_rows)
    return StreetRows(row, num_rows)


@nb.njit(cache=True, nogil=True)
def _places_into(strengths: NDArray[np.int16], row: NDArray[np.int16]) -> None:
    """Of each board's hands [B, 1326] the place by strength, equal ones in order of combos."""
    place = np.empty(_NUM_STRENGTHS, np.int16)
    for b in range(len(strengths)):
        place[:] = 0
        for strength in strengths[b]:
            place[strength] += 1
        weaker = 0
        for strength in range(1, _NUM_STRENGTHS):
            equal = place[strength]
            place[strength] = weaker
            weaker += equal
        for h in range(strengths.shape[1]):
            strength = strengths[b, h]
            row[b, h] = place[strength] if strength > 0 else -1
            place[strength] += 1


@nb.njit(cache=True, nogil=True)
def _quantiles_into(
    strengths: NDArray[np.int16],
    count: int,
    keeps_empty: bool,
    row: NDArray[np.int16],
    num_rows: NDArray[np.int32],
) -> None:
    """Of each board's hands [B, 1326] the quantile of `count`; empty ones may be left out."""
    number = np.empty(_NUM_STRENGTHS, np.int64)
    for b in range(len(strengths)):
        number[:] = 0
        for strength in strengths[b]:
            number[strength] += 1
        live = len(strengths[b]) - number[0]
        weaker, last, found = 0, -1, 0
        for strength in range(1, _NUM_STRENGTHS):
            equal = number[strength]
            if equal > 0:
                quantile = count * (2 * weaker + equal) // (2 * live)
                if quantile != last:
                    last = quantile
                    found += 1
                number[strength] = quantile if keeps_empty else found - 1
                weaker += equal
        number[0] = -1
        num_rows[b] = count if keeps_empty else found
        for h in range(strengths.shape[1]):
            row[b, h] = number[strengths[b, h]]
