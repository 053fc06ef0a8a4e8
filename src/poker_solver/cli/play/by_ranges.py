"""`--by-ranges`, of `match` and of `lbr`: boards are played, with all hands of both players."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from poker_solver.cli.output import leave_if_interrupted, print_json

if TYPE_CHECKING:
    from poker_solver.play.strength.by_ranges import RangesResult


def play_boards_telling(
    play: "Callable[..., RangesResult]", boards: int, as_json: bool, quiet: bool
) -> None:
    """Play so many boards, say how far it has come, and print what the first player wins."""
    from poker_solver.runtime.interrupts import ctrl_c_requests
    from poker_solver.terminal import duration, telling

    began = time.perf_counter()
    with ctrl_c_requests() as stop, telling(not quiet, max(boards // 20, 1)) as tell:

        def report(result: "RangesResult") -> None:
            gone = time.perf_counter() - began
            left = duration(gone / result.num_boards * (boards - result.num_boards))
            tell(f"{result.num_boards:,} of {boards:,} boards · {result.won} · {left} left")

        result = play(num_boards=boards, report=report, stop=stop)
    seconds = time.perf_counter() - began
    if as_json:
        print_json({**result.summary(), "seconds": round(seconds, 3)})
    else:
        print_won(result, seconds)
    leave_if_interrupted(result.stopped)


def print_won(result: "RangesResult", seconds: float) -> None:
    """What the first player wins."""
    from poker_solver.terminal import duration

    first, second = result.names
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{first} wins {result.won} per hand of {second}: {result.num_boards:,} boards")
    console.print(
        f"at {result.stack_bb:g} bb, all hands of both in both seats, {duration(seconds)}"
    )
    if result.stopped == "interrupted":
        typer.echo(f"stopped by Ctrl-C after {result.num_boards:,} boards", err=True)
