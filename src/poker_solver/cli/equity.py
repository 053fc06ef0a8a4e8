"""`equity`: two hands or ranges against each other, exactly, on any board."""

import json
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson
from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where they are used: numpy takes time that --help has not
    import numpy as np
    from numpy.typing import NDArray

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
    from poker_solver.cli.pages.equity import print_tables

    started = time.perf_counter()
    weights, cards = read_spot(first, second, board)
    with Console(stderr=True, quiet=as_json).status("Counting (compiled on the first run)"):
        from poker_solver.cards.equity import range_equity
        from poker_solver.query.equity import equity_report

        report = equity_report(range_equity(weights[0], weights[1], cards), weights, by)
    if as_json:
        players, seconds = report.pop("players"), time.perf_counter() - started
        typer.echo(json.dumps({**report, "seconds": seconds, "players": players}))
    else:
        print_tables(report)


def read_spot(
    first: str, second: str, board: str
) -> "tuple[list[NDArray[np.float64]], tuple[int, ...]]":
    """Both ranges [1326] and the board's cards; an error lists all that is wrong, and where."""
    from poker_solver.cards import parse_board, parse_range

    weights: list[NDArray[np.float64]] = []
    cards: tuple[int, ...] = ()
    problems = []
    for name, text in (("first", first), ("second", second)):
        try:
            weights.append(parse_range(text))
        except InputError as error:
            problems.append(f"the {name} range: {error}")
    try:
        cards = parse_board(board)
    except InputError as error:
        problems.append(str(error))
    if problems:
        raise InputError("; ".join(problems))
    return weights, cards
