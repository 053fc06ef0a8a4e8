"""CFR in sequence form: the four steps of an iteration, for one player at a time.

A player's *plan* is the probability that his own actions play a sequence; his opponent's plan and
chance decide what his sequences are worth. With sigma the policy, up(i) the sequence before
information set i, and q = (i, a) a sequence of i:

    match    sigma(q) = max(m(q), 0) / sum over the actions b of i of max(m(i, b), 0),
             uniform where that sum is 0; m = regret + prediction * last
             plan(q)  = plan(up(i)) * sigma(q), and 1 for the empty sequence
    reap     cfv(q)   = sum of +-payoff(z) * opponent's plan(z) over the terminals z that end in q
    back up  cfv(i)   = sum over a of sigma(i, a) * cfv(i, a), added to cfv(up(i)), bottom up
    learn    r        = cfv(q) - cfv(i)
             regret   = regret * (positive where regret > 0, else negative) + r,
                        then at least 0 if the schedule drops negative regret
             policy_sum = policy_sum * w + plan(q), the plan that was played

    best     cfv(i) = max over a of cfv(i, a) instead: the best response to the opponent's plan

Every function takes a `Form` (never written) and a `State` (written), and works on player p's
sequences only: what stands for the other player is left alone. Alternating updates do p = 0 and
then p = 1 with player 0's new plan; simultaneous ones reap for both before either learns.

Error budget against `reference`, one iteration or one value from the same state, absolute:

    (Z + Q + L (A + 3)) eps S,    S = max(1, sum over the terminals of |payoff|)

with L levels of at most A actions and eps of the dtype. A probability is off by (A + 2) eps / 2
after A - 1 additions and a division, a plan by L (A + 3) eps / 2 after L such factors, and a sum of
n terms in any order by n eps / 2 of the sum of their absolute values, which is at most S; no value
adds more than Z terminals and Q sequences. Both sides may err, hence twice that. For Leduc in
float64 this is 4e-13 S.
"""

from typing import Any, NamedTuple

from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)


class Form(NamedTuple):
    """The game: I information sets, Q sequences, Z terminals; see trees.compiled for the order."""

    first_info: Any  # [3] int64
    info_level: Any  # [I] int32
    info_start: Any  # [I + 1] int32
    info_parent: Any  # [I] int32
    terminal_sequence: Any  # [2, Z] int32
    payoff: Any  # [Z] to player 0


class State(NamedTuple):
    """What an iteration changes."""

    regret: Any  # [Q] cumulative, faded by the schedule
    policy_sum: Any  # [Q] likewise
    last: Any  # [Q] regret of the last iteration; empty if the schedule does not predict
    policy: Any  # [Q] current
    plan: Any  # [Q + 2] own reach of each sequence under the current policy
    cfv: Any  # [Q + 2] counterfactual values, seen by the sequence's owner


class Rule(NamedTuple):
    """What a schedule fixes for a whole run."""

    drops_negative: bool
    prediction: float
    alternating: bool
