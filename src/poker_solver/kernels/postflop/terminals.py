"""Folds and showdowns, many lanes at a time on the river, one at a time above it."""

from typing import Any

from numba import njit

from poker_solver.kernels.postflop.lanes import (
    add_row,
    add_starred,
    set_starred,
    subtract_starred,
)


@njit(cache=True, nogil=True)
def _count(sums: Any, order: Any, cards: Any, lanes: Any, first: int, last: int) -> None:
    """Add the opponent's places first:last to the sums of their cards."""
    for j in range(first, last):
        h = order[j]
        add_row(sums, 52, lanes, h)
        add_row(sums, cards[j, 0], lanes, h)
        add_row(sums, cards[j, 1], lanes, h)


@njit(cache=True, nogil=True)
def showdown(own: Any, other: Any, board: int, lanes: Any, sums: Any, won: Any) -> None:
    """Set won = L* + E* - W* of every live hand, 0 of the others; leaves W in sums."""
    order, cards = own.order[board], own.place_cards[board]
    other_order, other_cards = other.order[board], other.place_cards[board]
    sums[:] = 0.0
    first, counted = 0, 0
    for k in range(own.tie_start[board], own.tie_start[board + 1]):
        last, weaker, equal = own.tie_end[k], own.tie_weaker[k], own.tie_equal[k]
        _count(sums, other_order, other_cards, lanes, counted, weaker)
        for i in range(first, last):
            set_starred(won, order[i], sums, cards[i, 0], cards[i, 1])
        _count(sums, other_order, other_cards, lanes, weaker, equal)
        for i in range(first, last):
            add_starred(won, order[i], sums, cards[i, 0], cards[i, 1])
        first, counted = last, equal
    _count(sums, other_order, other_cards, lanes, counted, other.num_live[board])
    for i in range(own.num_live[board]):
        subtract_starred(won, order[i], sums, cards[i, 0], cards[i, 1])
    for i in range(own.num_live[board], len(order)):
        won[order[i]] = 0.0


@njit(cache=True, nogil=True)
def ties(own: Any, other: Any, board: int, lanes: Any, sums: Any, tied: Any) -> None:
    """Set tied = E* - L* + w(h) of every live hand, 0 of the others."""
    order, cards = own.order[board], own.place_cards[board]
    other_order, other_cards = other.order[board], other.place_cards[board]
    first = 0
    for k in range(own.tie_start[board], own.tie_start[board + 1]):
        sums[:] = 0.0
        _count(sums, other_order, other_cards, lanes, own.tie_weaker[k], own.tie_equal[k])
        for i in range(first, own.tie_end[k]):
            set_starred(tied, order[i], sums, cards[i, 0], cards[i, 1])
        first = own.tie_end[k]
    for i in range(own.num_live[board], len(order)):
        tied[order[i]] = 0.0
    for i in range(own.num_live[board]):
        if own.twin[order[i]] >= 0:
            add_row(tied, order[i], lanes, own.twin[order[i]])


@njit(cache=True, nogil=True)
def fold(own: Any, other: Any, lanes: Any, sums: Any, met: Any) -> None:
    """Set met = W* + w(h); hands that the board blocks must have no reach."""
    sums[:] = 0.0
    for j in range(len(other.cards)):
        add_row(sums, 52, lanes, j)
        add_row(sums, other.cards[j, 0], lanes, j)
        add_row(sums, other.cards[j, 1], lanes, j)
    for i in range(len(own.cards)):
        set_starred(met, i, sums, own.cards[i, 0], own.cards[i, 1])
        if own.twin[i] >= 0:
            add_row(met, i, lanes, own.twin[i])


@njit(cache=True, nogil=True)
def fold_above(own: Any, other: Any, reach: Any, payoff: float, sums: Any, cfv: Any) -> None:
    """Set cfv = payoff * (W* + w(h)) for one reach vector, in hand order, sums in float64."""
    sums[:] = 0.0
    for j in range(len(other.cards)):
        sums[52] += reach[j]
        sums[other.cards[j, 0]] += reach[j]
        sums[other.cards[j, 1]] += reach[j]
    for i in range(len(own.cards)):
        met = sums[52] - sums[own.cards[i, 0]] - sums[own.cards[i, 1]]
        if own.twin[i] >= 0:
            met += reach[own.twin[i]]
        cfv[i] = payoff * met
