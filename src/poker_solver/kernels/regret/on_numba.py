"""The formulas of the package docstring for one number, written into the loops that call them.

Inlined before compiling, so that a caller's own rules about fused multiply-add hold.
"""

from numba import njit

from poker_solver.kernels.regret import Rule, Weights

inlined = njit(inline="always")


@inlined
def clip(number: float) -> float:
    """What is above 0, and 0 for the rest."""
    return number if number > 0.0 else 0.0


@inlined
def discount(regret: float, weights: Weights) -> float:
    """A stored regret, faded."""
    return regret * (weights.positive if regret > 0.0 else weights.negative)


@inlined
def floor(regret: float, rule: Rule) -> float:
    """A regret as it is stored."""
    return clip(regret) if rule.drops_negative else regret


@inlined
def add_policy(policy_sum: float, played: float, weights: Weights) -> float:
    """A policy sum, faded, and what was played."""
    return policy_sum * weights.policy + played
