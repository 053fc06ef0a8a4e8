"""One decision of a blueprint: what is played there, by every hand, looked up in its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from poker_solver.abstraction.translation import RealChips, Translated, translate
from poker_solver.cards import (
    COMBO_CLASS,
    NUM_COMBOS,
    cards_to_string,
    combo_from_string,
    combo_to_string,
    hand_name,
    parse_hand,
    unblocked,
)
from poker_solver.errors import InputError, LineError, NotFoundError
from poker_solver.fullgame.after_flop import Point, Seen
from poker_solver.fullgame.blueprint.tables import BlueprintTables, BoardTable
from poker_solver.fullgame.lines import FullLine, cut_line, three_cards
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import DECISION, FLOP
from poker_solver.games.notation import parse_action_sequence
from poker_solver.kernels.arrays import F64
from poker_solver.postflop.game import PostflopGame
from poker_solver.preflop.ranges import node_reach, shares
from poker_solver.trees.betting import BettingTree

Mix = dict[str, float]  # action -> how often


@dataclass(frozen=True, eq=False)
class BlueprintPoint:
    """A decision of the tree that a line leads to."""

    solution: UnifiedSolution
    tables: BlueprintTables | None
    line: FullLine  # as the tree has it
    node: int  # of the tree before the flop, or of the line's
    number: int | None  # of the line, where a flop was seen
    probability: float  # that amounts which the tree does not have are translated like this
    is_exact: bool  # the tree has them all
    chips: RealChips  # what is really on the table

    @cached_property
    def tree(self) -> BettingTree:
        """Before the flop, or of the line after it."""
        game = self.solution.game
        return game.tree if self.number is None else game.lines[self.number].tree

    @property
    def player(self) -> int:
        """Who acts: 0 is BB, 1 is SB."""
        return self.tree.betting(self.node).actor

    @property
    def actions(self) -> tuple[str, ...]:
        """As the tree has them."""
        return self.tree.actions(self.node)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The board."""
        return self.line.cards

    def row_of(self, hand: str | int) -> int:
        """The row of a hand: `AhKh`, or a combo's number; before the flop also a class, `AKs`."""
        if isinstance(hand, str) and hand.startswith("#"):
            return self._sound_row(hand[1:])
        if not isinstance(hand, str) and not 0 <= hand < NUM_COMBOS:
            raise InputError(f"combo {hand}: want 0..{NUM_COMBOS - 1}")
        if self.number is None:
            return self._class_of(hand)
        combo = combo_from_string(hand) if isinstance(hand, str) else hand
        if not self._free[combo]:
            held, board = combo_to_string(combo), cards_to_string(self.cards)
            raise InputError(f"hand {held} has a card of the board {board}")
        return self._table.row_of(combo)

    def mix_of(self, hand: str | int) -> Mix:
        """How often a hand, or a row (`#17`), plays each action."""
        row = self.row_of(hand)
        if self.number is None:
            mix = shares(self._sums[:, row : row + 1])[:, 0].tolist()
        else:
            mix = self._table.mix_of(self._pairs, row)
        return dict(zip(self.actions, mix, strict=True))

    @property
    def strategy(self) -> F64:
        """[A, 1326] what every combo plays; 0 where it is blocked or not dealt."""
        if self.number is None:
            return self.solution.game.by_combo(shares(self._sums))
        return self._table.mix(self._pairs, self._free)

    @property
    def reach(self) -> F64:
        """[2, 1326] how often the strategies of BB and SB lead each combo here."""
        if self.number is None:
            reach = node_reach(self.tree, self.solution.sums, self.node)
            return self.solution.game.by_combo(reach)
        return self._seen(self.number).reach(self.node, self.cards[3:])

    def after_flop(self) -> Point:
        """The same as other solutions have it, with equities and no EVs."""
        assert self.number is not None
        return Point(self._seen(self.number).node(self.node, self.cards[3:]), None, "")

    def _seen(self, number: int) -> "SeenBoards":
        tables = self._known_tables
        return SeenBoards(self.solution.spot_game(number, self.cards[:3]), tables, number)

    @property
    def _known_tables(self) -> BlueprintTables:
        if self.tables is None:
            raise NotFoundError("the blueprint has nothing after the flop")
        return self.tables

    @cached_property
    def _free(self) -> NDArray[np.bool_]:
        return unblocked(self.cards)

    @property
    def _sums(self) -> F64:
        children = self.tree.children(self.node)
        return self.solution.sums[children.start : children.stop]

    @cached_property
    def _table(self) -> BoardTable:
        assert self.number is not None
        return self._known_tables.board(self.number, self.cards)

    @property
    def _pairs(self) -> range:
        assert self.number is not None
        street = self.tree.betting(self.node).street
        return self._known_tables.shape.decisions[self.number][street - FLOP][self.node]

    def _class_of(self, hand: str | int) -> int:
        """The place of a class among those that are dealt."""
        index = parse_hand(hand)[0] if isinstance(hand, str) else int(COMBO_CLASS[hand])
        classes = self.solution.game.deal.classes
        if index not in classes:
            raise NotFoundError(f"{hand_name(index)} is not dealt in this game")
        return classes.index(index)

    def _sound_row(self, number: str) -> int:
        most = self.solution.game.num_classes
        if self.number is not None:
            most = self._table.weights.shape[1]
        if not number.isdecimal() or int(number) >= most:
            raise NotFoundError(f"row #{number}: there are {most:,} after {self.line}, from 0 on")
        return int(number)


@dataclass(frozen=True, eq=False)
class SeenBoards(Seen):
    """A line on a flop as the tables of a blueprint have it."""

    game: PostflopGame
    tables: BlueprintTables
    number: int  # of the line

    def mix(self, node: int, dealt: Sequence[int]) -> F64:
        """See `Seen`."""
        cards = (*self.game.cards, *dealt)
        pairs = self.tables.shape.decisions[self.number][len(cards) - 3][node]
        return self.tables.board(self.number, cards).mix(pairs, unblocked(cards))


def find_point(
    solution: UnifiedSolution,
    tables: BlueprintTables | None,
    line: str | Sequence[str],
    rng: np.random.Generator | None = None,
    stack_chips: int | None = None,
) -> BlueprintPoint:
    """Where a line with any amounts leads in the tree; see `translate`.

    Played with stacks of `stack_chips`, if not with those of the tree.
    """
    written, flop, after = cut_line(line)
    game = solution.game
    if rng is None:
        stack, found = _before_flop(game.tree, written, stack_chips)
    else:
        stack, history = _parsed(written)
        found = translate(history, game.tree, chips=_at_stack(game.tree, stack_chips), rng=rng)
    if stack not in (None, held := solution.config.stack_bb):
        raise LineError(f"the blueprint is of {held:g} bb, the line asks for {stack:g} bb")
    played, number, tree, likely = FullLine(found.tokens), None, game.tree, found.probability
    if flop:
        number, cards = solution.line_at(found.node), three_cards(flop)
        if number is None:
            raise NotFoundError(f"in the tree no flop is seen with chips behind after {played}")
        tree, chips = game.lines[number].tree, found.chips.next_street()
        found = translate(after, tree, board=cards, chips=chips, rng=rng)
        played = FullLine(played.before, cards_to_string(cards), found.tokens)
        likely *= found.probability
    if tree.betting(found.node).kind != DECISION:
        raise LineError(f"nobody acts after {played}")
    return BlueprintPoint(
        solution, tables, played, found.node, number, likely, found.is_exact, found.chips
    )


@lru_cache(maxsize=1024)
def _before_flop(
    tree: BettingTree, written: str | tuple[str, ...], stack_chips: int | None
) -> tuple[float | None, Translated]:
    """The stack that a line names, and where it leads before the flop: few lines come again."""
    stack, history = _parsed(written)
    return stack, translate(history, tree, chips=_at_stack(tree, stack_chips))


def _at_stack(tree: BettingTree, stack_chips: int | None) -> RealChips:
    """What is on the table at the start, played with other stacks than those of a tree."""
    chips = RealChips.at(tree)
    return chips if stack_chips is None else chips._replace(stack=stack_chips)


def _parsed(written: str | tuple[str, ...]) -> tuple[float | None, tuple[str, ...]]:
    """The stack that a line before the flop names, if any, and its history."""
    if not isinstance(written, str):
        return None, written
    parsed = parse_action_sequence(written)
    return parsed.stack, parsed.to_history_tuple()
