"""The postflop engine on a GPU: state that stays there, and passes as a few launches."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.holdem.postflop import POSTFLOP
from poker_solver.holdem.postflop_cuda_order import StateOrder
from poker_solver.holdem.postflop_cuda_tables import (
    locked_state,
    padded,
    player_tables,
    state_places,
)
from poker_solver.holdem.postflop_device import DeviceEngine
from poker_solver.holdem.postflop_layout import Layout
from poker_solver.holdem.postflop_lines_code import MODES
from poker_solver.holdem.postflop_memory import check_card
from poker_solver.holdem.postflop_programs import LineCode, street_programs
from poker_solver.kernels.cuda import Launch, Machine
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, RECORD
from poker_solver.kernels.postflop.on_cuda import (
    KERNELS,
    RECORD_KERNELS,
    Advance,
    Pass,
    Restore,
    down_floats,
    filled,
    river_floats,
    rounded,
    source,
    upper_floats,
)
from poker_solver.trees.postflop import RIVER

Float = NDArray[np.float32]
MOST_ROWS = 32
"""Rows of state a player may have in a river group whose kernel is written out."""

LINE_THREADS = 128
"""Of a block that does one group of lines on one board; each takes several hands."""

THREADS_AT_ONCE = {True: 1024, False: 768}
"""What registers are rationed for: so many threads on a processor, in a small group or not."""

UPPER_THREADS = 512
FAR_BLOCKS = 4  # per processor, where a block's memory is not shared memory
TABLE_ROWS = 1024
SOLVING = (LEARN, BEST, MEAN)
"""The modes whose kernels a solve needs; the others are compiled when they are asked for."""


class CudaEngine(DeviceEngine):
    """Regrets and sums of one spot on a GPU, with the interface of `PostflopEngine`.

    Args:
        layout: the spot.
        schedule: how regrets and sums fade.
        machine: where to run.
        most_rows: see `MOST_ROWS`.
        threads: of a block on the river.
        upper_threads: of a block above it, at most.
    """

    def __init__(
        self, layout: Layout, schedule: Schedule = POSTFLOP, *, machine: Machine,
        most_rows: int = MOST_ROWS, threads: int = LINE_THREADS,
        upper_threads: int = UPPER_THREADS,
    ) -> None:  # fmt: skip
        """Lay the state out for the device and allocate it."""
        self.layout, self.schedule, self.machine = layout, schedule, machine
        self.threads, self.upper_threads = threads, upper_threads
        self.iteration = 0
        self.streets = street_programs(layout, most_rows)
        self._kept: list[Any] = []
        self._players = player_tables(layout)
        self._places = [
            state_places(layout, self.streets, player, tables)
            for player, tables in enumerate(self._players)
        ]
        self.planned_bytes = check_card(self._plan(), machine.name, machine.free_bytes)
        self._river_tables = [self._put_all(tables.river) for tables in self._players]
        self._upper_tables = [self._put_all(tables.upper) for tables in self._players]
        for player, places in enumerate(self._places):
            self._river_tables[player]["base"] = self._put(places.base)
        self._state = {
            (what, player): machine.zeros(places.num_floats)
            for what in ("regret", "policy_sum") for player, places in enumerate(self._places)
        }  # fmt: skip
        self._reach = [
            machine.put(padded(reach, tables.pad))
            for reach, tables in zip(layout.reach, self._players, strict=True)
        ]
        self._weights = machine.zeros(3)
        self._table = machine.zeros(3 * TABLE_ROWS)
        self._counter = machine.zeros(1, np.int32)
        self._locks = [self._put_locks(player) for player in (0, 1)]
        self._between_streets()
        self._shapes = [self._line_shapes(player) for player in (0, 1)]
        self._load(SOLVING, "", KERNELS)
        self._passes: dict[tuple[int, int], list[list[Launch]]] = {
            (player, mode): self._launches(player, mode, self._state["regret", player])
            for player in (0, 1) for mode in SOLVING
        }  # fmt: skip
        self._order = StateOrder(
            machine, layout, self.streets, self._players, self._places, self._river_tables,
            min(128, upper_threads),
        )  # fmt: skip
        self._replay: Any = None
        self._restore_locks()

    def _plan(self) -> dict[str, int]:
        """Bytes on the device, by what they hold."""
        boards, pads = self.layout.runouts.num_boards, [tables.pad for tables in self._players]
        state = 4 * sum(places.num_floats for places in self._places)
        values = 0
        for street in self.streets:
            for player, pad in enumerate(pads):
                rows = street.num_lines
                if street.street < RIVER:
                    rows += street.num_lines + street.num_rows[player]
                    rows += self._num_deals(street.street)
                values += 4 * boards[street.street] * rows * pad
        tables = sum(array.nbytes for p in self._players for array in p.river.values())
        return {"regret": state, "policy_sum": state, "values": values, "boards": tables}

    def _put(self, array: NDArray[Any]) -> int:
        self._kept.append(self.machine.put(array))
        return int(self._kept[-1].pointer)

    def _put_all(self, tables: dict[str, NDArray[Any]]) -> dict[str, int]:
        return {name: self._put(array) for name, array in tables.items()}

    def _zeros(self, count: int) -> Any:
        self._kept.append(self.machine.zeros(count))
        return self._kept[-1]

    def _put_locks(self, player: int) -> dict[str, int]:
        """Places of locked hands in the state and what they hold; empty without locks."""
        places = self._places[player]
        at, held = locked_state(self.layout, self.streets, player, places, self._players[player])
        if not len(at):
            return {}
        is_locked = np.zeros(places.num_floats, np.uint8)
        is_locked[at] = 1
        return {
            "at": self._put(at), "held": self._put(held), "count": len(at),
            "is_locked": self._put(is_locked),
        }  # fmt: skip

    def _between_streets(self) -> None:
        """Reach and values that one street gives to another."""
        boards = self.layout.runouts.num_boards
        self._flow: dict[tuple[int, int], Any] = {}
        self._out: dict[tuple[int, int], Any] = {}
        self._gathered: dict[int, Any] = {}
        for street in self.streets:
            s, pads = street.street, [tables.pad for tables in self._players]
            for p in (0, 1):
                self._out[s, p] = self._zeros(boards[s] * street.num_lines * pads[p])
                if s < RIVER:
                    rows = street.num_lines + street.num_rows[p]
                    self._flow[s, p] = self._zeros(boards[s] * rows * pads[p])
            if s < RIVER:
                self._gathered[s] = self._zeros(boards[s] * self._num_deals(s) * max(pads))

    def _num_deals(self, street: int) -> int:
        return self.layout.num_deals[street - self.streets[0].street]

    def _line_shapes(self, player: int) -> dict[str, list[LineCode]]:
        """River lines by a hash of what their kernels are made from."""
        shapes: dict[str, list[LineCode]] = defaultdict(list)
        for line in self.streets[-1].codes[player]:
            text = self._line_text(line, SOLVING)
            shapes[hashlib.sha256(text.encode()).hexdigest()[:16]].append(line)
        return shapes

    def _line_text(self, line: LineCode, modes: Sequence[int]) -> str:
        """The kernels of a line; KEY stands for the hash."""
        blocks = max(1, THREADS_AT_ONCE[line.code.is_small] // self.threads)
        bounds = f"#define BOUNDS __launch_bounds__({self.threads}, {blocks})\n"
        named = [line.code.text[m].replace("NAME", f"{MODES[m]}_KEY") for m in modes]
        return bounds + "".join(named)

    def _load(self, modes: Sequence[int], file: str, kernels: Sequence[str]) -> None:
        """Have the kernels of a file behind `streets.cu` compiled, and those of river lines."""
        files = [name for name in ("device.h", "common.h", "streets.cu", file) if name]
        texts = {source(*files): list(kernels)}
        for shapes in self._shapes:
            for key, lines in shapes.items():
                text = self._line_text(lines[0], modes).replace("KEY", key)
                names = [f"{MODES[mode]}_{key}" for mode in modes]
                texts[source("device.h", "common.h", "lines.h") + text] = names
        self.machine.load(texts)

    def _common(self, index: int, player: int, mode: int, regret: Any) -> dict[str, Any]:
        """What every launch of a street takes; `regret` is what the pass writes, if anything."""
        street, other = self.streets[index], 1 - player
        own, opp = self._players[player], self._players[other]
        programs = street.programs[player]
        start = np.cumsum([0, *map(len, programs)]).astype(np.int32)
        stored = "regret" if mode == LEARN else "policy_sum"
        return {
            "program": self._put(np.concatenate([np.zeros(0, np.int32), *programs])),
            "program_start": self._put(start),
            "board_above": self._put(self._boards_above(street.street)),
            **self._above(index, player),
            "opp_stored": self._state[stored, other].pointer,
            "own_regret": regret.pointer,
            "own_sum": self._state["policy_sum", player].pointer,
            "own_locked": self._locks[player].get("is_locked", 0),
            "weights": self._weights.pointer, "out": self._out[street.street, player].pointer,
            "list_pad": opp.list_pad, "opp_pad": opp.pad, "own_pad": own.pad,
            "opp_hands": opp.num_hands, "own_hands": own.num_hands,
            "opp_rows": street.num_rows[other], "own_rows": street.num_rows[player],
            "num_entries": street.num_lines, "num_groups": len(programs),
        }  # fmt: skip

    def _above(self, index: int, player: int) -> dict[str, Any]:
        """The reach that comes from the street above, or from the ranges."""
        other = 1 - player
        if index == 0:
            return {
                "opp_above": self._reach[other].pointer, "rows_above_opp": 1,
                "own_above": self._reach[player].pointer, "rows_above_own": 1, "share": 1.0,
            }  # fmt: skip
        up, boards = self.streets[index - 1], self.layout.boards
        share = boards.turn_share if self.streets[index].street < RIVER else boards.river_share
        return {
            "opp_above": self._flow[up.street, other].pointer,
            "own_above": self._flow[up.street, player].pointer,
            "rows_above_opp": up.num_lines + up.num_rows[other],
            "rows_above_own": up.num_lines + up.num_rows[player],
            "share": float(share),
        }

    def _boards_above(self, street: int) -> NDArray[np.int32]:
        runouts = self.layout.runouts
        if street == RIVER and len(self.streets) > 1:
            return runouts.river_turn
        return np.zeros(runouts.num_boards[street], np.int32)

    def _launches(self, player: int, mode: int, regret: Any) -> list[list[Launch]]:
        """A pass: lists of launches, each waiting for the one before."""
        common = [self._common(i, player, mode, regret) for i in range(len(self.streets))]
        river = self._river_launches(common[-1], player, mode)
        down: list[list[Launch]] = []
        up: list[list[Launch]] = []
        for i, street in enumerate(self.streets[:-1]):
            fields, gather = self._upper_fields(i, common[i], player)
            num_boards = self.layout.runouts.num_boards[street.street]
            blocks, programs = num_boards * street.num_lines, street.programs[player]
            arguments = filled(Pass, **fields)
            threads = self._threads_for(max(tables.num_hands for tables in self._players))
            shared = 4 * max(down_floats(g, threads) for g in programs)
            name, both = ("down_learn", 2) if mode == LEARN else ("down_look", 1)
            down.append([(name, both * blocks, threads, shared, arguments)])
            threads = self._threads_for(self._players[player].num_hands)
            shared = 4 * max(upper_floats(g, threads) for g in programs)
            up.append([(f"up_{MODES[mode]}", blocks, threads, shared, arguments)])
            up.append([("gather", num_boards * fields["num_deals"], threads, 0, gather)])
        return [*down, river, *reversed(up)]

    def _threads_for(self, num_hands: int) -> int:
        return min(rounded(num_hands, 32), self.upper_threads)

    def _upper_fields(
        self, index: int, common: dict[str, Any], player: int
    ) -> tuple[dict[str, Any], Any]:
        """Arguments of an upper street's kernels, and of the one that adds up cards below it."""
        s, other = self.streets[index].street, 1 - player
        num_boards = self.layout.runouts.num_boards[s]
        alive = []
        for p in (player, other):
            num_hands = self._players[p].num_hands
            mask = np.ones((num_boards, num_hands), np.float32)
            if index > 0:
                mask = self.layout.hands[p].is_live[:, :num_hands]
            alive.append(self._put(padded(mask, self._players[p].pad)))
        start, board, move = self._cards_after(s)
        deals, own, opp = self._num_deals(s), self._upper_tables[player], self._upper_tables[other]
        gather = filled(
            Pass, card_start=self._put(start), card_board=self._put(board),
            card_move=self._put(move), moved=own["moved"],
            below=self._out[s + 1, player].pointer, gathered=self._gathered[s].pointer,
            num_deals=deals, own_pad=common["own_pad"], own_hands=common["own_hands"],
        )  # fmt: skip
        fields = {
            **common, "own_alive": alive[0], "opp_alive": alive[1], "twin": own["twin"],
            "cards": own["cards"], "list": opp["list"], "list_start": opp["list_start"],
            "opp_flow": self._flow[s, other].pointer, "own_flow": self._flow[s, player].pointer,
            "deal_cfv": self._gathered[s].pointer, "num_deals": deals,
            "opp_state": self._places[other].start[s], "own_state": self._places[player].start[s],
        }  # fmt: skip
        return fields, gather

    def _cards_after(self, street: int) -> tuple[NDArray[np.int32], ...]:
        """Of each board of a street, the boards below and renamings of its real cards."""
        boards = self.layout.boards
        if street + 1 < RIVER:
            starts, moves = boards.turn_card_start, boards.turn_card_move
            parts = [0, len(starts) - 1]
        else:
            starts, moves = boards.river_card_start, boards.river_card_move
            parts = boards.river_start.tolist()
        counts = np.diff(starts)
        below = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        return starts[parts].astype(np.int32), below, moves.astype(np.int32)

    def _river_launches(self, common: dict[str, Any], player: int, mode: int) -> list[Launch]:
        own, opp = self._river_tables[player], self._river_tables[1 - player]
        tables, theirs = self._players[player], self._players[1 - player]
        num_boards = self.layout.runouts.num_boards[RIVER]
        fields = {
            **common, "opp_live": opp["live"], "own_live": own["live"], "opp_base": opp["base"],
            "own_base": own["base"], "opp_order": opp["order"], "own_order": own["order"],
            "look": own["look"], "list": opp["list"], "list_start": opp["list_start"],
        }  # fmt: skip
        found: list[Launch] = []
        for key, lines in self._shapes[player].items():
            arguments = np.array([line.arguments for line in lines], np.int32)
            factors = np.array([line.code.factors for line in lines], np.float32)
            given = {
                **fields, "program": self._put(arguments), "factors": self._put(factors),
                "num_groups": len(lines),
            }  # fmt: skip
            floats = lines[0].code.floats(
                theirs.most_live, theirs.most_chunks, (theirs.pad, tables.pad)
            )
            blocks, name = num_boards * len(lines), f"{MODES[mode]}_{key}"
            found.append((name, blocks, self.threads, 4 * floats, filled(Pass, **given)))
        if self.streets[-1].programs[player]:
            found.append(self._any_river(fields, player, mode))
        return found

    def _any_river(self, fields: dict[str, Any], player: int, mode: int) -> Launch:
        """The kernel that reads programs, for groups without code of their own."""
        opp, programs = self._players[1 - player], self.streets[-1].programs[player]
        num_items = self.layout.runouts.num_boards[RIVER] * len(programs)
        threads, kernel = 2 * self.threads, f"river_{MODES[mode]}"
        floats = max(river_floats(g, opp.most_live, opp.most_chunks, threads) for g in programs)
        if 4 * floats <= self.machine.shared_bytes:
            given = filled(Pass, **fields, num_items=num_items)
            return kernel, num_items, threads, 4 * floats, given
        blocks = min(num_items, FAR_BLOCKS * self.machine.num_processors)
        floats = rounded(floats)
        scratch = self._zeros(blocks * floats).pointer
        given = filled(Pass, **fields, num_items=num_items, scratch=scratch, scratch_floats=floats)
        return f"{kernel}_far", blocks, threads, 0, given

    def _run(self, player: int, mode: int) -> None:
        for launches in self._passes[player, mode]:
            self.machine.launch(launches)
        if mode == LEARN:
            self._restore_state(player)

    def _restore(self, player: int, regret: Any, policy_sum: Any) -> None:
        """Put what locked hands play into two arrays laid out as the player's state."""
        locks = self._locks[player]
        if locks:
            given = filled(
                Restore, regret=regret.pointer, sum=policy_sum.pointer, at=locks["at"],
                held=locks["held"], count=locks["count"],
            )  # fmt: skip
            threads = min(128, self.upper_threads)
            blocks = -(-locks["count"] // threads)
            self.machine.launch([("restore", blocks, threads, 0, given)])

    def _restore_state(self, player: int) -> None:
        self._restore(player, self._state["regret", player], self._state["policy_sum", player])

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore_state(player)

    def _iterate(self) -> None:
        given = filled(
            Advance, weights=self._weights.pointer, table=self._table.pointer,
            counter=self._counter.pointer,
        )  # fmt: skip
        self.machine.launch([("advance", 1, 32, 0, given)])
        for player in (0, 1):
            self._run(player, LEARN)

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        for first in range(0, iterations, TABLE_ROWS):
            count = min(TABLE_ROWS, iterations - first)
            table = self.schedule.table(self.iteration + 1, count).astype(np.float32)
            self.machine.fill(self._table, table)
            self.machine.fill(self._counter, np.zeros(1, np.int32))
            if self._replay is None:
                self._replay = self.machine.recorded(self._iterate)
            for _ in range(count):
                self._replay()
            self.iteration += count
        self.machine.wait()

    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""
        self.machine.fill(self._weights, np.asarray(weights, np.float32))
        self._run(player, mode)
        return self._root_cfv(player)

    def _root_cfv(self, player: int) -> Float:
        out = self._out[self.streets[0].street, player]
        found: Float = self.machine.get(out, 0, self._players[player].num_hands)
        return found

    @property
    def used_bytes(self) -> int:
        """The most that was allocated on the device since it began to count."""
        return self.machine.used_bytes

    def best_response(self, player: int) -> tuple[Float, Float]:
        """What `PostflopEngine.best_response` gives."""
        played = self.machine.zeros(self._places[player].num_floats)
        self._load((RECORD,), "record.cu", RECORD_KERNELS)
        for launches in self._launches(player, RECORD, played):
            self.machine.launch(launches)
        self._restore(player, played, played)
        return self._root_cfv(player), self._order.read({player: played})

    def _put_reach(self, player: int) -> None:
        reach = padded(self.layout.reach[player], self._players[player].pad)
        self.machine.fill(self._reach[player], reach)

    def _read(self, name: str) -> Float:
        return self._order.read({player: self._state[name, player] for player in (0, 1)})

    def _write(self, name: str, values: Float) -> None:
        self._order.write({player: self._state[name, player] for player in (0, 1)}, values)
