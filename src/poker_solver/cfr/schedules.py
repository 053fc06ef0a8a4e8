"""Members of the CFR family as values: how regret and average are weighted, not how they are found.

| name | regret after iteration t | strategy from | average |
|---|---|---|---|
| CFR | R + r | R | plain |
| CFR+ | max(R + r, 0) | R | linear |
| LCFR | DCFR(1, 1, 1) | R | linear |
| DCFR (arXiv:1809.04040) | R faded by alpha above 0, by beta below, + r | R | gamma |
| PCFR+ | max(R + r, 0) | R + r, the last r as prediction | quadratic |
| SAPCFR+ (arXiv:2503.12770) | max(R + r, 0) | R + r / 3 | quadratic, or gamma 5 for precision |
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isnan, pow
from typing import Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import ScheduleError
from poker_solver.kernels.regret import Rule, Weights


@dataclass(frozen=True)
class Schedule:
    """One member of the discounted-CFR family.

    Before iteration t adds its own, what is stored is multiplied: positive regret by
    fade(t-1, alpha), negative regret by fade(t-1, beta), the policy sum by ((t-1)/t)**gamma.
    With beta = -inf negative regret is dropped as soon as it appears. The strategy is matched
    to R + prediction * r, r being the regret of the last iteration.
    """

    alpha: float
    beta: float
    gamma: float
    prediction: float = 0.0

    def __post_init__(self) -> None:
        if problems := self._problems():
            raise ScheduleError("; ".join(problems))

    def _problems(self) -> list[str]:
        found = []
        if isnan(self.alpha) or self.alpha <= 0:
            found.append(
                f"alpha is {self.alpha}, must be above 0: at or below it positive regret halves "
                "every iteration and nothing converges"
            )
        if isnan(self.beta):
            found.append("beta is nan, must be a number or an infinity")
        if not 0 <= self.gamma < inf:
            found.append(f"gamma is {self.gamma}, must be 0 or more and finite")
        if not 0 <= self.prediction <= 1:
            found.append(f"prediction is {self.prediction}, must be from 0 to 1")
        return found

    def to_texts(self) -> list[str]:
        """The four numbers for a file's header, exact; `from_texts` reads them back."""
        numbers = (self.alpha, self.beta, self.gamma, self.prediction)
        return [repr(float(number)) for number in numbers]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """The schedule of a file."""
        return cls(*map(float, texts))

    @property
    def rule(self) -> Rule:
        """What holds for every iteration."""
        return Rule(prediction=float(self.prediction), drops_negative=self.beta == -inf)

    def at(self, t: int) -> Weights:
        """Return the three factors for iteration t, counted from 1."""
        return Weights(
            positive=fade(t - 1, self.alpha),
            negative=fade(t - 1, self.beta),
            policy=((t - 1) / t) ** self.gamma,
        )

    def table(self, first: int, count: int) -> NDArray[np.float64]:
        """[count, 3] the same factors for many iterations, to rounding."""
        t = np.arange(first, first + count, dtype=np.float64)
        columns = (_fades(t - 1, self.alpha), _fades(t - 1, self.beta), ((t - 1) / t) ** self.gamma)
        return np.stack(columns, axis=1)

    def __str__(self) -> str:
        for name, schedule in NAMED.items():
            if schedule == self:
                return name
        numbers = [self.alpha, self.beta, self.gamma]
        if self.prediction:
            numbers.append(self.prediction)
        return "dcfr:" + ",".join(repr(float(x)).removesuffix(".0") for x in numbers)


def fade(s: int, exponent: float) -> float:
    """s**exponent / (s**exponent + 1), with both infinities meaning what they say; 0 at s = 0."""
    if exponent == inf:
        return 1.0
    if exponent == -inf or s == 0:
        return 0.0
    small = pow(s, -abs(exponent))  # at most 1, so that no exponent overflows
    return small / (small + 1.0) if exponent < 0 else 1.0 / (1.0 + small)


def _fades(s: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """`fade` of many."""
    if abs(exponent) == inf:
        return np.full_like(s, fade(1, exponent))
    small = np.maximum(s, 1.0) ** -abs(exponent)
    faded = small / (small + 1.0) if exponent < 0 else 1.0 / (1.0 + small)
    return np.where(s > 0, faded, 0.0)


CFR = Schedule(alpha=inf, beta=inf, gamma=0)
CFR_PLUS = Schedule(alpha=inf, beta=-inf, gamma=1)
LCFR = Schedule(alpha=1, beta=1, gamma=1)
DCFR = Schedule(alpha=1.5, beta=0, gamma=2)
PCFR_PLUS = Schedule(alpha=inf, beta=-inf, gamma=2, prediction=1)
SAPCFR_PLUS = Schedule(alpha=inf, beta=-inf, gamma=2, prediction=1 / 3)
PRECISE = Schedule(alpha=inf, beta=-inf, gamma=5, prediction=1 / 3)
"""SAPCFR+ with gamma 5: the one to use on small games when every digit counts."""

NAMED = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "lcfr": LCFR,
    "dcfr": DCFR,
    "pcfr+": PCFR_PLUS,
    "sapcfr+": SAPCFR_PLUS,
    "precise": PRECISE,
}

_NUMBER = r" *[+-]?(?:inf|(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:e[+-]?[0-9]{1,4})?) *"
_NUMBERS = rf"{_NUMBER}(?:,{_NUMBER}){{2,3}}"
_DCFR = re.compile(rf"dcfr:({_NUMBERS})|dcfr\(({_NUMBERS})\)")


def parse_schedule(text: str) -> Schedule:
    """Read `dcfr`, `cfr+`, ... or `dcfr:1.25,0.5,4`, with a fourth number for the prediction."""
    wanted = text.strip().lower()
    if wanted in NAMED:
        return NAMED[wanted]
    if match := _DCFR.fullmatch(wanted):
        return Schedule(*map(float, (match[1] or match[2]).split(",")))
    raise ScheduleError(
        f"schedule is {text!r}, must be one of {', '.join(NAMED)}, or dcfr:ALPHA,BETA,GAMMA"
    )


def as_schedule(schedule: Schedule | str) -> Schedule:
    """A schedule by value or by name."""
    return parse_schedule(schedule) if isinstance(schedule, str) else schedule
