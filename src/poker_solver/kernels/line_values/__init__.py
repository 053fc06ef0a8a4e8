"""What both players' hands are worth in lines of one street, with strategies that are given.

Unlike a pass of the engine this changes nothing, walks both players at once, works in float64 and
keeps the value of every node. With `w` the opponent's reach at a terminal, W(h), L(h) and E(h) its
sum over hands that share no card with h: over all of them, the weaker, the weaker or equal; and
w(h) that of the very same hand:

    fold       value(h) = win * W(h)
    showdown   value(h) = win * L(h) + lose * (W(h) - E(h)) + tie * (E(h) - L(h))
    decision   of his own: sum over actions of strategy * value; of the other: sum of values

W(h) counts the same hand neither as held by both nor twice: reach over all hands less that of the
hands with either card, plus w(h). A strategy is the stored weights of a hand over their sum,
uniform where that is 0.

    down(lines, first, last, begin, weights, num_hands, walk)
        Strategy and reach of nodes first:last, from walk.reach at their entries. Node n's weights
        are weights[begin[n]:] as [A, H], rows filled up to a multiple of 16.
    up(lines, group, sides, board, walk)
        walk.value of a group's nodes, from that of their DEALs and from the reach at terminals.
        Hands that the board blocks must have no reach; what they are worth means nothing.
    rivers(lines, weights, sides, share, moves, move_start, first, last, reach, total, walk)
        Add up river boards first:last after one turn: reach[p][e, H] of entry e before the card
        falls, times `share` for chance; total[p][e, H] is set to the sum over all real rivers.
    met(own, other, reach, out)
        out[r, h] = W(h) for the opponent's reach[r]; board and strengths play no part.

`walk` is scratch; everything else is only read. `sides`, `reach` and `total` are pairs, OOP first.

Error budget against `reference`: 1e-12 of the largest absolute payoff times the sum of reach.
"""

from typing import Any, NamedTuple

OOP, IP, DEAL, FOLD, SHOWDOWN = 0, 1, 2, 3, 4

LANES = 16


class Lines(NamedTuple):
    """Nodes of one street, line after line, parents first, children together; N nodes, G groups."""

    kind: Any  # [N] int64
    first_child: Any  # [N] int64 place among these nodes; -1 at an end
    num_children: Any  # [N] int64; 0 at an end or DEAL
    entry: Any  # [N] int64 number of the line that begins here; -1 inside a line
    row: Any  # [2, N] int64 the node whose row of reach is that of each player here
    payoff: Any  # [2, N, 3] float64 win, lose, tie per unit of reach; a FOLD has its one first
    offset: Any  # [N] int64 where the weights of board 0 begin
    stride: Any  # [N] int64 from one board to the next
    group_start: Any  # [G + 1] int64 lines that are walked together
    shown: Any  # [K] int64 every SHOWDOWN
    shown_start: Any  # [G + 1] int64 those of each group
    folds: Any  # [F] int64 every FOLD
    folds_start: Any  # [G + 1] int64 those of each group


class Side(NamedTuple):
    """One player's H hands; R river boards."""

    cards: Any  # [H, 2] int64
    twin: Any  # [H] int64 the opponent's same hand; -1 if he has it not
    live: Any  # [R, H] bool none of the board's cards is in the hand
    order: Any  # [R, H] int64 from weak to strong
    strength: Any  # [R, H] int16 in that order; 0: the board blocks the hand
    moved: Any  # [P, H] int32 where each hand is found once suits are renamed


class Walk(NamedTuple):
    """Scratch of one thread; M nodes, W the larger number of hands."""

    reach: Any  # [2, M, W]
    value: Any  # [2, M, W]
    policy: Any  # [M, W] how often the action into each node is taken
    lanes: Any  # [W, 16] the opponent's reach at sixteen terminals
    lane_value: Any  # [W, 16]
    factor: Any  # [4, 16] of L, E, W and w
    sums: Any  # [53, 16] per card, and over all in the last row
