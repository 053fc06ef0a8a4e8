"""`hunl`: solve a preflop game, then explore it, print it or write it down."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.status import Status

from poker_solver.cli.games import ScheduleText
from poker_solver.cli.options import AsJson, Quiet, check_apart, check_writable
from poker_solver.cli.output import write_all
from poker_solver.cli.pages.export import PREFLOP, write_export
from poker_solver.errors import FormatError, InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cfr.schedules import Schedule
    from poker_solver.config import Config
    from poker_solver.games.notation import ParsedSequence
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import PreflopSolver

DEFAULT_CONFIG = "standard"


@dataclass(frozen=True)
class Options:
    """What was asked for."""

    config: str | None
    action: str
    target: float | None
    iterations: int | None
    schedule: str | None
    device: str
    save: Path | None
    load: Path | None
    export: Path | None
    interactive: bool
    as_json: bool
    quiet: bool


def hunl(
    config: Annotated[
        str | None, typer.Option(help="A preset's name or a YAML file; standard if not given.")
    ] = None,
    action: Annotated[
        str, typer.Option(help='Jump to a line: "SBr2.5 BBr8"; "50bb SBr2.5" at that stack.')
    ] = "",
    target: Annotated[
        float | None, typer.Option(help="Stop at this exploitability, % of the pot; 0.1.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after so many.")] = None,
    schedule: ScheduleText = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    save: Annotated[Path | None, typer.Option(help="Write the solve, to go on or look.")] = None,
    load: Annotated[
        Path | None, typer.Option(help="Open a solve; --target or --iterations goes on with it.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(help="Write the matrix to a .csv, .json or .png.")
    ] = None,
    no_interactive: Annotated[
        bool, typer.Option("--no-interactive", help="Print the matrix, do not explore.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve hold'em before the flop and explore it."""
    given = (config, action, target, iterations, schedule, device, save, load, export)
    run(Options(*given, interactive=not no_interactive, as_json=as_json, quiet=quiet))


def run(options: Options) -> None:
    """Check what can be checked before any work, solve, write files, then show.

    A file that cannot be written costs nobody the result on screen.
    """
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.cfr.schedules import parse_schedule
    from poker_solver.games.notation import parse_action_sequence

    SolveOptions(target=options.target, max_iterations=options.iterations)
    check_apart(save=options.save, export=options.export)
    check_writable(options.save)
    check_writable(options.export, *PREFLOP)
    schedule = parse_schedule(options.schedule) if options.schedule is not None else None
    line = parse_action_sequence(options.action)
    solver = open_solver(options, line, schedule)

    def solve_again(config: "Config") -> "PreflopSolution":
        return solve_on(new_solver(config, options, schedule), options)

    from poker_solver.explore.preflop import Solved

    source = Solved(find(solver, options), solve_again)
    history = source.resolve(line)
    problems = write_files(solver, source.solution, history, options)
    if options.as_json:
        typer.echo(json.dumps(source.solution.summary(history)))
    else:
        from poker_solver.cli import prompt
        from poker_solver.cli.pages.explorer import InteractiveSession

        prompt.show_or_run(InteractiveSession(source, history), interactive=options.interactive)
    if problems:
        raise FormatError("; ".join(problems))


def open_solver(
    options: Options, line: "ParsedSequence", schedule: "Schedule | None"
) -> "PreflopSolver":
    """The game at the stack asked for, started anew or as it was saved, the line checked."""
    from poker_solver.config import load_config
    from poker_solver.games.notation import at_stack_of

    if options.load is not None:
        return load_solver(options, line, schedule)
    config = load_config(DEFAULT_CONFIG if options.config is None else options.config)
    config = at_stack_of(line, config)
    check_line(config, line, options.export)
    return new_solver(config, options, schedule)


def new_solver(config: "Config", options: Options, schedule: "Schedule | None") -> "PreflopSolver":
    """A solver that has not begun."""
    with _getting_ready(options):
        from poker_solver.cfr.schedules import DCFR
        from poker_solver.preflop.solver import PreflopSolver

        return PreflopSolver(config, schedule=schedule or DCFR, device=options.device)


def load_solver(
    options: Options, line: "ParsedSequence", schedule: "Schedule | None"
) -> "PreflopSolver":
    """The solve in a file; it must be of the game, the stack and the schedule asked for, if any."""
    from poker_solver.config import load_config

    path = options.load
    if path is None:
        raise ValueError("there is nothing to load")
    config = load_config(options.config) if options.config is not None else None
    with _getting_ready(options):
        from poker_solver.preflop.solver import PreflopSolver

        solver = PreflopSolver.load(path, config=config, device=options.device)
    if line.stack not in (None, solver.config.stack_depth):
        raise InputError(
            f"{path} was solved at {solver.config.stack_depth:g} bb, the line asks for "
            f"{line.stack:g} bb; leave --load out to solve that"
        )
    if schedule not in (None, solver.schedule):
        raise InputError(f"{path} was solved with {solver.schedule}, not {schedule}")
    check_line(solver.config, line, options.export)
    return solver


def check_line(config: "Config", line: "ParsedSequence", export: Path | None) -> None:
    """Refuse a line that cannot be played, or an export where nobody acts."""
    from poker_solver.games.betting import replay
    from poker_solver.games.notation import resolve_line

    history = resolve_line(line, config)
    if export is not None and replay(config, history).is_over:
        raise InputError(f"the betting is over after {line}; --export wants a decision")


def find(solver: "PreflopSolver", options: Options) -> "PreflopSolution":
    """Go on to what was asked for; a file that was only opened stays as it is."""
    goes_on = options.target is not None or options.iterations is not None
    if options.load is not None and not goes_on:
        return solver.solution()
    return solve_on(solver, options)


def solve_on(solver: "PreflopSolver", options: Options) -> "PreflopSolution":
    """Iterate to the target; Ctrl-C ends it early, and that is said."""
    solution = solver.solve(
        options.target, max_iterations=options.iterations, progress=not options.quiet
    )
    if solution.stopped == "interrupted" and not options.quiet:
        typer.echo(f"stopped by Ctrl-C after {solution.iterations:,} iterations", err=True)
    return solution


def _getting_ready(options: Options) -> Status:
    console = Console(stderr=True, quiet=options.quiet)
    return console.status("Getting the kernels ready (compiled on the first run, some seconds)")


def write_files(
    solver: "PreflopSolver", solution: "PreflopSolution", history: tuple[str, ...], options: Options
) -> list[str]:
    """The solve and the matrix asked for; returns what went wrong."""
    writes: list[Callable[[], None]] = []
    if (save := options.save) is not None:
        writes.append(lambda: solver.save(save))
    if (path := options.export) is not None:
        writes.append(lambda: _export(path, solution, history))
    return write_all(*writes)


def _export(path: Path, solution: "PreflopSolution", history: tuple[str, ...]) -> None:
    """The node in a file; says so on standard error."""
    write_export(path, solution, history)
    typer.echo(f"wrote {path}", err=True)
