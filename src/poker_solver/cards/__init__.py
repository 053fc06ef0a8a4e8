"""Cards, combos, classes, ranges, hand strength, suit isomorphism, exact equity; no betting.

Only what needs no compiler is re-exported here. The rest is imported from its module:
`strength` (seven-card hands), `isomorphism` (boards up to suits), `equity_table` (the shipped
preflop tables) and `equity` (range against range on any board).
"""

from poker_solver.cards.cards import (
    NUM_CARDS,
    RANKS,
    SUITS,
    card_from_string,
    card_to_string,
    cards_from_string,
    cards_to_string,
    parse_board,
    rank_of,
    suit_of,
)
from poker_solver.cards.classes import (
    CLASS_GRID,
    CLASS_SIZE,
    COMBO_CLASS,
    HAND_NAMES,
    NUM_CLASSES,
    combos_left,
    hand_name,
    hand_to_string,
    parse_classes,
    parse_hand,
)
from poker_solver.cards.combos import (
    COMBO_CARDS,
    NUM_COMBOS,
    combo_from_string,
    combo_to_string,
    unblocked,
)
from poker_solver.cards.ranges import format_range, parse_range
from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)
