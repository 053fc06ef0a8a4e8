"""Boards, hands and rows of flops as the CUDA kernels by row read them; nothing that is learned.

Of every spot a small part stays on the host. Spots that are walked together are a *chunk*: their
boards stand one after the other on the device, which ranks the hands of rivers itself. All lines of
a game share a chunk's tables.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.river_rows import NUM_LIVE
from poker_solver.abstraction.rows import StreetRows
from poker_solver.cards import COMBO_CARDS, NUM_CARDS, NUM_COMBOS
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS
from poker_solver.cards.strength_tables import CUDA_SOURCE
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.arrays import F32, I32
from poker_solver.kernels.postflop.cuda.sizes import padded
from poker_solver.kernels.postflop.cuda.structs import MOST_BATCH, NOBODY
from poker_solver.kernels.row_cfr import FLOOR
from poker_solver.kernels.row_cfr.cuda.sources import rank_row_kernel
from poker_solver.kernels.row_cfr.cuda.structs import ROW_BOARD, RowRanks
from poker_solver.postflop.engines.cuda.board_batches import BoardBatches, batch_rivers
from poker_solver.postflop.engines.cuda.hands import (
    HandTables,
    RankedBoards,
    rank_boards,
)
from poker_solver.postflop.engines.cuda.tables import (
    PlayerTables,
    combo_places,
    natural_tables,
    union_combos,
)
from poker_solver.postflop.layout.boards import renamings
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch
from poker_solver.trees.runouts import Runouts

U16 = NDArray[np.uint16]
FindRows = Callable[[Runouts], Sequence[StreetRows]]
"""Finds the rows of a spot's streets above the river."""

THREADS = 256
_MOVES = {permutation: k for k, permutation in enumerate(SUIT_PERMUTATIONS)}


class CardsAfter(NamedTuple):
    """The real cards after boards, see `SpotGroup.cards_after`."""

    start: I32  # [B + 1]
    below: I32  # board or batch that each leads to
    move: I32  # renaming


class UpperPart(NamedTuple):
    """A street above the river of one spot; B boards, of OOP and IP."""

    above: I32  # [B] board of the street before; 0 on the spot's own
    num_rows: I32  # [B]
    row: tuple[U16, U16]  # [B, pad] of each hand; NOBODY if the board blocks it
    order: tuple[U16, U16]  # [B, pad] live hands by row
    live: tuple[I32, I32]  # [B] how many these are
    floor: tuple[F32, F32]  # [B] the least weight of a hand in its row
    after: CardsAfter


class SpotPart(NamedTuple):
    """What the chunks of a spot are made of, on the host."""

    upper: tuple[UpperPart, ...]
    cards: NDArray[np.uint8]  # [R, 5] of rivers
    turn: I32  # [R]
    num_rows: I32  # [R]
    live: tuple[I32, I32]  # [R]
    batches: BoardBatches
    held: tuple[I32, I32]  # where the spot's hands stand among all


@dataclass(frozen=True, eq=False)
class ChunkStreet:
    """A street of a chunk on the device; what comes twice is of OOP and IP."""

    num_boards: int
    most_rows: int
    boards: tuple[DeviceArray, DeviceArray]  # [..] of RowBoard, as the player's pass reads it
    row: tuple[DeviceArray, DeviceArray]
    order: tuple[DeviceArray, DeviceArray]
    floor: tuple[DeviceArray, DeviceArray]
    after: tuple[DeviceArray, DeviceArray, DeviceArray] | None  # above the river


@dataclass(frozen=True, eq=False)
class RowChunk:
    """Spots that are walked together."""

    spots: tuple[int, ...]
    held: tuple[tuple[I32, I32], ...]  # of each spot
    upper: tuple[ChunkStreet, ...]
    river: ChunkStreet
    num_batches: int
    hands: tuple[HandTables, HandTables]
    most_live: tuple[int, int]
    most_chunks: tuple[int, int]  # of lists


class RowHandsOnGpu:
    """The rows of spots, for all lines; chunks are made when they are asked for, the last kept.

    Args:
        layouts: the spots, of any line.
        upper: finds the rows of streets above the river.
        river: makes those of rivers.
        num_rows: [B] of each street, of every spot.
        machine: where chunks are made.
        most_chunks: that are kept.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        upper: FindRows,
        river: RowRule,
        num_rows: Sequence[Sequence[I32]],
        machine: Gpu,
        most_chunks: int = 1,
    ) -> None:
        self.layouts, self.num_rows, self.machine = layouts, num_rows, machine
        self._upper, self._river = upper, river
        combos = union_combos(layouts, 0), union_combos(layouts, 1)
        index = combo_places(combos[0]), combo_places(combos[1])
        self.players = tuple(
            PlayerTables(
                own, padded(len(own)), [], np.zeros(0, np.int32),
                natural_tables(own, index[p], index[1 - p][own], SUIT_PERMUTATIONS), {},
            )
            for p, own in enumerate(combos)
        )  # fmt: skip
        self.index = index
        self.upper = [
            {name: machine.put(array) for name, array in tables.upper.items()}
            for tables in self.players
        ]
        self._all_cards = machine.put(COMBO_CARDS.astype(np.uint8))
        self._combos = [machine.put(own.astype(np.uint16)) for own in combos]
        self.part = lru_cache(maxsize=None)(self._make_part)
        self._most_chunks = most_chunks
        self._chunks: dict[tuple[int, ...], RowChunk] = {}

    def chunk(self, spots: tuple[int, ...]) -> RowChunk:
        """These spots on the device; what was asked for longest ago goes before more is made."""
        found = self._chunks.pop(spots, None)
        if found is None:
            while len(self._chunks) >= self._most_chunks:
                del self._chunks[next(iter(self._chunks))]
            found = self._make_chunk(spots)
        self._chunks[spots] = found
        return found

    def _make_part(self, spot: int) -> SpotPart:
        layout = self.layouts[spot]
        runouts, first = layout.runouts, layout.tree.first_street
        held = self.index[0][layout.combos[0]], self.index[1][layout.combos[1]]
        above = self._upper(runouts)
        upper = []
        for street, rows in enumerate(above):
            if not np.array_equal(rows.num_rows, self.num_rows[spot][street]):
                raise InputError(f"rows of street {first + street} of spot {spot} are other ones")
            upper.append(self._upper_part(layout, rows, held, first + street))
        cards = runouts.boards(RIVER).astype(np.uint8)
        live = self._river_live(layout, cards, 0), self._river_live(layout, cards, 1)
        after = upper[-1].after
        batches = batch_rivers(*after, [MOST_BATCH] * (len(after.start) - 1))
        last = upper[-1]._replace(after=CardsAfter(*batches.added))
        return SpotPart(
            (*upper[:-1], last), cards, runouts.river_turn, self.num_rows[spot][-1], live,
            batches, held,
        )  # fmt: skip

    def _upper_part(
        self, layout: Layout, rows: StreetRows, held: tuple[I32, I32], street: int
    ) -> UpperPart:
        row, order, live, floor = [], [], [], []
        for player, tables in enumerate(self.players):
            own = np.full((len(rows.row), tables.pad), NOBODY, np.uint16)
            of_hands = rows.row[:, layout.combos[player]]
            own[:, held[player]] = np.where(of_hands < 0, np.uint16(NOBODY), of_hands)
            row.append(own)
            order.append(np.argsort(own, axis=1, kind="stable").astype(np.uint16))
            live.append((own != NOBODY).sum(axis=1, dtype=np.int32))
            sorted_rows = np.take_along_axis(own, order[-1].astype(np.int64), 1)
            has_twins = (np.diff(sorted_rows.astype(np.int32)) == 0) & (
                sorted_rows[:, 1:] != NOBODY
            )
            floor.append(np.where(has_twins.any(axis=1), FLOOR, 1.0).astype(np.float32))
        boards, is_last = layout.boards, street + 1 == RIVER
        start, move = boards.turn_card_start, boards.turn_card_move
        parts = np.array([0, len(start) - 1])
        if is_last:
            start, move, parts = boards.river_card_start, boards.river_card_move, boards.river_start
        number = np.array([_MOVES[p] for p in renamings(layout.runouts)], np.int32)
        below = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
        after = CardsAfter(start[parts], below, number[move])
        return UpperPart(
            np.zeros(len(rows.row), np.int32), rows.num_rows, (row[0], row[1]),
            (order[0], order[1]), (live[0], live[1]), (floor[0], floor[1]), after,
        )  # fmt: skip

    def _river_live(self, layout: Layout, cards: NDArray[np.uint8], player: int) -> I32:
        """[R] hands that river boards leave."""
        combos = layout.combos[player]
        held = np.bincount(COMBO_CARDS[combos].ravel(), minlength=NUM_CARDS)
        dealt = cards[:, len(layout.runouts.board) :].astype(np.int64)
        found = len(combos) - held[dealt].sum(axis=1)
        if dealt.shape[1] == 2:
            both = np.zeros((NUM_CARDS, NUM_CARDS), np.int64)
            both[tuple(COMBO_CARDS[combos].T)] = 1
            found += (both + both.T)[dealt[:, 0], dealt[:, 1]]
        live: I32 = found.astype(np.int32)
        return live

    def _make_chunk(self, spots: tuple[int, ...]) -> RowChunk:
        parts = [self.part(spot) for spot in spots]
        num_rivers = np.array([len(part.cards) for part in parts])
        live = [np.concatenate([part.live[p] for part in parts]) for p in (0, 1)]
        weights = [np.zeros((len(spots), tables.num_hands)) for tables in self.players]
        for k, part in enumerate(parts):
            for player in (0, 1):
                weights[player][k, part.held[player]] = 1.0
        ranked = RankedBoards(
            np.concatenate([part.cards for part in parts]),
            np.repeat(np.arange(len(parts), dtype=np.int32), num_rivers),
            (weights[0], weights[1]),
        )
        players = tuple(
            PlayerTables(t.combos, t.pad, [], own, {}, {})
            for t, own in zip(self.players, live, strict=True)
        )
        hands, _ = rank_boards(ranked, (players[0], players[1]), self.machine)
        chunks = [self.machine.get(of.chunks).copy() for of in hands]
        upper = tuple(
            self._upper_street([part.upper[k] for part in parts], k)
            for k in range(len(parts[0].upper))
        )
        river = self._river_street(parts, ranked, hands, live, chunks)
        return RowChunk(
            spots, tuple(part.held for part in parts), upper, river,
            sum(len(part.batches) for part in parts), hands,
            (int(live[0].max()), int(live[1].max())),
            (int(chunks[0].max()), int(chunks[1].max())),
        )  # fmt: skip

    def _upper_street(self, parts: Sequence[UpperPart], street: int) -> ChunkStreet:
        """Of all spots of a chunk; on the first street a board is its spot."""
        put, counts = self.machine.put, np.array([len(part.num_rows) for part in parts])
        table = _board_table(counts, [part.num_rows for part in parts])
        table["above"] = np.repeat(np.arange(len(parts)), counts) if street else 0
        live = [np.concatenate([part.live[p] for part in parts]) for p in (0, 1)]
        starts, first, ways = [np.zeros(1, np.int32)], 0, []
        for part, shift in zip(parts, _first_below(parts), strict=True):
            starts.append(first + part.after.start[1:])
            first += int(part.after.start[-1])
            ways.append(part.after.below + shift)
        after = (
            np.concatenate(starts), np.concatenate(ways),
            np.concatenate([part.after.move for part in parts]),
        )  # fmt: skip

        def both(of: Callable[[int], NDArray[Any]]) -> tuple[DeviceArray, DeviceArray]:
            return put(of(0)), put(of(1))

        return ChunkStreet(
            int(counts.sum()), int(table["num_rows"].max()),
            both(lambda p: _with_live(table, live, p)),
            both(lambda p: np.concatenate([part.row[p] for part in parts])),
            both(lambda p: np.concatenate([part.order[p] for part in parts])),
            both(lambda p: np.concatenate([part.floor[p] for part in parts])),
            (put(after[0].astype(np.int32)), put(after[1].astype(np.int32)), put(after[2])),
        )  # fmt: skip

    def _river_street(
        self, parts: Sequence[SpotPart], ranked: RankedBoards, hands: tuple[HandTables, HandTables],
        live: Sequence[I32], chunks: Sequence[I32],
    ) -> ChunkStreet:  # fmt: skip
        machine, counts = self.machine, np.array([len(part.cards) for part in parts])
        table = _board_table(counts, [part.num_rows for part in parts])
        turns = np.array([int(part.turn.max()) + 1 for part in parts])
        table["above"] = np.concatenate(
            [part.turn + first for part, first in zip(parts, _starts(turns), strict=True)]
        )
        most = max(part.batches.boards.shape[1] for part in parts)
        batches = np.full((sum(len(part.batches) for part in parts), most), -1, np.int32)
        at = 0
        for part, first in zip(parts, _starts(counts), strict=True):
            own = part.batches.boards
            batches[at : at + len(own), : own.shape[1]] = np.where(own < 0, -1, own + first)
            at += len(own)
        boards = []
        for player in (0, 1):
            of_board = _with_live(table, live, player)
            of_board["chunks"] = chunks[1 - player]
            given = of_board[batches]
            given["board"] = batches
            boards.append(machine.put(given))
        row, floor = zip(*(self._rank_rows(ranked, hands[p], p) for p in (0, 1)), strict=True)
        return ChunkStreet(
            int(counts.sum()), int(table["num_rows"].max()), (boards[0], boards[1]), row,
            (hands[0].order, hands[1].order), floor, None,
        )  # fmt: skip

    def _rank_rows(
        self, ranked: RankedBoards, hands: HandTables, player: int
    ) -> tuple[DeviceArray, DeviceArray]:
        """The rows of a player's hands by rank, and the least weights, of river boards."""
        machine, pad, count = self.machine, self.players[player].pad, len(ranked.cards)
        machine.load(dict([rank_row_kernel(CUDA_SOURCE.read_text())]))
        row, floor = machine.zeros(count * pad, np.uint16), machine.zeros(count)
        num_rows, boards = machine.zeros(count, np.int32), machine.put(ranked.cards)
        rule = self._river
        quantiles = 0 if rule.kind == "exact" else rule.count or NUM_LIVE
        given = RowRanks(
            boards=boards.pointer, all_cards=self._all_cards.pointer,
            combo=self._combos[player].pointer, live=hands.live.pointer,
            order=hands.order.pointer, row=row.pointer, floor=floor.pointer,
            num_rows=num_rows.pointer, pad=pad, count=quantiles, keeps_empty=int(rule.is_shared),
        )  # fmt: skip
        shared = 8 * 2048 + 4 * (NUM_COMBOS + quantiles + 2)
        machine.launch([Launch("rank_rows", count, THREADS, shared, given.as_c())])
        machine.wait()  # what it reads goes when this returns
        return row, floor


def _starts(counts: NDArray[np.integer[Any]]) -> list[int]:
    """Where each of some parts begins if they stand one after the other."""
    return [0, *np.cumsum(counts)[:-1].tolist()]


def _first_below(parts: Sequence[UpperPart]) -> list[int]:
    """Where each spot's boards or batches of the street below begin."""
    return _starts(np.array([int(part.after.below.max()) + 1 for part in parts]))


def _board_table(counts: NDArray[np.integer[Any]], num_rows: Sequence[I32]) -> NDArray[np.void]:
    """[B] of a street, without what differs between players."""
    table = np.zeros(int(counts.sum()), ROW_BOARD)
    table["board"] = np.arange(len(table))
    table["spot"] = np.repeat(np.arange(len(counts)), counts)
    table["number"] = np.concatenate([np.arange(n) for n in counts.tolist()])
    table["num_rows"] = np.concatenate(num_rows)
    table["rows_before"] = np.concatenate([np.cumsum(rows) - rows for rows in num_rows])
    return table


def _with_live(table: NDArray[np.void], live: Sequence[I32], player: int) -> NDArray[np.void]:
    """As the pass of a player reads it."""
    found = table.copy()
    found["own_live"], found["opp_live"] = live[player], live[1 - player]
    return found
