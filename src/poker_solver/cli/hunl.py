"""`hunl`: open a full game that comes solved, or solve a preflop model; explore it or print it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.games import ScheduleText
from poker_solver.cli.options import (
    AsJson,
    MaxSeconds,
    Quiet,
    SpotFile,
    check_apart,
    check_solution,
    check_writable,
    read_percent,
)
from poker_solver.cli.output import leave_if_interrupted, print_json, tell_interrupted, written
from poker_solver.cli.pages.export import POSTFLOP, PREFLOP, write_export
from poker_solver.errors import InputError, LineError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.preflop import Config
    from poker_solver.games.notation import ParsedSequence
    from poker_solver.preflop.solution import PreflopSolution
    from poker_solver.preflop.solver import PreflopSolver
    from poker_solver.query.view import AnySolution

FULL_GAME = "hu_20"
CONFIG = "standard"
"""What is opened, and what --model checkdown solves, if no config is named."""

CHECKDOWN = "checkdown"

ConfigName = Annotated[
    str | None,
    typer.Option(
        "--config",
        "-c",
        help="A full game that comes solved: hu_10, hu_20 (if not given), hu_50, hu_100; or a "
        "preflop preset or YAML file, to solve with flops checked down.",
    ),
]
Action = Annotated[
    str,
    typer.Option(
        "--action",
        "-a",
        help='Jump to a line: "SBr2.5 BBr8"; "50bb SBr2.5" at that stack; of a full game also '
        '"SBr2.5 BBc | QsJh2h x".',
    ),
]
Target = Annotated[
    float | None,
    typer.Option(
        parser=read_percent,
        metavar="PCT",
        help="Stop at this exploitability, % of the pot; 0.1 if no other rule.",
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option("--iterations", "--max-iterations", "-i", help="Stop after so many."),
]
Model = Annotated[
    str | None,
    typer.Option(help="checkdown: solve preflop, standard if not given, flops checked down."),
]
Save = Annotated[Path | None, typer.Option(help="Write the solve, to go on or look.")]
Load = Annotated[Path | None, typer.Option(help="Open a solve; a rule to stop at goes on with it.")]
Export = Annotated[
    Path | None, typer.Option("--export", "-o", help="Write the matrix: .csv, .json or .png.")
]
NoInteractive = Annotated[
    bool, typer.Option("--no-interactive", help="Print the matrix, do not explore.")
]
Device = Annotated[
    str, typer.Option("--device", "-d", help="auto, cpu or cuda; preflop, mps is the cpu.")
]


def hunl(
    config: ConfigName = None,
    action: Action = "",
    model: Model = None,
    target: Target = None,
    iterations: Iterations = None,
    max_seconds: MaxSeconds = None,
    schedule: ScheduleText = None,
    device: Device = "auto",
    save: Save = None,
    load: Load = None,
    export: Export = None,
    spot: SpotFile = None,
    no_interactive: NoInteractive = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Explore hold'em from the first decision on: a full game that comes solved, or a model."""
    options = SolveOptions(
        target=target,
        max_iterations=iterations,
        max_seconds=max_seconds,
        device=device,
        schedule=schedule,
        progress=not quiet,
    )
    check_apart(Path(config) if config else None, save=save, export=export, spot=spot)
    check_writable(save)
    check_writable(spot, ".yaml", ".yml")
    interactive = not no_interactive and export is spot is None  # a file is what was asked for
    name = full_game_name(config, model, action, is_loaded=load is not None)
    if name is not None:
        refuse_solving(name, options, save=save, load=load)
        full_game(name, action, options, export, spot, as_json=as_json, interactive=interactive)
        return
    preflop(
        config, action, load, options, (save, export, spot),
        as_json=as_json, interactive=interactive,
    )  # fmt: skip


def preflop(
    config: str | None,
    action: str,
    load: Path | None,
    options: SolveOptions,
    files: tuple[Path | None, Path | None, Path | None],
    *,
    as_json: bool,
    interactive: bool,
) -> None:
    """Solve a config, or open a solve and go on with it; write save, export and spot, show it."""
    save, export, spot = files
    check_writable(export, *PREFLOP)
    if load is not None:
        check_solution(load)
    solver, history = begin(
        config, action, load, options, exports=export is not None, follows=spot is not None
    )
    only_opened = load is not None and not options.has_rule
    solution = solver.solution() if only_opened else tell(solver.go_on(options), options)
    with written(
        (save, solver.save),
        (export, lambda path: _export(path, solution, history)),
        (spot, lambda path: _write_spot(path, solution, history)),
    ):
        explored = show(solution, history, options, as_json=as_json, interactive=interactive)
    if not (explored or only_opened):
        leave_if_interrupted(solution.stopped)


def full_game_name(
    config: str | None, model: str | None, action: str, *, is_loaded: bool
) -> str | None:
    """The full game that is asked for, at the stack of the line; None where preflop is solved."""
    from poker_solver.fullgame.shipped import shipped_at, shipped_games
    from poker_solver.games.notation import parse_action_sequence

    if model not in (None, CHECKDOWN):
        raise InputError(f"model is {model!r}, must be {CHECKDOWN}")
    if config is None and (model or is_loaded):
        return None
    name, games = FULL_GAME if config is None else config, shipped_games()
    if name not in games or Path(name).is_file():
        if name.startswith("hu_") and not Path(name).suffix and not Path(name).is_file():
            raise InputError(f"{name} does not come solved; {', '.join(games)} do")
        return None
    if model:
        raise InputError(f"{name} is a full game; --model {CHECKDOWN} wants a preflop config")
    stack = parse_action_sequence(action.partition("|")[0]).stack
    try:
        return name if stack is None else shipped_at(stack)
    except LineError as error:
        raise LineError(f"{error}; --model {CHECKDOWN} solves preflop at any stack") from None


def refuse_solving(
    name: str, options: SolveOptions, *, save: Path | None, load: Path | None
) -> None:
    """Refuse options that only a solve has."""
    given = {
        "target": options.target,
        "iterations": options.max_iterations,
        "max-seconds": options.max_seconds,
        "schedule": options.schedule,
        "save": save,
        "load": load,
    }
    wrong = [f"--{option}" for option, value in given.items() if value is not None]
    if wrong:
        raise InputError(
            f"{', '.join(wrong)} would do nothing: {name} comes solved; --model {CHECKDOWN} and "
            "preflop configs are solved"
        )


def full_game(
    name: str,
    action: str,
    options: SolveOptions,
    export: Path | None,
    spot: Path | None = None,
    *,
    as_json: bool,
    interactive: bool,
) -> None:
    """Open one, at a line of any street, and print, write or explore it."""
    from rich.console import Console

    from poker_solver.cli import prompt
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.explore.full_game import ExploredGame
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.query.export import json_object
    from poker_solver.query.view import node_view
    from poker_solver.runtime.device import POSTFLOP as POSTFLOP_SOLVERS
    from poker_solver.runtime.device import choose

    choose(options.device, 0, POSTFLOP_SOLVERS)  # what is wrong with it is said at once
    # solving a flop has a line of its own
    console = Console(stderr=True, quiet=not options.progress or "|" in action)
    with console.status("Opening; the first run compiles the kernels, some seconds"):
        solution = UnifiedSolution.load(name)
        solution.after_flop.options = options
        line = solution.locate(action)
        check_writable(export, *(POSTFLOP if line.flop else PREFLOP))
        session = InteractiveSession(ExploredGame(solution), line.tokens)
    with written(
        (export, lambda path: _export(path, solution, line.tokens)),
        (spot, lambda path: _write_spot(path, solution, line.tokens)),
    ):
        if not as_json:
            prompt.show_or_run(session, interactive=interactive)
        elif line.flop:
            print_json(json_object(solution, node_view(solution, line.tokens)))
        else:
            print_json(solution.preflop_summary(line.before))


def begin(
    config: str | None,
    action: str,
    load: Path | None,
    options: SolveOptions,
    *,
    exports: bool,
    follows: bool,
) -> "tuple[PreflopSolver, tuple[str, ...]]":
    """The game at the stack asked for, anew or as it was saved, and the history of the line.

    Refuses a line that cannot be played, after which nobody acts for an export, or after which
    somebody does where a spot is to follow.
    """
    from poker_solver.config.preflop import load_config
    from poker_solver.games.notation import at_stack_of, parse_action_sequence, play_line
    from poker_solver.preflop.solver import open_solver

    line = parse_action_sequence(action)
    game = None if config is None else load_config(config)
    solver = None if load is None else load_solver(load, game, line, options)
    game = at_stack_of(line, game or load_config(CONFIG)) if solver is None else solver.config
    history, state = play_line(line, game.betting)
    if exports and state.is_over:
        raise InputError(f"the betting is over after {line}; --export wants a decision")
    if follows and not state.is_over:
        from poker_solver.explore.spots import NO_SPOT

        raise InputError(NO_SPOT)
    return open_solver(game, options) if solver is None else solver, history


def load_solver(
    path: Path, config: "Config | None", line: "ParsedSequence", options: SolveOptions
) -> "PreflopSolver":
    """The solve in a file; it must be of the game, the stack and the schedule asked for, if any."""
    from poker_solver.preflop.solver import PreflopSolver
    from poker_solver.terminal import getting_ready

    with getting_ready(bool(options.progress)):
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
) -> bool:
    """Print or explore it, and which; other stacks are solved as the first one was."""
    if as_json:
        print_json(solution.summary(history))
        return False
    from poker_solver.cli import prompt
    from poker_solver.cli.pages.explorer import InteractiveSession
    from poker_solver.explore.preflop import Solved
    from poker_solver.preflop.solver import solve_preflop

    source = Solved(solution, lambda config: tell(solve_preflop(config, options), options))
    return prompt.show_or_run(InteractiveSession(source, history), interactive=interactive)


def _export(path: Path, solution: "AnySolution", history: tuple[str, ...]) -> None:
    """The node in a file; says so on standard error."""
    write_export(path, solution, history)
    typer.echo(f"wrote {path}", err=True)


def _write_spot(path: Path, solution: "AnySolution", history: tuple[str, ...]) -> None:
    """The spot that follows in a file; says so on standard error."""
    from poker_solver.explore.spots import write_spot

    typer.echo(f"wrote {path}: {write_spot(solution, history, path)}", err=True)
