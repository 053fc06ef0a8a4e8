"""The steps in plain loops, float64: slow and obvious. See the package docstring."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.sequence_form import Form, Rule, State


def run(form: Form, state: State, rule: Rule, weights: NDArray[np.float64]) -> None:
    """One iteration for each row (positive, negative, policy) of weights."""
    for row in weights:
        for players in ([0], [1]) if rule.alternating else ([0, 1],):
            for player in players:
                reap(form, state.plan, state.cfv, player)
            for player in players:
                learn(form, state, rule, row, player)
            for player in players:
                match(form, state, rule, player)


def info_sets(form: Form, player: int) -> range:
    """The player's information sets, parents before children."""
    return range(int(form.first_info[player]), int(form.first_info[player + 1]))


def sequences(form: Form, i: int) -> range:
    """The sequences of information set i."""
    return range(int(form.info_start[i]), int(form.info_start[i + 1]))


def match(form: Form, state: State, rule: Rule, player: int) -> None:
    """See the package docstring."""
    for i in info_sets(form, player):
        matched = []
        for q in sequences(form, i):
            last = rule.prediction * state.last[q] if rule.prediction else 0.0
            matched.append(max(state.regret[q] + last, 0.0))
        total = math.fsum(matched)
        for q, m in zip(sequences(form, i), matched, strict=True):
            state.policy[q] = m / total if total > 0 else 1.0 / len(matched)
    follow(form, state.policy, state.plan, player)


def follow(form: Form, policy: NDArray[np.float64], plan: NDArray[np.float64], player: int) -> None:
    """The plan of a policy."""
    plan[len(policy) + player] = 1.0
    for i in info_sets(form, player):
        for q in sequences(form, i):
            plan[q] = plan[form.info_parent[i]] * policy[q]


def reap(form: Form, plan: NDArray[np.float64], cfv: NDArray[np.float64], player: int) -> None:
    """See the package docstring."""
    num_sequences = len(cfv) - 2
    cfv[num_sequences + player] = 0.0
    for i in info_sets(form, player):
        for q in sequences(form, i):
            cfv[q] = 0.0
    sign = 1.0 if player == 0 else -1.0
    for z in range(len(form.payoff)):
        own, other = form.terminal_sequence[player, z], form.terminal_sequence[1 - player, z]
        cfv[own] += sign * form.payoff[z] * plan[other]


def learn(form: Form, state: State, rule: Rule, weights: Sequence[float], player: int) -> None:
    """Back up and learn; see the package docstring."""
    positive, negative, keep = weights
    for i in reversed(info_sets(form, player)):
        value = math.fsum(state.policy[q] * state.cfv[q] for q in sequences(form, i))
        state.cfv[form.info_parent[i]] += value
        for q in sequences(form, i):
            r = state.cfv[q] - value
            faded = state.regret[q] * (positive if state.regret[q] > 0 else negative)
            state.regret[q] = max(faded + r, 0.0) if rule.drops_negative else faded + r
            if rule.prediction:
                state.last[q] = r
            state.policy_sum[q] = state.policy_sum[q] * keep + state.plan[q]


def value(form: Form, policy: NDArray[np.float64], player: int, *, best: bool) -> float:
    """What the player gets against the other's policy: by his own, or by the best response."""
    plan, cfv = np.zeros(len(policy) + 2), np.zeros(len(policy) + 2)
    follow(form, policy, plan, 1 - player)
    reap(form, plan, cfv, player)
    for i in reversed(info_sets(form, player)):
        values = [cfv[q] for q in sequences(form, i)]
        mixed = math.fsum(policy[q] * cfv[q] for q in sequences(form, i))
        cfv[form.info_parent[i]] += max(values) if best else mixed
    return float(cfv[len(policy) + player])
