"""Equities of two ranges as plain values and as tables."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from poker_solver.cards import (
    COMBO_CLASS,
    cards_to_string,
    combo_to_string,
    hand_name,
    parse_board,
    parse_range,
)
from poker_solver.cli.output import number_table
from poker_solver.errors import InputError

if TYPE_CHECKING:  # brings numba along
    from poker_solver.cards.equity import PlayerEquity, RangeEquity


def read_spot(
    first: str, second: str, board: str
) -> tuple[list[NDArray[np.float64]], tuple[int, ...]]:
    """Both ranges [1326] and the board's cards; an error lists all that is wrong, and where."""
    weights: list[NDArray[np.float64]] = []
    cards: tuple[int, ...] = ()
    problems = []
    for name, text in (("first", first), ("second", second)):
        try:
            weights.append(parse_range(text))
        except InputError as error:
            problems.append(f"the {name} range: {error}")
    try:
        cards = parse_board(board)
    except InputError as error:
        problems.append(str(error))
    if problems:
        raise InputError("; ".join(problems))
    return weights, cards


def summarise(result: "RangeEquity", by: str | None, seconds: float) -> dict[str, Any]:
    """The object that --json prints, save the ranges as they were given."""
    return {
        "board": cards_to_string(result.board),
        "runouts": result.num_runouts,
        "pairs": result.num_pairs,
        "seconds": seconds,
        "players": [_player_summary(player, by) for player in result.players],
    }


def _player_summary(player: "PlayerEquity", by: str | None) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "range": None,
        "combos": player.num_combos,
        "weight": float(player.weight.sum()),
        "equity": player.equity,
        "win": player.win,
        "tie": player.tie,
    }
    if by is not None:
        summary["hands"] = _hands(player, by)
    return summary


def _hands(player: "PlayerEquity", by: str) -> dict[str, dict[str, float | None]]:
    """Per class or combo with weight, best first; null where it meets no opponent."""
    label = np.arange(len(COMBO_CLASS)) if by == "combo" else COMBO_CLASS
    name = combo_to_string if by == "combo" else hand_name
    met = np.where(np.isnan(player.equity_by_combo), 0.0, player.weight * player.opponents)
    rows: dict[str, dict[str, float | None]] = {}
    for group in np.unique(label[player.weight > 0]).tolist():
        combos = np.flatnonzero((label == group) & (player.weight > 0))
        reached = combos[met[combos] > 0]
        rows[name(group)] = {"weight": float(player.weight[combos].sum())}
        for what in ("equity", "win", "tie"):
            values = getattr(player, f"{what}_by_combo")[reached]
            mean = float(np.average(values, weights=met[reached])) if len(reached) else None
            rows[name(group)][what] = mean
    return dict(sorted(rows.items(), key=lambda row: -(row[1]["equity"] or 0.0)))


def print_tables(summary: dict[str, Any]) -> None:
    """The totals, then one table per range if it was broken down."""
    console = Console(highlight=False, markup=False)
    where = f"on {summary['board']}" if summary["board"] else "before the flop"
    runouts = "1 runout" if summary["runouts"] == 1 else f"{summary['runouts']:,} runouts"
    console.print(f"{where}: {_count(summary['pairs'])} pairs of hands, {runouts} each")
    table = _table("range")
    for player in summary["players"]:
        combos = f"{_count(player['weight'])} of {player['combos']:,}"
        weighted = player["weight"] != player["combos"]
        table.add_row(
            player["range"], combos if weighted else f"{player['combos']:,}", *_shares(player)
        )
    console.print(table)
    for player in summary["players"]:
        if "hands" not in player:
            continue
        console.print()
        table = _table("hand")
        for hand, row in player["hands"].items():
            table.add_row(hand, _count(row["weight"]), *_shares(row))
        console.print(table)


def _table(first: str) -> Table:
    table = number_table(first, "combos", "equity", "win", "tie")
    table.columns[0].overflow, table.columns[0].max_width = "fold", 40
    return table


def _count(weight: float) -> str:
    """`1,624,350`, or `221.1` where hands have weights."""
    return f"{weight:,.4f}".rstrip("0").rstrip(".")


def _shares(row: dict[str, Any]) -> list[str]:
    return [
        "-" if row[name] is None else f"{100 * row[name]:.4f} %"
        for name in ("equity", "win", "tie")
    ]
