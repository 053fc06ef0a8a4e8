"""Points after the flop of a solved full game: looked up where rows are kept, else solved again.

Where a flop has rows, its strategies are read from them, and a turn is solved from the ranges that
they lead to. Where it has none, the flop itself is solved from the ranges of its line.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, cards_from_string, cards_to_string, unblocked
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.equity import range_equity
from poker_solver.cards.flops import FlopFinder
from poker_solver.cards.isomorphism import (
    SUIT_PERMUTATIONS,
    Permutation,
    canonical_board,
    inverse,
    permute_cards,
)
from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError
from poker_solver.fullgame.rows import FlopRow, decision_rows
from poker_solver.games.betting import FLOP, FOLD, IP, OOP, PLAYERS
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.node import KINDS, PlayerNode, SolutionNode, renamed_node
from poker_solver.postflop.solution.riverless import betting_from
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solution.strategy import mixes

if TYPE_CHECKING:
    from poker_solver.fullgame.solution import UnifiedSolution

F64 = NDArray[np.float64]

_MOST_KEPT = 250_000_000
"""Elements, 4 bytes each, of flops and turns that are kept for the next question."""

_ROUNDING = 1e-12
"""A part of a range as small as this is what subtracting leaves of nothing."""


@dataclass(frozen=True, eq=False)
class Point:
    """A point after the flop."""

    node: SolutionNode  # its line begins at the flop
    solved: Solution | None  # where it was solved again; None where it was looked up
    own_line: str  # the line in that solution
    suits: Permutation = SUIT_PERMUTATIONS[0]  # that take those of the solution to these


@dataclass(frozen=True, eq=False)
class Missing:
    """What has to be solved before a point can be looked at."""

    line: int
    flop: tuple[int, ...]
    above: str  # the line on the flop and the turn's card; empty for the flop itself
    game: PostflopGame


class AfterFlop:
    """Flops, turns and rivers of a full game, found when they are asked for.

    Args:
        full: the game and its preflop strategies.
        options: how flops and turns are solved; to 0.3 % of the pot if they have no rule.
    """

    def __init__(self, full: "UnifiedSolution", options: SolveOptions | None = None) -> None:
        self.full, self.options = full, options or SolveOptions()
        self._kept: dict[_Key, Solution] = {}

    def point(self, line: int, flop: Sequence[int], tokens: Sequence[str]) -> Point:
        """Where actions and cards lead on a flop after a line of this number."""
        cards = tuple(flop)
        row = self._row(line, cards)
        if row is None:
            key = _key(line, cards)
            return _in_suits(
                self._solved(key, lambda: self.full.spot_game(line, cards)), cards, tokens
            )
        seen, turn = self._seen(line, cards, row, tokens)
        if isinstance(turn, Point):
            return turn
        above, first, entry, card = turn
        solved = self._solved((line, cards, above), lambda: seen.turn_game(entry, card))
        node = solved.node(tokens[first:])
        return Point(replace(node, line=f"{above} {node.line}".strip()), solved, node.line)

    def missing(self, line: int, flop: Sequence[int], tokens: Sequence[str]) -> Missing | None:
        """What `point` would have to solve first; None if nothing."""
        cards = tuple(flop)
        row = self._row(line, cards)
        if row is None:
            if _key(line, cards) in self._kept:
                return None
            return Missing(line, cards, "", self.full.spot_game(line, cards))
        seen, turn = self._seen(line, cards, row, tokens)
        if isinstance(turn, Point) or (line, cards, turn.above) in self._kept:
            return None
        return Missing(line, cards, turn.above, seen.turn_game(turn.entry, turn.card))

    def put(self, found: Missing, solution: Solution) -> None:
        """Keep what was missing, solved elsewhere; a flop may be one of other suits."""
        key = (found.line, found.flop, found.above)
        self._keep(key if found.above else _key(found.line, found.flop), solution)

    def drop(self, solution: Solution) -> None:
        """Keep a solution no longer."""
        self._kept = {key: one for key, one in self._kept.items() if one is not solution}

    def is_at_hand(self, line: int, flop: Sequence[int]) -> bool:
        """Whether a flop has rows, or was solved for an earlier question."""
        cards, rows = tuple(flop), self.full.rows
        return _key(line, cards) in self._kept or (rows is not None and rows.has(cards, line))

    def solve_flop(self, line: int, flop: Sequence[int]) -> None:
        """Solve a flop though it has rows: EVs are then known all over it."""
        cards = tuple(flop)
        self._solved(_key(line, cards), lambda: self.full.spot_game(line, cards))

    def _row(self, line: int, cards: tuple[int, ...]) -> FlopRow | None:
        """What is looked up of a flop; None if it was or has to be solved."""
        rows = self.full.rows
        return None if rows is None or _key(line, cards) in self._kept else rows.read(cards, line)

    def _seen(
        self, line: int, cards: tuple[int, ...], row: FlopRow, tokens: Sequence[str]
    ) -> "tuple[SeenFlop, Point | _Turn]":
        """A flop that is looked up, and the point on it, or the turn that is solved from it."""
        game = self.full.spot_game(line, cards)
        seen, tree = SeenFlop(game, row), game.tree
        here, dealt = tree.walk(tokens, cards)
        first = next((n for n, token in enumerate(tokens, 1) if is_card(token)), len(tokens))
        entry = tree.node_at(tokens[:first])
        if not dealt or int(tree.committed[entry].min()) == game.stack:
            return seen, Point(seen.node(here, dealt), None, "")
        return seen, _Turn(tree.line_of(entry, dealt[:1]), first, entry, dealt[0])

    @property
    def _num_kept(self) -> int:
        return sum(map(_num_numbers, self._kept.values()))

    def _solved(self, key: "_Key", game: Callable[[], PostflopGame]) -> Solution:
        """Kept from an earlier question, or solved now."""
        from poker_solver.postflop.solve.solver import solve_spot  # loads a compiler

        if key not in self._kept:
            found = solve_spot(game(), self.options.stopping(POSTFLOP_TARGET_PCT))
            if found.record.stopped == "interrupted":  # whoever asked does not want it any more
                raise KeyboardInterrupt
            self._keep(key, found)
        return self._kept[key]

    def _keep(self, key: "_Key", solution: Solution) -> None:
        self._kept[key] = solution
        while len(self._kept) > 1 and self._num_kept > _MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))


class _Turn(NamedTuple):
    """Where a turn is solved from a flop that is looked up."""

    above: str  # the line to it, its card at the end
    first: int  # tokens of that line
    entry: int  # the node after the card
    card: int


_Key = tuple[int, tuple[int, ...], str]
"""A line, a flop, and the line on it to a turn; of a flop itself, the one that stands for it."""


def _num_numbers(solution: Solution) -> int:
    """That it has in memory; one without rivers has few."""
    if solution.strategy.weights is not None:
        return solution.layout.num_elements
    return sum(array.size for array in solution.strategy.arrays().values())


def _key(line: int, cards: Sequence[int]) -> _Key:
    return line, canonical_board(cards)[0], ""


def _in_suits(solved: Solution, cards: tuple[int, ...], tokens: Sequence[str]) -> Point:
    """A point of a solved flop, whose suits may have other names than those asked for."""
    found = FlopFinder([cards_to_string(solved.game.cards)]).find(cards)
    assert found is not None  # it was kept under this flop
    there, back = found[1], inverse(found[1])
    node = solved.node([_renamed(token, there) for token in tokens])
    shown = renamed_node(node, back)
    board = cards_to_string(cards) + shown.board[2 * len(cards) :]
    return Point(replace(shown, board=board), solved, node.line, back)


def _renamed(token: str, suits: Permutation) -> str:
    """A card of a line by its other name; actions stay."""
    if not is_card(token):
        return token
    return cards_to_string(permute_cards(cards_from_string(token), suits))


class Seen(ABC):
    """A line on a flop whose strategies are known, but not what they come to.

    EVs are known where nobody will act any more, and at the start if they were kept; elsewhere
    they are NaN.
    """

    game: PostflopGame

    @abstractmethod
    def mix(self, node: int, dealt: Sequence[int]) -> F64:
        """[A, 1326] what is played at a decision, once these cards have fallen on the flop."""

    def first_values(self, player: int) -> F64:
        """[1326] chips that a player's hands take out of the pot at the flop."""
        return np.full(NUM_COMBOS, np.nan)

    def reach(self, node: int, dealt: Sequence[int]) -> F64:
        """[2, 1326] who comes to a node with which hands, once these cards have fallen."""
        tree, found = self.game.tree, self.game.weights * unblocked(dealt)
        while node > 0:
            parent = int(tree.parent[node])
            if tree.is_decision[parent]:
                mix = self.mix(parent, dealt[: tree.street[parent] - FLOP])
                found[tree.actor[parent]] *= mix[node - tree.children(parent).start]
            node = parent
        return found

    def node(self, node: int, dealt: Sequence[int]) -> SolutionNode:
        """A node on the flop, or after an all-in was called."""
        tree, game = self.game.tree, self.game
        reach, board = self.reach(node, dealt), (*game.cards, *dealt)
        oop, ip = (self._player(player, node, reach, board) for player in (OOP, IP))
        acts = bool(tree.is_decision[node])
        actor = int(tree.actor[node]) if acts else OOP
        strategy = self.mix(node, dealt)[:, (oop, ip)[actor].combos] if acts else np.empty((0, 0))
        ev_actions = np.full_like(strategy, np.nan)
        for which, child in enumerate(tree.children(node) if acts else ()):
            if tree.kind[child] == FOLD:
                ev_actions[which] = 0.0
        paid = tree.committed[node].tolist()
        return SolutionNode(
            line=tree.line_of(node, dealt),
            board=cards_to_string(board),
            kind=KINDS[int(tree.kind[node])],
            labels=tree.labels(node),
            player=PLAYERS[actor] if acts else None,
            pot=tree.pot_chips(node),
            behind=(game.stack - paid[OOP], game.stack - paid[IP]),
            actions=tree.actions(node),
            amounts=tuple(int(tree.amount[child]) for child in tree.children(node) if acts),
            strategy=strategy.astype(np.float32),
            ev_actions=ev_actions.astype(np.float32),
            players=(oop, ip),
            locked=np.zeros(strategy.shape[1], bool),
        )

    def _player(self, player: int, node: int, reach: F64, board: Sequence[int]) -> PlayerNode:
        """Hands that come to the flop and that the board leaves."""
        combos = np.flatnonzero(self.game.weights[player] * unblocked(board)).astype(np.int32)
        other = reach[1 - player]
        met = disjoint_sum(other)[combos]
        met[met < _ROUNDING * other.sum()] = 0.0
        own = np.zeros(NUM_COMBOS)
        own[combos] = 1.0
        try:
            equity = range_equity(own, other, board).players[0].equity_by_combo[combos]
        except InputError:  # nobody gets here, or every hand blocks every other
            equity = np.full(len(combos), np.nan)
        ev = np.where(met > 0, self._ev(player, node, combos, equity), np.nan)
        rows = (reach[player, combos], met, ev, equity)
        return PlayerNode(PLAYERS[player], combos, *(row.astype(np.float32) for row in rows))

    def _ev(self, player: int, node: int, combos: NDArray[np.int32], equity: F64) -> F64:
        """[H] chips out of the pot as it lies here; NaN where that is not known."""
        tree, rake = self.game.tree, self.game.betting.rake
        won = tree.won_chips(node)
        if node == 0:
            return self.first_values(player)[combos]
        if tree.kind[node] == FOLD:
            takes = int(tree.folder[node]) != player
            left = tree.pot_chips(node) - rake.taken(won) if takes else 0.0
            return np.full(len(combos), left)
        is_all_in = int(tree.committed[node].min()) == self.game.stack
        if is_all_in:
            return equity * (won - rake.taken(won))
        return np.full(len(combos), np.nan)


@dataclass(frozen=True, eq=False)
class SeenFlop(Seen):
    """What a row has: strategies on the flop and values at its start."""

    game: PostflopGame
    row: FlopRow

    @cached_property
    def _rows(self) -> dict[int, range]:
        return decision_rows(self.game.tree)

    def mix(self, node: int, dealt: Sequence[int] = ()) -> F64:
        """See `Seen`; of decisions on the flop."""
        rows = self._rows[node]
        return mixes(self.row.strategy[rows.start : rows.stop])

    def first_values(self, player: int) -> F64:
        """See `Seen`."""
        known: F64 = self.row.values[player].astype(np.float64)
        return known

    def turn_game(self, entry: int, card: int) -> PostflopGame:
        """What is played from a node after the turn's card on."""
        cards = (*self.game.cards, card)
        return PostflopGame(cards, self.reach(entry, (card,)), betting_from(self.game, entry))
