"""A tree that was built or loaded: what both players play in it now, what is fixed, its solver.

A strategy that is set, or a node that is locked, makes a game in which fewer suits are alike:
strategies are carried over when they are next asked for, and a solve begins anew.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import unblocked
from poker_solver.cards.isomorphism import Permutation
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.games.betting import PLAYERS, RIVER
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solution.strategy import HostStrategy
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.protocols.upi.ids import NodeIds, RealNode
from poker_solver.protocols.upi.numbers import Float, strategy_at
from poker_solver.runtime.device import num_threads
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import LockedNode, lock_symmetries

if TYPE_CHECKING:
    from poker_solver.postflop.engines.engine import SpotEngine


class Results(NamedTuple):
    """What both strategies are worth, in chips; pairs are of OOP and IP."""

    ev: tuple[float, float]
    mes: tuple[float, float]  # EV of the maximally exploitive strategy: a best response
    exploitable: float  # mean of what both could gain


@dataclass(frozen=True)
class Hardware:
    """What solves."""

    device: str = "auto"
    threads: int | None = None


@dataclass(eq=False)
class Tree:
    """See the module."""

    written: Spot | None  # the game as a spot, where it has been written without locks
    first: PostflopGame  # the game as it was built or loaded
    hardware: Hardware
    put_in: int = 0  # chips of each player before the tree begins
    solver: PostflopSolver | None = None  # of the solution; None where it must begin anew
    locks: dict[RealNode, LockedNode] = field(default_factory=dict)
    edits: dict[RealNode, Float] = field(default_factory=dict)  # [A, 1326] strategies that were set
    _solution: Solution | None = None  # what both play; the solver's where it is None
    _engine: "SpotEngine | None" = None  # plays the solution's strategies
    _is_laid: bool = True  # whether the solution plays all locks and edits
    _alike: list[Permutation] | None = None  # renamings of suits that the solution allows

    @classmethod
    def build(cls, spot: Spot, hardware: Hardware, put_in: int) -> "Tree":
        """A tree in which nothing is learned yet: everybody plays all actions alike."""
        solver = PostflopSolver(spot, device=hardware.device, threads=hardware.threads)
        return cls(spot, solver.plan.game, hardware, put_in, solver, _engine=solver.engine)

    @classmethod
    def load(cls, path: Path, hardware: Hardware) -> "Tree":
        """A solution that was saved, whole or without rivers."""
        solution = Solution.load(path)
        locks = {RealNode(lock.node, lock.dealt): lock for lock in solution.game.locks}
        spot = solution.written if solution.written and not solution.written.locks else None
        return cls(spot, solution.game, hardware, locks=locks, _solution=solution)

    @property
    def game(self) -> PostflopGame:
        """What is solved, with its locks."""
        return replace(self.first, locks=tuple(self.locks.values()))

    @property
    def betting(self) -> BettingTree:
        """What can be played."""
        return self.first.tree

    @property
    def solution(self) -> Solution:
        """What both play, before what was set or locked last."""
        if self._solution is None:
            assert self.solver is not None
            self._solution = self.solver.solution(copy=False)  # measures, which takes a while
        return self._solution

    @property
    def ids(self) -> NodeIds:
        """Names of nodes."""
        return NodeIds(self.betting, self.first.cards, self.put_in)

    def now(self) -> Solution:
        """What both play, with all that was set and locked."""
        if not self._is_laid:
            self._lay()
        return self.solution

    def dump(self, path: Path, *, rivers: bool) -> None:
        """Write what both play, with what that is worth."""
        solution = self.now()
        has_rivers = solution.strategy.weights is not None
        if self.solver is None and has_rivers:  # what was set since may be worth something else
            found = self.results()
            record = replace(
                solution.record,
                ev_chips=found.ev,
                exploitability_chips=found.exploitable,
                curve=(),
            )
            solution = replace(solution, record=record)
        is_whole = rivers or self.betting.first_street == RIVER
        solution.save(path, rivers=is_whole and has_rivers)

    def results(self) -> Results:
        """EVs, best responses and their mean gain, measured now."""
        solution = self.now()
        if self._engine is None:
            if solution.strategy.weights is None:
                raise InputError(
                    "rivers were not saved, so nothing can be measured; go solves them"
                )
            from poker_solver.postflop.solve.exploit import engine_that_plays  # a compiler

            threads = num_threads(self.hardware.threads)
            self._engine = engine_that_plays(solution.layout, solution, threads)
        return results_of(self._engine)

    def took(self, solver: PostflopSolver, solution: Solution | None = None) -> None:
        """Play what a solver has found so far, its solution if it is known already."""
        self.solver, self._engine, self._solution = solver, solver.engine, solution
        self.edits, self._is_laid, self._alike = {}, True, None

    def solver_to_go_on(self) -> PostflopSolver:
        """The solver of the tree as it is: that of the solution, or one that begins anew."""
        if self.solver is None:
            spot = self.game if self.locks or self.written is None else self.written
            hardware = self.hardware
            return PostflopSolver(spot, device=hardware.device, threads=hardware.threads)
        return self.solver

    def set_strategy(self, place: RealNode, policy: Float) -> None:
        """Play [A, 1326] at a node until the next solve; in all solves to come if it is locked."""
        self.edits[place] = policy
        self._changed()
        if place in self.locks:
            self.lock(place, self.locks[place].hands)

    def lock(self, place: RealNode, hands: NDArray[np.bool_] | None = None) -> None:
        """Hold what is played at a node in all solves to come, for all hands or [1326] some."""
        policy = self.edits.get(place)
        if policy is None:
            policy = strategy_at(self.now(), place)
        held = self.held(place) if hands is None else self.held(place) & hands
        if not held.any():
            raise InputError(f"no hand at {self.ids.name(place)} to lock")
        name = self.ids.name(place)
        self.locks[place] = LockedNode(name, *place, hands=held, policy=policy * held)
        self._changed()

    def unlock(self, place: RealNode) -> None:
        """Let a node learn again."""
        if self.locks.pop(place, None) is None:
            raise InputError(f"{self.ids.name(place)} is not locked")
        self._changed()

    def play(self, solution: Solution) -> None:
        """Play another solution of the same game; the next solve begins anew."""
        self._solution, self.solver, self._engine = solution, None, None
        self.edits, self._is_laid = {}, True

    def held(self, place: RealNode) -> NDArray[np.bool_]:
        """[1326] hands that the player to act may hold."""
        weights = self.first.weights[self.betting.actor[place.node]]
        held: NDArray[np.bool_] = (weights > 0) & unblocked(place.dealt)
        return held

    def _changed(self) -> None:
        self._solution = self.solution
        self.solver, self._engine, self._is_laid = None, None, False

    def _lay(self) -> None:
        """Carry the strategies over to a layout in which only suits are alike that still are."""
        from poker_solver.postflop.solve.exploit import engine_that_plays  # a compiler

        game = self.game
        fixed = [*self.locks.values()]
        for place, policy in self.edits.items():
            fixed.append(LockedNode("", *place, hands=self.held(place), policy=policy))
        alike = lock_symmetries(game.cards, game.weights, fixed)
        if self._alike is not None:  # what was set once stays in the strategies
            alike = [way for way in alike if way in self._alike]
        self._alike, layout = alike, lay_out(game, symmetries=alike)
        threads = num_threads(self.hardware.threads)
        engine = engine_that_plays(layout, self.solution, threads)
        written = None if self.locks else self.written
        laid = Solution(HostStrategy(layout, engine.policy_sum), self.solution.record, written)
        for place, policy in self.edits.items():
            write_strategy(laid, place, policy)
        self._solution, self._engine, self._is_laid = laid, engine, True


def write_strategy(solution: Solution, place: RealNode, policy: Float) -> None:
    """Lay [A, 1326] probabilities over what is played at a node, where a hand has any."""
    layout, ranges = solution.layout, solution.values.ranges
    player = int(layout.tree.actor[place.node])
    board, renaming = layout.runouts.locate(place.dealt)
    own = policy[:, layout.combos[player]]  # [A, H]
    given = own.sum(axis=0) > 0
    rows = state_rows(layout, solution.weights, place.node, board, board + 1)[0]
    rows[:, ranges.moved(player, renaming)[given]] = own[:, given]


def results_of(engine: "SpotEngine", ev: tuple[float, float] | None = None) -> Results:
    """What an engine's averages are worth; the EVs may be known."""
    layout, pot = engine.layout, engine.layout.game.pot

    def best(player: int) -> float:
        cfv = engine.run_pass(player, BEST, np.zeros(3, np.float32)).astype(np.float64)
        return float((cfv * layout.reach[player]).sum() / layout.num_pairs) + pot / 2

    oop, ip = engine.values()[:, 0].tolist() if ev is None else ev
    mes = best(0), best(1)
    gain = (mes[0] + mes[1] - (oop + ip if layout.has_rake else pot)) / 2
    return Results((oop, ip), mes, gain)


def exploiting(tree: Tree, player: int) -> Solution:
    """What both play if one player takes his best response."""
    from poker_solver.postflop.solve.exploit import max_exploit  # a compiler

    return max_exploit(tree.now(), PLAYERS[player], threads=tree.hardware.threads).solution


def as_shares(policy: Float, before: Float, held: NDArray[np.bool_]) -> Float:
    """[A, 1326] given weights as probabilities; hands that were given none keep what they had."""
    total = policy.sum(axis=0)
    mixed: Float = np.divide(policy, total, out=before.copy(), where=total > 0)
    return mixed * held
