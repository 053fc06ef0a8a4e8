"""Local best response: how much a player can be seen to lose (Lisý and Bowling, 2017).

It knows the player's strategy, and so, at every moment, his exact range. It looks at fold, call, a
pot and the all-in, as if nothing were bet after that, and takes the best. What it wins is a lower
bound of what a best response would.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poker_solver.cards import COMBO_CARDS, unblocked
from poker_solver.errors import InputError
from poker_solver.play.deals import DealtCards, deal
from poker_solver.play.equities import equities
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import F64, Policy, RangeMix, check_or_fold, sound_mix
from poker_solver.play.strength.measured import Measured
from poker_solver.runtime.interrupts import Interrupt

STREETS = ("preflop", "flop", "turn", "river")


@dataclass
class LbrResult:
    """What local best response won so far."""

    name: str
    seed: int
    stack_bb: float
    first_street: str
    chips: list[float] = field(default_factory=list)  # per hand, one sample for each deal
    stopped: str = "hands"  # or interrupted

    @property
    def num_hands(self) -> int:
        """Two for every deal."""
        return 2 * len(self.chips)

    @property
    def lost(self) -> Measured:
        """By the player."""
        return Measured.of(self.chips)

    def summary(self) -> dict[str, Any]:
        """What `lbr --json` prints."""
        found = self.lost
        return {
            "player": self.name,
            "hands": self.num_hands,
            "seed": self.seed,
            "stack_bb": self.stack_bb,
            "from": self.first_street,
            "lbr_mbb": round(found.mbb, 3),
            "plus_minus": None if self.num_hands < 4 else round(found.half_width_mbb, 3),
            "stopped": self.stopped,
        }


def local_best_response(
    player: Policy,
    *,
    num_hands: int = 1000,
    stack_bb: float = 100,
    seed: int = 0,
    first_street: str = "preflop",
    report: Callable[[LbrResult], None] | None = None,
    stop: Interrupt | None = None,
) -> LbrResult:
    """Play so many hands, each deal once from both seats.

    Args:
        player: whose range and actions are asked for at every decision.
        num_hands: rounded up to whole deals.
        stack_bb: of both.
        seed: of the deals and of what is drawn.
        first_street: from where on it looks; before that it checks and calls.
        report: told after each deal.
        stop: ends it after a deal.
    """
    if first_street not in STREETS:
        raise InputError(f"street {first_street!r}: want one of {', '.join(STREETS)}")
    result = LbrResult(player.name, seed, stack_bb, first_street)
    for number in range((num_hands + 1) // 2):
        dealt, won = deal(seed, number), 0.0
        for seat in (0, 1):
            rng = np.random.default_rng([seed, number, seat, 3])
            hand = Responder(player, dealt, seat, STREETS.index(first_street), rng)
            won += hand.play(stack_bb) / 2
        result.chips.append(won)
        if report is not None:
            report(result)
        if stop is not None and stop.requested:
            result.stopped = "interrupted"
            break
    return result


@dataclass
class Responder:
    """One hand of local best response, from one seat."""

    player: Policy
    dealt: DealtCards
    seat: int
    first_street: int
    rng: np.random.Generator
    range: F64 = field(default_factory=lambda: np.ones(1326))  # [1326] reach of the player's hands

    def play(self, stack_bb: float) -> float:
        """What it wins, in chips."""
        hand = self.dealt.start(stack_bb)
        while not (hand := self.dealt.fall(hand)).is_over:
            hand = self._respond(hand) if hand.actor == self.seat else self._let_play(hand)
        return hand.won_chips(self.seat)

    @property
    def own(self) -> int:
        """Its combo."""
        return self.dealt.holes[self.seat]

    def _let_play(self, hand: PokerHand) -> PokerHand:
        """The player acts with his real hand; his range follows."""
        held = self.dealt.holes[1 - self.seat]
        found = mixes_of(self.player, hand)
        mix = found.of(held).mix
        tokens = [*mix]
        shares = np.array([*mix.values()])
        token = tokens[self.rng.choice(len(tokens), p=shares / shares.sum())]
        self.range = self.range * found.strategy[tokens.index(token)]
        return hand.act(token)

    def _respond(self, hand: PokerHand) -> PokerHand:
        legal = hand.legal
        if hand.betting.street < self.first_street:
            return hand.act(legal.call)
        met = self._met(hand.board)
        worth = {legal.call: self._worth(hand, met, 0, 0.0)}
        if legal.passive != legal.call:
            worth[legal.passive] = 0.0
        for amount in raises(hand):
            token = hand.bet_token(amount)
            theirs = mixes_of(self.player, hand.act(token))
            folds = np.zeros(1326)
            if "f" in theirs.actions:
                folds = theirs.strategy[theirs.actions.index("f")]
            gone = float(met @ folds / met.sum()) if met.any() else 0.0
            put_in = amount - hand.betting.bets[hand.actor]
            worth[token] = self._worth(hand, met * (1 - folds), put_in, gone)
        return hand.act(max(worth, key=lambda token: worth[token]))

    def _met(self, board: tuple[int, ...]) -> F64:
        """[1326] the player's range where cards leave it."""
        return self.range * unblocked((*COMBO_CARDS[self.own].tolist(), *board))

    def _worth(self, hand: PokerHand, met: F64, put_in: int, folds: float) -> float:
        """Chips out of the pot if nothing is bet after this; 0 `put_in` is a check or call."""
        call = hand.to_call_chips
        if not met.any():
            return folds * hand.pot_chips
        equity = np.nan_to_num(equities(self.own, hand.board))
        share = float(equity @ met / met.sum())
        paid = put_in or call
        pot = hand.pot_chips + paid + (paid - call)
        return folds * hand.pot_chips + (1 - folds) * (share * pot - paid)


def raises(hand: PokerHand) -> list[int]:
    """What it looks at: a pot and the all-in."""
    legal, here = hand.legal, hand.betting
    if not legal.least:
        return []
    facing = here.bets[1 - hand.actor]
    pot = facing + hand.pot_chips + hand.to_call_chips
    return sorted({min(max(pot, legal.least), legal.most), legal.most})


def mixes_of(player: Policy, hand: PokerHand) -> RangeMix:
    """What every hand of a player does, by legal actions; check or fold where he cannot say."""
    try:
        found = player.whole_range(hand)
        written = [next(iter(sound_mix(hand, {token: 1.0}))) for token in found.actions]
        return RangeMix(tuple(written), found.strategy, found.source)
    except InputError as error:
        return RangeMix.same_for_all(check_or_fold(hand, str(error)))
