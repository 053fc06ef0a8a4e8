"""The postflop engine of the CPU: the state of a solve, and passes over it on some threads."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cfr.schedules import Schedule
from poker_solver.games.betting import TURN
from poker_solver.kernels.arrays import F32, F64, I64
from poker_solver.kernels.gadget import Gadget, no_gadget
from poker_solver.kernels.gadget.on_numba import enter, settle
from poker_solver.kernels.postflop import BEST, LANES, LEARN, MEAN, RECORD, River, Street
from poker_solver.kernels.postflop.cpu import Pass, Reach, Rows, Side, State, Work, passes
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.kernels.postflop.cpu.upper import street_down, street_up
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.shape import Shape
from poker_solver.runtime.memory import resident_bytes

RIVER_UNITS = 8

_ELEMENTS_PER_CALL = 60_000
"""Work per call below which the GIL, not arithmetic, limits how threads scale."""

_LOCK_UNIT_16 = 16384

Scratch = TypeVar("Scratch")


class PostflopEngine(SpotEngine):
    """Regrets and sums of one spot."""

    def __init__(
        self,
        layout: Layout,
        schedule: Schedule = POSTFLOP,
        *,
        threads: int = 1,
        precision: str = "float32",
        gadget: Gadget | None = None,
    ) -> None:
        """Allocate the state and each thread's scratch; `precision` is that of regrets.

        With a gadget, one player's range is what it says, not what the layout has.
        """
        self.layout, self.schedule, self.iteration = layout, schedule, 0
        self.threads, self.precision = threads, precision
        is_packed = precision == "int16"
        self._arrays: dict[str, NDArray[Any]] = {
            "regret": aligned(layout.num_elements, dtype=np.dtype(precision)),
            "scale": np.zeros(layout.shape.offsets.num_scales if is_packed else 0, np.float32),
            "policy_sum": aligned(layout.num_elements),
        }
        self.planned_bytes = resident_bytes()  # zeros take no memory before they are written
        # Of the spot's own ranges, whatever `set_reach` brings.
        self._by_hand = True if layout.game.would_cancel else None
        self._lock_unit = np.float32(_LOCK_UNIT_16 if is_packed else 1)
        self._reach = [aligned(1, width) for width in layout.width]
        self._root_live = [aligned(1, width) for width in layout.width]
        for player, live in enumerate(self._root_live):
            self._put_reach(player)
            live[0, : len(layout.reach[player])] = 1
        shape, width = layout.shape, max(layout.width)
        moves = len(layout.ranked.hands[0].moved)
        self.gadget = no_gadget() if gadget is None else gadget
        if gadget is not None:
            enter(gadget, gadget.regret, self._reach[gadget.player][0])
        self._work = [thread_scratch(shape, width, moves) for _ in range(threads)]
        self._root_work = self._work[0]._replace(rows=street_scratch(shape, 0, width))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._restore_locks()

    @property
    def used_bytes(self) -> int:
        """What this process occupies."""
        return resident_bytes()

    def prepare(self) -> None:
        """Have everything compiled that an iteration or a measurement will call."""
        for mode in (LEARN, MEAN):  # whose states may have different types
            p = self._pass(mode)._replace(mode=MEAN, boards=self.layout.boards.none())
            self._walk(0, np.zeros(3, np.float32), p)
        self.train(0)

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        table = self.schedule.table(self.iteration + 1, iterations).astype(np.float32)
        if self.layout.streets:
            for row in table:
                for player in (0, 1):
                    self.run_pass(player, LEARN, row)
        else:
            first, _ = self._sides(0, np.zeros(3, np.float32))
            above = Reach(own=self._reach[0], other=self._reach[1])
            p = self._pass(LEARN)
            unit, gadget, work = self._lock_unit, self.gadget, self._work[0]
            passes.river_iterations(p, first, table, above, unit, gadget, work)
        self.iteration += iterations

    def _put_reach(self, player: int) -> None:
        reach = self.layout.reach[player]
        self._reach[player][0, : len(reach)] = reach

    def _read(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def _write(self, name: str, values: NDArray[Any]) -> None:
        self._arrays[name][:] = values

    def run_pass(self, player: int, mode: int, weights: F32) -> F32:
        """[H] cfv of the player's hands at the root."""
        cfv = self._walk(player, weights, self._pass(mode))
        if mode == LEARN:
            self._restore(player, self.regret, self._lock_unit, self.policy_sum)
            if player == self.gadget.player:
                settle(self.gadget, cfv, weights, self._reach[player][0])
        return cfv

    def enter_average(self) -> None:
        """Have whoever may take play as often as on average: nothing more is learned."""
        gadget = self.gadget
        if gadget.player >= 0:
            enter(gadget, gadget.policy_sum, self._reach[gadget.player][0])

    def root_reach(self, player: int) -> F64:
        """[H] a player's hands at the root, as passes see them now."""
        num_hands = len(self.layout.combos[player])
        return self._reach[player][0, :num_hands].astype(np.float64)

    def first_street_values(self, player: int) -> F32:
        """[S, H] cfv of a player's hands at the S nodes of the spot's own street, both averages.

        In the order of the shape's nodes; not for spots that begin on the river.
        """
        self._walk(player, np.zeros(3, np.float32), self._pass(MEAN))
        found: F32 = self._root_work.rows.cfv[:, : len(self.layout.combos[player])].copy()
        return found

    def measure(self) -> F64:
        """See `SpotEngine`; where a player may take, he also gains by that."""
        if self.gadget.player < 0:
            return super().measure()
        gain = sum(self.gadget_totals(BEST))
        if self.layout.has_rake:
            gain -= sum(self.gadget_totals(MEAN))
        return np.array([gain / 2])

    def gadget_totals(self, mode: int) -> tuple[float, float]:
        """What whoever may take gets per deal, and his opponent, with averages or by the best."""
        gadget, player = self.gadget, self.gadget.player
        other, reach, none = 1 - player, self._reach[player][0], np.zeros(3, np.float32)
        dealt, take = (
            row.astype(np.float64) for row in (gadget.forced + gadget.choice, gadget.take)
        )
        now = reach.copy()
        enter(gadget, gadget.policy_sum, reach)
        played = reach[: len(take)].astype(np.float64)
        own, theirs = (self.run_pass(p, mode, none).astype(np.float64) for p in (player, other))
        reach[:] = now
        taken = (dealt - played) @ take
        if mode == BEST:
            total = gadget.forced @ own + gadget.choice @ np.maximum(own, take)
        else:
            total = played @ own + taken
        deals = self._gadget_deals(dealt)
        return float(total) / deals, float(theirs @ self.layout.reach[other] - taken) / deals

    def _gadget_deals(self, dealt: F64) -> float:
        """Weighted pairs of hands that share no card."""
        player, combos = self.gadget.player, self.layout.combos
        weights = np.zeros(NUM_COMBOS)
        weights[combos[player]] = dealt
        return float(self.layout.reach[1 - player] @ disjoint_sum(weights)[combos[1 - player]])

    def _pass(self, mode: int) -> Pass:
        """Only LEARN touches regrets, so that other modes need no code of their own for int16."""
        layout, regret = self.layout, self.regret if mode == LEARN else self.policy_sum
        state = State(regret, regret, self.scale, self.policy_sum)
        return Pass(layout.river, layout.boards, mode, layout.has_rake, self._by_hand, state)

    def best_response(self, player: int) -> tuple[F32, F32]:
        """See `SpotEngine`."""
        played: F32 = aligned(self.layout.num_elements)
        p = self._pass(RECORD)
        p = p._replace(state=p.state._replace(regret=played))
        cfv = self._walk(player, np.zeros(3, np.float32), p)
        self.lay_locks(player, played)
        return cfv, played

    def lay_locks(self, player: int, policy: F32) -> None:
        """Set what the player's locked hands have in [elements] to their probabilities."""
        self._restore(player, policy, np.float32(1), policy)

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore(player, self.regret, self._lock_unit, self.policy_sum)

    def _restore(
        self, player: int, regret: NDArray[Any], unit: np.float32, policy_sum: F32
    ) -> None:
        width = self.layout.width[player]
        parts: list[Street | River] = [*self.layout.streets, self.layout.river]
        for part in parts:
            if len(part.locks.table):
                restore(part, player, width, regret, unit, policy_sum)

    def _sides(self, player: int, weights: F32) -> tuple[Side, Side]:
        """The player on the spot's own street, and on the boards below it."""
        layout, own, other = self.layout, player, 1 - player
        root = Side(
            player, layout.ranked.hands[own], layout.ranked.hands[other], self._root_live[own],
            self._root_live[other], np.float32(1), weights,
        )  # fmt: skip
        return root, root._replace(
            own_live=root.own.is_live, other_live=root.other.is_live, share=layout.boards.turn_share
        )

    def _walk(self, player: int, weights: F32, p: Pass) -> F32:
        """[H] cfv at the root: down the spot's own street, the units below it, and up again."""
        layout, work = self.layout, self._root_work
        above = Reach(self._reach[1 - player], self._reach[player])
        root, below = self._sides(player, weights)
        out = np.empty(above.own.shape, np.float32)
        if not layout.streets:
            passes.rivers(p, root, 0, len(p.boards.river_start) - 1, above, work, out)
        elif len(layout.streets) == 1 and self._pool is None:  # in one call: it is quick
            cuts, outs = self._river_units(p, root)
            passes.turn_pass(p, root, layout.streets[0], cuts, above, work, outs, out)
        else:
            street_down(p, root, layout.streets[0], 0, above, work)
            self._below(p, below, work.rows)
            street_up(p, root, layout.streets[0], 0, work, out)
        return out[0, : len(layout.combos[player])]

    def _below(self, p: Pass, s: Side, rows: Rows) -> None:
        """From reach to cfv at the deals of the spot's own street, shared out among threads."""
        if len(self.layout.streets) == 1:
            cuts, outs = self._river_units(p, s)

            def rivers(work: Work, u: int) -> None:
                passes.river_units(p, s, cuts, u, u + 1, rows.deals, work, outs)

            self._share(rivers, len(outs))
            passes.add_up(outs, rows.deal_cfv)
            return
        turn, num_turns = self.layout.streets[1], len(p.boards.turn_card_start) - 1
        turn_cfv = np.empty((num_turns, len(rows.deal_cfv), len(s.own.cards)), np.float32)
        cuts = unit_cuts(num_turns, num_turns)

        def turns(work: Work, u: int) -> None:
            passes.turns(p, s, turn, cuts[u], cuts[u + 1], rows.deals, work, turn_cfv)

        self._share(turns, len(cuts) - 1)
        passes.gather_turns(p.boards, s.own.moved, turn_cfv, rows.deal_cfv)

    def _river_units(self, p: Pass, s: Side) -> tuple[I64, F32]:
        """[U + 1] river boards of a turn spot by unit, the same on any threads; room for cfv."""
        cuts = unit_cuts(len(p.boards.river_card_start) - 1, RIVER_UNITS)
        shape = len(cuts) - 1, self.layout.shape.num_deals[0], len(s.own.cards)
        return cuts, np.empty(shape, np.float32)

    def _share(self, unit: Callable[[Work, int], None], count: int) -> None:
        share_out(self._pool, self._work, unit, count)


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


def unit_cuts(count: int, most: int) -> I64:
    """[U + 1] where each of at most so many units begins, and the last one ends; at least one."""
    return np.linspace(0, count, max(1, min(most, count)) + 1).astype(np.int64)


def aligned(*shape: int, dtype: DTypeLike = np.float32) -> NDArray[Any]:
    """Zeros that begin where a cache line does, so that no vector lies across two."""
    size, line = math.prod(shape), 64 // np.dtype(dtype).itemsize
    raw = np.zeros(size + line, dtype)
    begin = -(raw.ctypes.data // raw.itemsize) % line
    return raw[begin : begin + size].reshape(shape)


def street_scratch(shape: Shape, street: int, width: int) -> Rows:
    """Scratch of an upper street; the smallest there is where the spot has none."""
    nodes, deals = 1, 1
    if shape.streets:
        nodes, deals = len(shape.streets[street].kind), max(1, shape.num_deals[street])
    reach, own, policy, cfv = (aligned(nodes, width) for _ in range(4))
    other_deals, own_deals, deal_cfv = (aligned(deals, width) for _ in range(3))
    return Rows(reach, own, policy, cfv, Reach(other_deals, own_deals), deal_cfv)


def thread_scratch(shape: Shape, width: int, num_renamings: int) -> Work:
    """Scratch of one thread, for rows of so many hands and so many ways to rename suits."""
    river, rows = shape.river, street_scratch(shape, -1, width)
    nodes = int(np.diff(river.group_start).max())
    batches = max(int(np.diff(of.batch_start).max()) for of in (river.show, river.fold))
    decision = int(shape.tree.num_children.max()) * width

    def slots(*count: int) -> F32:
        return aligned(*count, LANES)

    return Work(
        rows=rows, is_reached=np.zeros(len(rows.deal_cfv), bool),
        moved_cfv=aligned(num_renamings, *rows.deal_cfv.shape),
        river_reach=slots(nodes), river_own=slots(nodes), river_policy=slots(nodes),
        river_cfv=slots(nodes + 1), show=slots(batches, width + 1), fold=slots(batches, width + 1),
        won=slots(batches, width), show_sums=slots(batches, 53), fold_sums=slots(batches, 53),
        card_sums=np.zeros(53), regret=aligned(max(decision, int(np.diff(river.part_start).max()))),
    )  # fmt: skip


def useful_threads(layout: Layout) -> int:
    """With how many threads a pass is fastest: units begin and end one at a time."""
    if not layout.streets:
        return 1
    turns, rivers = layout.runouts.num_boards[TURN:]
    units = turns if len(layout.streets) > 1 else min(RIVER_UNITS, rivers)
    return max(1, layout.num_elements // (units * _ELEMENTS_PER_CALL))
