"""Local best response with all its hands at once, valued by ranges; see `lbr` for what it plays."""

from dataclasses import dataclass

import numpy as np

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.equity import range_equity
from poker_solver.errors import InputError
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import F64, Policy, RangeMix
from poker_solver.play.strength.by_ranges import RangesResult, Told, play_boards
from poker_solver.play.strength.lbr import STREETS, mixes_of, raises
from poker_solver.runtime.interrupts import Interrupt


def lbr_by_ranges(
    player: Policy,
    *,
    num_boards: int = 100,
    stack_bb: float = 100,
    seed: int = 0,
    first_street: str = "preflop",
    report: Told | None = None,
    stop: Interrupt | None = None,
) -> RangesResult:
    """What local best response wins of a player, with all hands on so many boards.

    Args:
        player: whose mixes are asked for at every decision.
        num_boards: of five cards each.
        stack_bb: of both.
        seed: of the boards.
        first_street: from where on it looks; before that it checks and calls.
        report: told after each board.
        stop: ends it after a board.
    """
    if first_street not in STREETS:
        raise InputError(f"street {first_street!r}: want one of {', '.join(STREETS)}")
    result = RangesResult(("local best response", player.name), seed, stack_bb)
    responder = RangeResponder(player, STREETS.index(first_street))

    def theirs(hand: PokerHand, _: F64) -> RangeMix:
        return mixes_of(player, hand)

    return play_boards(result, (responder.answer, theirs), num_boards, report, stop)


@dataclass(frozen=True)
class RangeResponder:
    """Local best response: every hand takes what is best against the range that it meets."""

    player: Policy
    first_street: int

    def answer(self, hand: PokerHand, theirs: F64) -> RangeMix:
        """See `Answers`."""
        legal = hand.legal
        tokens, worth = [legal.call], [self._worth(hand, theirs, 0, np.zeros(NUM_COMBOS))]
        if hand.betting.street >= self.first_street:
            if legal.passive != legal.call:
                tokens.append(legal.passive)
                worth.append(np.zeros(NUM_COMBOS))
            for amount in raises(hand):
                token = hand.bet_token(amount)
                answers = mixes_of(self.player, hand.act(token))
                folds = np.zeros(NUM_COMBOS)
                if "f" in answers.actions:
                    folds = answers.strategy[answers.actions.index("f")]
                tokens.append(token)
                put_in = amount - hand.betting.bets[hand.actor]
                worth.append(self._worth(hand, theirs, put_in, folds))
        best = np.argmax(worth, axis=0)  # the first of equals
        strategy = (best == np.arange(len(tokens))[:, None]) * unblocked(hand.board)
        return RangeMix(tuple(tokens), strategy.astype(np.float64), "rule")

    def _worth(self, hand: PokerHand, theirs: F64, put_in: int, folds: F64) -> F64:
        """[1326] chips out of the pot if nothing is bet after this; 0 `put_in` is a check or call.

        `folds` [1326] is how often each of their hands gives up.
        """
        met, stays = disjoint_sum(theirs), theirs * (1 - folds)
        gone = np.divide(disjoint_sum(theirs * folds), met, out=np.zeros_like(met), where=met > 0)
        won: F64 = gone * hand.pot_chips
        free = unblocked(hand.board) * 1.0
        if not (free @ disjoint_sum(stays)) > 0:
            return won
        share = range_equity(free, stays, hand.board).players[0].equity_by_combo
        call = hand.to_call_chips
        paid = put_in or call
        pot = hand.pot_chips + paid + (paid - call)
        shown: F64 = (1 - gone) * (share * pot - paid)
        return won + np.where(np.isnan(share), 0.0, shown)
