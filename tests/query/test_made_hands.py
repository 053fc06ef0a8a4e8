"""Made hands and draws by name."""

import pytest

from poker_solver.cards import cards_from_string
from poker_solver.query.made_hands import DRAWS, MADE, draw, made_hand

MADE_HANDS = [
    ("AhKh", "QhJhTh", "straight flush"),
    ("Ah2h", "3h4h5hKd", "straight flush"),
    ("7c7d", "7h7s2d", "quads"),
    ("KcKd", "Kh2s2d", "full house"),
    ("Kc2c", "Kh2s2d", "full house"),
    ("AhTh", "Kh2h3h9s", "flush"),
    ("Th8c", "9s7d6h", "straight"),
    ("Ac2d", "3h4s5d", "straight"),
    ("2c3d", "4h5s6d", "straight"),
    ("Ac3d", "4h5s6d", "ace high"),
    ("7c7d", "7hKs2d", "set"),
    ("7cAd", "7h7s2d", "trips"),
    ("KcQd", "KhQs2d", "two pair"),
    ("AcAd", "KhQs2d", "overpair"),
    ("AcAd", "KhKs2d", "overpair"),
    ("KcAd", "KhQs2d", "top pair"),
    ("QcAd", "KhQs2d", "second pair"),
    ("2cAd", "KhQs2d", "low pair"),
    ("JcJd", "KhQs2d", "pocket pair"),
    ("QcQd", "KhJs2d", "pocket pair"),
    ("Ac4d", "KhQs2d", "ace high"),
    ("Ac4d", "KhQs2d9c7h", "ace high"),  # five cards that are no clubs
    ("Jc4d", "KhKs2d", "high card"),
]
DRAW_HANDS = [
    ("AhTh", "Kh2h9c", "flush draw"),
    ("JhTh", "9h8h2c", "flush and straight draw"),
    ("JcTd", "9h8s2c", "open-ended"),
    ("JcTd", "8h7s2c", "gutshot"),
    ("Jc7d", "9h8s5c", "open-ended"),  # a ten or a six
    ("AhQh", "Kd7h2c", "backdoor flush"),
    ("AhQh", "Kd7h2c3c", "no draw"),
    ("Ah2c", "Kd7h2s", "no draw"),
    ("JcTd", "9h8s2c3d4h", "no draw"),
    ("Th8c", "9s7d6h", "no draw"),  # made already
    ("Ac2d", "Kd9h4s", "no draw"),
    ("3c2d", "KdQhJsTs", "no draw"),  # the board draws, not the hand
]


@pytest.mark.parametrize(("hand", "board", "name"), MADE_HANDS)
def test_made_hand(hand, board, name):
    assert made_hand(cards_from_string(hand), cards_from_string(board)) == name
    assert name in MADE


@pytest.mark.parametrize(("hand", "board", "name"), DRAW_HANDS)
def test_draw(hand, board, name):
    assert draw(cards_from_string(hand), cards_from_string(board)) == name
    assert name in DRAWS
