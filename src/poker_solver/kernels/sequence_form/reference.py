"""The steps in plain loops, float64: slow and obvious. See the package docstring."""

import math

import numpy as np

from poker_solver.kernels.arrays import F64
from poker_solver.kernels.regret import Rule, Weights
from poker_solver.kernels.regret import reference as regret_reference
from poker_solver.kernels.sequence_form import Form, State


def run(form: Form, state: State, rule: Rule, weights: Weights, *, alternating: bool) -> None:
    """One iteration."""
    for players in ([0], [1]) if alternating else ([0, 1],):
        for player in players:
            reap(form, state.plan, state.cfv, player)
        for player in players:
            learn(form, state, rule, weights, player)
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
        own = slice(form.info_start[i], form.info_start[i + 1])
        state.policy[own] = regret_reference.match(
            state.regret[own].tolist(), state.last[own].tolist(), rule.prediction
        )
    follow(form, state.policy, state.plan, player)


def follow(form: Form, policy: F64, plan: F64, player: int) -> None:
    """The plan of a policy."""
    plan[len(policy) + player] = 1.0
    for i in info_sets(form, player):
        for q in sequences(form, i):
            plan[q] = plan[form.info_parent[i]] * policy[q]


def reap(form: Form, plan: F64, cfv: F64, player: int) -> None:
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


def learn(form: Form, state: State, rule: Rule, weights: Weights, player: int) -> None:
    """Back up and learn; see the package docstring."""
    regret, policy_sum = state.regret, state.policy_sum
    for i in reversed(info_sets(form, player)):
        value = math.fsum(state.policy[q] * state.cfv[q] for q in sequences(form, i))
        state.cfv[form.info_parent[i]] += value
        for q in sequences(form, i):
            r = state.cfv[q] - value
            regret[q] = regret_reference.learn(regret[q], r, weights, rule)
            policy_sum[q] = regret_reference.add_policy(policy_sum[q], state.plan[q], weights)
            if rule.prediction:
                state.last[q] = r


def value(form: Form, policy: F64, player: int, *, best: bool) -> float:
    """What the player gets against the other's policy: by his own, or by the best response."""
    plan, cfv = np.zeros(len(policy) + 2), np.zeros(len(policy) + 2)
    follow(form, policy, plan, 1 - player)
    reap(form, plan, cfv, player)
    for i in reversed(info_sets(form, player)):
        values = [cfv[q] for q in sequences(form, i)]
        mixed = math.fsum(policy[q] * cfv[q] for q in sequences(form, i))
        cfv[form.info_parent[i]] += max(values) if best else mixed
    return float(cfv[len(policy) + player])
