"""Spots of one shape on a GPU: state that stays there, and passes as a few launches for all."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
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
from poker_solver.postflop.engines.cuda.board_batches import board_batches
from poker_solver.postflop.engines.cuda.exchange import COPIED, StateOrder
from poker_solver.postflop.engines.cuda.hands import rank_hands, table_bytes
from poker_solver.postflop.engines.cuda.int16 import (
    PackedRegret,
    packed_bytes,
    packed_regret,
    plain_scales,
)
from poker_solver.postflop.engines.cuda.river_kernels import written_groups, written_sources
from poker_solver.postflop.engines.cuda.tables import SpotGroup, locked_state
from poker_solver.postflop.engines.engine import (
    POSTFLOP,
    Totals,
    filled_rows,
    mean_gain,
    next_check,
    rows_of,
    state_sizes,
    with_reach,
)
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.plan import Slabs, check_gpu, cuda_slabs
from poker_solver.runtime.cuda import DeviceArray, Launch, Machine
from poker_solver.runtime.memory import plan_bytes
from poker_solver.store.files import Arrays

Float = NDArray[np.float32]

ANY_LINE_THREADS = 256
"""Of a block whose kernel reads what to do from a program."""

UPPER_THREADS = 512
FAR_BLOCKS = 4  # per processor, where a block's memory is not shared memory
TABLE_ROWS = 1024
AT_ONCE = 8
"""Iterations that are launched together: other threads of Python may be busy."""


class CudaGroup:
    """Regrets and sums of spots of one shape on a GPU.

    Args:
        group: the spots.
        schedule: how regrets and sums fade.
        machine: where to run.
        threads: of a block on the river; without, what its shared memory and rows suggest.
        upper_threads: of a block above it, at most.
        precision: of regrets, `float32` or `int16`; the group must be made for it.
    """

    first_step = 32  # more than lie between two checks: nothing is waited for in between

    def __init__(
        self, group: SpotGroup, schedule: Schedule = POSTFLOP, *, machine: Machine,
        threads: int | None = None, upper_threads: int = UPPER_THREADS,
        precision: str = "float32",
    ) -> None:  # fmt: skip
        """Copy the tables to the device and allocate the state."""
        self.spots, self.schedule, self.machine = group, schedule, machine
        self.layouts = list(group.layouts)
        self.is_packed = precision == "int16"
        self.threads, self.upper_threads = threads, upper_threads
        self.iteration, self._table_first = 0, -TABLE_ROWS
        self.streets, self._players, self._places = group.streets, group.players, group.places
        self._batches = board_batches(group)
        self.planned_bytes = check_gpu(
            self._slabs(self.is_packed), machine.name, machine.free_bytes, len(group.layouts),
            None if self.is_packed else plan_bytes(self._slabs(True)),
        )  # fmt: skip
        self._kept: list[Any] = []
        self.hands = rank_hands(group, machine)
        self._bases = [self._put(places.base) for places in self._places]
        self._upper_tables = [self._put_all(tables.upper) for tables in self._players]
        self._allocate()
        self._put_ranges()
        self._weights = machine.zeros(3)
        self._table = machine.zeros(3 * TABLE_ROWS)
        self._counter = machine.zeros(1, np.int32)
        self._totals = machine.zeros(2 * len(MODES) * len(group.layouts), np.float64)
        self._locks = [self._put_locks(player) for player in (0, 1)]
        self._between_streets()
        self._written = written_groups(group, self.hands, machine, threads, self.is_packed)
        machine.load(dict([state_kernels()]))
        self._load(self._solving)
        self._fields = {
            (index, player): self._street_fields(index, player)
            for index, player in product(range(len(self.streets)), (0, 1))
        }
        self._passes: dict[tuple[int, int], list[list[Launch]]] = {
            (player, mode): self._launches(player, mode, self.state["regret", player])
            for player in (0, 1) for mode in (LEARN, BEST, MEAN)
        }  # fmt: skip
        self.order = StateOrder(
            machine, group, self.hands.tables, self._bases, min(128, upper_threads)
        )
        self._replays: dict[str, Any] = {}
        self.restore_locks()

    def _allocate(self) -> None:
        """Regrets and sums of both players; those of 16 bits end above the rivers in `state`."""
        self.state: dict[tuple[str, int], Any] = {}
        self.packed: list[PackedRegret] = []
        for player, places in enumerate(self._places):
            self.state["policy_sum", player] = self.machine.zeros(places.num_floats)
            if self.is_packed:
                self.packed.append(packed_regret(self.spots, player, self.machine))
                self.state["regret", player] = self.packed[player].upper
            else:
                self.state["regret", player] = self.machine.zeros(places.num_floats)

    @property
    def _solving(self) -> tuple[int, ...]:
        """Modes whose kernels a solve needs; the others are compiled when they are asked for."""
        return LEARN16 if self.is_packed else LEARN, BEST, MEAN

    def _slabs(self, packed: bool) -> Slabs:
        """What is kept on the device."""
        pads = [tables.pad for tables in self._players]
        num_floats = sum(places.num_floats for places in self._places)
        values = 0
        for street in self.streets:
            for player, pad in enumerate(pads):
                rows = street.num_lines
                if street.street < RIVER:
                    rows += street.num_lines + street.num_rows[player]
                    rows += self._num_deals(street.street)
                values += self._num_results(street.street) * rows * pad
        layouts = self.spots.layouts
        return cuda_slabs(
            regret=packed_bytes(self.spots) if packed else 4 * num_floats,
            num_floats=num_floats,
            values=values,
            tables=sum(map(table_bytes, self._players)),
            copied=min(COPIED, sum(layout.num_elements for layout in layouts)),
            has_locks=bool(layouts[0].locks),
        )

    def _put(self, array: NDArray[Any]) -> int:
        self._kept.append(self.machine.put(array))
        return int(self._kept[-1].pointer)

    def _put_all(self, tables: dict[str, NDArray[Any]]) -> dict[str, int]:
        return {name: self._put(array) for name, array in tables.items()}

    def _zeros(self, count: int) -> Any:
        self._kept.append(self.machine.zeros(count))
        return self._kept[-1]

    def _put_ranges(self) -> None:
        """[spots, pad] of each player."""
        self._reach = [self.machine.zeros(len(self.layouts) * t.pad) for t in self._players]
        for player in (0, 1):
            self.set_ranges(player, self.layouts)

    def set_ranges(self, player: int, layouts: Sequence[Layout]) -> None:
        """Give a player the ranges that these layouts have; nothing else of them may differ."""
        self.layouts, tables = list(layouts), self._players[player]
        rows = np.zeros((len(layouts), tables.pad), np.float32)
        for row, held, layout in zip(rows, tables.places, layouts, strict=True):
            row[held] = layout.reach[player]
        self.machine.fill(self._reach[player], rows)

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """See `BatchEngine`."""
        rows = filled_rows(self.layouts, player, weights)
        self.set_ranges(
            player,
            [with_reach(x, player, row) for x, row in zip(self.layouts, rows, strict=True)],
        )

    def _put_locks(self, player: int) -> dict[str, int]:
        """Places of locked hands in the state and what they hold; empty without locks."""
        if not self.spots.layouts[0].locks:
            return {}
        order = self.machine.get(self.hands.tables[player].order)
        order = order.reshape(-1, self._players[player].pad)
        at, held = locked_state(self.spots, player, order)
        if not len(at):
            return {}
        is_locked = np.zeros(self._places[player].num_floats, np.uint8)
        is_locked[at] = 1
        return {
            "at": self._put(at), "held": self._put(held), "count": len(at),
            "is_locked": self._put(is_locked),
        }  # fmt: skip

    def _between_streets(self) -> None:
        """Reach and values that one street gives to another."""
        self._flow: dict[tuple[int, int], Any] = {}
        self._out: dict[tuple[int, int], Any] = {}
        self._dealt: dict[int, tuple[Any, Any]] = {}
        self._is_done: dict[int, Any] = {}
        for street in self.streets:
            s, pads = street.street, [tables.pad for tables in self._players]
            boards = self.spots.num_boards(s)
            self._is_done[s] = self.machine.zeros(boards, np.uint8)
            for p in (0, 1):
                self._out[s, p] = self._zeros(self._num_results(s) * street.num_lines * pads[p])
                if s < RIVER:
                    rows = street.num_lines + street.num_rows[p]
                    self._flow[s, p] = self._zeros(boards * rows * pads[p])
            if s < RIVER:
                deals = boards * self._num_deals(s)
                self._dealt[s] = self._zeros(deals * pads[0]), self._zeros(deals * pads[1])

    def _num_results(self, street: int) -> int:
        """Boards, or batches of them on the river."""
        return len(self._batches) if street == RIVER else self.spots.num_boards(street)

    def _num_deals(self, street: int) -> int:
        return self.spots.layouts[0].num_deals[street - self.streets[0].street]

    def _load(self, modes: Sequence[int]) -> None:
        """Have the kernels of some modes compiled."""
        self.machine.load(dict([program_kernels(modes)]) | written_sources(self._written, modes))

    def _street_fields(self, index: int, player: int) -> Pass:
        """What every launch of a street takes for one player, in any mode."""
        street, other = self.streets[index], 1 - player
        own, opp = self._players[player], self._players[other]
        programs = street.programs[player]
        start = np.cumsum([0, *map(len, programs)]).astype(np.int32)
        several = len(self.spots.layouts) > 1
        return Pass(**{
            "program": self._put(np.concatenate([np.zeros(0, np.int32), *programs])),
            "program_start": self._put(start),
            "board_above": self._put(self.spots.boards_above(street.street)),
            "is_done": self._is_done[street.street].pointer if several else 0,
            **self._above(index, player),
            "own_sum": self.state["policy_sum", player].pointer,
            "own_locked": self._locks[player].get("is_locked", 0),
            "weights": self._weights.pointer, "out": self._out[street.street, player].pointer,
            "list_pad": opp.list_pad, "opp_pad": opp.pad, "own_pad": own.pad,
            "opp_hands": opp.num_hands, "own_hands": own.num_hands,
            "opp_rows": street.num_rows[other], "own_rows": street.num_rows[player],
            "num_entries": street.num_lines, "num_groups": len(programs),
            **(self._river_fields(player) if street.street == RIVER else
               self._upper_fields(index, player)),
        })  # fmt: skip

    def _river_fields(self, player: int) -> dict[str, Any]:
        own, opp = self.hands.tables[player], self.hands.tables[1 - player]
        boards = self._batches.tables(self.spots, player, self.hands.chunks[1 - player])
        return {
            "boards": self._put(boards), "per_batch": boards.shape[1],
            "opp_live": opp.live.pointer, "own_live": own.live.pointer,
            "opp_base": self._bases[1 - player], "own_base": self._bases[player],
            "opp_order": opp.order.pointer, "own_order": own.order.pointer,
            "look": own.look.pointer, "list": opp.list.pointer,
            "list_start": opp.list_start.pointer,
        }  # fmt: skip

    def _upper_fields(self, index: int, player: int) -> dict[str, Any]:
        """Those of an upper street, what adds up the cards below it included."""
        s, other = self.streets[index].street, 1 - player
        own, opp = self._upper_tables[player], self._upper_tables[other]
        start, board, move = self._batches.added if s == TURN else self.spots.cards_after(s)
        return {
            "own_alive": self._put(self._players[player].alive[s]),
            "opp_alive": self._put(self._players[other].alive[s]), "twin": own["twin"],
            "cards": own["cards"], "list": opp["list"], "list_start": opp["list_start"],
            "opp_flow": self._flow[s, other].pointer, "own_flow": self._flow[s, player].pointer,
            "deal_cfv": self._dealt[s][player].pointer, "num_deals": self._num_deals(s),
            "opp_state": self._places[other].start[s], "own_state": self._places[player].start[s],
            "card_start": self._put(start), "card_board": self._put(board),
            "card_move": self._put(move), "moved": own["moved"],
            "below": self._out[s + 1, player].pointer, "gathered": self._dealt[s][player].pointer,
        }  # fmt: skip

    def _above(self, index: int, player: int) -> dict[str, Any]:
        """The reach that comes from the street above, or from the ranges."""
        other = 1 - player
        if index == 0:
            return {
                "opp_above": self._reach[other].pointer, "rows_above_opp": 1,
                "own_above": self._reach[player].pointer, "rows_above_own": 1, "share": 1.0,
            }  # fmt: skip
        up, boards = self.streets[index - 1], self.spots.layouts[0].boards
        share = boards.turn_share if self.streets[index].street < RIVER else boards.river_share
        return {
            "opp_above": self._flow[up.street, other].pointer,
            "own_above": self._flow[up.street, player].pointer,
            "rows_above_opp": up.num_lines + up.num_rows[other],
            "rows_above_own": up.num_lines + up.num_rows[player],
            "share": float(share),
        }

    def _launches(self, player: int, mode: int, regret: DeviceArray) -> list[list[Launch]]:
        """A pass: lists of launches, each waiting for the one before.

        `regret` is what the pass writes into, if it writes.
        """
        stored = self.state["regret" if mode == LEARN else "policy_sum", 1 - player]
        state = {"opp_stored": stored.pointer, "own_regret": regret.pointer}
        mode = LEARN16 if self.is_packed and mode == LEARN else mode
        down: list[list[Launch]] = []
        up: list[list[Launch]] = []
        for i in range(len(self.streets) - 1):
            given = replace(self._fields[i, player], **state)
            if mode == LEARN16:
                given = replace(given, **self.packed[player].scales(self.streets[i].street))
            first, second, third = self._upper_launches(i, player, mode, given)
            down.append([first])
            up += [[second], [third]]
        river = replace(self._fields[len(self.streets) - 1, player], **state)
        if mode == LEARN16:
            river = replace(
                river, opp_stored=self.packed[1 - player].river_pointer,
                own_regret=self.packed[player].river_pointer, **self.packed[player].scales(RIVER),
            )  # fmt: skip
        found = [w.launch(mode, river, len(self._batches)) for w in self._written[player]]
        if self.streets[-1].programs[player]:
            found.append(self._any_river(river, player, f"river_{MODES[mode]}"))
        return [*down, found, *reversed(up)]

    def _upper_launches(self, index: int, player: int, mode: int, given: Pass) -> list[Launch]:
        """Reach down an upper street, its values up, and the cards below it added up."""
        street, arguments = self.streets[index], given.as_c()
        num_boards, programs = self.spots.num_boards(street.street), street.programs[player]
        blocks, learns = num_boards * street.num_lines, mode in LEARNING
        threads = self._threads_for(max(tables.num_hands for tables in self._players))
        shared = 4 * max(down_floats(g, threads) for g in programs)
        name = "down_learn" if learns else "down_look"
        down = Launch(name, (2 if learns else 1) * blocks, threads, shared, arguments)
        threads = self._threads_for(self._players[player].num_hands)
        shared = 4 * max(upper_floats(g, threads) for g in programs)
        up = Launch(f"up_{MODES[mode]}", blocks, threads, shared, arguments)
        shared = 4 * PARTS * self._players[player].pad
        gather = Launch("gather", num_boards * given.num_deals, threads, shared, arguments)
        return [down, up, gather]

    def _threads_for(self, num_hands: int) -> int:
        return min(rounded(num_hands, 32), self.upper_threads)

    def _any_river(self, given: Pass, player: int, kernel: str) -> Launch:
        """The kernel that reads programs, for groups without one of their own."""
        opp, programs = self._players[1 - player], self.streets[-1].programs[player]
        num_items = len(self._batches) * len(programs)
        threads = self.threads or ANY_LINE_THREADS
        fresh = self._players[player].most_live if self.is_packed else 0
        chunks = self.hands.most_chunks[1 - player]
        floats = max(river_floats(g, opp.most_live, chunks, threads, fresh) for g in programs)
        if 4 * floats <= self.machine.shared_bytes:
            own = replace(given, num_items=num_items)
            return Launch(kernel, num_items, threads, 4 * floats, own.as_c())
        blocks = min(num_items, FAR_BLOCKS * self.machine.num_processors)
        floats = rounded(floats)
        scratch = self._zeros(blocks * floats).pointer
        own = replace(given, num_items=num_items, scratch=scratch, scratch_floats=floats)
        return Launch(f"{kernel}_far", blocks, threads, 0, own.as_c())

    def _run(self, player: int, mode: int) -> None:
        for launches in self._passes[player, mode]:
            self.machine.launch(launches)
        if mode == LEARN:
            self._restore_state(player)

    def _restore(
        self, player: int, regret: Any, policy_sum: Any, packed: PackedRegret | None = None
    ) -> None:
        """Put what locked hands play into two arrays laid out as the player's state.

        With `packed`, the first one ends before the rivers.
        """
        locks = self._locks[player]
        if locks:
            given = Restore(
                regret=regret.pointer, sum=policy_sum.pointer, offset=locks["at"],
                policy=locks["held"], count=locks["count"],
                packed=packed.river_pointer if packed else 0, rivers=packed.first if packed else 0,
            ).as_c()  # fmt: skip
            threads = min(128, self.upper_threads)
            blocks = -(-locks["count"] // threads)
            self.machine.launch([Launch("restore", blocks, threads, 0, given)])

    def _restore_state(self, player: int) -> None:
        packed = self.packed[player] if self.is_packed else None
        regret, policy_sum = self.state["regret", player], self.state["policy_sum", player]
        self._restore(player, regret, policy_sum, packed)

    def restore_locks(self) -> None:
        """Set the state of all locked hands to their probabilities."""
        for player in (0, 1):
            self._restore_state(player)

    def _replay(self, name: str, work: Any) -> None:
        """Launch what `work` launches, recorded the first time."""
        if name not in self._replays:
            self._replays[name] = self.machine.recorded(work)
        self._replays[name]()

    def _iterate(self, count: int) -> None:
        given = Advance(
            weights=self._weights.pointer, table=self._table.pointer, counter=self._counter.pointer
        ).as_c()
        for _ in range(count):
            self.machine.launch([Launch("advance", 1, 32, 0, given)])
            for player in (0, 1):
                self._run(player, LEARN)

    @property
    def used_bytes(self) -> int:
        """The most that was allocated on the device since it began to count."""
        return self.machine.used_bytes

    def next_check(self, iteration: int) -> int:
        """When to measure next."""
        return next_check(iteration)

    def step(self) -> tuple[Float, Float]:
        """One iteration; see `BatchEngine`."""
        row = self.schedule.table(self.iteration + 1, 1)[0].astype(np.float32)
        oop, ip = (rows_of(self.run_pass(player, LEARN, row)) for player in (0, 1))
        self.start_at(self.iteration + 1)
        return oop, ip

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        while iterations > 0:
            if not self._table_first <= self.iteration < self._table_first + TABLE_ROWS:
                self._fill_table()
            left = self._table_first + TABLE_ROWS - self.iteration
            several = min(iterations, left) >= AT_ONCE
            name, count = ("iterations", AT_ONCE) if several else ("iteration", 1)
            self._replay(name, lambda count=count: self._iterate(count))
            self.iteration += count
            iterations -= count

    def _fill_table(self) -> None:
        """Weights of the iterations that come next; the kernels count them."""
        table = self.schedule.table(self.iteration + 1, TABLE_ROWS).astype(np.float32)
        self.machine.fill(self._table, table)
        self.machine.fill(self._counter, np.zeros(1, np.int32))
        self._table_first = self.iteration

    def start_at(self, iteration: int) -> None:
        """Go on as if so many iterations were done."""
        self.iteration = iteration
        self._fill_table()

    def run_pass(self, player: int, mode: int, weights: Float) -> list[Float]:
        """[H] cfv of the player's hands at the root of every spot."""
        self.machine.fill(self._weights, np.asarray(weights, np.float32))
        self._run(player, mode)
        return self._root_cfv(player)

    def _root_cfv(self, player: int) -> list[Float]:
        tables, out = self._players[player], self._out[self.streets[0].street, player]
        rows = self.machine.get(out, 0, len(tables.places) * tables.pad).reshape(-1, tables.pad)
        return [row[held] for row, held in zip(rows, tables.places, strict=True)]

    def best_response(self, player: int) -> tuple[list[Float], Any]:
        """[H] cfv at the root of every spot, and what is played, laid out as the player's state."""
        played = self.machine.zeros(self._places[player].num_floats)
        self._load((RECORD,))
        for launches in self._launches(player, RECORD, played):
            self.machine.launch(launches)
        self._restore(player, played, played)
        return self._root_cfv(player), played

    def _weigh(self, modes: Sequence[int]) -> None:
        """What each player earns at every spot in some modes, into `_totals`."""
        num_spots = len(self.spots.layouts)
        for mode, player in product(modes, (0, 1)):
            self._run(player, mode)
            tables, first = self._players[player], 8 * num_spots * (2 * mode + player)
            given = Weigh(
                cfv=self._out[self.streets[0].street, player].pointer,
                reach=self._reach[player].pointer, totals=self._totals.pointer + first,
                hands=tables.num_hands, pad=tables.pad,
            ).as_c()  # fmt: skip
            self.machine.launch([Launch("weigh", num_spots, 32, 32 * 8, given)])

    def _earned(self) -> NDArray[np.float64]:
        """[mode, player, spot] chips per deal, of the modes that were weighed."""
        found = self.machine.get(self._totals).reshape(len(MODES), 2, -1)
        earned: NDArray[np.float64] = found / [layout.num_pairs for layout in self.layouts]
        return earned

    def measure(self) -> Totals:
        """Of every spot, the mean gain of the two best responses over the average strategies."""
        has_rake = self.spots.layouts[0].has_rake
        modes = (BEST, MEAN) if has_rake else (BEST,)
        self._replay("measure", lambda: self._weigh(modes))
        earned = self._earned()
        return mean_gain(lambda player, mode: earned[mode, player], has_rake)

    def values(self) -> Totals:
        """[player, spot] expected share of the pot with both average strategies."""
        self._weigh((MEAN,))
        earned: NDArray[np.float64] = self._earned()[MEAN]
        return earned + self.spots.layouts[0].game.pot / 2

    def stored(self) -> Arrays:
        """Regrets and sums, spot after spot, in the order of their layouts."""
        every = range(len(self.layouts))
        regret, policy_sum = (np.concatenate(self.read(every, n)) for n in ("regret", "policy_sum"))
        if not self.is_packed:
            return {"regret": regret, "policy_sum": policy_sum}
        scale = np.concatenate([self.read_scale(spot) for spot in every])
        return {"regret": regret.astype(np.int16), "policy_sum": policy_sum, "scale": scale}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""
        sizes = state_sizes(self.layouts, "int16" if self.is_packed else "float32")
        check_arrays(arrays, {name: (sum(counts),) for name, counts in sizes.items()})
        for name, counts in sizes.items():
            for spot, part in enumerate(np.split(arrays[name], np.cumsum(counts)[:-1])):
                if name == "scale":
                    self.write_scale(spot, part)
                else:
                    self.write(spot, name, part.astype(np.float32))
        self.start_at(iteration)
        self.restore_locks()

    def read(self, spots: Sequence[int], name: str, *, rivers: bool = True) -> list[Float]:
        """[elements] `regret` or `policy_sum` of some spots in the order of `PostflopEngine`.

        Without rivers it stops before them.
        """
        return self.order.read(spots, self._states(name), rivers=rivers)

    def _states(self, name: str) -> dict[int, Any]:
        if name == "regret" and self.is_packed:
            return dict(enumerate(self.packed))
        return {player: self.state[name, player] for player in (0, 1)}

    def read_dealt(self, spot: int, street: int) -> tuple[Float, Float]:
        """[boards, deals, H] of OOP and IP: the values at every deal of an upper street.

        Of the last MEAN pass of each player.
        """
        first, last = self.spots.first_board[street][spot : spot + 2].tolist()
        found = []
        for tables, held in zip(self._players, self._dealt[street], strict=True):
            size = self._num_deals(street) * tables.pad
            rows = self.machine.get(held, first * size, (last - first) * size)
            by_deal = rows.reshape(last - first, -1, tables.pad)
            found.append(by_deal[:, :, tables.places[spot]])
        return found[0], found[1]

    def write(self, spot: int, name: str, values: Float) -> None:
        """The way back."""
        self.order.write(spot, self._states(name), values)

    def read_scale(self, spot: int) -> Float:
        """[scales] of a spot's regrets of 16 bits in the order of `PostflopEngine`."""
        found = np.zeros(self.spots.layouts[spot].num_scales, np.float32)
        for player, packed in enumerate(self.packed):
            plain, device = plain_scales(self.spots, spot, player, packed)
            found[plain] = self.machine.get(packed.scale)[device]
        return found

    def write_scale(self, spot: int, values: Float) -> None:
        """The way back."""
        for player, packed in enumerate(self.packed):
            plain, device = plain_scales(self.spots, spot, player, packed)
            scale = self.machine.get(packed.scale).copy()
            scale[device] = values[plain]
            self.machine.fill(packed.scale, scale)

    def leave(self, spots: NDArray[np.bool_]) -> None:
        """Work no more on these spots: their state stays, what is measured of them is stale."""
        for street in self.streets:
            counts = np.diff(self.spots.first_board[street.street])
            self.machine.fill(self._is_done[street.street], np.repeat(spots, counts))
