"""Hands that were played, street by street after the flop: each solved with its sizes in the tree.

Ranges before the flop are those of the stored strategy; from there on they follow what was played.
Pot and stacks are those of the hand. A flop is searched on a few turns and rivers that stand for
all: what is played there is worth looking at, its EVs are not; solved on all of them, they are.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.cfr.options import SolveOptions
from poker_solver.fullgame.lines import FullLine
from poker_solver.games.betting import FLOP, PLAYERS
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.node import SolutionNode
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.subgame.config import LEAST_PLAYED, SubgameConfig
from poker_solver.subgame.hand import whole_hand
from poker_solver.subgame.question import LEAST_WEIGHT
from poker_solver.subgame.result import SearchRecord
from poker_solver.subgame.search import ActionValues, Budget, Searcher
from poker_solver.subgame.stored import Blueprint, Stored, warming_games
from poker_solver.trees.betting import BettingTree

F64 = NDArray[np.float64]

GOOD_PCT, PATIENCE = 2.0, (1, 4, 16)
"""What a search should come to, % of the pot, and how many budgets it may have to get there."""

FLOP_TARGET_PCT = 1.0
"""What a flop is solved to, % of its pot."""


@dataclass(frozen=True, eq=False)
class ReplayedDecision:
    """One decision of a hand; A actions."""

    player: int  # BB or SB
    actions: tuple[str, ...]
    strategy: F64  # [A, 1326]
    ev_chips: F64  # [A, 1326] out of the pot as it lies; NaN where it is not known


@dataclass(frozen=True, eq=False)
class ReplayedStreet:
    """A street of a hand, solved where it begins."""

    street: int
    pot_chips: int  # where it begins
    decisions: tuple[ReplayedDecision, ...]  # in the order they were played
    record: SearchRecord
    is_exact: bool  # on all cards that may fall; a flop that was searched is not


class Replay:
    """Solves the streets of hands that were played.

    Args:
        blueprint: the stored strategy whose ranges come to the flop.
        config: how a street is solved; the time budget is for each decision asked about.
        flop_seconds: to solve a flop on all turns and rivers, at most; 0 only searches.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        config: SubgameConfig | None = None,
        flop_seconds: float = 0.0,
    ) -> None:
        self.stored, self.config = Stored(blueprint), config or SubgameConfig()
        self.flop_seconds = flop_seconds
        self._searcher = Searcher(self.config)

    def streets(
        self, stack_chips: int, line: FullLine, seat: int, stopping: Callable[[], bool]
    ) -> Iterator[ReplayedStreet]:
        """Streets after the flop, up to the last on which a seat has acted."""
        rules = self.stored.rules
        assert rules.preflop is not None
        stack = replace(rules.preflop, all_in_chips=stack_chips - rules.preflop.ante_chips)
        hand = whole_hand(replace(rules, preflop=stack), line)
        last = max((p.street for p in hand.streets if _num_decisions(p.states, seat)), default=0)
        stored = self.stored.along(hand)
        reach = stored.flop_ranges
        for street in range(FLOP, last + 1):
            if stopping():
                return
            play = hand.streets[street]
            reach = reach * unblocked(play.cards)
            betting = replace(stored.betting(street), played=play.tokens)
            game = PostflopGame(play.cards, self._weights(reach), betting)
            is_solved = street == FLOP and self.flop_seconds > 0
            if is_solved:
                found, record = self._solve(game, play.tokens)
            else:
                asked = max(_num_decisions(play.states, seat), 1)
                found, record = self._search(game, asked * self.config.time_budget_ms)
            decisions = _decisions(game, play.tokens, found)
            is_whole = is_solved or self._searcher.device_of(game) != "cpu"
            is_exact = street > FLOP or is_whole
            yield ReplayedStreet(street, game.pot, decisions, record, is_exact)
            _follow(reach, game.tree, play.tokens, found)

    def _search(
        self, game: PostflopGame, budget_ms: float
    ) -> tuple[dict[int, ActionValues], SearchRecord]:
        """A street; again with more time where others had it: nobody waits for a card here."""
        for times in PATIENCE:
            ms = times * budget_ms
            budget = Budget(ms, time.perf_counter() + ms / 1000)
            found, record = self._searcher.search_actions(game, budget)
            if record.exploitability_pct <= GOOD_PCT:
                break
        return found, record

    def _solve(
        self, game: PostflopGame, tokens: Sequence[str]
    ) -> tuple[dict[int, ActionValues], SearchRecord]:
        """A flop with all its turns and rivers: the decisions along a line."""
        options = SolveOptions(target=FLOP_TARGET_PCT, max_seconds=self.flop_seconds)
        began, solution = time.perf_counter(), solve_spot(game, options)
        tree, node, found = game.tree, 0, dict[int, ActionValues]()
        for count, token in enumerate(tokens):
            found[node] = _values_at(solution.node(tokens[:count]))
            node = tree.children(node)[tree.actions(node).index(token)]
        ms = 1000 * (time.perf_counter() - began)
        return found, SearchRecord(solution.exploitability_pct, solution.iterations, ms)

    def warm_up(self) -> None:
        """Have compiled all that searches call, which else takes the time of the first ones."""
        self._searcher.warm_up(warming_games(self.stored.solution))

    def _weights(self, reach: F64) -> F64:
        """[2, 1326] every hand that is dealt has some weight, so that it has a strategy too."""
        dealt = self.stored.solution.game.combo_weights
        top = reach.max(axis=1, keepdims=True)
        scaled = np.divide(reach, top, out=np.ones_like(reach), where=top > 0)
        found: F64 = np.maximum(scaled, LEAST_WEIGHT) * dealt
        return found


def _num_decisions(states: tuple[object, ...], seat: int) -> int:
    """Of a seat, among the states of a street; the last is where the street ended."""
    return sum(getattr(state, "actor", -1) == seat for state in states[:-1])


def _values_at(node: SolutionNode) -> ActionValues:
    own, both = node.players[PLAYERS.index(node.player or "")], np.zeros((2, NUM_COMBOS))
    for seat, player in enumerate(node.players):
        both[seat, player.combos] = player.reach
    strategy = np.zeros((len(node.actions), NUM_COMBOS))
    evs = np.full_like(strategy, np.nan)
    strategy[:, own.combos], evs[:, own.combos] = node.strategy, node.ev_actions
    return ActionValues(strategy, evs, both)


def _decisions(
    game: PostflopGame, tokens: Sequence[str], found: dict[int, ActionValues]
) -> tuple[ReplayedDecision, ...]:
    """Those along a line; EVs are left where they rest on answers that were learned."""
    tree, node, decisions = game.tree, 0, list[ReplayedDecision]()
    started = game.weights.sum(axis=1)
    for token in tokens:
        here, actions, evs = found[node], tree.actions(node), found[node].ev_chips.copy()
        for which, child in enumerate(tree.children(node)):
            if not _is_supported(tree, node, child, here.strategy[which], here.reach, started):
                evs[which] = np.nan
        decisions.append(ReplayedDecision(int(tree.actor[node]), actions, here.strategy, evs))
        node = tree.children(node)[actions.index(token)]
    return tuple(decisions)


def _is_supported(
    tree: BettingTree, node: int, child: int, mix: F64, reach: F64, started: F64
) -> bool:
    """Whether an action's EV rests on answers that were learned; where nobody answers, it does."""
    if not _is_answered(tree, child):
        return True
    arrived = reach.sum(axis=1) / started
    if arrived.min() < LEAST_PLAYED:
        return False
    player = int(tree.actor[node])
    share = float(mix @ reach[player] / started[player])
    return share >= LEAST_PLAYED


def _is_answered(tree: BettingTree, node: int) -> bool:
    """Whether anybody acts any more."""
    if tree.is_decision[node]:
        return True
    return any(_is_answered(tree, child) for child in tree.children(node))


def _follow(
    reach: F64, tree: BettingTree, tokens: Sequence[str], found: dict[int, ActionValues]
) -> None:
    """Leave in both ranges what plays so; all of a range where nothing does."""
    node = 0
    for token in tokens:
        which, player = tree.actions(node).index(token), int(tree.actor[node])
        left = reach[player] * found[node].strategy[which]
        if left.any():
            reach[player] = left
        node = tree.children(node)[which]
