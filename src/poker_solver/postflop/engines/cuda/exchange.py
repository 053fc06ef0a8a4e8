"""The way between a GPU's order of a spot's state and the plain one of `PostflopEngine`."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import Structure
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.structs import NOBODY, Exchange
from poker_solver.postflop.engines.cuda.hands import HandTables
from poker_solver.postflop.engines.cuda.int16 import PackedRegret, row_nodes
from poker_solver.postflop.engines.cuda.programs import StreetPrograms
from poker_solver.postflop.engines.cuda.tables import SpotGroup
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.shape import Shape
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch

Float = NDArray[np.float32]
RowNumbers = Callable[[Layout, StreetPrograms, int], NDArray[np.int32]]
States = Mapping[int, DeviceArray | PackedRegret]  # of each player

COPIED = 16 << 20
"""Numbers that are copied at a time; a plan has room for them."""

PART = 1 << 20
"""Numbers that one thread of the host copies at a time."""


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some boards of a street of a spot, one after the other in the plain order."""

    spot: int
    street: StreetPrograms
    begin: int  # in the plain order
    stride: int  # from one board to the next
    first: int  # board, of all spots
    count: int

    @property
    def size(self) -> int:
        return self.count * self.stride


@dataclass(frozen=True, eq=False)
class StateOrder:
    """Where the rows of spots stand on the device; everything is copied piece by piece."""

    machine: Gpu
    group: SpotGroup
    hands: tuple[HandTables, HandTables]
    bases: tuple[DeviceArray, DeviceArray]  # where the state of river boards begins
    threads: int  # of a block
    _kept: dict[tuple[str, Shape, int, int], DeviceArray] = field(default_factory=dict)

    def read(self, spots: Sequence[int], states: States, *, last: int = RIVER) -> list[Float]:
        """[elements] what the arrays hold; 0 for players that are not given, and blocked hands.

        As far as the last street that is asked for.
        """
        plain = {}
        for spot in spots:
            shape = self.group.layouts[spot].shape
            plain[spot] = np.empty(shape.num_before(last + 1), np.float32)
        for pieces in self._parts(plain):
            buffer = self.machine.zeros(sum(piece.size for piece in pieces))
            self._launch(pieces, states, buffer, to_plain=True)
            found, at, pairs = self.machine.get(buffer), 0, []
            for piece in pieces:
                part = plain[piece.spot][piece.begin : piece.begin + piece.size]
                pairs.append((part, found[at : at + piece.size]))
                at += piece.size
            _copy(pairs)
            del buffer  # before there is another
        return list(plain.values())

    def write(self, spot: int, states: States, plain: Float) -> None:
        """The way back."""
        for pieces in self._parts({spot: plain}):
            given = [plain[piece.begin : piece.begin + piece.size] for piece in pieces]
            buffer = self.machine.put(np.concatenate(given))
            self._launch(pieces, states, buffer, to_plain=False)
            self.machine.wait()
            del buffer

    def _parts(self, plain: Mapping[int, Float]) -> Iterator[list[_Piece]]:
        """The pieces of some spots, as many at a time as are copied at once."""
        some, size = list[_Piece](), 0
        for spot, values in plain.items():
            for piece in self._pieces(spot, len(values)):
                if some and size + piece.size > COPIED:
                    yield some
                    some, size = [], 0
                some.append(piece)
                size += piece.size
        if some:
            yield some

    def _pieces(self, spot: int, end: int) -> Iterator[_Piece]:
        layout = self.group.layouts[spot]
        for street in self.group.streets:
            nodes = list(street.first_row)
            if not nodes:
                continue
            begin, stride = int(layout.offset[nodes].min()), int(layout.stride[nodes[0]])
            if begin >= end:
                return
            first = int(self.group.first_board[street.street][spot])
            num_boards, most = layout.runouts.num_boards[street.street], max(1, COPIED // stride)
            for board in range(0, num_boards, most):
                count = min(most, num_boards - board)
                yield _Piece(spot, street, begin + board * stride, stride, first + board, count)

    def _launch(
        self, pieces: Sequence[_Piece], states: States, buffer: DeviceArray, *, to_plain: bool
    ) -> None:
        at, made = buffer.pointer, dict[tuple[Shape, int, int], Structure]()
        for piece in pieces:
            shape, street = self.group.layouts[piece.spot].shape, piece.street
            for player, state in states.items():
                if not (num_rows := street.num_rows[player]):
                    continue
                key = shape, street.street, player  # spots of one shape differ in little
                if key not in made:
                    made[key] = self._arguments(piece, player, state, to_plain).as_c()
                own = type(made[key]).from_buffer_copy(made[key])
                own.plain, own.first = at, piece.first
                index, num_hands = self._hand_index[player], self.group.players[player].num_hands
                own.hand_index = index.pointer + 2 * piece.spot * num_hands
                blocks = piece.count * num_rows
                self.machine.launch([Launch("exchange", blocks, self.threads, 0, own)])
            at += 4 * piece.size

    def _arguments(
        self, piece: _Piece, player: int, state: DeviceArray | PackedRegret, to_plain: bool
    ) -> Exchange:
        """All but what tells one piece from another."""
        street, tables, hands = piece.street, self.group.players[player], self.hands[player]
        is_river = street.street == RIVER
        on_river = {
            "base": self.bases[player].pointer, "live": hands.live.pointer,
            "order": hands.order.pointer,
        } if is_river else {}  # fmt: skip
        if isinstance(state, PackedRegret):
            nodes = self._put_once("node", piece, player, row_nodes)
            kept = {**state.exchanged(street.street), "row_node": nodes.pointer}
        else:
            kept = {"state": state.pointer}
        return Exchange(
            stride=piece.stride,
            row_offset=self._put_once("offset", piece, player, _row_offsets).pointer,
            num_rows=street.num_rows[player], hands=tables.num_hands, pad=tables.pad,
            to_plain=int(to_plain),
            state_start=self.group.offsets[player].start[street.street], **kept, **on_river,
        )  # fmt: skip

    @cached_property
    def _hand_index(self) -> list[DeviceArray]:
        """Of each player [spots, H] where a hand stands among those of the spot."""
        found = []
        for tables in self.group.players:
            index = np.full((len(tables.hand_index), tables.num_hands), NOBODY, np.uint16)
            for row, held in zip(index, tables.hand_index, strict=True):
                row[held] = np.arange(len(held))
            found.append(self.machine.put(index))
        return found

    def _put_once(self, what: str, piece: _Piece, player: int, made: RowNumbers) -> DeviceArray:
        """Numbers for each row of a street, on the device."""
        layout, street = self.group.layouts[piece.spot], piece.street
        key = what, layout.shape, street.street, player
        if key not in self._kept:
            self._kept[key] = self.machine.put(made(layout, street, player))
        return self._kept[key]


def _copy(pairs: Sequence[tuple[Float, Float]]) -> None:
    """Copy each second array into the first, on several threads: fresh memory is slow to enter."""
    parts = [
        (to[first : first + PART], source[first : first + PART])
        for to, source in pairs
        for first in range(0, len(to), PART)
    ]
    if sum(len(to) for to, _ in parts) <= PART:  # done before a thread wakes up
        for to, source in parts:
            np.copyto(to, source)
        return
    list(_copiers().map(lambda part: np.copyto(*part), parts))


@cache
def _copiers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(8, os.cpu_count() or 1))


def _row_offsets(layout: Layout, street: StreetPrograms, player: int) -> NDArray[np.int32]:
    """[rows] where each row of a player stands in a board of the plain order."""
    begin = int(layout.offset[list(street.first_row)].min())
    offset = np.zeros(street.num_rows[player], np.int32)
    for node, row in street.first_row.items():
        if layout.tree.actor[node] == player:
            actions = np.arange(int(layout.tree.num_children[node]))
            offset[row + actions] = layout.offset[node] - begin + actions * layout.width[player]
    return offset
