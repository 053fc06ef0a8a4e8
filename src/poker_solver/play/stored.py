"""The stored strategy alone: full games in tables, looked up; amounts and stacks are translated."""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import log

import numpy as np

from poker_solver.abstraction.translation import RealChips
from poker_solver.cards import COMBO_CARDS, NUM_COMBOS, cards_from_string, unblocked
from poker_solver.cards.equity import range_equity
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.errors import InputError
from poker_solver.fullgame.blueprint.points import BlueprintPoint
from poker_solver.fullgame.blueprint.strategy import BlueprintStrategy
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import ALL_IN
from poker_solver.play.equities import equities
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import F64, HandMix, RangeMix, check_or_fold
from poker_solver.subgame.config import LEAST_PLAYED

Book = BlueprintStrategy | UnifiedSolution


class StoredPolicy:
    """Plays what one or several stored strategies say, the one of the nearest stack.

    An amount that its tree does not have goes to the likelier neighbour; what it bets is the same
    part of the pot that is really there. Where its tree ends, as after a raise more than it has,
    it checks, and calls if its equity against the last range it knows is worth it.

    Args:
        books: full games, of one or several stacks.
        name: what to call it.
    """

    def __init__(self, books: Book | Sequence[Book], name: str = "stored") -> None:
        given = [books] if isinstance(books, BlueprintStrategy | UnifiedSolution) else [*books]
        self.name, self.books = name, [_book(one) for one in given]
        if not self.books:
            raise InputError("no stored strategy was given, want at least one")

    def book_for(self, hand: PokerHand) -> BlueprintStrategy:
        """The one whose stack is nearest, by ratio."""
        return min(self.books, key=lambda book: abs(log(stack_bb(book) / hand.stack_bb)))

    def warm_up(self) -> None:
        """Load and compile what look-ups call, and find all EVs before the flop."""
        for book in self.books:
            assert book.solution is not None
            tree = book.solution.game.tree
            for node in np.flatnonzero(tree.is_decision).tolist():
                _preflop_evs(book.solution, node)
        for board in ("", "QsJh2h", "QsJh2h7d", "QsJh2h7d3c"):
            equities(0, cards_from_string(board) if board else ())

    def decide(self, hand: PokerHand, combo: int) -> HandMix:
        """See `Policy`."""
        book = self.book_for(hand)
        try:
            point = point_of(book, hand)
            mix, evs = point.mix_of(combo), preflop_evs(point, combo)
        except InputError as error:
            return self._outside(book, hand, combo, f"not in the stored strategy: {error}")
        real = real_tokens(hand, point)
        found: dict[str, float] = {}
        for token, share in mix.items():
            found[real[token]] = found.get(real[token], 0.0) + share
        ev = {real[token]: value for token, value in evs.items()} if point.is_exact else {}
        return HandMix(found, "stored", ev, _notes(book, hand, point))

    def whole_range(self, hand: PokerHand) -> RangeMix:
        """See `Policy`."""
        book = self.book_for(hand)
        try:
            point = point_of(book, hand)
            mixes = point.strategy
        except InputError as error:
            return self._range_outside(book, hand, f"not in the stored strategy: {error}")
        real = real_tokens(hand, point)
        actions = tuple(dict.fromkeys(real.values()))
        strategy = np.zeros((len(actions), NUM_COMBOS))
        for token, mix in zip(point.actions, mixes, strict=True):
            strategy[actions.index(real[token])] += mix * unblocked(hand.board)
        return RangeMix(actions, strategy, "stored", notes=_notes(book, hand, point))

    def _outside(self, book: BlueprintStrategy, hand: PokerHand, combo: int, why: str) -> HandMix:
        """Where the tree has ended: check, or call a bet if the odds are there."""
        if not hand.to_call_chips:
            return HandMix({hand.legal.call: 1.0}, "odds", notes=(why,))
        met = _last_known_range(book, hand)
        if met is None:
            return check_or_fold(hand, why)
        equity, board = np.nan_to_num(equities(combo, hand.board)), hand.board
        met = met * unblocked((*COMBO_CARDS[combo].tolist(), *board))
        share = float(equity @ met / met.sum()) if met.any() else 0.0
        token = hand.legal.call if share >= _odds(hand) else hand.legal.passive
        return HandMix({token: 1.0}, "odds", notes=(why,))

    def _range_outside(self, book: BlueprintStrategy, hand: PokerHand, why: str) -> RangeMix:
        """The same of every combo."""
        met = _last_known_range(book, hand) if hand.to_call_chips else None
        if met is None:
            return RangeMix.same_for_all(self._outside(book, hand, 0, why))
        free = unblocked(hand.board)
        share = range_equity(free * 1.0, met, hand.board).players[0].equity_by_combo
        calls = free & (np.nan_to_num(share) >= _odds(hand))
        strategy = np.stack([free & ~calls, calls]).astype(np.float64)
        return RangeMix(("f", "c"), strategy, "odds", notes=(why,))


def stack_bb(book: BlueprintStrategy) -> float:
    """What a stored strategy is played with."""
    assert book.config is not None
    return book.config.stack_bb


def real_tokens(hand: PokerHand, point: BlueprintPoint) -> dict[str, str]:
    """The tree's actions as they are really played: the same parts of the pot, within the rules."""
    legal, player = hand.legal, hand.actor
    found = {"f": legal.passive, "c": legal.call, "x": legal.call}
    tree_chips = RealChips.at(point.tree, point.node)
    steps = point.tree.steps[int(point.tree.state[point.node])]
    for token, step in zip(point.actions, steps, strict=True):
        if token in found:
            continue
        if not legal.least:
            found[token] = legal.call
        elif token == ALL_IN:
            found[token] = ALL_IN
        else:
            amount = point.chips.amount(player, tree_chips.size(player, step.amount))
            found[token] = hand.bet_token(min(max(amount, legal.least), legal.most))
    return {token: found[token] for token in point.actions}


def preflop_evs(point: BlueprintPoint, combo: int) -> dict[str, float]:
    """Chips that each action of a combo is worth before the flop; nothing after it."""
    if point.number is not None:
        return {}
    rows = _preflop_evs(point.solution, point.node)[:, point.row_of(combo)]
    evs = zip(point.actions, (rows * CHIPS_PER_BB).tolist(), strict=True)
    return {token: ev for token, ev in evs if ev == ev}


def supported(point: BlueprintPoint) -> set[str]:
    """Actions before the flop whose EVs rest on answers that were learned.

    Those that enough hands play where enough hands come, and those that nobody answers: the call of
    an all-in is worth its equity, however seldom the all-in is.
    """
    node = point.solution.preflop.node(point.solution.game.tree.history(point.node))
    dealt, reach = node.combos.sum(), node.reach @ node.combos
    shares = node.strategy @ (node.combos * node.reach[node.player]) / dealt
    ends = {"f", "c"} if node.behind_bb[1 - node.player] == 0 else {"f"}
    if (reach / dealt).min() < LEAST_PLAYED:
        return ends & {*point.actions}
    return {
        token
        for token, share in zip(point.actions, shares.tolist(), strict=True)
        if share >= LEAST_PLAYED or token in ends
    }


@lru_cache(maxsize=4096)
def _preflop_evs(solution: UnifiedSolution, node: int) -> F64:
    """[A, C] bb of each action of every class at a decision before the flop."""
    return solution.preflop.node(solution.game.tree.history(node)).ev_actions_bb


def point_of(book: BlueprintStrategy, hand: PokerHand) -> BlueprintPoint:
    """Where a hand leads in the tree of a stored strategy."""
    stack = None if stack_bb(book) == hand.stack_bb else hand.stack_chips
    return book.at(hand.line.tokens, stack_chips=stack)


def _last_known_range(book: BlueprintStrategy, hand: PokerHand) -> F64 | None:
    """[1326] what the opponent comes with to the last decision that the tree has; None if none."""
    for before, _ in reversed([*hand.steps()]):
        if before.actor < 0:
            continue
        with suppress(InputError):
            reach = point_of(book, before).reach[1 - hand.actor] * unblocked(hand.board)
            return reach if reach.any() else None
    return None


def _odds(hand: PokerHand) -> float:
    """The equity that a call needs."""
    return hand.to_call_chips / (hand.pot_chips + hand.to_call_chips)


def _book(given: Book) -> BlueprintStrategy:
    book = BlueprintStrategy(solution=given) if isinstance(given, UnifiedSolution) else given
    if book.config is None or book.solution is None:
        raise InputError("a blueprint that does not say of which game it is cannot be played")
    return book


def _notes(book: BlueprintStrategy, hand: PokerHand, point: BlueprintPoint) -> tuple[str, ...]:
    """What was translated."""
    notes = []
    if stack_bb(book) != hand.stack_bb:
        notes.append(f"{hand.stack_bb:g} bb played as {stack_bb(book):g} bb")
    if not point.is_exact:
        likely = "" if point.probability == 1 else f" ({100 * point.probability:.0f} % likely)"
        notes.append(f"played as {str(point.line) or 'the first decision'}{likely}")
    return tuple(notes)
