"""The deal before the flop as the range kernels want it: classes and equities, no betting."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import CLASS_SIZE, NUM_CLASSES
from poker_solver.cards.classes import CLASS_RANKS
from poker_solver.cards.equity_table import load_equity_table
from poker_solver.kernels.range_cfr import Hands

Float = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassDeal:
    """Hand classes dealt to two players from one deck."""

    classes: tuple[int, ...]  # H of the 169, ascending
    combos: Float  # [H] combos of each
    pairs: Float  # [H, H] deals of i and j: pairs of combos without a common card
    equity: Float  # [H, H] share of the pot that i wins against j
    hands: Hands  # the same for the kernels

    @property
    def num_deals(self) -> float:
        """1,624,350 with all classes."""
        return float(self.pairs.sum())


def class_deal(classes: Sequence[int] | None = None) -> ClassDeal:
    """Deal these classes, or all 169."""
    chosen = np.arange(NUM_CLASSES) if classes is None else np.unique(np.array(classes, np.int64))
    table = load_equity_table()
    square = np.ix_(chosen, chosen)
    pairs = table.pairs[square].astype(np.float64)
    equity = table.equity()[square]
    size = CLASS_SIZE[chosen].astype(np.float64)
    rank = np.array([CLASS_RANKS[i] for i in chosen], np.int64).T.copy()  # [2, H]
    is_pair = rank[0] == rank[1]
    share = np.stack([np.where(is_pair, size, size / 2), np.where(is_pair, 0.0, size / 2)])
    part = np.zeros((14, len(chosen)))
    part[0] = size
    for which in (0, 1):
        part[1 + rank[which], np.arange(len(chosen))] += share[which]
    won = (pairs * (2.0 * equity - 1.0)).T  # edge[j, h]: what h wins off j
    hands = Hands(pairs, np.ascontiguousarray(won), part, size.copy(), rank, share)
    return ClassDeal(tuple(chosen.tolist()), size, pairs, equity, hands)
