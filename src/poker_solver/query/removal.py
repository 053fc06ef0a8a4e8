"""Card removal as plain numbers: combos of each class left once cards are known; no ranges."""

from poker_solver.cards import cards_from_string
from poker_solver.preflop import deal


def combos_left(cards: str) -> tuple[int, ...]:
    """169 counts, in class order, of the combos that hold none of these cards (`AcKh`)."""
    return tuple(deal.combos_left(cards_from_string(cards)).tolist())
