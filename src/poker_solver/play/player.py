"""A player: told the events of a hand, asked what to do and why; it plays, advises and reviews.

Whatever goes wrong inside, it checks or folds and says why. What it is told is checked: an event
that cannot be is refused with one line, and the hand stays as it was.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from poker_solver.errors import InputError
from poker_solver.games.betting import POSITIONS
from poker_solver.play.hand import PokerHand, position
from poker_solver.play.mix import HandMix, Policy, check_or_fold, sound_mix

LOG = logging.getLogger("poker_solver.player")


@dataclass(frozen=True)
class Advice:
    """An action and its reasons."""

    action: str  # as in lines: f, x, c, b375, r2.5 before the flop, a
    amount_chips: int  # that it bets or raises to on this street; 0 if nothing
    mix: Mapping[str, float]  # token -> probability
    ev_chips: Mapping[str, float]  # out of the pot from here on, where known; a fold is 0
    source: str  # rule, stored, model, search, cache, fallback
    ms: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reviewed:
    """One decision of a hand that was played."""

    hand: PokerHand  # before it
    played: str
    decision: HandMix
    nearest: str  # of the mix, to what was played
    ev_lost_chips: float | None  # against the best action; None where EVs are not known

    @property
    def frequency(self) -> float:
        """How often the strategy does what was played."""
        return self.decision.mix.get(self.nearest, 0.0)


@dataclass(frozen=True)
class Safe:
    """A strategy that never raises and never does what is not allowed; slow answers are logged."""

    strategy: Policy
    budget_ms: float | None = None
    problems: list[str] = field(default_factory=list)  # why it checked or folded, newest last

    @property
    def name(self) -> str:
        """Of the strategy."""
        return self.strategy.name

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """What the strategy does, or check or fold."""
        try:
            found = self.strategy.decide(hand.seen_by(hand.actor), combo)
            mix = sound_mix(hand, found.mix)
            evs = {t: ev for t, ev in found.ev_chips.items() if t in mix and np.isfinite(ev)}
            decision = HandMix(mix, found.source, evs, found.notes)
        except Exception as error:  # whatever it is, a hand is played to its end
            LOG.debug("after %s", hand, exc_info=True)
            why = " ".join(f"{type(error).__name__}: {error}".split())
            decision = check_or_fold(hand, f"could not decide: {why}")
        if decision.source == "fallback":
            self._tell(hand, decision.notes[0])
        return decision

    def _tell(self, hand: PokerHand, why: str) -> None:
        self.problems.append(f"after {hand}: {why}")
        del self.problems[:-1000]
        LOG.warning("after %s: %s", hand, why)

    def late(self, hand: PokerHand, ms: float) -> None:
        """Log an answer that took longer than it may."""
        if self.budget_ms is not None and ms > self.budget_ms:
            self._tell(hand, f"took {ms:.0f} ms, had {self.budget_ms:.0f}")


class Player:
    """Plays one seat of one hand at a time.

    Args:
        strategy: what it plays.
        budget_ms: how long an answer may take; one that takes longer is logged. A strategy that
            searches has its own deadline, which should not be later.
        seed: of what it draws from its mixes.
    """

    def __init__(
        self, strategy: Policy, *, budget_ms: float | None = None, seed: int | None = None
    ) -> None:
        self.safe = Safe(strategy, budget_ms)
        self._rng = np.random.default_rng(seed)
        self._hand: PokerHand | None = None
        self._seat = -1

    @property
    def name(self) -> str:
        """Of its strategy."""
        return self.safe.name

    @property
    def problems(self) -> list[str]:
        """Why it checked or folded, or was late; newest last."""
        return self.safe.problems

    @property
    def hand(self) -> PokerHand:
        """The hand so far."""
        if self._hand is None:
            raise InputError("no hand has begun: call start first")
        return self._hand

    @property
    def is_my_turn(self) -> bool:
        """Whether it is asked for an action."""
        return self._hand is not None and self._hand.actor == self._seat

    def start(self, seat: str, holding: str, stack_bb: float = 100) -> None:
        """A new hand: `SB` or `BB`, what it holds (`AhKh`), and both stacks."""
        own = position(seat)
        holes = ("", holding) if POSITIONS[own] == "SB" else (holding, "")
        if not holding:
            raise InputError("a hand begins with two cards, as in AhKh")
        self._hand, self._seat = PokerHand.start(stack_bb, *holes), own

    def tell(self, event: str) -> None:
        """What happened: an action of either player (`r2.5`, `c`, `b375`, `a`), or cards."""
        self._hand = self.hand.then(event)

    def see(self, seat: str, hand: PokerHand) -> None:
        """The hand as it stands, in place of its events."""
        own = position(seat)
        if hand.holes[own] is None:
            raise InputError(f"the cards of {seat.upper()} are not known")
        self._hand, self._seat = hand.seen_by(own), own

    def tell_line(self, line: str) -> None:
        """The whole line of the hand so far, `SBr2.5 BBc | QsJh2h x b375`, in place of events."""
        stack, (big, small) = self.hand.stack_bb, self.hand.holes
        fresh = PokerHand.start(stack, "" if big is None else big, "" if small is None else small)
        self._hand = fresh.played(line)

    def advise(self) -> Advice:
        """What to do here, with its reasons; nothing is drawn: the likeliest is the action."""
        return self._answer(draw=False)

    def act(self) -> Advice:
        """An action drawn from the mix; to be told back as an event once it was played."""
        return self._answer(draw=True)

    def _answer(self, draw: bool) -> Advice:
        hand = self.hand
        if not self.is_my_turn:
            raise InputError(f"it is not {POSITIONS[self._seat]}'s turn after {hand}")
        combo = hand.holes[self._seat]
        assert combo is not None
        began = time.perf_counter()
        decision = self.safe.decide(hand, combo)
        tokens, shares = [*decision.mix], np.array([*decision.mix.values()])
        which = self._rng.choice(len(tokens), p=shares) if draw else int(shares.argmax())
        ms = (time.perf_counter() - began) * 1000
        self.safe.late(hand, ms)
        return Advice(
            action=tokens[which],
            amount_chips=hand.amount_of(tokens[which]),
            mix=decision.mix,
            ev_chips=decision.ev_chips,
            source=decision.source,
            ms=ms,
            notes=decision.notes,
        )

    def review(self, hand: PokerHand, seat: str) -> list[Reviewed]:
        """Every decision of a seat, whose cards are known: the mix to play, and the EV lost."""
        own = position(seat)
        combo = hand.holes[own]
        if combo is None:
            raise InputError(f"the cards of {seat.upper()} are not known: nothing to review")
        return [
            judge(before, played, self.safe.decide(before, combo))
            for before, played in hand.steps()
            if before.actor == own
        ]


def judge(hand: PokerHand, played: str, decision: HandMix) -> Reviewed:
    """A decision beside what was played; an amount that the mix has not counts as its nearest."""
    nearest = played if played in decision.mix else _nearest(hand, played, decision)
    known = decision.ev_chips
    lost = max(known.values()) - known[nearest] if nearest in known else None
    if any(token not in known for token in decision.mix):
        lost = None
    return Reviewed(hand, played, decision, nearest, lost)


def _nearest(hand: PokerHand, played: str, decision: HandMix) -> str:
    """The token of the mix whose amount is nearest, by ratio, to what was played."""
    amount = hand.amount_of(played)
    known = {token: hand.amount_of(token) for token in decision.mix}
    bets = {token: chips for token, chips in known.items() if chips > 0}
    if amount == 0 or not bets:
        return played
    return min(bets, key=lambda token: max(bets[token], amount) / min(bets[token], amount))
