"""`tree`: what can be played in a spot, how large it is, what it will take; nothing is solved."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson
from poker_solver.cli.output import number_table, spot_text

if TYPE_CHECKING:  # imported where they are used: --help needs none of it
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.plan import Slabs, TreeCounts
    from poker_solver.query.outline import OutlineRow

ROWS_SHOWN = 24


def tree(
    spot: Annotated[Path, typer.Argument(help="A spot in YAML, or the name of one: turn_example.")],
    depth: Annotated[
        int | None, typer.Option(min=0, help="Actions to follow; as many as fit on a screen.")
    ] = None,
    line: Annotated[str, typer.Option(help='Start after these actions: "x b94 c".')] = "",
    as_json: AsJson = False,
) -> None:
    """Show a spot's betting tree, its size and the memory it needs, without solving it."""
    from poker_solver.config.named_spots import find_spot
    from poker_solver.postflop.plan import PRECISIONS, plan, state_slabs
    from poker_solver.query.outline import fitting_depth, outline
    from poker_solver.runtime.memory import available_bytes

    given = find_spot(spot)
    planned = plan(given)
    betting, counts = planned.game.tree, planned.counts
    start = betting.node_at(line)
    state = {precision: state_slabs(counts, precision) for precision in PRECISIONS}
    if depth is None:
        depth = fitting_depth(betting, start, ROWS_SHOWN)
    rows = outline(betting, start, depth)
    if as_json:
        typer.echo(json.dumps(summary(given, counts, state, rows)))
    else:
        print_outline(given, counts, rows)
        print_sizes(counts)
        print_memory(state, available_bytes("cpu"))


def summary(
    spot: "Spot", counts: "TreeCounts", state: "dict[str, Slabs]", rows: "list[OutlineRow]"
) -> dict[str, Any]:
    """The object that --json prints."""
    from poker_solver.games.betting import Street
    from poker_solver.runtime.memory import plan_bytes

    streets = {}
    for street in Street:
        if counts.nodes[street]:
            streets[street.name.lower()] = {
                "boards": counts.boards[street],
                "nodes": counts.nodes[street],
                "decisions": counts.blocks[street],
                "elements": counts.elements[street],
            }
    return {
        "spot": spot.fingerprint(),
        "board": spot.board,
        "pot": spot.pot,
        "stack": spot.stack,
        "hands": {"oop": counts.hands[0], "ip": counts.hands[1]},
        "streets": streets,
        "decisions": counts.num_decisions,
        "elements": counts.num_elements,
        "memory_bytes": {name: plan_bytes(slabs) for name, slabs in state.items()},
        "outline": [
            {
                "line": row.line,
                "player": row.player,
                "pot": row.pot_chips,
                "actions": [label for label, _ in row.actions],
                "amounts": [amount for _, amount in row.actions],
            }
            for row in rows
        ],
    }


def print_outline(spot: "Spot", counts: "TreeCounts", rows: "list[OutlineRow]") -> None:
    """What can be played; where the outline ends, the actions that follow."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    oop, ip = counts.hands
    console.print(f"{spot_text(spot)}; OOP holds {oop:,} hands, IP {ip:,}")
    console.print()
    deepest = max(row.depth for row in rows)
    names = ["  " * row.depth + _shown(row.line.split(" ")[-1], row.amount_chips) for row in rows]
    names[0] = rows[0].line or "root"
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        console.print(f"{name:<{width}}  {row.what}{_choices(row) if row.depth == deepest else ''}")
    console.print()


def _choices(row: "OutlineRow") -> str:
    names = [_shown(label, amount) for label, amount in row.actions]
    return f": {', '.join(names)}" if names else ""


def _shown(label: str, amount: int) -> str:
    return f"a ({amount:,})" if label == "a" else label


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


def print_memory(state: "dict[str, Slabs]", free: int | None) -> None:
    """What each precision keeps in memory, and whether it fits here."""
    from poker_solver.runtime.memory import gib, parts_text, plan_bytes

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print()
    for name, slabs in state.items():
        total = plan_bytes(slabs)
        fits = "" if free is None or total <= free else "; does not fit here"
        console.print(f"memory, {name:<8} {gib(total):>9}  ({parts_text(slabs)}){fits}")
    if free is not None:
        console.print(f"free now         {gib(free):>9}")
