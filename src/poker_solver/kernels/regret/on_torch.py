"""The formulas of the package docstring as tensor operations of any shape, on any device."""

from typing import NamedTuple

import torch
from torch import Tensor

from poker_solver.kernels.regret import Rule, Weights


class DeviceWeights(NamedTuple):
    """`Weights` that stand on a device, where a recorded graph reads the newest ones."""

    positive: Tensor
    negative: Tensor
    policy: Tensor


def clip(regret: Tensor, last: Tensor, prediction: float) -> Tensor:
    """What strategies are in proportion to; `last` is read only with a prediction."""
    return (regret + prediction * last if prediction else regret).clamp(min=0)


def normalise(
    weights: Tensor, total: Tensor, uniform: Tensor | float, least: float = 0.0
) -> Tensor:
    """Shares of a total; uniform where that is not above `least`."""
    return torch.where(total > least, weights / total, uniform)


def learn_into(
    regret: Tensor, policy_sum: Tensor, r: Tensor, played: Tensor,
    weights: Weights | DeviceWeights, rule: Rule,
) -> None:  # fmt: skip
    """Bring regrets and policy sums up to date; `played` is own reach times the strategy."""
    regret.mul_(torch.where(regret > 0, weights.positive, weights.negative)).add_(r)
    if rule.drops_negative:
        regret.clamp_(min=0)
    policy_sum.mul_(weights.policy).add_(played)
