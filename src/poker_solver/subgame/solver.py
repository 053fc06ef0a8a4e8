"""Decisions of a full game solved when they are asked for, with the sizes that were really played.

A street is solved where it begins, from the ranges that lead there, and kept while the hand lasts:
later decisions of the street are read from it. A bet that its tree does not have is put into a
tree of its own, which begins right after the bet.
"""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, combo_from_string
from poker_solver.cards.combos import combo_index
from poker_solver.cards.isomorphism import canonical_board, combo_permutation
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import FormatError, InputError, StrategyError
from poker_solver.games.betting import FLOP, RIVER
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout
from poker_solver.subgame.answer import CACHE, SEARCH, SubgameAnswer
from poker_solver.subgame.cache import SubgameCache
from poker_solver.subgame.config import CacheConfig, SubgameConfig
from poker_solver.subgame.hand import Board, read_hand
from poker_solver.subgame.key import SubgameKey
from poker_solver.subgame.question import Public, Question
from poker_solver.subgame.result import SolvedStreet, StreetResult
from poker_solver.subgame.search import Budget, Searcher, Take
from poker_solver.subgame.stored import Blueprint, Stored, games_of_lines, warming_games

Number = TypeVar("Number", bound=np.generic)
Holding = str | int | Sequence[int]

_WHOLE = 0.4
"""The share of its budget that a search must have had to be cached, unless it met its target."""


@dataclass(frozen=True, eq=False)
class KeptStreet:
    """A street of this hand that was searched."""

    street: SolvedStreet
    source: str


class SubgameSolver:
    """Answers decisions of a full game inside a time budget.

    Args:
        blueprint: the stored strategy: a `BlueprintStrategy` or a `UnifiedSolution`.
        abstraction: the rows that the blueprint should have; None: those that it says.
        config: when a search stops and what it guarantees.
        cache_config: what is kept of answers, and where.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        abstraction: RowsConfig | None = None,
        config: SubgameConfig | None = None,
        cache_config: CacheConfig | None = None,
    ) -> None:
        self.stored = Stored(blueprint)
        tables = self.stored.tables
        if abstraction is not None and (tables is None or tables.shape.rows != abstraction):
            raise StrategyError("the blueprint has other rows than the abstraction asks for")
        self.config = config or SubgameConfig()
        self.cache = SubgameCache(cache_config)
        self._searcher = Searcher(self.config)
        self._kept: dict[Public, KeptStreet] = {}

    def solve(self, board: Board, holding: Holding, history: str) -> dict[str, float]:
        """How often a hand, `AhKh`, plays each action at the end of a line."""
        combo = _combo(holding)
        answer = self.solve_range(board, history)
        if combo not in answer.combos:
            raise InputError(f"hand {holding} has a card of the board {answer.board}")
        return answer.mix_of(combo)

    def solve_range(self, board: Board, history: str) -> SubgameAnswer:
        """The decision at the end of a line, such as `SBr2.5 BBc | QsJh2h x b375`, for all hands.

        Args:
            board: the cards of the line again, or None.
            history: the line, with amounts of any size that poker allows.
        """
        began, stack_bb = time.perf_counter(), self.stored.solution.config.stack_bb
        question = Question(self, read_hand(self.stored.rules, stack_bb, board, history), began)
        self._forget(question.kept_as(question.last, 99))
        return question.answer()

    def warm_up(self) -> None:
        """Have compiled all that searches call, which else takes the time of the first ones."""
        first = max(FLOP, RIVER + 1 - self.config.depth_limit)
        games = warming_games(self.stored.solution, first)
        if self.config.device != "cpu":  # which has kernels for what can be played
            games = games_of_lines(self.stored.solution, first)
        self._searcher.warm_up(games)

    def new_hand(self) -> None:
        """Forget what was searched in the hand before; a line of another hand does so too."""
        self._kept.clear()

    def lay_out(self, game: PostflopGame) -> Layout:
        """A game as arrays; see `Searcher`."""
        return self._searcher.lay_out(game)

    def device_of(self, game: PostflopGame) -> str:
        """Where a game is searched; see `Searcher`."""
        return self._searcher.device_of(game)

    def has_kept(self, public: Public) -> bool:
        """Whether a street was searched in this hand."""
        return public in self._kept

    def kept(self, public: Public) -> KeptStreet:
        """One that was."""
        return self._kept[public]

    def find(
        self, public: Public, game: PostflopGame, take: Take | None, budget: Budget
    ) -> KeptStreet:
        """A street of a hand, cached or solved now, and kept from now on."""
        board, renaming = canonical_board(game.cards)
        same, take = _renamed(game, take, board, combo_permutation(renaming))
        where = self._searcher.device_of(same).partition(":")[0]
        name = replace(self.config, device=where).fingerprint()
        key = SubgameKey.of(same, take, name, self.stored.fingerprint, budget.ms)
        data, source = self._cached(key), CACHE
        if data is None:
            left_ms = 1000 * (budget.deadline - time.perf_counter())
            result, source = self._searcher.search(same, budget, take), SEARCH
            late_ms = max(result.record.ms - left_ms, 0.0)  # it was held up: others had its time
            is_good = result.record.exploitability_pct <= self.config.target_pct
            if is_good or left_ms - late_ms >= _WHOLE * budget.ms:
                self._cache(key, result.to_bytes())
        else:
            result = StreetResult.from_bytes(data)
        solved = SolvedStreet(same.tree, game.cards, result, renaming, board)
        self._kept[public] = KeptStreet(solved, source)
        return self._kept[public]

    def _cached(self, key: SubgameKey) -> bytes | None:
        """What the cache has; a disk that fails is left, the hand goes on."""
        try:
            return self.cache.get(key)
        except FormatError as error:
            self._leave_disk(error)
            return None

    def _cache(self, key: SubgameKey, payload: bytes) -> None:
        try:
            self.cache.insert(key, payload)
        except FormatError as error:
            self._leave_disk(error)

    def _leave_disk(self, error: FormatError) -> None:
        warnings.warn(f"{error}; going on without it", stacklevel=2)
        self.cache.leave_disk()

    def _forget(self, public: Public) -> None:
        """Keep only what is on the way to here."""
        for other in list(self._kept):
            if other != public[: len(other)]:  # with a player in front, also the other's
                del self._kept[other]


def _renamed(
    game: PostflopGame, take: Take | None, board: tuple[int, ...], to: NDArray[np.int16]
) -> tuple[PostflopGame, Take | None]:
    """The game with combos called `to`."""

    def moved(rows: NDArray[Number]) -> NDArray[Number]:
        found = np.zeros(rows.shape, rows.dtype)
        found[..., to] = rows
        return found

    locks = tuple(
        replace(lock, hands=moved(lock.hands), policy=moved(lock.policy)) for lock in game.locks
    )
    same = PostflopGame(board, moved(game.weights), game.betting, locks)
    if take is not None:
        assert take.forced.shape == (NUM_COMBOS,)
        take = Take(take.player, moved(take.forced), moved(take.choice), moved(take.cfv))
    return same, take


def _combo(holding: Holding) -> int:
    """Of `AhKh`, of a combo's number, or of two cards."""
    if isinstance(holding, str):
        return combo_from_string(holding)
    if isinstance(holding, int | np.integer):
        if not 0 <= holding < NUM_COMBOS:
            raise InputError(f"hand {holding}: want a combo's number, 0 to {NUM_COMBOS - 1}")
        return int(holding)
    if len(holding) != 2:
        raise InputError(f"hand {holding}: want two cards")
    return combo_index(int(holding[0]), int(holding[1]))
