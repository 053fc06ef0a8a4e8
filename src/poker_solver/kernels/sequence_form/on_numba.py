"""The steps as compiled loops on one core. See the package docstring."""

import numpy as np
from numba import njit

from poker_solver.kernels.arrays import F64
from poker_solver.kernels.regret import Rule, Weights
from poker_solver.kernels.regret.on_numba import add_policy, clip, discount, floor
from poker_solver.kernels.sequence_form import Form, State
from poker_solver.runtime.compiling import listen

listen()


class Engine:
    """The state of one solve in main memory."""

    pass_bytes = 0  # terminals are summed as they are read

    def __init__(self, form: Form, rule: Rule, *, alternating: bool = True) -> None:
        """Allocate the state, before the first iteration."""
        num_sequences = int(form.info_start[-1])
        num_last = num_sequences if rule.prediction > 0 else 0
        self.form, self.rule, self.alternating = form, rule, alternating
        self.state = State(
            regret=np.zeros(num_sequences),
            policy_sum=np.zeros(num_sequences),
            last=np.zeros(num_last),
            policy=np.zeros(num_sequences),
            plan=np.zeros(num_sequences + 2),
            cfv=np.zeros(num_sequences + 2),
        )
        start(form, self.state, rule)

    def run(self, weights: F64) -> None:
        """One iteration for each row (positive, negative, policy) of weights."""
        run(self.form, self.state, self.rule, self.alternating, weights)

    def stored(self) -> dict[str, F64]:
        """What a run carries from one iteration to the next; the arrays themselves."""
        return {name: getattr(self.state, name) for name in ("regret", "policy_sum", "last")}

    def restore(self, arrays: dict[str, F64]) -> None:
        """Go on from what `stored` gave."""
        for name, array in self.stored().items():
            array[:] = arrays[name]
        start(self.form, self.state, self.rule)

    def value(self, policy: F64, player: int, *, best: bool) -> float:
        """What the player gets against the other's policy: by his own, or by the best response."""
        return float(value(self.form, policy, player, best))


@njit(cache=True, nogil=True)
def run(form: Form, state: State, rule: Rule, alternating: bool, table: F64) -> None:
    """One iteration for each row (positive, negative, policy) of the table."""
    for t in range(len(table)):
        weights = Weights(table[t, 0], table[t, 1], table[t, 2])
        if alternating:
            for player in range(2):
                _reap(form, state.plan, state.cfv, player)
                _learn(form, state, rule, weights, player)
                _match(form, state, rule, player)
        else:
            for player in range(2):
                _reap(form, state.plan, state.cfv, player)
            for player in range(2):
                _learn(form, state, rule, weights, player)
                _match(form, state, rule, player)


@njit(cache=True, nogil=True)
def value(form: Form, policy: F64, player: int, best: bool) -> float:
    """What the player gets against the other's policy: by his own, or by the best response."""
    plan, cfv = np.zeros(len(policy) + 2), np.zeros(len(policy) + 2)
    _follow(form, policy, plan, 1 - player)
    _reap(form, plan, cfv, player)
    for i in range(form.first_info[player + 1] - 1, form.first_info[player] - 1, -1):
        first, last = form.info_start[i], form.info_start[i + 1]
        total = 0.0
        highest = cfv[first]
        for q in range(first, last):
            total += policy[q] * cfv[q]
            highest = max(highest, cfv[q])
        cfv[form.info_parent[i]] += highest if best else total
    return float(cfv[len(policy) + player])


@njit(cache=True, nogil=True)
def start(form: Form, state: State, rule: Rule) -> None:
    """Set policy and plan of both players to what the regrets say."""
    for player in range(2):
        _match(form, state, rule, player)


@njit(cache=True, nogil=True)
def _match(form: Form, state: State, rule: Rule, player: int) -> None:
    plan, policy = state.plan, state.policy
    plan[len(policy) + player] = 1.0
    for i in range(form.first_info[player], form.first_info[player + 1]):
        first, last = form.info_start[i], form.info_start[i + 1]
        total = 0.0
        for q in range(first, last):
            m = state.regret[q]
            if rule.prediction > 0.0:
                m += rule.prediction * state.last[q]
            policy[q] = clip(m)
            total += policy[q]
        reach = plan[form.info_parent[i]]
        uniform = 1.0 / (last - first)
        for q in range(first, last):
            policy[q] = policy[q] / total if total > 0.0 else uniform
            plan[q] = reach * policy[q]


@njit(cache=True, nogil=True)
def _follow(form: Form, policy: F64, plan: F64, player: int) -> None:
    plan[len(policy) + player] = 1.0
    for i in range(form.first_info[player], form.first_info[player + 1]):
        reach = plan[form.info_parent[i]]
        for q in range(form.info_start[i], form.info_start[i + 1]):
            plan[q] = reach * policy[q]


@njit(cache=True, nogil=True)
def _reap(form: Form, plan: F64, cfv: F64, player: int) -> None:
    first, last = form.first_info[player], form.first_info[player + 1]
    for q in range(form.info_start[first], form.info_start[last]):
        cfv[q] = 0.0
    cfv[len(cfv) - 2 + player] = 0.0
    own, other = form.terminal_sequence[player], form.terminal_sequence[1 - player]
    if player == 0:
        for z in range(len(form.payoff)):
            cfv[own[z]] += form.payoff[z] * plan[other[z]]
    else:
        for z in range(len(form.payoff)):
            cfv[own[z]] -= form.payoff[z] * plan[other[z]]


@njit(cache=True, nogil=True)
def _learn(form: Form, state: State, rule: Rule, weights: Weights, player: int) -> None:
    regret, policy_sum, cfv = state.regret, state.policy_sum, state.cfv
    for i in range(form.first_info[player + 1] - 1, form.first_info[player] - 1, -1):
        first, last = form.info_start[i], form.info_start[i + 1]
        total = 0.0
        for q in range(first, last):
            total += state.policy[q] * cfv[q]
        cfv[form.info_parent[i]] += total
        for q in range(first, last):
            r = cfv[q] - total
            regret[q] = floor(discount(regret[q], weights) + r, rule)
            policy_sum[q] = add_policy(policy_sum[q], state.plan[q], weights)
            if rule.prediction > 0.0:
                state.last[q] = r
