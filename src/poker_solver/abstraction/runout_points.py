"""What hands are worth on all runouts of a flop or a turn board, as ascending points; no clusters.

On a river board a hand scores 2 points for every hand that it beats and 1 for every one that it
ties with, of the 990 that it can meet: 1,980 times its equity against a random hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numba as nb
import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_CARDS, NUM_COMBOS, unblocked
from poker_solver.cards.isomorphism import combo_permutation, suit_symmetries
from poker_solver.cards.showdown import count_boards_into
from poker_solver.cards.strength_tables import strength_tables
from poker_solver.kernels.arrays import F32, I16, I32
from poker_solver.trees.axes import check_axes

MOST_POINTS = 1980
"""Two for each of the hands that can be met."""

_NUM_RUNOUTS = {3: 1081, 4: 46}
"""Ways to deal the rest of a board when a hand is known."""

_STRIDE = {3: 23, 4: 1}
"""Of how many runouts, in order of points, the middle one is kept."""


@dataclass(frozen=True, eq=False)
class RunoutPoints:
    """The hands of one board that differ by more than its symmetries, and their points."""

    hand: Annotated[I32, "1326"]  # which of the H hands each combo is; -1 where blocked
    weight: Annotated[I32, "H"]  # combos that each stands for
    points: Annotated[F32, "H V"]  # ascending; whole numbers 0 .. 1980

    def __post_init__(self) -> None:
        check_axes(self)


def runout_points(board: Sequence[int]) -> RunoutPoints:
    """Of every hand on a flop (V = 47 of 1,081 runouts) or on a turn board (V = 46, all)."""
    live, same = unblocked(board), _lowest_images(board)
    combos = np.flatnonzero(live & (same == np.arange(NUM_COMBOS)))  # [H]
    number = np.full(NUM_COMBOS, -1, np.int32)
    number[combos] = np.arange(len(combos))
    hand = np.where(live, number[same], -1).astype(np.int32)
    stride = _STRIDE[len(board)]
    points = np.empty((len(combos), _NUM_RUNOUTS[len(board)] // stride), np.float32)
    _sorted_into(_points_on_rivers(board), combos, stride, points)
    return RunoutPoints(hand, np.bincount(hand[live]).astype(np.int32), points)


def _lowest_images(board: Sequence[int]) -> NDArray[np.int16]:
    """[1326] of each combo the lowest that a symmetry of the board maps it to."""
    images = [combo_permutation(renaming) for renaming in suit_symmetries(board)]
    lowest: NDArray[np.int16] = np.min(images, axis=0)
    return lowest


def _points_on_rivers(board: Sequence[int]) -> I16:
    """[R, 1326] on every river board that can come; below 0 where it blocks the hand."""
    rest = [card for card in range(NUM_CARDS) if card not in board]
    runouts = [(*board, *more) for more in combinations(rest, 5 - len(board))]
    wins = np.empty((len(runouts), NUM_COMBOS), np.int16)
    ties = np.empty_like(wins)
    boards = np.array(runouts, np.uint8)
    count_boards_into(strength_tables(), boards, COMBO_CARDS, wins, ties)
    wins *= 2
    wins += ties
    return wins


@nb.njit(cache=True, nogil=True)
def _sorted_into(points: I16, combos: NDArray[np.int64], stride: int, out: F32) -> None:
    """Of each of `combos` the middle one of every `stride` points, by counting them."""
    count = np.zeros(MOST_POINTS + 1, np.int32)
    lowest, highest = MOST_POINTS, 0
    for i in range(len(combos)):
        lowest, highest = MOST_POINTS, 0
        for r in range(len(points)):
            found = points[r, combos[i]]
            if found >= 0:
                count[found] += 1
                lowest, highest = min(lowest, found), max(highest, found)
        passed, place, wanted = 0, 0, stride // 2
        for found in range(lowest, highest + 1):
            passed += count[found]
            count[found] = 0
            while wanted < passed:
                out[i, place] = found
                place += 1
                wanted += stride
