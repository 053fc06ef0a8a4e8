"""How large a block's memory is."""

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop.cuda.structs import CHUNK, LIST_HEAD, PITCH, RiverHead, UpperHead

Program = NDArray[np.int32]


def rounded(number: int, step: int = 4) -> int:
    """Up to the next multiple."""
    return -(-number // step) * step


def padded(num_hands: int) -> int:
    """Room for so many hands: a row of any numbers is a whole number of sixteen bytes."""
    return rounded(num_hands, PITCH)


def most_chunks(num_hands: int) -> int:
    """Chunks of the lists of so many hands, at most: a card has one, and none is full."""
    return (2 * num_hands + CHUNK * 52) // CHUNK


def list_room(num_hands: int) -> int:
    """Numbers that the lists of a board take at most, a multiple of eight."""
    return rounded(LIST_HEAD + CHUNK * most_chunks(num_hands) + num_hands, 8)


def river_floats(
    program: Program, opp_live: int, num_chunks: int, threads: int, own_live: int
) -> int:
    """Memory of a block on a board with so many hands, as `carve` cuts it.

    `own_live` are those of the player where his regrets are unpacked, else 0.
    """
    head: list[int] = program.tolist()
    shows, folds = head[RiverHead.SHOWS], head[RiverHead.FOLDS]
    opp_ld = rounded(opp_live, PITCH) + 4
    size = rounded(head[RiverHead.PROGRAM_SIZE])
    size += (head[RiverHead.OPP_ROWS] + head[RiverHead.ENTRIES]) * opp_ld + 4
    size += (4 * num_chunks + 52) * shows + 52 * folds + rounded(folds)
    fresh = head[RiverHead.OWN_ROWS] * rounded(own_live, PITCH)
    return size + rounded(head[RiverHead.NUM_SLOTS] * threads) + fresh


def upper_floats(program: Program, threads: int) -> int:
    """Memory of a block on a line above the river."""
    slots = int(program[UpperHead.U_NUM_SLOTS])
    return rounded(int(program[UpperHead.U_FOLDS]) * 53) + slots * threads


def down_floats(program: Program, threads: int) -> int:
    """Memory of a block that takes reach down such a line."""
    rows = max(int(program[UpperHead.U_OPP_ROWS]), int(program[UpperHead.U_OWN_ROWS]))
    return (1 + rows) * threads
