"""Rows of flops and turn boards, whatever the order of their cards and the names of their suits.

What the rest of the board may bring does not depend on the order in which cards came, so the rows
of 63,193 ordered turn boards are those of 16,432 sets of cards.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.clusters import Clusters, find_clusters, nearest_into
from poker_solver.abstraction.rows import StreetRows
from poker_solver.abstraction.runout_points import RunoutPoints, runout_points
from poker_solver.cards import NUM_COMBOS, cards_to_string
from poker_solver.cards.isomorphism import canonical_board, canonical_boards, combo_permutation
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import InputError
from poker_solver.kernels.arrays import F32, I16, I32, U8
from poker_solver.trees.axes import check_axes

NUM_SAMPLES = 256
"""Boards whose hands the clusters that all boards share are made of."""

_SHARED_ROUNDS = 10

Told = Callable[[], None]  # called when a board is done; raises to stop the work


@dataclass(frozen=True, eq=False)
class BoardRows:
    """The rows of N boards of C cards, representatives of all that are equal up to suits."""

    boards: Annotated[U8, "N C"]  # as `canonical_board` has them, sorted
    row: Annotated[I16, "N 1326"]  # of every combo; -1 where the board blocks it
    num_rows: Annotated[I32, "N"]

    def __post_init__(self) -> None:
        check_axes(self)

    @cached_property
    def _place(self) -> dict[tuple[int, ...], int]:
        return {tuple(board): n for n, board in enumerate(self.boards.tolist())}

    def on(self, boards: NDArray[np.integer[Any]]) -> StreetRows:
        """The rows of real boards [B, C]; one that is not among those made is refused."""
        row = np.empty((len(boards), NUM_COMBOS), np.int16)
        num_rows = np.empty(len(boards), np.int32)
        for b, board in enumerate(boards.tolist()):
            cards, renaming = canonical_board(board)
            if (n := self._place.get(cards)) is None:
                raise InputError(f"no rows were made for the board {cards_to_string(board)}")
            row[b] = self.row[n, combo_permutation(renaming)]
            num_rows[b] = self.num_rows[n]
        return StreetRows(row, num_rows)


def unlike_boards(boards: Iterable[Sequence[int]]) -> U8:
    """[N, C] the different boards among these, up to suits and order, sorted."""
    found = sorted({canonical_board(board)[0] for board in boards})
    return np.array(found, np.uint8)


def make_board_rows(rule: RowRule, boards: U8, *, threads: int, told: Told) -> BoardRows:
    """The rows that `emd` or `buckets` makes on representatives [N, C], some boards at a time."""
    row = np.empty((len(boards), NUM_COMBOS), np.int16)
    num_rows = np.full(len(boards), rule.count, np.int32)
    shared = _shared_centres(rule.count, boards.shape[1], threads, told) if rule.is_shared else None

    def one(n: int) -> None:
        hands = runout_points(boards[n].tolist())
        if shared is None:
            found = find_clusters(hands.points, hands.weight, rule.count)
            num_rows[n] = len(found.centre)
        else:
            found = _nearest(hands, shared)
        row[n] = np.where(hands.hand < 0, -1, found.own[hands.hand])

    _on_threads(one, len(boards), threads, told)
    return BoardRows(boards, row, num_rows)


def num_steps(rule: RowRule, num_boards: int) -> int:
    """How often `make_board_rows` tells that a board is done."""
    return num_boards + (NUM_SAMPLES if rule.is_shared else 0)


def _on_threads(one: Callable[[int], None], count: int, threads: int, told: Told) -> None:
    with ThreadPoolExecutor(threads) as pool:
        try:
            for _ in pool.map(one, range(count)):
                told()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _nearest(hands: RunoutPoints, centre: F32) -> Clusters:
    own = np.zeros(len(hands.points), np.int32)
    gap = np.empty(len(own), np.float32)
    nearest_into(hands.points, centre, own, gap)
    return Clusters(centre, own, gap)


def _shared_centres(count: int, num_cards: int, threads: int, told: Told) -> F32:
    """[K, V] centres of the hands of a sample of boards; the same ones whatever boards follow."""
    every = canonical_boards(num_cards)
    up_to = np.cumsum(every.weight)
    places = (2 * np.arange(NUM_SAMPLES) + 1) * int(up_to[-1]) // (2 * NUM_SAMPLES)
    boards = every.cards[np.searchsorted(up_to, places, side="right")].tolist()
    hands: list[RunoutPoints | None] = [None] * len(boards)

    def one(n: int) -> None:
        hands[n] = runout_points(boards[n])

    _on_threads(one, len(boards), threads, told)
    sampled = [found for found in hands if found is not None]
    points = np.concatenate([found.points for found in sampled])
    weight = np.concatenate([found.weight for found in sampled])
    return find_clusters(points, weight, count, most_rounds=_SHARED_ROUNDS, threads=threads).centre
