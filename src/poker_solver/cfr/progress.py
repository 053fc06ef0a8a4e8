"""How far a solve has come: plain values, and a line on the terminal that shows them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, exp, log

from rich.console import Console
from rich.live import Live
from rich.text import Text


@dataclass(frozen=True)
class Progress:
    """One check of a solve under way."""

    iteration: int
    exploitability: float
    seconds: float  # since this solve began
    seconds_left: float | None  # None while nothing can be said


Curve = Sequence[tuple[int, float]]  # (iteration, exploitability) at each check
Report = Callable[[Progress], None]


def next_check(iteration: int) -> int:
    """The iteration to look at exploitability next: every one at first, then 5 % further."""
    return iteration + max(1, iteration // 20)


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


@contextmanager
def getting_ready(shown: bool = True) -> Iterator[None]:
    """Say on standard error what takes so long when kernels are compiled."""
    console = Console(stderr=True, quiet=not shown)
    with console.status("Building the tree; the first run compiles the kernels, some 20 s"):
        yield


@contextmanager
def reporting(progress: bool | Report, unit: str = "") -> Iterator[Report | None]:
    """Who is told of a solve: a line on the terminal if True, the function given, or nobody."""
    if progress is True:
        with show_progress(unit) as report:
            yield report
    else:
        yield progress if callable(progress) else None


@contextmanager
def show_progress(unit: str = "") -> Iterator[Report]:
    """A live line on standard error, kept up to date by the report it yields."""
    console = Console(stderr=True)
    with Live(console=console, transient=True, refresh_per_second=8) as live:
        yield lambda progress: live.update(Text(progress_line(progress, unit)))


def progress_line(progress: Progress, unit: str = "") -> str:
    """Iteration, exploitability, time gone, time left."""
    parts = [
        f"iteration {progress.iteration:,}",
        f"exploitability {progress.exploitability:.3g}{unit}",
        *times(progress.seconds, progress.seconds_left),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps the result"])


def times(gone: float, left: float | None) -> list[str]:
    """Time gone, and time left where something can be said of it."""
    return [duration(gone)] if left is None else [duration(gone), f"{duration(left)} left"]


def duration(seconds: float) -> str:
    """Seconds, or minutes and hours where those say more."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
