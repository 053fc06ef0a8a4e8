"""Spots of one betting on many flops whose strategies are kept by row, on the CPU."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.fullgame.training.row_spots import TOGETHER, Asked, RowsKept, RowSpots
from poker_solver.fullgame.training.row_tables import (
    KeptTables,
    RowTables,
    UpperRows,
)
from poker_solver.fullgame.training.shared_rows import NO_TOLD, NUM_SLABS, Sharing
from poker_solver.kernels.arrays import F32, I16, I32, I64
from poker_solver.kernels.postflop import LANES, LEARN
from poker_solver.kernels.postflop.cpu import Reach, Rows
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
from poker_solver.kernels.row_cfr.passes import add_parts, gather_parts, rows_rivers, rows_turn
from poker_solver.kernels.row_cfr.upper import rows_street_down, rows_street_up
from poker_solver.postflop.engines.engine import POSTFLOP
from poker_solver.postflop.engines.scratch import (
    aligned,
    river_scratch,
    street_scratch,
    unit_cuts,
)
from poker_solver.postflop.engines.walks import TURN_UNITS, UNITS_OF_A_TURN
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.offsets import padded
from poker_solver.runtime.memory import resident_bytes
from poker_solver.store.files import Arrays

Scratch = TypeVar("Scratch")


class _Visit(NamedTuple):
    """A spot that is walked: its own street, what is below, and where values are put."""

    root_pass: RowPass
    below_pass: RowPass
    root: RowSide
    side: RowSide  # above the river
    reach: Reach
    rows: Rows  # scratch of its own street
    cuts: I64  # [U + 1] turns, or rivers, that are walked as one unit
    parts: F32  # [U, D, H] cfv of each unit
    cfv: F32  # [1, H] at the root


class RowEngine(RowSpots):
    """`RowSpots` on the CPU.

    Args:
        layouts: the spots.
        tables: the rows of each; looked up whenever a spot is visited.
        classes: of hands that ranges are given for.
        schedule: how regrets and averages are weighted.
        threads: of the CPU; results do not depend on it.
        precision: of regrets, float32 or int16.
        river_average: whether to keep the average strategy of rivers.
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
        if isinstance(tables, KeptTables):
            num_rows = tables.num_rows
        else:
            num_rows = [table.num_rows for table in tables]
        kept = RowsKept(precision, river_average, sharing)
        super().__init__(layouts, num_rows, classes, schedule, kept)
        self.tables, last = tables, self._spots[-1]
        self._arrays: dict[str, NDArray[Any]] = {
            "regret": aligned(last.regret.stop, dtype=np.dtype(self.precision)),
            "scale": np.zeros(last.scale.stop if self.precision == "int16" else 0, np.float32),
            "policy_sum": aligned(last.policy_sum.stop),
            "owed": self._owed,
            **self.shared.arrays(),
        }
        most = max(int(rows.max()) for of in num_rows for rows in of)
        self._work = [self._scratch(padded(most)) for _ in range(threads)]
        width = self._work[0].rows.cfv.shape[1]
        self._roots = [street_scratch(self.shape.shape, 0, width) for _ in range(TOGETHER)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _scratch(self, most_rows: int) -> RowWork:
        shape, river = self.shape.shape, self.shape.river
        width = max(max(layout.width) for layout in self.layouts)
        moves = max(len(layout.ranked.moved[0]) for layout in self.layouts)
        base = river_scratch(shape, width, moves, num_sums=0)._asdict()
        batches = len(base["show"])
        base["won"] = aligned(batches, width, LANES)
        base["show_sums"], base["fold_sums"] = (aligned(batches, 53, LANES) for _ in "sf")
        base["rows"] = street_scratch(shape, -1, width)
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
        base["unit_cfv"] = aligned(max(1, *shape.num_deals[-1:]), width)
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

    def _part(self, name: str, part: slice) -> NDArray[Any]:
        found: NDArray[Any] = self._arrays[name][part]
        return found

    def _hand_rows(self, spot: int, street: int, player: int) -> tuple[I16, F32]:
        upper: UpperRows = self.tables[spot].upper[player][street]
        return upper.row, upper.is_live

    def stored(self) -> Arrays:
        """Regrets, sums and what is owed, spot after spot."""
        is_packed = self.precision == "int16"
        return {n: array for n, array in self._arrays.items() if is_packed or n != "scale"}

    def _kinds(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        return {name: (array.shape, array.dtype) for name, array in self.stored().items()}

    def _write(self, name: str, values: NDArray[Any]) -> None:
        self._arrays[name][:] = values

    def _begin_shared(self) -> None:
        self.shared.begin()

    def _learn_shared(self, player: int, weights: F32) -> None:
        self.shared.learn(player, self._work[0].sums, weights)

    def _walk(self, asked: Sequence[Asked]) -> list[F32]:
        """[H] of each spot cfv at its root: down its own street, what is below, and up again."""
        find = map if self._pool is None else self._pool.map
        visits = list(find(self._open, asked, self._roots))
        units = [(visit, u) for visit in visits for u in range(len(visit.parts))]
        street, below = self.shape.streets[0], len(self.shape.streets) - 1

        def go_down(work: RowWork, k: int) -> None:
            visit = visits[k]
            own = work._replace(rows=visit.rows)
            rows_street_down(visit.root_pass, visit.root, street, 0, visit.reach, own)

        def go_below(work: RowWork, u: int) -> None:
            self._below(*units[u], work)

        def go_up(work: RowWork, k: int) -> None:
            visit = visits[k]
            if below:
                moved, boards = visit.side.own.moved, visit.below_pass.boards
                gather_parts(boards, moved, visit.parts, visit.rows.deal_cfv)
            else:
                add_parts(visit.parts, visit.rows.deal_cfv)
            own = work._replace(rows=visit.rows)
            rows_street_up(visit.root_pass, visit.root, street, 0, own, visit.cfv)

        self._share_out(go_down, len(visits), 0)
        self._share_out(go_below, len(units), below)
        self._share_out(go_up, len(visits), 0)
        num_hands = [len(self.layouts[one.spot].combos[one.player]) for one in asked]
        return [visit.cfv[0, :num] for visit, num in zip(visits, num_hands, strict=True)]

    def _open(self, asked: Asked, rows: Rows) -> _Visit:
        """All that a visit of a spot reads, and where it writes."""
        spot, player, below = asked.spot, asked.player, len(self.shape.streets) - 1
        layout, tables = self.layouts[spot], self._tables_of(spot, asked.draw)
        reach = []
        for one in (1 - player, player):
            row = np.zeros((1, len(tables.hands[one].cards)), np.float32)
            row[0, : len(layout.combos[one])] = self.class_reach[one][self._class_of[one][spot]]
            reach.append(row)
        cuts = unit_cuts(0, len(tables.boards.river_card_start) - 1, TURN_UNITS)
        if below:
            cuts = np.arange(len(tables.boards.turn_card_start))
        parts = np.empty((len(cuts) - 1, len(rows.deal_cfv), reach[1].shape[1]), np.float32)
        root, side = (self._side(asked, tables, street) for street in (0, below))
        root_pass, below_pass = (self._pass(asked, tables, street) for street in (0, below))
        return _Visit(
            root_pass, below_pass, root, side, Reach(*reach), rows, cuts, parts,
            np.empty_like(reach[1]),
        )  # fmt: skip

    def _tables_of(self, spot: int, draw: int | None) -> RowTables:
        """The rows of a spot's boards, or of those that are drawn."""
        if isinstance(self.tables, KeptTables):
            return self.tables.of(spot, draw)
        return self.tables[spot]

    def _below(self, visit: _Visit, u: int, work: RowWork) -> None:
        """A turn of a flop with its rivers, or some rivers of a turn."""
        p, side, deals = visit.below_pass, visit.side, visit.rows.deals
        if len(self.shape.streets) == 1:
            rows_rivers(p, side, visit.cuts[u], visit.cuts[u + 1], 1, deals, work, visit.parts[u])
        else:
            turn, most = self.shape.streets[1], UNITS_OF_A_TURN
            rows_turn(p, side, turn, u, most, deals, work, visit.parts)

    def _side(self, asked: Asked, tables: RowTables, street: int) -> RowSide:
        """A player on an upper street."""
        player = asked.player
        own: UpperRows = tables.upper[player][street]
        other: UpperRows = tables.upper[1 - player][street]
        hands, floor, is_shared = tables.hands[player], own.floor, self.shared.is_shared
        if is_shared[street]:
            floor = np.full_like(floor, FLOOR)
        if is_shared[-1]:
            hands = hands._replace(floor=np.full_like(hands.floor, FLOOR))
        share = tables.boards.turn_share if street else np.float32(1)
        return RowSide(
            player, hands, tables.hands[1 - player], own.is_live, other.is_live, own.row,
            other.row, floor, self._walked_rows(asked.spot, tables, street), share, asked.weights,
        )  # fmt: skip

    def _walked_rows(self, spot: int, tables: RowTables, street: int) -> BoardRows:
        """Where the boards of a street that are walked have their state."""
        own = self._spots[spot].rows[street]
        return self.shared.board_rows(street, spot, tables.counts[street], own)

    def _pass(self, asked: Asked, tables: RowTables, street: int) -> RowPass:
        """As an upper street and the rivers walk it."""
        spot, mode, arrays, river_street = (
            asked.spot,
            asked.mode,
            self._arrays,
            len(self.shape.streets),
        )
        name = "regret" if mode == LEARN else "policy_sum"
        upper = self._stored(name, spot, street)
        river = self._stored(name if self.river_average else "regret", spot, river_street)
        place = self._spots[spot]
        # nothing is learned but in LEARN: no need of code of its own for int16
        regret = arrays["regret"][place.regret] if mode == LEARN else river
        sums, scale = arrays["policy_sum"][place.policy_sum], arrays["scale"][place.scale]
        return RowPass(
            self.shape.river, self._walked_rows(spot, tables, river_street), tables.boards, mode,
            self.layouts[spot].has_rake, self.river_average,
            RowState(upper, river, regret, scale, sums),
        )  # fmt: skip

    def _share_out(self, unit: Callable[[RowWork, int], None], count: int, upper: int) -> None:
        """Do every unit; those that tell one slab one after another, whatever the threads.

        What is told above the river is told to an upper street.
        """
        num_slabs = min(count, NUM_SLABS if any(self.shared.is_shared) else count)

        def slab(work: RowWork, k: int) -> None:
            own = self.shared.with_slab(work, upper, k)
            for u in range(k, count, num_slabs):
                unit(own, u)

        share_out(self._pool, self._work, slab, num_slabs)


def share_out(
    pool: ThreadPoolExecutor | None,
    works: Sequence[Scratch],
    unit: Callable[[Scratch, int], None],
    count: int,
) -> None:
    """Do every unit, each thread with its own scratch the next one that is left."""
    if pool is None:
        for u in range(count):
            unit(works[0], u)
        return
    left = iter(range(count))

    def run(work: Scratch) -> None:
        for u in left:  # an iterator of a range is safe to share: next() is one step
            unit(work, u)

    list(pool.map(run, works))
