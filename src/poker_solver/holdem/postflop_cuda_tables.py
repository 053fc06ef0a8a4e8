"""A spot as a GPU reads it: hands by strength and card, places of state, locks; nothing runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS
from poker_solver.cards.strength import board_strengths
from poker_solver.holdem.postflop_layout import Layout
from poker_solver.holdem.postflop_programs import StreetPrograms
from poker_solver.kernels.postflop import River, Street
from poker_solver.kernels.postflop.on_cuda import rounded
from poker_solver.kernels.postflop.river_tables import (
    NOBODY,
    Ranked,
    card_lists,
    list_room,
    looks,
    natural_lists,
)
from poker_solver.trees.postflop import RIVER

Tables = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class PlayerTables:
    """One player's hands; see `struct Pass` in `cuda/common.h` for the arrays."""

    num_hands: int
    pad: int  # hands, rounded up to 4
    most_live: int  # on any river board
    list_pad: int
    most_chunks: int  # of the lists of any river board
    river: Tables
    upper: Tables


def player_tables(layout: Layout) -> tuple[PlayerTables, PlayerTables]:
    """Both players' tables."""
    strengths = board_strengths(layout.runouts.boards(RIVER))  # [R, 1326]
    ranked = [_ranked(combos, strengths) for combos in layout.combos]
    built = [_player(layout, player, ranked[player]) for player in (0, 1)]
    for player in (0, 1):
        own, lists = built[player], built[1 - player].river
        own.river["look"] = np.zeros((len(strengths), own.pad, 8), np.uint16)
        twin = layout.hands[player].twin
        looks(
            ranked[player], ranked[1 - player], twin, lists["list"], lists["list_start"],
            own.river["look"],
        )  # fmt: skip
    return built[0], built[1]


def _ranked(combos: NDArray[np.int32], strengths: NDArray[np.int16]) -> Ranked:
    own = strengths[:, combos]
    key = np.where(own > 0, own, np.iinfo(np.int16).max).astype(np.int32)
    order = np.argsort(key, axis=1, kind="stable").astype(np.int32)
    num_live = (own > 0).sum(1).astype(np.int32)
    cards = COMBO_CARDS[combos].astype(np.uint8)
    return Ranked(cards, order, num_live, np.take_along_axis(key, order, 1))


def _player(layout: Layout, player: int, ranked: Ranked) -> PlayerTables:
    num_boards, num_hands = ranked.order.shape
    pad = rounded(num_hands)
    order = np.zeros((num_boards, pad), np.uint16)
    order[:, :num_hands] = ranked.order
    lists = np.zeros((num_boards, list_room(num_hands)), np.uint16)
    start = np.zeros((num_boards, 52), np.uint16)
    card_lists(ranked.order, ranked.num_live, ranked.cards, lists, start)
    river = {"live": ranked.num_live, "order": order, "list": lists, "list_start": start}
    most_live, most_chunks = int(ranked.num_live.max()), int(lists[:, 0].max())
    upper = _natural(layout, player, ranked.cards)
    return PlayerTables(num_hands, pad, most_live, lists.shape[1], most_chunks, river, upper)


def _natural(layout: Layout, player: int, own_cards: NDArray[np.uint8]) -> Tables:
    hands, num_hands = layout.hands[player], len(own_cards)
    pad = rounded(num_hands)
    places, start = np.zeros(2 * num_hands, np.uint16), np.zeros(53, np.uint16)
    natural_lists(own_cards, places, start)
    cards = np.zeros((pad, 2), np.uint8)
    cards[:num_hands] = own_cards
    twin = np.full(pad, NOBODY, np.uint16)
    own_twin = hands.twin[:num_hands]
    twin[:num_hands] = np.where(own_twin < 0, NOBODY, own_twin)
    moved = np.zeros((len(hands.moved), pad), np.uint16)
    moved[:, :num_hands] = hands.moved[:, :num_hands]
    return {"list": places, "list_start": start, "twin": twin, "cards": cards, "moved": moved}


def padded(values: NDArray[np.float32], pad: int) -> NDArray[np.float32]:
    """[.., pad] with zeros behind."""
    found = np.zeros((*values.shape[:-1], pad), np.float32)
    found[..., : values.shape[-1]] = values
    return found


@dataclass(frozen=True, eq=False)
class StatePlaces:
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


def state_places(
    layout: Layout, streets: list[StreetPrograms], player: int, tables: PlayerTables
) -> StatePlaces:
    """Upper streets in natural order of hands, then river boards without blocked hands."""
    pad = tables.pad
    start, rows, size = {}, {}, 0
    pitch = -(-tables.river["live"].astype(np.int64) // 4) * 4
    base = np.zeros(len(pitch), np.int64)
    for street in streets:
        s = street.street
        start[s], rows[s] = size, street.num_rows[player]
        if s < RIVER:
            size += layout.runouts.num_boards[s] * rows[s] * pad
        else:
            base = size + rows[s] * np.concatenate([[0], np.cumsum(pitch)[:-1]])
            size += int(rows[s] * pitch.sum())
    return StatePlaces(pad, rows, start, base.astype(np.int64), pitch, size)


def locked_state(
    layout: Layout,
    streets: list[StreetPrograms],
    player: int,
    places: StatePlaces,
    tables: PlayerTables,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Places in a player's state that locks hold, and what they hold there."""
    found = list(_locked(layout, streets, player, places, tables))
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    return np.concatenate([at for at, _ in found]), np.concatenate([held for _, held in found])


def _locked(
    layout: Layout,
    streets: list[StreetPrograms],
    player: int,
    places: StatePlaces,
    tables: PlayerTables,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    parts: list[Street | River] = [*layout.streets, layout.river]
    num_hands = len(layout.combos[player])
    for street, part in zip(streets, parts, strict=True):
        node_at = {int(layout.offset[n]): n for n in street.first_row}
        for place in np.flatnonzero(np.asarray(part.locks.node) >= 0).tolist():
            if part.kind[place] != player:
                continue
            node = node_at[int(part.offset[place])]
            for board, table in enumerate(part.locks.table[part.locks.node[place]].tolist()):
                if table >= 0:
                    fixed = part.locks.is_fixed[table, :num_hands]
                    at = _hand_places(tables, street.street, board)
                    chosen = np.flatnonzero(fixed & (at >= 0))
                    for a in range(int(layout.tree.num_children[node])):
                        row = places.row(street.street, board, street.first_row[node] + a)
                        yield row + at[chosen], part.locks.policy[table, a, chosen]


def _hand_places(tables: PlayerTables, street: int, board: int) -> NDArray[np.int64]:
    """[H] the place of each hand in a row; -1 where the river board blocks it."""
    if street < RIVER:
        return np.arange(tables.num_hands)
    at = np.full(tables.num_hands, -1, np.int64)
    live = int(tables.river["live"][board])
    at[tables.river["order"][board, :live]] = np.arange(live)
    return at
