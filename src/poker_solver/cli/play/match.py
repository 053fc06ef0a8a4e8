"""`match`: two strategies against each other, with what the result is worth."""

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, Quiet
from poker_solver.cli.output import leave_if_interrupted, number_table, print_json
from poker_solver.cli.play.by_ranges import play_boards_telling
from poker_solver.cli.play.options import (
    WHO,
    Budget,
    ByRanges,
    Hands,
    SearchDevice,
    Seed,
    Stack,
    one_stack,
    read_stack,
)

if TYPE_CHECKING:
    from poker_solver.play.strength.match import MatchResult
    from poker_solver.play.strength.measured import Measured


def match(
    first: Annotated[str, typer.Argument(help=WHO)],
    second: Annotated[str, typer.Argument(help="The other, likewise.")],
    hands: Hands = 1000,
    stack: Stack = "100",
    seed: Seed = 0,
    budget_ms: Budget = 200,
    device: SearchDevice = "cpu",
    no_aivat: Annotated[bool, typer.Option("--no-aivat", help="Leave the luck in.")] = False,
    by_ranges: ByRanges = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play two strategies head to head: duplicate deals, AIVAT, mbb per hand and its interval."""
    stacks = read_stack(stack)
    if by_ranges:
        _by_ranges(
            (first, second), hands, one_stack(stack), seed, budget_ms, device, as_json, quiet
        )
        return
    from poker_solver.play.find import find_strategy, stored_of, warm_up
    from poker_solver.play.strength.aivat import Aivat
    from poker_solver.play.strength.match import play_match
    from poker_solver.runtime.interrupts import ctrl_c_requests
    from poker_solver.terminal import duration, getting_ready, telling

    players = find_strategy(first, budget_ms, device), find_strategy(second, budget_ms, device)
    stored = stored_of(players)
    with getting_ready(not quiet):
        warm_up(*players)
    began = time.perf_counter()
    with ctrl_c_requests() as stop, telling(not quiet, max(hands // 20, 1)) as tell:

        def report(result: "MatchResult") -> None:
            gone = time.perf_counter() - began
            left = duration(gone / result.num_hands * max(hands - result.num_hands, 0))
            found = result.raw if no_aivat else result.aivat
            tell(f"{result.num_hands:,} of {hands:,} hands · {found} · {left} left")

        luck = None if no_aivat else Aivat(stored)
        result = play_match(
            *players, num_hands=hands, stack_bb=stacks, seed=seed, luck=luck, report=report,
            stop=stop,
        )  # fmt: skip
    seconds = time.perf_counter() - began
    if as_json:
        print_json({**result.summary(), "seconds": round(seconds, 3)})
    else:
        print_result(result, seconds, with_luck=no_aivat)
    leave_if_interrupted(result.stopped)


def _by_ranges(
    names: tuple[str, str],
    boards: int,
    stack_bb: float,
    seed: int,
    budget_ms: float,
    device: str,
    as_json: bool,
    quiet: bool,
) -> None:
    from poker_solver.play.find import find_strategy, warm_up
    from poker_solver.play.strength.by_ranges import play_match_by_ranges
    from poker_solver.terminal import getting_ready

    players = find_strategy(names[0], budget_ms, device), find_strategy(names[1], budget_ms, device)
    with getting_ready(not quiet):
        warm_up(*players)
    play = partial(play_match_by_ranges, *players, stack_bb=stack_bb, seed=seed)
    play_boards_telling(play, boards, as_json, quiet)


def print_result(result: "MatchResult", seconds: float, with_luck: bool) -> None:
    """What the first player wins, by chips and with luck taken out."""
    from poker_solver.terminal import duration

    console = Console(highlight=False, markup=False, soft_wrap=True)
    first, second = result.names
    console.print(f"{first} against {second}: {result.num_hands:,} hands, {duration(seconds)}")
    table = number_table("", "mbb per hand", "95 % interval", "sd of a deal")
    table.add_row("chips", *_cells(result.raw))
    if not with_luck:
        table.add_row("AIVAT", *_cells(result.aivat))
    console.print(table)
    for name, problems in zip(result.names, result.problems, strict=True):
        if problems:
            console.print(f"{name} checked or folded {len(problems):,} times; {problems[-1]}")
    if result.stopped == "interrupted":
        typer.echo(f"stopped by Ctrl-C after {result.num_hands:,} hands", err=True)


def _cells(found: "Measured") -> tuple[str, str, str]:
    if found.num_samples < 2:
        return f"{found.mbb:+,.1f}", "unknown", "unknown"
    low, high = found.interval_mbb
    return f"{found.mbb:+,.1f}", f"{low:+,.1f} to {high:+,.1f}", f"{found.sd_mbb:,.0f}"
