"""CFR with ranges on a public tree: one update of one player, and what a strategy is worth.

V nodes numbered level by level, so that the children of u are child_start[u]:child_start[u + 1];
H hands, the same for both players; player p updates, o is the other one. With reach_p(u)[h] the
probability that p's own actions lead hand h to u (1 at the root), and c a child of u:

    match      sigma(c)[h] by regret matching over the children of u, see `kernels.regret`
    reach      reach_q(c) = reach_q(u) * sigma(c) if q acts at u, reach_q(u) if not
    ends       with r = reach_o(c),
               at a fold      cfv(c) = +-stake(c) * pairs @ r, - if p folded
               at a showdown  cfv(c) = stake(c) * edge' @ r - drop(c) * pairs @ r
               at a leaf      cfv(c) = what is given: somebody else plays on from there
    back up    cfv(u) = sum of sigma(c) * cfv(c) where p acts, sum of cfv(c) where o acts
    learn      r = cfv(c) - cfv(u) where p acts, and reach_p(c) was played; see `kernels.regret`

`pairs[i, j]` counts the deals of i to one player and j to the other; `edge[j, h]` is what h wins
off j in those deals, per unit staked: positive where h is ahead. Stakes are already divided by
the number of all deals, so the sum of cfv(root) over hands is the value per deal.

    update(tree, hands, state, player, weights, rule)   one learning step of `player`
    values(tree, hands, policy_sum, player, node, other)
        -> best [H], average [H]: cfv of `player` at `node`, which the other player reaches with
        `other` [H], if the other plays his average strategy from there on and `player` plays a
        best response, or his own average strategy

The average strategy is policy_sum over its sum at the node, uniform where that is 0.
The root's rows are never touched. All arrays are C order, and float64 where they hold numbers;
none may alias. Leaving out work where a reach is exactly 0 is allowed and changes nothing; where
the other player's reach is 0, regrets smaller than 1e-150 may become 0.

Error budget against `reference`, one step from the same state: 1e-12 relative to the largest
absolute value in the compared array; the order of additions over hands and children is free.
"""

from typing import NamedTuple

from poker_solver.kernels.arrays import F64, I8, I64

DECISION, FOLDED, SHOWDOWN, LEAF = 0, 1, 2, 3
"""`Tree.kind`; leaves are for the reference and the CPU."""


class Tree(NamedTuple):
    """The public tree; never written. With no line longer than num_levels - 1 actions."""

    num_levels: int
    child_start: I64  # [V + 1]
    kind: I8  # [V]
    actor: I8  # [V] 0 or 1 to act; at a fold, who folded; -1 at a showdown
    stake: F64  # [V] what the loser pays, per deal; at a showdown less half the rake
    drop: F64  # [V] half the rake at a showdown, per deal; 0 elsewhere


class Hands(NamedTuple):
    """The deal; never written.

    `pairs` is also given in parts, for it is rank 14 and a diagonal: the class has size[i]
    combos and holds share[i, k] of rank[i, k], and

        pairs[i, j] = sum over k of sign_k * part[k, i] * part[k, j] + same[i] * (i == j)

    with part[0] the size, sign_0 = 1, part[1 + rank] the share of that rank, and sign_k = -1.
    """

    pairs: F64  # [H, H] symmetric
    edge: F64  # [H, H]
    part: F64  # [14, H]
    same: F64  # [H]
    rank: I64  # [2, H] 0 to 12
    share: F64  # [2, H]; 0 for the second card of a pair


class State(NamedTuple):
    """What an update changes: rows of the children of `player`'s nodes."""

    regret: F64  # [V, H]
    policy_sum: F64  # [V, H]
    last: F64  # [V, H] the last r; [0, H] if the schedule does not predict
