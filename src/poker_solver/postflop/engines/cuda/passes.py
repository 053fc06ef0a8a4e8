"""The passes of a batch of spots as launches, and the count of iterations that they run by."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.cuda.sizes import (
    down_floats,
    river_floats,
    rounded,
    upper_floats,
)
from poker_solver.kernels.postflop.cuda.sources import program_kernels, state_kernels
from poker_solver.kernels.postflop.cuda.structs import (
    LEARN16,
    LEARNING,
    MODES,
    PARTS,
    Advance,
    Pass,
    Restore,
    Weigh,
)
from poker_solver.postflop.engines.cuda.buffers import Buffers, DeviceGadget, DeviceTables
from poker_solver.postflop.engines.cuda.int16 import PackedRegret
from poker_solver.postflop.engines.cuda.river_kernels import (
    Written,
    written_groups,
    written_sources,
)
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch

ANY_LINE_THREADS = 256
"""Of a block whose kernel reads what to do from a program."""

UPPER_THREADS = 512
FAR_BLOCKS = 4  # per processor, where a block's memory is not shared memory
TABLE_ROWS = 1024
AT_ONCE = 8
"""Iterations that are launched together: other threads of Python may be busy."""

Launches = list[list[Launch]]  # each list waits for the one before


class Iterations:
    """How many iterations are done, counted by host and device together.

    The device takes the factors of the next iteration from a table and counts its rows itself, so
    that iterations can be replayed. The count changes here only, with the device's.
    """

    def __init__(self, machine: Gpu, schedule: Schedule, weights: DeviceArray) -> None:
        self._machine, self._schedule = machine, schedule
        self._table, self._row = machine.zeros(3 * TABLE_ROWS), machine.zeros(1, np.int32)
        self._done, self._first = 0, -TABLE_ROWS  # the table's first row is of the one after
        pointers = weights.pointer, self._table.pointer, self._row.pointer
        self.advance = Launch("advance", 1, 32, 0, Advance(*pointers).as_c())
        """What every iteration launches first."""

    @property
    def done(self) -> int:
        """Iterations done."""
        return self._done

    def start_at(self, done: int) -> None:
        """Go on as if so many were done."""
        table = self._schedule.table(done + 1, TABLE_ROWS).astype(np.float32)
        self._machine.fill(self._table, table)
        self._machine.fill(self._row, np.zeros(1, np.int32))
        self._done = self._first = done

    def run(self, count: int, iterate: Callable[[int], None]) -> None:
        """Have `iterate` run so many more, a few or one at a time."""
        while count > 0:
            if not self._first <= self._done < self._first + TABLE_ROWS:
                self.start_at(self._done)
            left = min(count, self._first + TABLE_ROWS - self._done)
            some = AT_ONCE if left >= AT_ONCE else 1
            iterate(some)
            self._done += some
            count -= some


@dataclass(frozen=True, eq=False)
class Passes:
    """Launches of every pass that a solve needs; others are made when they are asked for."""

    machine: Gpu
    tables: DeviceTables
    buffers: Buffers
    threads: int | None  # of a block on the river; without, what suits it
    upper_threads: int  # of a block above it, at most
    written: tuple[list[Written], list[Written]]
    gadget: DeviceGadget | None  # at the root of a single spot
    streets: dict[tuple[int, int], Pass] = field(default_factory=dict)  # by index and player
    launches: dict[tuple[int, int], Launches] = field(default_factory=dict)  # by player and mode
    kept: list[DeviceArray] = field(default_factory=list)  # only `streets` and launches point there

    @classmethod
    def make(
        cls, tables: DeviceTables, buffers: Buffers, machine: Gpu, threads: int | None,
        upper_threads: int, gadget: DeviceGadget | None = None,
    ) -> "Passes":  # fmt: skip
        """Have the kernels of a solve compiled, and put their launches together."""
        is_packed = buffers.packed is not None
        written = written_groups(tables.group, tables.hands, machine, threads, is_packed)
        found = cls(machine, tables, buffers, threads, upper_threads, written, gadget)
        machine.load(dict([state_kernels()]))
        found.load(LEARN16 if is_packed else LEARN, BEST, MEAN)
        for player in (0, 1):
            for index in range(len(tables.group.streets)):
                found.streets[index, player] = found._arguments(index, player)
            for mode in (LEARN, BEST, MEAN):
                made = found.walk(player, mode, buffers.regret[player])
                found.launches[player, mode] = made
        return found

    def load(self, *modes: int) -> None:
        """Have the kernels of some modes compiled."""
        self.machine.load(dict([program_kernels(modes)]) | written_sources(self.written, modes))

    def run(self, player: int, mode: int) -> None:
        """A pass; locked hands play on as they must, and whoever may take learns how often."""
        self.start(self.launches[player, mode])
        if mode == LEARN:
            self.restore_locks(player)
            if self.gadget is not None and player == self.gadget.given.player:
                self.machine.launch([self.gadget.settle()])

    def start(self, launches: Launches) -> None:
        """Launch all, in order."""
        for together in launches:
            self.machine.launch(together)

    def walk(self, player: int, mode: int, regret: DeviceArray) -> Launches:
        """A pass from the first street down and back; `regret` is what it writes, if it writes."""
        buffers, other, last = self.buffers, 1 - player, len(self.tables.group.streets) - 1
        stored = (buffers.regret if mode == LEARN else buffers.policy_sum)[other].pointer
        written, packed = regret.pointer, buffers.packed if mode == LEARN else None
        mode = LEARN16 if packed else mode
        down: Launches = []
        up: Launches = []
        for index in range(last):
            given = replace(self.streets[index, player], opp_stored=stored, own_regret=written)
            if packed:
                given = packed[player].scaled(given, self.tables.group.streets[index].street)
            first, second, third = self._upper(index, player, mode, given)
            down.append([first])
            up += [[second], [third]]
        given = replace(self.streets[last, player], opp_stored=stored, own_regret=written)
        if packed:
            theirs, own = packed[other].river_pointer, packed[player].river_pointer
            given = replace(packed[player].scaled(given, RIVER), opp_stored=theirs, own_regret=own)
        return [*down, self._river(player, mode, given), *reversed(up)]

    def _upper(self, index: int, player: int, mode: int, given: Pass) -> list[Launch]:
        """Reach down an upper street, its values up, and the cards below it added up."""
        group = self.tables.group
        street, programs = group.streets[index], group.streets[index].programs[player]
        num_boards, learns = group.num_boards(street.street), mode in LEARNING
        blocks = num_boards * street.num_lines
        parts, threads = self._shares(max(tables.num_hands for tables in group.players))
        shared = 4 * max(down_floats(g, threads) for g in programs)
        name = "down_learn" if learns else "down_look"
        each = parts * (2 if learns else 1)
        down = Launch(name, each * blocks, threads, shared, replace(given, parts=parts).as_c())
        parts, threads = self._shares(group.players[player].num_hands)
        if mode == LEARN16:  # the block settles the scale of all hands
            parts = 1
        shared = 4 * max(upper_floats(g, threads) for g in programs)
        arguments = replace(given, parts=parts).as_c()
        up = Launch(f"up_{MODES[mode]}", parts * blocks, threads, shared, arguments)
        pad = group.players[player].pad
        _, threads = self._shares(PARTS * pad // 4)
        gather = Launch(
            "gather", num_boards * given.num_deals, threads, 4 * PARTS * pad, given.as_c()
        )
        return [down, up, gather]

    def _shares(self, num_hands: int) -> tuple[int, int]:
        """Blocks that share the hands of a line above the river, and threads of each."""
        parts = -(-num_hands // self.upper_threads)
        return parts, rounded(-(-num_hands // parts), 32)

    def _river(self, player: int, mode: int, given: Pass) -> list[Launch]:
        """All river groups of a player, side by side."""
        num_batches = len(self.tables.batches)
        found = [each.launch(mode, given, num_batches) for each in self.written[player]]
        if self.tables.group.streets[-1].programs[player]:
            found.append(self._any_river(player, f"river_{MODES[mode]}", given))
        return found

    def _any_river(self, player: int, kernel: str, given: Pass) -> Launch:
        """The kernel that reads programs, for groups without one of their own."""
        group, opp = self.tables.group, self.tables.group.players[1 - player]
        programs = group.streets[-1].programs[player]
        num_items = len(self.tables.batches) * len(programs)
        threads = self.threads or ANY_LINE_THREADS
        fresh = group.players[player].most_live if self.buffers.packed else 0
        chunks = self.tables.hands.most_chunks[1 - player]
        floats = max(river_floats(g, opp.most_live, chunks, threads, fresh) for g in programs)
        if 4 * floats <= self.machine.shared_bytes:
            own = replace(given, num_items=num_items)
            return Launch(kernel, num_items, threads, 4 * floats, own.as_c())
        blocks = min(num_items, FAR_BLOCKS * self.machine.num_processors)
        floats = rounded(floats)
        self.kept.append(self.machine.zeros(blocks * floats))
        scratch = self.kept[-1].pointer
        own = replace(given, num_items=num_items, scratch=scratch, scratch_floats=floats)
        return Launch(f"{kernel}_far", blocks, threads, 0, own.as_c())

    def restore_locks(self, player: int) -> None:
        """Set the state of a player's locked hands to their probabilities."""
        packed = self.buffers.packed[player] if self.buffers.packed else None
        self.lock(player, self.buffers.regret[player], self.buffers.policy_sum[player], packed)

    def lock(
        self, player: int, regret: DeviceArray, policy_sum: DeviceArray,
        packed: PackedRegret | None = None,
    ) -> None:  # fmt: skip
        """Put what locked hands play into two arrays laid out as the player's state.

        With `packed`, the first one ends before the rivers.
        """
        locks = self.tables.locks[player]
        if locks is None:
            return
        given = Restore(
            regret=regret.pointer, sum=policy_sum.pointer, offset=locks.offset.pointer,
            policy=locks.policy.pointer, count=locks.count,
            packed=packed.river_pointer if packed else 0, rivers=packed.first if packed else 0,
        )  # fmt: skip
        threads = min(128, self.upper_threads)
        blocks = -(-locks.count // threads)
        self.machine.launch([Launch("restore", blocks, threads, 0, given.as_c())])

    def weigh(self, player: int, mode: int) -> None:
        """What the player earns at every spot by the pass that was run, into `totals`."""
        group, buffers = self.tables.group, self.buffers
        tables, num_spots = group.players[player], len(group.layouts)
        given = Weigh(
            cfv=buffers.out[group.first_street, player].pointer,
            reach=buffers.reach[player].pointer,
            totals=buffers.totals.pointer + 8 * num_spots * (2 * mode + player),
            hands=tables.num_hands, pad=tables.pad,
        )  # fmt: skip
        self.machine.launch([Launch("weigh", num_spots, 32, 32 * 8, given.as_c())])

    def _put(self, array: NDArray[Any]) -> int:
        self.kept.append(self.machine.put(array))
        return self.kept[-1].pointer

    def _arguments(self, index: int, player: int) -> Pass:
        """What all launches of a street take for one player, in any mode."""
        group, buffers, other = self.tables.group, self.buffers, 1 - player
        street, own, opp = group.streets[index], group.players[player], group.players[other]
        programs, locks = street.programs[player], self.tables.locks[player]
        start = np.cumsum([0, *map(len, programs)]).astype(np.int32)
        given = Pass(
            program=self._put(np.concatenate([np.zeros(0, np.int32), *programs])),
            program_start=self._put(start),
            board_above=self._put(group.boards_above(street.street)),
            is_done=buffers.is_done[street.street].pointer if len(group.layouts) > 1 else 0,
            own_sum=buffers.policy_sum[player].pointer,
            own_locked=locks.is_locked.pointer if locks else 0,
            weights=buffers.weights.pointer, out=buffers.out[street.street, player].pointer,
            list_pad=opp.list_pad, opp_pad=opp.pad, own_pad=own.pad,
            opp_hands=opp.num_hands, own_hands=own.num_hands,
            opp_rows=street.num_rows[other], own_rows=street.num_rows[player],
            num_entries=street.num_lines, num_groups=len(programs),
        )  # fmt: skip
        given = self._from_above(given, index, player)
        if street.street == RIVER:
            return self._with_rivers(given, player)
        return self._with_deals(given, street.street, player)

    def _from_above(self, given: Pass, index: int, player: int) -> Pass:
        """With the reach that comes from the street above, or from the ranges."""
        group, buffers, other = self.tables.group, self.buffers, 1 - player
        if index == 0:
            return replace(
                given, opp_above=buffers.reach[other].pointer, rows_above_opp=1,
                own_above=buffers.reach[player].pointer, rows_above_own=1, share=1.0,
            )  # fmt: skip
        up, boards = group.streets[index - 1], group.layouts[0].boards
        is_river = group.streets[index].street == RIVER
        return replace(
            given,
            opp_above=buffers.flow[up.street, other].pointer,
            own_above=buffers.flow[up.street, player].pointer,
            rows_above_opp=up.num_lines + up.num_rows[other],
            rows_above_own=up.num_lines + up.num_rows[player],
            share=float(boards.river_share if is_river else boards.turn_share),
        )

    def _with_rivers(self, given: Pass, player: int) -> Pass:
        """With the hands of river boards."""
        tables, other = self.tables, 1 - player
        own, opp = tables.hands.tables[player], tables.hands.tables[other]
        boards = tables.batches.tables(tables.group, player, tables.hands.chunks[other])
        return replace(
            given, boards=self._put(boards), per_batch=boards.shape[1],
            opp_live=opp.live.pointer, own_live=own.live.pointer,
            opp_base=tables.bases[other].pointer, own_base=tables.bases[player].pointer,
            opp_order=opp.order.pointer, own_order=own.order.pointer, look=own.look.pointer,
            list=opp.list.pointer, list_start=opp.list_start.pointer,
        )  # fmt: skip

    def _with_deals(self, given: Pass, street: int, player: int) -> Pass:
        """With the hands of an upper street, and what adds up the cards below it."""
        group, buffers, other = self.tables.group, self.buffers, 1 - player
        own, opp = self.tables.upper[player], self.tables.upper[other]
        is_turn = street == TURN
        start, board, move = self.tables.batches.added if is_turn else group.cards_after(street)
        dealt = buffers.dealt[street, player].pointer
        return replace(
            given,
            own_alive=self._put(group.players[player].alive[street]),
            opp_alive=self._put(group.players[other].alive[street]),
            twin=own["twin"].pointer, cards=own["cards"].pointer, moved=own["moved"].pointer,
            list=opp["list"].pointer, list_start=opp["list_start"].pointer,
            opp_flow=buffers.flow[street, other].pointer,
            own_flow=buffers.flow[street, player].pointer,
            deal_cfv=dealt, gathered=dealt, num_deals=group.num_deals(street),
            opp_state=group.offsets[other].start[street],
            own_state=group.offsets[player].start[street],
            card_start=self._put(start), card_board=self._put(board), card_move=self._put(move),
            below=buffers.out[street + 1, player].pointer,
        )  # fmt: skip
