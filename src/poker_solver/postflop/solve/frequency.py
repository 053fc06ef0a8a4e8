"""Frequencies over a range made into strategies of hands.

The odds of every hand's actions in the equilibrium without the frequency are multiplied by one
factor per action, the same for all hands, until the range takes each action as often as asked;
docs/locks.md says why. Before that, an action that would cost a hand much is made less likely, so
that those whom it costs least come first. Tilting twice is tilting once, so a lock that has drifted
because another range gets there is tilted again from what it is.
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
_NEAR, _SCALE = 0.02, 0.01  # parts of the pot: a loss that counts as none; e times less for each
_LEAST = 1e-200  # what no loss goes below
_EXACT = 1e-11
_MOST_ROUNDS, _HALVINGS, _WIDEST = 1_000, 64, 2_000.0


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
            start = _alike(game, lock, _inclined(free, lock))
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


def _inclined(free: Solution, lock: LockedNode) -> Float:
    """[A, 1326] what every hand plays, less likely the more it would lose by it; never 0."""
    strategy = free.values.ranges.real_strategy(lock.node, lock.dealt)
    here = free.node(lock.line)
    loss = np.zeros_like(strategy)  # parts of the pot; none is known where nobody is met
    loss[:, here.acting.combos] = np.nan_to_num(here.ev_actions.max(axis=0) - here.ev_actions)
    beyond = np.maximum(loss / here.pot - _NEAR, 0.0) / _SCALE
    likely = (1 - _EVEN) * strategy + _EVEN / len(strategy)
    inclined: Float = likely * np.maximum(np.exp(-beyond), _LEAST)
    return inclined


def tilt(
    start: Float, weight: Float, wanted: Mapping[int, float], hands: NDArray[np.bool_]
) -> Float:
    """[A, 1326] `start` with its odds multiplied so that the range takes each action as wanted.

    Args:
        start: [A, 1326] odds, above 0 where an action is wanted.
        weight: [1326] what each locked hand counts; all alike if it is 0 for all.
        wanted: action -> share; the actions left out have the rest between them.
        hands: [1326] those that are locked.
    """
    weight = np.where(hands, weight, 0.0)
    weight = weight / weight.sum() if weight.sum() > 0 else hands / hands.sum()
    rest = [a for a in range(len(start)) if a not in wanted]
    groups = [([a], share) for a, share in wanted.items()]
    groups = [*groups, (rest, max(1.0 - sum(wanted.values()), 0.0))]
    groups = [group for group in groups if group[0] and group[1] > 0]
    odds = np.stack([start[actions][:, hands].sum(axis=0) for actions, _ in groups])
    shares = np.array([share for _, share in groups])
    taken = _met(np.log(odds), weight[hands], shares / shares.sum())
    policy = np.zeros_like(start)
    for (actions, _), total, part in zip(groups, odds, taken, strict=True):
        for action in actions:
            policy[action, hands] = start[action, hands] / total * part
    return policy


def _met(log_odds: Float, weight: Float, shares: Float) -> Float:
    """[G, H] probabilities whose means by weight are `shares`: each row of odds times a factor.

    One row after the other is brought to its share by halving an interval, until all are.
    """
    factors = np.zeros(len(shares))
    for _ in range(_MOST_ROUNDS):
        for row in range(len(shares) - 1):
            low, high = factors[row] - _WIDEST, factors[row] + _WIDEST
            for _ in range(_HALVINGS):
                factors[row] = (low + high) / 2
                often = float(_mixes(log_odds, factors)[row] @ weight)
                low, high = (factors[row], high) if often < shares[row] else (low, factors[row])
        mixes = _mixes(log_odds, factors)
        if np.abs(mixes @ weight - shares).max() <= _EXACT:
            break
    return mixes


def _mixes(log_odds: Float, factors: Float) -> Float:
    """[G, H] what odds times factors come to for each hand."""
    tilted = log_odds + factors[:, None]
    odds = np.exp(tilted - tilted.max(axis=0))
    mixes: Float = odds / odds.sum(axis=0)
    return mixes


def _alike(game: PostflopGame, lock: LockedNode, strategy: Float) -> Float:
    """The strategy with hands that renaming suits makes equal exactly equal."""
    group = [
        way
        for way in lock_symmetries(game.cards, game.weights, game.locks)
        if permute_cards(lock.dealt, way) == lock.dealt
    ]
    same = np.min([combo_permutation(way) for way in group], axis=0)  # the lowest of its images
    return strategy[:, same]
