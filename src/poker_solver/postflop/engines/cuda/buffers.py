"""What a batch of spots has on a GPU: tables that passes look up, then the numbers they change."""

from dataclasses import dataclass

import numpy as np

from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop.cuda.structs import MODES
from poker_solver.postflop.engines.cuda.board_batches import BoardBatches
from poker_solver.postflop.engines.cuda.hands import RiverHands, rank_hands, table_bytes
from poker_solver.postflop.engines.cuda.int16 import PackedRegret, packed_bytes, packed_regret
from poker_solver.postflop.engines.cuda.tables import SpotGroup, locked_state
from poker_solver.postflop.plan import Slabs, cuda_slabs
from poker_solver.runtime.cuda import DeviceArray, Gpu

Both = tuple[DeviceArray, DeviceArray]  # of OOP and IP


@dataclass(frozen=True, eq=False)
class LockedHands:
    """Where a player's state is locked, and to what."""

    offset: DeviceArray
    policy: DeviceArray
    is_locked: DeviceArray  # a byte for each number of his state
    count: int


@dataclass(frozen=True, eq=False)
class DeviceTables:
    """Everything that passes look up and nobody changes."""

    group: SpotGroup
    batches: BoardBatches
    hands: RiverHands
    bases: Both  # [boards] where a river board's state begins
    upper: tuple[dict[str, DeviceArray], dict[str, DeviceArray]]  # see `PlayerTables.upper`
    locks: tuple[LockedHands | None, LockedHands | None]

    @classmethod
    def make(cls, group: SpotGroup, batches: BoardBatches, machine: Gpu) -> "DeviceTables":
        """Copy what the host knows, and let the device rank the hands."""
        hands = rank_hands(group, machine)
        first, second = (
            {name: machine.put(array) for name, array in tables.upper.items()}
            for tables in group.players
        )
        return cls(
            group,
            batches,
            hands,
            (machine.put(group.offsets[0].base), machine.put(group.offsets[1].base)),
            (first, second),
            (_locks(group, hands, machine, 0), _locks(group, hands, machine, 1)),
        )

    def num_results(self, street: int) -> int:
        """Boards, or batches of them on the river."""
        return num_results(self.group, self.batches, street)


def num_results(group: SpotGroup, batches: BoardBatches, street: int) -> int:
    """Boards of a street, or batches of them on the river."""
    return len(batches) if street == RIVER else group.num_boards(street)


def _locks(group: SpotGroup, hands: RiverHands, machine: Gpu, player: int) -> LockedHands | None:
    if not group.layouts[0].locks:
        return None
    order = machine.get(hands.tables[player].order).reshape(-1, group.players[player].pad)
    offset, policy = locked_state(group, player, order)
    if not len(offset):
        return None
    is_locked = np.zeros(group.offsets[player].num_floats, np.uint8)
    is_locked[offset] = 1
    put = machine.put
    return LockedHands(put(offset), put(policy), put(is_locked), len(offset))


@dataclass(frozen=True, eq=False)
class Buffers:
    """Numbers that change: state, ranges, and what streets give to each other."""

    regret: Both  # those of 16 bits end above the rivers
    packed: tuple[PackedRegret, PackedRegret] | None  # with regrets of 16 bits
    policy_sum: Both
    reach: Both  # [spots, pad]
    flow: dict[tuple[int, int], DeviceArray]  # by upper street and player: reach
    out: dict[tuple[int, int], DeviceArray]  # by street and player: values of its lines
    dealt: dict[tuple[int, int], DeviceArray]  # by upper street and player: values of its deals
    is_done: dict[int, DeviceArray]  # by street, [boards]
    weights: DeviceArray  # [3] of an iteration
    totals: DeviceArray  # [mode, player, spot] what is earned

    @classmethod
    def make(cls, tables: DeviceTables, machine: Gpu, *, is_packed: bool) -> "Buffers":
        """Zeros."""
        group, pads = tables.group, [player.pad for player in tables.group.players]
        floats = [offsets.num_floats for offsets in group.offsets]
        packed = None
        if is_packed:
            packed = packed_regret(group, 0, machine), packed_regret(group, 1, machine)
        flow, out, dealt, is_done = {}, {}, {}, {}
        for street in group.streets:
            s = street.street
            is_done[s] = machine.zeros(group.num_boards(s), np.uint8)
            for p, pad in enumerate(pads):
                out[s, p] = machine.zeros(tables.num_results(s) * street.num_lines * pad)
                if s < RIVER:
                    rows = street.num_lines + street.num_rows[p]
                    flow[s, p] = machine.zeros(group.num_boards(s) * rows * pad)
                    dealt[s, p] = machine.zeros(group.num_boards(s) * group.num_deals(s) * pad)
        spots = len(group.layouts)
        return cls(
            (packed[0].upper, packed[1].upper)
            if packed
            else (machine.zeros(floats[0]), machine.zeros(floats[1])),
            packed,
            (machine.zeros(floats[0]), machine.zeros(floats[1])),
            (machine.zeros(spots * pads[0]), machine.zeros(spots * pads[1])),
            flow,
            out,
            dealt,
            is_done,
            machine.zeros(3),
            machine.zeros(2 * len(MODES) * spots, np.float64),
        )


def device_slabs(group: SpotGroup, batches: BoardBatches, copied: int, *, is_packed: bool) -> Slabs:
    """What both will take, and copies of so many numbers at a time."""
    values = 0
    for street in group.streets:
        for player, tables in enumerate(group.players):
            rows = street.num_lines
            if street.street < RIVER:
                rows += street.num_lines + street.num_rows[player] + group.num_deals(street.street)
            values += num_results(group, batches, street.street) * rows * tables.pad
    num_floats = sum(offsets.num_floats for offsets in group.offsets)
    return cuda_slabs(
        regret=packed_bytes(group) if is_packed else 4 * num_floats,
        num_floats=num_floats,
        values=values,
        tables=sum(map(table_bytes, group.players)),
        copied=min(copied, sum(layout.num_elements for layout in group.layouts)),
        has_locks=bool(group.layouts[0].locks),
    )
