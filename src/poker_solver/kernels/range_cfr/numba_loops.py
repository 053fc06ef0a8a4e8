"""The loops of `on_numba`: depth first, with a few rows of scratch whatever the tree.

A node's rows are touched while they are in cache, and ranges are multiplied into the payoff
matrix hand by hand, so hands that do not get to a node cost nothing there. Helpers take whole
arrays and row numbers, and nothing here allocates.

A tree may be cut for threads: `cut[v]` is the number of a subtree that is walked on its own, -1
elsewhere. `spread` finds both players' reach at the cuts, `update` then learns each of them, and
at last the trunk above them, where it stops at the cuts and takes their values as given. Leaves
are cuts that nobody learns here.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from poker_solver.kernels.arrays import F64, I32, I64
from poker_solver.kernels.range_cfr import DECISION, FOLDED, LEAF, State, Tree
from poker_solver.kernels.regret import Rule, Weights
from poker_solver.kernels.regret.on_numba import add_policy, clip, discount, floor
from poker_solver.runtime.compiling import listen

listen()

_JIT: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz"},  # fused multiply-add, and -0 = 0: no reordering
    # Nothing is allocated, so nothing need be counted: 1.86 -> 1.42 ms per iteration of `standard`.
    "_nrt": False,
}
_TINY = 1e-150

TOP = np.int64(0)
"""The depth where a walk begins. As a plain 0 it would be a constant to the compiler, which would
make a second copy of everything that is called with it."""

# Rows of scratch at each depth: reach of the player who updates and of the other, values, the
# best response's, the policy of the action under way, and what makes it: 1 / sum over actions
# (0 where that sum is 0), and the share of an action there (0 elsewhere).
OWN, OTHER, CFV, BEST, _SIGMA, _INVERSE, _UNIFORM, NUM_ROWS = range(8)

# What is kept at each depth of a walk: the node, its next child, and the depths where the two
# reaches last changed.
_NODE, _NEXT, _OWN_AT, _OTHER_AT, NUM_MARKS = range(5)


class Deal(NamedTuple):
    """What of `Hands` the loops read."""

    edge: F64  # [H, H]
    part: F64  # [15, H]: the 14 parts of pairs, and its diagonal
    rank: I64  # [2, H]
    share: F64  # [2, H]


class Scratch(NamedTuple):
    """What one walk needs; D levels."""

    rows: F64  # [D + 1, NUM_ROWS, H]
    support: I64  # [D + 1, H + 1] the hands in the other's range; last, how many
    marks: I64  # [D + 1, NUM_MARKS]
    sums: F64  # [15]


class Cuts(NamedTuple):
    """Where the tree is cut for threads: K subtrees, or none."""

    cut: I32  # [V]
    reach: F64  # [K, 2, H] own and other's, from `spread`
    cfv: F64  # [K, H] from `update` of each


class Leaves(NamedTuple):
    """What strategies are worth below the tree, at K leaves or none."""

    leaf: I32  # [V] which k
    best: F64  # [K, H] of a best response
    mean: F64  # [K, H] of the average


class Job(NamedTuple):
    """One solve, as the loops see it."""

    tree: Tree
    deal: Deal
    state: State
    cuts: Cuts
    rule: Rule


@njit(**_JIT)
def update(job: Job, weights: Weights, player: int, root: int, scratch: Scratch) -> None:
    """Learn everything below `root`; its cfv is left in row CFV of depth TOP."""
    tree, cuts, rows, marks = job.tree, job.cuts, scratch.rows, scratch.marks
    state, rule = job.state, job.rule
    depth = TOP
    _enter(root, depth, TOP, TOP, tree.child_start, marks)
    _match(rows, depth, state, rule, tree.child_start[root], tree.child_start[root + 1])
    while True:
        node, c = marks[depth, _NODE], marks[depth, _NEXT]
        is_mine = tree.actor[node] == player
        below = depth + 1
        if c == tree.child_start[node + 1]:
            if is_mine:
                _subtract_cfv(rows, depth, state, rule, tree.child_start[node], c)
            if depth == TOP:
                return
            depth -= 1
            is_mine = tree.actor[marks[depth, _NODE]] == player
            _learn_child(rows, depth, is_mine, state, weights, rule, marks[depth, _NEXT] - 1)
            continue
        marks[depth, _NEXT] = c + 1
        own_at, other_at = marks[depth, _OWN_AT], marks[depth, _OTHER_AT]
        _match_into(rows, depth, state, rule, c)
        if is_mine:
            _multiply(rows, below, OWN, own_at, depth)
            _sum_policy(rows, below, state, weights, c)
            own_at = below
        else:
            _multiply(rows, below, OTHER, other_at, depth)
            is_empty = _narrow(rows, scratch.support, below, other_at) == 0
            other_at = below
            if is_empty and cuts.cut[c] < 0:
                if tree.kind[c] == DECISION:
                    fade(job, weights, player, c, below, own_at, scratch)
                continue
        if tree.kind[c] == DECISION and cuts.cut[c] < 0:
            depth = below
            _enter(c, depth, own_at, other_at, tree.child_start, marks)
            _match(rows, depth, state, rule, tree.child_start[c], tree.child_start[c + 1])
            continue
        if cuts.cut[c] >= 0:
            for h in range(rows.shape[2]):
                rows[below, CFV, h] = cuts.cfv[cuts.cut[c], h]
        else:
            _clear(rows, below, CFV)
            add_end(below, other_at, tree, job.deal, c, player, scratch)
        _learn_child(rows, depth, is_mine, state, weights, rule, c)


@njit(**_JIT)
def fade(
    job: Job, weights: Weights, player: int, root: int, top: int, own_at: int, scratch: Scratch
) -> None:
    """Learn where the other player never gets: regrets fade, and own reach is summed.

    Uses the scratch from depth `top` down; own reach at `root` stands at depth `own_at`.
    """
    tree, cut, rows, marks = job.tree, job.cuts.cut, scratch.rows, scratch.marks
    state, rule = job.state, job.rule
    depth = top
    _enter(root, depth, own_at, top, tree.child_start, marks)
    _match(rows, depth, state, rule, tree.child_start[root], tree.child_start[root + 1])
    while depth >= top:
        node, c = marks[depth, _NODE], marks[depth, _NEXT]
        if c == tree.child_start[node + 1]:
            depth -= 1
            continue
        marks[depth, _NEXT] = c + 1
        own_at = marks[depth, _OWN_AT]
        if tree.actor[node] == player:
            _match_into(rows, depth, state, rule, c)
            _multiply(rows, depth + 1, OWN, own_at, depth)
            _sum_policy(rows, depth + 1, state, weights, c)
            _fade_regret(state, weights, rule, c)
            own_at = depth + 1
        if tree.kind[c] == DECISION and cut[c] < 0:
            depth += 1
            _enter(c, depth, own_at, top, tree.child_start, marks)
            if tree.actor[c] == player:
                _match(rows, depth, state, rule, tree.child_start[c], tree.child_start[c + 1])


@njit(**_JIT)
def spread(job: Job, player: int, scratch: Scratch) -> None:
    """Find both players' reach at the cuts; nothing is learnt."""
    tree, state, cuts, rule = job.tree, job.state, job.cuts, job.rule
    rows, marks = scratch.rows, scratch.marks
    depth = TOP
    _enter(TOP, depth, TOP, TOP, tree.child_start, marks)
    _match(rows, depth, state, rule, tree.child_start[0], tree.child_start[1])
    while depth >= TOP:
        node, c = marks[depth, _NODE], marks[depth, _NEXT]
        if c == tree.child_start[node + 1]:
            depth -= 1
            continue
        marks[depth, _NEXT] = c + 1
        if tree.kind[c] != DECISION:
            continue
        below = depth + 1
        own_at, other_at = marks[depth, _OWN_AT], marks[depth, _OTHER_AT]
        _match_into(rows, depth, state, rule, c)
        if tree.actor[node] == player:
            _multiply(rows, below, OWN, own_at, depth)
            own_at = below
        else:
            _multiply(rows, below, OTHER, other_at, depth)
            other_at = below
        if cuts.cut[c] >= 0:
            for h in range(rows.shape[2]):
                cuts.reach[cuts.cut[c], 0, h] = rows[own_at, OWN, h]
                cuts.reach[cuts.cut[c], 1, h] = rows[other_at, OTHER, h]
            continue
        depth = below
        _enter(c, depth, own_at, other_at, tree.child_start, marks)
        _match(rows, depth, state, rule, tree.child_start[c], tree.child_start[c + 1])


@njit(**_JIT)
def learn_cuts(job: Job, weights: Weights, player: int, nodes: I64, scratch: Scratch) -> None:
    """Learn the subtrees at these cuts and leave their values there."""
    rows, support, cuts = scratch.rows, scratch.support, job.cuts
    num_hands = rows.shape[2]
    for i in range(nodes.shape[0]):
        k = cuts.cut[nodes[i]]
        count = 0
        for h in range(num_hands):
            rows[TOP, OWN, h] = cuts.reach[k, 0, h]
            rows[TOP, OTHER, h] = cuts.reach[k, 1, h]
            support[TOP, count] = h
            count += cuts.reach[k, 1, h] != 0.0
        support[TOP, num_hands] = count
        if count > 0:
            update(job, weights, player, nodes[i], scratch)
        else:
            fade(job, weights, player, nodes[i], TOP, TOP, scratch)
            _clear(rows, TOP, CFV)
        for h in range(num_hands):
            cuts.cfv[k, h] = rows[TOP, CFV, h]


@njit(**_JIT)
def respond(
    tree: Tree, deal: Deal, policy_sum: F64, player: int, root: int, leaves: Leaves,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Leave in rows BEST and CFV of depth TOP what a best response and the average get."""
    rows, marks = scratch.rows, scratch.marks
    depth = TOP
    _enter(root, depth, TOP, TOP, tree.child_start, marks)
    _average(rows, depth, policy_sum, tree.child_start[root], tree.child_start[root + 1])
    while True:
        node, c = marks[depth, _NODE], marks[depth, _NEXT]
        below = depth + 1
        if c == tree.child_start[node + 1]:
            if depth == TOP:
                return
            depth -= 1
            node = marks[depth, _NODE]
            is_first = marks[depth, _NEXT] == tree.child_start[node] + 1
            _absorb(rows, depth, tree.actor[node] == player, is_first)
            continue
        marks[depth, _NEXT] = c + 1
        other_at = marks[depth, _OTHER_AT]
        _average_into(rows, depth, policy_sum, c)
        is_mine = tree.actor[node] == player
        if not is_mine:
            _multiply(rows, below, OTHER, other_at, depth)
            if _narrow(rows, scratch.support, below, other_at) == 0:
                continue
            other_at = below
        if tree.kind[c] == DECISION:
            depth = below
            _enter(c, depth, TOP, other_at, tree.child_start, marks)
            _average(rows, depth, policy_sum, tree.child_start[c], tree.child_start[c + 1])
        else:
            if tree.kind[c] == LEAF:
                for h in range(rows.shape[2]):
                    rows[below, BEST, h] = leaves.best[leaves.leaf[c], h]
                    rows[below, CFV, h] = leaves.mean[leaves.leaf[c], h]
            else:
                _clear(rows, below, CFV)
                add_end(below, other_at, tree, deal, c, player, scratch)
                for h in range(rows.shape[2]):
                    rows[below, BEST, h] = rows[below, CFV, h]
            _absorb(rows, depth, is_mine, c == tree.child_start[node])


@njit(**_JIT)
def _enter(node: int, depth: int, own_at: int, other_at: int, child_start: I64, marks: I64) -> None:
    marks[depth, _NODE] = node
    marks[depth, _NEXT] = child_start[node]
    marks[depth, _OWN_AT] = own_at
    marks[depth, _OTHER_AT] = other_at


@njit(**_JIT)
def add_end(
    depth: int, other_at: int, tree: Tree, deal: Deal, node: int, player: int, scratch: Scratch
) -> None:
    """Add to row CFV of a depth that of the player where the betting is over."""
    stake = tree.stake[node]
    if tree.kind[node] == FOLDED:
        factor = -stake if tree.actor[node] == player else stake
        _add_pairs(depth, other_at, factor, deal, scratch)
        return
    _add_edge(depth, other_at, stake, deal.edge, scratch)
    drop = tree.drop[node]
    if drop != 0.0:
        _add_pairs(depth, other_at, -drop, deal, scratch)


@njit(**_JIT)
def _add_edge(depth: int, other_at: int, stake: float, edge: F64, scratch: Scratch) -> None:
    """Do cfv += stake * edge' @ other, over the hands the other player has."""
    rows, support = scratch.rows, scratch.support
    num_hands = rows.shape[2]
    count = support[other_at, num_hands]
    k = 0
    while k + 4 <= count:
        i0, i1 = support[other_at, k], support[other_at, k + 1]
        i2, i3 = support[other_at, k + 2], support[other_at, k + 3]
        w0, w1 = stake * rows[other_at, OTHER, i0], stake * rows[other_at, OTHER, i1]
        w2, w3 = stake * rows[other_at, OTHER, i2], stake * rows[other_at, OTHER, i3]
        for h in range(num_hands):
            rows[depth, CFV, h] += (w0 * edge[i0, h] + w1 * edge[i1, h]) + (
                w2 * edge[i2, h] + w3 * edge[i3, h]
            )
        k += 4
    while k < count:
        i0 = support[other_at, k]
        w0 = stake * rows[other_at, OTHER, i0]
        for h in range(num_hands):
            rows[depth, CFV, h] += w0 * edge[i0, h]
        k += 1


@njit(**_JIT)
def _add_pairs(depth: int, other_at: int, factor: float, deal: Deal, scratch: Scratch) -> None:
    """Do cfv += factor * pairs @ other, by way of the parts of pairs."""
    rows, support, sums = scratch.rows, scratch.support, scratch.sums
    part, rank, share = deal.part, deal.rank, deal.share
    num_hands = rows.shape[2]
    sums[:] = 0.0
    for k in range(support[other_at, num_hands]):
        j = support[other_at, k]
        w = factor * rows[other_at, OTHER, j]
        sums[0] += part[0, j] * w
        sums[1 + rank[0, j]] -= share[0, j] * w
        sums[1 + rank[1, j]] -= share[1, j] * w
    for k in range(0, 14, 7):
        s0, s1, s2, s3 = sums[k], sums[k + 1], sums[k + 2], sums[k + 3]
        s4, s5, s6 = sums[k + 4], sums[k + 5], sums[k + 6]
        for h in range(num_hands):
            rows[depth, CFV, h] += (
                (s0 * part[k, h] + s1 * part[k + 1, h])
                + (s2 * part[k + 2, h] + s3 * part[k + 3, h])
                + (s4 * part[k + 4, h] + s5 * part[k + 5, h] + s6 * part[k + 6, h])
            )
    for h in range(num_hands):
        rows[depth, CFV, h] += part[14, h] * (factor * rows[other_at, OTHER, h])


@njit(**_JIT)
def _narrow(rows: F64, support: I64, below: int, above: int) -> int:
    """List the hands in the range below, all of them among those above; how many."""
    last = rows.shape[2]
    count = 0
    for k in range(support[above, last]):
        j = support[above, k]
        support[below, count] = j
        count += rows[below, OTHER, j] != 0.0
    support[below, last] = count
    return count


@njit(**_JIT)
def _match(rows: F64, depth: int, state: State, rule: Rule, first: int, end: int) -> None:
    """Clear the values of a node and prepare regret matching over its children."""
    regret, last = state.regret, state.last
    _clear(rows, depth, CFV)
    _clear(rows, depth, _INVERSE)
    for c in range(first, end):
        if rule.prediction != 0.0:
            for h in range(rows.shape[2]):
                m = clip(regret[c, h] + rule.prediction * last[c, h])
                rows[depth, _INVERSE, h] += m
        else:
            for h in range(rows.shape[2]):
                rows[depth, _INVERSE, h] += clip(regret[c, h])
    _invert(rows, depth, 1.0 / (end - first))


@njit(**_JIT)
def _match_into(rows: F64, depth: int, state: State, rule: Rule, c: int) -> None:
    regret, last = state.regret, state.last
    if rule.prediction != 0.0:
        for h in range(rows.shape[2]):
            m = clip(regret[c, h] + rule.prediction * last[c, h])
            rows[depth, _SIGMA, h] = m * rows[depth, _INVERSE, h] + rows[depth, _UNIFORM, h]
    else:
        for h in range(rows.shape[2]):
            m = clip(regret[c, h])
            rows[depth, _SIGMA, h] = m * rows[depth, _INVERSE, h] + rows[depth, _UNIFORM, h]


@njit(**_JIT)
def _average(rows: F64, depth: int, policy_sum: F64, first: int, end: int) -> None:
    """Clear the values of a node and prepare the average strategy of its children."""
    _clear(rows, depth, CFV)
    _clear(rows, depth, BEST)
    _clear(rows, depth, _INVERSE)
    for c in range(first, end):
        for h in range(rows.shape[2]):
            rows[depth, _INVERSE, h] += policy_sum[c, h]
    _invert(rows, depth, 1.0 / (end - first))


@njit(**_JIT)
def _average_into(rows: F64, depth: int, policy_sum: F64, c: int) -> None:
    for h in range(rows.shape[2]):
        rows[depth, _SIGMA, h] = (
            policy_sum[c, h] * rows[depth, _INVERSE, h] + rows[depth, _UNIFORM, h]
        )


@njit(**_JIT)
def _invert(rows: F64, depth: int, share: float) -> None:
    for h in range(rows.shape[2]):
        x = rows[depth, _INVERSE, h]
        rows[depth, _UNIFORM, h] = 0.0 if x > 0.0 else share
        rows[depth, _INVERSE, h] = 1.0 / x if x > 0.0 else 0.0


@njit(**_JIT)
def _absorb(rows: F64, depth: int, is_mine: bool, is_first: bool) -> None:
    """Take a child's values into its parent's."""
    if not is_mine:
        _add(rows, depth, CFV, depth + 1, CFV)
        _add(rows, depth, BEST, depth + 1, BEST)
        return
    for h in range(rows.shape[2]):
        rows[depth, CFV, h] += rows[depth, _SIGMA, h] * rows[depth + 1, CFV, h]
    for h in range(rows.shape[2]):
        best, value = rows[depth, BEST, h], rows[depth + 1, BEST, h]
        rows[depth, BEST, h] = value if is_first or value > best else best


@njit(**_JIT)
def _sum_policy(rows: F64, below: int, state: State, weights: Weights, c: int) -> None:
    for h in range(rows.shape[2]):
        state.policy_sum[c, h] = add_policy(state.policy_sum[c, h], rows[below, OWN, h], weights)


@njit(**_JIT)
def _learn_child(
    rows: F64, depth: int, is_mine: bool, state: State, weights: Weights, rule: Rule, c: int
) -> None:
    """Take the child's value into the node's and, if the player acts here, into its regret.

    That fades and gets the value of the child; the node's own is taken off at the end.
    """
    below, regret, last = depth + 1, state.regret, state.last
    if not is_mine:
        _add(rows, depth, CFV, below, CFV)
        return
    for h in range(rows.shape[2]):
        rows[depth, CFV, h] += rows[depth, _SIGMA, h] * rows[below, CFV, h]
    for h in range(rows.shape[2]):
        regret[c, h] = discount(regret[c, h], weights) + rows[below, CFV, h]
    if rule.prediction != 0.0:
        for h in range(rows.shape[2]):
            last[c, h] = rows[below, CFV, h]


@njit(**_JIT)
def _subtract_cfv(rows: F64, depth: int, state: State, rule: Rule, first: int, end: int) -> None:
    regret, last = state.regret, state.last
    for c in range(first, end):
        for h in range(rows.shape[2]):
            regret[c, h] = floor(regret[c, h] - rows[depth, CFV, h], rule)
        if rule.prediction != 0.0:
            for h in range(rows.shape[2]):
                last[c, h] -= rows[depth, CFV, h]


@njit(**_JIT)
def _fade_regret(state: State, weights: Weights, rule: Rule, c: int) -> None:
    """Regret without news; what has become tiny is dropped, or it would end up subnormal."""
    regret, last = state.regret, state.last
    for h in range(regret.shape[1]):
        new = discount(regret[c, h], weights)
        regret[c, h] = new if abs(new) > _TINY else 0.0
    if rule.prediction != 0.0:
        for h in range(regret.shape[1]):
            last[c, h] = 0.0


@njit(**_JIT)
def _clear(rows: F64, depth: int, row: int) -> None:
    for h in range(rows.shape[2]):
        rows[depth, row, h] = 0.0


@njit(**_JIT)
def _add(rows: F64, depth: int, to: int, source_depth: int, source: int) -> None:
    for h in range(rows.shape[2]):
        rows[depth, to, h] += rows[source_depth, source, h]


@njit(**_JIT)
def _multiply(rows: F64, below: int, row: int, above: int, depth: int) -> None:
    """Reach after the action under way at `depth`."""
    for h in range(rows.shape[2]):
        rows[below, row, h] = rows[above, row, h] * rows[depth, _SIGMA, h]
