"""Equities of two ranges broken down, as plain values."""

from collections.abc import Callable, Sequence
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


def equity_report(
    result: RangeEquity, given: Sequence[ArrayLike], by: str | None
) -> dict[str, Any]:
    """What `equity --json` prints: both ranges, [1326] as they were given.

    `hands` are there if `by` is class or combo, best first; a share is None where a hand meets no
    opponent.
    """
    pairs = zip(result.players, given, strict=True)
    return {
        "board": cards_to_string(result.board),
        "runouts": result.num_runouts,
        "pairs": result.num_pairs,
        "players": [
            {
                "range": format_range(weights),
                "combos": player.num_combos,
                "weight": float(player.weight.sum()),
                "equity": player.equity,
                "win": player.win,
                "tie": player.tie,
                **({"hands": _hands(player, by)} if by else {}),
            }
            for player, weights in pairs
        ],
    }


def _hands(player: PlayerEquity, by: str) -> dict[str, dict[str, float | None]]:
    label = np.arange(len(COMBO_CLASS)) if by == "combo" else COMBO_CLASS
    name: Callable[[int], str] = combo_to_string if by == "combo" else hand_name
    met = np.where(np.isnan(player.equity_by_combo), 0.0, player.weight * player.opponents)
    rows: dict[str, dict[str, float | None]] = {}
    for group in np.unique(label[player.weight > 0]).tolist():
        combos = np.flatnonzero((label == group) & (player.weight > 0))
        reached = combos[met[combos] > 0]
        kinds = {
            "equity": player.equity_by_combo,
            "win": player.win_by_combo,
            "tie": player.tie_by_combo,
        }
        rows[name(group)] = {
            "weight": float(player.weight[combos].sum()),
            **{
                kind: float(np.average(shares[reached], weights=met[reached]))
                if len(reached)
                else None
                for kind, shares in kinds.items()
            },
        }
    return dict(sorted(rows.items(), key=lambda row: -(row[1]["equity"] or 0.0)))
