"""Options that commands which play have in common."""

from typing import Annotated

import typer

from poker_solver.errors import InputError

WHO = (
    "call, fold, random; stored:, search: or model: and the file or name of a full game; "
    "several files by commas, each plays its own stack."
)

Hands = Annotated[int, typer.Option(help="Two for every deal; boards by ranges.", min=1)]
ByRanges = Annotated[
    bool, typer.Option("--by-ranges", help="All hands at once on sampled boards; luck is gone.")
]
Seed = Annotated[int, typer.Option(help="Of the deals and of all that is drawn.", min=0)]
Budget = Annotated[float, typer.Option(help="How long a search may take, in ms.", min=1)]
SearchDevice = Annotated[
    str, typer.Option("--device", "-d", help="Of searches: cpu, cuda or auto; docs/subgame.md.")
]
Stack = Annotated[str, typer.Option(help="Of both, in bb; 5-200 gives every deal its own.")]


def read_stack(text: str) -> tuple[float, float]:
    """`100`, or `5-200`."""
    least, dash, most = text.partition("-")
    try:
        found = float(least), float(most if dash else least)
    except ValueError:
        found = 0.0, 0.0
    if not 2 <= found[0] <= found[1] <= 1000:
        raise InputError(f"stack {text!r}: want bb from 2 to 1,000, as in 100 or 5-200")
    return found


def one_stack(text: str) -> float:
    """`100`; several are refused."""
    least, most = read_stack(text)
    if least != most:
        raise InputError(f"stack {text!r}: want one here, as in 100")
    return least
