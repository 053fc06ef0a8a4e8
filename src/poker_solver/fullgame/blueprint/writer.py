"""Fills the file of a blueprint, one line on one flop at a time; what was put stays."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.one_board import one_river_rows
from poker_solver.abstraction.rows import HandRows, exact_rows
from poker_solver.cards import cards_from_string
from poker_solver.cfr.solve import sound_header
from poker_solver.errors import FormatError, InputError
from poker_solver.fullgame.blueprint.strategy import KIND, BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import STREETS, TableShape, mark_of
from poker_solver.fullgame.rows import strategy_name
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import FLOP, RIVER
from poker_solver.kernels.arrays import U8
from poker_solver.store.files import allot_file, check_target, read_file
from poker_solver.store.parts import PartsFile
from poker_solver.trees.runouts import find_runouts

Weights = NDArray[Any]  # of strategies, in any unit; or uint8, in 255ths

_MOST = 255


class BlueprintWriter:
    """Writes beside the name that the blueprint will have, and gives it that name at the end.

    A file that is there already, from a run that was stopped, is filled on; one of another
    strategy is refused.

    Args:
        path: the blueprint.
        solution: the game, and what is played before the flop.
        shape: the flops and the rows on their boards, from `table_shape`.
    """

    def __init__(self, path: str | Path, solution: UnifiedSolution, shape: TableShape) -> None:
        self.path, self.solution, self.shape = check_target(path), solution, shape
        self.part = self.path.with_name(f"{self.path.name}.part")
        book = shape.header(strategy_name(solution.game, solution.sums))
        if not self.part.exists():
            header = {**solution.header(), "book": book}
            arrays = {**solution.arrays(), **shape.arrays()}
            allot_file(self.part, KIND, header, shape.room(), arrays)
        header, arrays = read_file(self.part, KIND)
        with sound_header(self.part):
            same = header["book"] == book and all(
                np.array_equal(arrays[name], array) for name, array in shape.arrays().items()
            )
        if not same:
            raise FormatError(
                f"{self.part} is of another strategy, or has other flops or rows; remove it, or "
                "give another name"
            )
        self._marks = {name: array for name, array in arrays.items() if name.endswith(" put")}
        self._file = PartsFile(self.part)

    def is_put(self, flop: int, line: int) -> bool:
        """Whether a line on a flop is there already."""
        return bool(self._marks["book put"][flop, line])

    def put_maps(self, flop: int, maps: HandRows) -> None:
        """Keep the rows of a flop's boards where they cannot be made again."""
        shape, kept = self.shape, []
        self._begin("book maps put", (flop,))
        boards = find_runouts(cards_from_string(shape.flops[flop]))
        river = boards.boards(RIVER)[0].tolist()
        if not np.array_equal(one_river_rows(shape.rows.river, river), maps.streets[2].row[0]):
            raise InputError(f"{maps.flop}: its rows on the river are not {shape.rows.river}")
        for s, (street, rows) in enumerate(zip(STREETS, maps.streets, strict=True)):
            first = int(shape.first_board[flop, s])
            want = shape.num_rows[first : first + int(shape.num_boards[flop, s])]
            if not np.array_equal(rows.num_rows, want):
                raise InputError(f"{maps.flop} has other rows on the {street.name.lower()}")
            if shape.has_map(street):
                name = f"book map {street.value}"
                part = rows.row.astype(shape.room()[name].dtype)
                self._file.write(name, (int(shape.first_map[flop, s]),), part)
                kept.append(part)
            elif street != RIVER:
                exact = exact_rows(boards.boards(street)).row
                if not np.array_equal(rows.row, exact):
                    name = street.name.lower()
                    raise InputError(f"{maps.flop}: its rows on the {name} are not exact")
        self._end("book maps put", (flop,), *kept)

    def put(self, flop: int, line: int, weights: Sequence[Weights | None]) -> None:
        """Keep what is played after a line on a flop.

        Args:
            flop: its number among those of the shape.
            line: its number in the game.
            weights: of flop, turn and river, [B, P, W]: boards as `find_runouts` has them, pairs of
                decision and action in the order of the tree, rows; W is at least the rows of any
                board. None on a street that all boards share. `RowEngine.read_rows` has them.
        """
        shape, sums = self.shape, []
        self._begin("book put", (flop, line))
        for s, (street, given) in enumerate(zip(STREETS, weights, strict=True)):
            first, count = int(shape.first_board[flop, s]), int(shape.num_boards[flop, s])
            num_rows, num_pairs = shape.num_rows[first : first + count], shape.num_pairs[line, s]
            if shape.is_shared(street):
                sums.append(np.zeros(count, np.uint32))
                continue
            most = int(num_rows.max(initial=0))
            shape_found = None if given is None else given.shape
            if given is None or given.shape[:2] != (count, num_pairs) or given.shape[2] < most:
                raise InputError(
                    f"weights of the {street.name.lower()} have shape {shape_found}, "
                    f"want {(count, int(num_pairs), most)}"
                )
            codes = in_255ths(given, shape.decisions[line][s].values())
            here = np.arange(codes.shape[2]) < num_rows[:, None, None]
            packed = codes[np.broadcast_to(here, codes.shape)]
            begin = int(num_pairs * shape.first_row[flop, s])
            if len(packed):
                self._file.write(f"book {line} {street.value}", (begin,), packed)
            ends = np.cumsum(num_pairs * num_rows.astype(np.int64))[:-1]
            blocks = np.split(packed, ends)
            sums.append(np.array([mark_of(block) & 0xFFFFFFFF for block in blocks], np.uint32))
        every = np.concatenate(sums)
        self._file.write(f"book sums {line}", (int(shape.first_board[flop, 0]),), every)
        self._end("book put", (flop, line), every)

    def put_shared(self, line: int, street: int, weights: Weights) -> None:
        """Keep what is played after a line on a street whose boards share [P, R] one table."""
        s = street - FLOP
        want = (int(self.shape.num_pairs[line, s]), self.shape.rows.rules[s].count)
        if not self.shape.is_shared(street) or weights.shape != want:
            raise InputError(f"shared weights have shape {weights.shape}, want {want}")
        self._begin("book shared put", (line, s))
        codes = in_255ths(weights[None], self.shape.decisions[line][s].values())[0]
        if codes.size:
            self._file.write(f"book {line} {street}", (0,), codes.reshape(-1))
        self._end("book shared put", (line, s), codes)

    def _begin(self, name: str, index: tuple[int, ...]) -> None:
        """Say that something is not there, if it was, before it changes."""
        if self._marks[name][index]:
            self._file.write(name, index, np.zeros((), np.uint64))
            self._file.sync()

    def _end(self, name: str, index: tuple[int, ...], *parts: NDArray[Any]) -> None:
        """Say that something is there, once all of it is on the disk."""
        self._file.sync()
        self._file.write(name, index, np.array(mark_of(*parts), np.uint64))

    def finish(self) -> BlueprintStrategy:
        """Give the file its name; what was not put is not there."""
        self._file.sync()
        self.close()
        try:
            os.replace(self.part, self.path)
        except OSError as error:
            raise FormatError(f"cannot write {self.path}: {error.strerror or error}") from error
        return BlueprintStrategy.load(self.path)

    def close(self) -> None:
        """Let others go on with what was put so far."""
        self._file.close()


def in_255ths(weights: Weights, decisions: Iterable[range]) -> U8:
    """[B, P, W] how often each row plays each action of these decisions; 0 where all are 0."""
    if weights.dtype == np.uint8:
        return weights
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError("weights of strategies must be finite and not negative")
    found = np.zeros(weights.shape, np.uint8)
    for pairs in decisions:
        own = weights[:, pairs.start : pairs.stop].astype(np.float64)
        total = own.sum(axis=1, keepdims=True)
        np.divide(own, total, out=own, where=total > 0)
        found[:, pairs.start : pairs.stop] = np.rint(own * _MOST)
    return found
