"""`explore`: walk a saved solution in the terminal, print a node of it, or write it down."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.pages.export import check_export, write_export
from poker_solver.errors import InputError
from poker_solver.explore.looks import LOOKS

if TYPE_CHECKING:  # imported where it is used: numba takes half a second that --help has not
    from poker_solver.postflop.solution.solution import Solution


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
    if (look := LOOKS.get(view)) is None:
        raise InputError(f"view is {view!r}, must be one of {', '.join(LOOKS)}")
    if export is not None:
        check_export(export, None, line)
    with Console(stderr=True).status("Reading; the first time compiles the kernels, some 10 s"):
        from poker_solver.cli import prompt
        from poker_solver.cli.pages.explorer import InteractiveSession

        solution = read_solution(file)
        if export is not None:
            write_export(export, solution, line)
            typer.echo(f"wrote {export}", err=True)
            return
        session = InteractiveSession(solution, line.split())
    session.walk.look = look
    prompt.show_or_run(session, interactive=not no_interactive)


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
