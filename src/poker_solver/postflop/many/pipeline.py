"""Many spots on a GPU: those of one shape together, in three stages that run side by side.

Threads of the CPU lay the next spots out, and finish the last ones (equities, values, files), while
one thread has the card to itself.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import Generic, TypeVar

from poker_solver.cfr.progress import Progress
from poker_solver.cfr.schedules import Schedule
from poker_solver.cfr.solve import StopRules, Unit
from poker_solver.config.spot import PostflopBetting, Spot
from poker_solver.errors import DeviceError, MemoryPlanError, PokerSolverError, SpotError
from poker_solver.postflop.engines.cuda.group import CudaGroup
from poker_solver.postflop.engines.cuda.programs import StreetPrograms
from poker_solver.postflop.engines.cuda.tables import SpotGroup, group_spots
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.postflop.layout.shape import Shape
from poker_solver.postflop.many.group import GroupRecord, GroupSolver, SpotRead
from poker_solver.postflop.plan import cuda_guess
from poker_solver.postflop.solution.solution import Solution
from poker_solver.runtime.cuda import Machine
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.runtime.memory import plan_bytes
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.postflop_counts import TreeCounts, count, num_hands
from poker_solver.trees.runouts import IDENTITY, find_runouts

T = TypeVar("T")
Places = tuple[int, ...]

GROUP_ELEMENTS = 400_000_000
"""Groups are not made larger than this."""

BUSY_ELEMENTS = 15_000_000
"""What keeps a card busy: groups larger than this are cut, so that stages overlap."""

OVERLAPPING = 16
"""Groups that many spots make at least, if each keeps the card busy."""

MOST_SPOTS = 2_000
SPARE = 0.9
"""The part of the card's free memory that a group is planned for."""


def by_shape(spots: Sequence[Spot]) -> list[list[int]]:
    """Places of spots that can be solved together, those with locks alone; in their order."""
    found: dict[int | PostflopBetting, list[int]] = {}
    for place, spot in enumerate(spots):
        key = place if spot.locks else spot.betting
        found.setdefault(key, []).append(place)
    return list(found.values())


def largest_counts(spots: Sequence[Spot]) -> TreeCounts:
    """About the most that any of these spots of one shape has: no cards stand for others."""
    spot = max(spots, key=lambda spot: sum(num_hands(spot.weights)))
    runouts = find_runouts(spot.cards, symmetries=[IDENTITY])
    return count(build_betting_tree(spot.betting), runouts, num_hands(spot.weights))


def cut(
    places: Sequence[int], counts: TreeCounts, free_bytes: int, precision: str = "float32"
) -> list[Places]:
    """Spots of one shape in groups of one size, as large as keeps the card busy and as it holds."""
    most = min(
        GROUP_ELEMENTS // max(counts.num_elements, 1),
        int(SPARE * free_bytes) // max(plan_bytes(cuda_guess(counts, precision)), 1),
        MOST_SPOTS,
    )
    busy = len(places) * counts.num_elements // BUSY_ELEMENTS
    num_groups = max(-(-len(places) // max(most, 1)), min(OVERLAPPING, busy), 1)
    size = -(-len(places) // num_groups)
    return [tuple(places[first : first + size]) for first in range(0, len(places), size)]


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A group that waits for the card."""

    places: Places
    group: SpotGroup
    build_seconds: float


@dataclass(frozen=True)
class CardRules:
    """How every spot is solved."""

    stop: StopRules
    schedule: Schedule
    device: str
    threads: int
    precision: str  # of regrets
    rivers: bool  # whether solutions keep them


class CardLine(Generic[T]):
    """Spots on their way through the three stages.

    Args:
        spots: all of them; places are numbers of these.
        finish: what is made of a solution, on a thread of the pool.
        alone: solves a spot that no group can have.
        rules: see `CardRules`.
        machine: the card.
        pool: threads for what the CPU does.
        tell: told how spots stand.
        interrupt: ends everything, with what there is.
    """

    def __init__(
        self,
        spots: Sequence[Spot],
        finish: Callable[[int, Solution], T],
        alone: Callable[[Spot], Solution],
        rules: CardRules,
        *,
        machine: Machine,
        pool: ThreadPoolExecutor,
        tell: Callable[[Spot, Progress], None],
        interrupt: Interrupt,
    ) -> None:
        self.spots, self.finish, self.alone, self.rules = spots, finish, alone, rules
        self.machine, self.pool, self.tell, self.interrupt = machine, pool, tell, interrupt
        self._card = ThreadPoolExecutor(1)
        self._laying_out = Lock()  # of Python: several threads would only wait for each other
        self._futures: dict[int, Future[T]] = {}
        self._programs: dict[PostflopBetting, list[StreetPrograms]] = {}  # by betting
        self._shapes: dict[PostflopBetting, Shape] = {}  # the last one of each betting

    def begin(self, places: Places) -> dict[int, "Future[T]"]:
        """Send spots of one shape on their way."""
        begun = {place: Future[T]() for place in places}
        self._futures |= begun
        if self.spots[places[0]].locks:
            self._next(self._card, places, self._solve_alone, places[0])
        else:
            self._next(self.pool, places, self._prepare, places)
        return begun

    def close(self) -> None:
        """Wait for what the card is at; nothing new is begun."""
        self._card.shutdown(cancel_futures=True)

    def _next(
        self, stage: ThreadPoolExecutor, places: Places, work: Callable[..., None], *given: object
    ) -> None:
        """Let a stage do something about some spots; what it raises is what they come to."""

        def do() -> None:
            try:
                work(*given)
            except BaseException as error:
                self._fail(places, error)

        stage.submit(do)

    def _fail(self, places: Iterable[int], error: BaseException) -> None:
        for place in places:
            future = self._futures.pop(place, None)
            if future is not None:
                future.set_exception(self._named(place, error))

    def _named(self, place: int, error: BaseException) -> BaseException:
        """What one spot fails of; what is the same for every spot stays as it is."""
        if isinstance(error, DeviceError) or not isinstance(error, PokerSolverError | MemoryError):
            return error
        board, what = self.spots[place].board, str(error) or "out of memory"
        named = SpotError(f"spot {place + 1} ({board}): {what}")
        named.__cause__ = error
        return named

    def _prepare(self, places: Places) -> None:
        """Lay spots out and put them side by side; those that cannot be are told so."""
        began = time.perf_counter()
        key = self.spots[places[0]].betting
        layouts: dict[int, Layout] = {}
        with self._laying_out:
            for place in places:
                shape = self._shapes.get(key)
                try:
                    layouts[place] = lay_out(self.spots[place], shape=shape)
                    self._shapes[key] = layouts[place].shape
                except (PokerSolverError, MemoryError) as error:
                    self._fail([place], error)
        if layouts:
            group = self._group(list(layouts.values()), self._programs.get(key))
            self._programs.setdefault(key, group.streets)
            seconds = (time.perf_counter() - began) / len(layouts)
            prepared = _Prepared(tuple(layouts), group, seconds)
            self._next(self._card, prepared.places, self._solve, prepared)

    def _solve(self, prepared: _Prepared) -> None:
        """On the card; a group that does not fit after all is halved."""
        places, group = prepared.places, prepared.group
        self.machine.count_anew()
        began = time.perf_counter()
        engine = self._engine(group)
        if engine is None:
            middle = len(places) // 2
            for part in (slice(0, middle), slice(middle, None)):
                half = self._group(group.layouts[part], group.streets)
                self._solve(_Prepared(places[part], half, prepared.build_seconds))
            return
        build_seconds = prepared.build_seconds + (time.perf_counter() - began) / len(places)

        def hand_over(reads: list[SpotRead]) -> None:
            record = GroupRecord(
                build_seconds=build_seconds,
                planned_bytes=engine.planned_bytes,
                peak_bytes=self.machine.used_bytes,
                device=self.rules.device,
                threads=self.rules.threads,
                schedule=str(self.rules.schedule),
            )
            some = tuple(places[read.spot] for read in reads)
            self._next(self.pool, some, self._finish, some, reads, record)

        def tell(spot: int, progress: Progress) -> None:
            self.tell(self.spots[places[spot]], progress)

        solver = GroupSolver(engine, hand_over, tell, rivers=self.rules.rivers)
        unit = Unit(self.spots[places[0]].pot)
        solver.solve(replace(self.rules.stop, unit=unit), self.interrupt)

    def _group(self, layouts: Sequence[Layout], programs: list[StreetPrograms] | None) -> SpotGroup:
        is_packed = self.rules.precision == "int16"
        shared = self.machine.shared_bytes
        return group_spots(layouts, shared_bytes=shared, programs=programs, packed=is_packed)

    def _engine(self, group: SpotGroup) -> CudaGroup | None:
        """The group on the card; None if it holds fewer spots only."""
        try:
            rules = self.rules
            machine, precision = self.machine, rules.precision
            return CudaGroup(group, rules.schedule, machine=machine, precision=precision)
        except MemoryPlanError:
            if len(group.layouts) == 1:
                raise
            return None

    def _solve_alone(self, place: int) -> None:
        solution = self.alone(self.spots[place])
        self._next(self.pool, (place,), self._give, place, solution)

    def _finish(self, places: Places, reads: list[SpotRead], record: GroupRecord) -> None:
        for place, read in zip(places, reads, strict=True):
            try:
                solution = replace(read.solution(record), written=self.spots[place])
            except (PokerSolverError, MemoryError) as error:
                self._fail([place], error)
            else:
                self._give(place, solution)

    def _give(self, place: int, solution: Solution) -> None:
        try:
            found = self.finish(place, solution)
        except BaseException as error:
            self._futures.pop(place).set_exception(error)
        else:
            self._futures.pop(place).set_result(found)
