"""What the stored strategy of a full game says along a hand that was played with any amounts."""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.translation import RealChips, Translated, translate
from poker_solver.cards import NUM_COMBOS, cards_from_string, unblocked
from poker_solver.config.spot import PostflopBetting
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import InputError, NotFoundError, StrategyError
from poker_solver.fullgame.blueprint.strategy import KIND as BLUEPRINT_KIND
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.blueprint.tables import BlueprintTables
from poker_solver.fullgame.rows import decision_rows, strategy_name
from poker_solver.fullgame.shipped import shipped_games, solution_path
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import DEAL, FLOP, NONE, PREFLOP, RIVER, BettingRules
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.riverless import betting_from, later_betting
from poker_solver.postflop.solution.strategy import mixes
from poker_solver.preflop.ranges import node_reach, shares
from poker_solver.store.files import file_kind
from poker_solver.subgame.hand import Hand, StreetPlay, opened_by_caller
from poker_solver.trees.betting import BettingTree

F64 = NDArray[np.float64]

Blueprint = BlueprintStrategy | UnifiedSolution

_NEAR = 1.1
"""So many times the pot with one bet may the pot with another be that is answered alike."""


def load_stored(name: str | Path) -> Blueprint:
    """A blueprint or a solved full game by its file, or one that comes solved by its name."""
    path = solution_path(name)
    if not path.is_file():
        known = ", ".join(shipped_games())
        raise InputError(f"no file {str(name)!r}, and no game that comes solved: {known}")
    if file_kind(path) == BLUEPRINT_KIND:
        return BlueprintStrategy.load(path)
    return UnifiedSolution.load(path)


class StoredAction(NamedTuple):
    """An action as the stored strategy takes it."""

    player: int
    share: F64 | None  # [1326] how often each hand plays it; None where that is not known


class Found(NamedTuple):
    """A decision of the stored tree."""

    tree: BettingTree
    node: int
    chips: RealChips  # what is really there
    strategy: F64  # [A, 1326]


class Stored:
    """A blueprint or a solution of a full game, asked street by street."""

    def __init__(self, blueprint: Blueprint) -> None:
        solution = blueprint.solution if isinstance(blueprint, BlueprintStrategy) else blueprint
        if not isinstance(solution, UnifiedSolution):
            what = "has no tables, only keys that were inserted"
            if not isinstance(blueprint, BlueprintStrategy):
                what = f"is a {type(blueprint).__name__}, want a BlueprintStrategy or a"
                what += " UnifiedSolution"
            raise StrategyError(f"the stored strategy {what}")
        self.solution = solution
        self.tables: BlueprintTables | None = None
        if isinstance(blueprint, BlueprintStrategy):
            self.tables = blueprint.tables

    @property
    def rules(self) -> BettingRules:
        """Of the game."""
        return self.solution.game.rules

    @cached_property
    def fingerprint(self) -> str:
        """Tells apart games, strategies before the flop and tables after it."""
        name = hashlib.sha256(self.solution.config.fingerprint().encode())
        name.update(strategy_name(self.solution.game, self.solution.sums).encode())
        if self.tables is not None:
            name.update(repr(self.tables.shape.rows).encode())
            for part in ("book put", "book shared put", "book maps put"):
                name.update(np.ascontiguousarray(self.tables.mapped[part]).tobytes())
        elif self.solution.rows is not None:
            put = np.ascontiguousarray(self.solution.rows.put)
            name.update(zlib.crc32(put.tobytes()).to_bytes(4, "little"))
        return name.hexdigest()[:16]

    def along(self, hand: Hand) -> "StoredLine":
        """The hand as the stored tree has it."""
        return StoredLine(self, hand)


@dataclass(frozen=True, eq=False)
class StoredLine:
    """A hand in the stored tree; amounts that this does not have are translated."""

    stored: Stored
    hand: Hand

    @cached_property
    def before(self) -> Translated:
        """Before the flop, as far as the tree can follow."""
        tree, tokens = self.stored.solution.game.tree, self.hand.streets[PREFLOP].tokens
        chips = RealChips.at(tree)._replace(stack=self.hand.rules.stack)
        for end in range(len(tokens), 0, -1):
            try:
                return translate(tokens[:end], tree, chips=chips)
            except InputError:  # a raise or a limp where the tree has none
                continue
        return translate((), tree, chips=chips)

    @property
    def _is_whole(self) -> bool:
        """Whether the tree has all that was played before the flop."""
        return len(self.before.nodes) == len(self.hand.streets[PREFLOP].tokens)

    @cached_property
    def number(self) -> int | None:
        """Of the line that sees the flop; None where the tree is all-in before it."""
        return self.stored.solution.line_at(self.before.node) if self._is_whole else None

    @cached_property
    def after(self) -> Translated | None:
        """From the flop on, as far as the tree can follow; None if it has no such flop."""
        if self.number is None or len(self.hand.streets) == 1:
            return None
        tree, cards = self._tree, self.hand.board[:3]
        chips = self.before.chips.next_street()
        tokens = self.hand.line.after
        for end in range(len(tokens), -1, -1):
            try:
                return translate(tokens[:end], tree, board=cards, chips=chips)
            except InputError:  # a raise where the tree has none, or chips that it does not have
                continue
        return None

    @property
    def _tree(self) -> BettingTree:
        assert self.number is not None
        return self.stored.solution.game.lines[self.number].tree

    @cached_property
    def flop_ranges(self) -> F64:
        """[2, 1326] of BB and SB where the flop falls, or where a hand is now before it."""
        solution = self.stored.solution
        reach = node_reach(solution.game.tree, solution.sums, self.before.node)
        return solution.game.by_combo(reach)

    def betting(self, street: int) -> PostflopBetting:
        """What is played from the start of a street on, with the chips that are really there."""
        rules, first = self.stored.rules, self.hand.streets[street].first
        whole = rules.postflop[first.pot_type]
        if self.number is not None:
            whole = self.stored.solution.game.lines[self.number].betting
        else:
            flop = self.hand.streets[PREFLOP].states[-1]
            whole = rules.flop_betting(flop)
        chips = self.hand.chips_at(street)
        return later_betting(whole, street, chips, oop_called=opened_by_caller(first))

    def played(self, street: int) -> list[StoredAction]:
        """What the stored strategy knows of every action of a street after the flop."""
        play, found = self.hand.streets[street], list[StoredAction]()
        begin = self._first_token(street)
        for n, state in enumerate(play.states[:-1]):
            share = None
            if self.after is not None and begin + n < len(self.after.nodes):
                child = self.after.nodes[begin + n]
                node = int(self._tree.parent[child])
                mix = self._mix(play, node)
                share = None if mix is None else mix[child - int(self._tree.first_child[node])]
            found.append(StoredAction(state.actor, share))
        return found

    @property
    def has_exact_flops(self) -> bool:
        """Whether no hand shares with another what is stored of flops."""
        tables = self.stored.tables
        return tables is None or tables.shape.rows.flop == RowsConfig().flop

    def knows(self, street: int) -> bool:
        """Whether there is a strategy for the street where it begins."""
        root = self.street_root(street)
        return root is not None and self._mix(self.hand.streets[street], root) is not None

    def is_near(self, street: int) -> bool:
        """Whether the tree has about the bets of a street that were really made."""
        play, begin = self.hand.streets[street], self._first_token(street)
        if self.after is None or len(self.after.nodes) < begin + len(play.tokens):
            return False
        pot, stack, tree = self.hand.rules.pot, self.hand.rules.stack, self._tree
        for n, (before, after) in enumerate(pairwise(play.states)):
            if after.bet == before.bet:
                continue
            child, player = self.after.nodes[begin + n], before.actor
            node = int(tree.parent[child])
            real = RealChips(pot + 2 * before.paid, stack - before.paid, before.bets)
            size = real.size(player, after.bets[player])
            known = RealChips.at(tree, node).size(player, tree.betting(child).bets[player])
            if not 1 / _NEAR <= (1 + size) / (1 + known) <= _NEAR:
                return False
        return True

    def street_root(self, street: int) -> int | None:
        """Where a street begins in the tree that is stored; None if that has no such place."""
        if self.after is None or self._first_token(street) > len(self.after.nodes):
            return None
        return (0, *self.after.nodes)[self._first_token(street)]

    def here(self) -> Found | None:
        """The decision at the end of the hand; None where nothing is stored for it."""
        solution, play = self.stored.solution, self.hand.streets[-1]
        if play.street == PREFLOP:
            tree, node = solution.game.tree, self.before.node
            if not (self._is_whole and tree.is_decision[node]):
                return None
            children = tree.children(node)
            mix = solution.game.by_combo(shares(solution.sums[children.start : children.stop]))
            return Found(tree, node, self.before.chips, mix)
        after = self.after
        if after is None or len(after.nodes) < len(self.hand.line.after):
            return None
        if not self._tree.is_decision[after.node]:
            return None
        strategy = self._mix(play, after.node)
        return None if strategy is None else Found(self._tree, after.node, after.chips, strategy)

    def _first_token(self, street: int) -> int:
        """Which of the tokens after the flop is the first action of a street."""
        earlier = self.hand.streets[FLOP:street]
        return sum(len(play.tokens) + 1 for play in earlier)

    def _mix(self, play: StreetPlay, node: int) -> F64 | None:
        """[A, 1326] what is stored for a decision of a street; None if nothing is."""
        assert self.number is not None
        if not self._tree.is_decision[node] or self._tree.street[node] != play.street:
            return None
        solution, tables, cards = self.stored.solution, self.stored.tables, play.cards
        if tables is not None:
            pairs = tables.shape.decisions[self.number][play.street - FLOP][node]
            try:
                return tables.board(self.number, cards).mix(pairs, unblocked(cards))
            except NotFoundError:  # a flop that was not trained
                return None
        if solution.rows is None or play.street != FLOP:
            return None
        row = solution.rows.read(cards, self.number)
        if row is None:
            return None
        rows = decision_rows(self._tree)[node]
        return mixes(row.strategy[rows.start : rows.stop]) * unblocked(cards)


def warming_games(solution: UnifiedSolution, first: int = FLOP) -> list[PostflopGame]:
    """One game of every street from a first one on, to have compiled what searches call."""
    game = solution.game
    weights = np.stack([game.combo_weights] * 2)
    whole = game.lines[0].betting if game.lines else game.rules.postflop[0]
    cards, found = cards_from_string("QsJh2h7d3c"), list[PostflopGame]()
    for street in range(first, RIVER + 1):
        betting = later_betting(whole, street, (whole.pot, whole.stack), oop_called=False)
        found.append(PostflopGame(cards[: street + 2], weights, betting))
    return found


def games_of_lines(solution: UnifiedSolution, first: int = FLOP) -> list[PostflopGame]:
    """One game for all that can be played from the start of a street on, after every line.

    And for what follows a bet there that the tree does not have.
    """
    game, cards = solution.game, cards_from_string("QsJh2h7d3c")
    weights = np.stack([game.combo_weights] * 2)
    found: dict[PostflopBetting, PostflopGame] = {}
    for betting in [line.betting for line in game.lines] or game.rules.postflop[:1]:
        flop = PostflopGame(cards[:3], weights, betting)
        tree = flop.tree
        begins = (tree.parent == NONE) | (tree.kind[tree.parent] == DEAL)
        for entry in np.flatnonzero(begins & tree.is_decision & (tree.street >= first)).tolist():
            own = betting_from(flop, entry)
            ways, bet = [own], max(2 * own.pot // 5, own.big_blind or 1)
            if bet < own.stack:
                ways.append(replace(own, played=(f"b{bet}",), only_played=True))
            for way in ways:
                found[way] = PostflopGame(cards[: way.num_cards], weights, way)
    return list(found.values())


def real_actions(hand: Hand, found: Found) -> tuple[list[str], list[list[int]]]:
    """What a stored decision's actions are with the chips that are really there.

    Amounts keep their share of the pot, within what poker allows. Of each real action also which
    of the stored ones it stands for: several may come to the same.
    """
    here, rules, tree = hand.here, hand.rules, found.tree
    player, all_in = here.actor, rules.stack - here.paid
    tokens: dict[str, list[int]] = {}
    for index, step in enumerate(tree.steps[int(tree.state[found.node])]):
        token = step.token
        if step.amount and here.bets[1 - player] >= all_in:
            token = "c"
        elif step.amount and token != "a" and found.chips != RealChips.at(tree, found.node):
            size = RealChips.at(tree, found.node).size(player, step.amount)
            facing = here.bets[1 - player]
            pot = rules.pot + 2 * (here.paid + facing)
            amount = max(facing + round(size * pot), rules.least(here))
            token = rules.amount_token(here, min(amount, all_in))
        tokens.setdefault(token, []).append(index)
    return list(tokens), list(tokens.values())


def summed(strategy: F64, parts: Sequence[Sequence[int]]) -> F64:
    """[A, 1326] actions that come to the same added up."""
    found = np.zeros((len(parts), NUM_COMBOS))
    for row, which in zip(found, parts, strict=True):
        row[:] = strategy[list(which)].sum(axis=0)
    return found
