"""The way between a GPU's order of a spot's state and the plain one of `PostflopEngine`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.holdem.postflop_cuda_tables import SpotGroup
from poker_solver.holdem.postflop_layout import Layout, num_upper
from poker_solver.holdem.postflop_programs import StreetPrograms
from poker_solver.kernels.cuda import Machine
from poker_solver.kernels.postflop.on_cuda import Exchange, filled
from poker_solver.kernels.postflop.river_tables import NOBODY
from poker_solver.trees.postflop import RIVER

Float = NDArray[np.float32]
States = Mapping[int, Any]  # of each player, an array on the device

EXCHANGE_BYTES = 256 << 20
THREADS = 128


@dataclass(frozen=True, eq=False)
class StateOrder:
    """Where the rows of spots stand on the device; everything is copied some boards at a time."""

    machine: Machine
    group: SpotGroup
    river: list[dict[str, int]]  # of each player, the tables of his river boards on the device
    threads: int = THREADS

    def read(self, spot: int, states: States, *, rivers: bool = True) -> Float:
        """[elements] what the arrays hold; 0 for players that are not given, and blocked hands.

        Without rivers it stops before them.
        """
        layout = self.group.layouts[spot]
        plain = np.zeros(layout.num_elements if rivers else num_upper(layout), np.float32)
        self._exchange(spot, states, plain, to_plain=True)
        return plain

    def write(self, spot: int, states: States, plain: Float) -> None:
        """The way back."""
        self._exchange(spot, states, plain, to_plain=False)

    def _exchange(self, spot: int, states: States, plain: Float, *, to_plain: bool) -> None:
        layout, machine = self.group.layouts[spot], self.machine
        hands = {player: machine.put(self._hand_places(spot, player)) for player in states}
        for street in self.group.streets:
            nodes = list(street.first_row)
            if not nodes:
                continue
            begin, stride = int(layout.offset[nodes].min()), int(layout.stride[nodes[0]])
            if begin >= len(plain):
                break
            num_boards = layout.runouts.num_boards[street.street]
            at_once = max(1, EXCHANGE_BYTES // (4 * stride))
            rows = {p: machine.put(_row_places(layout, street, p)) for p in states}
            for first in range(0, num_boards, at_once):
                count = min(at_once, num_boards - first)
                buffer = machine.zeros(count * stride)
                part = plain[begin + first * stride : begin + (first + count) * stride]
                if not to_plain:
                    machine.fill(buffer, part)
                for player, state in states.items():
                    given = {
                        "state": state.pointer, "plain": buffer.pointer,
                        "row_place": rows[player].pointer, "hand_place": hands[player].pointer,
                        "first": int(self.group.first_board[street.street][spot]) + first,
                        "stride": stride, "to_plain": int(to_plain),
                    }  # fmt: skip
                    self._boards(street, player, count, given)
                if to_plain:
                    part[:] = machine.get(buffer, 0, count * stride)
                else:
                    machine.wait()

    def _boards(
        self, street: StreetPrograms, player: int, count: int, given: dict[str, int]
    ) -> None:
        tables, num_rows = self.group.players[player], street.num_rows[player]
        if num_rows == 0:
            return
        hands, is_river = self.river[player], street.street == RIVER
        on_river = {name: hands[name] for name in ("base", "live", "order")} if is_river else {}
        arguments = filled(
            Exchange, **given, **on_river, num_rows=num_rows, hands=tables.num_hands,
            pad=tables.pad, state_start=self.group.places[player].start[street.street],
        )  # fmt: skip
        self.machine.launch([("exchange", count * num_rows, self.threads, 0, arguments)])

    def _hand_places(self, spot: int, player: int) -> NDArray[np.uint16]:
        """[H] of the group: where a hand stands among those of the spot."""
        tables = self.group.players[player]
        place = np.full(tables.num_hands, NOBODY, np.uint16)
        place[tables.places[spot]] = np.arange(len(tables.places[spot]))
        return place


def _row_places(layout: Layout, street: StreetPrograms, player: int) -> NDArray[np.int32]:
    """[rows] where each row of a player stands in a board of the plain order."""
    begin = int(layout.offset[list(street.first_row)].min())
    place = np.zeros(street.num_rows[player], np.int32)
    for node, row in street.first_row.items():
        if layout.tree.kind[node] == player:
            actions = np.arange(int(layout.tree.num_children[node]))
            place[row + actions] = layout.offset[node] - begin + actions * layout.width[player]
    return place
