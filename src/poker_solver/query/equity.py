"""Equities of two ranges broken down, as plain values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poker_solver.cards import (
    COMBO_CLASS,
    cards_to_string,
    combo_to_string,
    format_range,
    hand_name,
)
from poker_solver.cards.equity import PlayerEquity, RangeEquity


@dataclass(frozen=True, slots=True)
class EquityRow:
    """A range, a class or a combo; None where it meets no opponent."""

    name: str  # as a range that can be pasted
    weight: float  # combos, each by its weight
    equity: float | None
    win: float | None
    tie: float | None

    @property
    def shares(self) -> dict[str, float | None]:
        """The three by name."""
        return {"equity": self.equity, "win": self.win, "tie": self.tie}


@dataclass(frozen=True, slots=True)
class RangeReport:
    """One of two ranges."""

    total: EquityRow
    num_combos: int
    hands: tuple[EquityRow, ...]  # best first; empty if it was not broken down


@dataclass(frozen=True, slots=True)
class EquityReport:
    """Two ranges on a board."""

    board: str
    num_runouts: int  # that each pair of hands sees
    num_pairs: float  # of hands, each by its weight
    players: tuple[RangeReport, RangeReport]

    def to_json(self, seconds: float) -> dict[str, Any]:
        """What `equity --json` prints of a count that took so long."""
        return {
            "board": self.board,
            "runouts": self.num_runouts,
            "pairs": self.num_pairs,
            "seconds": seconds,
            "players": [_player(report) for report in self.players],
        }


def equity_report(result: RangeEquity, given: Sequence[ArrayLike], by: str | None) -> EquityReport:
    """Both ranges, [1326] as they were given; `by` is class, combo or None."""
    pairs = zip(result.players, given, strict=True)
    first, second = (_report(player, format_range(weights), by) for player, weights in pairs)
    board = cards_to_string(result.board)
    return EquityReport(board, result.num_runouts, result.num_pairs, (first, second))


def _player(report: RangeReport) -> dict[str, Any]:
    total = report.total
    hands = {row.name: {"weight": row.weight, **row.shares} for row in report.hands}
    return {
        "range": total.name,
        "combos": report.num_combos,
        "weight": total.weight,
        **total.shares,
        **({"hands": hands} if hands else {}),
    }


def _report(player: PlayerEquity, name: str, by: str | None) -> RangeReport:
    return RangeReport(
        total=EquityRow(
            name=name,
            weight=float(player.weight.sum()),
            equity=player.equity,
            win=player.win,
            tie=player.tie,
        ),
        num_combos=player.num_combos,
        hands=_hands(player, by) if by else (),
    )


def _hands(player: PlayerEquity, by: str) -> tuple[EquityRow, ...]:
    label = np.arange(len(COMBO_CLASS)) if by == "combo" else COMBO_CLASS
    name: Callable[[int], str] = combo_to_string if by == "combo" else hand_name
    met = np.where(np.isnan(player.equity_by_combo), 0.0, player.weight * player.opponents)
    rows = []
    for group in np.unique(label[player.weight > 0]).tolist():
        combos = np.flatnonzero((label == group) & (player.weight > 0))
        reached = combos[met[combos] > 0]
        kinds = (player.equity_by_combo, player.win_by_combo, player.tie_by_combo)
        means = [
            float(np.average(values[reached], weights=met[reached])) if len(reached) else None
            for values in kinds
        ]
        rows.append(EquityRow(name(group), float(player.weight[combos].sum()), *means))
    return tuple(sorted(rows, key=lambda row: -(row.equity or 0.0)))
