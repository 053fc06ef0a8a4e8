"""Spots as a GPU reads them: hands by strength and card, offsets of state, locks; nothing runs.

Spots of one shape, which differ in their boards and ranges only, stand side by side: their boards
one after the other on every street, and each player with the hands that any of the spots gives him.
Hands that a spot does not have are dead on all of its boards. One spot is a group of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_CARDS, NUM_COMBOS
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS, GroupShape
from poker_solver.kernels.postflop.cuda.sizes import list_room, padded, rounded
from poker_solver.kernels.postflop.cuda.structs import NOBODY, PITCH
from poker_solver.postflop.engines.cuda.programs import (
    Room,
    StreetPrograms,
    programs_fit,
    street_programs,
)
from poker_solver.postflop.layout.boards import renamings
from poker_solver.postflop.layout.layout import Layout

Int = NDArray[np.int32]
Tables = dict[str, NDArray[Any]]

RIVER_HANDS = 47 * 46 // 2
"""Hands that no card of a river blocks."""

MOST_SHARED = 227 << 10
"""Bytes of shared memory that a block may have where nothing else is known."""


@dataclass(frozen=True, eq=False)
class PlayerTables:
    """One player's hands; see `Pass` of the kernels for the arrays."""

    combos: Int  # [H] that any of the spots has
    pad: int  # hands, filled up
    hand_index: list[Int]  # of each spot, where its own hands stand among all
    live: Int  # [boards] hands that a river board leaves its spot
    upper: Tables
    alive: dict[int, NDArray[np.float32]]  # by upper street, [boards, pad]

    @property
    def num_hands(self) -> int:
        """H."""
        return len(self.combos)

    @property
    def most_live(self) -> int:
        """On any river board."""
        return int(self.live.max())

    @property
    def list_pad(self) -> int:
        """Numbers of a river board's lists."""
        return list_room(self.num_hands)


@dataclass(frozen=True, eq=False)
class SpotGroup:
    """Spots of one shape, side by side; everything that passes look up, still on the host."""

    layouts: tuple[Layout, ...]
    streets: list[StreetPrograms]
    players: tuple[PlayerTables, PlayerTables]
    offsets: "tuple[StateOffsets, StateOffsets]"
    first_board: dict[int, Int]  # by street, where each spot's boards begin; then where all end

    @property
    def first_street(self) -> int:
        """The street that the spots begin on."""
        return self.streets[0].street

    def num_boards(self, street: int) -> int:
        """Of all spots."""
        return int(self.first_board[street][-1])

    def num_deals(self, street: int) -> int:
        """Ways out of an upper street."""
        return self.layouts[0].shape.num_deals[street - self.first_street]

    def boards_above(self, street: int) -> Int:
        """[boards] the board of the street before; of the first street, the spot."""
        counts = np.diff(self.first_board[street])
        spot = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        if street == self.first_street or street == TURN:
            return spot
        turns = np.concatenate([layout.runouts.river_turn for layout in self.layouts])
        return (turns + self.first_board[TURN][spot]).astype(np.int32)

    def cards_after(self, street: int) -> tuple[Int, Int, Int]:
        """Of each board, where its real cards begin; of these the boards below and renamings."""
        starts: list[NDArray[Any]] = [np.zeros(1, np.int32)]
        boards, moves, first = [], [], 0
        number = {p: k for k, p in enumerate(all_renamings(self.layouts))}
        for layout, below in zip(self.layouts, self.first_board[street + 1], strict=False):
            start, parts, move = _cards_after(layout, street)
            counts = np.diff(start)
            boards.append(below + np.repeat(np.arange(len(counts)), counts))
            global_number = np.array([number[p] for p in renamings(layout.runouts)])
            moves.append(global_number[move])
            starts.append(first + start[parts[1:]])
            first += int(start[-1])
        found = [np.concatenate(part).astype(np.int32) for part in (starts, boards, moves)]
        return found[0], found[1], found[2]


def _first_boards(layouts: Sequence[Layout]) -> dict[int, Int]:
    counts = np.array([layout.runouts.num_boards for layout in layouts])  # [S, 4]
    ends = np.concatenate([np.zeros_like(counts[:1]), np.cumsum(counts, axis=0)])
    first = layouts[0].tree.first_street
    return {street: ends[:, street].astype(np.int32) for street in range(first, RIVER + 1)}


def all_renamings(layouts: Sequence[Layout]) -> list[Permutation]:
    """Every renaming that any of the spots uses; the first one changes nothing."""
    return list(dict.fromkeys(p for layout in layouts for p in renamings(layout.runouts)))


def _cards_after(layout: Layout, street: int) -> tuple[Int, Int, Int]:
    boards = layout.boards
    if street + 1 < RIVER:
        parts = np.array([0, len(boards.turn_card_start) - 1])
        return boards.turn_card_start, parts, boards.turn_card_move
    return boards.river_card_start, boards.river_start, boards.river_card_move


def group_spots(
    layouts: Sequence[Layout], most_rows: int = MOST_ROWS, shared_bytes: int = MOST_SHARED,
    *, packed: bool = False, programs: list[StreetPrograms] | None = None,
) -> SpotGroup:  # fmt: skip
    """Put spots with the same betting side by side; several of them must be without locks.

    `packed` says that regrets will have 16 bits; `programs` are those of a group with the same
    betting and without locks, if there is one.
    """
    if len(layouts) > 1 and any(layout.game.locks for layout in layouts):
        raise InputError("spots with locks are solved one at a time")
    room = Room(most_rows, _most_live(layouts), shared_bytes, packed)
    if programs is None or not programs_fit(programs, room):
        programs = street_programs(layouts[0], room)
    players, first = _both_players(layouts), _first_boards(layouts)
    oop, ip = (_state_offsets(first, programs, p, players[p]) for p in (0, 1))
    return SpotGroup(tuple(layouts), programs, players, (oop, ip), first)


def written_shapes(layout: Layout, shared_bytes: int) -> set[GroupShape]:
    """The shapes of a spot's river groups that kernels are written for."""
    room = Room(MOST_ROWS, _most_live([layout]), shared_bytes, packed=False)
    both = street_programs(layout, room)[-1].written
    return {group.shape for groups in both for group in groups}


def _most_live(layouts: Sequence[Layout]) -> tuple[int, int]:
    """How many hands of each player any river can leave, with the ranges of the spots."""
    held = [np.any([x.game.weights[p] > 0 for x in layouts], axis=0).sum() for p in (0, 1)]
    return min(int(held[0]), RIVER_HANDS), min(int(held[1]), RIVER_HANDS)


def _both_players(layouts: Sequence[Layout]) -> tuple[PlayerTables, PlayerTables]:
    combos = [union_combos(layouts, player) for player in (0, 1)]
    index = [combo_places(own) for own in combos]
    built = []
    for p in (0, 1):
        own, held = combos[p], [index[p][layout.combos[p]] for layout in layouts]
        upper = _natural(layouts, own, index[p], index[1 - p][own])
        live = np.concatenate([_num_live(layout, p) for layout in layouts])
        alive = _alive(layouts, own, held)
        built.append(PlayerTables(own, padded(len(own)), held, live, upper, alive))
    return built[0], built[1]


def _num_live(layout: Layout, player: int) -> Int:
    """[boards] hands that each river board leaves."""
    if layout.tree.first_street == RIVER:
        return np.array([len(layout.combos[player])], np.int32)
    held = np.zeros((NUM_CARDS, NUM_CARDS), np.int32)  # hands by their two cards
    first, second = COMBO_CARDS[layout.combos[player]].T
    held[first, second] = held[second, first] = 1
    boards = layout.runouts.boards(RIVER)
    with_card = held.sum(axis=1)[boards].sum(axis=1)  # those of two cards of a board twice
    with_two = sum(held[boards[:, a], boards[:, b]] for a, b in combinations(range(5), 2))
    live: Int = (len(layout.combos[player]) - with_card + with_two).astype(np.int32)
    return live


def union_combos(layouts: Sequence[Layout], player: int) -> Int:
    """The combos that a player has at any of the spots."""
    held = np.zeros(NUM_COMBOS, bool)
    for layout in layouts:
        held[layout.combos[player]] = True
    return np.flatnonzero(held).astype(np.int32)


def combo_places(combos: Int) -> Int:
    """[1326] where each combo stands; -1 if it does not."""
    index = np.full(NUM_COMBOS, -1, np.int32)
    index[combos] = np.arange(len(combos))
    return index


def _natural(layouts: Sequence[Layout], combos: Int, index: Int, twin: Int) -> Tables:
    """Tables of the streets above the river, where there are any."""
    if layouts[0].tree.first_street == RIVER:
        return {}
    return natural_tables(combos, index, twin, all_renamings(layouts))


def natural_tables(combos: Int, index: Int, twin: Int, renamed: Sequence[Permutation]) -> Tables:
    """Hands in natural order, the same for all spots: by card, the opponent's same, renamed.

    `index` says where each combo stands among these, `twin` where each of these stands among the
    opponent's; -1 if it does not.
    """
    num_hands = len(combos)
    pad = padded(num_hands)
    cards = np.zeros((pad, 2), np.uint8)
    cards[:num_hands] = COMBO_CARDS[combos]
    # Each hand stands below both its cards, in one of four parts by the other: which part, and so
    # how a list is summed, does not depend on what other hands there are.
    part = 4 * cards[:num_hands].astype(np.int32) + cards[:num_hands, ::-1] % 4
    by_card = np.argsort(part.ravel(), kind="stable")
    start = np.searchsorted(part.ravel()[by_card], np.arange(4 * NUM_CARDS + 1))
    twins = np.full(pad, NOBODY, np.uint16)
    twins[:num_hands] = np.where(twin < 0, NOBODY, twin)
    moved = np.zeros((len(renamed), pad), np.uint16)
    for k, permutation in enumerate(renamed):  # a spot that uses one has all that it leads to
        moved[k, :num_hands] = np.maximum(index[combo_permutation(permutation)[combos]], 0)
    lists = {"list": (by_card // 2).astype(np.uint16), "list_start": start.astype(np.uint16)}
    return {**lists, "twin": twins, "cards": cards, "moved": moved}


def _alive(
    layouts: Sequence[Layout], combos: Int, hand_index: Sequence[Int]
) -> dict[int, NDArray[np.float32]]:
    """By upper street, [boards, pad] 1 for hands of the spot that no card of the board blocks."""
    found = {}
    cards, pad = COMBO_CARDS[combos], padded(len(combos))
    for street in range(layouts[0].tree.first_street, RIVER):
        alive = []
        for layout, held in zip(layouts, hand_index, strict=True):
            mask = np.zeros((layout.runouts.num_boards[street], pad), np.float32)
            mask[:, held] = 1
            if street > layout.tree.first_street:
                turn = layout.runouts.turn_card[:, None, None]
                mask[:, : len(combos)] *= (cards[None] != turn).all(-1)
            alive.append(mask)
        found[street] = np.concatenate(alive)
    return found


@dataclass(frozen=True, eq=False)
class StateOffsets:
    """Where one player's rows of state stand on the device."""

    pad: int
    num_rows: dict[int, int]  # by street
    start: dict[int, int]  # of each street
    base: NDArray[np.int64]  # [R] of each river board
    pitch: NDArray[np.int64]  # [R] from one row of a river board to the next
    num_floats: int

    def row(self, street: int, board: int, row: int) -> int:
        """Where a row begins."""
        if street == RIVER:
            return int(self.base[board] + row * self.pitch[board])
        return self.start[street] + (board * self.num_rows[street] + row) * self.pad


def _state_offsets(
    first: dict[int, Int], streets: list[StreetPrograms], player: int, tables: PlayerTables
) -> StateOffsets:
    """Upper streets in natural order of hands, then river boards without blocked hands."""
    start, rows, size, pad = {}, {}, 0, tables.pad
    pitch = -(-tables.live.astype(np.int64) // PITCH) * PITCH
    base = np.zeros(len(pitch), np.int64)
    for street in streets:
        s = street.street
        size = rounded(size, PITCH)
        start[s], rows[s] = size, street.num_rows[player]
        if s < RIVER:
            size += int(first[s][-1]) * rows[s] * pad
        else:
            base = size + rows[s] * np.concatenate([[0], np.cumsum(pitch)[:-1]])
            size += int(rows[s] * pitch.sum())
    return StateOffsets(pad, rows, start, base.astype(np.int64), pitch, size)


def locked_state(
    group: SpotGroup, player: int, order: NDArray[np.uint16]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Offsets in a player's state that the locks of a single spot hold, and what they hold there.

    `order` [boards, pad] is that of his hands on river boards.
    """
    places, shares = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    layout = group.layouts[0]
    tables, offsets = group.players[player], group.offsets[player]
    streets = {street.street: street for street in group.streets}
    for held in layout.lock_tables.held(player):
        street = streets[int(layout.tree.street[held.node])]
        at = _hand_ranks(tables, street.street, held.board, order)[held.hands]
        for a, policy in enumerate(held.policy):
            row = offsets.row(street.street, held.board, street.first_row[held.node] + a)
            places.append(row + at[at >= 0])
            shares.append(policy[at >= 0])
    return np.concatenate(places), np.concatenate(shares)


def _hand_ranks(
    tables: PlayerTables, street: int, board: int, order: NDArray[np.uint16]
) -> NDArray[np.int64]:
    """[H] the index of each hand in a row; -1 where the river board blocks it."""
    if street < RIVER:
        return np.arange(tables.num_hands)
    at = np.full(tables.num_hands, -1, np.int64)
    live = int(tables.live[board])
    at[order[board, :live]] = np.arange(live)
    return at
