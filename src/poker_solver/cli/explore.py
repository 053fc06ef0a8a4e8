"""`explore`: walk a saved solution in the terminal, print a node of it, or write it down."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import check_writable
from poker_solver.cli.pages.export import POSTFLOP, PREFLOP, write_export
from poker_solver.errors import InputError
from poker_solver.explore import LOOKS

if TYPE_CHECKING:  # imported where it is used: numba takes half a second that --help has not
    from poker_solver.explore.preflop import Solved
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.preflop.solution import PreflopSolution


def explore(
    file: Annotated[Path, typer.Argument(help="A solution or a checkpoint of solve or hunl.")],
    line: Annotated[str, typer.Option(help='Start at this line: "x b94 c 7d", "SBr2.5".')] = "",
    view: Annotated[str, typer.Option(help="strategy, ev or equity.")] = "strategy",
    export: Annotated[
        Path | None,
        typer.Option(help="Write the node to a .csv, .json, .parquet (.png preflop) and leave."),
    ] = None,
    no_interactive: Annotated[
        bool, typer.Option("--no-interactive", help="Print the node, do not explore.")
    ] = False,
) -> None:
    """Walk a solved spot, or preflop: actions, cards, strategies, EVs, equities."""
    if view not in LOOKS:
        raise InputError(f"view is {view!r}, must be one of {', '.join(LOOKS)}")
    if export is not None:
        from poker_solver.store.files import file_kind

        is_preflop = file_kind(file).startswith("preflop")
        check_writable(export, *(PREFLOP if is_preflop else POSTFLOP))
    with Console(stderr=True).status("Reading; the first time compiles the kernels, some 10 s"):
        from poker_solver.cli import prompt
        from poker_solver.cli.pages.explorer import InteractiveSession

        solution = read_solution(file)
        if export is not None:
            write_export(export, solution, line)
            typer.echo(f"wrote {export}", err=True)
            return
        session = InteractiveSession(*source_of(solution, line))
    session.look = view
    prompt.show_or_run(session, interactive=not no_interactive)


def source_of(
    solution: "Solution | PreflopSolution", line: str
) -> "tuple[Solution | Solved, Sequence[str]]":
    """What a session walks, and where it starts; other stacks are solved to the usual target."""
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.explore.preflop import Solved
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import solve_preflop

    if not isinstance(solution, PreflopSolution):
        return solution, line.split()
    options = SolveOptions(progress=True)
    return Solved(solution, lambda config: solve_preflop(config, options)), solution.history(line)


def read_solution(file: Path) -> "Solution | PreflopSolution":
    """The solution in a file, or what the solve of a checkpoint has found so far."""
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.postflop.solve import solver as postflop
    from poker_solver.preflop import solution as preflop_solution
    from poker_solver.preflop import solver as preflop
    from poker_solver.store.files import file_kind

    kind = file_kind(file)
    if kind == preflop_solution.KIND:
        return preflop_solution.PreflopSolution.load(file)
    solution: Solution | PreflopSolution
    if kind == preflop.KIND:
        solution = preflop.PreflopSolver.load(file).solution()
    elif kind == postflop.KIND:
        solution = postflop.PostflopSolver.load(file).solution(copy=False)
    else:
        return Solution.load(file)
    typer.echo(
        f"{file} is a checkpoint: {solution.iterations:,} iterations, "
        f"{solution.exploitability_pct:.3g} % of pot",
        err=True,
    )
    return solution
