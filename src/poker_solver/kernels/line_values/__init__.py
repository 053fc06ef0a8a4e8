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
    rivers(lines, weights, sides, cards, reach, total, walk)
        Add up the river boards of `cards` after one turn: reach[p][e, H] of entry e before the card
        falls, times `share` for chance; total[p][e, H] is set to the sum over all real rivers.
    met(own, other, reach, out)
        out[r, h] = W(h) for the opponent's reach[r]; board and strengths play no part.

`walk` is scratch; everything else is only read. `sides`, `reach` and `total` are pairs, OOP first.

Error budget against `reference`: 1e-12 of the largest absolute payoff times the sum of reach.
"""

from typing import NamedTuple

from poker_solver.kernels.arrays import F64, I16, I32, I64, Bool

OOP, IP, DEAL, FOLD, SHOWDOWN = 0, 1, 2, 3, 4

LANES = 16


class Lines(NamedTuple):
    """Nodes of one street, line after line, parents first, children together; N nodes, G groups."""

    kind: I64  # [N]
    first_child: I64  # [N] index among these nodes; -1 at an end
    num_children: I64  # [N]; 0 at an end or DEAL
    entry: I64  # [N] number of the line that begins here; -1 inside a line
    row: I64  # [2, N] the node whose row of reach is that of each player here
    payoff: F64  # [2, N, 3] win, lose, tie per unit of reach; a FOLD has its one first
    offset: I64  # [N] where the weights of board 0 begin
    stride: I64  # [N] from one board to the next
    group_start: I64  # [G + 1] lines that are walked together
    shown: I64  # [K] every SHOWDOWN
    shown_start: I64  # [G + 1] those of each group
    folds: I64  # [F] every FOLD
    folds_start: I64  # [G + 1] those of each group


class Side(NamedTuple):
    """One player's H hands; R river boards."""

    cards: I64  # [H, 2]
    twin: I64  # [H] the opponent's same hand; -1 if he has it not
    live: Bool  # [R, H] none of the board's cards is in the hand
    order: I64  # [R, H] from weak to strong
    strength: I16  # [R, H] in that order; 0: the board blocks the hand
    moved: I32  # [P, H] where each hand is found once suits are renamed


class Rivers(NamedTuple):
    """River boards first:last of all, and the cards that each stands for."""

    share: float  # 1 / rivers that can fall
    moves: I32  # [C] which renaming takes each real river to its representative
    move_start: I32  # [R + 1] those of each board
    first: int
    last: int


class Walk(NamedTuple):
    """Scratch of one thread; M nodes, W the larger number of hands."""

    reach: F64  # [2, M, W]
    value: F64  # [2, M, W]
    policy: F64  # [M, W] how often the action into each node is taken
    lanes: F64  # [W, 16] the opponent's reach at sixteen terminals
    lane_value: F64  # [W, 16]
    factor: F64  # [4, 16] of L, E, W and w
    sums: F64  # [53, 16] per card, and over all in the last row
