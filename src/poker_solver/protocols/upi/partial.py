"""Solving below one node, for the ranges that get there; all the rest stays as it is.

The node's street is solved from where it begins, with what is played on the way to the node
locked; what comes of branches beside it is thrown away. Boards that differ in the names of suits
only have one strategy, so they change together.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from poker_solver.cfr.options import SolveOptions
from poker_solver.errors import InputError
from poker_solver.games.betting import NONE
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.solution.riverless import betting_from, same_nodes
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solution.strategy import HostStrategy, mixes
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.protocols.upi.ids import RealNode
from poker_solver.protocols.upi.numbers import range_at, strategy_at
from poker_solver.protocols.upi.tree import Tree
from poker_solver.trees.betting import BettingTree
from poker_solver.trees.locks import LockedNode


def solve_below(tree: Tree, place: RealNode, options: Callable[[int], SolveOptions]) -> str:
    """Solve by the options for the pot that lies there; why it stopped."""
    solution = tree.now()
    if solution.strategy.weights is None:
        raise InputError("rivers were not saved, so none can be changed; go solves them")
    if not solution.tree.is_decision[place.node]:
        raise InputError(f"nobody acts at {tree.ids.name(place)}")
    runouts, street = solution.layout.runouts, int(solution.tree.street[place.node])
    board, _ = runouts.locate(place.dealt)
    cards = runouts.boards(street)[board].tolist()  # those that stand for it
    place = RealNode(place.node, tuple(cards[len(solution.game.cards) :]))
    game = _subgame(tree, solution, place)
    solver = PostflopSolver(game, device=tree.hardware.device, threads=tree.hardware.threads)
    found = solver.go_on(options(game.pot)).on_host()
    tree.play(_with(solution, found, place))
    return solver.run.stopped


def _subgame(tree: Tree, solution: Solution, place: RealNode) -> PostflopGame:
    """The game from where the node's street begins, with what leads to the node locked."""
    betting, whole = solution.tree, solution.game
    entry = RealNode(solution.values.ranges.entry(place.node), place.dealt)
    reach = np.stack([range_at(solution, entry, player) for player in (0, 1)])
    if not reach.any(axis=1).all():
        raise InputError(f"nobody gets to {tree.ids.name(place)}")
    game = PostflopGame(
        (*whole.cards, *place.dealt),
        reach / reach.max(axis=1, keepdims=True),
        betting_from(whole, entry.node),
    )
    below = same_nodes(betting, entry.node, game.tree)
    fixed = {}
    for lock in tree.locks.values():
        here, after = lock.dealt[: len(place.dealt)], lock.dealt[len(place.dealt) :]
        on_board = all(a in (NONE, b) for a, b in zip(here, place.dealt, strict=False))
        if lock.node in below and on_board:
            fixed[below[lock.node], after] = lock.hands, lock.policy
    node = place.node
    while node != entry.node:
        node = int(betting.parent[node])
        policy = strategy_at(solution, RealNode(node, place.dealt))
        fixed[below[node], ()] = policy.sum(axis=0) > 0, policy
    locks = []
    for (node, dealt), (hands, policy) in fixed.items():
        held = hands & (game.weights[game.tree.actor[node]] > 0)
        if held.any():
            locks.append(LockedNode("", node, dealt, held, policy * held))
    return replace(game, locks=tuple(locks))


def _with(solution: Solution, found: Solution, place: RealNode) -> Solution:
    """The solution with what was found below a node."""
    layout, inner = solution.layout, found.layout
    changed = solution.weights.astype(np.float32)
    known = len(inner.game.cards)
    below = same_nodes(layout.tree, solution.values.ranges.entry(place.node), inner.tree)
    for node in _decisions_below(layout.tree, place.node):
        same = below[node]
        player, street = int(layout.tree.actor[node]), int(layout.tree.street[node])
        hands = np.searchsorted(layout.combos[player], inner.combos[player])
        cards = layout.runouts.boards(street)
        boards = np.flatnonzero((cards[:, :known] == inner.game.cards).all(axis=1))
        for board in boards.tolist():
            there, way = inner.runouts.locate(cards[board, known:].tolist())
            rows = mixes(found.strategy.rows(same, range(there, there + 1))[0])
            moved = found.values.ranges.moved(player, way)
            state_rows(layout, changed, node, board, board + 1)[0][:, hands] = rows[:, moved]
    return replace(solution, strategy=HostStrategy(layout, changed))


def _decisions_below(tree: BettingTree, top: int) -> list[int]:
    """A decision and all that follow it."""
    nodes = [top]
    for node in nodes:
        nodes += tree.children(node)
    return [node for node in nodes if tree.is_decision[node]]
