"""Equities of two ranges as tables."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from poker_solver.cli.output import number_table


def print_tables(report: Mapping[str, Any]) -> None:
    """The totals, then one table per range if it was broken down."""
    console = Console(highlight=False, markup=False)
    where = f"on {report['board']}" if report["board"] else "before the flop"
    runouts = "1 runout" if report["runouts"] == 1 else f"{report['runouts']:,} runouts"
    console.print(f"{where}: {_count(report['pairs'])} pairs of hands, {runouts} each")
    table = _table("range")
    for player in report["players"]:
        combos = f"{player['combos']:,}"
        if player["weight"] != player["combos"]:
            combos = f"{_count(player['weight'])} of {combos}"
        table.add_row(player["range"], combos, *_shares(player))
    console.print(table)
    for player in report["players"]:
        if "hands" not in player:
            continue
        console.print()
        table = _table("hand")
        for name, hand in player["hands"].items():
            table.add_row(name, _count(hand["weight"]), *_shares(hand))
        console.print(table)


def _table(first: str) -> Table:
    table = number_table(first, "combos", "equity", "win", "tie")
    table.columns[0].overflow, table.columns[0].max_width = "fold", 40
    return table


def _count(weight: float) -> str:
    """`1,624,350`, or `221.1` where hands have weights."""
    return f"{weight:,.4f}".rstrip("0").rstrip(".")


def _shares(row: Mapping[str, Any]) -> list[str]:
    shares = (row[kind] for kind in ("equity", "win", "tie"))
    return ["-" if p is None else f"{100 * p:.4f} %" for p in shares]
