"""What commands print and write alike: tables of numbers, mixes, several files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from poker_solver.errors import FormatError
from poker_solver.store.json_text import json_text

if TYPE_CHECKING:
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.game import PostflopGame

STOPS = {
    "target": "target met",
    "iterations": "all done",
    "seconds": "time is up",
    "interrupted": "stopped by Ctrl-C",
}
"""Why a solve stopped."""


def print_json(found: object) -> None:
    """One JSON object on standard output; what is no number is none in JSON either."""
    typer.echo(json_text(found))


def number_table(first: str, *heads: str) -> Table:
    """A table without lines: a name, then numbers under these heads."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for head in heads:
        table.add_column(head, justify="right")
    return table


def mix_text(actions: Iterable[str], shares: Iterable[float]) -> str:
    """`x 44.8 %   b94 55.2 %`; `-` where nobody gets to choose."""
    pairs = zip(actions, shares, strict=True)
    return "   ".join(f"{a} -" if isnan(p) else f"{a} {100 * p:.1f} %" for a, p in pairs)


def spot_text(spot: "Spot | PostflopGame") -> str:
    """Board, pot and stack, in bb where the spot has them."""
    big = spot.betting.big_blind
    pot, stack = (f"{n:,}" if big is None else f"{n / big:g} bb" for n in (spot.pot, spot.stack))
    return f"{spot.board}: pot {pot}, {stack} behind"


def device_text(device: str, threads: int) -> str:
    """What computed: threads of the CPU, or another device."""
    if device != "cpu":
        return device
    return "1 thread" if threads == 1 else f"{threads} threads"


def tell_interrupted(stopped: str, iterations: int) -> None:
    """Say on standard error that Ctrl-C ended a solve early, if it did."""
    if stopped == "interrupted":
        typer.echo(f"stopped by Ctrl-C after {iterations:,} iterations", err=True)


def leave_if_interrupted(stopped: str) -> None:
    """End with 1 where Ctrl-C, or SIGTERM, ended a solve early: what follows it should know."""
    if stopped == "interrupted":
        raise typer.Exit(1)


@contextmanager
def written(
    *files: tuple[Path | None, Callable[[Path], None]], failed: Sequence[str] = ()
) -> Iterator[None]:
    """Write every file that was asked for; within, the result is shown, then what failed is raised.

    Files come first, since printing may fail or be stopped. A disk or a memory that is full costs
    nobody the result on screen.
    """
    problems = [*failed]
    for path, write in files:
        try:
            if path is not None:
                write(path)
        except FormatError as error:
            problems.append(str(error))
        except MemoryError:
            problems.append("out of memory while writing a file")
    yield
    if problems:
        raise FormatError("; ".join(problems))
