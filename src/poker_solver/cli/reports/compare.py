"""`compare`: two saved solutions at the same line."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, check_solution
from poker_solver.cli.output import print_json
from poker_solver.errors import InputError


def compare(
    first: Annotated[Path, typer.Argument(help="A solution: A.")],
    second: Annotated[Path, typer.Argument(help="Another one: B.")],
    line: Annotated[
        str, typer.Option(help='The point to compare: "x b33%"; by the sizes of each.')
    ] = "",
    player: Annotated[str, typer.Option(help="Whose hands: oop or ip; who acts.")] = "",
    by: Annotated[str, typer.Option(help="class or hand.")] = "class",
    sort: Annotated[
        str, typer.Option(help="ev: the largest difference first; or gain, loss, strategy.")
    ] = "ev",
    top: Annotated[int, typer.Option(min=0, help="Rows of hands.")] = 15,
    as_json: AsJson = False,
) -> None:
    """Lay two solutions side by side: EV of every hand, frequencies, what is played otherwise."""
    if by not in ("class", "hand"):
        raise InputError(f"by is {by!r}, must be class or hand")
    with Console(stderr=True).status("Reading the solutions"):
        from poker_solver.cli.pages.compare import render_comparison
        from poker_solver.cli.prompt import show
        from poker_solver.explore.opening import read_solution
        from poker_solver.fullgame.shipped import solution_path
        from poker_solver.query import compare as compared

        compared.most_changed([], sort)  # a wrong word is told before anything is read
        one, other = (
            read_solution(check_solution(solution_path(str(path)))) for path in (first, second)
        )
        found = compared.compare(one, other, line)
        names = [each.name.lower() for each in found.players]
    if player and player.lower() not in names:
        raise InputError(f"player is {player!r}, must be {' or '.join(names)}")
    if as_json:
        told = {"a": str(first), "b": str(second), **compared.comparison_object(found)}
        print_json(told)
        return
    console = Console(highlight=False, markup=False)
    typer.echo(f"A  {first}\nB  {second}")
    page = render_comparison(found, player=player, by=by, order=sort, top=top, width=console.width)
    show(console, page)
