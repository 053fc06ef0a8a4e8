"""The stored strategy inside a game that is searched: what its hands are worth there, exactly.

Only where the tree is the stored one, to the chip, and the tables have every street below.
"""

import numpy as np

from poker_solver.cards import unblocked
from poker_solver.errors import NotFoundError
from poker_solver.games.betting import FLOP
from poker_solver.kernels.arrays import F32, F64
from poker_solver.kernels.postflop import BEST
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.layout.layout import Layout
from poker_solver.postflop.layout.state import state_rows
from poker_solver.subgame.stored import StoredLine
from poker_solver.trees.betting import BettingTree


def stored_sums(line: StoredLine, street: int, layout: Layout) -> F32 | None:
    """[elements] what is stored for a game that begins where a street does; None if nothing is."""
    tables, number = line.stored.tables, line.number
    root = line.street_root(street)
    if tables is None or number is None or root is None:
        return None
    whole = line.stored.solution.game.lines[number].tree
    same = _same_nodes(layout.tree, whole, root)
    if same is None:
        return None
    sums = np.zeros(layout.num_elements, np.float32)
    tree, runouts, decisions = layout.tree, layout.runouts, tables.shape.decisions[number]
    try:
        for on in range(street, len(runouts.num_boards)):
            nodes = np.flatnonzero(tree.is_decision & (tree.street == on)).tolist()
            for board, cards in enumerate(runouts.boards(on).tolist()):
                table, free = tables.board(number, tuple(cards)), unblocked(cards)
                for node in nodes:
                    mix = table.mix(decisions[on - FLOP][same[node]], free)
                    rows = state_rows(layout, sums, node, board, board + 1)[0]
                    rows[:] = mix[:, layout.combos[tree.actor[node]]]
    except NotFoundError:  # a flop that was not trained
        return None
    return sums


def stored_values(line: StoredLine, street: int, layout: Layout, player: int) -> F64 | None:
    """[H] cfv that a player's best responses have against what is stored; None if nothing is."""
    sums = stored_sums(line, street, layout)
    if sums is None:
        return None
    engine = PostflopEngine(layout)
    engine.policy_sum[:] = sums
    return engine.run_pass(player, BEST, np.zeros(3, np.float32)).astype(np.float64)


def _same_nodes(tree: BettingTree, whole: BettingTree, root: int) -> dict[int, int] | None:
    """Every node of a tree in one that has it below a root; None if it has not, to the chip."""
    found = {0: root}
    for node in range(tree.num_nodes):
        there = found[node]
        if tree.actions(node) != whole.actions(there) or tree.kind[node] != whole.kind[there]:
            return None
        found |= dict(zip(tree.children(node), whole.children(there), strict=True))
    return found
