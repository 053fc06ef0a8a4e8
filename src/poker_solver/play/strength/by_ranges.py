"""Two strategies on sampled boards, valued by ranges: all luck of hole cards and mixes is gone.

On each board every line is walked with all hands of both players, the seats both ways at once; a
line ends with its exact value over all pairs of hands, on the cards that have fallen until then:
called all-ins by their equity over all cards to come. The mean over boards is what a match would
come to if every deal and every mix were played. Lines on which nothing differs between the seats
cancel, to the last bit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from poker_solver.cards import NUM_CARDS, NUM_COMBOS, cards_to_string, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.equity import range_equity
from poker_solver.errors import InputError, StrategyError
from poker_solver.games.betting import BB, SB
from poker_solver.play.deals import deal
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import F64, Policy, RangeMix
from poker_solver.play.strength.measured import Measured, numbers
from poker_solver.runtime.interrupts import Interrupt

Answers = Callable[[PokerHand, F64], RangeMix]
"""What all hands of the player to act do; the [1326] reach of the other's hands is given too."""

_EVEN = 1e-4
"""How far the mix of a hand may be from a sum of 1."""


@dataclass
class RangesResult:
    """What the first of two wins so far."""

    names: tuple[str, str]
    seed: int
    stack_bb: float
    chips: list[float] = field(default_factory=list)  # per hand, one sample for each board
    stopped: str = "boards"  # or interrupted

    @property
    def num_boards(self) -> int:
        """So far."""
        return len(self.chips)

    @property
    def won(self) -> Measured:
        """By the first."""
        return Measured.of(self.chips)

    def summary(self) -> dict[str, Any]:
        """What `--by-ranges --json` prints."""
        return {
            "players": list(self.names),
            "boards": self.num_boards,
            "seed": self.seed,
            "stack_bb": self.stack_bb,
            "mbb": numbers(self.won),
            "stopped": self.stopped,
        }


Told = Callable[[RangesResult], None]


def play_match_by_ranges(
    first: Policy,
    second: Policy,
    *,
    num_boards: int = 100,
    stack_bb: float = 100,
    seed: int = 0,
    report: Told | None = None,
    stop: Interrupt | None = None,
) -> RangesResult:
    """Play all hands of two strategies on so many boards; those that `play_match` deals.

    Args:
        first: whose winnings are counted.
        second: the other.
        num_boards: of five cards each.
        stack_bb: of both.
        seed: of the boards.
        report: told after each board.
        stop: ends the match after a board.
    """
    result = RangesResult((first.name, second.name), seed, stack_bb)
    players = _answers(first), _answers(second)
    return play_boards(result, players, num_boards, report, stop)


def play_boards(
    result: RangesResult,
    players: tuple[Answers, Answers],
    num_boards: int,
    report: Told | None,
    stop: Interrupt | None,
) -> RangesResult:
    """Add so many boards to a result."""
    if num_boards < 1:
        raise InputError(f"{num_boards} boards: want at least one")
    for number in range(num_boards):
        walk = RangeWalk(players, deal(result.seed, number).board)
        result.chips.append(walk.won_chips(result.stack_bb))
        if report is not None:
            report(result)
        if stop is not None and stop.requested:
            result.stopped = "interrupted"
            break
    return result


def _answers(player: Policy) -> Answers:
    return lambda hand, _: player.whole_range(hand)


@dataclass(frozen=True)
class RangeWalk:
    """All lines of two players on one board, the seats both ways.

    Reach is [2, 2, 1326], of seating, player (BB, SB) and hand. The first player is BB in the first
    seating and SB in the second.
    """

    players: tuple[Answers, Answers]
    board: tuple[int, ...]  # five cards

    def won_chips(self, stack_bb: float) -> float:
        """What the first player wins per hand, both seats taken."""
        return self._worth(PokerHand.start(stack_bb), np.ones((2, 2, NUM_COMBOS))) / 2

    def _worth(self, hand: PokerHand, reach: F64) -> float:
        """Chips that the first player wins in both seatings from here on, times how often."""
        comes = [bool(both.any(axis=1).all()) for both in reach]  # in each seating
        if not any(comes):
            return 0.0
        if hand.is_over or hand.is_all_in:
            return _ended(hand, reach)
        if hand.cards_due:
            now = len(hand.board)
            hand = hand.deal(cards_to_string(self.board[now : now + hand.cards_due]))
            return self._worth(hand, reach * unblocked(hand.board))
        mixes = [
            self._mixes(hand, reach[seating], seating) if comes[seating] else {}
            for seating in (0, 1)
        ]
        worth = 0.0
        for token in sorted(mixes[0].keys() | mixes[1].keys()):
            after = reach.copy()
            for seating in (0, 1):
                after[seating, hand.actor] *= mixes[seating].get(token, 0.0)
            worth += self._worth(hand.act(token), after)
        return worth

    def _mixes(self, hand: PokerHand, reach: F64, seating: int) -> dict[str, F64]:
        """[1326] of each action, as the rules write it, how often every hand takes it."""
        found = self.players[hand.actor ^ seating](hand, reach[1 - hand.actor])
        total = found.strategy.sum(axis=0)[reach[hand.actor] > 0]
        if not np.abs(total - 1).max() <= _EVEN:
            raise StrategyError(f"after {hand}: mixes sum to {total.min():g} to {total.max():g}")
        mixes: dict[str, F64] = {}
        for token, share in zip(found.actions, found.strategy, strict=True):
            written = hand.rules.any_step(hand.betting, token).token
            mixes[written] = mixes.get(written, 0.0) + share
        return mixes


def _ended(hand: PokerHand, reach: F64) -> float:
    """What the first player wins in both seatings, times how often hands are dealt and get here."""
    if np.array_equal(reach[0], reach[1]):
        return 0.0
    left = NUM_CARDS - len(hand.board)
    deals = comb(left, 2) * comb(left - 2, 2)
    return (_big_blind_wins(hand, reach[0]) - _big_blind_wins(hand, reach[1])) / deals


def _big_blind_wins(hand: PokerHand, reach: F64) -> float:
    """Chips, summed over pairs of hands: a fold, or hands shown after all cards to come."""
    pairs = float(reach[BB] @ disjoint_sum(reach[SB]))
    if pairs == 0.0:
        return 0.0
    if hand.is_folded:
        folder = hand.betting.folder
        return pairs * hand.paid_chips[folder] * (1 if folder == SB else -1)
    equity = range_equity(reach[BB], reach[SB], hand.board).players[BB].equity
    return pairs * hand.paid_chips[BB] * (2 * equity - 1)
