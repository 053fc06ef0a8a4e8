"""`equity`: two hands or ranges against each other, exactly, on any board."""

import json
import time
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson

HELP = 'In the common notation: "AKs", "QQ+", "A5s-A2s:0.5,AK", "AhKh", "random".'


class By(StrEnum):
    """How a range is broken down."""

    CLASS = "class"
    COMBO = "combo"


def equity(
    first: Annotated[str, typer.Argument(help=HELP)],
    second: Annotated[str, typer.Argument(help="The other hand or range.")],
    board: Annotated[str, typer.Option(help='0, 3, 4 or 5 cards: "Td9d6h".')] = "",
    by: Annotated[By | None, typer.Option(help="Also show every hand of both ranges.")] = None,
    as_json: AsJson = False,
) -> None:
    """Exact equity of a hand or range against another, on any board."""
    from poker_solver.cards import format_range  # in here: numpy takes time that --help has not
    from poker_solver.cli.pages.equity import print_tables, read_spot, summarise

    started = time.perf_counter()
    weights, cards = read_spot(first, second, board)
    with Console(stderr=True, quiet=as_json).status("Counting (compiled on the first run)"):
        from poker_solver.cards.equity import range_equity

        result = range_equity(weights[0], weights[1], cards)
    summary = summarise(result, by, time.perf_counter() - started)
    for player, given in zip(summary["players"], weights, strict=True):
        player["range"] = format_range(given)
    if as_json:
        typer.echo(json.dumps(summary))
    else:
        print_tables(summary)
