"""`tree`: what can be played in a spot, how large it is, what it will take; nothing is solved."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson
from poker_solver.cli.output import device_text, number_table, print_json, spot_text

if TYPE_CHECKING:  # imported where they are used: --help needs none of it
    from poker_solver.config.spot import Spot
    from poker_solver.jobs.sizing import Sizing
    from poker_solver.postflop.plan import TreeCounts
    from poker_solver.query.outline import OutlineRow

ROWS_SHOWN = 24

KINDS_OF_FLOPS = {"rainbow": "Ks8h3d", "two-tone": "Ks8s3d", "monotone": "Ks8s3s"}
"""What a spot of a batch, which has no board, is sized on, the largest first."""


def tree(
    spot: Annotated[
        Path,
        typer.Argument(
            help="A spot in YAML, with or without a board, or the name of one: turn_example."
        ),
    ],
    depth: Annotated[
        int | None, typer.Option(min=0, help="Actions to follow; as many as fit on a screen.")
    ] = None,
    line: Annotated[str, typer.Option(help='Start after these actions: "x b94 c".')] = "",
    as_json: AsJson = False,
) -> None:
    """Show a spot's betting tree, its size and the memory it needs, without solving it."""
    from poker_solver.jobs.sizing import size_up, sizing_report
    from poker_solver.postflop.plan import plan

    spots = spots_to_size(spot)
    found = size_up(next(iter(spots.values())), line, depth=depth, most_rows=ROWS_SHOWN)
    if as_json:
        report = sizing_report(found)
        print_json(report if len(spots) == 1 else {**report, "board": ""})
        return
    print_outline(found.spot, found.counts, found.rows, len(spots) > 1)
    print_sizes(found.counts)
    print_memory(found)
    print_seconds(found)
    for kind, like in list(spots.items())[1:]:
        size = plan(like).counts.num_elements
        typer.echo(f"{kind + ' flops':<16} {size:>13,} elements ({like.board})")


def spots_to_size(path: Path) -> "dict[str, Spot]":
    """The spot; where it has no board, as for `batch`, one for each kind of flop."""
    from poker_solver.config.named_spots import find_spot, spot_fields
    from poker_solver.config.spot import Spot
    from poker_solver.errors import ConfigError

    fields = spot_fields(path) if path.is_file() else {"board": ""}
    if not fields or "board" in fields:
        return {"": find_spot(path)}
    try:
        return {
            kind: Spot.from_mapping({**fields, "board": flop})
            for kind, flop in KINDS_OF_FLOPS.items()
        }
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def print_outline(
    spot: "Spot", counts: "TreeCounts", rows: "list[OutlineRow]", no_board: bool
) -> None:
    """What can be played; where the outline ends, the actions that follow."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    oop, ip = counts.hands
    console.print(f"{spot_text(spot)}; OOP holds {oop:,} hands, IP {ip:,}")
    if no_board:
        console.print("The spot has no board: this is a rainbow flop, the largest kind.")
    console.print()
    deepest = max(row.depth for row in rows)
    names = ["  " * row.depth + row.label for row in rows]
    names[0] = rows[0].line or "root"
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        console.print(f"{name:<{width}}  {row.what}{_choices(row) if row.depth == deepest else ''}")
    console.print()


def _choices(row: "OutlineRow") -> str:
    return f": {', '.join(row.labels)}" if row.labels else ""


def print_sizes(counts: "TreeCounts") -> None:
    """Nodes, boards, decisions and elements per street."""
    from poker_solver.games.betting import Street

    played = [street for street in Street if counts.nodes[street]]
    table = number_table("", *(street.name.lower() for street in played), "all")
    lines = {
        "nodes without cards": counts.nodes,
        "boards up to suits": counts.boards,
        "decisions": counts.blocks,
        "elements": counts.elements,
    }
    for name, sizes in lines.items():
        total = "" if name.startswith("boards") else f"{sum(sizes):,}"
        table.add_row(name, *(f"{sizes[street]:,}" for street in played), total)
    Console(highlight=False, markup=False).print(table)


def print_seconds(sizing: "Sizing") -> None:
    """How long a solve to the usual target will take here."""
    from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
    from poker_solver.runtime.device import num_threads
    from poker_solver.terminal import duration

    target = f"to {POSTFLOP_TARGET_PCT:g} % of the pot on {device_text('cpu', num_threads(None))}"
    typer.echo(f"time here        {duration(sizing.seconds()):>9}  ({target}, about)")


def print_memory(sizing: "Sizing") -> None:
    """What each precision keeps in memory, and whether it fits here."""
    from poker_solver.runtime.memory import gib, parts_text

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print()
    for name, slabs in sizing.state.items():
        fits = "" if sizing.fits(name) else "; does not fit here"
        total = gib(sizing.needed_bytes(name))
        console.print(f"memory, {name:<8} {total:>9}  ({parts_text(slabs)}){fits}")
    if sizing.free_bytes is not None:
        console.print(f"free now         {gib(sizing.free_bytes):>9}")
