"""`hunl`: solve a preflop game, then explore it, print it or write it down."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poker_solver.cli.games import ScheduleText
from poker_solver.cli.options import AsJson, MaxSeconds, Quiet, check_apart, check_writable
from poker_solver.cli.output import tell_interrupted, write_all
from poker_solver.cli.pages.export import PREFLOP, write_export
from poker_solver.errors import FormatError, InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.config.preflop import Config
    from poker_solver.games.notation import ParsedSequence
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import PreflopSolver

DEFAULT_CONFIG = "standard"


@dataclass(frozen=True)
class Asked:
    """Which game, and what becomes of the result."""

    config: str | None
    line: "ParsedSequence"
    load: Path | None
    save: Path | None
    export: Path | None
    interactive: bool
    as_json: bool


def hunl(
    config: Annotated[
        str | None, typer.Option(help="A preset's name or a YAML file; standard if not given.")
    ] = None,
    action: Annotated[
        str, typer.Option(help='Jump to a line: "SBr2.5 BBr8"; "50bb SBr2.5" at that stack.')
    ] = "",
    target: Annotated[
        float | None,
        typer.Option(help="Stop at this exploitability, % of the pot; 0.1 if no other rule."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "--max-iterations", help="Stop after so many.")
    ] = None,
    max_seconds: MaxSeconds = None,
    schedule: ScheduleText = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    save: Annotated[Path | None, typer.Option(help="Write the solve, to go on or look.")] = None,
    load: Annotated[
        Path | None, typer.Option(help="Open a solve; a rule to stop at goes on with it.")
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
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.games.notation import parse_action_sequence

    options = SolveOptions(
        target=target,
        max_iterations=iterations,
        max_seconds=max_seconds,
        device=device,
        schedule=schedule,
        progress=not quiet,
    )
    line = parse_action_sequence(action)
    run(Asked(config, line, load, save, export, not no_interactive, as_json), options)


def run(asked: Asked, options: "SolveOptions") -> None:
    """Check what can be checked before any work, solve, write files, then show.

    A file that cannot be written costs nobody the result on screen.
    """
    from poker_solver.explore.preflop import Solved

    check_apart(save=asked.save, export=asked.export)
    check_writable(asked.save)
    check_writable(asked.export, *PREFLOP)
    solver, history = begin(asked, options)
    only_opened = asked.load is not None and not options.has_rule
    solution = solver.solution() if only_opened else tell(solver.go_on(options), options)
    source = Solved(solution, lambda config: solve_at(config, options))
    problems = write_files(solver, solution, history, asked)
    if asked.as_json:
        typer.echo(json.dumps(solution.summary(history)))
    else:
        from poker_solver.cli import prompt
        from poker_solver.cli.pages.explorer import InteractiveSession

        prompt.show_or_run(InteractiveSession(source, history), interactive=asked.interactive)
    if problems:
        raise FormatError("; ".join(problems))


def solve_at(config: "Config", options: "SolveOptions") -> "PreflopSolution":
    """The game at another stack, solved as the first one was."""
    from poker_solver.preflop.solver import solve_preflop

    return tell(solve_preflop(config, options), options)


def tell(solution: "PreflopSolution", options: "SolveOptions") -> "PreflopSolution":
    """The same; that Ctrl-C ended it early is said."""
    if options.progress:
        tell_interrupted(solution.stopped, solution.iterations)
    return solution


def begin(asked: Asked, options: "SolveOptions") -> "tuple[PreflopSolver, tuple[str, ...]]":
    """The game at the stack asked for, anew or as it was saved, and the history of the line."""
    from poker_solver.config.preflop import load_config
    from poker_solver.games.notation import at_stack_of
    from poker_solver.preflop.solver import open_solver

    if asked.load is not None:
        solver = load_solver(asked.load, asked, options)
        return solver, play(solver.config, asked)
    config = load_config(DEFAULT_CONFIG if asked.config is None else asked.config)
    config = at_stack_of(asked.line, config)
    history = play(config, asked)
    return open_solver(config, options), history


def load_solver(path: Path, asked: Asked, options: "SolveOptions") -> "PreflopSolver":
    """The solve in a file; it must be of the game, the stack and the schedule asked for, if any."""
    from poker_solver.config.preflop import load_config
    from poker_solver.preflop.solver import PreflopSolver
    from poker_solver.terminal import getting_ready

    config = load_config(asked.config) if asked.config is not None else None
    with getting_ready(bool(options.progress), "some seconds"):
        solver = PreflopSolver.load(path, config=config, device=options.device)
    if asked.line.stack not in (None, solver.config.stack_depth):
        raise InputError(
            f"{path} was solved at {solver.config.stack_depth:g} bb, the line asks for "
            f"{asked.line.stack:g} bb; leave --load out to solve that"
        )
    if options.schedule not in (None, solver.schedule):
        raise InputError(f"{path} was solved with {solver.schedule}, not {options.schedule}")
    return solver


def play(config: "Config", asked: Asked) -> tuple[str, ...]:
    """The history of the line; refused if it cannot be played, or nobody acts for an export."""
    from poker_solver.games.notation import play_line

    history, state = play_line(asked.line, config)
    if asked.export is not None and state.is_over:
        raise InputError(f"the betting is over after {asked.line}; --export wants a decision")
    return history


def write_files(
    solver: "PreflopSolver", solution: "PreflopSolution", history: tuple[str, ...], asked: Asked
) -> list[str]:
    """The solve and the matrix asked for; returns what went wrong."""
    writes: list[Callable[[], None]] = []
    if (save := asked.save) is not None:
        writes.append(lambda: solver.save(save))
    if (path := asked.export) is not None:
        writes.append(lambda: _export(path, solution, history))
    return write_all(*writes)


def _export(path: Path, solution: "PreflopSolution", history: tuple[str, ...]) -> None:
    """The node in a file; says so on standard error."""
    write_export(path, solution, history)
    typer.echo(f"wrote {path}", err=True)
