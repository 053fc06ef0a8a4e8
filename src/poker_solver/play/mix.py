"""What a strategy says at a decision: a mix over legal actions, of one hand or of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.errors import StrategyError
from poker_solver.play.hand import PokerHand

F64 = NDArray[np.float64]

_EVEN = 1e-4
"""Probabilities that are as near as this to a sum of 1 are taken."""


@dataclass(frozen=True)
class HandMix:
    """What one hand does. EVs are chips out of the pot from here on; a fold is 0."""

    mix: Mapping[str, float]  # token -> probability
    source: str  # rule, stored, odds, search, cache, fallback
    ev_chips: Mapping[str, float] = field(default_factory=dict)  # of tokens where it is known
    notes: tuple[str, ...] = ()  # what was assumed, or what went wrong

    @property
    def mean_ev_chips(self) -> float | None:
        """Of the mix; None where an EV is not known."""
        if not all(token in self.ev_chips for token, p in self.mix.items() if p > 0):
            return None
        return sum(p * self.ev_chips[token] for token, p in self.mix.items() if p > 0)


@dataclass(frozen=True, eq=False)
class RangeMix:
    """What every hand does; A actions."""

    actions: tuple[str, ...]
    strategy: F64  # [A, 1326] of every combo; 0 where it cannot be held
    source: str
    ev_chips: F64 | None = None  # [A, 1326] NaN where it is not known
    notes: tuple[str, ...] = ()

    def of(self, combo: int) -> HandMix:
        """What one hand does."""
        mix = dict(zip(self.actions, self.strategy[:, combo].tolist(), strict=True))
        if self.ev_chips is None:
            return HandMix(mix, self.source, notes=self.notes)
        evs = dict(zip(self.actions, self.ev_chips[:, combo].tolist(), strict=True))
        known = {token: ev for token, ev in evs.items() if ev == ev}
        return HandMix(mix, self.source, known, self.notes)

    @classmethod
    def same_for_all(cls, decision: HandMix) -> "RangeMix":
        """Every hand does the same."""
        shares = np.array([*decision.mix.values()])
        strategy = np.repeat(shares[:, None], NUM_COMBOS, axis=1)
        return cls(tuple(decision.mix), strategy, decision.source, notes=decision.notes)


class Policy(Protocol):
    """Whoever can say what to do at any decision of any hand."""

    @property
    def name(self) -> str:
        """What to call it."""

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """What the player to act does with a combo; the hand is seen, not both holdings."""

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """What he does with every combo."""


def check_or_fold(hand: PokerHand, why: str) -> HandMix:
    """What is always legal and never costs chips."""
    return HandMix({hand.legal.passive: 1.0}, "fallback", notes=(why,))


def sound_mix(hand: PokerHand, mix: Mapping[str, float]) -> dict[str, float]:
    """A mix, refused if an action is illegal or probabilities are none; tokens as rules write them.

    Two tokens that mean one action are added up.
    """
    found: dict[str, float] = {}
    for token, share in mix.items():
        if not 0 <= share <= 1 + _EVEN:
            raise StrategyError(f"{token!r} has probability {share}, must be 0 to 1")
        written = hand.rules.any_step(hand.betting, token).token
        found[written] = found.get(written, 0.0) + float(share)
    total = sum(found.values())
    if not abs(total - 1) <= _EVEN:
        raise StrategyError(f"probabilities {found} sum to {total:g}, must be 1")
    return {token: share / total for token, share in found.items()}
