"""CFR in sequence form: the four steps of an iteration, for one player at a time.

A player's *plan* is the probability that his own actions play a sequence; his opponent's plan and
chance decide what his sequences are worth. With sigma the policy, up(i) the sequence before
information set i, and q = (i, a) a sequence of i:

    match    sigma(q) by regret matching over the actions of i, see `kernels.regret`
             plan(q)  = plan(up(i)) * sigma(q), and 1 for the empty sequence
    reap     cfv(q)   = sum of +-payoff(z) * opponent's plan(z) over the terminals z that end in q
    back up  cfv(i)   = sum over a of sigma(i, a) * cfv(i, a), added to cfv(up(i)), bottom up
    learn    r        = cfv(q) - cfv(i), and plan(q) was played; see `kernels.regret`

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

from typing import NamedTuple

from poker_solver.kernels.arrays import F64, I32, I64


class Form(NamedTuple):
    """The game: I information sets, Q sequences, Z terminals; see trees.compiled for the order."""

    first_info: I64  # [3]
    info_level: I32  # [I]
    info_start: I32  # [I + 1]
    info_parent: I32  # [I]
    terminal_sequence: I32  # [2, Z]
    payoff: F64  # [Z] to player 0


class State(NamedTuple):
    """What an iteration changes."""

    regret: F64  # [Q] cumulative, faded by the schedule
    policy_sum: F64  # [Q] likewise
    last: F64  # [Q] regret of the last iteration; empty if the schedule does not predict
    policy: F64  # [Q] current
    plan: F64  # [Q + 2] own reach of each sequence under the current policy
    cfv: F64  # [Q + 2] counterfactual values, seen by the sequence's owner
