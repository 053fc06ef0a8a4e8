"""Locks as the kernels read them: by street, node, board and hand; see `kernels.postflop.Locks`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import NONE
from poker_solver.kernels.postflop import Locks
from poker_solver.postflop.layout.shape import Shape
from poker_solver.trees.locks import LockedNode
from poker_solver.trees.runouts import Runouts

Int = NDArray[np.int32]


class Held(NamedTuple):
    """Hands that are locked at a decision on one board; K of them."""

    node: int  # of the tree
    board: int  # of the node's street
    hands: NDArray[np.int64]  # [K]
    policy: NDArray[np.float32]  # [A, K]


@dataclass(frozen=True, eq=False)
class LockTables:
    """The locks of a game on its representative boards, worked out when first asked for."""

    locks: tuple[LockedNode, ...]  # as written
    runouts: Runouts
    combos: tuple[Int, Int]
    shape: Shape

    @cached_property
    def by_street(self) -> dict[int, Locks]:
        """The locks of each street, its nodes as its template has them."""
        return {street: self._on(street) for street in self.shape.groups}

    def held(self, player: int) -> Iterator[Held]:
        """Every lock of a player on every board."""
        tree = self.shape.tree
        for street, locks in self.by_street.items():
            nodes = self.shape.nodes(street)
            for n in np.flatnonzero((locks.node >= 0) & (tree.actor[nodes] == player)).tolist():
                num_actions = int(tree.num_children[nodes[n]])
                for board, table in enumerate(locks.table[locks.node[n]].tolist()):
                    if table >= 0:
                        hands = np.flatnonzero(locks.is_fixed[table])
                        policy = locks.policy[table, :num_actions, hands].T
                        yield Held(int(nodes[n]), board, hands, policy)

    def _on(self, street: int) -> Locks:
        """Boards on which the same locks hold share a table."""
        tree, width = self.shape.tree, max(self.shape.width)
        nodes = self.shape.nodes(street).tolist()
        dealt = self.runouts.boards(street)[:, len(self.runouts.board) :]  # [B, cards]
        locked = [n for n in nodes if any(lock.node == n for lock in self.locks)]
        index = np.full(len(nodes), NONE, np.int32)
        table = np.full((len(locked), len(dealt)), NONE, np.int32)
        tables: dict[tuple[int, ...], int] = {}
        for k, node in enumerate(locked):
            index[nodes.index(node)] = k
            here = [i for i, lock in enumerate(self.locks) if lock.node == node]
            for b, cards in enumerate(dealt.tolist()):
                hold = tuple(i for i in here if self.locks[i].holds_on(cards))
                if hold:
                    table[k, b] = tables.setdefault(hold, len(tables))
        most = max((int(tree.num_children[n]) for n in locked), default=0)
        is_fixed = np.zeros((len(tables), width), bool)
        policy = np.zeros((len(tables), most, width), np.float32)
        for hold, row in tables.items():
            for i in hold:
                lock = self.locks[i]
                own = self.combos[tree.actor[lock.node]]
                is_fixed[row, : len(own)] |= lock.hands[own]
                policy[row, : len(lock.policy), : len(own)] += lock.policy[:, own]
        return Locks(index, table, is_fixed, policy)
