"""A full game's solver beside the generic engine: its strategies as the oracle reads them.

The lines of a trunk can be run in float64 by the reference kernels instead of an engine, so that
nothing but the trunk itself, classes, measures and preflop, stands between a strategy and its
worth.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import phevaluator
from numpy.typing import NDArray

from poker_solver.cards import (
    COMBO_CARDS,
    COMBO_CLASS,
    NUM_CARDS,
    NUM_CLASSES,
    cards_from_string,
    combo_from_string,
    parse_hand,
)
from poker_solver.cards.flops import FlopSet
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.cfr.generic.best_response import best_response_value, game_value
from poker_solver.cfr.schedules import Schedule, as_schedule
from poker_solver.fullgame.game import FLOPS_FOR_TWO_HANDS, FullGame, full_game
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.trunk import Preflop, Trunk, Worth
from poker_solver.games.betting import BettingRules
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.classes import ClassEngine, class_index
from poker_solver.postflop.layout.layout import Layout
from poker_solver.trees.compiled import CompiledGame, normalized_policy
from poker_solver.trees.runouts import RIVERS_LEFT, TURNS_LEFT
from tests.support.postflop_oracle import Oracle
from tests.support.postflop_pass import run_pass
from tests.support.postflop_states import places, symmetrise
from tests.support.subset_game import SubsetGame, read_key

F64 = NDArray[np.float64]
Int = NDArray[np.integer[Any]]
Chooser = Callable[[tuple[str, ...], Int], F64]
"""[A, H], or [A, 1], how often hands of these [H] classes take each of these actions."""

Showdown = dict[tuple[int, int], int]
"""Two combos -> 1 if the first wins, -1 if it loses."""

SCHEDULE = as_schedule("dcfr:1.5,0.5,3")


class ExactSpots:
    """A `ClassEngine` in float64, by the reference kernels; slow."""

    def __init__(self, layouts: Sequence[Layout], classes: NDArray[np.int32]) -> None:
        # a float32's 1/45 is off by 2e-8 of itself
        shares: dict[str, Any] = {"turn_share": 1 / TURNS_LEFT, "river_share": 1 / RIVERS_LEFT}
        self.layouts = [replace(one, boards=one.boards._replace(**shares)) for one in layouts]
        self.regret = [np.zeros(layout.num_elements) for layout in layouts]
        self.policy_sum = [np.zeros(layout.num_elements) for layout in layouts]
        self._class_of, self._num_classes = class_index(layouts, classes), len(classes)

    def set_reach(self, player: int, reach: F64) -> None:
        """See `ClassEngine`."""
        for spot, class_of in enumerate(self._class_of[player]):
            both: list[Any] = [*self.layouts[spot].reach]
            both[player] = reach[class_of]
            self.layouts[spot] = replace(self.layouts[spot], reach=(both[0], both[1]))

    def run_pass(self, player: int, mode: int, weights: NDArray[np.float32]) -> F64:
        """See `ClassEngine`."""
        found = []
        for spot, class_of in enumerate(self._class_of[player]):
            state = self.regret[spot], self.policy_sum[spot]
            after = run_pass(self.layouts[spot], player, mode, Weights(*weights.tolist()), *state)
            if mode == LEARN:
                self.regret[spot], self.policy_sum[spot] = after.regret, after.policy_sum
            found.append(np.bincount(class_of, after.cfv, self._num_classes))
        return np.stack(found)


def game_of(rules: BettingRules, hands: Sequence[str]) -> FullGame:
    """The full game of some classes by their short names: `AK` is suited."""
    return full_game(rules, [parse_hand(hand)[0] for hand in hands])


def open_trunk(
    game: FullGame, flops: FlopSet, *, threads: int = 1, schedule: Schedule = SCHEDULE
) -> Trunk:
    """A trunk on the CPU."""
    lines = LineEngines(game, schedule, Machine(threads=threads))
    engines = [opening() for opening in lines.prepare(flops.flops)]
    return Trunk(Preflop(game, schedule), flops, engines, schedule)


def exact(trunk: Trunk) -> Trunk:
    """The same strategies and regrets before the flop and after it, in float64 from here on."""
    engines: list[ClassEngine] = []
    for engine in trunk.engines:
        spots = ExactSpots(engine.layouts, trunk.game.classes)
        sizes = np.cumsum([layout.num_elements for layout in engine.layouts])[:-1]
        stored = engine.stored()
        spots.regret = np.split(stored["regret"].astype(np.float64), sizes)
        spots.policy_sum = np.split(stored["policy_sum"].astype(np.float64), sizes)
        engines.append(spots)  # type: ignore[arg-type]
    return Trunk(trunk.before, trunk.flops, engines, trunk.schedule)


def make_symmetric(trunk: Trunk) -> None:
    """Let hands that are one up to suits do the same, which rounding alone keeps them from."""
    for engine in trunk.engines:
        stored = {name: array.copy() for name, array in engine.stored().items()}
        begin = 0
        for layout in engine.layouts:
            end = begin + layout.num_elements
            oracle = Oracle(layout.game)  # type: ignore[arg-type]
            state = SimpleNamespace(
                regret=stored["regret"][begin:end], policy_sum=stored["policy_sum"][begin:end]
            )
            symmetrise(state, oracle, places(layout, oracle))  # type: ignore[arg-type]
            begin = end
        engine.restore(stored, trunk.iteration)
    measure_again(trunk)


def measure_again(trunk: Trunk) -> None:
    """Have a trunk forget what its strategies were worth: they were changed from outside."""
    trunk.restore(trunk.stored(), trunk.iteration)


class Reader:
    """Finds what a trunk has at every information set of the same game by the readable rules."""

    def __init__(self, trunk: Trunk, compiled: CompiledGame) -> None:
        self.trunk, self.compiled = trunk, compiled
        self._begin = self._starts()
        self._locate, self._index = cache(self._find), cache(self._places)
        self.source = np.concatenate([self._row(i) for i in range(compiled.num_info_sets)])

    def policy(self) -> F64:
        """[Q] the average strategy."""
        return normalized_policy(self.compiled, self.read("policy_sum"))

    def read(self, name: str) -> F64:
        """[Q] `regret` or `policy_sum`, each in the unit of where it is kept."""
        found: F64 = self._flat(name)[self.source]
        return found

    def read_regret(self) -> F64:
        """[Q] regrets in bb per deal."""
        unit = [np.ones(self.trunk.preflop.state.regret.size)]
        for engine in self.trunk.engines:
            chips = self.trunk.game.measure(self.trunk.flops)
            unit += [
                np.full(one.num_elements, chip)
                for one, chip in zip(engine.layouts, chips, strict=True)
            ]
        found: F64 = (np.concatenate(unit) * self._flat("regret"))[self.source]
        return found

    def _flat(self, name: str) -> F64:
        """Preflop's numbers, then those of every line on every flop."""
        parts = [self.trunk.preflop.stored()[name].ravel()]
        for engine in self.trunk.engines:
            if isinstance(engine, ExactSpots):
                parts += getattr(engine, name)
            else:
                parts.append(engine.stored()[name].astype(np.float64))
        return np.concatenate(parts)

    def _starts(self) -> list[list[int]]:
        """[K][F] where the numbers of each line and flop begin."""
        found, begin = [], self.trunk.preflop.state.regret.size
        for engine in self.trunk.engines:
            sizes = [layout.num_elements for layout in engine.layouts]
            found.append([begin + sum(sizes[:k]) for k in range(len(sizes))])
            begin += sum(sizes)
        return found

    def _row(self, i: int) -> NDArray[np.int64]:
        """[A] where the numbers of an information set stand."""
        said, game = read_key(self.compiled.keys[i]), self.trunk.game
        if not said.postflop:
            node = game.tree.node_at(said.preflop)
            actions, num = game.tree.actions(node), game.num_classes
            column = game.deal.classes.index(parse_hand(said.hand)[0])
            row = np.array(game.tree.children(node)) * num + column
        else:
            line, flop, node, begin, way = self._locate(said.preflop, said.postflop)
            layout = self.trunk.engines[line].layouts[flop]
            actions = layout.tree.actions(node)
            place = self._index(line, flop, said.player, way)[combo_from_string(said.hand)]
            row = begin + place + layout.width[said.player] * np.arange(len(actions))
        assert actions == self.compiled.actions[i]
        return row

    def _find(
        self, preflop: tuple[str, ...], postflop: tuple[str, ...]
    ) -> tuple[int, int, int, int, Permutation]:
        """Line, flop and node of a decision, where its numbers begin, how suits are renamed."""
        line = [one.history for one in self.trunk.game.lines].index(preflop)
        flop = self.trunk.flops.flops.index(postflop[0])
        layout = self.trunk.engines[line].layouts[flop]
        node, dealt = layout.tree.walk(postflop[1:], layout.game.cards)
        board, way = layout.runouts.locate(dealt)
        begin = self._begin[line][flop] + layout.offset[node] + board * layout.stride[node]
        return line, flop, node, int(begin), way

    def _places(self, line: int, flop: int, player: int, way: Permutation) -> NDArray[np.int64]:
        """[1326] where each real combo stands in a row; -1 where it does not."""
        place = np.full(len(COMBO_CLASS), -1)
        combos = self.trunk.engines[line].layouts[flop].combos[player]
        place[combos] = np.arange(len(combos))
        return place[combo_permutation(way)]


def subset_game(trunk: Trunk) -> SubsetGame:
    """The same game by the readable rules."""
    classes = [int(one) for one in trunk.game.deal.classes]
    return SubsetGame(trunk.game.rules, classes, trunk.flops)


def randomise(trunk: Trunk, rng: np.random.Generator) -> None:
    """Regrets of any sign and any strategies at all, some actions never played."""

    def draw(like: NDArray[np.floating]) -> dict[str, NDArray[np.floating]]:
        size, dtype = like.shape, like.dtype
        sums = rng.exponential(size=size) * (rng.random(size) > 0.2)
        return {"regret": rng.normal(size=size).astype(dtype), "policy_sum": sums.astype(dtype)}

    state = trunk.preflop.stored()
    for name, drawn in draw(state["regret"]).items():
        state[name][:] = drawn
    for engine in trunk.engines:
        engine.restore(draw(engine.stored()["regret"]), trunk.iteration)
    make_symmetric(trunk)


def play(trunk: Trunk, player: int, choose: Chooser, name: str = "policy_sum") -> None:
    """Let what a player's average strategy, or `regret`, says be as it is chosen, everywhere."""
    tree, array = trunk.game.tree, trunk.preflop.stored()[name]
    for node in np.flatnonzero(tree.actor == player).tolist():
        array[[*tree.children(node)]] = choose(tree.actions(node), trunk.game.classes)
    for engine in trunk.engines:
        stored = {name: array.copy() for name, array in engine.stored().items()}
        sizes = np.cumsum([layout.num_elements for layout in engine.layouts])[:-1]
        for layout, own in zip(engine.layouts, np.split(stored[name], sizes), strict=True):
            _play_after_flop(layout, player, choose, own)
        engine.restore(stored, trunk.iteration)
    measure_again(trunk)


def _play_after_flop(layout: Layout, player: int, choose: Chooser, out: NDArray[Any]) -> None:
    width, combos = layout.width[player], layout.combos[player]
    classes = np.pad(COMBO_CLASS[combos], (0, width - len(combos)))
    for node in np.flatnonzero(layout.tree.actor == player).tolist():
        actions, size = layout.tree.actions(node), out.itemsize
        num_boards = layout.runouts.num_boards[layout.tree.street[node]]
        rows = np.lib.stride_tricks.as_strided(
            out[layout.offset[node] :],
            (num_boards, len(actions), width),
            (int(layout.stride[node]) * size, width * size, size),
        )
        for board in range(num_boards):
            rows[board] = choose(actions, classes)


def always(letters: str) -> Chooser:
    """The action that begins with the first of these letters that any does."""

    def choose(actions: tuple[str, ...], classes: Int) -> F64:
        first = next(letter for letter in letters if any(a[0] == letter for a in actions))
        return np.array([[float(action[0] == first)] for action in actions])

    return choose


def anything(rng: np.random.Generator) -> Chooser:
    """Something else with each hand on each board."""
    return lambda actions, classes: rng.exponential(size=(len(actions), len(classes)))


def by_class(rng: np.random.Generator) -> Chooser:
    """Something else with each class; the same at all decisions between as many actions."""
    known: dict[int, F64] = {}

    def choose(actions: tuple[str, ...], classes: Int) -> F64:
        drawn = known.setdefault(len(actions), rng.exponential(size=(len(actions), NUM_CLASSES)))
        return drawn[:, classes]

    return choose


def showdowns(game: FullGame, flops: FlopSet) -> Iterator[tuple[float, Showdown]]:
    """Every river of these flops by an evaluator of its own, with the measure of each."""
    cards = {c: {*COMBO_CARDS[c].tolist()} for c in np.flatnonzero(game.combo_weights).tolist()}
    for text, weight in zip(flops.flops, flops.weights, strict=True):
        flop = {*cards_from_string(text)}
        for runout in combinations({*range(NUM_CARDS)} - flop, 2):
            board = flop | {*runout}
            rank = {
                c: phevaluator.evaluate_cards(*board, *held)
                for c, held in cards.items()
                if not held & board
            }
            yield (
                weight / FLOPS_FOR_TWO_HANDS / 990,
                {
                    (mine, other): (rank[mine] < rank[other]) - (rank[mine] > rank[other])
                    for mine, other in permutations(rank, 2)
                    if not cards[mine] & cards[other]
                },
            )


def showdown_edges(game: FullGame, flops: FlopSet) -> F64:
    """[C, C] how much more often row wins than column, checked down on these flops."""
    index = {c: k for k, c in enumerate(game.deal.classes)}
    won = np.zeros((game.num_classes, game.num_classes))
    for measure, outcome in showdowns(game, flops):
        for (mine, other), sign in outcome.items():
            won[index[int(COMBO_CLASS[mine])], index[int(COMBO_CLASS[other])]] += measure * sign
    return won


def worth_by_the_rules(compiled: CompiledGame, policy: F64) -> Worth:
    """What a strategy and best responses to it are worth, by the generic engine."""
    value = game_value(compiled, policy)
    first, second = (best_response_value(compiled, policy, player) for player in (0, 1))
    return Worth((first, second), (value, -value))


def largest_gap(one: Worth, other: Worth) -> float:
    """In bb, of four numbers."""
    return float(np.abs(np.array(one) - np.array(other)).max())
