"""Spots of one betting on many flops whose strategies are kept by row, on the CPU."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.schedules import Schedule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.row_tables import (
    KeptTables,
    RowShape,
    RowTables,
    UpperRows,
)
from poker_solver.fullgame.training.shared_rows import NO_TOLD, NUM_SLABS, SharedTables, Sharing
from poker_solver.kernels.arrays import F32, F64, I32
from poker_solver.kernels.postflop import LANES, LEARN
from poker_solver.kernels.postflop.cpu import Reach
from poker_solver.kernels.postflop.cpu.passes import add_up, gather_turns
from poker_solver.kernels.row_cfr import (
    FLOOR,
    BoardRows,
    DealLanes,
    OpenBoard,
    RowPass,
    RowSide,
    RowState,
    RowSums,
    RowTold,
    RowWork,
)
from poker_solver.kernels.row_cfr.passes import rows_rivers, rows_turns
from poker_solver.kernels.row_cfr.upper import rows_street_down, rows_street_up
from poker_solver.postflop.engines.classes import class_index
from poker_solver.postflop.engines.cpu import (
    RIVER_UNITS,
    aligned,
    share_out,
    street_scratch,
    thread_scratch,
    unit_cuts,
)
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.offsets import padded
from poker_solver.runtime.memory import resident_bytes
from poker_solver.store.files import Arrays


class _Spot(NamedTuple):
    """Where a spot's numbers stand in the arrays of all."""

    regret: slice
    policy_sum: slice
    scale: slice
    rows: tuple[BoardRows, ...]  # by street, within the slices; empty where boards share rows


class RowEngine:
    """A `ClassEngine` of F spots of one betting, flops or turns, with rows for hands.

    Args:
        layouts: the spots.
        tables: the rows of each; looked up whenever a spot is visited.
        classes: of hands that ranges are given for.
        schedule: how regrets and averages are weighted.
        threads: of the CPU; results do not depend on it.
        precision: of regrets, float32 or int16.
        river_average: whether to keep the average strategy of rivers; without, BEST and MEAN play
            what the river's regrets say.
        sharing: streets that learn in one table for all boards, with float32 regrets; without,
            every board has its own.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        tables: Sequence[RowTables] | KeptTables,
        classes: I32,
        schedule: Schedule = POSTFLOP,
        *,
        threads: int = 1,
        precision: str = "float32",
        river_average: bool = True,
        sharing: Sharing | None = None,
    ) -> None:
        if len({(layout.shape.betting, layout.tree.first_street) for layout in layouts}) != 1:
            raise InputError("spots of one engine must have one betting")
        self.layouts, self.tables, self.schedule = list(layouts), tables, schedule
        self.iteration, self.precision, self.river_average = 0, precision, river_average
        self.shape = RowShape(layouts[0].shape)
        self._num_classes, self._class_of = len(classes), class_index(layouts, classes)
        self.class_reach = [np.ones(len(classes)) for _ in (0, 1)]
        self._cfv = [[np.zeros(len(c), np.float32) for c in of] for of in self._class_of]
        if isinstance(tables, KeptTables):
            num_rows = tables.num_rows
        else:
            num_rows = [table.num_rows for table in tables]
        sharing = sharing or Sharing((False,) * len(num_rows[0]), (1.0,) * len(layouts))
        self.shared = SharedTables(self.shape, sharing, num_rows, river_average=river_average)
        self._spots = self._place(list(map(self.shared.own_rows, num_rows)))
        last, is_packed = self._spots[-1], precision == "int16"
        self._arrays: dict[str, NDArray[Any]] = {
            "regret": aligned(last.regret.stop, dtype=np.dtype(precision)),
            "scale": np.zeros(last.scale.stop if is_packed else 0, np.float32),
            "policy_sum": aligned(last.policy_sum.stop),
            "owed": np.ones((2, len(layouts), 3)),
            **self.shared.arrays(),
        }
        most = max(int(rows.max()) for of in num_rows for rows in of)
        self._work = [self._scratch(padded(most)) for _ in range(threads)]
        width = self._work[0].rows.cfv.shape[1]
        self._root_work = self._work[0]._replace(rows=street_scratch(self.shape.shape, 0, width))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _place(self, num_rows: Sequence[Sequence[I32]]) -> list[_Spot]:
        """Spot after spot in each array."""
        found, ends = [], [0, 0, 0]
        for rows in num_rows:
            elements = self.shape.num_elements(rows)
            kept = sum(elements if self.river_average else elements[:-1])
            sizes = sum(elements), kept, self.shape.num_scales(rows)
            parts = [slice(end, end + size) for end, size in zip(ends, sizes, strict=True)]
            found.append(_Spot(parts[0], parts[1], parts[2], self.shape.board_rows(rows)))
            ends = [part.stop for part in parts]
        return found

    def _scratch(self, most_rows: int) -> RowWork:
        shape, river = self.shape.shape, self.shape.river
        width = max(max(layout.width) for layout in self.layouts)
        moves = max(len(layout.ranked.moved[0]) for layout in self.layouts)
        base = thread_scratch(shape, width, moves)._asdict()
        actions = max(int(np.diff(river.part_start).max()), int(shape.tree.num_children.max()))
        deals = padded(max(1, shape.num_deals[-1]))

        def indices() -> I32:
            return np.zeros(width, np.int32)

        def by_deal() -> F32:
            return aligned(deals, width)

        def by_hand(*more: int) -> F32:
            return aligned(*more, deals // LANES, width, LANES)

        board = OpenBoard(
            own_places=indices(), other_places=indices(), own_live=aligned(width),
            other_live=aligned(width), twin=indices(), apart=indices(), place=indices(),
            own_block=indices(), other_block=indices(), own_reach=by_deal(),
            other_reach=by_deal(), cfv=by_deal(),
        )  # fmt: skip
        lanes = DealLanes(by_hand(), by_hand(), by_hand(moves))
        sums = RowSums(
            told=RowTold(aligned(actions + 1, most_rows), aligned(actions, most_rows)),
            lane_value=aligned(actions, LANES), lane_reach=aligned(actions, LANES),
            regret=aligned(actions, most_rows), policy_sum=aligned(actions, most_rows),
        )  # fmt: skip
        base["moved_cfv"] = aligned(moves, deals, width)
        known = {name: base[name] for name in RowWork._fields if name in base}
        return RowWork(
            **known, deals=lanes, board=board, sums=sums, shared_upper=NO_TOLD, shared_river=NO_TOLD
        )

    @property
    def used_bytes(self) -> int:
        """Of this process."""
        return resident_bytes()

    @property
    def state_bytes(self) -> int:
        """Of what is learned."""
        return sum(array.nbytes for array in self._arrays.values())

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        self.class_reach[player] = reach.copy()

    def run_pass(self, player: int, mode: int, weights: F32) -> F64:
        """See `ClassEngine`."""
        return self.run_some(range(len(self.layouts)), player, mode, weights)

    def run_some(self, spots: Sequence[int], player: int, mode: int, weights: F32) -> F64:
        """[S, C] likewise of some spots only; those left out owe the weights of a LEARN pass.

        A spot pays at its next visit what it owes since its last. Streets whose boards share rows
        are always paid, and learn once, from all spots visited.
        """
        visited, due = np.array(spots, np.int64), np.tile(weights, (len(spots), 1))
        if mode == LEARN:
            owed = self._arrays["owed"][player]
            owed *= weights
            due = owed[visited].astype(np.float32)
            owed[visited] = 1.0
            self.iteration += player  # both have learnt
            self.shared.begin()
        found = np.zeros((len(spots), self._num_classes))
        for k, spot in enumerate(spots):
            cfv = self._walk(spot, player, mode, due[k])
            self._cfv[player][spot] = cfv
            class_of = self._class_of[player][spot]
            found[k] = np.bincount(class_of, cfv.astype(np.float64), self._num_classes)
        if mode == LEARN:
            self.shared.learn(player, self._work[0].sums, weights)
        return found

    def train(self, iterations: int) -> None:
        """See `ClassEngine`."""
        for row in self.schedule.table(self.iteration + 1, iterations).astype(np.float32):
            for player in (0, 1):
                self.run_pass(player, LEARN, row)

    def root_values(self, player: int) -> list[F32]:
        """See `ClassEngine`; of spots that the last pass left out, those of an earlier one."""
        return self._cfv[player]

    def read_sums(self, spot: int) -> F32:
        """See `ClassEngine`; hands of a row have the same."""
        layout, tables, place = self.layouts[spot], self.tables[spot], self._spots[spot]
        found = np.zeros(layout.shape.num_upper, np.float32)
        tree = layout.tree
        for street, part in enumerate(self.shape.streets):
            sums = self._stored("policy_sum", spot, street)
            at = self.shared.board_rows(street, spot, layout, place.rows[street])
            nodes = layout.shape.nodes(tree.first_street + street)
            for n in np.flatnonzero(part.kind < 2).tolist():
                node, upper = int(nodes[n]), tables.upper[int(part.kind[n])][street]
                shape = len(at.start), int(part.num_children[n]), upper.row.shape[1]
                action = int(part.offset[n]) + np.arange(shape[1])
                first = at.start[:, None] + action * at.num_rows[:, None]  # [B, A]
                values = sums[first[:, :, None] + upper.row[:, None]] * upper.is_live[:, None]
                begin = layout.offset[node] + layout.stride[node] * np.arange(shape[0])
                found[begin[:, None] + np.arange(shape[1] * shape[2])] = values.reshape(
                    shape[0], -1
                )
        return found

    def read_rows(self, spot: int) -> list[F32 | None]:
        """[B, P, W] of each street: policy sums of every row for all actions of all decisions.

        Decisions are in the order of the tree; beyond a board's rows there is 0. Rivers whose
        average is not kept have what is positive of their regrets. None where boards share rows.
        """
        place, found = self._spots[spot], list[F32 | None]()
        sums = self._arrays["policy_sum"][place.policy_sum]
        for k, at in enumerate(place.rows):
            if self.shared.is_shared[k]:
                found.append(None)
                continue
            if k == len(place.rows) - 1 and not self.river_average:
                sums = np.maximum(self._arrays["regret"][place.regret], 0)
            actions = self._actions(k)
            num_rows = at.num_rows[:, None, None]
            row = np.arange(at.num_rows.max())
            place_of = at.start[:, None, None] + np.array(actions)[:, None] * num_rows + row
            is_there = np.broadcast_to(row < num_rows, place_of.shape)
            values = np.zeros(place_of.shape, np.float32)
            values[is_there] = sums[place_of[is_there]]
            found.append(values)
        return found

    def read_shared(self, street: int) -> F32:
        """[P, R] likewise of a street, FLOP to RIVER, whose boards share rows."""
        k = street - self.layouts[0].tree.first_street
        if not (0 <= k < len(self.shared.is_shared) and self.shared.is_shared[k]):
            raise InputError(f"the boards of street {street} share no rows")
        return self.shared.read(k, self._actions(k))

    def _actions(self, street: int) -> list[int]:
        """[P] the actions of all decisions of a street, as state has them, in the tree's order."""
        layout, part = self.layouts[0], self.shared.parts[street]
        nodes = layout.shape.nodes(layout.tree.first_street + street)
        acts = sorted(np.flatnonzero(part.kind < 2).tolist(), key=nodes.__getitem__)
        return [int(part.offset[n]) + a for n in acts for a in range(part.num_children[n])]

    def _stored(self, name: str, spot: int, street: int) -> NDArray[Any]:
        """The regrets or sums among which a street of a spot has its own."""
        if self.shared.is_shared[street]:
            return self.shared.regret if name == "regret" else self.shared.policy_sum
        place = self._spots[spot]
        return self._arrays[name][place.regret if name == "regret" else place.policy_sum]

    def stored(self) -> Arrays:
        """Regrets, sums and what is owed, spot after spot."""
        is_packed = self.precision == "int16"
        return {n: array for n, array in self._arrays.items() if is_packed or n != "scale"}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from what `stored` gave."""
        own = self.stored()
        check_arrays(arrays, {name: array.shape for name, array in own.items()})
        for name, array in own.items():
            if arrays[name].dtype != array.dtype:
                wrong = f"array {name} has dtype {arrays[name].dtype}, wants {array.dtype}"
                raise InputError(wrong)
        for name, array in own.items():
            array[:] = arrays[name]
        self.iteration = iteration

    def _walk(self, spot: int, player: int, mode: int, weights: F32) -> F32:
        """[H] cfv at the root: down the spot's own street, the units below it, and up again."""
        layout, tables = self.layouts[spot], self.tables[spot]
        street, p = self.shape.streets[0], self._pass(spot, 0, mode)
        work = self.shared.with_slab(self._root_work, 0, 0)
        reach = []
        for one in (1 - player, player):
            row = np.zeros((1, len(tables.hands[one].cards)), np.float32)
            row[0, : len(layout.combos[one])] = self.class_reach[one][self._class_of[one][spot]]
            reach.append(row)
        root = self._side(spot, tables, 0, player, weights)
        out = np.empty_like(reach[1])
        rows_street_down(p, root, street, 0, Reach(*reach), work)
        if len(self.shape.streets) == 1:
            self._rivers(p, root, work.rows.deals, work.rows.deal_cfv)
        else:
            side = self._side(spot, tables, 1, player, weights)
            self._turns(self._pass(spot, 1, mode), side, work.rows.deals, work.rows.deal_cfv)
        rows_street_up(p, root, street, 0, work, out)
        return out[0, : len(layout.combos[player])]

    def _side(
        self, spot: int, tables: RowTables, street: int, player: int, weights: F32
    ) -> RowSide:
        """A player on an upper street."""
        own: UpperRows = tables.upper[player][street]
        other: UpperRows = tables.upper[1 - player][street]
        hands, floor, is_shared = tables.hands[player], own.floor, self.shared.is_shared
        if is_shared[street]:
            floor = np.full_like(floor, FLOOR)
        if is_shared[-1]:
            hands = hands._replace(floor=np.full_like(hands.floor, FLOOR))
        share = self.layouts[spot].boards.turn_share if street else np.float32(1)
        return RowSide(
            player, hands, tables.hands[1 - player], own.is_live, other.is_live, own.row,
            other.row, floor, self._board_rows(spot, street), share, weights,
        )  # fmt: skip

    def _board_rows(self, spot: int, street: int) -> BoardRows:
        """Where the boards of a street have their state."""
        own = self._spots[spot].rows[street]
        return self.shared.board_rows(street, spot, self.layouts[spot], own)

    def _pass(self, spot: int, street: int, mode: int) -> RowPass:
        """As an upper street and the rivers walk it."""
        layout, arrays, river_street = self.layouts[spot], self._arrays, len(self.shape.streets)
        name = "regret" if mode == LEARN else "policy_sum"
        upper = self._stored(name, spot, street)
        river = self._stored(name if self.river_average else "regret", spot, river_street)
        place = self._spots[spot]
        # nothing is learned but in LEARN: no need of code of its own for int16
        regret = arrays["regret"][place.regret] if mode == LEARN else river
        sums, scale = arrays["policy_sum"][place.policy_sum], arrays["scale"][place.scale]
        return RowPass(
            self.shape.river, self._board_rows(spot, river_street), layout.boards, mode,
            layout.has_rake, self.river_average, RowState(upper, river, regret, scale, sums),
        )  # fmt: skip

    def _rivers(self, p: RowPass, s: RowSide, deals: Reach, deal_cfv: F32) -> None:
        """All rivers of a turn, shared out among threads."""
        cuts = unit_cuts(len(p.boards.river_card_start) - 1, RIVER_UNITS)
        outs = np.empty((len(cuts) - 1, len(deal_cfv), len(s.own.cards)), np.float32)

        def rivers(work: RowWork, u: int) -> None:
            rows_rivers(p, s, cuts[u], cuts[u + 1], deals, work, outs[u])

        self._share_out(rivers, len(outs))
        add_up(outs, deal_cfv)

    def _turns(self, p: RowPass, s: RowSide, deals: Reach, deal_cfv: F32) -> None:
        """All turns of a flop with their rivers, likewise."""
        turn, num_turns = self.shape.streets[1], len(p.boards.turn_card_start) - 1
        turn_cfv = np.empty((num_turns, len(deal_cfv), len(s.own.cards)), np.float32)

        def turns(work: RowWork, t: int) -> None:
            rows_turns(p, s, turn, t, t + 1, deals, work, turn_cfv)

        self._share_out(turns, num_turns)
        gather_turns(p.boards, s.own.moved, turn_cfv, deal_cfv)

    def _share_out(self, unit: Callable[[RowWork, int], None], count: int) -> None:
        """Do every unit; those that tell one slab one after another, whatever the threads."""
        num_slabs = min(count, NUM_SLABS if any(self.shared.is_shared) else count)
        upper = len(self.shape.streets) - 1

        def slab(work: RowWork, k: int) -> None:
            own = self.shared.with_slab(work, upper, k)
            for u in range(k, count, num_slabs):
                unit(own, u)

        share_out(self._pool, self._work, slab, num_slabs)
