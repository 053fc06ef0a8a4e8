"""Frequencies over a range made into strategies of hands.

The odds of every hand's actions in the equilibrium without the frequency are multiplied by one
factor per action, the same for all hands, until the range takes each action as often as asked;
docs/locks.md says why. Tilting twice is tilting once, so a lock that has drifted because another
range gets there is tilted again from what it is.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.isomorphism import combo_permutation, permute_cards
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.solution import Solution
from poker_solver.trees.locks import LockedNode, lock_symmetries

Float = NDArray[np.float64]

DRIFT = 0.002
"""How far a frequency may be from what was asked before its lock is tilted again."""

_EVEN = 1e-4  # of an even mix, else no factor would bring in an action that was never taken
_EXACT = 1e-10
_MOST_STEPS = 100_000


def without_open_locks(game: PostflopGame) -> PostflopGame:
    """The game without frequencies whose hands are not worked out; the very one if it has none."""
    locks = tuple(lock for lock in game.locks if not lock.is_open)
    return game if len(locks) == len(game.locks) else replace(game, locks=locks)


def settle(game: PostflopGame, free: Solution) -> PostflopGame:
    """The game with the hands of every frequency, from the equilibrium of `without_open_locks`."""
    locks, ranges = game.locks, free.values.ranges
    tilted: dict[int, Float] = {}  # lock -> policy
    for i in sorted(range(len(locks)), key=lambda i: locks[i].node):  # parents first
        lock = locks[i]
        if lock.is_open and lock.wanted is not None:
            above = {
                locks[j].node: policy
                for j, policy in tilted.items()
                if locks[j].dealt == lock.dealt[: len(locks[j].dealt)]
            }
            weight = ranges.deals(lock.node, lock.dealt, above)
            start = _alike(game, lock, ranges.real_strategy(lock.node, lock.dealt))
            start = (1 - _EVEN) * start + _EVEN / len(start)
            tilted[i] = tilt(start, weight, lock.wanted, lock.hands)
    return _with_policies(game, tilted)


def drifted(solution: Solution) -> PostflopGame | None:
    """The game with its frequencies met by the ranges of a solution; None if they are already."""
    ranges, tilted = solution.values.ranges, dict[int, Float]()
    for i, lock in enumerate(solution.game.locks):
        if lock.wanted is None:
            continue
        often = ranges.reached(lock)
        if max(abs(often[a] - share) for a, share in lock.wanted.items()) > DRIFT:
            weight = ranges.deals(lock.node, lock.dealt)
            tilted[i] = tilt(lock.policy, weight, lock.wanted, lock.hands)
    return _with_policies(solution.game, tilted) if tilted else None


def _with_policies(game: PostflopGame, policies: Mapping[int, Float]) -> PostflopGame:
    """The game with these policies in its locks, by their numbers."""
    locks = list(game.locks)
    for i, policy in policies.items():
        locks[i] = replace(locks[i], policy=policy, is_open=False)
    return replace(game, locks=tuple(locks))


def tilt(
    start: Float, weight: Float, wanted: Mapping[int, float], hands: NDArray[np.bool_]
) -> Float:
    """[A, 1326] `start` with its odds multiplied so that the range takes each action as wanted.

    Args:
        start: [A, 1326] probabilities, above 0 where an action is wanted.
        weight: [1326] what each locked hand counts; all alike if it is 0 for all.
        wanted: action -> share; the actions left out have the rest between them.
        hands: [1326] those that are locked.
    """
    weight = np.where(hands, weight, 0.0)
    weight = weight / weight.sum() if weight.sum() > 0 else hands / hands.sum()
    group = np.full(len(start), -1)
    for action in wanted:
        group[action] = action
    shares = {**wanted, -1: max(1.0 - sum(wanted.values()), 0.0)}
    factor = np.array([float(shares[g] > 0) for g in group.tolist()])
    policy = _scaled(start, factor, hands)
    for _ in range(_MOST_STEPS):
        by_action = policy @ weight
        often = {g: float(by_action[group == g].sum()) for g in set(group.tolist())}
        if max(abs(often[g] - shares[g]) for g in often) <= _EXACT:
            break
        for g in often:
            if often[g] > 0:
                factor[group == g] *= shares[g] / often[g]
        factor /= factor.max()
        before, policy = policy, _scaled(start, factor, hands)
        if np.array_equal(before, policy):
            break
    return policy


def _scaled(start: Float, factor: Float, hands: NDArray[np.bool_]) -> Float:
    policy = np.zeros_like(start)
    odds = start[:, hands] * factor[:, None]
    policy[:, hands] = odds / odds.sum(axis=0)
    return policy


def _alike(game: PostflopGame, lock: LockedNode, strategy: Float) -> Float:
    """The strategy with hands that renaming suits makes equal exactly equal."""
    group = [
        way
        for way in lock_symmetries(game.cards, game.weights, game.locks)
        if permute_cards(lock.dealt, way) == lock.dealt
    ]
    same = np.min([combo_permutation(way) for way in group], axis=0)  # the lowest of its images
    return strategy[:, same]
