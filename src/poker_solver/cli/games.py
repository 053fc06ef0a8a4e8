"""`kuhn`, `leduc` and `game`: solve a small game and print what came out."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from poker_solver.cfr.options import DEFAULT_ITERATIONS, SolveOptions
from poker_solver.cli.options import AsJson, check_apart, check_writable
from poker_solver.cli.output import write_all
from poker_solver.errors import FormatError, InputError
from poker_solver.games.base import Game

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cfr.generic.solver import Solver, SolveResult
    from poker_solver.trees.compiled import CompiledGame

ROWS_SHOWN = 40

Iterations = Annotated[
    int | None,
    typer.Option(
        help=f"Stop after so many, those in --load not counted; {DEFAULT_ITERATIONS:,} if no "
        "target is given."
    ),
]
Target = Annotated[float | None, typer.Option(help="Stop at this exploitability.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
ScheduleText = Annotated[
    str | None,
    typer.Option(
        "--schedule", help="cfr, cfr+, lcfr, dcfr (default), dcfr:A,B,G, pcfr+, sapcfr+ or precise."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no strategy table.")]
Save = Annotated[Path | None, typer.Option(help="Write a checkpoint at the end.")]
Load = Annotated[Path | None, typer.Option(help="Go on from a checkpoint.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the convergence curve into a .png.")]


@dataclass(frozen=True)
class Options:
    """What the three commands share."""

    iterations: int | None
    target: float | None
    device: str
    schedule: str | None
    quiet: bool
    as_json: bool
    save: Path | None
    load: Path | None
    plot: Path | None


def command(make: Callable[[], Game[Any]]) -> Callable[..., None]:
    """The command that solves a game of our own."""

    def solve(
        iterations: Iterations = None,
        target: Target = None,
        device: Device = "auto",
        schedule: ScheduleText = None,
        quiet: Quiet = False,
        as_json: AsJson = False,
        save: Save = None,
        load: Load = None,
        plot: Plot = None,
    ) -> None:
        given = (iterations, target, device, schedule, quiet, as_json, save, load, plot)
        run(make(), Options(*given))

    return solve


def game(
    name: Annotated[str, typer.Argument(help='As OpenSpiel writes it: "liars_dice(numdice=1)".')],
    iterations: Iterations = None,
    target: Target = None,
    device: Device = "auto",
    schedule: ScheduleText = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    save: Save = None,
    load: Load = None,
    plot: Plot = None,
) -> None:
    """Solve a game of OpenSpiel."""
    from poker_solver.games.openspiel import OpenSpielGame

    given = (iterations, target, device, schedule, quiet, as_json, save, load, plot)
    run(OpenSpielGame(name), Options(*given))


def run(rules: Game[Any], options: Options) -> None:
    """Check what can be checked before any work, solve, write files, print.

    Files come first, since printing may fail or be stopped; a file that cannot be written costs
    nobody the result on screen.
    """
    SolveOptions(target=options.target, max_iterations=options.iterations)
    check_apart(save=options.save, plot=options.plot)
    check_writable(options.save)
    check_writable(options.plot, ".png")
    solver = make_solver(rules, options)
    compiled = solver.compiled
    result = solver.solve(options.iterations, options.target, progress=not options.quiet)
    problems = write_files(solver, result, options)
    strategy = solver.get_strategy()
    if options.as_json:
        print_json(compiled, result, strategy)
    else:
        if not options.quiet:
            print_strategy(compiled, strategy)
        print_summary(compiled, solver, result)
    if problems:
        raise FormatError("; ".join(problems))


def write_files(solver: "Solver", result: "SolveResult", options: Options) -> list[str]:
    """The checkpoint and the picture asked for; returns what went wrong."""
    writes: list[Callable[[], None]] = []
    if (save := options.save) is not None:
        writes.append(lambda: solver.save(save))
    if (plot := options.plot) is not None:
        from poker_solver.cli.pages.plots import plot_convergence

        title = f"{solver.compiled.name}, {solver.schedule}"
        writes.append(lambda: plot_convergence(plot, result.curve, title))
    return write_all(*writes)


def make_solver(rules: Game[Any], options: Options) -> "Solver":
    """Compile the game, and start anew or from the checkpoint."""
    from poker_solver.cfr.schedules import DCFR, parse_schedule

    schedule = parse_schedule(options.schedule) if options.schedule is not None else None
    from poker_solver.cfr.generic.solver import KIND, Solver
    from poker_solver.store.files import check_file
    from poker_solver.trees.compile import compile_game

    if options.load is not None:
        check_file(options.load, KIND)
    console = Console(stderr=True, quiet=options.quiet)
    with console.status("Reading the game") as status:
        compiled = compile_game(
            rules, options.device, progress=lambda n: status.update(f"Reading: {n:,} nodes")
        )
        status.update("Getting the kernels ready (compiled on the first run, some seconds)")
        if options.load is None:
            return Solver(compiled, schedule=schedule or DCFR)
        solver = Solver.load(options.load, compiled)
        if schedule not in (None, solver.schedule):
            raise InputError(
                f"{options.load} was solved with {solver.schedule}; it cannot go on with {schedule}"
            )
        return solver


def print_json(
    compiled: "CompiledGame", result: "SolveResult", strategy: Mapping[str, Mapping[Any, float]]
) -> None:
    """The contract's object."""
    by_name = {key: {str(a): p for a, p in row.items()} for key, row in strategy.items()}
    summary = {
        "game": compiled.name,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "value": result.value,
        "exploitability": result.exploitability,
        "strategy": by_name,
    }
    typer.echo(json.dumps(summary))


def print_strategy(compiled: "CompiledGame", strategy: Mapping[str, Mapping[Any, float]]) -> None:
    """A row per information set, first decisions first."""
    table = Table("information set", "strategy", box=None, header_style="bold", pad_edge=False)
    shown = list(zip(compiled.keys, compiled.action_names, strict=True))[:ROWS_SHOWN]
    for key, names in shown:
        mix = zip(names, strategy[key].values(), strict=True)
        table.add_row(" ".join(key.split()), "  ".join(f"{name} {p:.4f}" for name, p in mix))
    console = _output()
    console.print(table)
    if len(compiled.keys) > ROWS_SHOWN:
        more = len(compiled.keys) - ROWS_SHOWN
        console.print(f"... and {more:,} more information sets; --json prints all")
    console.print()


def print_summary(compiled: "CompiledGame", solver: "Solver", result: "SolveResult") -> None:
    """Value, exploitability, and what they cost."""
    console = _output()
    console.print(
        f"{compiled.name}: {compiled.num_nodes:,} nodes, {compiled.num_info_sets:,} information "
        f"sets, on {compiled.device}"
    )
    console.print(f"value to player 0   {result.value:+.12f}")
    console.print(f"exploitability      {result.exploitability:.3e}")
    stop = {"target": "target met", "interrupted": "stopped by Ctrl-C", "iterations": "all done"}
    console.print(
        f"iterations          {result.iterations:,} of {solver.schedule} in "
        f"{result.seconds:.2f} s ({stop[result.stopped]})"
    )


def _output() -> Console:
    """Standard output; where it is no terminal, lines are as long as they are."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 1_000_000
    return console
