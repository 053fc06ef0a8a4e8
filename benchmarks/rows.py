"""One measurement, and how it is taken: the minimum of several runs."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """What was measured, beside what the project wants."""

    case: str
    value: float
    unit: str
    wanted: str = ""  # as a person reads it: "at least 10", "under 2"


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The fastest of several calls, after one that does not count."""
    call()
    return min(once(call) for _ in range(repeats))


def once(call: Callable[[], object]) -> float:
    """Seconds of a single call."""
    began = perf_counter()
    call()
    return perf_counter() - began
