"""The way between a GPU's order of a spot's state and the plain one of `PostflopEngine`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.holdem.postflop_cuda_tables import PlayerTables, StatePlaces
from poker_solver.holdem.postflop_layout import Layout
from poker_solver.holdem.postflop_programs import StreetPrograms
from poker_solver.kernels.cuda import Machine
from poker_solver.kernels.postflop.on_cuda import Exchange, filled
from poker_solver.trees.postflop import RIVER

Float = NDArray[np.float32]
States = Mapping[int, Any]  # of each player, an array on the device

EXCHANGE_BYTES = 256 << 20
THREADS = 128


@dataclass(frozen=True, eq=False)
class StateOrder:
    """Where the rows of a spot stand on the device; everything is copied some boards at a time."""

    machine: Machine
    layout: Layout
    streets: list[StreetPrograms]
    tables: tuple[PlayerTables, PlayerTables]
    places: list[StatePlaces]
    river: list[dict[str, int]]  # of each player, the tables of his river boards on the device
    threads: int = THREADS

    def read(self, states: States) -> Float:
        """[elements] what the arrays hold; 0 for players that are not given, and blocked hands."""
        plain = np.zeros(self.layout.num_elements, np.float32)
        self._exchange(states, plain, to_plain=True)
        return plain

    def write(self, states: States, plain: Float) -> None:
        """The way back."""
        self._exchange(states, plain, to_plain=False)

    def _exchange(self, states: States, plain: Float, *, to_plain: bool) -> None:
        layout, machine = self.layout, self.machine
        for street in self.streets:
            nodes = list(street.first_row)
            if not nodes:
                continue
            begin, stride = int(layout.offset[nodes].min()), int(layout.stride[nodes[0]])
            num_boards = layout.runouts.num_boards[street.street]
            at_once = max(1, EXCHANGE_BYTES // (4 * stride))
            for first in range(0, num_boards, at_once):
                count = min(at_once, num_boards - first)
                buffer = machine.zeros(count * stride)
                part = plain[begin + first * stride : begin + (first + count) * stride]
                if not to_plain:
                    machine.fill(buffer, part)
                for player, state in states.items():
                    self._boards(street, player, state, buffer, first, count, to_plain)
                if to_plain:
                    part[:] = machine.get(buffer, 0, count * stride)

    def _boards(
        self, street: StreetPrograms, player: int, state: Any, buffer: Any, first: int, count: int,
        to_plain: bool,
    ) -> None:  # fmt: skip
        layout, tables, num_rows = self.layout, self.tables[player], street.num_rows[player]
        if num_rows == 0:
            return
        places = self.machine.put(self._row_places(street, player))
        hands, is_river = self.river[player], street.street == RIVER
        on_river = {name: hands[name] for name in ("base", "live", "order")} if is_river else {}
        arguments = filled(
            Exchange, state=state.pointer, plain=buffer.pointer, row_place=places.pointer,
            state_start=self.places[player].start[street.street],
            stride=int(layout.stride[next(iter(street.first_row))]), first=first,
            num_rows=num_rows, hands=tables.num_hands, pad=tables.pad,
            to_plain=int(to_plain), **on_river,
        )  # fmt: skip
        self.machine.launch([("exchange", count * num_rows, self.threads, 0, arguments)])
        self.machine.wait()

    def _row_places(self, street: StreetPrograms, player: int) -> NDArray[np.int32]:
        """[rows] where each row of a player stands in a board of the plain order."""
        layout = self.layout
        begin = int(layout.offset[list(street.first_row)].min())
        place = np.zeros(street.num_rows[player], np.int32)
        for node, row in street.first_row.items():
            if layout.tree.kind[node] == player:
                actions = np.arange(int(layout.tree.num_children[node]))
                place[row + actions] = layout.offset[node] - begin + actions * layout.width[player]
        return place
