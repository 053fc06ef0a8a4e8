"""How long a solve will take on this machine, from a copy of memory that is timed now."""

from collections.abc import Callable
from functools import cache
from math import sqrt

from poker_solver.jobs.timing import copy_bytes_per_second

BYTES_PER_ELEMENT = 20
"""What an iteration of both players must move of regrets and sums, in float32."""

SLOWER_THAN_COPY = 2.3
"""An iteration against a copy of as many bytes, one thread; measured from 21 to 804 million
elements (docs/lab/postflop-cpu.md)."""

MEASURING = 1.13
"""With the checks of exploitability against without them."""

ITERATIONS_AT_ONE_PCT = 60.0
"""Of the pot; as 1 / sqrt(target) elsewhere: 85 to 0.5 %, 190 to 0.1 % on five spots."""

_COPIED = 2**26  # bytes: more than caches hold, and a few hundredths of a second


def estimated_seconds(num_elements: int, target_pct: float, threads: int) -> float:
    """To solve a spot of this size on the CPU; right within a factor of two or so."""
    one = num_elements * BYTES_PER_ELEMENT * SLOWER_THAN_COPY / _once(copy_bytes_per_second)
    return one * MEASURING * ITERATIONS_AT_ONE_PCT / sqrt(target_pct) / threads


@cache
def _once(measure: Callable[[int], float]) -> float:
    """Timed once: a page that asks while one types must not wait for it."""
    return measure(_COPIED)
