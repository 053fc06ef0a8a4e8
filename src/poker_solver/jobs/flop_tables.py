"""The tables of a batch of flops: a row per flop, and a row per flop and line, in its folder.

Both are Parquet, written anew after every flop; when a run ends there is a copy of each as CSV.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

from poker_solver.errors import FormatError
from poker_solver.query.flops.lines import ByFlop, LineTotals
from poker_solver.query.runouts import ANY_CARD
from poker_solver.store.files import write_bytes
from poker_solver.store.tables import read_table, table_bytes
from poker_solver.trees.betting import BettingTree


class TableKind(NamedTuple):
    """One of the tables."""

    kind: str
    file: str


FLOPS = TableKind("batch of flops", "flops.parquet")
LINES = TableKind("lines of a batch of flops", "lines.parquet")

TYPES = {
    "flop": "string",
    "weight": "double",
    "pairs": "double",
    "oop_ev": "double",
    "ip_ev": "double",
    "oop_equity": "double",
    "ip_equity": "double",
    "exploitability_pct": "double",
    "iterations": "int64",
    "seconds": "double",
    "device": "string",
    "stopped": "string",
    "problem": "string",
}
"""The columns; after the equities come the frequencies, `freq_x` and so on."""

Row = dict[str, Any]
Lines = dict[str, dict[str, LineTotals]]  # by line, then by flop
Columns = Mapping[str, list[Any]]
WriteTable = Callable[[Path, TableKind, Mapping[str, Any], Columns], None]


def flop_columns(rows: Iterable[Row], actions: Iterable[str]) -> Columns:
    """The table of flops; `actions` are those of its frequencies."""
    done, names = list(rows), list(TYPES)
    middle = names.index("exploitability_pct")
    names[middle:middle] = (f"freq_{action}" for action in actions)
    return {name: [row.get(name) for row in done] for name in names}


def write_parquet(
    folder: Path, table: TableKind, about: Mapping[str, Any], columns: Columns
) -> None:
    """A table, and what it is about."""
    types = {name: TYPES.get(name, "double") for name in columns} if table is FLOPS else None
    write_bytes(folder / table.file, table_bytes(table.kind, about, columns, types))


def write_csv(folder: Path, table: TableKind, about: Mapping[str, Any], columns: Columns) -> None:
    """The same with a copy as text, empty where there is nothing."""
    write_parquet(folder, table, about, columns)
    write_bytes((folder / table.file).with_suffix(".csv"), columns_csv(columns).encode())


def columns_csv(columns: Columns) -> str:
    """A table as text."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(columns)
    cells = zip(*columns.values(), strict=True)
    rows.writerows(["" if cell != cell else cell for cell in row] for row in cells)
    return out.getvalue()


def read_flops_table(folder: Path) -> tuple[dict[str, Any], list[Row]]:
    """What the table of flops is about, and its rows; nothing where there is none."""
    if not (folder / FLOPS.file).exists():
        return {}, []
    about, columns = read_table(folder / FLOPS.file, FLOPS.kind)
    return about, _rows(columns)


def read_line_table(folder: Path, about: Mapping[str, Any], tree: BettingTree) -> Lines:
    """What a table of lines of this very batch holds; a broken one is nothing."""
    try:
        found, columns = read_table(folder / LINES.file, LINES.kind)
    except FormatError:
        return {}
    if any(found.get(key) != about[key] for key in ("fingerprint", "flops_sha256")):
        return {}
    lines: Lines = {}
    for row in _rows(columns):
        actions = tree.actions(tree.walk(row["line"], every_card=ANY_CARD)[0])
        lines.setdefault(row["line"], {})[row["flop"]] = _totals(row, actions)
    return lines


def _totals(row: Row, actions: tuple[str, ...]) -> LineTotals:
    numbers = {name: nan if value is None else value for name, value in row.items()}
    return LineTotals(
        line=row["line"],
        player=row["player"],
        pot_chips=row["pot"],
        dealt=row["dealt"],
        deals=row["deals"],
        actions=actions,
        frequency=tuple(numbers[f"freq_{action}"] for action in actions),
        ev_chips=(numbers["oop_ev"], numbers["ip_ev"]),
        equity=(numbers["oop_equity"], numbers["ip_equity"]),
    )


def root_line(rows: Mapping[str, Row], pot_chips: int, actions: tuple[str, ...]) -> ByFlop:
    """The first decision on every flop, from the table of flops."""
    return {
        flop: LineTotals(
            line="",
            player="oop",
            pot_chips=pot_chips,
            dealt=row["pairs"],
            deals=row["pairs"],
            actions=actions,
            frequency=tuple(row[f"freq_{action}"] for action in actions),
            ev_chips=(row["oop_ev"], row["ip_ev"]),
            equity=(row["oop_equity"], row["ip_equity"]),
        )
        for flop, row in rows.items()
    }


def _rows(columns: Mapping[str, list[Any]]) -> list[Row]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
