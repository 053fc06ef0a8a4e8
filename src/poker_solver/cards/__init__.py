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
    make_card,
    parse_board,
    rank_of,
    suit_of,
)
from poker_solver.cards.classes import (
    CLASS_COMBOS,
    CLASS_GRID,
    CLASS_SIZE,
    COMBO_CLASS,
    HAND_NAMES,
    NUM_CLASSES,
    canonical_index,
    combos_left,
    get_matrix_layout,
    hand_name,
    hand_to_string,
    parse_classes,
    parse_hand,
)
from poker_solver.cards.combos import (
    COMBO_CARDS,
    COMBO_INDEX,
    COMBO_MASK,
    NUM_COMBOS,
    cards_mask,
    combo_from_string,
    combo_index,
    combo_to_string,
    unblocked,
)
from poker_solver.cards.ranges import format_range, parse_range
from poker_solver.runtime.numba_cache import prepare_cache

prepare_cache(__file__)

__all__ = [
    "CLASS_COMBOS",
    "CLASS_GRID",
    "CLASS_SIZE",
    "COMBO_CARDS",
    "COMBO_CLASS",
    "COMBO_INDEX",
    "COMBO_MASK",
    "HAND_NAMES",
    "NUM_CARDS",
    "NUM_CLASSES",
    "NUM_COMBOS",
    "RANKS",
    "SUITS",
    "canonical_index",
    "card_from_string",
    "card_to_string",
    "cards_from_string",
    "cards_mask",
    "cards_to_string",
    "combo_from_string",
    "combo_index",
    "combo_to_string",
    "combos_left",
    "format_range",
    "get_matrix_layout",
    "hand_name",
    "hand_to_string",
    "make_card",
    "parse_board",
    "parse_classes",
    "parse_hand",
    "parse_range",
    "rank_of",
    "suit_of",
    "unblocked",
]
