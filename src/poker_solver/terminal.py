"""Lines on the terminal while a solve is under way; the only drawing that happens below `cli`."""

from collections.abc import Iterator
from contextlib import contextmanager

from poker_solver.cfr.progress import ManyProgress, ManyReport, Progress, Report


@contextmanager
def getting_ready(shown: bool = True, takes: str = "some 20 s") -> Iterator[None]:
    """Say on standard error what takes so long when kernels are compiled."""
    from rich.console import Console  # takes a tenth of a second to load

    console = Console(stderr=True, quiet=not shown)
    with console.status(f"Building the tree; the first run compiles the kernels, {takes}"):
        yield


@contextmanager
def reporting(progress: bool | Report) -> Iterator[Report | None]:
    """Who is told of a solve: a line on the terminal if True, the function given, or nobody."""
    if progress is True:
        with show_progress() as report:
            yield report
    else:
        yield progress if callable(progress) else None


@contextmanager
def show_progress() -> Iterator[Report]:
    """A live line on standard error, kept up to date by the report it yields."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with Live(console=console, transient=True, refresh_per_second=8) as live:
        yield lambda progress: live.update(Text(progress_line(progress)))


def progress_line(progress: Progress) -> str:
    """Iteration, exploitability, time gone, time left."""
    parts = [
        f"iteration {progress.iteration:,}",
        f"exploitability {progress.exploitability:.3g}{progress.unit}",
        *times(progress.seconds, progress.seconds_left),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps the result"])


@contextmanager
def reporting_many(
    progress: bool | ManyReport, what: str, total: int, before: int = 0
) -> Iterator[ManyReport | None]:
    """Who is told of many solves: a line on the terminal if True, the function given, or nobody.

    `before` of the `total` were done earlier.
    """
    if progress is not True:
        yield progress if callable(progress) else None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    first = f"{before} of {total} {what} · the first run compiles the kernels, some 20 s"
    with Live(Text(first), console=console, transient=True, refresh_per_second=8) as live:
        yield lambda progress: live.update(Text(many_line(progress, what, total, before)))


def many_line(progress: ManyProgress, what: str, total: int, before: int = 0) -> str:
    """How many are done, how the one at hand stands, time gone, time left."""
    parts = [
        f"{before + progress.done:,} of {total:,} {what}",
        f"{progress.board} {progress.exploitability_pct:.3g} % of pot",
        *times(progress.seconds, progress.seconds_left),
    ]
    return " · ".join([*parts, "Ctrl-C stops and keeps what is done"])


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
