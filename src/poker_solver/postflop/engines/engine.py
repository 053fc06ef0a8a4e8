"""What postflop engines have in common; imports no compiler, which a GPU does not need."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.equity import range_equity
from poker_solver.cfr.engine import Engine, check_arrays
from poker_solver.cfr.schedules import Schedule, as_schedule
from poker_solver.errors import InputError, NumericsError, ScheduleError
from poker_solver.kernels.arrays import F64
from poker_solver.kernels.gadget import NOBODY, Gadget, no_gadget
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.game import MOST_BLOCKED
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.store.files import Arrays

Float = NDArray[np.float32]
Totals = NDArray[np.float64]  # one number for each spot

POSTFLOP = Schedule(1.35, 0.25, 4)
"""What gets furthest on rivers, turns and flops, see docs/decisions/0007-postflop-schedule.md."""

ROUNDING = 4e-6 * MOST_BLOCKED
"""Of a stake, by which float32 may miss an EV; see there."""

QUICK_ELEMENTS = 1_000_000
"""So many are gone over in a millisecond or two: no need to look at the clock before."""


def postflop_schedule(schedule: Schedule | str | None) -> Schedule:
    """A schedule by value or by name, `POSTFLOP` if none is given; the engines do not predict."""
    chosen = POSTFLOP if schedule is None else as_schedule(schedule)
    if chosen.prediction:
        raise ScheduleError(
            f"schedule {chosen} predicts regrets, postflop solves do not; take cfr, cfr+, lcfr, "
            "dcfr or dcfr:ALPHA,BETA,GAMMA"
        )
    return chosen


def next_check(iteration: int) -> int:
    """When to measure next: a measurement costs an iteration, so every 10th, later every 25th."""
    return iteration + min(max(10, iteration // 10), 25)


class BatchEngine(Engine, Protocol):
    """F spots of one betting shape that iterate together.

    Reach and values at the root are [F, H] in the order of each layout's `combos`; H is the most
    hands that any of the spots has, and what a row has beyond its own is 0.
    """

    @property
    def layouts(self) -> Sequence[Layout]:
        """[F] the spots."""

    def step(self) -> tuple[Float, Float]:
        """One iteration; [F, H] cfv of OOP's and IP's hands at the root.

        OOP's are against the policy that IP had before, IP's against the one that OOP has now.
        """

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """Give a player [F, H] other ranges over the same hands; what was learned stays.

        Boards that stand for others by a renaming of suits do so for ranges that it leaves as they
        are: others are refused.
        """


class SpotEngine(ABC):
    """A `BatchEngine` of one spot, F = 1, from passes over its state."""

    layout: Layout
    schedule: Schedule
    precision: str  # of regrets
    iteration: int
    has_first_sums = False  # whether `first_sums` spares reading the others
    threads = 0  # of the CPU that passes run on; 0 where a device runs them
    gadget: Gadget = no_gadget()
    """Who may take something else than to play at the root; some engines know none."""
    planned_bytes: int
    """What the solve was said to take before anything was allocated."""

    @property
    def layouts(self) -> Sequence[Layout]:
        """The one spot."""
        return (self.layout,)

    @property
    @abstractmethod
    def used_bytes(self) -> int:
        """Memory that is taken: of this process, or the most on the device that has the state."""

    @property
    def regret(self) -> NDArray[Any]:
        """[elements] cumulative, in the order of the layout; a copy where a device has them."""
        return self._read("regret")

    @property
    def policy_sum(self) -> Float:
        """[elements] likewise."""
        return self._read("policy_sum")

    @property
    def scale(self) -> Float:
        """[scales] of regrets of 16 bits, likewise."""
        return self._read("scale")

    @property
    def first_step(self) -> int:
        """Iterations that need no look at the clock before."""
        return max(1, QUICK_ELEMENTS // self.layout.num_elements)

    next_check = staticmethod(next_check)

    def prepare(self) -> None:
        """Run a pass that changes nothing: what is not compiled yet will be."""
        self.run_pass(0, MEAN, np.zeros(3, np.float32))

    @abstractmethod
    def train(self, iterations: int) -> None:
        """Run some more iterations, player 0 first."""

    @abstractmethod
    def run_pass(self, player: int, mode: int, weights: Float) -> Float:
        """[H] cfv of the player's hands at the root."""

    @abstractmethod
    def best_response(self, player: int) -> tuple[Float, Float]:
        """Against the opponent's average strategy: [H] cfv at the root, [elements] what is played.

        Only the player's decisions are filled in: 1 at an action, all 0 where all are as good.
        """

    @abstractmethod
    def _read(self, name: str) -> NDArray[Any]:
        """The state's `regret`, `scale` or `policy_sum`."""

    @abstractmethod
    def _write(self, name: str, values: NDArray[Any]) -> None:
        """Copy `regret`, `scale` or `policy_sum` into the state."""

    @abstractmethod
    def _put_reach(self, player: int, reach: NDArray[np.floating[Any]]) -> None:
        """Copy [H] a player's range to where passes read it."""

    @abstractmethod
    def _restore_locks(self) -> None:
        """Set the state of all locked hands to their probabilities."""

    def step(self) -> tuple[Float, Float]:
        """One iteration; [1, H] cfv of OOP's and IP's hands at the root; see `BatchEngine`."""
        row = self.schedule.table(self.iteration + 1, 1)[0].astype(np.float32)
        oop, ip = (self.run_pass(player, LEARN, row)[None] for player in (0, 1))
        self.iteration += 1
        return oop, ip

    def set_reach(self, player: int, weights: NDArray[np.floating[Any]]) -> None:
        """Give a player [1, H] another range over the same hands; see `BatchEngine`."""
        (row,) = filled_rows(self.layouts, player, weights)
        self.layout = with_reach(self.layout, player, row)
        self._put_reach(player, row)

    def enter_average(self) -> None:
        """Have whoever may take play as often as on average: nothing more is learned."""
        assert self.gadget.player == NOBODY, "this engine knows no gadget"

    def root_reach(self, player: int) -> F64:
        """[H] a player's hands at the root, as passes see them now."""
        return self.layout.reach[player].astype(np.float64)

    def measure(self) -> Totals:
        """[1] mean gain of the two best responses over the average strategies.

        Where a player may take, he also gains by that.
        """
        if self.gadget.player == NOBODY:
            return sound_gain(mean_gain(self._total, self.layout.has_rake), self.layouts)
        gain = sum(self.gadget_totals(BEST))
        if self.layout.has_rake:
            gain -= sum(self.gadget_totals(MEAN))
        return np.array([gain / 2])

    def gadget_totals(self, mode: int) -> tuple[float, float]:
        """What whoever may take gets per deal, and his opponent, with averages or by the best."""
        gadget, player = self.gadget, self.gadget.player
        other, none = 1 - player, np.zeros(3, np.float32)
        dealt, take = (
            row.astype(np.float64) for row in (gadget.forced + gadget.choice, gadget.take)
        )
        now = self.root_reach(player)
        self.enter_average()
        played = self.root_reach(player)
        own, theirs = (self.run_pass(p, mode, none).astype(np.float64) for p in (player, other))
        self._put_reach(player, now)
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

    def values(self) -> Totals:
        """[2, 1] expected share of the pot with both average strategies."""
        return np.stack([self._total(player, MEAN) for player in (0, 1)]) + self.layout.game.pot / 2

    def _total(self, player: int, mode: int) -> Totals:
        cfv = self.run_pass(player, mode, np.zeros(3, np.float32)).astype(np.float64)
        return np.array([(cfv * self.layout.reach[player]).sum() / self.layout.num_pairs])

    @property
    def equity(self) -> tuple[float, float]:
        """Shares of the pot if all hands of the spot's ranges were shown."""
        game = self.layout.game
        oop, ip = range_equity(game.weights[0], game.weights[1], game.cards).players
        return oop.equity, ip.equity

    def stored(self) -> Arrays:
        """Regrets and sums; those of the CPU are the engine's own."""
        arrays = {"regret": self.regret, "policy_sum": self.policy_sum}
        return arrays if self.precision == "float32" else {**arrays, "scale": self.scale}

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Go on from this state, copied, as if so many iterations were done.

        The schedule fades by it: after 0 the state has no weight at all. Sums of 0 begin a new
        average.
        """
        sizes = state_sizes(self.layouts, self.precision)
        check_arrays(arrays, {name: tuple(counts) for name, counts in sizes.items()})
        for name in sizes:
            given, want = arrays[name], self.precision if name == "regret" else "float32"
            if given.dtype != np.dtype(want):
                raise InputError(f"array {name} has dtype {given.dtype}, wants {want}")
            self._write(name, np.ascontiguousarray(given))
        self.iteration = iteration
        self._restore_locks()

    def set_locks(self, layout: Layout) -> None:
        """Go on with other locks: a layout of the same tree, hands and boards."""
        self.layout = layout
        self._restore_locks()

    @property
    def street_sums(self) -> Float:
        """[elements] the sums of the spot's own street, which come first; later ones may follow."""
        return self.policy_sum

    @property
    def first_sums(self) -> Float:
        """[A, H] the sums of the first decision."""
        first: Float = state_rows(self.layout, self.street_sums, 0, 0, 1)[0]
        return first


def state_sizes(layouts: Sequence[Layout], precision: str) -> dict[str, list[int]]:
    """How many numbers each spot has in each array of the state, in the order to write them.

    Regrets may be kept as what they come to with their scale, which therefore comes first.
    """
    elements = [layout.num_elements for layout in layouts]
    sizes = {"regret": elements, "policy_sum": elements}
    scales = [layout.shape.offsets.num_scales for layout in layouts]
    return sizes if precision == "float32" else {"scale": scales, **sizes}


def rows_of(cfv: Sequence[Float]) -> Float:
    """[F, H] from [H] of each spot, filled up with 0."""
    rows = np.zeros((len(cfv), max(map(len, cfv))), np.float32)
    for row, own in zip(rows, cfv, strict=True):
        row[: len(own)] = own
    return rows


def filled_rows(
    layouts: Sequence[Layout], player: int, weights: NDArray[np.floating[Any]]
) -> list[NDArray[np.floating[Any]]]:
    """[H] of each spot from [F, H]; what a row has beyond its own hands must be 0."""
    hands = [len(layout.reach[player]) for layout in layouts]
    if weights.shape != (want := (len(layouts), max(hands))):
        raise InputError(f"weights have shape {weights.shape}, this player's hands {want}")
    if any(row[count:].any() for row, count in zip(weights, hands, strict=True)):
        raise InputError("weights beyond a spot's hands must be 0")
    return [row[:count] for row, count in zip(weights, hands, strict=True)]


def mean_gain(total: Callable[[int, int], Totals], has_rake: bool) -> Totals:
    """[F] exploitability from what a player earns in a mode."""
    gain = [total(player, BEST) for player in (0, 1)]
    if has_rake:
        gain = [best - total(player, MEAN) for player, best in enumerate(gain)]
    return (gain[0] + gain[1]) / 2


def sound_gain(gain: Totals, layouts: Sequence[Layout]) -> Totals:
    """[F] the same, 0 where rounding has taken it below; further below, or no number, is refused.

    What rounding can do is derived at `MOST_BLOCKED`. Ranges that `set_reach` brought may block
    each other more, and are let pass: whoever brings them divides by more than their own pairs.
    """
    for chips, layout in zip(gain.tolist(), layouts, strict=True):
        game = layout.game
        least = -ROUNDING * (game.pot / 2 + game.stack)
        if not isfinite(chips) or (chips < least and layout.has_own_reach):
            raise NumericsError(
                f"exploitability came out as {chips:g} chips on {game.board}, which cannot be: "
                "these ranges or this state hold numbers that cannot be solved with"
            )
    return np.where(gain < 0, 0.0, gain)


def with_reach(layout: Layout, player: int, weights: NDArray[np.floating[Any]]) -> Layout:
    """The layout with other weights of a player's hands; see `BatchEngine.set_reach`."""
    reach, moved = np.asarray(weights, np.float32), layout.ranked.moved[player]
    if not np.isfinite(reach).all() or (reach < 0).any():
        raise InputError("weights must be finite and not negative")
    if not (reach[moved[:, : len(reach)]] == reach).all():
        raise InputError(
            "suits that this layout takes for equal have different weights; lay the spot out "
            "with symmetries=[(0, 1, 2, 3)]"
        )
    both = (reach, layout.reach[1]) if player == 0 else (layout.reach[0], reach)
    return replace(layout, reach=both, has_own_reach=False)
