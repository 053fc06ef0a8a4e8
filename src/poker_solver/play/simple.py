"""Strategies that look at nothing: always call, always fold, any legal amount at random."""

from poker_solver.games.betting import ALL_IN
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import HandMix, RangeMix


class AlwaysCall:
    """Checks and calls, whatever it holds."""

    name = "always-call"

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        return HandMix({hand.legal.call: 1.0}, "rule")

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        return RangeMix.same_for_all(self.decide(hand, 0))


class AlwaysFold:
    """Checks, and folds to any bet."""

    name = "always-fold"

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        return HandMix({hand.legal.passive: 1.0}, "rule")

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        return RangeMix.same_for_all(self.decide(hand, 0))


class RandomAmounts:
    """Folds to a bet one time in eight, bets any legal amount every third, else checks or calls.

    Amounts are log-uniform, so that small ones and all-ins both come. They depend on the public
    line alone, which keeps a hand the same whenever it is asked about, and its range exact.
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        legal = hand.legal
        mix = {legal.call: 1.0}
        if legal.least:
            for token in self._amounts(hand):
                mix[token] = mix.get(token, 0.0) + 1 / 6
            mix[legal.call] -= 1 / 3
        if legal.passive != legal.call:
            mix[legal.passive] = 1 / 8
            mix[legal.call] -= 1 / 8
        return HandMix(mix, "rule")

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        return RangeMix.same_for_all(self.decide(hand, 0))

    def _amounts(self, hand: PokerHand) -> tuple[str, ...]:
        """Two legal amounts of this line."""
        from random import Random

        draw, legal = Random(f"{self.seed} {hand}"), hand.legal
        if legal.least == legal.most:
            return ALL_IN, ALL_IN
        spread = legal.most / legal.least
        amounts = (round(legal.least * spread ** draw.random()) for _ in range(2))
        return tuple(hand.bet_token(min(max(n, legal.least), legal.most)) for n in amounts)
