"""Node by node and pair of hands by pair of hands. See the package docstring."""

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.line_values import DEAL, FOLD, LANES, SHOWDOWN, Lines, Rivers, Side

Float = NDArray[np.float64]
Weights = NDArray[np.floating | np.integer]
Pair = tuple[Float, Float]  # [H] of OOP and IP


def values(
    lines: Lines, weights: Weights, sides: tuple[Side, Side], board: int, entries: dict[int, Pair]
) -> dict[int, Pair]:
    """Of every node below the entries, which are nodes of `lines` with the reach there."""
    found: dict[int, Pair] = {}

    def visit(n: int, reach: Pair) -> Pair:
        kind = int(lines.kind[n])
        if kind in (FOLD, SHOWDOWN):
            found[n] = (
                _end(lines, sides, board, n, 0, reach),
                _end(lines, sides, board, n, 1, reach),
            )
            return found[n]
        if kind == DEAL:
            raise ValueError("the reference ends with the street")
        strategy = _strategy(lines, weights, n, board, len(sides[kind].cards))
        total = np.zeros_like(reach[0]), np.zeros_like(reach[1])
        for a, played in enumerate(strategy):
            after = (reach[0] * played, reach[1]) if kind == 0 else (reach[0], reach[1] * played)
            below = visit(int(lines.first_child[n]) + a, after)
            total[kind][:] += played * below[kind]
            total[1 - kind][:] += below[1 - kind]
        found[n] = total
        return total

    for n, reach in entries.items():
        visit(n, reach)
    return found


def _strategy(lines: Lines, weights: Weights, n: int, board: int, num_hands: int) -> Float:
    begin, num_actions = lines.offset[n] + board * lines.stride[n], int(lines.num_children[n])
    width = -(-num_hands // LANES) * LANES
    stored = weights[begin : begin + num_actions * width].reshape(num_actions, width)[:, :num_hands]
    out = np.full(stored.shape, 1.0 / num_actions)
    for h in range(num_hands):
        total = sum(float(weight) for weight in stored[:, h])
        for a in range(num_actions):
            if total > 0:
                out[a, h] = float(stored[a, h]) / total
    return out


def _end(
    lines: Lines, sides: tuple[Side, Side], board: int, n: int, player: int, reach: Pair
) -> Float:
    own, other = sides[player], sides[1 - player]
    win, lose, tie = lines.payoff[player, n].tolist()
    out = np.zeros(len(own.cards))
    strengths = []
    for side in (own, other):
        strength = np.empty(len(side.cards), np.int64)
        strength[side.order[board]] = side.strength[board]
        strengths.append(strength)
    for h in range(len(own.cards)):
        for o in range(len(other.cards)):
            if set(own.cards[h].tolist()) & set(other.cards[o].tolist()):
                continue
            mine, his = strengths[0][h], strengths[1][o]
            chips = win if lines.kind[n] == FOLD or mine > his else lose if mine < his else tie
            out[h] += chips * reach[1 - player][o]
    return out


def rivers(
    lines: Lines, weights: Weights, sides: tuple[Side, Side], cards: Rivers, reach: Pair,
    total: Pair,
) -> None:  # fmt: skip
    """See the package docstring; without scratch."""
    total[0][:], total[1][:] = 0.0, 0.0
    begins = [n for n in range(len(lines.kind)) if lines.entry[n] >= 0]
    for board in range(cards.first, cards.last):
        live = sides[0].live[board], sides[1].live[board]
        entries = {
            n: (
                cards.share * live[0] * reach[0][lines.entry[n]],
                cards.share * live[1] * reach[1][lines.entry[n]],
            )
            for n in begins
        }
        found = values(lines, weights, sides, board, entries)
        for n in begins:
            for move in cards.moves[cards.move_start[board] : cards.move_start[board + 1]]:
                for player in (0, 1):
                    moved = sides[player].moved[move]
                    after = (live[player] * found[n][player])[moved]
                    total[player][lines.entry[n]] += after
