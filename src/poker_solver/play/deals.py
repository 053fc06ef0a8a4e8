"""Cards of a hand, dealt from a seed: the same number of the same seed is the same deal."""

from typing import NamedTuple

import numpy as np

from poker_solver.cards import NUM_CARDS, cards_to_string
from poker_solver.cards.combos import combo_index
from poker_solver.play.hand import PokerHand


class DealtCards(NamedTuple):
    """Two hands, and a board as far as it may be needed."""

    holes: tuple[int, int]  # combos of BB and SB
    board: tuple[int, ...]  # five cards

    def start(self, stack_bb: float) -> PokerHand:
        """The blinds are posted."""
        return PokerHand.start(stack_bb, *self.holes)

    def fall(self, hand: PokerHand) -> PokerHand:
        """The hand after the cards that fall next, if any do."""
        while hand.cards_due:
            now = len(hand.board)
            hand = hand.deal(cards_to_string(self.board[now : now + hand.cards_due]))
        return hand


def deal(seed: int, number: int) -> DealtCards:
    """A deal from a full deck."""
    rng = np.random.default_rng([seed, number])
    cards = rng.permutation(NUM_CARDS)[:9].tolist()
    holes = combo_index(cards[0], cards[1]), combo_index(cards[2], cards[3])
    return DealtCards(holes, tuple(cards[4:]))
