"""The formulas of the package docstring in float64, hand against hand; slow and obvious."""

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F64, I16, Bool
from poker_solver.kernels.regret import PLAIN, TINY, Weights
from poker_solver.kernels.regret import reference as regret_reference

Int = NDArray[np.signedinteger]
Numbers = NDArray[np.floating]

MOST_16 = 32767


def meets(cards: NDArray[np.integer], other_cards: NDArray[np.integer]) -> F64:
    """[H, O] 1 where two hands share no card."""
    shared = cards[:, None, :, None] == other_cards[None, :, None, :]  # [H, O, 2, 2]
    apart: F64 = 1.0 - shared.any(axis=(2, 3))
    return apart


def policy(stored: F64) -> F64:
    """[A, H] clipped at 0 and normalised over the actions; even where TINY or less is left."""
    matched = [regret_reference.match(hand, (), 0.0, TINY) for hand in stored.T.tolist()]
    return np.array(matched).T


def fold(met: F64, reach: F64, payoff: float) -> F64:
    """[H] cfv where somebody folded; met is [H, O], reach [O]."""
    found: F64 = payoff * (met @ reach)
    return found


def showdown(
    met: F64, strength: Int, other: Int, reach: F64,
    win: float, lose: float, tie: float,
) -> F64:  # fmt: skip
    """[H] cfv where hands are shown; strengths are [H] and [O], larger wins."""
    sign = np.sign(strength[:, None].astype(np.int64) - other[None, :])  # [H, O]
    chips = np.where(sign > 0, win, np.where(sign < 0, lose, tie))
    found: F64 = (chips * met) @ reach
    return found


def learn(
    regret: F64, policy_sum: F64, values: F64, own_reach: F64, weights: Weights
) -> tuple[F64, F64, F64]:
    """A decision of the player: [H] cfv, [A, H] new regrets, [A, H] new sums."""
    played = policy(regret)
    cfv: F64 = (played * values).sum(axis=0)
    new_regret, new_sum = np.zeros(regret.shape), np.zeros(regret.shape)
    r, reach = values - cfv, own_reach * played
    for at in np.ndindex(regret.shape):
        new_regret[at] = regret_reference.learn(regret.item(at), r.item(at), weights, PLAIN)
        new_sum[at] = regret_reference.add_policy(policy_sum.item(at), reach.item(at), weights)
    return cfv, new_regret, new_sum


def play(reach: F64, stored: F64) -> F64:
    """The reach behind every action."""
    return reach * policy(stored)


def mix(played: F64, cfv: F64) -> F64:
    """The value of a policy."""
    value: F64 = (played * cfv).sum(axis=0)
    return value


def best(cfv: F64) -> F64:
    """The value of the best action of each hand."""
    value: F64 = cfv.max(axis=0)
    return value


def record(cfv: F64) -> F64:
    """1 at the first best action of each hand, 0 at the others; all 0 if they are equal."""
    played = np.zeros(cfv.shape)
    for h in range(cfv.shape[1]):
        if cfv[:, h].max() > cfv[:, h].min():
            played[cfv[:, h].argmax(), h] = 1
    return played


def hold(value: F64, cfv: F64, is_fixed: Bool, played: F64) -> F64:
    """The value of each hand; of those that are locked that of their policy."""
    return np.where(is_fixed, mix(played, cfv), value)


def pack(values: F64, is_live: Numbers) -> tuple[I16, float]:
    """Numbers of live hands as int16, the largest 32767, those of others 0; the scale."""
    alive = values * is_live
    scale = float(np.abs(alive).max()) / MOST_16
    return np.rint(alive / scale if scale > 0 else alive).astype(np.int16), scale


def unpack(packed: I16, scale: float) -> F64:
    """Numbers from int16."""
    return scale * packed.astype(np.float64)
