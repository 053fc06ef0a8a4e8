"""A walk over a group of lines, and hands, policies and reach to walk it with."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from poker_solver.games.betting import FOLD
from poker_solver.trees.lines import Deal, Group, Terminal

Float = NDArray[np.float64]

NUM_HANDS = (4, 5)


class Pairs(NamedTuple):
    """One player's H hands against the O of the other on one board."""

    meet: Float  # [H, O] 1 where two hands can be held at once, else 0
    order: Float  # [H, O] 1 where the player's wins, -1 where it loses, 0 where they tie


class Walked(NamedTuple):
    """What a walk finds for one player; K his rows of state."""

    values: list[Float]  # [H] cfv at each node of the group
    gain: Float  # [K, H] cfv of each action, less that of its decision: what regrets add
    played: Float  # [K, H] own reach times policy: what strategy sums add


def interpret(
    group: Group, player: int, policy: Sequence[Float], reach: Sequence[Float], pairs: Pairs,
    dealt: Sequence[Float] = (), *, best: bool = False,
) -> Walked:  # fmt: skip
    """Walk a group on one board for one player: what every lowering of it is compared with.

    Args:
        group: what is played.
        player: whose values are found.
        policy: [K, H] of each player, a row for each action.
        reach: [lines, H] of each player, the opponent's times chance.
        pairs: how the hands meet.
        dealt: [H] what follows each of the group's deals, in their order.
        best: the player plays the best action of each hand instead of his policy.
    """
    other = 1 - player
    rows = [_reach_rows(group, q, policy[q], reach[q]) for q in (0, 1)]
    follows = dict(zip((i for i, _ in group.deals), dealt, strict=True))
    values: dict[int, Float] = {}
    gain, played = np.zeros_like(policy[player]), np.zeros_like(policy[player])
    for i, node in reversed(list(enumerate(group.nodes))):
        if isinstance(node, Deal):
            values[i] = follows[i]
        elif isinstance(node, Terminal):
            win, lose, tie = node.payoff[player]
            shown = np.choose(np.sign(pairs.order).astype(int) + 1, [lose, tie, win])
            chips = win if node.kind == FOLD else shown
            values[i] = (chips * pairs.meet) @ rows[other][node.reach[other]]
        elif node.player == other:
            values[i] = np.sum([values[child] for child in node.children], axis=0)
        else:
            own, below = list(node.rows), np.array([values[child] for child in node.children])
            mine = policy[player][own]
            values[i] = below.max(axis=0) if best else (mine * below).sum(axis=0)
            gain[own] = below - values[i]
            played[own] = rows[player][node.reach[player]] * mine
    return Walked([values[i] for i in range(len(group.nodes))], gain, played)


def _reach_rows(group: Group, player: int, policy: Float, reach: Float) -> Float:
    """[lines + K, H] every row of a player's reach."""
    rows = np.concatenate([reach, np.zeros_like(policy)])
    for _, decision in group.decisions_of(player):
        for row in decision.rows:
            rows[len(reach) + row] = rows[decision.reach[player]] * policy[row]
    return rows


def random_pairs(rng: Generator) -> tuple[Pairs, Pairs]:
    """Hands that meet or block each other, and beat each other in one order; of OOP and IP."""
    strength = [rng.integers(0, 4, count) for count in NUM_HANDS]
    meet = (rng.random(NUM_HANDS) < 0.8).astype(float)
    order = np.sign(strength[0][:, None] - strength[1][None, :]).astype(float)
    return Pairs(meet, order), Pairs(meet.T, -order.T)


def random_rows(rng: Generator, group: Group) -> tuple[list[Float], list[Float]]:
    """Policies and reach of both players."""
    policy = [
        np.zeros((rows, hands)) for rows, hands in zip(group.num_rows, NUM_HANDS, strict=True)
    ]
    for _, decision in group.decisions:
        drawn = rng.random((len(decision.rows), NUM_HANDS[decision.player]))
        policy[decision.player][list(decision.rows)] = drawn / drawn.sum(0)
    return policy, [rng.random((len(group.entries), hands)) for hands in NUM_HANDS]
