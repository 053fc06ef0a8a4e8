"""Hands from weak to strong, with running totals per card of what is weaker, and not stronger."""

from typing import Any

import numba as nb
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Int = NDArray[np.integer[Any]]

_ALL = 52  # the place after the cards where sums over all hands are kept


def run(
    strength: Int, other_strength: Int, cards: Int, other_cards: Int, reach: Float, out: Float
) -> None:
    """See the package docstring."""
    order = np.argsort(strength, axis=1, kind="stable")
    other_order = np.argsort(other_strength, axis=1, kind="stable")
    _boards(order, strength, other_order, other_strength, cards, other_cards, reach, out)


def run_met(cards: Int, other_cards: Int, reach: Float, out: Float) -> None:
    """See the package docstring."""
    same = np.full((52, 52), -1, np.int64)
    high, low = other_cards.max(axis=1), other_cards.min(axis=1)
    same[high, low] = np.arange(len(other_cards))
    _met(cards, other_cards, same[cards.max(axis=1), cards.min(axis=1)], reach, out)


@nb.njit(cache=True, nogil=True)
def _met(cards: Int, other_cards: Int, twin: Int, reach: Float, out: Float) -> None:
    """`twin` [H] the opponent's same hand, which was taken off twice; -1 if he has it not."""
    for r in range(len(reach)):
        total = np.zeros(53)
        for o in range(len(other_cards)):
            _add(total, other_cards[o], reach[r, o])
        for h in range(len(cards)):
            again = reach[r, twin[h]] if twin[h] >= 0 else 0.0
            out[r, h] = max(_without(total, cards[h]) + again, 0.0)


@nb.njit(cache=True, nogil=True)
def _boards(
    order: Int, strength: Int, other_order: Int, other_strength: Int, cards: Int, other_cards: Int,
    reach: Float, out: Float,
) -> None:  # fmt: skip
    num_boards, num_shown, _ = reach.shape
    for b in range(num_boards):
        for s in range(num_shown):
            _one(
                order[b], strength[b], other_order[b], other_strength[b], cards, other_cards,
                reach[b, s], out[b, s],
            )  # fmt: skip


@nb.njit(cache=True, nogil=True)
def _one(
    order: Int, strength: Int, other_order: Int, other_strength: Int, cards: Int, other_cards: Int,
    reach: Float, out: Float,
) -> None:  # fmt: skip
    weaker, passed, total = np.zeros(53), np.zeros(53), np.zeros(53)
    for o in other_order:
        if other_strength[o] > 0:
            _add(total, other_cards[o], reach[o])
    num_weaker, num_passed = 0, 0
    for h in order:
        mine = strength[h]
        while num_weaker < len(other_order) and other_strength[other_order[num_weaker]] < mine:
            o = other_order[num_weaker]
            if other_strength[o] > 0:
                _add(weaker, other_cards[o], reach[o])
            num_weaker += 1
        while num_passed < len(other_order) and other_strength[other_order[num_passed]] <= mine:
            o = other_order[num_passed]
            if other_strength[o] > 0:
                _add(passed, other_cards[o], reach[o])
            num_passed += 1
        if mine > 0:
            won = _without(weaker, cards[h])
            lost = _without(total, cards[h]) - _without(passed, cards[h])
            out[h] = won - lost
        else:
            out[h] = 0.0


@nb.njit(cache=True, nogil=True)
def _add(sums: Float, cards: Int, reach: float) -> None:
    sums[_ALL] += reach
    sums[cards[0]] += reach
    sums[cards[1]] += reach


@nb.njit(cache=True, nogil=True)
def _without(sums: Float, cards: Int) -> float:
    left: float = sums[_ALL] - sums[cards[0]] - sums[cards[1]]
    return left
