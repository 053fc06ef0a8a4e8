"""`lbr`: what local best response wins of a strategy."""

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, Quiet
from poker_solver.cli.output import leave_if_interrupted, print_json
from poker_solver.cli.play.by_ranges import play_boards_telling
from poker_solver.cli.play.options import (
    WHO,
    Budget,
    ByRanges,
    Hands,
    SearchDevice,
    Seed,
    one_stack,
)

if TYPE_CHECKING:
    from poker_solver.play.strength.lbr import LbrResult


def lbr(
    strategy: Annotated[str, typer.Argument(help=WHO)],
    hands: Hands = 1000,
    stack: Annotated[str, typer.Option(help="Of both, in bb.")] = "100",
    street: Annotated[str, typer.Option("--from", help="preflop, flop, turn or river.")] = "flop",
    seed: Seed = 0,
    budget_ms: Budget = 200,
    device: SearchDevice = "cpu",
    by_ranges: ByRanges = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure a strategy by local best response: a lower bound of what it loses, mbb per hand."""
    stack_bb = one_stack(stack)
    from poker_solver.play.find import find_strategy, warm_up
    from poker_solver.play.strength.lbr import local_best_response
    from poker_solver.play.strength.lbr_by_ranges import lbr_by_ranges
    from poker_solver.runtime.interrupts import ctrl_c_requests
    from poker_solver.terminal import duration, getting_ready, telling

    player = find_strategy(strategy, budget_ms, device)
    with getting_ready(not quiet):
        warm_up(player)
    if by_ranges:
        play = partial(lbr_by_ranges, player, stack_bb=stack_bb, seed=seed, first_street=street)
        play_boards_telling(play, hands, as_json, quiet)
        return
    began = time.perf_counter()
    with ctrl_c_requests() as stop, telling(not quiet, max(hands // 20, 1)) as tell:

        def report(found: "LbrResult") -> None:
            gone = time.perf_counter() - began
            left = duration(gone / found.num_hands * max(hands - found.num_hands, 0))
            tell(f"{found.num_hands:,} of {hands:,} hands · {found.lost} · {left} left")

        result = local_best_response(
            player,
            num_hands=hands,
            stack_bb=stack_bb,
            seed=seed,
            first_street=street,
            report=report,
            stop=stop,
        )
    seconds = time.perf_counter() - began
    if as_json:
        print_json({**result.summary(), "seconds": round(seconds, 3)})
    else:
        print_lost(result, seconds)
    leave_if_interrupted(result.stopped)


def print_lost(result: "LbrResult", seconds: float) -> None:
    """What the player loses."""
    from poker_solver.terminal import duration

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{result.name} loses {result.lost} per hand to local best response from the")
    played = f"{result.num_hands:,} hands at {result.stack_bb:g} bb"
    console.print(f"{result.first_street} on, {played}, {duration(seconds)}")
    if result.stopped == "interrupted":
        typer.echo(f"stopped by Ctrl-C after {result.num_hands:,} hands", err=True)
