"""Rows of hands at decisions; terminals of a group side by side. See the package docstring."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F64, I32, I64, Bool
from poker_solver.kernels.line_values import DEAL, LANES, SHOWDOWN, Lines, Rivers, Side, Walk
from poker_solver.kernels.line_values.lanes import add_product, add_rest, count

Weights = NDArray[np.float32] | NDArray[np.uint16]
"""Of actions: strategy sums, or probabilities in any unit."""

Sides = tuple[Side, Side]
Pair = tuple[F64, F64]

inner: Any = partial(njit, cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For what only compiled code calls: the way in from Python would take longer to compile."""


@njit(cache=True, nogil=True)
def down(
    lines: Lines, first: int, last: int, begin: I64, weights: Weights, num_hands: Sequence[int],
    walk: Walk,
) -> None:  # fmt: skip
    """See the package docstring."""
    for n in range(first, last):
        player = lines.kind[n]
        if player >= DEAL:
            continue
        hands = num_hands[player]
        reach = walk.reach[player]
        child, num_actions = lines.first_child[n] - first, lines.num_children[n]
        width = -(-hands // LANES) * LANES
        stored = weights[begin[n] : begin[n] + num_actions * width]
        _strategy(stored, num_actions, hands, width, walk.policy, child)
        here = reach[lines.row[player, n] - first]
        for a in range(child, child + num_actions):
            _multiply(here, walk.policy[a], hands, reach[a])


@inner(error_model="numpy")
def _strategy(
    stored: Weights, num_actions: int, hands: int, width: int, policy: F64, child: int
) -> None:
    for h in range(hands):
        policy[child, h] = stored[h]
    total = policy[child + num_actions - 1]  # the last row holds the sum until it is divided
    for a in range(1, num_actions):
        row, before = stored[a * width : (a + 1) * width], policy[child + a - 1]
        for h in range(hands):
            policy[child + a, h] = before[h] + row[h]
    uniform = 1.0 / num_actions
    for a in range(num_actions):
        row, out = stored[a * width : (a + 1) * width], policy[child + a]
        for h in range(hands):
            out[h] = row[h] / total[h] if total[h] > 0.0 else uniform


@inner()
def _multiply(one: F64, other: F64, hands: int, out: F64) -> None:
    for h in range(hands):
        out[h] = one[h] * other[h]


@njit(cache=True, nogil=True)
def up(lines: Lines, group: int, sides: Sides, board: int, walk: Walk) -> None:
    """See the package docstring."""
    first, last = lines.group_start[group], lines.group_start[group + 1]
    for player in range(2):
        own, other = sides[player], sides[1 - player]
        shown = lines.shown[lines.shown_start[group] : lines.shown_start[group + 1]]
        for s in range(0, len(shown), LANES):
            _terminals(lines, first, shown[s : s + LANES], player, own, other, board, walk)
        folds = lines.folds[lines.folds_start[group] : lines.folds_start[group + 1]]
        for s in range(0, len(folds), LANES):
            _terminals(lines, first, folds[s : s + LANES], player, own, other, board, walk)
    for n in range(last - 1, first - 1, -1):
        kind = lines.kind[n]
        if kind < DEAL:
            child, num_actions = lines.first_child[n] - first, lines.num_children[n]
            for player in range(2):
                value, hands = walk.value[player], len(sides[player].cards)
                _clear(value[n - first], hands)
                for a in range(child, child + num_actions):
                    if player == kind:
                        _add_product(value[a], walk.policy[a], hands, value[n - first])
                    else:
                        _add(value[a], hands, value[n - first])


@inner()
def _clear(row: F64, hands: int) -> None:
    for h in range(hands):
        row[h] = 0.0


@inner()
def _add_product(one: F64, other: F64, hands: int, out: F64) -> None:
    for h in range(hands):
        out[h] += one[h] * other[h]


@inner()
def _add(one: F64, hands: int, out: F64) -> None:
    for h in range(hands):
        out[h] += one[h]


@inner()
def _terminals(
    lines: Lines, first: int, nodes: I64, player: int, own: Side, other: Side, board: int,
    walk: Walk,
) -> None:  # fmt: skip
    """The value of up to sixteen terminals of one kind; lanes without one take what comes."""
    lanes, value, factor = walk.lanes, walk.lane_value, walk.factor
    kind = lines.kind[nodes[0]]
    for s in range(len(nodes)):
        reach = walk.reach[1 - player, lines.row[1 - player, nodes[s]] - first]
        for o in range(len(other.cards)):
            lanes[o, s] = reach[o]
        chips = lines.payoff[player, nodes[s]]
        win, lose, tie = chips[0], chips[1], chips[2]
        if kind == SHOWDOWN:
            factor[0, s], factor[1, s] = win - tie, tie - lose
            factor[2, s], factor[3, s] = lose, tie
        else:
            factor[2, s], factor[3, s] = win, win
    for h in range(len(own.cards)):
        _clear(value[h], LANES)
    for card in range(53):
        _clear(walk.sums[card], LANES)
    if kind == SHOWDOWN:
        _scan(own, other, board, lanes, walk.sums, factor, value)
    else:
        for o in range(len(other.cards)):
            count(walk.sums, other.cards[o, 0], other.cards[o, 1], lanes, o)
    for h in range(len(own.cards)):
        add_rest(value, h, factor, 2, walk.sums, own.cards[h, 0], own.cards[h, 1])
        if own.twin[h] >= 0:  # taken off twice in W and in E, not in L
            add_product(value, h, factor, 3, lanes, own.twin[h])
    for s in range(len(nodes)):
        out = walk.value[player, nodes[s] - first]
        for h in range(len(own.cards)):
            out[h] = value[h, s]


@inner()
def _scan(
    own: Side, other: Side, board: int, lanes: F64, sums: F64, factor: F64, value: F64
) -> None:
    """Add (win - tie) * L + (tie - lose) * E to the value of every live hand; leaves W in sums."""
    order, strength, cards = own.order[board], own.strength[board], own.cards
    other_order, other_strength = other.order[board], other.strength[board]
    i, j = 0, 0
    while i < len(order) and strength[i] == 0:
        i += 1
    while j < len(other_order) and other_strength[j] == 0:
        j += 1
    while i < len(order):
        level, tied = strength[i], i
        while j < len(other_order) and other_strength[j] < level:
            o = other_order[j]
            count(sums, other.cards[o, 0], other.cards[o, 1], lanes, o)
            j += 1
        while i < len(order) and strength[i] == level:
            h = order[i]
            add_rest(value, h, factor, 0, sums, cards[h, 0], cards[h, 1])
            i += 1
        while j < len(other_order) and other_strength[j] == level:
            o = other_order[j]
            count(sums, other.cards[o, 0], other.cards[o, 1], lanes, o)
            j += 1
        for k in range(tied, i):
            h = order[k]
            add_rest(value, h, factor, 1, sums, cards[h, 0], cards[h, 1])
    while j < len(other_order):
        o = other_order[j]
        count(sums, other.cards[o, 0], other.cards[o, 1], lanes, o)
        j += 1


@njit(cache=True, nogil=True)
def rivers(
    lines: Lines, weights: Weights, sides: Sides, cards: Rivers, reach: Pair, total: Pair,
    walk: Walk,
) -> None:  # fmt: skip
    """See the package docstring."""
    num_hands = (len(sides[0].cards), len(sides[1].cards))
    for player in range(2):
        for e in range(len(total[player])):
            _clear(total[player][e], num_hands[player])
    begin = np.empty(len(lines.offset), np.int64)
    for board in range(cards.first, cards.last):
        for n in range(len(begin)):
            begin[n] = lines.offset[n] + board * lines.stride[n]
        moves = cards.moves[cards.move_start[board] : cards.move_start[board + 1]]
        for group in range(len(lines.group_start) - 1):
            first, last = lines.group_start[group], lines.group_start[group + 1]
            for n in range(first, last):
                if lines.entry[n] >= 0:
                    for player in range(2):
                        above = reach[player][lines.entry[n]]
                        here = walk.reach[player, n - first]
                        _deal(sides[player].live[board], cards.share, above, here)
            down(lines, first, last, begin, weights, num_hands, walk)
            up(lines, group, sides, board, walk)
            for n in range(first, last):
                if lines.entry[n] >= 0:
                    for player in range(2):
                        value = walk.value[player, n - first]
                        into = total[player][lines.entry[n]]
                        _gather(sides[player], board, moves, value, into)


@inner()
def _deal(live: Bool, share: float, reach: F64, out: F64) -> None:
    for h in range(len(live)):
        out[h] = share * reach[h] if live[h] else 0.0


@inner()
def _gather(side: Side, board: int, moves: I32, value: F64, total: F64) -> None:
    live = side.live[board]
    for k in range(len(moves)):
        moved = side.moved[moves[k]]
        for h in range(len(total)):
            if live[moved[h]]:
                total[h] += value[moved[h]]


@njit(cache=True, nogil=True)
def met(own: Side, other: Side, reach: F64, out: F64) -> None:
    """See the package docstring."""
    for r in range(len(reach)):
        sums = np.zeros(53)
        for o in range(len(other.cards)):
            sums[52] += reach[r, o]
            sums[other.cards[o, 0]] += reach[r, o]
            sums[other.cards[o, 1]] += reach[r, o]
        for h in range(len(own.cards)):
            out[r, h] = sums[52] - sums[own.cards[h, 0]] - sums[own.cards[h, 1]]
            if own.twin[h] >= 0:
                out[r, h] += reach[r, own.twin[h]]
