"""How much of a hand's result was luck, so that it can be taken out: AIVAT (Burch et al., 2018).

Wherever something is drawn, a card or an action from a mix, any guess of what each outcome is worth
may be made before. The guess of what came less the average guess is luck: 0 on average whatever the
guess, so a result less its luck is the same on average. The better the guess, the less is left.

Both holdings are known here. Cards are worth the equity of one hand against the other; actions what
their strategy, or a stored one, says, else what the hand is worth checked down. The deal of the
hole cards is left to the duplicate, where it cancels.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from poker_solver.errors import InputError
from poker_solver.games.betting import BB, SB
from poker_solver.play.equities import pair_equity
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import HandMix
from poker_solver.play.stored import StoredPolicy

if TYPE_CHECKING:
    from poker_solver.play.strength.match import PlayedHand


def luck_of(probabilities: Sequence[float], values: Sequence[float], which: int) -> float:
    """What came less what was expected."""
    mean = sum(p * v for p, v in zip(probabilities, values, strict=True))
    return values[which] - mean


class LuckModel(Protocol):
    """Whoever can say how much of a hand was luck."""

    def luck_chips(self, played: "PlayedHand") -> float:
        """Of BB, in chips; 0 on average over all that was drawn."""


class NoLuck:
    """Takes nothing out."""

    def luck_chips(self, played: "PlayedHand") -> float:
        """See `LuckModel`."""
        return 0.0


class Aivat:
    """Luck of cards and of mixes.

    Args:
        stored: whose values before the flop are the guesses where a strategy gives none itself.
    """

    def __init__(self, stored: StoredPolicy | None = None) -> None:
        self.stored = stored

    def luck_chips(self, played: "PlayedHand") -> float:
        """See `LuckModel`."""
        cards = (_of_cards(hand, token) for hand, token in played.hand.steps() if hand.cards_due)
        mixes = (self._of_mix(*found, played.hand) for found in played.decisions)
        return sum(cards) + sum(mixes)

    def _of_mix(self, hand: PokerHand, token: str, decision: HandMix, whole: PokerHand) -> float:
        tokens = [*decision.mix]
        if len(tokens) == 1:
            return 0.0
        values = self._guesses(hand, decision, whole)
        luck = luck_of([*decision.mix.values()], [values[t] for t in tokens], tokens.index(token))
        return luck if hand.actor == BB else -luck

    def _guesses(self, hand: PokerHand, decision: HandMix, whole: PokerHand) -> dict[str, float]:
        """What each action is worth to who acts, in chips out of the pot from here on."""
        known = dict(decision.ev_chips)
        own = whole.holes[hand.actor]
        if not known and self.stored is not None and not hand.board and own is not None:
            known = dict(self.stored.decide(hand, own).ev_chips)
        if all(token in known for token in decision.mix):
            return known
        equity = _equity(whole, hand.board)
        share = equity if hand.actor == BB else 1 - equity
        call = hand.to_call_chips
        played_on = share * (hand.pot_chips + call) - call
        return {token: 0.0 if token == "f" else played_on for token in decision.mix}


def _of_cards(hand: PokerHand, token: str) -> float:
    """Luck of BB when these cards fall: what the pot is worth to him after, less before."""
    after = hand.deal(token)
    return hand.pot_chips * (_equity(hand, after.board) - _equity(hand, hand.board))


def _equity(hand: PokerHand, board: tuple[int, ...]) -> float:
    """Of BB."""
    big, small = hand.holes[BB], hand.holes[SB]
    if big is None or small is None:
        raise InputError("luck can be told only where both hands are known")
    return pair_equity(big, small, board)
