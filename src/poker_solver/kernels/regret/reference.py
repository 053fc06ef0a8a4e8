"""The formulas of the package docstring, one number at a time in float64."""

from collections.abc import Sequence

from poker_solver.kernels.regret import Rule, Weights


def match(
    regret: Sequence[float], last: Sequence[float], prediction: float, least: float = 0.0
) -> list[float]:
    """The strategy of one decision; `last` is read only with a prediction."""
    if prediction:
        regret = [old + prediction * r for old, r in zip(regret, last, strict=True)]
    return normalise([max(old, 0.0) for old in regret], least)


def normalise(weights: Sequence[float], least: float = 0.0) -> list[float]:
    """Shares of the sum; uniform where the sum is not above `least`."""
    total = sum(weights)
    if total > least:
        return [weight / total for weight in weights]
    return [1.0 / len(weights)] * len(weights)


def learn(regret: float, r: float, weights: Weights, rule: Rule) -> float:
    """The new regret of an action."""
    new = regret * (weights.positive if regret > 0 else weights.negative) + r
    return max(new, 0.0) if rule.drops_negative else new


def add_policy(policy_sum: float, played: float, weights: Weights) -> float:
    """The new policy sum of an action, `played` being own reach times its probability."""
    return policy_sum * weights.policy + played
