"""`top 15%`: the 169 classes by what they win against a random hand, before the flop."""

from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.classes import CLASS_SIZE, COMBO_CLASS
from poker_solver.cards.combos import NUM_COMBOS
from poker_solver.cards.equity_table import load_equity_table


def top_combos(share: Fraction) -> NDArray[np.integer]:
    """The combos of the best classes, whole ones, that come nearest to this share of 1,326."""
    order = classes_by_equity()
    held = np.cumsum(CLASS_SIZE[order])  # [169] combos of the best so many
    distance = [abs(int(combos) - share * NUM_COMBOS) for combos in held]
    taken = order[: 1 + distance.index(min(distance))]
    return np.flatnonzero(np.isin(COMBO_CLASS, taken))


@cache
def classes_by_equity() -> NDArray[np.int64]:
    """[169] the classes, the most equity against a random hand first: AA, KK, ... 32o."""
    table = load_equity_table()
    boards_won = (2 * table.wins + table.ties).sum(axis=1)
    return np.argsort(-boards_won / table.pairs.sum(axis=1), kind="stable")
