"""The postflop engine of the CPU: the state of a solve, and passes over it on some threads."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poker_solver.cfr.schedules import Schedule
from poker_solver.config.spot import Spot
from poker_solver.games.betting import TURN
from poker_solver.kernels.postflop import LANES, LEARN, MEAN, RECORD, River, State, Street, Work
from poker_solver.kernels.postflop.cpu import passes as on_numba
from poker_solver.kernels.postflop.cpu.locks import restore
from poker_solver.kernels.postflop.cpu.upper import street_down, street_up
from poker_solver.postflop.engines.engine import POSTFLOP, SpotEngine
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.runtime.memory import resident_bytes

Float = NDArray[np.float32]

_RIVER_UNITS = 8

_ELEMENTS_PER_CALL = 60_000
"""What a thread does in the time that another one may wait to begin its next unit in Python."""

_LOCK_UNIT_16 = 16384


class PostflopEngine(SpotEngine):
    """Regrets and sums of one spot."""

    def __init__(
        self,
        layout: Layout,
        schedule: Schedule = POSTFLOP,
        *,
        threads: int = 1,
        precision: str = "float32",
    ) -> None:
        """Allocate the state and each thread's scratch; `precision` is that of regrets."""
        self.layout = layout
        self.schedule = schedule
        self.threads = threads
        self.precision = precision
        self.iteration = 0
        is_packed = precision == "int16"
        self._arrays: dict[str, NDArray[Any]] = {
            "regret": aligned(layout.num_elements, dtype=np.dtype(precision)),
            "scale": np.zeros(layout.num_scales if is_packed else 0, np.float32),
            "policy_sum": aligned(layout.num_elements),
        }
        self.planned_bytes = resident_bytes()  # zeros take no memory before they are written
        self._lock_unit = np.float32(_LOCK_UNIT_16 if is_packed else 1)
        self._reach = [aligned(1, width) for width in layout.width]
        self._root_hands = []
        for player, hands in enumerate(layout.hands):
            self._put_reach(player)
            live = np.arange(layout.width[player])[None] < len(layout.reach[player])
            self._root_hands.append(hands._replace(is_live=live.astype(np.float32)))
        self._work = [_scratch(layout) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._restore_locks()

    @property
    def regret(self) -> NDArray[Any]:
        """[elements] the engine's own."""
        return self._arrays["regret"]

    @property
    def policy_sum(self) -> Float:
        """[elements] the engine's own."""
        return self._arrays["policy_sum"]

    @property
    def scale(self) -> Float:
        """[scales] the engine's own; none where regrets are float32."""
        return self._arrays["scale"]

    @property
    def used_bytes(self) -> int:
        """What this process occupies."""
        return resident_bytes()

    def prepare(self) -> None:
        """Have everything compiled that an iteration or a measurement will call."""
        for mode in (LEARN, MEAN):
            self._walk(0, MEAN, np.zeros(3, np.float32), self._state(mode), most_turns=1)
        self.train(0)

    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""
        table = self.schedule.table(self.iteration + 1, iterations).astype(np.float32)
        if self.layout.streets:
            for row in table:
                for player in (0, 1):
                    self.run_pass(player, LEARN, row)
        else:
            layout = self.layout
            on_numba.river_iterations(
                layout.river, layout.boards, layout.hands, layout.has_rake, tuple(self._reach),
                self._state(LEARN), self._lock_unit, LEARN, table, self._work[0],
            )  # fmt: skip
        self.iteration += iterations

    def _put_reach(self, player: int) -> None:
        reach = self.layout.reach[player]
        self._reach[player][0, : len(reach)] = reach

    def _write(self, name: str, values: NDArray[Any]) -> None:
        self._arrays[name][:] = values

    def average(self, *, copy: bool) -> Float:
        """[elements] strategy sums; without `copy` they change when the solve goes on."""
        return self.policy_sum.copy() if copy else self.policy_sum

    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""
        cfv = self._walk(player, mode, weights, self._state(mode))
        if mode == LEARN:
            self._restore(player, self.regret, self._lock_unit, self.policy_sum)
        return cfv

    def _state(self, mode: int) -> State:
        stored = self.regret if mode == LEARN else self.policy_sum
        regret = self.regret if mode == LEARN else self.policy_sum  # not touched
        return State(stored, regret, self.scale, self.policy_sum)

    def best_response(self, player: int) -> tuple[Float, Float]:
        """Against the opponent's average strategy: [H] cfv at the root, [elements] what is played.

        Only the player's decisions are filled in: 1 at an action, all 0 where all are as good.
        """
        played: Float = aligned(self.layout.num_elements)
        state = self._state(RECORD)._replace(regret=played)
        cfv = self._walk(player, RECORD, np.zeros(3, np.float32), state)
        self.lay_locks(player, played)
        return cfv, played

    def lay_locks(self, player: int, policy: Float) -> None:
        """Set what the player's locked hands have in [elements] to their probabilities."""
        self._restore(player, policy, np.float32(1), policy)

    def _restore_locks(self) -> None:
        for player in (0, 1):
            self._restore(player, self.regret, self._lock_unit, self.policy_sum)

    def _restore(
        self, player: int, regret: NDArray[Any], unit: np.float32, policy_sum: Float
    ) -> None:
        width = self.layout.width[player]
        parts: list[Street | River] = [*self.layout.streets, self.layout.river]
        for part in parts:
            if len(part.locks.table):
                restore(part, player, width, regret, unit, policy_sum)

    def _walk(
        self, player: int, mode: int, weights: Float, state: State, most_turns: int = 52
    ) -> Float:
        """[H] cfv at the root; what few turns give has no meaning, but everything was called."""
        layout = self.layout
        reach, own = self._reach[1 - player], self._reach[player]
        num_own, width = len(layout.combos[player]), layout.width[player]
        if not layout.streets:
            out = np.empty((1, width), np.float32)
            self._rivers(0, 1, player, mode, weights, state, reach, own, self._work[0], out)
            return out[0, :num_own]
        out = np.empty((1, width), np.float32)
        if len(layout.streets) == 1 and self._pool is None:
            self._turn_pass(player, mode, weights, state, out)
            return out[0, :num_own]
        root, work = layout.streets[0], self._work[0]
        deals = layout.num_deals[0]
        deal_reach = np.empty((deals, reach.shape[1]), np.float32)
        deal_own = np.empty((deals, width), np.float32)
        mine, other = self._root_hands[player], self._root_hands[1 - player]
        one = np.float32(1)
        street_down(
            root, mine, other, 0, one, player, mode, reach, own, state, work, deal_reach, deal_own
        )
        given = (player, mode, weights, state, deal_reach, deal_own)
        if len(layout.streets) == 1:
            deal_cfv = self._river_units(*given)
        else:
            deal_cfv = self._turn_units(*given, most_turns)
        street_down(
            root, mine, other, 0, one, player, mode, reach, own, state, work, deal_reach, deal_own
        )
        street_up(root, mine, other, 0, player, mode, state, weights, work, deal_cfv, out)
        return out[0, :num_own]

    def _turn_pass(self, player: int, mode: int, weights: Float, state: State, out: Float) -> None:
        """What `_walk` does of a turn spot on one thread, without the way back to Python."""
        layout, root, hands = self.layout, self._root_hands, self.layout.hands
        cuts = self._cuts()
        outs = np.empty((len(cuts) - 1, layout.num_deals[0], out.shape[1]), np.float32)
        on_numba.turn_pass(
            layout.streets[0], layout.river, layout.boards, hands[player], hands[1 - player],
            root[player], root[1 - player], cuts, player, mode, layout.has_rake,
            self._reach[1 - player], self._reach[player], np.float32(1), state, weights,
            self._work[0], outs, out,
        )  # fmt: skip

    def _cuts(self) -> NDArray[np.int64]:
        """[U + 1] the river boards of each unit of a turn spot; the same on any threads."""
        num_boards = len(self.layout.runouts.river_card)
        return np.linspace(0, num_boards, min(_RIVER_UNITS, num_boards) + 1).astype(np.int64)

    def _rivers(
        self, first: int, last: int, player: int, mode: int, weights: Float, state: State,
        reach: Float, own: Float, work: Work, out: Float,
    ) -> None:  # fmt: skip
        layout = self.layout
        hands = layout.hands
        on_numba.rivers(
            layout.river, layout.boards, hands[player], hands[1 - player], first, last, player,
            mode, layout.has_rake, reach, own, state, weights, work, out,
        )  # fmt: skip

    def _river_units(
        self, player: int, mode: int, weights: Float, state: State, reach: Float, own: Float
    ) -> Float:
        layout, cuts = self.layout, self._cuts()
        hands = layout.hands
        outs = np.empty((len(cuts) - 1, *own.shape), np.float32)

        def unit(thread: int, u: int) -> None:
            on_numba.river_units(
                layout.river, layout.boards, hands[player], hands[1 - player], cuts, u, u + 1,
                player, mode, layout.has_rake, reach, own, state, weights, self._work[thread], outs,
            )  # fmt: skip

        self._share(unit, len(outs))
        total = np.empty_like(own)
        on_numba.add_up(outs, total)
        return total

    def _turn_units(
        self, player: int, mode: int, weights: Float, state: State, reach: Float, own: Float,
        most: int,
    ) -> Float:  # fmt: skip
        layout = self.layout
        hands = layout.hands
        turn_cfv = np.empty((len(layout.runouts.turn_card), *own.shape), np.float32)

        def unit(thread: int, t: int) -> None:
            on_numba.turns(
                layout.streets[1], layout.river, layout.boards, hands[player], hands[1 - player],
                t, t + 1, player, mode, layout.has_rake, reach, own, state, weights,
                self._work[thread], turn_cfv,
            )  # fmt: skip

        self._share(unit, min(most, len(turn_cfv)))
        deal_cfv = np.empty_like(own)
        on_numba.gather_turns(layout.boards, hands[player], turn_cfv, deal_cfv)
        return deal_cfv

    def _share(self, unit: Any, count: int) -> None:
        """Do every unit, each thread the next one that is left."""
        if self._pool is None:
            for u in range(count):
                unit(0, u)
            return
        left = iter(range(count))

        def work(thread: int) -> None:
            for u in left:  # an iterator of a range is safe to share: next() is one step
                unit(thread, u)

        list(self._pool.map(work, range(self.threads)))


def aligned(*shape: int, dtype: DTypeLike = np.float32) -> NDArray[Any]:
    """Zeros that begin where a cache line does, so that no vector lies across two."""
    size, line = math.prod(shape), 64 // np.dtype(dtype).itemsize
    raw = np.zeros(size + line, dtype)
    begin = -(raw.ctypes.data // raw.itemsize) % line
    return raw[begin : begin + size].reshape(shape)


def _scratch(layout: Layout) -> Work:
    width = max(layout.width)
    nodes = max((len(street.kind) for street in layout.streets), default=1)
    deals = max((1, *layout.num_deals))
    river = layout.river
    nodes_in_group = int(np.diff(river.group_start).max())
    batches = max(int(np.diff(of.batch_start).max()) for of in (river.show, river.fold))
    decision = int(layout.tree.num_children.max()) * width

    def rows(*count: int) -> Float:
        return aligned(*count, width)

    def slots(*count: int) -> Float:
        return aligned(*count, LANES)

    return Work(
        reach=rows(nodes), own=rows(nodes), policy=rows(nodes), cfv=rows(nodes),
        deal_reach=rows(deals), deal_own=rows(deals), deal_cfv=rows(deals),
        is_reached=np.zeros(deals, bool), moved_cfv=rows(len(layout.hands[0].moved), deals),
        river_reach=slots(nodes_in_group), river_own=slots(nodes_in_group),
        river_policy=slots(nodes_in_group), river_cfv=slots(nodes_in_group + 1),
        show=slots(batches, width + 1), fold=slots(batches, width + 1), won=slots(batches, width),
        show_sums=slots(batches, 53), fold_sums=slots(batches, 53), card_sums=np.zeros(53),
        regret=aligned(max(decision, int(np.diff(river.part_start).max()))),
    )  # fmt: skip


def useful_threads(layout: Layout) -> int:
    """With how many threads a pass is fastest: units begin and end one at a time."""
    if not layout.streets:
        return 1
    turns, rivers = layout.runouts.num_boards[TURN:]
    units = turns if len(layout.streets) > 1 else min(_RIVER_UNITS, rivers)
    return max(1, layout.num_elements // (units * _ELEMENTS_PER_CALL))


def engine_for(spot: Spot, *, threads: int = 1) -> PostflopEngine:
    """An engine before its first iteration."""
    return PostflopEngine(lay_out(spot), threads=threads)
