"""`equity` and `range`: ranges against each other, and what one that was typed is read as."""

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson
from poker_solver.cli.output import print_json
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
        print_json({**report, "seconds": seconds, "players": players})
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


def show_range(
    text: Annotated[
        str, typer.Argument(help='As any tool writes it: "QQ+,98s+:0.5,AKo@25", "top 15%".')
    ],
    board: Annotated[str, typer.Option(help='Cards that block hands: "Td9d6h".')] = "",
    as_json: AsJson = False,
) -> None:
    """Show what a range is read as: its combos, its share of all hands, its matrix."""
    from poker_solver.cards import parse_board, parse_range
    from poker_solver.query.ranges import range_report, range_view

    weights, cards = parse_range(text), parse_board(board)
    report = range_report(weights, cards)
    if as_json:
        print_json(report)
        return
    from poker_solver.cli.pages.matrix import render_range
    from poker_solver.cli.prompt import has_color, show

    console = Console(highlight=False, markup=False)
    show(
        console,
        render_range(range_view(weights, cards), width=console.width, color=has_color(console)),
    )
    for line in _sentences(report):
        console.print(line, soft_wrap=True)


def _sentences(report: dict[str, Any]) -> list[str]:
    combos, where = f"{report['combos']:,.4f}".rstrip("0").rstrip("."), report["board"]
    combos += " combo" if combos == "1" else " combos"
    blocked = f" that {where} leaves" if where else ""
    return [
        f"{combos}, {100 * report['share']:.2f} % of the {report['of']:,} hands{blocked}",
        f"as text: {report['range']}",
    ]
