"""A range as it was read or is held: combos, share of all hands, classes, text to paste."""

from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import (
    COMBO_CLASS,
    HAND_NAMES,
    NUM_CLASSES,
    NUM_COMBOS,
    cards_to_string,
    combo_from_string,
    combo_to_string,
    combos_left,
    format_range,
    unblocked,
)
from poker_solver.cards.classes import CLASS_COMBOS
from poker_solver.errors import InputError
from poker_solver.query.node import HandView, PlayerView


def range_view(weights: NDArray[np.float64], board: tuple[int, ...] = ()) -> PlayerView:
    """[1326] weights by class; what the board blocks is taken off."""
    held = _held(weights, board)
    dealt = combos_left(board)
    reach = np.bincount(COMBO_CLASS, held, NUM_CLASSES) / np.maximum(dealt, 1)
    rows = zip(HAND_NAMES, dealt.tolist(), reach.tolist(), (reach * dealt).tolist(), strict=True)
    total = held.sum()
    return PlayerView(
        name="range",
        behind_chips=0,
        hands=tuple(HandView(name, n, r, combos / total, nan, nan) for name, n, r, combos in rows),
        ev_chips=nan,
        equity=nan,
    )


def range_report(weights: NDArray[np.float64], board: tuple[int, ...] = ()) -> dict[str, Any]:
    """Plain values; `hands` has a class where its combos weigh the same, else each combo."""
    held, free = _held(weights, board), unblocked(board)
    hands: dict[str, float] = {}
    for index, name in enumerate(HAND_NAMES):
        combos = np.flatnonzero((index == COMBO_CLASS) & free)
        if len(set(held[combos].tolist())) == 1 and held[combos[0]] > 0:
            hands[name] = float(held[combos[0]])
            continue
        hands.update({combo_to_string(int(c)): float(held[c]) for c in combos if held[c] > 0})
    return {
        "range": format_range(held),
        "board": cards_to_string(board),
        "combos": float(held.sum()),
        "of": int(free.sum()),
        "share": float(held.sum() / free.sum()),
        "hands": hands,
    }


def _held(weights: NDArray[np.float64], board: tuple[int, ...]) -> NDArray[np.float64]:
    held = weights * unblocked(board)
    if not held.any():
        raise InputError("no hand of the range is left" if board else "no hand has a weight")
    return held


def range_text(player: PlayerView) -> str:
    """What a player holds, to be pasted into any tool; weights have three decimals.

    Combos that the board blocks are written with their class where that is shorter.
    """
    if not player.combos:
        reach = np.array([hand.reach if hand.num_dealt else 0.0 for hand in player.hands])
        return format_range(np.minimum(reach[COMBO_CLASS], 1.0).round(3))
    weights = np.full(NUM_COMBOS, np.nan)
    for hand in player.combos:
        weights[combo_from_string(hand.name)] = round(min(hand.reach, 1.0), 3)
    for combos in CLASS_COMBOS:
        own = weights[combos]
        held = own[~np.isnan(own)]
        weights[combos] = np.where(np.isnan(own), held[0] if _are_alike(held) else 0.0, own)
    return format_range(weights)


def _are_alike(values: NDArray[np.float64]) -> bool:
    return len(values) > 0 and bool((values == values[0]).all())
