"""The tables of a blueprint: what every row of every board does, read one board at a time.

A file has, for F flops, K lines and N boards (flop after flop: itself, its turns, its rivers, in
the order of `find_runouts`), beside what a `UnifiedSolution` has:

    book boards     int32 [F, 3]      boards of every flop, by street
    book rows       int16 [N]         rows on every board
    book put        uint64 [F, K]     2^32 + the CRC-32 of the line's sums on the flop; 0: not there
    book sums k     uint32 [N]        the CRC-32 of every board of line k
    book k s        uint8             strategy of line k on street s: board after board [P, R] in
                                      255ths, its P pairs of decision and action in the order of the
                                      tree, its R rows; all 0 for a row that never comes
    book map s      uint8 or int16    [boards, 1326] the row of every combo, for streets whose rows
                                      cannot be made again from a board alone
    book maps put   uint64 [F]        2^32 + the CRC-32 of the maps of a flop; 0: not there

On a street whose rows mean the same on every board there is one table [P, R] for all of them, and
`book shared put`, uint64 [K, 3], says so. A probability comes back within (A + 1) / (510 - A).
"""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.one_board import one_river_rows
from poker_solver.abstraction.rows import HandRows, exact_rows
from poker_solver.cards import cards_from_string, cards_to_string
from poker_solver.cards.flops import FlopFinder
from poker_solver.cards.isomorphism import combo_permutation, compose, permute_cards
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import FormatError, InputError, NotFoundError
from poker_solver.fullgame.game import FullGame
from poker_solver.fullgame.rows import decision_rows, decisions_end
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.kernels.arrays import F64, U8
from poker_solver.postflop.solution.strategy import mixes
from poker_solver.store.files import Arrays
from poker_solver.trees.runouts import Runouts, find_runouts

Rows = NDArray[np.int16]

STREETS = (FLOP, TURN, RIVER)

IS_THERE = 1 << 32
_KEPT_BOARDS = 512
_KEPT_FLOPS = 128
_PROBES = 16
"""River boards whose rows must be made as they were when the tables were."""


def mark_of(*parts: NDArray[Any]) -> int:
    """What says that something is there, and what."""
    found = 0
    for part in parts:
        found = zlib.crc32(np.ascontiguousarray(part).data, found)
    return IS_THERE | found


@dataclass(frozen=True, eq=False)
class TableShape:
    """How large everything is, and where it lies."""

    game: FullGame
    rows: RowsConfig
    flops: tuple[str, ...]  # F
    num_boards: NDArray[np.int32]  # [F, 3]
    num_rows: Rows  # [N]

    @cached_property
    def decisions(self) -> tuple[tuple[dict[int, range], ...], ...]:
        """[K, 3] the pairs of every decision of a line on a street."""
        trees = (line.tree for line in self.game.lines)
        return tuple(tuple(decision_rows(tree, street) for street in STREETS) for tree in trees)

    @cached_property
    def num_pairs(self) -> NDArray[np.int64]:
        """[K, 3] P."""
        return np.array([[decisions_end(on) for on in line] for line in self.decisions]).reshape(
            -1, 3
        )

    @property
    def num_decisions(self) -> int:
        """Of all lines, cards left aside."""
        return sum(len(on) for line in self.decisions for on in line)

    @cached_property
    def first_board(self) -> NDArray[np.int64]:
        """[F, 3] of N."""
        counts = self.num_boards.reshape(-1)
        return (np.cumsum(counts) - counts).reshape(-1, 3)

    @cached_property
    def row_totals(self) -> NDArray[np.int64]:
        """[F, 3] rows on all boards of a flop."""
        starts = self.first_board.reshape(-1)
        return np.add.reduceat(self.num_rows, starts, dtype=np.int64).reshape(-1, 3)

    @cached_property
    def first_row(self) -> NDArray[np.int64]:
        """[F, 3] rows of the street on all flops before."""
        return np.cumsum(self.row_totals, axis=0) - self.row_totals

    @cached_property
    def first_map(self) -> NDArray[np.int64]:
        """[F, 3] boards of the street on all flops before."""
        return np.cumsum(self.num_boards, axis=0) - self.num_boards

    def is_shared(self, street: int) -> bool:
        """Whether all boards of a street have one table."""
        return self.rows.rules[street - FLOP].is_shared

    def has_map(self, street: int) -> bool:
        """Whether rows of a street are kept, board by board."""
        return street != RIVER and self.rows.rules[street - FLOP].kind != "exact"

    def size(self, line: int, street: int) -> int:
        """Bytes of a line's strategies on a street."""
        s = street - FLOP
        shared = self.rows.rules[s].count
        num_rows = shared if self.is_shared(street) else int(self.row_totals[:, s].sum())
        return int(self.num_pairs[line, s]) * num_rows

    def room(self) -> Arrays:
        """Arrays of the shapes and kinds that a file has; they take up nothing."""

        def room(dtype: str, *shape: int) -> NDArray[Any]:
            return np.broadcast_to(np.zeros((), dtype), shape)

        lines, num_flops = range(len(self.game.lines)), len(self.flops)
        found = {
            "book put": room("<u8", num_flops, len(lines)),
            "book maps put": room("<u8", num_flops),
            "book shared put": room("<u8", len(lines), 3),
        }
        for street in filter(self.has_map, STREETS):
            dtype = "|u1" if self.rows.rules[street - FLOP].count < 256 else "<i2"
            boards = int(self.num_boards[:, street - FLOP].sum())
            found[f"book map {street.value}"] = room(dtype, boards, 1326)
        for k in lines:
            found[f"book sums {k}"] = room("<u4", len(self.num_rows))
        for k in lines:
            for street in STREETS:
                found[f"book {k} {street.value}"] = room("|u1", self.size(k, street))
        return found

    def arrays(self) -> Arrays:
        """What is known before anything is put."""
        return {"book boards": self.num_boards, "book rows": self.num_rows}

    def header(self, of: str) -> dict[str, Any]:
        """What files say about the tables of a strategy of this name."""
        return {
            "of": of,
            "rows": self.rows.model_dump(),
            "flops": list(self.flops),
            "actions": self.action_names(),
            "rivers": river_mark(self.rows, self.flops[0]),
        }

    def action_names(self) -> dict[str, dict[str, str]]:
        """What can be played where, before the flop and on every line that sees one."""
        trees = {"preflop": self.game.tree} | {str(one): one.tree for one in self.game.lines}
        return {
            name: {
                tree.line_of(node): " ".join(tree.actions(node))
                for node in np.flatnonzero(tree.is_decision).tolist()
            }
            for name, tree in trees.items()
        }


def river_mark(rows: RowsConfig, flop: str) -> int:
    """Tells apart ways to make the rows of rivers."""
    boards = find_runouts(cards_from_string(flop)).boards(RIVER)[:_PROBES].tolist()
    return mark_of(*(one_river_rows(rows.river, board) for board in boards))


def table_shape(game: FullGame, rows: RowsConfig, maps: Iterable[HandRows]) -> TableShape:
    """The tables of a game on some flops, whose rows are these; they are looked at one by one."""
    flops: list[str] = []
    counts: list[list[int]] = []
    every: list[NDArray[np.int16]] = []
    for of in maps:
        flops.append(of.flop)
        counts.append([len(street.num_rows) for street in of.streets])
        every += [street.num_rows.astype(np.int16) for street in of.streets]
    if not flops:
        raise InputError("a blueprint wants at least one flop")
    boards = np.array(counts, np.int32)
    return TableShape(game, rows, tuple(flops), boards, np.concatenate(every))


class BoardTable(NamedTuple):
    """A line on one board, under the suits of the flop that stands for it."""

    weights: U8  # [P, R] 255ths
    row: NDArray[np.integer[Any]]  # [1326] of every combo
    to: Rows  # [1326] combos as they are really called -> as they are called there

    def row_of(self, combo: int) -> int:
        """The row of a combo that the board does not block."""
        return int(self.row[self.to[combo]])

    def mix_of(self, pairs: range, row: int) -> list[float]:
        """What a row does at a decision; evenly where it never comes."""
        found: list[int] = self.weights[pairs.start : pairs.stop, row].tolist()
        total = sum(found)
        return [one / total for one in found] if total else [1 / len(found) for _ in found]

    def mix(self, pairs: range, free: NDArray[np.bool_]) -> F64:
        """[A, 1326] what every combo does at a decision; 0 where it is not free."""
        held, found = np.flatnonzero(free), np.zeros((len(pairs), len(free)))
        by_row = mixes(self.weights[pairs.start : pairs.stop])
        found[:, held] = by_row[:, self.row[self.to[held]]]
        return found


class BlueprintTables:
    """Tables in a file that is mapped into memory: a look-up reads one board."""

    def __init__(self, shape: TableShape, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.shape, self.mapped = shape, dict(arrays)
        self._arrays = {name: np.asarray(array) for name, array in arrays.items()}
        self._put, self._shared = self._arrays["book put"], self._arrays["book shared put"]
        self._finder = FlopFinder(shape.flops)
        self._sound: set[tuple[str, int, int]] = set()
        self._river_mark: int | None = None  # as the file says; None once it is known to hold
        self.runouts = lru_cache(maxsize=_KEPT_FLOPS)(self._find_runouts)
        self.board = lru_cache(maxsize=_KEPT_BOARDS)(self._read_board)

    def expect_rivers(self, mark: int) -> None:
        """Refuse to read rivers whose rows are not made as this says."""
        self._river_mark = mark

    @property
    def num_done(self) -> int:
        """Flops of which every line is there."""
        return int((self._put != 0).all(axis=1).sum())

    @property
    def num_bytes(self) -> int:
        """Of all tables."""
        return sum(array.nbytes for array in self._arrays.values())

    @property
    def num_rows(self) -> int:
        """Rows of all decisions that are there."""
        shape, total = self.shape, 0
        for k, on in enumerate(shape.decisions):
            there = self._put[:, k] != 0
            for s, street in enumerate(STREETS):
                rows = int(shape.row_totals[there, s].sum())
                if shape.is_shared(street):
                    rows = shape.rows.rules[s].count if self._shared[k, s] else 0
                total += len(on[s]) * rows
        return total

    def _find_runouts(self, flop: int) -> Runouts:
        return find_runouts(cards_from_string(self.shape.flops[flop]))

    def _read_board(self, line: int, cards: tuple[int, ...]) -> BoardTable:
        """A line of this number on a board of any suits."""
        found = self._finder.find(cards[:3])
        if found is None:
            raise NotFoundError(f"the blueprint has no flop {cards_to_string(cards[:3])}")
        flop, first = found
        board, renaming, street = 0, first, len(cards) - 2
        if street != FLOP:
            dealt = permute_cards(cards[3:], first)
            board, second = self.runouts(flop).locate(dealt)
            renaming = compose(first, second)
        weights = self._weights(line, flop, street, board)
        row = self._rows(flop, street, board, permute_cards(cards, renaming))
        return BoardTable(weights, row, combo_permutation(renaming))

    def _weights(self, line: int, flop: int, street: int, board: int) -> U8:
        shape, s = self.shape, street - FLOP
        pairs, table = int(shape.num_pairs[line, s]), self._arrays[f"book {line} {street}"]
        if shape.is_shared(street):
            self._check("book shared put", (line, s), f"{shape.game.lines[line]}", table)
            return table.reshape(pairs, -1)
        what = f"{shape.game.lines[line]} on {shape.flops[flop]}"
        first = int(shape.first_board[flop, 0])
        sums = self._arrays[f"book sums {line}"]
        own = sums[first : first + int(shape.num_boards[flop].sum())]
        self._check("book put", (flop, line), what, own)
        number = int(shape.first_board[flop, s])
        rows, here = shape.num_rows, number + board
        before = int(shape.first_row[flop, s]) + int(rows[number:here].sum(dtype=np.int64))
        block = table[pairs * before : pairs * (before + int(rows[here]))]
        if zlib.crc32(block.data) != sums[here]:
            raise _damaged(what)
        return block.reshape(pairs, -1)

    def _rows(
        self, flop: int, street: int, board: int, cards: tuple[int, ...]
    ) -> NDArray[np.integer[Any]]:
        """[1326] the row of every combo on a board of the flop's own suits."""
        shape, s = self.shape, street - FLOP
        if shape.has_map(street):
            first, last = shape.first_map[flop], shape.first_map[flop] + shape.num_boards[flop]
            parts = (
                self._arrays[f"book map {one.value}"][first[i] : last[i]]
                for i, one in enumerate(STREETS)
                if shape.has_map(one)
            )
            self._check("book maps put", (flop,), f"the rows of {shape.flops[flop]}", *parts)
            kept: NDArray[np.integer[Any]] = self._arrays[f"book map {street}"][first[s] + board]
            return kept
        if street != RIVER:
            exact: Rows = exact_rows(np.array([cards])).row[0]
            return exact
        if self._river_mark is not None:
            if river_mark(shape.rows, shape.flops[0]) != self._river_mark:
                raise FormatError("the blueprint's river rows are of another version")
            self._river_mark = None
        return one_river_rows(shape.rows.river, cards)

    def _check(self, name: str, index: tuple[int, ...], what: str, *parts: NDArray[Any]) -> None:
        """Refuse what is not there, or not as it was put; what was found sound once stays so."""
        key = (name, *index, 0)[:3]
        if key in self._sound:
            return
        mark = int(self._arrays[name][index])
        if mark == 0:
            raise NotFoundError(f"the blueprint does not have {what}")
        if mark != mark_of(*parts):
            raise _damaged(what)
        self._sound.add(key)  # type: ignore[arg-type]


def _damaged(what: str) -> FormatError:
    return FormatError(f"the blueprint is damaged: {what} does not match its checksum")
