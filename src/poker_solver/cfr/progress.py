"""How far a solve has come, as plain values; drawing them is `terminal`'s business."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, exp, log


@dataclass(frozen=True)
class Progress:
    """One check of a solve under way."""

    iteration: int
    exploitability: float
    seconds: float  # since this solve began
    seconds_left: float | None  # None while nothing can be said
    unit: str = ""  # of the exploitability: ` % of pot`, or nothing


@dataclass(frozen=True)
class ManyProgress:
    """One check of one game of many, and how far all of them are."""

    done: int
    total: int
    board: str  # of the one that was looked at
    exploitability_pct: float
    seconds: float  # since the first began
    seconds_left: float | None  # None while nothing can be said


Curve = Sequence[tuple[int, float]]  # (iteration, exploitability) at each check
Report = Callable[[Progress], None]
ManyReport = Callable[[ManyProgress], None]


def iterations_to(target: float, curve: Curve) -> int | None:
    """Guess when the target is met, from the power law through the second half of the curve."""
    if len(curve) < 4:
        return None
    (t1, e1), (t2, e2) = curve[len(curve) // 2 - 1], curve[-1]
    if not 0 < e2 < e1 or t1 >= t2:
        return None
    slope = log(e2 / e1) / log(t2 / t1)
    growth = log(target / e2) / slope  # in natural logarithms of the iteration
    return ceil(t2 * exp(growth)) if 0 < growth < 30 else None
