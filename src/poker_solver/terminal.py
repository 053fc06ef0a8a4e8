"""Lines on the terminal while a solve is under way; the only drawing that happens below `cli`."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import TypeVar

from poker_solver.cfr.progress import ManyProgress, ManyReport, Progress, Report
from poker_solver.runtime.compiling import told_of_compiling

LINE_SECONDS = 5.0
"""How often a file is told how a solve stands."""

Told = TypeVar("Told", Progress, ManyProgress)


@contextmanager
def getting_ready(shown: bool = True) -> Iterator[None]:
    """Say on standard error what takes so long when kernels are compiled."""
    if not shown:
        yield
        return
    from rich.console import Console  # takes a tenth of a second to load

    console = Console(stderr=True)
    with console.status("Building the tree") as status:

        def tell(name: str) -> None:
            status.update(f"Compiling for this processor, once and for all solves: {name}")

        with told_of_compiling(tell):
            yield


def reporting(progress: bool | Report) -> AbstractContextManager[Report | None]:
    """Who is told of a solve: a line on the terminal if True, the function given, or nobody."""
    return _told(progress, progress_line)


@contextmanager
def _told(
    progress: bool | Callable[[Told], None], line: Callable[[Told], str], first: str = ""
) -> Iterator[Callable[[Told], None] | None]:
    if progress is not True:
        yield progress if callable(progress) else None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        yield _now_and_then(lambda told: console.print(line(told)))
        return
    with Live(Text(first), console=console, transient=True, refresh_per_second=8) as live:
        yield lambda told: live.update(Text(line(told)))


def _now_and_then(tell: Callable[[Told], None]) -> Callable[[Told], None]:
    """The same, but no more often than every few seconds: for a file, which keeps every line."""
    last = time.monotonic()

    def told(progress: Told) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            tell(progress)

    return told


def figures(value: float, digits: int = 3) -> str:
    """So many figures, `0.0474`; a number that has more before its point is whole, `1,260`."""
    return f"{value:,.0f}" if abs(value) >= 10**digits - 0.5 else f"{value:.{digits}g}"


def progress_line(progress: Progress) -> str:
    """Iteration, exploitability, time gone, time left."""
    parts = [
        f"iteration {progress.iteration:,}",
        f"exploitability {figures(progress.exploitability)}{progress.unit}",
        *_times(progress),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps the result"])


def reporting_many(
    progress: bool | ManyReport, what: str, total: int, before: int = 0
) -> AbstractContextManager[ManyReport | None]:
    """The same of many solves; `before` of the `total` were done earlier."""
    first = f"{before} of {total} {what} · the first run compiles the kernels, some 10 s"
    return _told(progress, lambda told: many_line(told, what, total, before), first)


def many_line(progress: ManyProgress, what: str, total: int, before: int = 0) -> str:
    """How many are done, how the one at hand stands, time gone, time left."""
    parts = [
        f"{before + progress.done:,} of {total:,} {what}",
        f"{progress.board} {figures(progress.exploitability_pct)} % of pot",
        *_times(progress),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps what is done"])


def reporting_lift(progress: bool | ManyReport) -> AbstractContextManager[ManyReport | None]:
    """The same of a full game's lift."""
    return _told(progress, lift_line, "the first run compiles the kernels, some 10 s")


def lift_line(progress: ManyProgress) -> str:
    """How many flops are done, time gone, time left."""
    return " · ".join([f"{progress.done:,} of {progress.total:,} flops", *_times(progress)])


def training_line(progress: Progress, flops_per_second: float) -> str:
    """Step, speed, exploitability, time gone, time left of a full game's training."""
    parts = [
        f"iteration {progress.iteration:,}",
        f"{flops_per_second:.3g} flops/s",
        f"exploitability {figures(progress.exploitability)}{progress.unit}",
        *_times(progress),
    ]
    return " · ".join(parts)


@contextmanager
def telling(shown: bool, every: int = 1, first: str = "") -> Iterator[Callable[[str], None]]:
    """Tell on standard error how work stands, `first` before it begins.

    On a terminal it is one line that changes; elsewhere every so manyth is a line of its own.
    """
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, quiet=not shown, highlight=False, markup=False, soft_wrap=True)
    if console.is_terminal:
        with Live(Text(first), console=console, transient=True, refresh_per_second=8) as live:
            yield lambda text: live.update(Text(f"{text} · Ctrl-C keeps what is done"))
        return
    told = count(1)

    def tell(text: str) -> None:
        if next(told) % every == 0:
            console.print(text)

    yield tell


def _times(told: Progress | ManyProgress) -> list[str]:
    left = [] if told.seconds_left is None else [f"{duration(told.seconds_left)} left"]
    return [duration(told.seconds), *left]


def duration(seconds: float) -> str:
    """Seconds, or minutes and hours where those say more."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
