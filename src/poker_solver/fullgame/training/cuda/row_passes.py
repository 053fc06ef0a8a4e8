"""Passes by row over a chunk of spots of one betting, as launches."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import DeviceError
from poker_solver.fullgame.training.cuda.row_boards import ChunkStreet, RowChunk, RowHandsOnGpu
from poker_solver.fullgame.training.row_tables import RowShape
from poker_solver.kernels.arrays import I32
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, River, Street
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS, GroupShape, block_of
from poker_solver.kernels.postflop.cuda.sizes import down_floats, most_chunks, padded, rounded
from poker_solver.kernels.postflop.cuda.sources import program_kernels
from poker_solver.kernels.postflop.cuda.structs import MODES, PARTS, Pass, UpperHead
from poker_solver.kernels.row_cfr.cuda.codegen import row_floats, row_kernel_name, row_kernels
from poker_solver.kernels.row_cfr.cuda.sources import upper_row_kernels
from poker_solver.kernels.row_cfr.cuda.structs import SAY_PITCH, RowPass
from poker_solver.postflop.engines.cuda.programs import (
    Room,
    StreetPrograms,
    WrittenGroup,
    street_programs,
)
from poker_solver.postflop.engines.cuda.river_kernels import KEPT
from poker_solver.postflop.layout.layout import Layout
from poker_solver.runtime.cuda import DeviceArray, Gpu, Launch

UPPER_THREADS = (384, 256, 192, 128, 96, 64, 32)
"""Of a block above the river: the most that its shared memory is enough for."""

FEW_BLOCKS = 3
"""Blocks of a processor up to which they have twice the threads."""


class RowState(NamedTuple):
    """What is learned, on the device, in the order of `RowSpots`."""

    regret: DeviceArray
    policy_sum: DeviceArray
    scale: DeviceArray
    precision: str  # of regrets
    river_average: bool


class Visit(NamedTuple):
    """A pass over a chunk."""

    chunk: RowChunk
    player: int
    mode: int


class Given(NamedTuple):
    """What a visit brings along, on the device."""

    reach: tuple[DeviceArray, DeviceArray]  # [pad] of OOP and IP
    weights: DeviceArray  # [spots, 3]
    bases: list[tuple[int, int, int]]  # by street: where regrets, sums, scales of spots begin


class Scratch:
    """Numbers on the device that nobody needs after a pass; they grow and are shared by lines."""

    def __init__(self, machine: Gpu) -> None:
        self._machine = machine
        self._held: dict[tuple[str, int, int], DeviceArray] = {}

    def floats(self, name: str, street: int, player: int, count: int) -> DeviceArray:
        """At least so many, the same ones for one name, street and player."""
        key = name, street, player
        held = self._held.get(key)
        if held is None or held.num_bytes < 4 * count:
            self._held.pop(key, None)
            held = None  # given back before there is another
            self._held[key] = held = self._machine.zeros(count)
        return held


@dataclass(frozen=True)
class RowRoom(Room):
    """What a river group may take that hands share rows in."""

    num_rows: int = 0  # of a board, at most

    def fits(self, shape: GroupShape, player: int) -> bool:
        """Whether a block has room for it."""
        opp, own = self.most_live[1 - player], self.most_live[player]
        pads = padded(opp), padded(own)
        floats = row_floats(shape, opp, most_chunks(opp), pads, self.num_rows, 128)
        return 4 * floats <= self.shared_bytes


@dataclass(frozen=True, eq=False)
class RiverGroups:
    """All river groups of one shape, for one player."""

    shape: GroupShape
    num_groups: int
    arguments: DeviceArray
    factors: DeviceArray


class RowPasses:
    """The passes of one line, on any chunk.

    Args:
        layout: any spot of the line.
        shape: its betting.
        hands: what chunks are made of.
        state: what is learned.
        scratch: which lines share.
        most_rows: of a river board.
    """

    def __init__(
        self,
        layout: Layout,
        shape: RowShape,
        hands: RowHandsOnGpu,
        state: RowState,
        scratch: Scratch,
        most_rows: int,
    ) -> None:
        self.machine, self.shape, self.hands = hands.machine, shape, hands
        self.state, self.scratch = state, scratch
        self.first_street = layout.tree.first_street
        live = min(1081, hands.players[0].num_hands), min(1081, hands.players[1].num_hands)
        room = RowRoom(MOST_ROWS, live, self.machine.shared_bytes, False, most_rows)
        self.streets = street_programs(layout, room)
        if any(self.streets[-1].programs):
            raise DeviceError(
                "device cuda: a river line of this betting has too many actions for kernels by "
                f"row ({MOST_ROWS} a player at most); use cpu or fewer sizes"
            )
        self.num_deals = layout.shape.num_deals
        boards = layout.boards
        self.shares = [1.0] * len(self.streets)
        self.shares[-1] = float(boards.river_share)
        if len(self.streets) == 3:
            self.shares[1] = float(boards.turn_share)
        self._numbers = [
            [_numbers(layout, shape, street, player) for player in (0, 1)]
            for street in self.streets
        ]
        self._known = set[str]()  # kernels of rivers that are compiled
        self._put_programs()
        self.machine.load(dict([upper_row_kernels()]) | dict([program_kernels(())]))

    def _put_programs(self) -> None:
        """Programs of upper streets and arguments of river groups, on the device."""
        put = self.machine.put
        self._programs = [
            [_flat(street.programs[player]) for player in (0, 1)] for street in self.streets[:-1]
        ]
        self._given = [
            [
                (put(program), put(start), *map(put, self._numbers[k][p]))
                for p, (program, start) in enumerate(of)
            ]
            for k, of in enumerate(self._programs)
        ]
        self._groups: tuple[list[RiverGroups], list[RiverGroups]] = ([], [])
        river = self.streets[-1]
        for player in (0, 1):
            alike: dict[GroupShape, list[WrittenGroup]] = defaultdict(list)
            for group in river.written[player]:
                alike[group.shape].append(group)
            for shape, groups in alike.items():
                rows = [self._arguments(group, player) for group in groups]
                factors = np.array([group.factors for group in groups], np.float32)
                self._groups[player].append(
                    RiverGroups(shape, len(groups), put(np.array(rows, np.int32)), put(factors))
                )

    def _arguments(self, group: WrittenGroup, player: int) -> list[int]:
        """As `rivers.cu` reads them."""
        first_opp, first_own, *entries, first_decision = group.arguments
        shape, (own_action, own_decision) = group.shape, self._numbers[-1][player]
        opp_action = self._numbers[-1][1 - player].action
        nodes: list[int] = []
        for decision in shape.opponent:
            first = decision.rows[0]
            nodes += [first, len(decision.rows), int(opp_action[first_opp + first])]
        for own in shape.own:
            first, after = own.rows[0], shape.num_rows[0]
            nodes += [after + first, len(own.rows), int(own_action[first_own + first])]
        scales = own_decision[first_decision : first_decision + len(shape.own)].tolist()
        return [*entries, *nodes, *scales]

    def _wanted(self) -> list[tuple[int, str]]:
        """Modes of river kernels, with the type that policies are made of."""
        looked = "float32" if self.state.river_average else self.state.precision
        return [(LEARN, self.state.precision), (BEST, looked), (MEAN, looked)]

    def run(self, visit: Visit, given: Given) -> DeviceArray:
        """[spots, pad] of the player's cfv at the roots."""
        chunk, player = visit.chunk, visit.player
        streets = [*chunk.upper, chunk.river]
        passes = [self._pass(visit, given, k, street) for k, street in enumerate(streets)]
        last = len(streets) - 1
        for k in range(last):
            self.machine.launch([self._down(visit, k, passes[k])])
        self.machine.launch(self._rivers(visit, passes[last]))
        for k in reversed(range(last)):
            self.machine.launch([self._gather(visit, k)])
            self.machine.launch([self._up(visit, k, passes[k])])
        return self._out(visit, 0, player)

    # what streets give to each other

    def _flow(self, visit: Visit, k: int, player: int) -> DeviceArray:
        street, pad = self.streets[k], self.hands.players[player].pad
        rows = street.num_lines + street.num_rows[player]
        boards = visit.chunk.upper[k].num_boards
        return self.scratch.floats("flow", k, player, boards * rows * pad)

    def _out(self, visit: Visit, k: int, player: int) -> DeviceArray:
        chunk, is_river = visit.chunk, k == len(self.streets) - 1
        blocks = chunk.num_batches if is_river else chunk.upper[k].num_boards
        size = blocks * self.streets[k].num_lines * self.hands.players[player].pad
        return self.scratch.floats("out", k - len(self.streets), 0, size)

    def _dealt(self, visit: Visit, k: int, player: int) -> DeviceArray:
        size = visit.chunk.upper[k].num_boards * self.num_deals[k] * self.hands.players[player].pad
        return self.scratch.floats("dealt", k, 0, size)

    def _pass(self, visit: Visit, given: Given, k: int, street: ChunkStreet) -> RowPass:
        """What all launches of a street take."""
        player, other = visit.player, 1 - visit.player
        programs, state, learns = self.streets[k], self.state, visit.mode == LEARN
        own, opp = self.hands.players[player], self.hands.players[other]
        is_river = k == len(self.streets) - 1
        keeps_sums = state.river_average or not is_river
        plays_sums = not learns and keeps_sums
        bases = given.bases[k]
        found = RowPass(
            boards=street.boards[player].pointer,
            stored=(state.policy_sum if plays_sums else state.regret).pointer,
            stored_base=bases[1 if plays_sums else 0],
            regret=state.regret.pointer, sum=state.policy_sum.pointer if keeps_sums else 0,
            sum_base=bases[1], scale=state.scale.pointer, scale_base=bases[2],
            weights=given.weights.pointer, out=self._out(visit, k, player).pointer,
            opp_row=street.row[other].pointer, own_row=street.row[player].pointer,
            own_floor=street.floor[player].pointer, own_order=street.order[player].pointer,
            opp_pad=opp.pad, own_pad=own.pad, num_entries=programs.num_lines,
            opp_rows=programs.num_rows[other], own_rows=programs.num_rows[player],
            own_nodes=programs.num_nodes[player], num_actions=self.shape.num_actions[k],
            num_decisions=self.shape.num_decisions[k], share=self.shares[k],
        )  # fmt: skip
        if k == 0:
            found = replace(
                found, opp_above=given.reach[other].pointer, rows_above_opp=1,
                own_above=given.reach[player].pointer, rows_above_own=1,
            )  # fmt: skip
        else:
            up = self.streets[k - 1]
            found = replace(
                found, opp_above=self._flow(visit, k - 1, other).pointer,
                own_above=self._flow(visit, k - 1, player).pointer,
                rows_above_opp=up.num_lines + up.num_rows[other],
                rows_above_own=up.num_lines + up.num_rows[player],
            )  # fmt: skip
        return self._on_river(visit, found) if is_river else self._above_river(visit, found, k)

    def _on_river(self, visit: Visit, found: RowPass) -> RowPass:
        chunk, player = visit.chunk, visit.player
        own, opp = chunk.hands[player], chunk.hands[1 - player]
        per_batch = chunk.river.boards[0].num_bytes // (32 * chunk.num_batches)
        return replace(
            found, look=own.look.pointer, list=opp.list.pointer, per_batch=per_batch,
            list_pad=self.hands.players[1 - player].list_pad,
        )  # fmt: skip

    def _above_river(self, visit: Visit, found: RowPass, k: int) -> RowPass:
        player, other, street = visit.player, 1 - visit.player, visit.chunk.upper[k]
        program, start, action, decision = self._given[k][player]
        own, opp = self.hands.upper[player], self.hands.upper[other]
        told = found.own_rows + found.own_nodes
        size = street.num_boards * told * street.most_rows if visit.mode == LEARN else 0
        return replace(
            found, program=program.pointer, program_start=start.pointer,
            num_groups=self.streets[k].num_lines, opp_action=self._given[k][other][2].pointer,
            own_action=action.pointer, own_decision=decision.pointer,
            list=opp["list"].pointer, list_start=opp["list_start"].pointer,
            twin=own["twin"].pointer, cards=own["cards"].pointer,
            deal_cfv=self._dealt(visit, k, player).pointer, num_deals=self.num_deals[k],
            opp_flow=self._flow(visit, k, other).pointer,
            own_flow=self._flow(visit, k, player).pointer,
            told=self.scratch.floats("told", k, 0, size).pointer, told_pitch=street.most_rows,
        )  # fmt: skip

    # launches

    def _name(self, way: str, mode: int) -> str:
        is_packed = mode == LEARN and self.state.precision == "int16"
        return f"rows_{way}_{'learn16' if is_packed else MODES[mode]}"

    def _down(self, visit: Visit, k: int, given: RowPass) -> Launch:
        programs = [program for of in self.streets[k].programs for program in of]
        blocks = visit.chunk.upper[k].num_boards * self.streets[k].num_lines
        blocks *= 2 if visit.mode == LEARN else 1
        threads = self._fitting(lambda t: max(down_floats(g, t) for g in programs))
        shared = 4 * max(down_floats(g, threads) for g in programs)
        return Launch(self._name("down", visit.mode), blocks, threads, shared, given.as_c())

    def _up(self, visit: Visit, k: int, given: RowPass) -> Launch:
        programs = self.streets[k].programs[visit.player]
        blocks = visit.chunk.upper[k].num_boards * self.streets[k].num_lines
        threads = self._fitting(lambda t: max(_up_floats(g, t) for g in programs))
        shared = 4 * max(_up_floats(g, threads) for g in programs)
        return Launch(self._name("up", visit.mode), blocks, threads, shared, given.as_c())

    def _fitting(self, floats: Callable[[int], int]) -> int:
        """Threads of a block whose memory there is; as few as a warp if there must be."""
        hands = rounded(max(tables.num_hands for tables in self.hands.players), 32)
        room = self.machine.shared_bytes
        found = next((t for t in UPPER_THREADS if t <= hands and 4 * floats(t) <= room), None)
        if found is None:
            raise DeviceError(
                "device cuda: a line of this betting has too many actions above the river for "
                "kernels by row; use cpu or fewer sizes"
            )
        return found

    def _gather(self, visit: Visit, k: int) -> Launch:
        player, street = visit.player, visit.chunk.upper[k]
        assert street.after is not None
        start, below, move = (array.pointer for array in street.after)
        pad = self.hands.players[player].pad
        given = Pass(
            num_deals=self.num_deals[k], card_start=start, card_board=below, card_move=move,
            moved=self.hands.upper[player]["moved"].pointer, own_pad=pad, own_hands=pad,
            below=self._out(visit, k + 1, player).pointer,
            gathered=self._dealt(visit, k, player).pointer,
        )  # fmt: skip
        blocks, threads = street.num_boards * self.num_deals[k], min(rounded(pad, 32), 512)
        return Launch("gather", blocks, threads, 4 * PARTS * pad, given.as_c())

    def _rivers(self, visit: Visit, given: RowPass) -> list[Launch]:
        """All groups side by side; their kernels are compiled when a chunk needs them first."""
        chunk, player, opp = visit.chunk, visit.player, 1 - visit.player
        pads = self.hands.players[opp].pad, self.hands.players[player].pad
        dtype, found = dict(self._wanted())[visit.mode], []
        for groups in self._groups[player]:
            shape = groups.shape

            def size(threads: int, shape: GroupShape = shape) -> int:
                live, lists = chunk.most_live[opp], chunk.most_chunks[opp]
                return 4 * row_floats(shape, live, lists, pads, chunk.river.most_rows, threads)

            room = (self.machine.shared_bytes + KEPT) // (size(128) + KEPT)
            threads, blocks, _ = block_of(max(shape.num_rows), 0, room)
            if room <= FEW_BLOCKS and size(2 * threads) <= self.machine.shared_bytes:
                threads *= 2
                blocks = min(blocks, (self.machine.shared_bytes + KEPT) // (size(threads) + KEPT))
            name = row_kernel_name(shape, visit.mode, dtype, threads, blocks)
            if name not in self._known:
                text, names = row_kernels(shape, self._wanted(), threads, blocks)
                self.machine.load({text: names})
                self._known.update(names)
            own = replace(
                given, program=groups.arguments.pointer, factors=groups.factors.pointer,
                num_groups=groups.num_groups,
            )  # fmt: skip
            count = chunk.num_batches * groups.num_groups
            found.append(Launch(name, count, threads, size(threads), own.as_c()))
        return found


class _Numbers(NamedTuple):
    """Where a player's rows and decisions of a street stand on a board of the state."""

    action: I32  # [rows]
    decision: I32  # [decisions]


def _numbers(layout: Layout, shape: RowShape, street: StreetPrograms, player: int) -> _Numbers:
    parts: list[Street | River] = [*shape.streets, shape.river]
    part = parts[street.street - layout.tree.first_street]
    nodes = layout.shape.nodes(street.street)
    action = np.zeros(street.num_rows[player], np.int32)
    decision = np.zeros(street.num_nodes[player], np.int32)
    for n in np.flatnonzero(part.kind == player).tolist():
        node, count = int(nodes[n]), int(part.num_children[n])
        first = street.first_row[node]
        action[first : first + count] = part.offset[n] + np.arange(count)
        decision[street.number[node]] = part.scale_at[n]
    return _Numbers(action, decision)


def _flat(programs: Sequence[NDArray[np.int32]]) -> tuple[I32, I32]:
    """Programs one after the other, and where each begins."""
    start = np.cumsum([0, *map(len, programs)]).astype(np.int32)
    return np.concatenate(programs), start


def _up_floats(program: NDArray[np.int32], threads: int) -> int:
    """Memory of a block on a line above the river, as `rows_up` cuts it."""
    folds, slots = (int(program[at]) for at in (UpperHead.U_FOLDS, UpperHead.U_NUM_SLOTS))
    values = int(program[UpperHead.U_OWN_ROWS]) + int(program[UpperHead.U_OWN_NODES])
    warps = threads // 32
    return rounded(53 * folds) + slots * threads + warps * (values + 1 + values * SAY_PITCH + 16)
