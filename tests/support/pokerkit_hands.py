"""The same hand as pokerkit plays it: an independent program that knows the rules."""

from pokerkit import Automation, NoLimitTexasHoldem

from poker_solver.cards import combo_to_string
from poker_solver.games.betting import BB, SB
from poker_solver.play.deals import DealtCards
from poker_solver.play.hand import PokerHand

_BY_HAND = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
_UNKNOWN = "??"  # a card that is burnt
SEAT = {BB: 0, SB: 1}
"""Heads-up, pokerkit's first player posts the big blind."""


class KitHand:
    """A hand of pokerkit, driven by our tokens."""

    def __init__(self, deal: DealtCards, hand: PokerHand) -> None:
        stack = hand.stack_chips
        self.state = NoLimitTexasHoldem.create_state(
            tuple({*Automation} - _BY_HAND), True, 0, (50, 100), 100, stack, 2
        )
        self.stack = stack
        for seat in (BB, SB):
            self.state.deal_hole(combo_to_string(deal.holes[seat]))

    @property
    def actor(self) -> int:
        return -1 if self.state.actor_index is None else self.state.actor_index

    @property
    def limits(self) -> tuple[int, int]:
        if not self.state.can_complete_bet_or_raise_to():
            return 0, 0
        least = self.state.min_completion_betting_or_raising_to_amount
        most = self.state.max_completion_betting_or_raising_to_amount
        assert least is not None
        assert most is not None
        return min(least, most), most

    def act(self, hand: PokerHand, token: str) -> None:
        if token == "f":
            self.state.fold()
        elif token in ("x", "c"):
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(hand.amount_of(token))

    def deal(self, cards: str) -> None:
        self.state.burn_card(_UNKNOWN)
        self.state.deal_board(cards)

    @property
    def is_over(self) -> bool:
        return not self.state.status

    def won(self, seat: int) -> int:
        return int(self.state.stacks[SEAT[seat]]) - self.stack
