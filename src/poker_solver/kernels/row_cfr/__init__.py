"""Range-vector CFR after the flop where hands share rows: one pass for one player.

A pass is that of `kernels.postflop`: reach goes down and counterfactual values come up for every
hand, with card removal. Only what is learned is kept by row: on every ordered board each hand has a
row, a decision has [action, row] regrets and policy sums, and all hands of a row play alike. With
H(row) the hands of a row that the board leaves, w(h) the weight of a hand, and reach the player's:

    policy      sigma(row, a)  = regret(row, a) clipped at 0 and normalised, see `kernels.regret`
    values      V(row, a)      = sum over H(row) of w(h) * cfv(a, h)
    learn       r(row, a)      = V(row, a) - sum over b of sigma(row, b) * V(row, b)
                regret         = regret * (positive where regret > 0, else negative) + r
                policy_sum     = policy_sum * policy + (sum over H(row) of reach(h)) * sigma(row, a)
    weight      w(h)           = FLOOR + (1 - FLOOR) * reach(h), and 1 on a board where no row of
                                 the player has two hands

A row is so taught mostly by the hands that come, and a little by those that do not. Where every
hand has its own row, weights are 1, every sum has one term, and regrets and sums are those of
`kernels.postflop` within twice its budget for a pass, on a GPU bit for bit: on the CPU the two add
terminals up in other orders.

BEST lets every hand do what is best for it, whatever the others of its row do. Where no average of
the river is kept, BEST and MEAN play what the river's regrets say.

State is flat, board after board, [action of any decision, row] each; boards may have different
numbers of rows. A decision is learned once per pass, after all its hands were seen.

Boards of a street may also share rows: then there is one [action of any decision, row] for all of
them. With n(board) how many boards one stands for, times what its flop weighs,

    values      V(row, a)      = sum over boards of n(board) * sum over H(row) of w(h) * cfv(a, h)
    learn                        as above, sums of reach likewise, once after the last board

and w(h) is never 1 for all: a hand that is alone in its row here is not so elsewhere. Until then V
and reach are added up aside; policies do not change while boards are walked.

River hands are walked in order of strength, so that rows are runs: sixteen hands of one row read
one number. Rows may lie in any order all the same.

Error budget against `reference` in float32: one pass, 4e-6 of the largest absolute cfv, likewise
times the number of hands of a row for what it learns.
"""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, F64, I16, I32, I64, U8, Bool
from poker_solver.kernels.postflop import Boards, River
from poker_solver.kernels.postflop.cpu import Rows

FLOOR = 0.1
"""What a hand that does not come weighs in its row: with 0 or 1, solves got stuck higher."""


class BoardRows(NamedTuple):
    """Where the state of a street stands; B boards, scales for regrets of 16 bits."""

    start: I64  # [B] where a board's state begins
    num_rows: I32  # [B]
    scale_start: np.int64  # the scale of the first decision on the first board
    num_decisions: np.int64  # scales from one board to the next
    told_weight: F32  # [B] what a board weighs in rows that all share; empty if they share none


class RowHands(NamedTuple):
    """One player's H hands, and which of them stand where on R river boards.

    W places on each board: hands that live from weak to strong, filled up with hand 0.
    """

    cards: U8  # [H, 2]
    held: I32  # [H] the same in one number: first card << 16, second card << 24
    twin: I32  # [H] the opponent's same hand; -1 if he has it not
    apart: I32  # [H] all hands, so ordered that neighbours seldom share a card
    moved: I32  # [P, H] where each hand goes when suits are renamed; the first is no change
    num_live: I32  # [R]
    order: I16  # [R, W] hand at each place
    row: I16  # [R, W] row of the hand at each place; that of the last one where none is
    floor: F32  # [R] the least weight of a hand
    step_start: I32  # [R + 1] steps of board r: step_start[r]:step_start[r + 1]
    steps: I32  # [K, 3] see `kernels.postflop.Hands`


class RowState(NamedTuple):
    """What is learned, flat; regrets are float32, or int16 with a scale per decision and board."""

    upper: F32 | I16  # what policies above the river are made of
    river: F32 | I16  # likewise on it
    regret: F32 | I16
    scale: F32
    policy_sum: F32  # ends before the river if no average of it is kept


class RowPass(NamedTuple):
    """What all parts of a pass have in common, whoever's it is."""

    template: River  # offsets count actions of a board, scales its decisions
    rows: BoardRows  # of the river
    boards: Boards
    mode: int
    has_rake: bool
    has_river_sums: bool
    state: RowState


class RowSide(NamedTuple):
    """The player whose pass it is, and how he learns.

    What is said of boards, B of them, is said of those of the street above the river that are
    walked; the spot's own street has another side. Hands that a board blocks have any row.
    """

    player: int
    own: RowHands
    other: RowHands
    own_live: F32  # [B, H] 0 where a dealt card is in the hand
    other_live: F32
    own_row: I16  # [B, H]
    other_row: I16
    own_floor: F32  # [B]
    rows: BoardRows
    share: np.float32  # of a board: 1 / cards that can fall; 1 on the spot's own street
    weights: F32  # [3] as `kernels.regret.Weights`


class RowTold(NamedTuple):
    """What hands have told their rows; A actions, each with all rows, rounded up to 16."""

    value: F32  # [A + 1, rows] sums over hands; the last takes what nobody wants
    reach: F32  # [A, rows] likewise, at the first action of each decision


class RowSums(NamedTuple):
    """Scratch where a player's decisions of a river group, or one above it, are learned.

    A actions in all, each with as many numbers as the most rows of a board, rounded up to 16.
    """

    told: RowTold
    lane_value: F32  # [A, 16] of sixteen hands, before they are summed
    lane_reach: F32  # [A, 16]
    regret: F32  # [A, rows] of one decision
    policy_sum: F32  # [A, rows] of one decision


class OpenBoard(NamedTuple):
    """Scratch: the hands of one river board as terminals look them up; W places.

    B blocks of sixteen places; D deals above the river, rounded up to 16.
    """

    own_places: I32  # [W] place and cards, see `kernels.postflop.cpu.simd.lanes`
    other_places: I32  # [W]
    own_live: F32  # [W] 0 where a place has no hand
    other_live: F32  # [W]
    twin: I32  # [W] place of the opponent's same hand; a row of lanes that is always 0 if none
    apart: I32  # [W] the opponent's places in another order
    place: I32  # [H] of each hand of the opponent
    own_block: I32  # [B] the row of sixteen hands that have one; else -1
    other_block: I32  # [B]
    own_reach: F32  # [D, W] after each deal, by place
    other_reach: F32  # [D, W]
    cfv: F32  # [D, W] likewise


class DealLanes(NamedTuple):
    """Scratch of a turn's rivers: what hands have after sixteen deals at once stands together.

    Q times sixteen deals; H hands.
    """

    own_reach: F32  # [Q, H, 16]
    other_reach: F32  # [Q, H, 16]
    moved_cfv: F32  # [P, Q, H, 16] river boards summed, by how their suits are renamed


class RowWork(NamedTuple):
    """Scratch of one thread; see `kernels.postflop.cpu.Work`."""

    rows: Rows
    is_reached: Bool
    moved_cfv: F32  # [P, D, H], D rounded up to 16
    unit_cfv: F32  # [D, H] what some of the rivers come to
    deals: DealLanes
    river_reach: F32
    river_own: F32
    river_policy: F32
    river_cfv: F32
    show: F32
    fold: F32
    won: F32
    show_sums: F32
    fold_sums: F32
    card_sums: F64
    board: OpenBoard
    sums: RowSums
    shared_upper: RowTold  # of all actions of a board, where boards share rows
    shared_river: RowTold
