"""`explore`: walk a saved solution in the terminal, print a node of it, or write it down."""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where it is used: numba takes half a second that --help has not
    from poker_solver.postflop.solution.solution import Solution

VIEWS = ("strategy", "ev", "equity")


def explore(
    file: Annotated[Path, typer.Argument(help="What solve --save or --checkpoint wrote.")],
    line: Annotated[str, typer.Option(help='Start at this line: "x b94 c 7d".')] = "",
    view: Annotated[str, typer.Option(help="strategy, ev or equity.")] = "strategy",
    export: Annotated[
        Path | None, typer.Option(help="Write the node to a .csv, .json or .parquet and leave.")
    ] = None,
    no_interactive: Annotated[
        bool, typer.Option("--no-interactive", help="Print the node, do not explore.")
    ] = False,
) -> None:
    """Walk a solved spot: actions, cards, strategies, EVs, equities."""
    if view not in VIEWS:
        raise InputError(f"view is {view!r}, must be one of {', '.join(VIEWS)}")
    if export is not None:
        from poker_solver.cli.pages.postflop_export import check_export

        check_export(export, None, line)
    with Console(stderr=True).status("Reading; the first time compiles the kernels, some 10 s"):
        from poker_solver.cli import prompt
        from poker_solver.cli.pages import postflop_session

        solution = read_solution(file)
        if export is not None:
            from poker_solver.cli.pages.postflop_export import write_export

            write_export(export, solution, line)
            typer.echo(f"wrote {export}", err=True)
            return
        session = postflop_session.PostflopSession(solution, line)
    session.look = postflop_session.LOOKS[view]
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(highlight=False, markup=False)
    session.width, session.color = console.width, prompt.has_color(console)
    if not no_interactive and sys.stdin.isatty() and sys.stdout.isatty():
        prompt.run(session, console)
    else:
        prompt.show(console, session.page())


def read_solution(file: Path) -> "Solution":
    """The solution in a file, or what the solve of a checkpoint has found so far."""
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.postflop.solve.solver import KIND, PostflopSolver
    from poker_solver.store.files import file_kind

    if file_kind(file) != KIND:
        return Solution.load(file)
    solution = PostflopSolver.load(file).solution(copy=False)
    typer.echo(
        f"{file} is a checkpoint: {solution.iterations:,} iterations, "
        f"{solution.exploitability_pct:.3g} % of pot",
        err=True,
    )
    return solution
