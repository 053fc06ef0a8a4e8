"""A line of play on many flops as text: a row per flop, then averages by texture."""

from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from poker_solver.query.flops.lines import LineReport, LineTotals, by_tag, flops_together

ENOUGH = 5
"""Flops from which on averages by texture say something."""


def line_page(
    line: LineReport, flops: Sequence[str], weights: Mapping[str, float], most: int
) -> list[str]:
    """Lines of text; at most so many flops, and how many more there are."""
    rows = {flop: line.rows[flop] for flop in flops}
    after = f"after {line.name}: {line.player.upper()} acts" if line.name else "OOP acts first"
    if not line.player:
        after = f"after {line.name}: nobody acts"
    if not rows:
        return [f"{after}; no flop is left to show"]
    whole = flops_together(rows, weights)
    big, unit = line.chips_per_bb, " in bb" if line.chips_per_bb else ""
    pot = f"{whole.pot_chips / big:g} bb" if big else f"{whole.pot_chips:,}"
    here = f"{after}, pot {pot}, {_percent(whole.reached)} of all deals get here"
    shown = [(flop, _cells(row, big)) for flop, row in list(rows.items())[:most]]
    every = [*shown, ("all", _cells(whole, big))]
    text = [here + (f"; EV{unit}" if unit else ""), *_columns("flop", line.actions, every)]
    if len(rows) > most:
        text.insert(-1, f"... {len(rows) - most:,} more: --rows {len(rows)}")
    if len(rows) < ENOUGH:
        return text
    tags = [(f"{tag} ({n})", _cells(row, big)) for tag, (n, row) in by_tag(rows, weights).items()]
    return [*text, "", *_columns("texture (flops)", line.actions, tags)]


def _cells(row: LineTotals, big_blind: int | None) -> list[str]:
    mix = [_percent(p) for p in row.frequency]
    money = [_money(ev, big_blind) for ev in row.ev_chips]
    equity, eqr = [_percent(p) for p in row.equity], [_percent(p) for p in row.eqr]
    return [*mix, *money, *equity, *eqr]


def _columns(
    first: str, actions: Iterable[str], rows: Sequence[tuple[str, list[str]]]
) -> list[str]:
    """Columns as wide as what is in them; nothing is left out on a narrow screen."""
    pairs = [f"{what} {player}" for what in ("EV", "eq", "EQR") for player in ("OOP", "IP")]
    table = [(first, [*actions, *pairs]), *rows]
    widths = [max(len(cells[c]) for _, cells in table) for c in range(len(table[0][1]))]
    names = max(len(name) for name, _ in table)
    return [
        f"{name:<{names}}  "
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for name, cells in table
    ]


def _percent(p: float) -> str:
    return "-" if isnan(p) else f"{100 * p:.1f}%"


def _money(chips: float, big_blind: int | None) -> str:
    if isnan(chips):
        return "-"
    return f"{chips / big_blind:.2f}" if big_blind else f"{chips:,.1f}"
