"""A spot as the arrays the postflop kernels walk: shape, hands, boards; nothing that changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.cards.isomorphism import Permutation
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import Boards, River, Street
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.boards import lower_boards
from poker_solver.postflop.layout.hands import RankedHands
from poker_solver.postflop.layout.locks import LockTables
from poker_solver.postflop.layout.offsets import padded
from poker_solver.postflop.layout.shape import Shape, kept_shape
from poker_solver.postflop.plan import Plan, plan
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.runouts import Runouts

Int = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Layout:
    """Everything about a spot that a solve only reads."""

    game: PostflopGame
    shape: Shape  # betting, and how many boards and hands: the same for many spots
    runouts: Runouts
    combos: tuple[Int, Int]  # [H] of each player, ascending
    reach: tuple[NDArray[np.float32], NDArray[np.float32]]  # [H] weights
    boards: Boards
    lock_tables: LockTables  # made from locks, boards and combos
    ranked: RankedHands  # made from boards and combos alone
    has_own_reach: bool = True  # `reach` has the weights of the game, not others

    @property
    def tree(self) -> BettingTree:
        """What can be played."""
        return self.shape.tree

    @cached_property
    def num_pairs(self) -> float:
        """Weighted pairs of hands that share no card."""
        return float(self.reach[0] @ met_by_oop(self.combos, self.reach))

    @property
    def width(self) -> tuple[int, int]:
        """Of each player's rows of hands: a multiple of 16, the last ones empty."""
        return self.shape.width

    @property
    def streets(self) -> tuple[Street, ...]:
        """Upper streets, from the spot's own."""
        if not self.game.locks:
            return self.shape.streets
        first, tables = self.tree.first_street, self.lock_tables.by_street
        return tuple(
            part._replace(locks=tables[first + s]) for s, part in enumerate(self.shape.streets)
        )

    @property
    def river(self) -> River:
        """The river."""
        if not self.game.locks:
            return self.shape.river
        return self.shape.river._replace(locks=self.lock_tables.by_street[RIVER])

    @property
    def num_elements(self) -> int:
        """Node x action x width over all boards."""
        return self.shape.offsets.num_elements

    @property
    def offset(self) -> NDArray[np.int64]:
        """[N] of the tree: where a decision's state begins on board 0."""
        return self.shape.offsets.offset

    @property
    def stride(self) -> NDArray[np.int64]:
        """[N] from one board to the next."""
        return self.shape.offsets.stride

    @property
    def has_rake(self) -> bool:
        """Whether the pot is raked at all."""
        rake = self.game.betting.rake
        return rake.rate > 0 and rake.cap > 0


def lay_out(
    spot: Spot | PostflopGame, *, symmetries: Sequence[Permutation] | None = None
) -> Layout:
    """Plan a spot and lay it out; see `plan` and `layout_of`."""
    return layout_of(plan(spot, symmetries=symmetries))


def layout_of(planned: Plan) -> Layout:
    """Find the shape, the boards and both players' hands."""
    game, runouts, combos = planned.game, planned.runouts, planned.combos
    if unmet := [lock.line for lock in game.locks if lock.is_open]:
        raise InputError(f"the lock at {unmet[0]!r} is a frequency; only solve works out its hands")
    reach = [w[c].astype(np.float32) for w, c in zip(game.weights, combos, strict=True)]
    width = (padded(len(combos[0])), padded(len(combos[1])))
    shape = kept_shape(game.betting, runouts.num_boards, width)
    return Layout(
        game=game,
        shape=shape,
        runouts=runouts,
        combos=combos,
        reach=(reach[0], reach[1]),
        boards=lower_boards(runouts),
        lock_tables=LockTables(game.locks, runouts, combos, shape),
        ranked=RankedHands(runouts, combos),
    )


def met_by_oop(
    combos: tuple[Int, Int], reach: Sequence[NDArray[np.float32]]
) -> NDArray[np.float64]:
    """[H] weight of IP's hands that share no card with each of OOP's."""
    other = np.zeros(NUM_COMBOS)
    other[combos[1]] = reach[1]
    return disjoint_sum(other)[combos[0]]
