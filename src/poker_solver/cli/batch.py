"""`batch`: one spot on many flops, into a folder; what is done is kept."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, Device, MaxIterations, Precision, Quiet, Threads
from poker_solver.cli.output import mix_text, number_table
from poker_solver.errors import ConfigError, PokerSolverError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.jobs.flop_batch import BatchResult

SpotPath = Annotated[
    Path, typer.Argument(help="A spot in YAML, as docs/spots.md describes it; its board is unused.")
]
Flops = Annotated[
    str, typer.Option(help="all (1,755), 184, 95, 47, 25, 12, 5, or a file of flops.")
]
Out = Annotated[Path, typer.Option(help="The folder for the table and the saves.")]
Target = Annotated[
    float | None,
    typer.Option(help="Exploitability of each flop, % of the pot; 0.3 if no other rule is given."),
]
NoSaves = Annotated[bool, typer.Option("--no-saves", help="Keep the table only.")]


def batch(
    spot: SpotPath,
    flops: Flops,
    out: Out,
    target: Target = None,
    max_iterations: MaxIterations = None,
    device: Device = "auto",
    threads: Threads = None,
    precision: Precision = "float32",
    no_saves: NoSaves = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve a spot on many flops; run it again to go on after a stop."""
    from poker_solver.cards.flops import find_flops
    from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
    from poker_solver.jobs.flop_batch import FlopBatch
    from poker_solver.terminal import reporting_many

    options = SolveOptions(
        target=target,
        max_iterations=max_iterations,
        device=device,
        threads=threads,
        precision=precision,
    ).stopping(POSTFLOP_TARGET_PCT)
    chosen = find_flops(flops)
    try:
        work = FlopBatch.of(read_fields(spot), chosen, out, options, saves=not no_saves)
    except ConfigError as error:
        raise ConfigError(f"{spot}: {error}") from None
    if work.tells_suits_apart:
        note = "the ranges tell suits apart, so a flop does not stand for all flops like it"
        typer.echo(f"note: {note}; averages are rough", err=True)
    before = len(work.problems) + len(work.rows_done())
    with reporting_many(not quiet, "flops", len(work.flops), before) as report:
        result = work.run(report)
    if as_json:
        typer.echo(json.dumps(result.summary()))
    else:
        print_summary(result)
    if problem := what_is_missing(result):
        raise PokerSolverError(problem)


def read_fields(path: Path) -> dict[str, object]:
    """The keys and values of a spot's file, not checked yet."""
    from poker_solver.config.spot import Spot
    from poker_solver.config.yaml_text import parse_mapping, read_text

    fields, twice = parse_mapping(read_text(path), Spot.model_fields)
    if twice:
        raise ConfigError("; ".join(twice))
    return fields


def what_is_missing(result: "BatchResult") -> str:
    """Why the batch is not whole, in one line; empty if it is."""
    total = len(result.batch.flops)
    if result.interrupted:
        done = len(result.solved) + len(result.batch.problems)
        return f"stopped by Ctrl-C after {done:,} of {total:,} flops; the same command goes on"
    if result.failed:
        flop, why = next(iter(result.failed.items()))
        return f"{len(result.failed):,} of {total:,} flops could not be solved; {flop}: {why}"
    return ""


def print_summary(result: "BatchResult") -> None:
    """Means over all deals, how it begins, and what it took."""
    from poker_solver.terminal import duration

    console = Console(highlight=False, markup=False, soft_wrap=True)
    work, found, spot = result.batch, result.summary(), result.batch.example
    console.print(f"{len(work.flops):,} flops: pot {spot.pot:,}, {spot.stack:,} behind")
    console.print()
    if found["solved"]:
        table = number_table("", "equity", "EV")
        for name, player in found["players"].items():
            equity, ev = player["equity"], player["ev_chips"]
            table.add_row(name.upper(), f"{100 * equity:.2f} %", f"{ev:.2f}")
        console.print(table)
        console.print()
        mix = mix_text(work.actions, found["root"]["frequency"])
        console.print(f"OOP begins      {mix}")
        mean, most = found["exploitability"].values()
        console.print(f"exploitability  {mean:.3g} % of pot on average, {most:.3g} % at most")
    counts = [f"{found['solved']:,} solved"]
    if work.problems:
        counts.append(f"{len(work.problems):,} that leave a range no hand")
    if result.failed:
        counts.append(f"{len(result.failed):,} failed")
    console.print(f"flops           {', '.join(counts)}")
    speed = f", {found['flops_per_minute']:.3g} per minute" if result.num_done_now else ""
    console.print(
        f"time            {result.num_done_now:,} in {duration(result.seconds)} this time{speed}"
    )
    console.print(f"table           {found['table']}")
