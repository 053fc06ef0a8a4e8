"""The postflop kernels of the CPU: what a pass reads and writes. The kernels stand in `passes`.

All of these are placed in memory (`kernels.records`) before a kernel gets them: `Walk` has what a
pass needs of the others.
"""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, F64, I16, I32, I64, Bool
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.postflop import Boards, Hands, River, Street


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
    mode: I64  # [1]: passes of two modes differ in nothing else
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
    """Scratch of one thread, for rivers.

    M nodes and B batches of a river group, of those that have most; D deals above the river. H is
    the larger number of hands, rounded up to a multiple of 16.
    """

    is_reached: Bool  # [D] the opponent comes to the deal with any hand
    moved_cfv: F32  # [P, D, H] river boards summed, by how their suits are renamed
    river_reach: F32  # [M, 16]
    river_own: F32  # [M, 16]
    river_policy: F32  # [M, 16]
    river_cfv: F32  # [M + 1, 16]; the last slot takes what nobody wants
    river_met: F32  # [M, 16] opponents met, at the slots of their reach
    show: F32  # [B, H + 1, 16] opponent reach in lanes; the last row is 0
    fold: F32  # [B, H + 1, 16] where folds are summed by themselves, see `by_hand`
    running: F32  # [B, rows, 16] running sums of `show`, see `RunningSums`
    card_sums: F64  # [53] of one reach: per card, and over all in the last place
    regret: F32  # of the decisions that learn at once, where regrets are stored as int16


class Level(NamedTuple):
    """A street above the river, in a pass: B boards of it, E entries, U units of rivers below."""

    p: Pass
    s: Side
    street: Street
    above: Reach  # at its entries
    rows: Rows  # one for each board
    works: Work  # one for each thread
    unit_start: I32  # [B + 1] units of each board's rivers; empty on a flop
    unit_cfv: F32  # [U, D, H] what each unit comes to; on a flop, each turn
    adds: bool  # whether `up` adds that up; else threads have shared it before
    cfv: F32  # [B, E, H] what each board comes to


class Rivers(NamedTuple):
    """The rivers of a pass, in U units: some of those below one board.

    Units are the same on any number of threads, and what they come to is added up in order.
    """

    p: Pass
    s: Side
    rows: Rows  # of each board above, whose deals lead here
    works: Work  # one for each thread
    cut: I64  # [U + 1] river boards where units begin
    unit_board: I32  # [U] the board above
    unit_cfv: F32  # [U, D, H]


class Walk(NamedTuple):
    """A whole pass of one player, from the spot's own street: river, turn or flop."""

    depth: int  # streets above the river
    first: Level  # the spot's own street, if it is above the river
    turn: Level  # that of a flop
    rivers: Rivers
    above: Reach  # what both players come with; a gadget changes its own
    cfv: F32  # [1, H] what it all comes to
    gadget: Gadget
    lock_unit: np.float32  # see `locks.restore`


class Codes(NamedTuple):
    """Addresses of the compiled work that a pass hands out; see `kernels.crew`."""

    down: int
    rivers: int
    add: int
    up: int
    after: int  # 0 where there are neither locks nor a gadget
