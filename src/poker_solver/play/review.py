"""Hands that were played, decision by decision: the mix to play, and what each decision lost.

Before the flop the stored strategy of the nearest stack answers. After it every street is solved
with the pot, the stacks and the sizes that were really there, from the ranges that the stored
strategy brings to the flop. Unless flops are solved, which takes a while, they are searched on a
few turns, and no EVs are said there. What is lost is counted against what the strategy's own mix
earns; less than a search can tell counts as nothing.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from poker_solver.cards import cards_to_string
from poker_solver.config.base import CHIPS_PER_BB, to_bb
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.shipped import shipped_games
from poker_solver.games.betting import FLOP, PREFLOP
from poker_solver.play.find import load_books
from poker_solver.play.hand import PokerHand
from poker_solver.play.stored import (
    StoredPolicy,
    point_of,
    preflop_evs,
    real_tokens,
    stack_bb,
    supported,
)

if TYPE_CHECKING:
    from poker_solver.subgame.replay import ReplayedDecision, ReplayedStreet

LOG = logging.getLogger("poker_solver.review")

BUDGET_MS = 200.0
"""Of every decision that is searched."""

FAR_STACK, FAR_SIZE = 1.3, 1.5
"""Ratios above which EVs of another stack or of another size say nothing about what was played."""

PLAYED = 0.05
"""A hand that plays an action so often must know its EV, else the best is not known."""

MOSTLY = 0.5
"""What the strategy does so often itself loses nothing, whether or not its EV is known."""

TOO_EARLY_PCT = 5.0
"""Exploitability of a search, % of the pot, above which nothing is said of EVs."""

STREET_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class HandToReview:
    """A hand, and the seat whose decisions are looked at."""

    hand_id: str
    hand: PokerHand
    seat: int  # BB or SB; its cards are known
    name: str = ""  # of the player
    notes: tuple[str, ...] = ()  # of how it was read


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision; money in big blinds."""

    street: int
    line: str  # before it: SBr2.5 BBc | QsJh2h x
    board: str
    pot_bb: float
    played: str
    nearest: str  # action of the mix that it counts as
    mix: Mapping[str, float]
    ev_bb: Mapping[str, float]  # of the actions where it is known
    lost_bb: float | None  # against the mix; None where that is not known
    why: str  # it is not known; empty where it is
    source: str  # stored, search, solved, or none
    notes: tuple[str, ...] = ()
    stored_line: str | None = None  # of the stored game where this is looked up; None if nowhere

    @property
    def frequency(self) -> float:
        """How often the strategy does what was played."""
        return self.mix.get(self.nearest, 0.0)

    @property
    def best(self) -> str:
        """The action of the highest EV, or the likeliest where EVs are not known."""
        shares = self.ev_bb if self.lost_bb is not None and self.nearest in self.ev_bb else self.mix
        return max(shares, key=lambda token: shares[token], default="")


@dataclass(frozen=True)
class HandReview:
    """A hand after its review."""

    asked: HandToReview
    decisions: tuple[ReviewedDecision, ...]
    game: str = ""  # the stored strategy: hu_100
    problem: str = ""  # why it could not be reviewed; empty if it could

    @property
    def lost_bb(self) -> float:
        """By all decisions whose loss is known."""
        return sum(one.lost_bb or 0.0 for one in self.decisions)

    @property
    def worst(self) -> ReviewedDecision | None:
        """The decision that lost most; None if none is known."""
        known = [one for one in self.decisions if one.lost_bb is not None]
        return max(known, key=lambda one: one.lost_bb or 0.0, default=None)


@dataclass(frozen=True)
class StreetTotal:
    """All decisions of a street."""

    num_decisions: int
    num_known: int  # of them, those whose loss is known
    lost_bb: float

    @classmethod
    def of(cls, decisions: Sequence[ReviewedDecision]) -> "StreetTotal":
        """Of some decisions."""
        known = [one.lost_bb for one in decisions if one.lost_bb is not None]
        return cls(len(decisions), len(known), sum(known))


@dataclass(frozen=True)
class Review:
    """What a player's hands lost; the worst first."""

    hands: tuple[HandReview, ...]
    num_asked: int

    @classmethod
    def of(cls, found: Iterable[HandReview], num_asked: int) -> "Review":
        """Of hands in any order."""
        worst_first = sorted(found, key=lambda hand: (-hand.lost_bb, bool(hand.problem)))
        return cls(tuple(worst_first), num_asked)

    @property
    def is_stopped(self) -> bool:
        """Whether it ended before all hands were done."""
        return len(self.hands) < self.num_asked

    @property
    def lost_bb(self) -> float:
        """In all."""
        return sum(hand.lost_bb for hand in self.hands)

    @property
    def lost_bb_per_100(self) -> float | None:
        """For a hundred hands; None if there is none."""
        count = sum(not hand.problem for hand in self.hands)
        return 100 * self.lost_bb / count if count else None

    @property
    def streets(self) -> tuple[StreetTotal, StreetTotal, StreetTotal, StreetTotal]:
        """Preflop, flop, turn, river."""
        every = [one for hand in self.hands for one in hand.decisions]
        first, flop, turn, river = (
            StreetTotal.of([one for one in every if one.street == street]) for street in range(4)
        )
        return first, flop, turn, river

    @property
    def problems(self) -> dict[str, int]:
        """Why hands could not be reviewed, and how many."""
        found = Counter(hand.problem for hand in self.hands if hand.problem)
        return dict(found.most_common())


class Reviewer:
    """Reviews hands with one or several stored strategies, the one of the nearest stack.

    Args:
        books: full games by name or file; all that come solved if none is given.
        budget_ms: how long a decision after the flop is searched for.
        flop_seconds: to solve each flop for, at most, so that EVs are known there; 0 searches it.
    """

    def __init__(
        self, books: Sequence[str] = (), budget_ms: float = BUDGET_MS, flop_seconds: float = 0.0
    ) -> None:
        from poker_solver.subgame.config import SubgameConfig  # loads a compiler
        from poker_solver.subgame.replay import Replay

        names = [*books] or [*shipped_games()]
        self.stored = StoredPolicy(load_books(names))
        config = SubgameConfig(time_budget_ms=budget_ms)
        self._names = {id(b): n for b, n in zip(self.stored.books, names, strict=True)}
        self._replays = {id(book): Replay(book, config, flop_seconds) for book in self.stored.books}
        self._warm: set[int] = set()

    def review(
        self, asked: HandToReview, stopping: Callable[[], bool] = lambda: False
    ) -> HandReview:
        """One hand; whatever goes wrong is said in it."""
        book = self.stored.book_for(asked.hand)
        game = self._names[id(book)]
        try:
            found = [*self._preflop(book, asked), *self._later(book, asked, stopping)]
        except PokerSolverError as error:
            return HandReview(asked, (), game, " ".join(str(error).split()))
        except Exception as error:  # one hand of thousands does not end the review
            LOG.warning("reviewing %s", asked.hand, exc_info=True)
            return HandReview(asked, (), game, f"{type(error).__name__}: {error}"[:200])
        return HandReview(asked, tuple(found), game)

    def _preflop(self, book: BlueprintStrategy, asked: HandToReview) -> list[ReviewedDecision]:
        combo = _combo(asked)
        return [
            _stored_decision(self.stored, book, before, combo, token)
            for before, token in asked.hand.steps()
            if before.actor == asked.seat and before.betting.street == PREFLOP
        ]

    def _later(
        self, book: BlueprintStrategy, asked: HandToReview, stopping: Callable[[], bool]
    ) -> list[ReviewedDecision]:
        hand, combo, replay = asked.hand, _combo(asked), self._replays[id(book)]
        steps = [
            (before, token)
            for before, token in hand.steps()
            if before.actor >= 0 and before.betting.street >= FLOP
        ]
        if not any(before.actor == asked.seat for before, _ in steps):
            return []
        if id(book) not in self._warm:
            replay.warm_up()
            self._warm.add(id(book))
        found, left, note = list[ReviewedDecision](), iter(steps), _stack_note(book, hand)
        for street in replay.streets(hand.stack_chips, hand.line, asked.seat, stopping):
            error_bb = street.record.exploitability_pct / 100 * to_bb(street.pot_chips)
            for decision, (before, token) in zip(street.decisions, left, strict=False):
                if decision.player == asked.seat:
                    answer = _searched(street, decision, combo, note)
                    found.append(_judged(before, token, answer, error_bb))
        return found


@dataclass(frozen=True)
class _Answer:
    """What a strategy says of one hand at a decision."""

    mix: Mapping[str, float]
    ev_bb: Mapping[str, float]
    source: str
    notes: tuple[str, ...] = ()
    why: str = ""  # EVs are not said, if that is known already
    stored_line: str | None = None


def review_hands(
    asked: Iterable[HandToReview],
    reviewer: Reviewer | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> Review:
    """Review hands; what each decision lost, the worst hands first.

    Args:
        asked: as `read_histories(text).to_review()` gives them.
        reviewer: with its strategies; all that come solved if None.
        progress: called with the hands done and all of them.
        stopping: asked between streets; True ends the review with what there is.
    """
    every, found = [*asked], list[HandReview]()
    tell = progress or (lambda done, count: None)
    tell(0, len(every))
    for one in reviews_of(every, reviewer or Reviewer(), stopping):
        found.append(one)
        tell(len(found), len(every))
    return Review.of(found, len(every))


def reviews_of(
    asked: Iterable[HandToReview], reviewer: Reviewer, stopping: Callable[[], bool]
) -> Iterator[HandReview]:
    """One after the other, until it is to stop; a hand that was begun then does not count."""
    for one in asked:
        if stopping():
            return
        found = reviewer.review(one, stopping)
        if stopping():
            return
        yield found


def _combo(asked: HandToReview) -> int:
    combo = asked.hand.holes[asked.seat]
    if combo is None:
        raise InputError("the cards are not known: nothing to review")
    return combo


def _searched(
    street: "ReplayedStreet", decision: "ReplayedDecision", combo: int, notes: tuple[str, ...]
) -> _Answer:
    """What a search says of one hand."""
    mix = dict(zip(decision.actions, decision.strategy[:, combo].tolist(), strict=True))
    if street.record.exploitability_pct > TOO_EARLY_PCT:
        return _Answer(mix, {}, "search", notes, "the search had too little time")
    if not street.is_exact:
        return _Answer(mix, {}, "search", notes, "flops are searched on a few turns only")
    evs = zip(decision.actions, (decision.ev_chips[:, combo] / CHIPS_PER_BB).tolist(), strict=True)
    source = "solved" if street.street == FLOP else "search"
    return _Answer(mix, {token: ev for token, ev in evs if ev == ev}, source, notes)


def _stored_decision(
    stored: StoredPolicy, book: BlueprintStrategy, hand: PokerHand, combo: int, played: str
) -> ReviewedDecision:
    """A decision before the flop."""
    found = stored.decide(hand.seen_by(hand.actor), combo)
    if found.source != "stored":
        why = "the strategy has no such line"
        return _judged(hand, played, _Answer(found.mix, {}, "none", found.notes, why))
    point = point_of(book, hand)
    real, known = real_tokens(hand, point), supported(point)
    evs = {
        real[token]: ev / CHIPS_PER_BB
        for token, ev in preflop_evs(point, combo).items()
        if token in known
    }
    why = _too_far(book, hand, point.line.before)
    line = str(point.line)
    answer = _Answer(found.mix, {} if why else evs, "stored", found.notes, why, line)
    return _judged(hand, played, answer)


def _judged(
    hand: PokerHand, played: str, answer: _Answer, error_bb: float = 0.0
) -> ReviewedDecision:
    """What was played beside an answer; a loss of no more than `error_bb` is none."""
    nearest, ratio = _nearest(hand, played, answer)
    why = answer.why or _unknown(played, nearest, ratio, answer)
    lost = None
    if not why:
        lost = max(_mix_ev(answer) - answer.ev_bb[nearest], 0.0) if nearest in answer.ev_bb else 0.0
        lost = lost if lost > error_bb else 0.0
    counts = () if nearest == played else (f"{played} counts as {nearest}",)
    return ReviewedDecision(
        street=hand.betting.street,
        line=str(hand.line),
        board=cards_to_string(hand.board),
        pot_bb=to_bb(hand.pot_chips),
        played=played,
        nearest=nearest,
        mix=answer.mix,
        ev_bb=answer.ev_bb,
        lost_bb=lost,
        why=why,
        source=answer.source,
        notes=(*answer.notes, *counts),
        stored_line=answer.stored_line,
    )


def _unknown(played: str, nearest: str, ratio: float, answer: _Answer) -> str:
    """Why the loss cannot be said; nothing if it can."""
    known = answer.ev_bb
    unsaid = [token for token, p in answer.mix.items() if p >= PLAYED and token not in known]
    if nearest not in answer.mix:
        return f"the strategy has no {played} here"
    if ratio > FAR_SIZE:
        return f"no size of the strategy is near {played}"
    if answer.mix[nearest] >= MOSTLY:
        return ""
    if nearest not in known:
        return f"hardly any hand plays {nearest} here: answers to it were not learned"
    if unsaid:
        return f"hardly any hand plays {unsaid[0]} here, which this one does"
    return ""


def _nearest(hand: PokerHand, played: str, answer: _Answer) -> tuple[str, float]:
    """The action that what was played counts as, and the ratio of their amounts.

    A size that hardly any hand plays counts as the nearest one that is played.
    """
    amount = hand.amount_of(played)
    is_usual = answer.mix.get(played, 0.0) >= MOSTLY
    if not amount or played in answer.ev_bb or is_usual:
        return played, 1.0
    bets = {token: chips for token in answer.mix if (chips := hand.amount_of(token))}
    known = {token: chips for token, chips in bets.items() if token in answer.ev_bb}
    for tokens in (known, bets):
        ratios = {token: _ratio(amount, chips) for token, chips in tokens.items()}
        found = min(ratios.items(), key=lambda one: one[1], default=(played, inf))
        if found[1] <= FAR_SIZE:
            break
    return found


def _mix_ev(answer: _Answer) -> float:
    """What the mix earns, bb, with the actions whose EVs are known."""
    known = {token: answer.mix.get(token, 0.0) for token in answer.ev_bb}
    total = sum(known.values())
    if total <= 0:
        return max(answer.ev_bb.values())
    return sum(share * answer.ev_bb[token] for token, share in known.items()) / total


def _too_far(book: BlueprintStrategy, hand: PokerHand, tokens: Sequence[str]) -> str:
    """Why EVs of the strategy's line say nothing about this hand; nothing if they do."""
    own = stack_bb(book)
    if _ratio(hand.stack_bb, own) > FAR_STACK:
        return f"{hand.stack_bb:g} bb is far from the strategy's {own:g} bb"
    for real, stored in zip(hand.line.before, tokens, strict=False):
        sizes = _raised_bb(real, hand.stack_bb), _raised_bb(stored, own)
        if real != stored and min(sizes) > 0 and _ratio(*sizes) > FAR_SIZE:
            return f"{real} is far from the strategy's {stored}"
    return ""


def _raised_bb(token: str, stack: float) -> float:
    """What a token before the flop raises to; 0 if it is no raise."""
    if token == "a":
        return stack
    return float(token[1:]) if token[0] == "r" else 0.0


def _ratio(one: float, other: float) -> float:
    return max(one, other) / min(one, other)


def _stack_note(book: BlueprintStrategy, hand: PokerHand) -> tuple[str, ...]:
    own = stack_bb(book)
    return () if own == hand.stack_bb else (f"ranges before the flop are those of {own:g} bb",)
