"""The program that makes the shipped preflop equity tables, by counting every board.

    python -m poker_solver.cards.make.equity_table [--out FOLDER] [--threads 2]

For each of the 134,459 canonical rivers, every combo is compared with every other; a board
counts as often as there are boards like it. That gives, for hands h and o, the sum over the
representatives B of weight(B) * [h beats o on B]. All boards are the representatives under the
24 suit permutations, each reached 24 / weight(B) times, so

    wins(h, o) = 1/24 * sum over permutations p of counted(p(h), p(o))

which is exact in integers. Nothing is sampled and no symmetry between the players is used, so
wins(h, o) + wins(o, h) + ties(h, o) = 1,712,304 is a check on the result and not a definition.
"""

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba as nb
import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.classes import CLASS_SIZE, COMBO_CLASS, NUM_CLASSES, class_representative
from poker_solver.cards.combos import COMBO_MASK, NUM_COMBOS, combo_index
from poker_solver.cards.equity_table import (
    DATA,
    NUM_PREFLOP_BOARDS,
    EquityTable,
    Matchups,
    save_counts,
)
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    canonical_boards,
    combo_permutation,
)
from poker_solver.cards.strength import board_strengths

BATCH = 256  # boards; 24 * 256 stays far below the int16 limit of the inner counters
PARTS = 60  # of the rivers, each counted by one thread
WIDTH = 1344  # 1326 padded to whole vectors of 32
BLOCKED = np.int16(0x7FFF)  # above every strength: a blocked combo is never beaten

Int32 = NDArray[np.int32]


@nb.njit(cache=True, nogil=True)
def count_batch_into(
    strength: NDArray[np.int16], weight: NDArray[np.int16], wins: Int32, ties: Int32
) -> None:
    """Add weight[b] to wins[h, o] (ties[h, o]) where h beats (equals) o on board b.

    `strength` [B, WIDTH], BLOCKED where the board takes a card; `wins`, `ties` [1326, WIDTH].
    """
    num_boards, width = strength.shape
    beaten, equal = np.empty(width, np.int16), np.empty(width, np.int16)
    for h in range(len(wins)):
        for o in range(width):
            beaten[o] = 0
            equal[o] = 0
        for b in range(num_boards):
            own, w = strength[b, h], weight[b]
            if own == BLOCKED:
                continue
            row = strength[b]
            for o in range(width):
                beaten[o] += w if row[o] < own else np.int16(0)
                equal[o] += w if row[o] == own else np.int16(0)
        for o in range(width):
            wins[h, o] += beaten[o]
            ties[h, o] += equal[o]


def count_boards(cards: NDArray[np.uint8], weight: NDArray[np.int64]) -> tuple[Int32, Int32]:
    """Wins and ties [1326, 1326] of combos against combos, over boards [B, 5] times weight [B]."""
    wins, ties = np.zeros((2, NUM_COMBOS, WIDTH), np.int32)
    padded = np.full((BATCH, WIDTH), BLOCKED, np.int16)
    for first in range(0, len(cards), BATCH):
        found = board_strengths(cards[first : first + BATCH])
        padded[: len(found), :NUM_COMBOS] = np.where(found == 0, BLOCKED, found)
        times = weight[first : first + BATCH].astype(np.int16)
        count_batch_into(padded[: len(found)], times, wins, ties)
    return wins[:, :NUM_COMBOS], ties[:, :NUM_COMBOS]


def representatives() -> NDArray[np.int64]:
    """[169] one combo of each class."""
    return np.array([combo_index(*class_representative(i)) for i in range(NUM_CLASSES)])


def over_all_suits(counted: Int32) -> Int32:
    """[169, 1326] the count over all boards of each class's representative against each combo."""
    hands = representatives()
    total = np.zeros((NUM_CLASSES, NUM_COMBOS), np.int64)
    for permutation in SUIT_PERMUTATIONS:
        to = combo_permutation(permutation)
        total += counted[to[hands]][:, to]
    total[(COMBO_MASK[hands][:, None] & COMBO_MASK) != 0] = 0  # a card cannot be dealt twice
    if (total % len(SUIT_PERMUTATIONS)).any():
        raise ArithmeticError("a count is not a multiple of 24: the boards are not whole orbits")
    return (total // len(SUIT_PERMUTATIONS)).astype(np.int32)


def classes_of(matchups: Matchups) -> EquityTable:
    """Sum hands into classes."""
    to_class = (COMBO_CLASS[:, None] == np.arange(NUM_CLASSES)).astype(np.int64)  # [1326, 169]
    size = CLASS_SIZE[:, None]  # every hand of a class has the row of its representative
    disjoint = (COMBO_MASK[representatives()][:, None] & COMBO_MASK) == 0  # [169, 1326]
    return EquityTable(
        wins=size * (matchups.wins.astype(np.int64) @ to_class),
        ties=size * (matchups.ties.astype(np.int64) @ to_class),
        pairs=size * (disjoint.astype(np.int64) @ to_class),
    )


def make(num_threads: int, progress: Callable[[str], None]) -> Matchups:
    """Count all rivers, in as many threads."""
    boards, started = canonical_boards(5), time.perf_counter()
    wins, ties = np.zeros((2, NUM_COMBOS, NUM_COMBOS), np.int32)
    parts = np.array_split(boards.cards, PARTS), np.array_split(boards.weight, PARTS)
    with ThreadPoolExecutor(num_threads) as pool:
        for done, (some_wins, some_ties) in enumerate(pool.map(count_boards, *parts), start=1):
            wins += some_wins
            ties += some_ties
            seconds = time.perf_counter() - started
            progress(f"{done} of {PARTS} parts of the rivers, {seconds:.0f} s")
    return Matchups(over_all_suits(wins), over_all_suits(ties))


def main() -> None:
    """Make both tables and write them."""
    parser = argparse.ArgumentParser(description="Make the shipped preflop equity tables.")
    parser.add_argument("--out", type=Path, default=DATA, help="folder to write to")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()

    def progress(line: str) -> None:
        sys.stderr.write(f"\r{line}")
        sys.stderr.flush()

    matchups = make(options.threads, progress)
    options.out.mkdir(parents=True, exist_ok=True)
    save_counts(matchups, options.out / "matchups.npz")
    save_counts(classes_of(matchups), options.out / "equity_169.npz")
    sys.stderr.write(f"\nwrote {options.out}; each pair meets on {NUM_PREFLOP_BOARDS:,} boards\n")


if __name__ == "__main__":
    main()
