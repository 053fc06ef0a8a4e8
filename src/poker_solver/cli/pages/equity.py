"""Equities of two ranges as tables."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from poker_solver.cli.output import number_table

if TYPE_CHECKING:  # brings numba along
    from poker_solver.query.equity import EquityReport, EquityRow


def print_tables(report: "EquityReport") -> None:
    """The totals, then one table per range if it was broken down."""
    console = Console(highlight=False, markup=False)
    where = f"on {report.board}" if report.board else "before the flop"
    runouts = "1 runout" if report.num_runouts == 1 else f"{report.num_runouts:,} runouts"
    console.print(f"{where}: {_count(report.num_pairs)} pairs of hands, {runouts} each")
    table = _table("range")
    for player in report.players:
        total, combos = player.total, f"{player.num_combos:,}"
        if total.weight != player.num_combos:
            combos = f"{_count(total.weight)} of {combos}"
        table.add_row(total.name, combos, *_shares(total))
    console.print(table)
    for player in report.players:
        if not player.hands:
            continue
        console.print()
        table = _table("hand")
        for row in player.hands:
            table.add_row(row.name, _count(row.weight), *_shares(row))
        console.print(table)


def _table(first: str) -> Table:
    table = number_table(first, "combos", "equity", "win", "tie")
    table.columns[0].overflow, table.columns[0].max_width = "fold", 40
    return table


def _count(weight: float) -> str:
    """`1,624,350`, or `221.1` where hands have weights."""
    return f"{weight:,.4f}".rstrip("0").rstrip(".")


def _shares(row: "EquityRow") -> list[str]:
    return ["-" if p is None else f"{100 * p:.4f} %" for p in row.shares.values()]
