"""Locks as the kernels read them: by street, node, board and hand; see `kernels.postflop.Locks`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.games.betting import NONE
from poker_solver.kernels.postflop import Locks
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import LockedNode
from poker_solver.trees.runouts import Runouts

Int = NDArray[np.integer[Any]]


def street_locks(
    locks: Sequence[LockedNode],
    tree: BettingTree,
    runouts: Runouts,
    combos: tuple[Int, Int],
    width: int,
    nodes: Int,
) -> Locks:
    """The locks at these nodes, all of one street, on its representative boards.

    Boards on which the same locks hold share a table.
    """
    street = int(tree.street[nodes[0]])
    dealt = runouts.boards(street)[:, len(runouts.board) :]  # [B, cards]
    locked = [n for n in nodes.tolist() if any(lock.node == n for lock in locks)]
    index = np.full(len(nodes), NONE, np.int32)
    table = np.full((len(locked), len(dealt)), NONE, np.int32)
    tables: dict[tuple[int, ...], int] = {}
    for k, node in enumerate(locked):
        index[nodes.tolist().index(node)] = k
        here = [i for i, lock in enumerate(locks) if lock.node == node]
        for b, cards in enumerate(dealt.tolist()):
            hold = tuple(i for i in here if locks[i].holds_on(cards))
            if hold:
                table[k, b] = tables.setdefault(hold, len(tables))
    most = max((int(tree.num_children[n]) for n in locked), default=0)
    is_fixed = np.zeros((len(tables), width), bool)
    policy = np.zeros((len(tables), most, width), np.float32)
    for hold, row in tables.items():
        for i in hold:
            own = combos[tree.actor[locks[i].node]]
            is_fixed[row, : len(own)] |= locks[i].hands[own]
            policy[row, : len(locks[i].policy), : len(own)] += locks[i].policy[:, own]
    return Locks(index, table, is_fixed, policy)
