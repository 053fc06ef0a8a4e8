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
terminal, 4e-6 of its stake times the opponent's reach, for there wins and losses may cancel.
"""

from typing import Any, NamedTuple

LEARN, BEST, MEAN, RECORD = 0, 1, 2, 3

OOP, IP, DEAL, FOLD, SHOWDOWN = 0, 1, 2, 3, 4

LANES = 16

OPPONENT = 64
"""Added to the number of actions in a step up, where it is the opponent who acts."""


class Locks(NamedTuple):
    """Fixed strategies of one street: K of its N nodes, on B boards, by M different tables."""

    node: Any  # [N] int32 which k; -1 where no board has a lock
    table: Any  # [K, B] int32 which m holds on a board; -1 for none
    is_fixed: Any  # [M, H] bool; H of the player with more hands
    policy: Any  # [M, A, H] float32; 0 for hands that are free


class State(NamedTuple):
    """What a solve keeps, flat: node after node of a board, [action, hand] each.

    Regrets are float32, or int16 with one scale per decision and board. Regret matching does not
    ask for the scale.
    """

    stored: Any  # what policies are made of: `regret` in LEARN, `policy_sum` in the other modes
    regret: Any  # float32 or int16
    scale: Any  # [decisions on all boards] float32 that int16 is multiplied by; else empty
    policy_sum: Any  # float32


class Street(NamedTuple):
    """An upper street's part of the template, entries first in each line; N nodes."""

    kind: Any  # [N] int32
    parent: Any  # [N] int32; -1 at an entry
    first_child: Any  # [N] int32, in this street; at a DEAL the number of the deal
    num_children: Any  # [N] int32
    entry: Any  # [N] int32 number of the deal above that leads here; -1 inside a line
    offset: Any  # [N] int64 where the state of board 0 begins
    stride: Any  # [N] int64 from one board to the next
    scale_at: Any  # [N] int64 place of the scale of board 0
    scale_stride: Any  # int64 from one board to the next
    payoff: Any  # [2, N] float32 cfv per unit of reach at a FOLD, for each player
    locks: Locks


class River(NamedTuple):
    """The river's part of the template, cut into groups whose terminals share lanes; N nodes.

    The order of the groups is that of the state: a board's groups follow each other in memory.
    """

    group_start: Any  # [G + 1] int32
    kind: Any  # [N] int32
    parent: Any  # [N] int32; -1 at an entry
    first_child: Any  # [N] int32
    num_children: Any  # [N] int32
    entry: Any  # [N] int32 number of the deal above; -1 inside a line
    offset: Any  # [N] int64
    stride: Any  # [N] int64
    scale_at: Any  # [N] int64
    scale_stride: Any  # int64
    part_start: Any  # [2 G + 1] int64 where OOP's and IP's state of each group begins on board 0
    payoff: Any  # [2, N, 3] float32 win, lose, tie, for each player; a FOLD has its value first
    entries: "Program"  # where lines begin: number of the deal above, slot
    plays: "Program"  # a player's decisions: actions, offset, slot of his reach, first slot below
    again: "Program"  # likewise, only those below which he acts once more
    ups: "Program"  # all decisions from below, for a player's pass: actions, offset, slot, first
    # slot below, slot of his reach; OPPONENT is added to the actions where he does not act
    show: "Lanes"
    fold: "Lanes"
    joined: Any  # [2, G] bool the group's folds stand in the lanes of its showdowns
    locks: Locks


class Program(NamedTuple):
    """What there is to do in each of G groups, in order, for either player.

    Offsets of state count from where the river's state of a board begins. Sixteen hands of a node
    stand in a *slot* of the group's scratch, said by where it begins.
    """

    start: Any  # [2, G + 1] int32 steps of each group, for each player
    steps: Any  # [K, ..] int32


class Lanes(NamedTuple):
    """The terminals of one kind, sixteen to a batch; K batches over all groups.

    A batch that is not full repeats its first source and writes into the spare last slot.
    """

    batch_start: Any  # [2, G + 1] int32 batches of each group, for each player
    source: Any  # [2, K, 16] int32 slot, in the group, of the opponent's reach
    target: Any  # [2, K, 16] int32 slot of the terminal
    payoff: Any  # [2, K, 3, 16] float32 win, lose, tie; a FOLD has its one value first


class Hands(NamedTuple):
    """One player's H hands on R river boards and T boards of the street above."""

    cards: Any  # [H, 2] uint8
    twin: Any  # [H] int32 the opponent's same hand; -1 if he has it not
    twin_lane: Any  # [H] int32 likewise; a row of lanes that is always 0 if he has it not
    hands: Any  # [H] int32 every hand as a place, see `lanes`
    apart: Any  # [H] int32 the same so ordered that neighbours seldom share a card
    is_live: Any  # [T, H] float32 0 where the turn card is in the hand
    is_live_river: Any  # [R, H] float32 0 where turn or river card is in the hand
    order: Any  # [R, H] int32 hand at each place: live ones from weak to strong, then the others
    num_live: Any  # [R] int32
    places: Any  # [R, H] int32 the hands of `order` as places, see `lanes`
    step_start: Any  # [R + 1] int32 steps of board r: step_start[r]:step_start[r + 1]
    steps: Any  # [K, 3] int32 opponent places to count; own places that then are looked at
    moved: Any  # [P, H] int32 where each hand goes when suits are renamed; the first is no change


class Boards(NamedTuple):
    """How boards hang together; see trees.runouts."""

    river_start: Any  # [T + 1] int32
    river_share: Any  # float32: 1 / rivers that can fall; 1 where the spot starts on the river
    turn_share: Any  # float32 likewise
    river_card_start: Any  # [R + 1] int32 real rivers of each representative
    river_card_move: Any  # [..] int32 which renaming takes each to the representative
    turn_card_start: Any  # [T + 1] int32
    turn_card_move: Any  # [..] int32


class Work(NamedTuple):
    """Scratch of one thread.

    S nodes of an upper street, D of its deals; M nodes and B batches of a river group, of those
    that have most. H is the larger number of hands, rounded up to a multiple of 16.
    """

    reach: Any  # [S, H] the opponent's
    own: Any  # [S, H]
    policy: Any  # [S, H] of the action that leads here
    cfv: Any  # [S, H]
    deal_reach: Any  # [D, H]
    deal_own: Any  # [D, H]
    deal_cfv: Any  # [D, H]
    is_reached: Any  # [D] bool the opponent comes to the deal with any hand
    moved_cfv: Any  # [P, D, H] river boards summed, by how their suits are renamed
    river_reach: Any  # [M, 16]
    river_own: Any  # [M, 16]
    river_policy: Any  # [M, 16]
    river_cfv: Any  # [M + 1, 16]; the last slot takes what nobody wants
    show: Any  # [B, H + 1, 16] opponent reach in lanes; the last row is 0
    fold: Any  # [B, H + 1, 16]
    won: Any  # [B, H, 16] L* + E*
    show_sums: Any  # [B, 53, 16] per card, and over all in the last row
    fold_sums: Any  # [B, 53, 16]
    card_sums: Any  # [53] float64 likewise, one lane
    regret: Any  # of the decisions that learn at once, as float32
