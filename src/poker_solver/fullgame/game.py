"""A full game as engines take it: betting before the flop, the lines that see one, flops, hands.

Pairs of hands are dealt uniformly. Flop f, with weight w_f of 22,100, stands for its variants by
renaming suits; given two hands that it does not block, it has measure w_f / 17,296. With all flops
that is the real game; with a subset it stays zero-sum, and it is 1 on average over all pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_CLASSES, NUM_COMBOS, cards_from_string
from poker_solver.cards.classes import COMBO_CLASS
from poker_solver.cards.flops import FlopSet
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.spot import PostflopBetting
from poker_solver.games.betting import POSITIONS, BettingRules
from poker_solver.kernels.range_cfr import Tree
from poker_solver.postflop.game import PostflopGame
from poker_solver.preflop.arrays import flop_nodes, kernel_tree
from poker_solver.preflop.deal import ClassDeal, class_deal
from poker_solver.trees.betting import BettingTree, build_betting_tree

F64 = NDArray[np.float64]

FLOPS_FOR_TWO_HANDS = 17_296
"""Flops that two hands leave: 48 choose 3."""


@dataclass(frozen=True)
class FlopLine:
    """An end of the betting before the flop that sees one with chips behind."""

    node: int  # of the tree before the flop
    history: tuple[str, ...]
    betting: PostflopBetting  # what can be played from the flop on

    @property
    def tree(self) -> BettingTree:
        """The same as a tree."""
        return build_betting_tree(self.betting)

    def __str__(self) -> str:
        """`SBr2.5 BBc`."""
        seats = (POSITIONS[1 - k % 2] for k in range(len(self.history)))
        return " ".join(map("".join, zip(seats, self.history, strict=True)))


@dataclass(frozen=True, eq=False)
class FullGame:
    """Everything about a full game but its flops, of which many sets may stand for all."""

    rules: BettingRules  # of four streets
    deal: ClassDeal

    @cached_property
    def tree(self) -> BettingTree:
        """What can be played before the flop."""
        return build_betting_tree(replace(self.rules, postflop=()))

    @cached_property
    def lines(self) -> tuple[FlopLine, ...]:
        """[K] where a flop is seen with chips behind, in the order of the tree."""
        tree = self.tree
        return tuple(self._line(node, tree.history(node)) for node in self.leaves.tolist())

    def _line(self, node: int, history: tuple[str, ...]) -> FlopLine:
        """A line by the rules of four streets, which also know the type of its pot."""
        return FlopLine(node, history, self.rules.flop_betting(self.rules.play(history).state))

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """[K] the nodes of the lines."""
        return flop_nodes(self.tree)

    @property
    def num_classes(self) -> int:
        """C, 169 unless fewer are dealt."""
        return len(self.deal.classes)

    @cached_property
    def classes(self) -> NDArray[np.int32]:
        """[C] which of the 169."""
        return np.array(self.deal.classes, np.int32)

    @cached_property
    def combo_weights(self) -> F64:
        """[1326] 1 for every combo of these classes."""
        return np.isin(COMBO_CLASS, self.classes).astype(np.float64)

    def by_combo(self, of_classes: F64) -> F64:
        """[.., 1326] what holds for [.., C] classes, for each combo; 0 where it is not dealt."""
        index = np.full(NUM_CLASSES, -1)
        index[self.classes] = np.arange(self.num_classes)
        held = index[COMBO_CLASS]
        return np.where(held >= 0, of_classes[..., held], 0.0)

    def kernel_tree(self) -> Tree:
        """The betting before the flop, with lines as leaves whose values come from outside."""
        return kernel_tree(self.tree, self.deal.num_deals, self.leaves)

    def spot(
        self, line: FlopLine, flop: str, held: NDArray[np.bool_] | None = None
    ) -> PostflopGame:
        """A line on a flop with all hands of both players, or [2, C] those of these classes."""
        weights = np.broadcast_to(self.combo_weights, (2, NUM_COMBOS))
        if held is not None:
            weights = np.stack([np.isin(COMBO_CLASS, self.classes[own]) * 1.0 for own in held])
        return PostflopGame(tuple(cards_from_string(flop)), weights, line.betting)

    def measure(self, flops: FlopSet) -> F64:
        """[F] bb per deal that a chip is worth which a class wins on each flop."""
        weights = np.array(flops.weights)
        return weights / (FLOPS_FOR_TWO_HANDS * self.deal.num_deals * CHIPS_PER_BB)


def full_game(rules: BettingRules, classes: Sequence[int] | None = None) -> FullGame:
    """The game of some rules, all hands dealt unless classes are given."""
    return FullGame(rules, class_deal(classes))
