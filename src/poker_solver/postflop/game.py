"""A postflop game as arrays: what engines take, whether a person wrote it or another solve did.

A `Spot` is text; `PostflopGame.of` reads it, and nothing goes the other way.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Union

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import cards_to_string, unblocked
from poker_solver.cards.combos import disjoint_sum, frozen
from poker_solver.cards.ranges import check_weights
from poker_solver.config.spot import PostflopBetting, Spot
from poker_solver.errors import InputError
from poker_solver.trees.betting import BettingTree, build_betting_tree
from poker_solver.trees.locks import LockedNode, find_locks

MOST_BLOCKED = 16.0
"""So many times the weight of the pairs of hands that can meet may all pairs have.

A terminal found by taking blocked hands off a sum in float32 is off by up to 4e-6 of its stake
times the reach of all the opponent's hands (`kernels.postflop`), blocked or not. Over all own hands
that is 4e-6 of the stake times the weight of all pairs, and EVs are divided by the weight of those
that can meet: with 16, 7e-5 of the stake at most. Whole ranges have 1.1, `AA` against `AA` has 6.
Above it hands are added up one against one another, and nothing is taken off.
"""


@dataclass(frozen=True, eq=False)
class PostflopGame:
    """Board, ranges, betting and locks of a game after the flop; checked when it is made."""

    cards: tuple[int, ...]  # the board, in the order dealt
    weights: NDArray[np.float64]  # [2, 1326] of OOP and IP, read-only; 0 for what the board blocks
    betting: PostflopBetting
    locks: tuple[LockedNode, ...] = ()  # nodes are those of `tree`

    def __post_init__(self) -> None:
        if len(self.cards) != self.betting.num_cards or len(set(self.cards)) != len(self.cards):
            board = cards_to_string(self.cards)
            raise InputError(
                f"board {board!r}: the betting begins on {self.betting.num_cards} cards"
            )
        oop, ip = map(check_weights, self.weights)
        weights = np.where(unblocked(self.cards), (oop, ip), 0.0)
        oop, ip = np.sign(weights)  # counts are exact, weights may not cancel
        are_many = oop.any() and ip.sum() > 101  # a hand shares a card with no more than those
        if not are_many and not oop @ disjoint_sum(ip) > 0:
            raise InputError("no hand of one range can meet a hand of the other")
        object.__setattr__(self, "weights", frozen(weights))

    @classmethod
    def of(cls, spot: Union[Spot, "PostflopGame"]) -> "PostflopGame":
        """What a spot asks for; a `ConfigError` says what is wrong with its locks."""
        if isinstance(spot, PostflopGame):
            return spot
        locks = find_locks(spot, build_betting_tree(spot.betting)) if spot.locks else ()
        return cls(spot.cards, np.stack(spot.weights), spot.betting, locks)

    @cached_property
    def would_cancel(self) -> bool:
        """Whether sums over all hands less the blocked ones are too rough: see `MOST_BLOCKED`."""
        oop, ip = self.weights
        return float(oop.sum() * ip.sum()) > MOST_BLOCKED * self.num_pairs

    @cached_property
    def num_pairs(self) -> float:
        """Weighted pairs of hands that share no card."""
        oop, ip = self.weights
        return float(oop @ disjoint_sum(ip))

    @cached_property
    def tree(self) -> BettingTree:
        """What can be played."""
        return build_betting_tree(self.betting)

    @property
    def board(self) -> str:
        """`QsJh2h`."""
        return cards_to_string(self.cards)

    @property
    def pot(self) -> int:
        """Chips in the middle."""
        return self.betting.pot

    @property
    def stack(self) -> int:
        """Chips behind, each."""
        return self.betting.stack

    def fingerprint(self) -> str:
        """Name this game the same way in every process: a SHA-256 over all that it has."""
        name = hashlib.sha256(repr((sorted(self.cards), self.betting)).encode())
        if self.betting.lines:
            name.update(repr(self.betting.lines).encode())
        if self.betting.overrides:
            name.update(repr(self.betting.overrides).encode())
        name.update(self.weights.tobytes())
        if self.betting.played:
            name.update(repr((self.betting.played, self.betting.only_played)).encode())
        for lock in self.locks:
            name.update(
                repr((lock.line, lock.is_open, sorted((lock.wanted or {}).items()))).encode()
            )
            name.update(lock.hands.tobytes() + lock.policy.tobytes())
        return name.hexdigest()
