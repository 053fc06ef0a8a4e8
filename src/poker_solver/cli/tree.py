"""`tree`: what can be played in a spot, how large it is, what it will take; nothing is solved."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson
from poker_solver.cli.output import number_table, spot_text

if TYPE_CHECKING:  # imported where they are used: --help needs none of it
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.plan import Slabs
    from poker_solver.trees.betting import BettingTree
    from poker_solver.trees.postflop_counts import TreeCounts

ROWS_SHOWN = 24


def tree(
    spot: Annotated[Path, typer.Argument(help="A spot in YAML, as docs/spots.md describes it.")],
    depth: Annotated[
        int | None, typer.Option(min=0, help="Actions to follow; as many as fit on a screen.")
    ] = None,
    line: Annotated[str, typer.Option(help='Start after these actions: "x b94 c".')] = "",
    as_json: AsJson = False,
) -> None:
    """Show a spot's betting tree, its size and the memory it needs, without solving it."""
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.plan import plan, state_slabs
    from poker_solver.runtime.memory import available_bytes
    from poker_solver.trees.postflop_counts import PRECISIONS

    given = Spot.load(spot)
    planned = plan(given)
    betting, counts = planned.game.tree, planned.counts
    start = betting.node_at(line)
    state = {precision: state_slabs(counts, precision) for precision in PRECISIONS}
    rows = outline(betting, start, fitting_depth(betting, start) if depth is None else depth)
    if as_json:
        typer.echo(json.dumps(summary(given, counts, state, rows)))
    else:
        print_outline(given, counts, rows)
        print_sizes(counts)
        print_memory(state, available_bytes("cpu"))


@dataclass(frozen=True)
class Row:
    """One line of the outline."""

    depth: int
    line: str  # how it is reached, cards left out
    amount: int  # chips the last action bets or raises to; 0 if it does not
    player: str | None  # who acts here, cards having fallen
    pot: int  # in the middle, what is not called included
    what: str  # what happens here, in words
    actions: tuple[tuple[str, int], ...]  # what can be done here, and to how many chips


def outline(betting: "BettingTree", start: int, depth: int) -> list[Row]:
    """The nodes from a node down, parents before children, cards passed on the way."""
    rows: list[Row] = []
    waiting = [(start, 0)]
    while waiting:
        node, level = waiting.pop()
        rows.append(_row(betting, node, level))
        acting = betting.skip_deals(node)
        if level < depth:
            waiting += [(child, level + 1) for child in reversed(betting.children(acting))]
    return rows


def fitting_depth(betting: "BettingTree", start: int) -> int:
    """The deepest outline that fits on a screen, at least the next actions."""
    depth, level = 0, [start]
    num_rows = 1
    while level:
        level = [child for node in level for child in betting.children(betting.skip_deals(node))]
        num_rows += len(level)
        if not level or (num_rows > ROWS_SHOWN and depth > 0):
            break
        depth += 1
    return depth


def _row(betting: "BettingTree", node: int, level: int) -> Row:
    from poker_solver.games.betting import DECISION, FOLD, PLAYERS, Street

    acting = betting.skip_deals(node)
    kind, actor = betting.kind[acting], int(betting.actor[acting])
    before, after = int(betting.street[node]), int(betting.street[acting])
    dealt = [Street(street).name.lower() for street in range(before + 1, after + 1)]
    won = f"{betting.won_chips(acting):,}"
    if kind == FOLD:
        what = f"{PLAYERS[1 - int(betting.folder[acting])].upper()} wins {won}"
    elif kind == DECISION:
        what = PLAYERS[actor].upper()
    else:
        what = f"showdown for {won}"
    return Row(
        depth=level,
        line=betting.line_of(node),
        amount=int(betting.amount[node]),
        player=PLAYERS[actor] if kind == DECISION else None,
        pot=betting.pot_chips(node),
        what=", ".join([*dealt, what]),
        actions=tuple(
            (betting.label[child], int(betting.amount[child])) for child in betting.children(acting)
        ),
    )


def summary(
    spot: "Spot", counts: "TreeCounts", state: "dict[str, Slabs]", rows: list[Row]
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
                "pot": row.pot,
                "actions": [label for label, _ in row.actions],
                "amounts": [amount for _, amount in row.actions],
            }
            for row in rows
        ],
    }


def print_outline(spot: "Spot", counts: "TreeCounts", rows: list[Row]) -> None:
    """What can be played; where the outline ends, the actions that follow."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    oop, ip = counts.hands
    console.print(f"{spot_text(spot)}; OOP holds {oop:,} hands, IP {ip:,}")
    console.print()
    deepest = max(row.depth for row in rows)
    names = ["  " * row.depth + _shown(row.line.split(" ")[-1], row.amount) for row in rows]
    names[0] = rows[0].line or "root"
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        console.print(f"{name:<{width}}  {row.what}{_choices(row) if row.depth == deepest else ''}")
    console.print()


def _choices(row: Row) -> str:
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
