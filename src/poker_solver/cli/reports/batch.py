"""`batch`: one spot on many flops, into a folder; what is done is kept."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import (
    AsJson,
    Cluster,
    Device,
    MaxIterations,
    Precision,
    Quiet,
    Threads,
    read_percent,
)
from poker_solver.cli.output import mix_text, number_table, print_json, spot_text
from poker_solver.errors import ConfigError, InputError, PokerSolverError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.jobs.flop_batch import BatchResult, FlopBatch
    from poker_solver.query.flops.lines import Choice

SpotPath = Annotated[
    Path,
    typer.Argument(
        help="A spot in YAML, as docs/spots.md describes it, its board unused; or the folder of an "
        "earlier batch."
    ),
]
Flops = Annotated[
    str,
    typer.Option(help="all (1,755), 184, 95, 47, 25, 12, 5, As7d2c,KsQs5h, or a file of flops."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="The folder for the table and the saves.")
]
Target = Annotated[
    float | None,
    typer.Option(
        parser=read_percent,
        metavar="PCT",
        help="Exploitability of each flop, % of the pot; 0.3 if no other rule is given.",
    ),
]
Lines = Annotated[
    list[str] | None,
    typer.Option("--line", help='What follows these actions on every flop: "x b33%"; repeatable.'),
]
Where = Annotated[
    list[str] | None,
    typer.Option(help='Flops to show: paired, "not monotone", "b33%>60%", "ip_eqr<1"; repeatable.'),
]
Sort = Annotated[
    str, typer.Option(help='Order of the flops: b33%, ev, ip_eqr; "ev up" has the smallest first.')
]
Rows = Annotated[int, typer.Option(min=0, help="Flops to print of each line.")]
NoSaves = Annotated[bool, typer.Option("--no-saves", help="Keep the table only.")]
SUITS_APART = (
    "note: the ranges tell suits apart, so a flop does not stand for all flops like it; averages "
    "are rough"
)


def batch(
    spot: SpotPath,
    flops: Flops = "",
    out: Out = None,
    line: Lines = None,
    where: Where = None,
    sort: Sort = "",
    rows: Rows = 20,
    target: Target = None,
    max_iterations: MaxIterations = None,
    device: Device = "auto",
    threads: Threads = None,
    precision: Precision = "float32",
    no_saves: NoSaves = False,
    cluster: Cluster = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve a spot on many flops; run it again to go on after a stop."""
    from poker_solver.cfr.options import SolveOptions
    from poker_solver.pool import open_pool
    from poker_solver.query.flops.lines import Choice
    from poker_solver.terminal import reporting_many

    options = SolveOptions(
        target=target,
        max_iterations=max_iterations,
        device=device,
        threads=threads,
        precision=precision,
    )
    work = open_batch(spot, flops, out, options, saves=not no_saves, lines=line or ())
    choice = Choice(tuple(where or ()), sort)
    choice.flops(work.reports({}, {}))  # what is wrong with it is told before anything is solved
    if work.tells_suits_apart:
        typer.echo(SUITS_APART, err=True)
    with (
        nullcontext() if cluster is None else open_pool(cluster) as pool,
        reporting_many(not quiet, "flops", len(work.flops), work.num_done()) as report,
    ):
        result = work.run(report, pool=pool)
    if as_json:
        print_json(result.summary(choice if line or where or sort else None))
    else:
        print_lines(result, choice, rows)
        print_summary(result)
    if problem := what_is_missing(result):
        raise PokerSolverError(problem)


def open_batch(
    spot: Path,
    flops: str,
    out: Path | None,
    options: "SolveOptions",
    *,
    saves: bool,
    lines: Sequence[str],
) -> "FlopBatch":
    """The batch of a spot, or the one that a folder holds, which says how it was made."""
    from poker_solver.cards.flops import find_flops
    from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
    from poker_solver.config.named_spots import spot_fields
    from poker_solver.jobs.flop_batch import FlopBatch
    from poker_solver.jobs.flop_tables import read_flops_table

    if spot.is_dir():
        about, _ = read_flops_table(spot)
        if not about:
            raise InputError(f"{spot} is a folder without a batch; give a spot")
        fields, flops, out = about["spot"], flops or about["flops"], out or spot
        saves = saves and any(spot.glob("*.pks"))
        if not options.has_rule:
            held = {"target": about["target_pct"], "max_iterations": about["max_iterations"]}
            options = replace(options, **held)
    else:
        fields = spot_fields(spot)
    if not flops or out is None:
        missing = "--flops" if not flops else "--out"
        raise InputError(f"{missing} is missing; only a folder of an earlier batch goes without")
    chosen, rules = find_flops(flops), options.stopping(POSTFLOP_TARGET_PCT)
    try:
        return FlopBatch.of(fields, chosen, out, rules, saves=saves, lines=lines)
    except ConfigError as error:
        raise ConfigError(f"{spot}: {error}") from None


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


def print_lines(result: "BatchResult", choice: "Choice", most: int) -> None:
    """Each line that was asked for, on the flops that were chosen."""
    from poker_solver.cli.reports.flops_page import line_page

    reports = result.reports
    flops = choice.flops(reports)
    for report in reports:
        typer.echo("\n".join([*line_page(report, flops, result.batch.weights, most), ""]))


def print_summary(result: "BatchResult") -> None:
    """Means over all deals, how it begins, and what it took."""
    from poker_solver.terminal import duration, figures

    console = Console(highlight=False, markup=False, soft_wrap=True)
    work, found, spot = result.batch, result.summary(), result.batch.example
    console.print(f"{len(work.flops):,} flops: {spot_text(spot).partition(': ')[2]}")
    console.print()
    if found["solved"]:
        big = spot.betting.big_blind
        table = number_table("", "equity", "EV, bb" if big else "EV")
        for name, player in found["players"].items():
            equity, ev = player["equity"], player["ev_chips"]
            table.add_row(
                name.upper(), f"{100 * equity:.2f} %", f"{ev / (big or 1):.{3 if big else 2}f}"
            )
        console.print(table)
        console.print()
        mix = mix_text(work.actions, found["root"]["frequency"])
        console.print(f"OOP acts first  {mix}")
        mean, most = found["exploitability"].values()
        gap = f"{figures(mean)} % of pot on average, {figures(most)} % at most"
        console.print(f"exploitability  {gap}")
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
    console.print(f"tables          {found['table']}, and as .csv")
