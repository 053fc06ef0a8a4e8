"""The postflop kernels of the CPU: what a pass reads and writes. The kernels stand in `passes`."""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, F64, I16, Bool
from poker_solver.kernels.postflop import Boards, Hands, River


class State(NamedTuple):
    """What a solve keeps, flat: node after node of a board, [action, hand] each.

    Regrets are float32, or int16 with one scale per decision and board. Regret matching does not
    ask for the scale.
    """

    stored: F32 | I16  # what policies are made of: `regret` in LEARN, else `policy_sum`
    regret: F32 | I16
    scale: F32  # [decisions on all boards] that int16 is multiplied by; empty for float32
    policy_sum: F32


class Pass(NamedTuple):
    """What all parts of a pass have in common, whoever's it is."""

    river: River
    boards: Boards
    mode: int
    has_rake: bool
    by_hand: bool | None  # True: terminals are summed hand against hand, so that nothing cancels
    state: State


class Side(NamedTuple):
    """The player whose pass it is, and how he learns.

    What is live, and `share`, is said of the boards of the street above the river that are walked;
    the spot's own street has another side.
    """

    player: int
    own: Hands
    other: Hands
    own_live: F32  # [T, H] 0 where a dealt card is in the hand
    other_live: F32
    share: np.float32  # of a board: 1 / cards that can fall; 1 on the spot's own street
    weights: F32  # [3] as `kernels.regret.Weights`


class Reach(NamedTuple):
    """Of both players, after every deal of the street above: D of them."""

    other: F32  # [D, H]
    own: F32  # [D, H]


class Rows(NamedTuple):
    """Scratch of a street above the river: S nodes, D deals. H is the larger number of hands."""

    reach: F32  # [S, H] the opponent's
    own: F32  # [S, H]
    policy: F32  # [S, H] of the action that leads here
    cfv: F32  # [S, H]
    deals: Reach
    deal_cfv: F32  # [D, H]


class Work(NamedTuple):
    """Scratch of one thread.

    M nodes and B batches of a river group, of those that have most; D deals above the river. H is
    the larger number of hands, rounded up to a multiple of 16.
    """

    rows: Rows
    is_reached: Bool  # [D] the opponent comes to the deal with any hand
    moved_cfv: F32  # [P, D, H] river boards summed, by how their suits are renamed
    river_reach: F32  # [M, 16]
    river_own: F32  # [M, 16]
    river_policy: F32  # [M, 16]
    river_cfv: F32  # [M + 1, 16]; the last slot takes what nobody wants
    show: F32  # [B, H + 1, 16] opponent reach in lanes; the last row is 0
    fold: F32  # [B, H + 1, 16]
    won: F32  # [B, H, 16] L* + E*
    show_sums: F32  # [B, 53, 16] per card, and over all in the last row
    fold_sums: F32  # [B, 53, 16]
    card_sums: F64  # [53] likewise, one lane
    regret: F32  # of the decisions that learn at once, where regrets are stored as int16
