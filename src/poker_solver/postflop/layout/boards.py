"""How the boards of a game hang together as the kernels read it, see `kernels.postflop.Boards`."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_CARDS
from poker_solver.cards.isomorphism import Permutation
from poker_solver.kernels.postflop import Boards
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT, Runouts

Int = NDArray[np.int32]


def renamings(runouts: Runouts) -> list[Permutation]:
    """Every renaming in use; the first one changes nothing."""
    codes, _ = _coded(runouts)
    return [(code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3) for code in codes.tolist()]


_DIGITS = np.array([64, 16, 4, 1])


def _coded(runouts: Runouts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The renamings in use as numbers, ascending; which one each turn has, then each river."""
    used = np.concatenate([runouts.turn_permutation, runouts.river_permutation.reshape(-1, 4)])
    coded = used.astype(np.int64) @ _DIGITS
    codes = np.flatnonzero(np.bincount(coded))
    return codes, np.searchsorted(codes, coded)


def _real_cards(
    index: NDArray[np.integer[Any]], number: NDArray[np.int64], count: int
) -> tuple[Int, Int]:
    """Where the real cards of each of `count` boards begin, and the renaming of each card."""
    flat = index.reshape(-1)
    cards = np.argsort(flat, kind="stable")[(flat < 0).sum() :]  # those that can fall, by board
    start = np.searchsorted(flat[cards], np.arange(count + 1))
    return start.astype(np.int32), number[cards].astype(np.int32)


def lower_boards(runouts: Runouts) -> Boards:
    """The boards to solve, and the real cards that each stands for."""
    if len(runouts.board) == 5:
        return _river_boards()
    _, number = _coded(runouts)
    turn_start, turn_move = _real_cards(
        runouts.turn_index, number[:NUM_CARDS], len(runouts.turn_card)
    )
    river_start, river_move = _real_cards(
        runouts.river_index, number[NUM_CARDS:], len(runouts.river_card)
    )
    dealt = len(runouts.board)
    return Boards(
        river_start=runouts.river_start.astype(np.int32),
        river_share=np.float32(1 / RIVERS_LEFT),
        turn_share=np.float32(1 / TURNS_LEFT if dealt < 4 else 1),
        river_card_start=river_start,
        river_card_move=river_move,
        turn_card_start=turn_start,
        turn_card_move=turn_move,
    )


@cache
def _river_boards() -> Boards:
    """Of any whole board: it stands for itself."""
    start, move, all_of_it = np.arange(2, dtype=np.int32), np.zeros(1, np.int32), np.float32(1)
    return Boards(
        river_start=start,
        river_share=all_of_it,
        turn_share=all_of_it,
        river_card_start=start,
        river_card_move=move,
        turn_card_start=start,
        turn_card_move=move,
    )
