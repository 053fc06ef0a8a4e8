"""`hunl`: solve a preflop game, then explore it, print it or write it down."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.games import ScheduleText
from poker_solver.cli.options import AsJson, MaxSeconds, Quiet, check_apart, check_writable
from poker_solver.cli.output import tell_interrupted, written
from poker_solver.cli.pages.export import PREFLOP, write_export
from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.preflop import Config
    from poker_solver.games.notation import ParsedSequence
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import PreflopSolver

DEFAULT_CONFIG = "standard"


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
    check_apart(save=save, export=export)
    check_writable(save)
    check_writable(export, *PREFLOP)
    solver, history = begin(config, line, load, options, exports=export is not None)
    only_opened = load is not None and not options.has_rule
    solution = solver.solution() if only_opened else tell(solver.go_on(options), options)
    with written((save, solver.save), (export, lambda path: _export(path, solution, history))):
        show(solution, history, options, as_json=as_json, interactive=not no_interactive)


def begin(
    config: str | None,
    line: "ParsedSequence",
    load: Path | None,
    options: SolveOptions,
    *,
    exports: bool,
) -> "tuple[PreflopSolver, tuple[str, ...]]":
    """The game at the stack asked for, anew or as it was saved, and the history of the line.

    Refuses a line that cannot be played, or after which nobody acts for an export.
    """
    from poker_solver.config.preflop import load_config
    from poker_solver.games.notation import at_stack_of, play_line
    from poker_solver.preflop.solver import open_solver

    game = None if config is None else load_config(config)
    solver = None if load is None else load_solver(load, game, line, options)
    if solver is not None:
        game = solver.config
    else:
        game = at_stack_of(line, game or load_config(DEFAULT_CONFIG))
    history, state = play_line(line, game.betting)
    if exports and state.is_over:
        raise InputError(f"the betting is over after {line}; --export wants a decision")
    return open_solver(game, options) if solver is None else solver, history


def load_solver(
    path: Path, config: "Config | None", line: "ParsedSequence", options: SolveOptions
) -> "PreflopSolver":
    """The solve in a file; it must be of the game, the stack and the schedule asked for, if any."""
    from poker_solver.preflop.solver import PreflopSolver
    from poker_solver.terminal import getting_ready

    with getting_ready(bool(options.progress), "some seconds"):
        solver = PreflopSolver.load(path, config=config, device=options.device)
    if line.stack not in (None, solver.config.stack_depth):
        raise InputError(
            f"{path} was solved at {solver.config.stack_depth:g} bb, the line asks for "
            f"{line.stack:g} bb; leave --load out to solve that"
        )
    held, wanted = solver.engine.schedule, options.schedule
    if wanted not in (None, held):
        raise InputError(f"{path} was solved with {held}, not {wanted}")
    return solver


def tell(solution: "PreflopSolution", options: SolveOptions) -> "PreflopSolution":
    """The same; that Ctrl-C ended it early is said."""
    if options.progress:
        tell_interrupted(solution.stopped, solution.iterations)
    return solution


def show(
    solution: "PreflopSolution",
    history: tuple[str, ...],
    options: SolveOptions,
    *,
    as_json: bool,
    interactive: bool,
) -> None:
    """Print or explore it; other stacks are solved as the first one was."""
    if as_json:
        typer.echo(json.dumps(solution.summary(history)))
        return
    from poker_solver.cli import prompt
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.explore.preflop import Solved
    from poker_solver.preflop.solver import solve_preflop

    source = Solved(solution, lambda config: tell(solve_preflop(config, options), options))
    prompt.show_or_run(InteractiveSession(source, history), interactive=interactive)


def _export(path: Path, solution: "PreflopSolution", history: tuple[str, ...]) -> None:
    """The node in a file; says so on standard error."""
    write_export(path, solution, history)
    typer.echo(f"wrote {path}", err=True)
