"""`kuhn`, `leduc` and `game`: solve a small game and print what came out."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from poker_solver.cfr.options import DEFAULT_ITERATIONS, SolveOptions
from poker_solver.cli.options import AsJson, MaxSeconds, Quiet, check_apart, check_writable
from poker_solver.cli.output import STOPS, leave_if_interrupted, print_json, written
from poker_solver.errors import InputError
from poker_solver.games.base import Game

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cfr.generic.solver import Solver, SolveResult

ROWS_SHOWN = 40

Iterations = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        "--max-iterations",
        "-i",
        help=f"Stop after so many, those in --load not counted; {DEFAULT_ITERATIONS:,} if no "
        "other rule is given.",
    ),
]
Target = Annotated[float | None, typer.Option(help="Stop at this exploitability.")]
Device = Annotated[str, typer.Option("--device", "-d", help="auto, cpu, cuda or mps.")]
BatchSize = Annotated[
    int | None,
    typer.Option(
        "--batch-size", "-b", help="Deals per pass on a GPU, all if not given: fewer, less memory."
    ),
]
ScheduleText = Annotated[
    str | None,
    typer.Option(
        "--schedule", help="cfr, cfr+, lcfr, dcfr (default), dcfr:A,B,G, pcfr+, sapcfr+ or precise."
    ),
]
Save = Annotated[Path | None, typer.Option(help="Write a checkpoint at the end.")]
Load = Annotated[Path | None, typer.Option(help="Go on from a checkpoint.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the convergence curve into a .png.")]


def command(make: Callable[..., Game[Any]]) -> Callable[..., None]:
    """The command that solves a game of our own."""

    def solve(
        iterations: Iterations = None,
        target: Target = None,
        max_seconds: MaxSeconds = None,
        device: Device = "auto",
        schedule: ScheduleText = None,
        batch_size: BatchSize = None,
        quiet: Quiet = False,
        as_json: AsJson = False,
        save: Save = None,
        load: Load = None,
        plot: Plot = None,
    ) -> None:
        options = SolveOptions(
            target=target,
            max_iterations=iterations,
            max_seconds=max_seconds,
            device=device,
            schedule=schedule,
            progress=not quiet,
        )
        rules = make()
        check_apart(save=save, plot=plot)
        check_writable(save)
        check_writable(plot, ".png")
        solver = make_solver(rules, options, load, batch_size)
        result = solver.go_on(options)
        with written((save, solver.save), (plot, lambda path: draw(path, solver, result))):
            if as_json:
                print_result_json(result)
            else:
                print_strategy(result, rules)
                print_summary(solver, result)
        leave_if_interrupted(result.stopped)

    return solve


def game(
    name: Annotated[str, typer.Argument(help='As OpenSpiel writes it: "liars_dice(numdice=1)".')],
    iterations: Iterations = None,
    target: Target = None,
    max_seconds: MaxSeconds = None,
    device: Device = "auto",
    schedule: ScheduleText = None,
    batch_size: BatchSize = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    save: Save = None,
    load: Load = None,
    plot: Plot = None,
) -> None:
    """Solve a game of OpenSpiel."""
    from poker_solver.games.openspiel import OpenSpielGame

    solve = command(lambda: OpenSpielGame(name))
    how = (iterations, target, max_seconds, device, schedule, batch_size)
    solve(*how, quiet, as_json, save, load, plot)


def draw(path: Path, solver: "Solver", result: "SolveResult") -> None:
    """The convergence curve as a picture."""
    from poker_solver.cli.pages.charts import draw_convergence
    from poker_solver.store.files import write_bytes

    title = f"{result.game.name}, {solver.engine.schedule}"
    write_bytes(path, draw_convergence(result.curve, title))


def make_solver(
    rules: Game[Any], options: SolveOptions, load: Path | None, batch_size: int | None
) -> "Solver":
    """Compile the game, and start anew or from the checkpoint."""
    from poker_solver.cfr.generic.solver import KIND, Solver
    from poker_solver.cfr.schedules import DCFR
    from poker_solver.store.files import file_kind
    from poker_solver.trees.compile import compile_game

    if load is not None:
        file_kind(load, KIND)
    console = Console(stderr=True, quiet=not options.progress)
    with console.status("Reading the game") as status:
        compiled = compile_game(
            rules, options.device, progress=lambda n: status.update(f"Reading: {n:,} nodes")
        )
        status.update("Getting the kernels ready (compiled on the first run, some seconds)")
        if load is None:
            schedule = options.schedule or DCFR
            return Solver(compiled, schedule=schedule, batch_size=batch_size)
        if batch_size is not None:
            raise InputError(f"--batch-size is that of {load}; leave it out to go on")
        solver = Solver.load(load, compiled)
        held, wanted = solver.engine.schedule, options.schedule
        if wanted not in (None, held):
            raise InputError(f"{load} was solved with {held}; it cannot go on with {wanted}")
        return solver


def print_result_json(result: "SolveResult") -> None:
    """The contract's object."""
    rows = {key: result.strategy[key] for key in in_reading_order(result)}
    strategy = {key: {str(a): p for a, p in row.items()} for key, row in rows.items()}
    summary = {
        "game": result.game.name,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "value": result.value,
        "exploitability": result.exploitability,
        "strategy": strategy,
    }
    print_json(summary)


def in_reading_order(result: "SolveResult") -> list[str]:
    """Keys of information sets: first decisions first, then by card."""
    return sorted(result.game.keys, key=lambda key: (len(key), key))


def print_strategy(result: "SolveResult", rules: Game[Any]) -> None:
    """A row per information set."""
    table = Table("information set", "strategy", box=None, header_style="bold", pad_edge=False)
    strategy = result.strategy
    names = dict(zip(result.game.keys, result.game.action_names, strict=True))
    keys = in_reading_order(result)
    for key in keys[:ROWS_SHOWN]:
        mix = zip(names[key], strategy[key].values(), strict=True)
        shown = " ".join(rules.key_name(key).split())
        table.add_row(shown, "  ".join(f"{name} {p:.4f}" for name, p in mix))
    console = _output()
    console.print(table)
    if len(keys) > ROWS_SHOWN:
        more = len(keys) - ROWS_SHOWN
        console.print(f"... and {more:,} more information sets; --json prints all")
    console.print()


def print_summary(solver: "Solver", result: "SolveResult") -> None:
    """Value, exploitability, and what they cost."""
    console, game = _output(), result.game
    console.print(
        f"{game.name}: {game.num_nodes:,} nodes, {game.num_info_sets:,} information "
        f"sets, on {game.device}"
    )
    console.print(f"value to player 0   {result.value:+.12f}")
    console.print(f"exploitability      {result.exploitability:.3e}")
    console.print(
        f"iterations          {result.iterations:,} of {solver.engine.schedule} in "
        f"{result.seconds:.2f} s ({STOPS[result.stopped]})"
    )


def _output() -> Console:
    """Standard output; where it is no terminal, lines are as long as they are."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 1_000_000
    return console
