"""Which row of a table every hand has on every board of a flop; how rows are made is not here.

Boards are those that engines keep, `Runouts.boards` of `find_runouts(flop)`, in that order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import cards_from_string, cards_to_string
from poker_solver.cards.combos import COMBO_MASK
from poker_solver.errors import InputError
from poker_solver.trees.axes import check_axes


@dataclass(frozen=True, eq=False)
class StreetRows:
    """The rows of one street of one flop, on its B boards.

    Rows of a board are 0 .. num_rows - 1, none of them empty unless all boards share them. Hands
    that a symmetry of the board maps onto each other have one row, but where every hand has its
    own. On the river rows ascend with strength, and hands of one strength have one row, but again
    where every hand has its own: in order of (strength, row) each row is a run.
    """

    row: Annotated[NDArray[np.int16], "B 1326"]  # of every combo; -1 where the board blocks it
    num_rows: Annotated[NDArray[np.int32], "B"]

    def __post_init__(self) -> None:
        check_axes(self)


@dataclass(frozen=True, eq=False)
class HandRows:
    """The rows of a whole flop: of the flop itself, its turns and its rivers."""

    flop: str  # `KsQs2h`
    streets: tuple[StreetRows, StreetRows, StreetRows]


def flop_cards(flop: str | Sequence[int]) -> tuple[int, int, int]:
    """The three cards of a flop."""
    cards = cards_from_string(flop if isinstance(flop, str) else cards_to_string(flop))
    if len(cards) != 3:
        raise InputError(f"{cards_to_string(cards)!r} has {len(cards)} cards, a flop has 3")
    return cards[0], cards[1], cards[2]


def exact_rows(boards: NDArray[np.integer[Any]]) -> StreetRows:
    """Every hand on each of `boards` [B, 3 or 4] in a row of its own, in the order of combos."""
    dealt = (np.uint64(1) << boards.astype(np.uint64)).sum(axis=1, dtype=np.uint64)  # [B]
    is_live = (COMBO_MASK & dealt[:, None]) == 0  # [B, 1326]
    row = np.where(is_live, is_live.cumsum(axis=1) - 1, -1)
    return StreetRows(row.astype(np.int16), is_live.sum(axis=1, dtype=np.int32))
