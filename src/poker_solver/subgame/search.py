"""One search: a game after the flop solved until its deadline, on the CPU or on a GPU."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.fullgame.training.drawn_boards import DrawnBoards
from poker_solver.games.betting import RIVER
from poker_solver.kernels.gadget import Gadget
from poker_solver.kernels.postflop.cuda.shape import MOST_ROWS, GroupShape
from poker_solver.postflop.engines.cpu import PostflopEngine, useful_threads
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.tables import written_shapes
from poker_solver.postflop.engines.engine import SpotEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, layout_of
from poker_solver.postflop.layout.locks import LockTables
from poker_solver.postflop.layout.shape import kept_shape
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.plan import Plan, plan
from poker_solver.postflop.solution.ranges import per_deal
from poker_solver.postflop.solution.strategy import HostStrategy, mixes
from poker_solver.postflop.solution.values import DealtValues, Evaluator
from poker_solver.runtime.cuda import Gpu, open_gpu
from poker_solver.runtime.device import POSTFLOP, choose, num_threads
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.result import SearchRecord, StreetResult, packed

F64 = NDArray[np.float64]

FLOP_BOARDS = DrawnBoards(turns=3, rivers=2)
"""Of a flop on the CPU: iterations count for more than boards, see docs/lab/subgame.md."""
_SEED = 1
_RESERVE = 3.0
"""Iterations whose time is left for measuring and for values."""
_READING_SECONDS = 0.005
"""What the host does with a GPU's answer, besides: little of it depends on the game."""
_LOOK_SECONDS = 0.02
"""The clock is looked at so often."""
_ROUNDING = 1e-9
"""A part of a range as small as this is what subtracting leaves of nothing."""


@dataclass(frozen=True, eq=False)
class Take:
    """What one player may do at the root, by the 1,326 combos; see `kernels.gadget`."""

    player: int
    forced: F64
    choice: F64
    cfv: F64  # weighted by the other's range


class Budget(NamedTuple):
    """The time of a search."""

    ms: float  # that it should have
    deadline: float  # seconds of `time.perf_counter`


class ActionValues(NamedTuple):
    """A decision, of all 1,326 combos: what is played and what that is worth; A actions."""

    strategy: F64  # [A, 1326] 0 where a combo is not held
    ev_chips: F64  # [A, 1326] out of the pot as it lies; NaN where no opponent comes
    reach: F64  # [2, 1326] of both players


class Searcher:
    """Solves games one after the other; what betting alone decides is laid out once."""

    def __init__(self, config: SubgameConfig) -> None:
        self.config = config
        self._shapes: set[GroupShape] | None = None  # that a GPU has kernels of; None: compile
        choose(config.device, 0, POSTFLOP)  # one that is not here is refused now

    def device_of(self, game: PostflopGame) -> str:
        """The plain name of where a game is searched; see `_plan`."""
        asked = self.config.device
        if asked == "cpu" or game.would_cancel:
            return "cpu"
        return self._plan(game).device if asked == "auto" else asked

    def _plan(self, game: PostflopGame) -> Plan:
        """Ranges that a GPU would sum too roughly are the CPU's, whatever was asked for."""
        return plan(game, device="cpu" if game.would_cancel else self.config.device)

    def lay_out(self, game: PostflopGame) -> Layout:
        """The game as arrays; quickly where its betting was met before."""
        return self._lay_out(self._plan(game))

    def _lay_out(self, planned: Plan) -> Layout:
        if planned.device == "cpu" and len(planned.game.cards) == 3:
            return self._drawn_flop(planned)
        return layout_of(planned)

    def _drawn_flop(self, planned: Plan) -> Layout:
        """A flop with some turns and rivers that stand for all: those are too many."""
        layout = FLOP_BOARDS.of(layout_of(planned), np.random.default_rng(_SEED))
        shape = kept_shape(planned.game.betting, layout.runouts.num_boards, layout.width)
        tables = LockTables(planned.game.locks, layout.runouts, layout.combos, shape)
        return replace(layout, shape=shape, lock_tables=tables)

    def search(self, game: PostflopGame, budget: Budget, take: Take | None = None) -> StreetResult:
        """Solve until the deadline, or as far as the config asks."""
        began = time.perf_counter()
        engine = self.open_engine(game, take)
        left_pct = self._iterate(engine, budget.deadline)
        shares, values = read_street(engine)
        record = _record(engine, left_pct, began)
        return packed(shares, values, game.pot + 2.0 * game.stack, record)

    def search_actions(
        self, game: PostflopGame, budget: Budget
    ) -> tuple[dict[int, ActionValues], SearchRecord]:
        """The same with what every action is worth, at the decisions of the first street."""
        began = time.perf_counter()
        engine = self.open_engine(game)
        left_pct = self._iterate(engine, budget.deadline)
        return read_actions(engine), _record(engine, left_pct, began)

    def open_engine(
        self, game: PostflopGame, take: Take | None = None, threads: int | None = None
    ) -> SpotEngine:
        """A search before its first iteration."""
        planned = self._plan(game)
        layout = self._lay_out(planned)
        gadget = None if take is None else _gadget(layout, take)
        if planned.device == "cpu":
            threads = threads or self._threads(layout)
            return PostflopEngine(layout, threads=threads, gadget=gadget)
        return self._on_gpu(layout, open_gpu(planned.device), gadget)

    def _on_gpu(self, layout: Layout, gpu: Gpu, gadget: Gadget | None) -> CudaEngine:
        """Once it is warm nothing is compiled: rivers of other shapes are read from programs."""
        shapes, known = written_shapes(layout, gpu.shared_bytes), self._shapes
        most_rows = MOST_ROWS if known is None or shapes <= known else 0
        return CudaEngine(layout, machine=gpu, gadget=gadget, most_rows=most_rows)

    def warm_up(self, games: Sequence[PostflopGame]) -> None:
        """Have compiled, or loaded, all that searches of such games call."""
        known, streets, self._shapes = self._shapes or set(), set[int](), None
        for game in games:
            planned, street = self._plan(game), int(game.tree.first_street)
            if planned.device == "cpu":
                is_new = street not in streets
                streets.add(street)
            else:
                gpu, layout = open_gpu(planned.device), self._lay_out(planned)
                shapes = written_shapes(layout, gpu.shared_bytes)
                is_new = not shapes <= known
                known |= shapes
            if is_new:
                self._try(game)
        self._shapes = known

    def _try(self, game: PostflopGame) -> None:
        """An iteration of a game, with and without a gadget."""
        player, hands = 0, game.weights[0] > 0
        take = Take(player, 0.5 * hands, 0.5 * hands, np.zeros(NUM_COMBOS))
        for root, threads in product((None, take), (1, None)):
            engine = self.open_engine(game, root, threads)
            engine.train(1)
            engine.measure()
            read_street(engine)

    def _threads(self, layout: Layout) -> int:
        return self.config.threads or min(num_threads(None), useful_threads(layout))

    def _iterate(self, engine: SpotEngine, deadline: float) -> float:
        """Iterate until the deadline, the target or the most iterations; % of the pot left.

        Where other programs hold it up, it stops so much earlier: they may do so once more.
        """
        config, clock = self.config, time.perf_counter
        if isinstance(engine, CudaEngine):
            deadline -= _READING_SECONDS
        check = engine.next_check(0)
        count = min(engine.first_step, check, config.max_iterations)
        quickest, held_up = np.inf, 0.0
        while count > 0:
            then = clock()
            engine.train(count)
            per = (clock() - then) / count
            quickest = min(per, quickest)
            held_up = max((per - quickest) * count, held_up)
            if engine.iteration >= check:
                left_pct = _left_pct(engine)
                if left_pct <= config.target_pct:
                    return left_pct
                check = 2 * check if engine.first_step > 1 else engine.next_check(check)
            left = deadline - clock() - _RESERVE * per - held_up
            count = max(int(min(left, _LOOK_SECONDS) / per), 1) if left > per else 0
            count = min(count, check - engine.iteration, config.max_iterations - engine.iteration)
        return _left_pct(engine)


def _left_pct(engine: SpotEngine) -> float:
    return 100.0 * float(engine.measure()[0]) / engine.layout.game.pot


def _record(engine: SpotEngine, left_pct: float, began: float) -> SearchRecord:
    ms = 1000 * (time.perf_counter() - began)
    return SearchRecord(round(left_pct, 4), engine.iteration, round(ms, 2))


def _gadget(layout: Layout, take: Take) -> Gadget:
    """The root as the engine has it."""
    own = layout.combos[take.player]
    rows = (row[own].astype(np.float32) for row in (take.forced, take.choice, take.cfv))
    return Gadget.of(take.player, *rows)


def read_street(engine: SpotEngine) -> tuple[list[F64], list[F64]]:
    """Of every decision of the first street, in order: [A, H] shares, and [H] values of who acts.

    H are all combos that the board leaves; values are chips out of the pot, NaN where no opponent
    comes.
    """
    engine.enter_average()
    layout, tree = engine.layout, engine.layout.tree
    combos, sums = layout.combos, engine.street_sums
    mixed = _mixed(layout, sums)
    reach = _reach(engine, mixed)
    cfv = _cfv(engine, sums)
    left = np.flatnonzero(unblocked(layout.game.cards))
    shares, values = [], []
    for node in mixed:
        player = int(tree.actor[node])
        other = np.zeros(NUM_COMBOS)
        other[combos[1 - player]] = reach[node][1 - player]
        met = disjoint_sum(other)[combos[player]]
        met[met < _ROUNDING * other.sum()] = 0.0
        paid = tree.rules.pot / 2 + int(tree.committed[node, player])
        row = np.full(NUM_COMBOS, np.nan)
        row[combos[player]] = per_deal(cfv[node][player], met) + paid
        mix = np.zeros((len(mixed[node]), NUM_COMBOS))
        mix[:, combos[player]] = mixed[node]
        shares.append(mix[:, left])
        values.append(row[left])
    return shares, values


def read_actions(engine: SpotEngine) -> dict[int, ActionValues]:
    """Every decision of the first street by its node, with what each action is worth."""
    layout, tree = engine.layout, engine.layout.tree
    sums = engine.street_sums
    mixed = _mixed(layout, sums)
    reach, cfv, found = _reach(engine, mixed), _cfv(engine, sums), dict[int, ActionValues]()
    for node in mixed:
        player = int(tree.actor[node])
        own, both = layout.combos[player], np.zeros((2, NUM_COMBOS))
        for seat in (0, 1):
            both[seat, layout.combos[seat]] = reach[node][seat]
        met = disjoint_sum(both[1 - player])[own]
        met[met < _ROUNDING * both[1 - player].sum()] = 0.0
        paid = tree.rules.pot / 2 + int(tree.committed[node, player])
        evs = np.full((len(mixed[node]), NUM_COMBOS), np.nan)
        for which, child in enumerate(tree.children(node)):
            evs[which, own] = per_deal(cfv[child][player], met) + paid
        strategy = np.zeros_like(evs)
        strategy[:, own] = mixed[node]
        found[node] = ActionValues(strategy, evs, both)
    return found


def _mixed(layout: Layout, sums: NDArray[np.float32]) -> dict[int, F64]:
    """[A, H] what is played at every decision of the first street, by its node, in order."""
    tree = layout.tree
    nodes = np.flatnonzero(tree.is_decision & (tree.street == tree.first_street)).tolist()
    return {n: mixes(state_rows(layout, sums, n, 0, 1)[0]) for n in nodes}


def _reach(engine: SpotEngine, mixed: dict[int, F64]) -> dict[int, list[F64]]:
    """[H] of both players at every decision of the first street."""
    tree = engine.layout.tree
    found = {0: [engine.root_reach(player) for player in (0, 1)]}
    for node, mix in mixed.items():
        player = int(tree.actor[node])
        for which, child in enumerate(tree.children(node)):
            both = list(found[node])
            both[player] = both[player] * mix[which]
            found[child] = both
    return found


def _cfv(engine: SpotEngine, sums: NDArray[np.float32]) -> dict[int, tuple[F64, F64]]:
    """[H] cfv of both players at every node of the first street, with both averages."""
    layout, street = engine.layout, engine.layout.tree.first_street
    if isinstance(engine, PostflopEngine) and street < RIVER:
        oop, ip = (engine.first_street_values(player).astype(np.float64) for player in (0, 1))
        return {int(n): (oop[i], ip[i]) for i, n in enumerate(layout.shape.nodes(street))}
    reach = [engine.root_reach(player).astype(np.float32) for player in (0, 1)]
    held, dealt = replace(layout, reach=(reach[0], reach[1])), None
    if isinstance(engine, CudaEngine) and street < RIVER:
        dealt = DealtValues(held, {street: engine.read_dealt()})
    return Evaluator(HostStrategy(held, sums), dealt).every_line(street, 0)
