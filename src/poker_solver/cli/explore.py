"""`explore`: walk a saved solution in the terminal, print a node of it, or write it down."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import check_apart, check_writable
from poker_solver.cli.pages.export import POSTFLOP, PREFLOP, write_export
from poker_solver.errors import InputError
from poker_solver.explore import LOOKS

if TYPE_CHECKING:  # imported where it is used: numba takes half a second that --help has not
    from poker_solver.explore.session import Explored
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.query.view import AnySolution


def explore(
    file: Annotated[
        str,
        typer.Argument(
            help="A solution of solve, hunl or unified; a checkpoint of the first; or hu_10, "
            "hu_20, hu_50, hu_100, which come solved."
        ),
    ],
    line: Annotated[
        str,
        typer.Option(help='Start at: "x b94 c 7d", "SBr2.5"; "SBr2.5 BBc | QsJh2h x" of unified.'),
    ] = "",
    view: Annotated[str, typer.Option(help="strategy, ev or equity.")] = "strategy",
    export: Annotated[
        Path | None,
        typer.Option(help="Write the node to a .csv, .json, .parquet (.png preflop) and leave."),
    ] = None,
    spot: Annotated[
        Path | None,
        typer.Option(help="Write the flop of the line, of unified, as a spot .yaml and leave."),
    ] = None,
    no_interactive: Annotated[
        bool, typer.Option("--no-interactive", help="Print the node, do not explore.")
    ] = False,
) -> None:
    """Walk a solved spot, preflop, or a full game: actions, cards, strategies, EVs, equities."""
    if view not in LOOKS:
        raise InputError(f"view is {view!r}, must be one of {', '.join(LOOKS)}")
    from poker_solver.fullgame.shipped import solution_path

    path = solution_path(file)
    check_apart(path, export=export, spot=spot)
    if export is not None:
        check_writable(export, *(PREFLOP if is_preflop(path, line) else POSTFLOP))
    check_writable(spot)
    with Console(stderr=True).status("Reading; the first time compiles the kernels, some 10 s"):
        from poker_solver.cli import prompt
        from poker_solver.cli.pages.explorer import InteractiveSession

        solution = read_solution(path)
        if export is not None:
            write_export(export, solution, line)
            typer.echo(f"wrote {export}", err=True)
        if spot is not None:
            save_spot(spot, solution, line)
        if export is not None or spot is not None:
            return
        session = InteractiveSession(*source_of(solution, line))
    session.look = view
    prompt.show_or_run(session, interactive=not no_interactive)


def is_preflop(file: Path, line: str) -> bool:
    """Whether a line of what is in a file ends before the flop."""
    from poker_solver.store.files import file_kind

    kind = file_kind(file)
    return kind.startswith("preflop") or (
        kind.startswith("unified") and not line.partition("|")[2].strip()
    )


def save_spot(path: Path, solution: "AnySolution", line: str) -> None:
    """Write the flop of a line; says so on standard error."""
    from poker_solver.explore.full_game import write_spot
    from poker_solver.fullgame.solution import UnifiedSolution

    if not isinstance(solution, UnifiedSolution):
        raise InputError("--spot is for a full game, which has flops to choose from")
    of = write_spot(solution, line, path)
    typer.echo(f"wrote {path}: {of}", err=True)


def source_of(solution: "AnySolution", line: str) -> "tuple[Solution | Explored, Sequence[str]]":
    """What a session walks, and where it starts; other stacks are solved to the usual target."""
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.explore.full_game import ExploredGame
    from poker_solver.explore.preflop import Solved
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import solve_preflop

    options = SolveOptions(progress=True)
    if isinstance(solution, UnifiedSolution):
        solution.after_flop.options = options
        return ExploredGame(solution), solution.locate(line).tokens
    if not isinstance(solution, PreflopSolution):
        return solution, line.split()
    source = Solved(solution, lambda config: solve_preflop(config, options))
    return source, solution.history(line)


def read_solution(file: Path) -> "AnySolution":
    """The solution in a file, or what the solve of a checkpoint has found so far."""
    from poker_solver.fullgame import solution as full_game
    from poker_solver.fullgame import solver as unified
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.postflop.solve import solver as postflop
    from poker_solver.preflop import solution as preflop_solution
    from poker_solver.preflop import solver as preflop
    from poker_solver.store.files import file_kind

    kind = file_kind(file)
    if kind == preflop_solution.KIND:
        return preflop_solution.PreflopSolution.load(file)
    if kind == full_game.KIND:
        return full_game.UnifiedSolution.load(file)
    if kind == unified.KIND:
        raise InputError(
            f"{file} is a checkpoint of unified, to go on from; explore opens what it saves"
        )
    solution: Solution | preflop_solution.PreflopSolution
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
