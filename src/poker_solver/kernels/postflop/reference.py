"""The formulas of the package docstring in float64, hand against hand; slow and obvious."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop import BEST, FOLD, LEARN, SHOWDOWN

Float = NDArray[np.float64]


def meets(cards: NDArray[np.integer], other_cards: NDArray[np.integer]) -> Float:
    """[H, O] 1 where two hands share no card."""
    shared = cards[:, None, :, None] == other_cards[None, :, None, :]  # [H, O, 2, 2]
    apart: Float = 1.0 - shared.any(axis=(2, 3))
    return apart


def policy(stored: Float) -> Float:
    """[A, H] clipped at 0 and normalised over the actions; uniform where nothing is left."""
    clipped = np.maximum(stored, 0.0)
    total = clipped.sum(axis=0)
    even = np.full_like(clipped, 1.0 / len(clipped))
    found: Float = np.divide(clipped, total, out=even, where=total > 0)
    return found


def fold(met: Float, reach: Float, payoff: float) -> Float:
    """[H] cfv where somebody folded; met is [H, O], reach [O]."""
    found: Float = payoff * (met @ reach)
    return found


def showdown(
    met: Float, strength: NDArray[np.integer], other: NDArray[np.integer], reach: Float,
    win: float, lose: float, tie: float,
) -> Float:  # fmt: skip
    """[H] cfv where hands are shown; strengths are [H] and [O], larger wins."""
    sign = np.sign(strength[:, None].astype(np.int64) - other[None, :])  # [H, O]
    chips = np.where(sign > 0, win, np.where(sign < 0, lose, tie))
    found: Float = (chips * met) @ reach
    return found


def learn(
    regret: Float, policy_sum: Float, values: Float, own_reach: Float, weights: Sequence[float]
) -> tuple[Float, Float, Float]:
    """A decision of the player: [H] cfv, [A, H] new regrets, [A, H] new sums."""
    positive, negative, keep = weights
    played = policy(regret)
    cfv: Float = (played * values).sum(axis=0)
    faded = np.where(regret > 0, positive, negative) * regret
    return cfv, faded + values - cfv, policy_sum * keep + own_reach * played


class RiverBoard(NamedTuple):
    """One board and all that is played there; N nodes, children together, 0 the root."""

    kind: NDArray[np.integer]  # [N]
    first_child: NDArray[np.integer]  # [N]
    num_children: NDArray[np.integer]  # [N]
    payoff: Float  # [2, N, 3] win, lose, tie; a FOLD has its one value first
    cards: tuple[NDArray[np.integer], NDArray[np.integer]]  # [H, 2] of each player
    strength: tuple[NDArray[np.integer], NDArray[np.integer]]  # [H] of each player


class RiverPass:
    """A pass for one player over one river board whose cards no hand holds.

    regret and policy_sum are [A, H] by decision. After LEARN those of the player are new ones.
    """

    def __init__(
        self, board: RiverBoard, player: int, mode: int, regret: dict[int, Float],
        policy_sum: dict[int, Float], weights: Sequence[float] = (1.0, 1.0, 1.0),
    ) -> None:  # fmt: skip
        self.board, self.player, self.mode, self.weights = board, player, mode, weights
        self.regret, self.policy_sum = dict(regret), dict(policy_sum)
        self.met = meets(board.cards[player], board.cards[1 - player])

    def cfv(self, node: int, reach: Float, own: Float) -> Float:
        """[H] of the player's hands; reach [O] is the opponent's, own [H] the player's."""
        board, player, kind = self.board, self.player, int(self.board.kind[node])
        if kind == FOLD:
            return fold(self.met, reach, float(board.payoff[player, node, 0]))
        if kind == SHOWDOWN:
            mine, theirs = board.strength[player], board.strength[1 - player]
            win, lose, tie = board.payoff[player, node].tolist()
            return showdown(self.met, mine, theirs, reach, win, lose, tie)
        first = int(board.first_child[node])
        below = range(first, first + int(board.num_children[node]))
        played = policy((self.regret if self.mode == LEARN else self.policy_sum)[node])
        if kind != player:
            parts = [self.cfv(c, reach * p, own) for c, p in zip(below, played, strict=True)]
            total: Float = np.sum(parts, axis=0)
            return total
        values = np.stack([self.cfv(c, reach, own * p) for c, p in zip(below, played, strict=True)])
        if self.mode == BEST:
            best: Float = values.max(axis=0)
            return best
        if self.mode == LEARN:
            old = self.regret[node], self.policy_sum[node]
            found, *new = learn(*old, values, own, self.weights)
            self.regret[node], self.policy_sum[node] = new
            return found
        mean: Float = (played * values).sum(axis=0)
        return mean
