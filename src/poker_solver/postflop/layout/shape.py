"""What games of one betting, with as many boards and hands, have in common: it is laid out once."""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from poker_solver.config.spot import PostflopBetting
from poker_solver.games.betting import DEAL, NONE, RIVER
from poker_solver.kernels.postflop import LANES, Locks, River, Street
from poker_solver.postflop.layout.offsets import Offsets, find_offsets
from poker_solver.postflop.layout.river_programs import (
    lower_columns,
    lower_ends,
    lower_folds,
    lower_programs,
)
from poker_solver.trees.betting import BettingTree, build_betting_tree
from poker_solver.trees.lines import Group, chip_payoffs, in_batches, make_groups, street_lines


@dataclass(frozen=True, eq=False)
class Shape:
    """Lines of play, where their state stands, and the templates that kernels of the CPU walk.

    Everything is worked out when first asked for.
    """

    betting: PostflopBetting  # equal where the same can be played for the same chips
    tree: BettingTree
    num_boards: tuple[int, ...]  # of each street
    width: tuple[int, int]  # of each player's rows of hands

    @cached_property
    def payoff(self) -> NDArray[np.float64]:
        """[2, N, 3] chips of each player, see `chip_payoffs`."""
        return chip_payoffs(self.tree, self.betting.rake)

    @cached_property
    def groups(self) -> dict[int, tuple[Group, ...]]:
        """Of each street: single lines above the river, there batches of up to 16 ends."""
        found = {}
        for street in range(self.tree.first_street, RIVER + 1):
            lines = street_lines(self.tree, street)
            grouped = [[line] for line in lines]
            if street == RIVER:
                grouped = in_batches(lines, LANES, lambda line: max(line.num_folds, line.num_shows))
            found[street] = make_groups(self.tree, self.payoff, grouped)
        return found

    def nodes(self, street: int) -> NDArray[np.int64]:
        """Those of the tree, in the order of the groups."""
        return np.array([node.node for group in self.groups[street] for node in group.nodes])

    @cached_property
    def offsets(self) -> Offsets:
        """Where the state of every decision begins."""
        return find_offsets(self.groups, self.num_boards, self.width)

    def num_before(self, street: int) -> int:
        """Elements before a street; they stand before its own."""
        acts = self.tree.is_decision & (self.tree.street >= street)
        return int(self.offsets.offset[acts].min()) if acts.any() else self.offsets.num_elements

    @cached_property
    def num_upper(self) -> int:
        """Elements before the river."""
        return self.num_before(RIVER)

    @cached_property
    def num_deals(self) -> tuple[int, ...]:
        """Of each upper street."""
        deals = self.tree.street[self.tree.kind == DEAL]
        first = self.tree.first_street
        return tuple(int((deals == street).sum()) for street in range(first, RIVER))

    @cached_property
    def streets(self) -> tuple[Street, ...]:
        """Upper streets, from the first, without locks."""
        return tuple(map(self._street, range(self.tree.first_street, RIVER)))

    def _street(self, street: int) -> Street:
        nodes = self.nodes(street)
        return Street(
            *lower_columns(self.groups[street]),
            *self.offsets.of(nodes),
            payoff=np.ascontiguousarray(self.payoff[:, nodes, 0], np.float32),
            locks=_no_locks(len(nodes), self.num_boards[street], max(self.width)),
        )

    @cached_property
    def river(self) -> River:
        """The river, without locks."""
        groups, nodes = self.groups[RIVER], self.nodes(RIVER)
        sizes = [
            rows * width
            for group in groups
            for rows, width in zip(group.num_rows, self.width, strict=True)
        ]
        group_start = np.cumsum([0, *(len(group.nodes) for group in groups)]).astype(np.int32)
        ends = lower_ends(groups)
        part_start = self.offsets.offset[nodes].min() + np.cumsum([0, *sizes])
        return River(
            group_start,
            *lower_columns(groups),
            *self.offsets.of(nodes),
            part_start,
            np.ascontiguousarray(self.payoff[:, nodes], np.float32),
            *lower_programs(groups, self.offsets.offset),
            *ends,
            *lower_folds(groups, joined=ends[2]),
            locks=_no_locks(len(nodes), self.num_boards[RIVER], max(self.width)),
        )


@lru_cache(maxsize=256)
def kept_shape(
    betting: PostflopBetting, num_boards: tuple[int, ...], width: tuple[int, int]
) -> Shape:
    """The shape of such games; the last ones are kept, for the next spot that is alike."""
    return Shape(betting, build_betting_tree(betting), num_boards, width)


@cache
def no_street() -> Street:
    """One that is not played: it has no nodes."""
    none, far = np.zeros(0, np.int32), np.zeros(0, np.int64)
    payoff, locks = np.zeros((2, 0), np.float32), _no_locks(0, 0, 0)
    return Street(
        kind=none, parent=none, first_child=none, num_children=none, entry=none, offset=far,
        stride=far, scale_at=far, scale_stride=np.int64(0), payoff=payoff, locks=locks,
    )  # fmt: skip


def _no_locks(num_nodes: int, num_boards: int, width: int) -> Locks:
    """Those of a street that has none."""
    return Locks(
        node=np.full(num_nodes, NONE, np.int32),
        table=np.zeros((0, num_boards), np.int32),
        is_fixed=np.zeros((0, width), bool),
        policy=np.zeros((0, 0, width), np.float32),
    )
