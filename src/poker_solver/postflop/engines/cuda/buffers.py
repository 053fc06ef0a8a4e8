"""What a batch of spots has on a GPU: tables that passes look up, then the numbers they change."""

from dataclasses import dataclass, replace
from itertools import product
from typing import TypeVar

import numpy as np

from poker_solver.games.betting import RIVER
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.postflop.cuda.sources import root_kernels
from poker_solver.kernels.postflop.cuda.structs import MODES, Root
from poker_solver.postflop.engines.cuda.board_batches import BoardBatches
from poker_solver.postflop.engines.cuda.hands import RiverHands, hand_table_bytes, rank_hands
from poker_solver.postflop.engines.cuda.int16 import PackedRegret, packed_bytes, packed_regret
from poker_solver.postflop.engines.cuda.tables import SpotGroup, locked_state
from poker_solver.postflop.plan import Slabs, cuda_slabs
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch

T = TypeVar("T")
ByStreet = dict[tuple[int, int], T]  # by street and player
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
        bases = machine.put(group.offsets[0].base), machine.put(group.offsets[1].base)
        locks = _locks(group, hands, machine, 0), _locks(group, hands, machine, 1)
        return cls(group, batches, hands, bases, (first, second), locks)


def _locks(group: SpotGroup, hands: RiverHands, machine: Gpu, player: int) -> LockedHands | None:
    if not group.layouts[0].game.locks:
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
    flow: ByStreet[DeviceArray]  # reach on upper streets
    out: ByStreet[DeviceArray]  # values of lines
    dealt: ByStreet[DeviceArray]  # values of the deals of upper streets
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
            regret = packed[0].upper, packed[1].upper
        else:
            regret = machine.zeros(floats[0]), machine.zeros(floats[1])
        flow, out, dealt = (
            {key: machine.zeros(size) for key, size in sizes.items()}
            for sizes in _value_sizes(group, tables.batches)
        )
        spots, streets = len(group.layouts), [street.street for street in group.streets]
        return cls(
            regret, packed, (machine.zeros(floats[0]), machine.zeros(floats[1])),
            (machine.zeros(spots * pads[0]), machine.zeros(spots * pads[1])), flow, out, dealt,
            {street: machine.zeros(group.num_boards(street), np.uint8) for street in streets},
            machine.zeros(3), machine.zeros(2 * len(MODES) * spots, np.float64),
        )  # fmt: skip


ROOT_THREADS = 128


@dataclass(frozen=True, eq=False)
class DeviceGadget:
    """The root of a single spot at which one player may take; see `kernels.gadget`."""

    given: Gadget  # as it was before the first iteration here
    regret: DeviceArray  # [2, H]
    policy_sum: DeviceArray  # [2, H]
    root: Root
    kept: tuple[DeviceArray, ...]  # only `root` points there

    @classmethod
    def make(
        cls, gadget: Gadget, group: SpotGroup, buffers: Buffers, machine: Gpu
    ) -> "DeviceGadget":
        """Copy it to the device."""
        machine.load(dict([root_kernels()]))
        regret, policy_sum = machine.put(gadget.regret), machine.put(gadget.policy_sum)
        kept = tuple(machine.put(row) for row in (gadget.forced, gadget.choice, gadget.take))
        forced, choice, take = (row.pointer for row in kept)
        root = Root(
            cfv=buffers.out[group.first_street, gadget.player].pointer,
            forced=forced, choice=choice, take=take,
            regret=regret.pointer, sum=policy_sum.pointer,
            weights=buffers.weights.pointer, reach=buffers.reach[gadget.player].pointer,
            hands=len(gadget.take),
        )  # fmt: skip
        return cls(gadget, regret, policy_sum, root, kept)

    def settle(self) -> Launch:
        """What follows a pass in which the player has learned."""
        return self._launch("settle_root", self.root)

    def enter(self, stored: DeviceArray) -> Launch:
        """Set what plays by regrets or sums."""
        return self._launch("enter_root", replace(self.root, stored=stored.pointer))

    def _launch(self, kernel: str, root: Root) -> Launch:
        return Launch(kernel, -(-root.hands // ROOT_THREADS), ROOT_THREADS, 0, root.as_c())

    def read(self, machine: Gpu) -> Gadget:
        """As it is now."""
        regret, sums = (machine.get(of).reshape(2, -1) for of in (self.regret, self.policy_sum))
        return self.given._replace(regret=regret, policy_sum=sums)


def _value_sizes(group: SpotGroup, batches: BoardBatches) -> tuple[ByStreet[int], ...]:
    """Of `Buffers.flow`, `out` and `dealt`."""
    flow, out, dealt = {}, {}, {}
    for street, (player, tables) in product(group.streets, enumerate(group.players)):
        s, pad, lines = street.street, tables.pad, street.num_lines
        if s == RIVER:
            out[s, player] = len(batches) * lines * pad
            continue
        boards = group.num_boards(s)
        out[s, player] = boards * lines * pad
        flow[s, player] = boards * (lines + street.num_rows[player]) * pad
        dealt[s, player] = boards * group.num_deals(s) * pad
    return flow, out, dealt


def device_slabs(group: SpotGroup, batches: BoardBatches, copied: int, *, is_packed: bool) -> Slabs:
    """What both will take, and copies of so many numbers at a time."""
    num_floats = sum(offsets.num_floats for offsets in group.offsets)
    return cuda_slabs(
        regret=packed_bytes(group) if is_packed else 4 * num_floats,
        num_floats=num_floats,
        values=sum(sum(sizes.values()) for sizes in _value_sizes(group, batches)),
        tables=sum(map(hand_table_bytes, group.players)),
        copied=min(copied, sum(layout.num_elements for layout in group.layouts)),
        has_locks=bool(group.layouts[0].game.locks),
    )
