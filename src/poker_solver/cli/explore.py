"""`explore`: walk a saved solution in the terminal, print a node of it, or write it down."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.options import (
    AsJson,
    SpotFile,
    check_apart,
    check_solution,
    check_writable,
)
from poker_solver.cli.pages.export import (
    POSTFLOP,
    PREFLOP,
    RUNOUTS,
    palettes_text,
)
from poker_solver.errors import InputError
from poker_solver.explore import LOOKS

if TYPE_CHECKING:  # imported where it is used: numba takes half a second that --help has not
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.explore.shown import Shown
    from poker_solver.query.view import AnySolution


File = Annotated[
    str,
    typer.Argument(
        help="A solution of solve, hunl or unified; a checkpoint of the first; or hu_10, "
        "hu_20, hu_50, hu_100, which come solved."
    ),
]
StartLine = Annotated[
    str,
    typer.Option(help='Start at: "x b94 c 7d", "SBr2.5"; "SBr2.5 BBc | QsJh2h x" of unified.'),
]
Export = Annotated[
    Path | None,
    typer.Option(help="Write the node to a .csv, .json, .parquet or .png and leave."),
]
WithRunouts = Annotated[
    bool,
    typer.Option("--runouts", help='Print what each card brings; --line "x b94 c * x" says where.'),
]
WithMade = Annotated[bool, typer.Option("--made", help="Print hands by what they have.")]
WithDraws = Annotated[bool, typer.Option("--draws", help="Print hands by what they draw to.")]
NoInteractive = Annotated[
    bool, typer.Option("--no-interactive", help="Print the node, do not explore.")
]


def explore(
    file: File,
    line: StartLine = "",
    view: Annotated[str, typer.Option(help="strategy, ev or equity.")] = "strategy",
    export: Export = None,
    spot: SpotFile = None,
    runouts: WithRunouts = False,
    made: WithMade = False,
    draws: WithDraws = False,
    no_interactive: NoInteractive = False,
    as_json: AsJson = False,
) -> None:
    """Walk a solved spot, preflop, or a full game: actions, cards, strategies, EVs, equities."""
    if view not in LOOKS:
        raise InputError(f"view is {view!r}, must be one of {', '.join(LOOKS)}")
    from poker_solver.fullgame.shipped import solution_path

    path = check_solution(solution_path(file))
    check_apart(path, export=export, spot=spot)
    if export is not None:
        known = PREFLOP if is_preflop(path, line) else POSTFLOP
        check_writable(export, *(RUNOUTS if runouts else known))
    check_writable(spot)
    waiting = Console(stderr=True, quiet="|" in line)  # solving a flop has a line of its own
    with waiting.status("Reading; the first time compiles the kernels, some 10 s"):
        from poker_solver.cli import prompt

        session = open_session(path, line.partition("*")[0] if runouts else line)
        session.look = view
        shown = tables(session, line, runouts=runouts, made=made, draws=draws)
    tell_checkpoint(path, session.game.solution)
    write_files(session, shown, line, export=export, spot=spot)
    if as_json:
        typer.echo(json.dumps(report(session, shown)))
    elif export is None and spot is None:
        if shown:
            prompt.show_all(session, shown)
        else:
            prompt.show_or_run(session, interactive=not no_interactive)


def palette(
    name: Annotated[
        str | None, typer.Argument(help="standard, classic or colour-blind; kept for later runs.")
    ] = None,
) -> None:
    """Choose the colours of terminal and pictures, or say which are in use."""
    from poker_solver.query.palette import choose_palette, chosen_palette

    found = chosen_palette() if name is None else choose_palette(name)
    typer.echo(palettes_text(found))


def open_session(path: Path, line: str) -> "InteractiveSession":
    """A walk through what is in a file, from the node of a line."""
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.explore.opening import explored, read_solution, tokens_at

    solution = read_solution(path)
    game = explored(solution, SolveOptions(progress=True))
    return InteractiveSession(game, tokens_at(solution, line))


def tell_checkpoint(path: Path, solution: "AnySolution") -> None:
    """Say on standard error of a solve that is not at its end how far it has come."""
    from poker_solver.explore.opening import SAVES
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.store.files import file_kind
    from poker_solver.terminal import figures

    if isinstance(solution, UnifiedSolution) or file_kind(path) in SAVES:
        return
    typer.echo(
        f"{path} is a checkpoint: {solution.iterations:,} iterations, "
        f"{figures(solution.exploitability_pct)} % of pot",
        err=True,
    )


def write_files(
    session: "InteractiveSession",
    shown: "list[Shown]",
    line: str,
    *,
    export: Path | None,
    spot: Path | None,
) -> None:
    """Files that were asked for; says so on standard error."""
    from poker_solver.explore.shown import ShowRunouts
    from poker_solver.explore.spots import write_spot

    if export is not None:
        session.write(export, next((one for one in shown if isinstance(one, ShowRunouts)), None))
        typer.echo(f"wrote {export}", err=True)
    if spot is not None:
        of = write_spot(session.game.solution, line, spot)
        typer.echo(f"wrote {spot}: {of}", err=True)


def tables(
    session: "InteractiveSession", line: str, *, runouts: bool, made: bool, draws: bool
) -> "list[Shown]":
    """What was asked for of a node, in this order."""
    from poker_solver.explore.answers import groups_of, runouts_of

    found: list[Shown] = []
    if runouts:
        found.append(runouts_of(session.game, session.view, line))
    for name, is_wanted in (("made", made), ("draws", draws)):
        if is_wanted and session.view.actor is None:
            raise InputError(f"nobody acts after {session.view.line!r}; --{name} wants a decision")
        if is_wanted:
            found.append(groups_of(session.view, session.view.acting_seat, name))
    return found


def report(session: "InteractiveSession", shown: "list[Shown]") -> dict[str, Any]:
    """What --json prints: the node, and the tables that were asked for."""
    from poker_solver.explore.shown import ShowGroups, ShowRunouts
    from poker_solver.query.export import group_values, json_object
    from poker_solver.query.runouts import runouts_report

    found: dict[str, Any] = {}
    for one in shown:
        if isinstance(one, ShowRunouts):
            found["runouts"] = runouts_report(one.found)
        elif isinstance(one, ShowGroups):
            name = "made" if one.title == "made hand" else "draws"
            found[name] = group_values(one.groups)
    if shown:
        return found
    if session.view.actor is None:
        raise InputError(f"nobody acts after {session.view.line!r}; --json wants a decision")
    return json_object(session.game.solution, session.view)


def is_preflop(file: Path, line: str) -> bool:
    """Whether a line of what is in a file ends before the flop."""
    from poker_solver.store.files import file_kind

    kind = file_kind(file)
    return kind.startswith("preflop") or (
        kind.startswith("unified") and not line.partition("|")[2].strip()
    )
