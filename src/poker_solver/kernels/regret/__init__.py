"""Regret matching and the regret update: one decision with A actions, every hand by itself.

With positive, negative and policy the factors of an iteration (`Weights`), prediction and
drops_negative what a schedule fixes for a whole run (`Rule`), and b running over the actions:

    match    m(a)       = max(regret(a) + prediction * last(a), 0)
             sigma(a)   = m(a) / sum of m(b), and 1 / A where that sum is 0
    learn    r(a)       = cfv(a) - sum of sigma(b) * cfv(b)
             regret     = regret * (positive where regret > 0, else negative) + r,
                          then at least 0 if drops_negative
             policy_sum = policy_sum * policy + own reach * sigma
             last       = r, if the schedule predicts

The average strategy is `policy_sum` normalised in the same way. Float32 backends take a sum that is
not above TINY for 0. A backend that drops negative regret by `negative` = 0 alone stores what the
next iteration would drop, and plays the same strategies.

Who calls: `cfr.generic.vanilla` and all references use `reference`, `sequence_form` and `range_cfr`
use `on_numba` and `on_torch`, `postflop.torch` uses `on_torch`. The CPU's postflop kernels are
vector code and have their own one place, `postflop.cpu.simd.blocks`; so have CUDA's.

Error budget against `reference`, eps of the dtype; weights and sigma are at most 1:

    sigma       (A + 2) eps: A - 1 additions, a division, perhaps by way of the inverse; both sides
    regret      2 eps (|regret| + |r|): a product and a sum of each side, fused or not
    policy_sum  2 eps (policy_sum + own reach), likewise
"""

from typing import NamedTuple

TINY = 1e-37
"""A sum that is not above this counts as 0: its inverse would be no number in float32."""


class Weights(NamedTuple):
    """What stored numbers are multiplied by before an iteration adds its own."""

    positive: float
    negative: float
    policy: float


class Rule(NamedTuple):
    """What a schedule fixes for a whole run."""

    prediction: float
    drops_negative: bool


PLAIN = Rule(prediction=0.0, drops_negative=False)
"""Of the postflop kernels."""
