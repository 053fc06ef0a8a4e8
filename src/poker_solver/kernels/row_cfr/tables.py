"""Hands in order of strength on every river board, as the kernels by row walk them."""

import numpy as np

from poker_solver.kernels.arrays import F32, I16, I32
from poker_solver.kernels.postflop.cpu.jit import njit

NUM_STRENGTHS = 7463
"""0 for a hand that the board blocks, then 1 .. 7462."""


@njit(cache=True, nogil=True)
def sort_hands(
    strength: I16, row: I16, apart: I32, order: I16, sorted_row: I16, ordered: I32, num_live: I32
) -> None:
    """Of [R, H] strengths and rows the live hands from weak to strong, equal ones as in `apart`.

    `order` gets the hand, `sorted_row` its row and `ordered` its strength at each place; places
    beyond the last hand get hand 0, the last row and no strength.
    """
    begin = np.empty(NUM_STRENGTHS + 1, np.int32)
    for b in range(len(strength)):
        begin[:] = 0
        for h in range(strength.shape[1]):
            begin[strength[b, h] + 1] += 1
        begin[1] = 0
        for s in range(2, NUM_STRENGTHS + 1):
            begin[s] += begin[s - 1]
        live = begin[NUM_STRENGTHS]
        for h in apart:
            s = strength[b, h]
            if s > 0:
                k = begin[s]
                order[b, k], sorted_row[b, k], ordered[b, k] = h, row[b, h], s
                begin[s] += 1
        last = sorted_row[b, live - 1] if live > 0 else np.int16(0)
        for k in range(live, order.shape[1]):
            order[b, k], sorted_row[b, k], ordered[b, k] = 0, last, 0
        num_live[b] = live


@njit(cache=True, nogil=True)
def find_floors(row: I16, num_live: I32, floor: np.float32, num_rows: I32, out: F32) -> None:
    """Of [B, W] rows, live hands first: 1 where each has a row of its own, else the floor."""
    seen = np.empty(num_rows.max() if len(num_rows) else 0, np.bool_)
    for b in range(len(row)):
        seen[:] = False
        out[b] = np.float32(1)
        for k in range(num_live[b]):
            if seen[row[b, k]]:
                out[b] = floor
                break
            seen[row[b, k]] = True
