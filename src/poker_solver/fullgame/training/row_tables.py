"""Which rows the hands of a flop have, as the kernels by row read it; nothing that is learned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from poker_solver.abstraction.rows import StreetRows
from poker_solver.cards import COMBO_CARDS, NUM_CARDS, NUM_COMBOS
from poker_solver.cards.strength import board_strengths
from poker_solver.errors import InputError
from poker_solver.fullgame.training.drawn_boards import ALL_BOARDS, DrawnBoards
from poker_solver.games.betting import FLOP, NONE, RIVER, TURN
from poker_solver.kernels.arrays import F32, I16, I32
from poker_solver.kernels.postflop import DEAL, Boards, River, Street
from poker_solver.kernels.postflop.cpu.river_tables import showdown_steps
from poker_solver.kernels.row_cfr import FLOOR, BoardRows, RowHands
from poker_solver.kernels.row_cfr.tables import find_floors, sort_hands
from poker_solver.postflop.layout.hands import far_apart
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.offsets import padded
from poker_solver.postflop.layout.shape import Shape
from poker_solver.trees.runouts import Runouts

Part = TypeVar("Part", Street, River)


@dataclass(frozen=True, eq=False)
class UpperRows:
    """One player's H hands on the B boards of a street above the river."""

    is_live: F32  # [B, H] 0 where a dealt card is in the hand
    row: I16  # [B, H]; 0 where the hand is not live
    floor: F32  # [B] the least weight of a hand in its row


@dataclass(frozen=True, eq=False)
class RowTables:
    """The rows of a spot's boards, for any betting."""

    num_rows: tuple[I32, ...]  # [B] of each street, from the spot's own
    hands: tuple[RowHands, RowHands]  # of OOP and IP
    upper: tuple[tuple[UpperRows, ...], tuple[UpperRows, ...]]  # likewise, by street
    boards: Boards
    counts: tuple[I32, ...]  # [B] of each street: how many real boards each one stands for


class RowShape:
    """A betting as kernels by row walk it, and where state stands: the same on every flop."""

    def __init__(self, shape: Shape) -> None:
        one = Shape(shape.betting, shape.tree, tuple(min(n, 1) for n in shape.num_boards), (1, 1))
        self.shape = one
        """With rows of one hand and one board of each street."""
        self.streets: tuple[Street, ...] = tuple(map(_from_zero, one.streets))
        self.river: River = _from_zero(one.river)
        parts: list[Street | River] = [*one.streets, one.river]
        self.num_actions = tuple(int(part.stride[0]) for part in parts)
        """Of all decisions on a board of each street."""
        self.num_decisions = tuple(int(part.scale_stride) for part in parts)

    def num_elements(self, num_rows: Sequence[I32]) -> list[int]:
        """Action x row over all boards of each street that have these [B] rows."""
        pairs = zip(self.num_actions, num_rows, strict=True)
        return [actions * int(rows.sum()) for actions, rows in pairs]

    def num_scales(self, num_rows: Sequence[I32]) -> int:
        """Decisions on all boards."""
        pairs = zip(self.num_decisions, num_rows, strict=True)
        return sum(count * len(rows) for count, rows in pairs)

    def board_rows(self, num_rows: Sequence[I32]) -> tuple[BoardRows, ...]:
        """Where the state of every board of each street stands: street after street."""
        found, begin, scale, none = [], 0, 0, np.zeros(0, np.float32)
        for actions, decisions, rows in zip(
            self.num_actions, self.num_decisions, num_rows, strict=True
        ):
            start = begin + actions * (np.cumsum(rows, dtype=np.int64) - rows)
            found.append(BoardRows(start, rows, np.int64(scale), np.int64(decisions), none))
            begin, scale = begin + actions * int(rows.sum()), scale + decisions * len(rows)
        return tuple(found)


def _from_zero(part: Part) -> Part:
    """With the offsets and scales of a street counted from its own first one."""
    acts = part.kind < DEAL
    first = part.scale_at[acts].min() if acts.any() else 0
    scale_at = np.where(acts, part.scale_at - first, 0)
    return part._replace(offset=part.offset - part.offset.min(), scale_at=scale_at)


def row_tables(layout: Layout, streets: Sequence[StreetRows]) -> RowTables:
    """The rows of a spot's streets, from its own to the river, for the hands of both players."""
    first, num_boards = layout.tree.first_street, layout.runouts.num_boards
    for street, rows in zip(range(first, RIVER + 1), streets, strict=True):
        if rows.row.shape != (want := (num_boards[street], NUM_COMBOS)):
            raise InputError(f"rows of street {street}: {rows.row.shape}, its boards want {want}")
    oop = _Player(layout, streets, 0)
    ip = oop if np.array_equal(*layout.combos) else _Player(layout, streets, 1)
    num_rows = tuple(rows.num_rows for rows in streets)
    both = (oop.against(ip), ip.against(oop))
    counts = tuple(real_boards(layout.runouts, street) for street in range(first, RIVER + 1))
    return RowTables(num_rows, both, (oop.upper, ip.upper), layout.boards, counts)


def real_boards(runouts: Runouts, street: int) -> I32:
    """[B] how many real boards of a street each one that is kept stands for."""
    if street == FLOP or len(runouts.board) == 2 + street:
        return np.ones(1, np.int32)
    found = runouts.turn_weight
    if street != TURN:
        found = found[runouts.river_turn] * runouts.river_weight
    return found.astype(np.int32)


Rows = Callable[[Runouts], Sequence[StreetRows]]
"""Finds the rows of a spot's streets, on these boards of them."""


class KeptTables:
    """The tables of spots by number, made when they are asked for; the last so many are kept.

    Args:
        layouts: the spots.
        rows: finds the rows of their streets.
        most: tables that are kept.
        num_rows: [B] of each street, of every spot; found by making all of them if not given.
        drawn: the boards that training walks, where they are not all.
        most_drawn: tables of such boards that are kept.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        rows: Rows,
        most: int,
        *,
        num_rows: Sequence[Sequence[I32]] = (),
        drawn: DrawnBoards = ALL_BOARDS,
        most_drawn: int = 0,
    ) -> None:
        self._layouts, self._rows, self.drawn = layouts, rows, drawn
        self._tables = lru_cache(maxsize=most)(self._make)
        self._some = lru_cache(maxsize=most_drawn)(self._draw)
        self.num_rows = num_rows or [self._count(layout) for layout in layouts]

    def __getitem__(self, spot: int) -> RowTables:
        return self._tables(spot)

    def of(self, spot: int, draw: int | None) -> RowTables:
        """Of the boards that a spot's draw of this number has; of all if there is none."""
        return self[spot] if draw is None or self.drawn.are_all else self._some(spot, draw)

    def _make(self, spot: int) -> RowTables:
        layout = self._layouts[spot]
        return row_tables(layout, self._rows(layout.runouts))

    def _draw(self, spot: int, draw: int) -> RowTables:
        layout = self.drawn.of(self._layouts[spot], np.random.default_rng((draw, spot)))
        return row_tables(layout, self._rows(layout.runouts))

    def _count(self, layout: Layout) -> tuple[I32, ...]:
        return tuple(rows.num_rows for rows in self._rows(layout.runouts))


class _Player:
    """One player's hands on every board."""

    def __init__(self, layout: Layout, streets: Sequence[StreetRows], player: int) -> None:
        self.combos, self.moved = layout.combos[player], layout.ranked.moved[player]
        self.width = padded(len(self.combos))
        self.cards = np.full((self.width, 2), NUM_CARDS, np.uint8)
        self.cards[: len(self.combos)] = COMBO_CARDS[self.combos]
        self.apart = far_apart(self.width)
        self.upper = tuple(self._upper(rows) for rows in streets[:-1])
        strength = self._of_hands(board_strengths(layout.runouts.boards(RIVER)), 0)
        row = self._of_hands(streets[-1].row, 0)
        most = padded(int((strength > 0).sum(axis=1).max()))
        shape = len(strength), most
        self.order, self.row = np.empty(shape, np.int16), np.empty(shape, np.int16)
        self.strength, self.num_live = np.empty(shape, np.int32), np.empty(shape[0], np.int32)
        sort_hands(strength, row, self.apart, self.order, self.row, self.strength, self.num_live)
        self.floor = _floors(self.row, self.num_live, streets[-1].num_rows)

    def against(self, other: "_Player") -> RowHands:
        """With what this player's hands meet among the other's."""
        index = np.full(NUM_COMBOS, NONE, np.int32)
        index[other.combos] = np.arange(len(other.combos))
        twin = np.full(self.width, NONE, np.int32)
        twin[: len(self.combos)] = index[self.combos]
        cards = self.cards.astype(np.int64)
        held = cards[:, 0] << 16 | cards[:, 1] << 24
        start = np.zeros(len(self.order) + 1, np.int32)
        steps = np.empty((2 * int(self.num_live.sum()), 3), np.int32)
        showdown_steps(self.strength, self.num_live, other.strength, other.num_live, steps, start)
        return RowHands(
            cards=self.cards, held=held.astype(np.int32), twin=twin, apart=self.apart,
            moved=self.moved, num_live=self.num_live, order=self.order, row=self.row,
            floor=self.floor, step_start=start, steps=steps[: start[-1]].copy(),
        )  # fmt: skip

    def _of_hands(self, by_combo: I16, value: int) -> I16:
        """[B, H] from [B, 1326]."""
        found = np.full((len(by_combo), self.width), value, np.int16)
        found[:, : len(self.combos)] = by_combo[:, self.combos]
        return found

    def _upper(self, rows: StreetRows) -> UpperRows:
        row = self._of_hands(rows.row, NONE)
        is_live = row >= 0
        live_first = np.argsort(~is_live, axis=1, kind="stable")
        floor = _floors(
            np.take_along_axis(row, live_first, 1), is_live.sum(1, np.int32), rows.num_rows
        )
        return UpperRows(is_live.astype(np.float32), np.where(is_live, row, 0), floor)


def _floors(row: I16, num_live: I32, num_rows: I32) -> F32:
    """[B] what a hand weighs at least on each board."""
    found = np.empty(len(row), np.float32)
    find_floors(row, num_live, np.float32(FLOOR), num_rows, found)
    return found
