"""Range CFR as the contract reads, one number at a time; see the package docstring."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from poker_solver.kernels.arrays import F64
from poker_solver.kernels.range_cfr import DECISION, FOLDED, LEAF, Hands, State, Tree
from poker_solver.kernels.regret import Rule, Weights
from poker_solver.kernels.regret.reference import add_policy, learn, normalise

NOTHING: Mapping[int, Any] = {}


def update(
    tree: Tree, hands: Hands, state: State, player: int, weights: Weights, rule: Rule,
    given: Mapping[int, F64] = NOTHING,
) -> None:  # fmt: skip
    """See the package docstring; `given` has the cfv of every leaf."""
    num_hands = len(hands.same)
    sigma = _match(tree, state, rule.prediction)
    regret_now: dict[int, F64] = {}

    def walk(node: int, own: F64, other: F64) -> F64:
        """Value to `player` of a node that both reach like this."""
        if tree.kind[node] == LEAF:
            return given[node]
        if tree.kind[node] != DECISION:
            return _end(tree, hands, node, player, other)
        children = range(tree.child_start[node], tree.child_start[node + 1])
        if tree.actor[node] != player:
            return _sum([walk(c, own, other * sigma[c]) for c in children])
        cfvs = {c: walk(c, own * sigma[c], other) for c in children}
        average = _sum([sigma[c] * cfvs[c] for c in children])
        for c in children:
            regret_now[c] = cfvs[c] - average
            for h in range(num_hands):
                played = own[h] * sigma[c][h]
                state.policy_sum[c, h] = add_policy(state.policy_sum[c, h], played, weights)
        return average

    walk(0, np.ones(num_hands), np.ones(num_hands))
    for c, added in regret_now.items():
        for h in range(num_hands):
            state.regret[c, h] = learn(state.regret[c, h], added[h], weights, rule)
        if rule.prediction:
            state.last[c] = added


def values(
    tree: Tree, hands: Hands, policy_sum: F64, player: int, node: int, other: F64,
    given: Mapping[int, tuple[F64, F64]] = NOTHING,
) -> tuple[F64, F64]:  # fmt: skip
    """See the package docstring; `given` has what a best response and the average get at leaves."""
    sigma = _shares(tree, policy_sum)

    def walk(node: int, other: F64) -> tuple[F64, F64]:
        if tree.kind[node] == LEAF:
            return given[node]
        if tree.kind[node] != DECISION:
            end = _end(tree, hands, node, player, other)
            return end, end
        children = range(tree.child_start[node], tree.child_start[node + 1])
        if tree.actor[node] != player:
            pairs = [walk(c, other * sigma[c]) for c in children]
            return _sum([b for b, _ in pairs]), _sum([a for _, a in pairs])
        pairs = [walk(c, other) for c in children]
        best = np.max([b for b, _ in pairs], axis=0)
        average = _sum([sigma[c] * a for c, (_, a) in zip(children, pairs, strict=True)])
        return best, average

    return walk(node, other)


def _sum(vectors: list[F64]) -> F64:
    total = np.zeros_like(vectors[0])
    for vector in vectors:
        total += vector
    return total


def _end(tree: Tree, hands: Hands, node: int, player: int, other: F64) -> F64:
    cfv = np.zeros(len(other))
    for h in range(len(other)):
        met = math.fsum(hands.pairs[h, j] * other[j] for j in range(len(other)))
        if tree.kind[node] == FOLDED:
            sign = -1 if tree.actor[node] == player else 1
            cfv[h] = sign * tree.stake[node] * met
        else:
            won = math.fsum(hands.edge[j, h] * other[j] for j in range(len(other)))
            cfv[h] = tree.stake[node] * won - tree.drop[node] * met
    return cfv


def _match(tree: Tree, state: State, prediction: float) -> F64:
    wanted = state.regret + prediction * state.last if prediction else state.regret
    return _shares(tree, np.maximum(wanted, 0.0))


def _shares(tree: Tree, weight: F64) -> F64:
    """[V, H] each child's part of what its siblings have together; uniform where that is 0."""
    sigma = np.zeros_like(weight)
    for node in range(len(tree.kind)):
        children = slice(tree.child_start[node], tree.child_start[node + 1])
        for h in range(weight.shape[1]) if tree.kind[node] == DECISION else ():
            sigma[children, h] = normalise(weight[children, h].tolist())
    return sigma
