"""Equities of two ranges as tables and as the object that --json prints."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from poker_solver.cli.output import number_table

if TYPE_CHECKING:  # brings numba along
    from poker_solver.query.equity import EquityRow, RangeReport


@dataclass(frozen=True)
class EquityPage:
    """Two ranges on a board."""

    board: str
    num_runouts: int
    num_pairs: float
    seconds: float
    players: "tuple[RangeReport, RangeReport]"

    def to_json(self) -> dict[str, Any]:
        """The object that --json prints."""
        return {
            "board": self.board,
            "runouts": self.num_runouts,
            "pairs": self.num_pairs,
            "seconds": self.seconds,
            "players": [_player(report) for report in self.players],
        }

    def print(self) -> None:
        """The totals, then one table per range if it was broken down."""
        console = Console(highlight=False, markup=False)
        where = f"on {self.board}" if self.board else "before the flop"
        runouts = "1 runout" if self.num_runouts == 1 else f"{self.num_runouts:,} runouts"
        console.print(f"{where}: {_count(self.num_pairs)} pairs of hands, {runouts} each")
        table = _table("range")
        for report in self.players:
            total, combos = report.total, f"{report.num_combos:,}"
            if total.weight != report.num_combos:
                combos = f"{_count(total.weight)} of {combos}"
            table.add_row(total.name, combos, *_shares(total))
        console.print(table)
        for report in self.players:
            if not report.hands:
                continue
            console.print()
            table = _table("hand")
            for row in report.hands:
                table.add_row(row.name, _count(row.weight), *_shares(row))
            console.print(table)


def _player(report: "RangeReport") -> dict[str, Any]:
    total = report.total
    hands = {row.name: {"weight": row.weight, **_numbers(row)} for row in report.hands}
    return {
        "range": total.name,
        "combos": report.num_combos,
        "weight": total.weight,
        **_numbers(total),
        **({"hands": hands} if hands else {}),
    }


def _numbers(row: "EquityRow") -> dict[str, float | None]:
    return {"equity": row.equity, "win": row.win, "tie": row.tie}


def _table(first: str) -> Table:
    table = number_table(first, "combos", "equity", "win", "tie")
    table.columns[0].overflow, table.columns[0].max_width = "fold", 40
    return table


def _count(weight: float) -> str:
    """`1,624,350`, or `221.1` where hands have weights."""
    return f"{weight:,.4f}".rstrip("0").rstrip(".")


def _shares(row: "EquityRow") -> list[str]:
    return ["-" if p is None else f"{100 * p:.4f} %" for p in _numbers(row).values()]
