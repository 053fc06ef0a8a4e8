"""Two strategies head to head: duplicate deals, luck taken out, mbb per hand with an interval.

Every deal is played twice, with the seats exchanged, so both players get the same cards. All that
is drawn follows from the seed, deal by deal: a match is the same whenever it is played, and a
longer one begins like a shorter one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from poker_solver.config.base import to_chips
from poker_solver.errors import InputError
from poker_solver.games.betting import BB
from poker_solver.play.deals import DealtCards, deal
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import HandMix, Policy
from poker_solver.play.player import Safe
from poker_solver.play.strength.aivat import LuckModel, NoLuck
from poker_solver.play.strength.measured import Measured, numbers
from poker_solver.runtime.interrupts import Interrupt

Told = Callable[["MatchResult"], None]


@dataclass(frozen=True)
class PlayedHand:
    """A hand that is over; pairs are of BB and SB."""

    hand: PokerHand
    decisions: tuple[tuple[PokerHand, str, HandMix], ...]  # where, what was played, of which mix
    won_chips: float  # of BB


@dataclass
class MatchResult:
    """How far a match has come; what the first player wins."""

    names: tuple[str, str]
    seed: int
    stack_bb: tuple[float, float]  # least and most
    raw_chips: list[float] = field(default_factory=list)  # per hand, one sample for each deal
    aivat_chips: list[float] = field(default_factory=list)  # likewise, luck taken out
    problems: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    ms: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    stopped: str = "hands"  # or interrupted

    @property
    def num_hands(self) -> int:
        """Two for every deal."""
        return 2 * len(self.raw_chips)

    @property
    def raw(self) -> Measured:
        """By the chips that changed hands."""
        return Measured.of(self.raw_chips)

    @property
    def aivat(self) -> Measured:
        """The same on average, with less luck."""
        return Measured.of(self.aivat_chips)

    def summary(self) -> dict[str, Any]:
        """What `match --json` prints."""
        return {
            "players": list(self.names),
            "hands": self.num_hands,
            "seed": self.seed,
            "stack_bb": list(self.stack_bb),
            "mbb": numbers(self.raw),
            "aivat_mbb": numbers(self.aivat),
            "fallbacks": [len(found) for found in self.problems],
            "slowest_ms": [round(max(times, default=0.0), 3) for times in self.ms],
            "stopped": self.stopped,
        }


def play_match(
    first: Policy,
    second: Policy,
    *,
    num_hands: int = 1000,
    stack_bb: float | tuple[float, float] = 100,
    seed: int = 0,
    luck: LuckModel | None = None,
    report: Told | None = None,
    stop: Interrupt | None = None,
) -> MatchResult:
    """Play so many hands, two for each deal.

    Args:
        first: whose winnings are counted.
        second: the other.
        num_hands: rounded up to whole deals.
        stack_bb: of both, or from and to: each deal then has its own.
        seed: of the deals and of all that is drawn.
        luck: what is taken out of the result; without, nothing is.
        report: told after each deal.
        stop: ends the match after a deal.
    """
    if num_hands < 1:
        raise InputError(f"{num_hands} hands: want at least one")
    stacks = stack_bb if isinstance(stack_bb, tuple) else (stack_bb, stack_bb)
    players, luck = (Safe(first), Safe(second)), luck or NoLuck()
    problems = players[0].problems, players[1].problems
    result = MatchResult((first.name, second.name), seed, stacks, problems=problems)
    for number in range((num_hands + 1) // 2):
        dealt, stack = deal(seed, number), _stack(seed, number, stacks)
        raw = aivat = 0.0
        for swap in (0, 1):
            seats = (players[1], players[0]) if swap else players
            rng = np.random.default_rng([seed, number, swap, 1])
            played = play_hand(dealt, seats, stack, rng, result.ms[::-1] if swap else result.ms)
            sign = -1 if swap else 1
            raw += sign * played.won_chips / 2
            aivat += sign * (played.won_chips - luck.luck_chips(played)) / 2
        result.raw_chips.append(raw)
        result.aivat_chips.append(aivat)
        if report is not None:
            report(result)
        if stop is not None and stop.requested:
            result.stopped = "interrupted"
            break
    return result


def play_hand(
    dealt: DealtCards,
    seats: tuple[Safe, Safe],
    stack_bb: float,
    rng: np.random.Generator,
    ms: tuple[list[float], ...] = ([], []),
) -> PlayedHand:
    """One hand from the blinds to its end; `seats` are of BB and SB."""
    hand, decisions = dealt.start(stack_bb), list[tuple[PokerHand, str, HandMix]]()
    while not (hand := dealt.fall(hand)).is_over:
        seat = hand.actor
        began = perf_counter()
        decision = seats[seat].decide(hand, dealt.holes[seat])
        ms[seat].append((perf_counter() - began) * 1000)
        tokens, shares = [*decision.mix], [*decision.mix.values()]
        token = tokens[rng.choice(len(tokens), p=shares)]
        decisions.append((hand, token, decision))
        hand = hand.act(token)
    return PlayedHand(hand, tuple(decisions), hand.won_chips(BB))


def _stack(seed: int, number: int, between: tuple[float, float]) -> float:
    """Of one deal, log-uniform, in half big blinds."""
    least, most = between
    if least == most:
        return least
    rng = np.random.default_rng([seed, number, 2])
    drawn = least * (most / least) ** rng.random()
    return min(max(to_chips(drawn) // 50 * 50 / 100, least), most)
