"""One player's strategy and range on real cards, all 1,326 combos; no values."""

from collections.abc import Mapping, Sequence

import numpy as np

from poker_solver.cards import NUM_COMBOS, unblocked
from poker_solver.postflop.solution.ranges import Ranges
from poker_solver.postflop.solution.strategy import F64
from poker_solver.trees.locks import LockedNode


def real_strategy(ranges: Ranges, node: int, dealt: Sequence[int]) -> F64:
    """[A, 1326] of the player to act, after these cards; 0 for hands not in his range."""
    layout, tree = ranges.layout, ranges.tree
    board, renaming = layout.runouts.locate(dealt)
    player = int(tree.actor[node])
    strategy = np.zeros((int(tree.num_children[node]), NUM_COMBOS))
    mix = ranges.mix(node, board)
    strategy[:, layout.combos[player]] = mix[:, ranges.moved(player, renaming)]
    return strategy


def deals(
    ranges: Ranges, node: int, dealt: Sequence[int], instead: Mapping[int, F64] | None = None
) -> F64:
    """[1326] how many deals get to a decision with each hand of the player to act.

    `instead` has strategies, by node, to use in place of those that `ranges` has.
    """
    layout, player = ranges.layout, int(ranges.tree.actor[node])
    own, other = (_reach(ranges, node, dealt, who, instead or {}) for who in (player, 1 - player))
    met = np.zeros(NUM_COMBOS)
    opponent = other[layout.combos[1 - player]]
    met[layout.combos[player]] = ranges.met(player, opponent)
    return own * met


def _reach(
    ranges: Ranges, node: int, dealt: Sequence[int], player: int, instead: Mapping[int, F64]
) -> F64:
    """[1326] a player's weights times his own actions on the way to a node."""
    tree, first = ranges.tree, ranges.tree.first_street
    reach: F64 = ranges.layout.game.weights[player] * unblocked(dealt)
    while node > 0:
        parent = int(tree.parent[node])
        if tree.actor[parent] == player:
            strategy = instead.get(parent)
            if strategy is None:
                strategy = real_strategy(ranges, parent, dealt[: int(tree.street[parent]) - first])
            reach *= strategy[tree.children(parent).index(node)]
        node = parent
    return reach


def reached(ranges: Ranges, lock: LockedNode) -> F64:
    """[A] how often each action is taken where one board is locked, over the deals that get there.

    All locked hands alike where none gets there.
    """
    strategy = real_strategy(ranges, lock.node, lock.dealt)
    weight = np.where(lock.hands, deals(ranges, lock.node, lock.dealt), 0.0)
    weight = weight / weight.sum() if weight.sum() > 0 else lock.hands / lock.hands.sum()
    often: F64 = strategy @ weight
    return often
