"""River boards that a block of a GPU does one after the other, and what is added up of them.

The boards of a batch stand below the same board of the turn, and each of them stands for the same
suits: what they are worth is added up while they are worked on, and only the sum is kept.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop.cuda.structs import BOARD, MOST_BATCH
from poker_solver.postflop.engines.cuda.tables import SpotGroup

Int = NDArray[np.int32]

BLOCKS = 4096
"""Blocks of work that batches leave a spot at least, if it has so many river boards and lines."""


@dataclass(frozen=True, eq=False)
class BoardBatches:
    """The batches of a group of spots."""

    boards: Int  # [batches, most] -1 behind the last one
    added: tuple[Int, Int, Int]  # as `SpotGroup.cards_after` the turn, batches for boards

    def __len__(self) -> int:
        return len(self.boards)

    def tables(self, group: SpotGroup, player: int, chunks: Int) -> NDArray[np.void]:
        """[batches, most] what a pass of the player reads about each board.

        `chunks` are those of the opponent's lists on each board.
        """
        found = np.zeros(self.boards.shape, BOARD)
        at = self.boards
        found["board"], found["above"] = at, group.boards_above(RIVER)[at]
        found["chunks"] = chunks[at]
        for who, p in (("own", player), ("opp", 1 - player)):
            found[f"{who}_live"] = group.players[p].live[at]
            found[f"{who}_base"] = group.offsets[p].base[at]
        return found


def board_batches(group: SpotGroup) -> BoardBatches:
    """The batches of some spots; those of a spot do not depend on the others."""
    if group.first_street == RIVER:
        nothing = np.zeros(0, np.int32)
        boards = np.arange(group.num_boards(RIVER), dtype=np.int32)
        return BoardBatches(boards[:, None], (nothing, nothing, nothing))
    return batch_rivers(*group.cards_after(TURN), _most(group))


def batch_rivers(start: Int, board: Int, move: Int, most: Sequence[int]) -> BoardBatches:
    """The batches of [B] boards of the turn, each with at most so many boards below it.

    The cards after a board of the turn are start[b]:start[b + 1], with the boards of the river and
    renamings that they lead to.
    """
    batches: list[list[int]] = []
    summands: list[tuple[int, int]] = []  # batches, and how they are renamed
    starts = [0]  # of each board of the turn
    boards, moved = board.tolist(), move.tolist()
    for size, (first, last) in zip(most, pairwise(start.tolist()), strict=True):
        for moves, alike in _alike(boards[first:last], moved[first:last]).items():
            for part in _even_parts(alike, -(-len(alike) // size)):
                summands += [(len(batches), m) for m in moves]
                batches.append(part)
        starts.append(len(summands))
    table = np.full((len(batches), max(map(len, batches))), -1, np.int32)
    for row, boards_of_one in zip(table, batches, strict=True):
        row[: len(boards_of_one)] = boards_of_one
    batch, renaming = np.array(summands, np.int32).T
    return BoardBatches(table, (np.array(starts, np.int32), batch.copy(), renaming.copy()))


def _even_parts(boards: list[int], count: int) -> list[list[int]]:
    """So many parts, the first ones of one more if need be."""
    size, more = divmod(len(boards), count)
    starts = [part * size + min(part, more) for part in range(count + 1)]
    return [boards[first:last] for first, last in pairwise(starts)]


def _alike(boards: list[int], moves: list[int]) -> dict[tuple[int, ...], list[int]]:
    """Boards by the renamings of all cards that they stand for; one entry a card is given."""
    of_board = defaultdict(list)
    for board, move in zip(boards, moves, strict=True):
        of_board[board].append(move)
    found = defaultdict(list)
    for board, renamed in of_board.items():
        found[tuple(renamed)].append(board)
    return found


def _most(group: SpotGroup) -> list[int]:
    """Of each board of the turn, how many boards below it may be a batch."""
    river = group.streets[-1]
    groups = len(river.written[0]) + len(river.programs[0])
    blocks = np.diff(group.first_board[RIVER]) * groups
    turns = np.diff(group.first_board[TURN])
    most: list[int] = np.repeat(np.clip(blocks // BLOCKS, 1, MOST_BATCH), turns).tolist()
    return most
