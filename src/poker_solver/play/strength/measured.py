"""What a player wins per hand, from samples: a mean and its 95 % interval, in mbb."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from poker_solver.config.base import CHIPS_PER_BB

MBB_PER_CHIP = 1000 / CHIPS_PER_BB

_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Measured:
    """mbb per hand; the interval holds 95 % of the time, for many samples."""

    mbb: float
    half_width_mbb: float  # of the interval; NaN for a single sample
    num_samples: int
    sd_mbb: float  # standard deviation of a sample

    @classmethod
    def of(cls, chips: Sequence[float]) -> "Measured":
        """From independent samples, in chips per hand."""
        count = len(chips)
        nan = float("nan")
        if not count:
            return cls(nan, nan, 0, nan)
        mean = sum(chips) / count
        if count == 1:
            return cls(mean * MBB_PER_CHIP, nan, 1, nan)
        spread = sqrt(sum((won - mean) ** 2 for won in chips) / (count - 1))
        half = _NORMAL_95 * spread / sqrt(count)
        return cls(mean * MBB_PER_CHIP, half * MBB_PER_CHIP, count, spread * MBB_PER_CHIP)

    @property
    def interval_mbb(self) -> tuple[float, float]:
        """Its two ends."""
        return self.mbb - self.half_width_mbb, self.mbb + self.half_width_mbb

    def __str__(self) -> str:
        """`+31.2 ± 12.0 mbb`."""
        if self.num_samples < 2:
            return (
                f"{self.mbb:+,.1f} mbb, too few to say how far off" if self.num_samples else "none"
            )
        return f"{self.mbb:+,.1f} ± {self.half_width_mbb:,.1f} mbb"


def numbers(found: Measured) -> dict[str, float | None]:
    """Plain values for JSON; None where there are too few samples."""
    known = {"mean": found.mbb, "plus_minus": found.half_width_mbb, "sd": found.sd_mbb}
    return {name: None if x != x else round(x, 3) for name, x in known.items()}
