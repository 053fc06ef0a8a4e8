"""Range-vector CFR on a public tree after the flop: one pass for one player.

The betting tree without cards is the template; it is walked board by board. Carried down: the
opponent's reach (times chance) and the player's own; carried up: counterfactual values (cfv) of the
player's hands. Rows of hands stand in one order everywhere; only a showdown looks hands up in the
order of their strength on its board.

With w the opponent's reach at a terminal, W(x) its sum over hands that hold card x, and
L(x), E(x) the same over hands weaker, and weaker or equal, h = (a, b), and W*, L*, E* meaning
X(all) - X(a) - X(b):

    fold       cfv(h) = u * (W* + w(h))                    the identical hand was taken off twice
    showdown   cfv(h) = u_win * L* + u_lose * (W* - E*) + u_tie * (E* - L* + w(h))

    opponent   cfv = sum over actions of cfv(action); his reach is multiplied by his policy
    player     cfv = sum over actions of policy * cfv(action)
               regrets and policy sums by `kernels.regret`, r = cfv(action) - cfv
    deal       cfv(h) = sum over cards not in h of cfv after the card; the opponent's reach is
               divided by the number of cards that can fall

A policy is `regret` clipped at 0 and normalised over the actions, see `kernels.regret`.
Where the opponent's or the player's hand holds a dealt card, reach and cfv are 0.

`mode` says what a pass is for: LEARN plays policies from regrets and updates the player's; BEST
plays the opponent's average and the best action of each hand; MEAN plays both averages. These two
change nothing. RECORD is BEST and writes into `regret`, which then is no state but an output, 1 at
the best action of each of the player's hands and 0 at the others; all 0 where all are equally good.

Where a hand's strategy is locked, BEST and RECORD pass up the value of that strategy. The state of
locked hands holds their probabilities: whoever runs a LEARN pass puts them back after it.

Lanes: terminals of one river board are summed sixteen at a time, reach as [hand, 16], so that a
row of lanes is one cache line and the order in which hands are visited costs nothing.

Error budget against `reference` in float32: one pass, 4e-6 of the largest absolute cfv; one
terminal, 4e-6 of its stake times the opponent's reach, for there wins and losses may cancel. That
reach is of all his hands, also of those that the player's hand blocks: where nearly all of it is
blocked, terminals are summed hand against hand instead (`cpu.by_hand`, `torch.walk`), and the reach
is that of the hands that can meet. `postflop.game.MOST_BLOCKED` says when.
"""

from typing import NamedTuple

import numpy as np

from poker_solver.kernels.arrays import F32, I32, I64, U8, U16, Bool

LEARN, BEST, MEAN, RECORD = 0, 1, 2, 3

OOP, IP, DEAL, FOLD, SHOWDOWN = 0, 1, 2, 3, 4

LANES = 16

OPPONENT = 64
"""Added to the number of actions in a step up, where it is the opponent who acts."""


class Locks(NamedTuple):
    """Fixed strategies of one street: K of its N nodes, on B boards, by M different tables."""

    node: I32  # [N] which k; -1 where no board has a lock
    table: I32  # [K, B] which m holds on a board; -1 for none
    is_fixed: Bool  # [M, H]; H of the player with more hands
    policy: F32  # [M, A, H]; 0 for hands that are free


class Street(NamedTuple):
    """An upper street's part of the template, entries first in each line; N nodes."""

    kind: I32  # [N]
    parent: I32  # [N]; -1 at an entry
    first_child: I32  # [N], in this street; at a DEAL the number of the deal
    num_children: I32  # [N]
    entry: I32  # [N] number of the deal above that leads here; -1 inside a line
    offset: I64  # [N] where the state of board 0 begins
    stride: I64  # [N] from one board to the next
    scale_at: I64  # [N] place of the scale of board 0
    scale_stride: np.int64  # from one board to the next
    payoff: F32  # [2, N] cfv per unit of reach at a FOLD, for each player
    locks: Locks


class River(NamedTuple):
    """The river's part of the template, cut into groups whose terminals share lanes; N nodes.

    The order of the groups is that of the state: a board's groups follow each other in memory.
    """

    group_start: I32  # [G + 1]
    kind: I32  # [N]
    parent: I32  # [N]; -1 at an entry
    first_child: I32  # [N]
    num_children: I32  # [N]
    entry: I32  # [N] number of the deal above; -1 inside a line
    offset: I64  # [N]
    stride: I64  # [N]
    scale_at: I64  # [N]
    scale_stride: np.int64
    part_start: I64  # [2 G + 1] where OOP's and IP's state of each group begins on board 0
    payoff: F32  # [2, N, 3] win, lose, tie, for each player; a FOLD has its value first
    entries: "Program"  # where lines begin: number of the deal above, slot
    plays: "Program"  # a player's decisions: actions, offset, slot of his reach, first slot below
    again: "Program"  # likewise, only those below which he acts once more
    ups: "Program"  # all decisions from below, for a player's pass: actions, offset, slot, first
    # slot below, slot of his reach; OPPONENT is added to the actions where he does not act
    show: "Lanes"
    fold: "Lanes"
    joined: Bool  # [2, G] the group's folds stand in the lanes of its showdowns
    rests: "Program"  # opponents met at a row of reach from those at others: how many of these,
    # slot, slot of the row before, first slot to take off; or, with -1, first slot to add up
    folds: "Program"  # slot of a FOLD, slot of the opponent's reach, place of what it pays
    locks: Locks


class Program(NamedTuple):
    """What there is to do in each of G groups, in order, for either player.

    Offsets of state count from where the river's state of a board begins. Sixteen hands of a node
    stand in a *slot* of the group's scratch, said by where it begins.
    """

    start: I32  # [2, G + 1] steps of each group, for each player
    steps: I32  # [K, ..]


class Lanes(NamedTuple):
    """The terminals of one kind, sixteen to a batch; K batches over all groups.

    A batch that is not full repeats its first source and writes into the spare last slot.
    """

    batch_start: I32  # [2, G + 1] batches of each group, for each player
    source: I32  # [2, K, 16] slot, in the group, of the opponent's reach
    target: I32  # [2, K, 16] slot of the terminal
    payoff: F32  # [2, K, 3, 16] win, lose, tie; a FOLD has its one value first


class RunningSums(NamedTuple):
    """How a player's hands look up sums of the opponent's at a showdown; see `cpu.simd.sums`.

    Entries say a row of sums or of hands, times 8. Row 0 is of no hand, the next 52 are of all with
    a card, the next of all; the rest are what hands on their way have seen. Counted are all hands
    by strength, then those with each card: four cards side by side.
    """

    counted: U16  # [R, S] hands
    rows: U16  # [R, S] where the sum up to that hand goes; one that nobody looks at is written over
    fours: I32  # [F] how many hands each four of cards have at most
    seen: U16  # [R, H, 6] sums of weaker, and of weaker or equal hands: of all, of either card
    held: U16  # [H, 2] sums of all hands with either card


class Hands(NamedTuple):
    """One player's H hands on R river boards and T boards of the street above."""

    cards: U8  # [H, 2]
    twin: I32  # [H] the opponent's same hand; -1 if he has it not
    twin_lane: I32  # [H] likewise; a row of lanes that is always 0 if he has it not
    is_live: F32  # [T, H] 0 where the turn card is in the hand
    is_live_river: F32  # [R, H] 0 where turn or river card is in the hand
    order: I32  # [R, H] hand at each place: live ones from weak to strong, then the others
    num_live: I32  # [R]
    step_start: I32  # [R + 1] steps of board r: step_start[r]:step_start[r + 1]
    steps: I32  # [K, 3] opponent places to count; own places that then are looked at
    sums: RunningSums
    moved: I32  # [P, H] where each hand goes when suits are renamed; the first is no change


class Boards(NamedTuple):
    """How boards hang together; see trees.runouts."""

    river_start: I32  # [T + 1]
    river_share: np.float32  # 1 / rivers that can fall; 1 where the spot starts on the river
    turn_share: np.float32  # likewise
    river_card_start: I32  # [R + 1] real rivers of each representative
    river_card_move: I32  # [..] which renaming takes each to the representative
    turn_card_start: I32  # [T + 1]
    turn_card_move: I32  # [..]

    def none(self) -> "Boards":
        """No board at all: with these a pass compiles everything and walks nothing."""
        begin = {name: getattr(self, name)[:1] for name in self._fields if name.endswith("_start")}
        return self._replace(**begin)
