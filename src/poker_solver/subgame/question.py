"""One question on its way to an answer: the hand is followed street by street."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.translation import RealChips, probability_of_smaller
from poker_solver.cards import NUM_COMBOS, cards_to_string, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.games.betting import FLOP, PREFLOP, RIVER
from poker_solver.postflop.game import PostflopGame
from poker_solver.subgame.alternatives import stored_values
from poker_solver.subgame.answer import STORED, SubgameAnswer
from poker_solver.subgame.hand import Hand
from poker_solver.subgame.result import SolvedStreet
from poker_solver.subgame.search import Budget, Take
from poker_solver.subgame.stored import real_actions, summed
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import LockedNode

if TYPE_CHECKING:
    from poker_solver.subgame.solver import KeptStreet, SubgameSolver

F64 = NDArray[np.float64]
Public = tuple[str, ...]  # all tokens to where a search begins

LEAST_WEIGHT = 1e-5
"""Of the largest: what a hand that never comes weighs, so that it has a strategy too."""
_POOR_PCT = 5.0
"""Of the pot: a street that a search leaves more exploitable is played as it is stored, if it is;
a bucketed blueprint has 3 to 19 there, see docs/lab/subgame.md."""
_SEARCHING = 0.93
"""Of the budget: what is left is for the answer, and for what else the machine may do."""
_EARLIER_SHARE = 0.25
"""Of the budget, for each street before the last one where nobody had asked about it."""
_BEFORE_BET = 2 / 3
"""Of what is left: the street before a bet that it does not have; what follows it is smaller."""


class Question:
    """A line that somebody acts at the end of."""

    def __init__(self, solver: "SubgameSolver", hand: Hand, began: float) -> None:
        self.solver, self.hand, self.began = solver, hand, began
        self.config, self.line = solver.config, solver.stored.along(hand)
        self.last, self._slots = len(hand.streets) - 1, 0
        self.combos = np.flatnonzero(unblocked(hand.board)).astype(np.int32)

    def public(self, street: int, count: int) -> Public:
        """All tokens before a street, cards included, and so many of it."""
        found: list[str] = []
        for play in self.hand.streets[: street + 1]:
            new = play.cards if play.street <= FLOP else play.cards[-1:]
            found += [cards_to_string(new), *play.tokens[: count if play.street == street else 99]]
        return tuple(found)

    def kept_as(self, street: int, count: int) -> Public:
        """What a search is kept by; one behind a gadget is for one player."""
        if self.config.street_gadget == "unsafe":
            return self.public(street, count)
        return (str(self.hand.here.actor), *self.public(street, count))

    def answer(self) -> SubgameAnswer:
        """See `SubgameSolver.solve_range`."""
        if self.last == PREFLOP:
            return self._stored_answer()
        reach = self.line.flop_ranges
        for street in range(FLOP, self.last + 1):
            reach = reach * unblocked(self.hand.streets[street].cards)
            if self._is_searched(street, reach):
                found = self._follow(street, reach)
            elif street == self.last:
                return self._stored_answer()
            else:
                for played in self.line.played(street):
                    _play(reach, played.player, played.share)
        return self._stored_answer() if found is None else self._answer_at(*found)

    def _is_searched(self, street: int, reach: F64) -> bool:
        """Whether a street is solved, or was; else what is stored holds."""
        if self.solver.has_kept(self.kept_as(street, 0)):
            return True
        if RIVER - street + 1 > self.config.depth_limit:
            return False
        if not self.line.knows(street):
            return True
        if street != self.last:
            return False
        return street > FLOP or not self.line.is_near(street) or self._is_better_whole(reach)

    def _is_better_whole(self, reach: F64) -> bool:
        """Whether hands share what is stored of this flop, and a GPU solves all of it."""
        if self.config.device == "cpu" or self.line.has_exact_flops:
            return False
        game = PostflopGame(self.hand.board, self._weights(reach), self.line.betting(FLOP))
        return self.solver.device_of(game) != "cpu"

    def _follow(self, street: int, reach: F64) -> tuple["KeptStreet", int] | None:
        """Solve a street and follow its actions: `reach` becomes that at the end of it.

        None where the search came to too little, and what is stored is played instead.
        """
        play, start = self.hand.streets[street], reach.copy()
        game = PostflopGame(play.cards, self._weights(start), self.line.betting(street))
        take = None
        if self.config.street_gadget != "unsafe" and not self.solver.has_kept(
            self.kept_as(street, 0)
        ):
            game, take = self._street_take(street, game)
        kept, node = self._find(street, 0, game, take), 0
        is_poor = kept.street.result.record.exploitability_pct > _POOR_PCT
        stored = self.line.played(street) if is_poor and self.line.knows(street) else None
        for count, token in enumerate(play.tokens, 1):
            tree, actor = kept.street.tree, play.states[count - 1].actor
            if token not in tree.actions(node):
                left = _Left(kept.street, node, actor)
                _play(reach, actor, _share_between(left, token))
                kept, stored = self._add_bet(game, count, start, reach, left), None
                node = kept.street.tree.node_at(play.tokens[:count])
                continue
            which = tree.actions(node).index(token)
            searched = kept.street.strategy(node)[which]
            _play(reach, actor, searched if stored is None else stored[count - 1].share)
            node = tree.children(node)[which]
        return (kept, node) if stored is None else None

    def _add_bet(
        self, game: PostflopGame, count: int, start: F64, reach: F64, left: "_Left"
    ) -> "KeptStreet":
        """Solve on after a bet, the last of `count` actions, that the tree does not have."""
        street = int(game.tree.first_street)
        played = self.hand.streets[street].tokens[:count]
        if self.config.bet_gadget == "unsafe":
            betting = replace(game.betting, played=played)
            same = PostflopGame(game.cards, self._weights(start), betting)
            locks = tuple(self._frozen(same, 1 - left.actor, played, left.street))
            return self._find(street, count, replace(same, locks=locks), None)
        betting = replace(game.betting, played=played, only_played=True)
        weights = self._weights(reach)
        take = self._take(weights, left, self.config.bet_gadget == "combined")
        weights[left.actor] = take.forced + take.choice
        return self._find(street, count, PostflopGame(game.cards, weights, betting), take)

    def _take(self, weights: F64, left: "_Left", is_combined: bool) -> Take:
        """What the player of a new bet may take instead: what his hands had before it."""
        player, tree = left.actor, left.street.tree
        paid = tree.rules.pot / 2 + int(tree.committed[left.node, player])
        net = left.street.values(left.node) - paid
        cfv = net * disjoint_sum(weights[1 - player])
        return self._dealt(weights[player], player, cfv, is_combined)

    def _dealt(self, weights: F64, player: int, cfv: F64, is_combined: bool) -> Take:
        """A range behind a gadget; hands whose values are not known must play."""
        config, known = self.config, ~np.isnan(cfv)
        any_hand = (weights > 0) / np.count_nonzero(weights)
        uniform = config.uniform_share
        dealt = (1 - uniform) * weights / weights.sum() + uniform * any_hand
        forced = np.where(known, config.forced_share if is_combined else 0.0, 1.0) * dealt
        return Take(player, forced, dealt - forced, np.where(known, cfv, 0.0))

    def _street_take(self, street: int, game: PostflopGame) -> tuple[PostflopGame, Take | None]:
        """What the other player may take where a street begins, if his values are known."""
        player, is_combined = 1 - self.hand.here.actor, self.config.street_gadget == "combined"
        layout = self.solver.lay_out(game) if street > FLOP else None
        found = layout and stored_values(self.line, street, layout, player)
        if layout is None or found is None:
            return game, None
        cfv = np.full(NUM_COMBOS, np.nan)
        cfv[layout.combos[player]] = found
        weights = game.weights.copy()
        take = self._dealt(weights[player], player, cfv, is_combined)
        weights[player] = take.forced + take.choice
        return PostflopGame(game.cards, weights, game.betting), take

    def _frozen(
        self, game: PostflopGame, player: int, played: Sequence[str], solved: SolvedStreet
    ) -> list[LockedNode]:
        """What a player has done on the way stays as it was: the others' answers are not free."""
        found, node, old = [], 0, 0
        for token in played[:-1]:
            tree, actions = game.tree, game.tree.actions(node)
            known = solved.tree.actions(old)
            if tree.actor[node] == player:
                policy = np.zeros((len(actions), NUM_COMBOS))
                for row, action in zip(solved.strategy(old), known, strict=True):
                    policy[actions.index(action)] = row
                line, hands = " ".join(tree.history(node)), policy.sum(axis=0) > 0
                found.append(LockedNode(line, node, (), hands, policy))
            node = tree.children(node)[actions.index(token)]
            old = solved.tree.children(old)[known.index(token)]
        return found

    def _find(self, street: int, count: int, game: PostflopGame, take: Take | None) -> "KeptStreet":
        """A search of this hand, with less time if others come after it."""
        name, budget_ms = self.kept_as(street, count), self.config.time_budget_ms
        if self.solver.has_kept(name):
            return self.solver.kept(name)
        now, deadline = time.perf_counter(), self.began + _SEARCHING * budget_ms / 1000
        if street < self.last:
            budget_ms *= _EARLIER_SHARE
            self._slots += 1
            slots = self.began + _SEARCHING * self._slots * budget_ms / 1000
            deadline = min(slots, (now + deadline) / 2)
        elif not _has_all(game.tree, self.hand.streets[street].tokens):
            budget_ms *= _BEFORE_BET
            deadline = now + _BEFORE_BET * (deadline - now)
        return self.solver.find(name, game, take, Budget(budget_ms, deadline))

    def _weights(self, reach: F64) -> F64:
        """[2, 1326] ranges to solve with: every hand that is dealt has some weight."""
        dealt = self.solver.stored.solution.game.combo_weights
        top = reach.max(axis=1, keepdims=True)
        scaled = np.divide(reach, top, out=np.ones_like(reach), where=top > 0)
        found: F64 = np.maximum(scaled, LEAST_WEIGHT) * dealt
        return found

    def _answer_at(self, kept: "KeptStreet", node: int) -> SubgameAnswer:
        solved, record = kept.street, kept.street.result.record
        mix, values = solved.strategy(node)[:, self.combos], solved.values(node)[self.combos]
        measured = record.exploitability_pct, record.iterations
        return self._made(solved.tree.actions(node), mix, values, measured, kept.source)

    def _stored_answer(self) -> SubgameAnswer:
        """What is stored for the decision; where nothing is, no chip goes in without a call."""
        found, here = self.line.here(), self.hand.here
        if found is None:
            is_facing = here.bets[1 - here.actor] > here.bets[here.actor]
            actions: Sequence[str] = ("f", "c") if is_facing else ("x",)
            strategy = np.ones((len(actions), NUM_COMBOS))
        else:
            actions, parts = real_actions(self.hand, found)
            strategy = summed(found.strategy, parts)
        unknown = np.full(len(self.combos), np.nan)
        return self._made(actions, strategy[:, self.combos], unknown, (np.nan, 0), STORED)

    def _made(
        self,
        actions: Sequence[str],
        strategy: F64,
        values: F64,
        measured: tuple[float, int],
        source: str,
    ) -> SubgameAnswer:
        total = strategy.sum(axis=0)
        even = np.full_like(strategy, 1 / len(strategy))
        mix = np.divide(strategy, total, out=even, where=total > 0)
        return SubgameAnswer(
            line=str(self.hand.line),
            board=cards_to_string(self.hand.board),
            player=self.hand.here.actor,
            actions=tuple(actions),
            combos=self.combos,
            strategy=mix.astype(np.float32),
            ev_chips=values.astype(np.float32),
            exploitability_pct=measured[0],
            iterations=measured[1],
            ms=1000 * (time.perf_counter() - self.began),
            source=source,
        )


class _Left(NamedTuple):
    """The decision where a bet was made that its tree does not have."""

    street: SolvedStreet
    node: int
    actor: int


def _has_all(tree: BettingTree, tokens: Sequence[str]) -> bool:
    """Whether a tree can follow all that was played; if not, its search is not the last one."""
    node = 0
    for token in tokens:
        if token not in tree.actions(node):
            return False
        node = tree.children(node)[tree.actions(node).index(token)]
    return True


def _play(reach: F64, player: int, share: F64 | None) -> None:
    """Leave in a player's range what takes an action; all of it where nothing does."""
    if share is not None and (left := reach[player] * share).any():
        reach[player] = left


def _share_between(left: _Left, token: str) -> F64 | None:
    """[1326] how often hands make a bet between two of the tree's; None if it has no bet."""
    tree, node, actor = left.street.tree, left.node, left.actor
    chips, steps = RealChips.at(tree, node), tree.steps[int(tree.state[node])]
    amounts = {index: step.amount for index, step in enumerate(steps) if step.amount}
    if not amounts:
        return None
    strategy, amount = left.street.strategy(node), int(token[1:]) if token != "a" else chips.stack
    smaller = [index for index, chips in amounts.items() if chips <= amount]
    larger = [index for index, chips in amounts.items() if chips > amount]
    if not smaller or not larger:
        nearest: F64 = strategy[(larger or smaller[-1:])[0]]
        return nearest
    x, a, b = (chips.size(actor, n) for n in (amount, amounts[smaller[-1]], amounts[larger[0]]))
    p = probability_of_smaller(x, a, b)
    mixed: F64 = p * strategy[smaller[-1]] + (1 - p) * strategy[larger[0]]
    return mixed
