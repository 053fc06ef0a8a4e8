"""Range text, as players paste it, to 1,326 weights and back; not the preflop hand classes."""

from poker_solver.cards.ranges.read import parse_range as parse_range
from poker_solver.cards.ranges.write import check_weights as check_weights
from poker_solver.cards.ranges.write import format_range as format_range
