"""The formulas of the package docstring in float64, hand against hand; slow and obvious."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, River
from poker_solver.kernels.regret import PLAIN, TINY, Weights
from poker_solver.kernels.regret import reference as regret_reference

Float = NDArray[np.float64]

NUM_CARDS, MOST_16 = 52, 32767


def meets(cards: NDArray[np.integer], other_cards: NDArray[np.integer]) -> Float:
    """[H, O] 1 where two hands share no card."""
    shared = cards[:, None, :, None] == other_cards[None, :, None, :]  # [H, O, 2, 2]
    apart: Float = 1.0 - shared.any(axis=(2, 3))
    return apart


def policy(stored: Float) -> Float:
    """[A, H] clipped at 0 and normalised over the actions; even where TINY or less is left."""
    matched = [regret_reference.match(hand, (), 0.0, TINY) for hand in stored.T.tolist()]
    return np.array(matched).T


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
    regret: Float, policy_sum: Float, values: Float, own_reach: Float, weights: Weights
) -> tuple[Float, Float, Float]:
    """A decision of the player: [H] cfv, [A, H] new regrets, [A, H] new sums."""
    played = policy(regret)
    cfv: Float = (played * values).sum(axis=0)
    new_regret, new_sum = np.zeros(regret.shape), np.zeros(regret.shape)
    r, reach = values - cfv, own_reach * played
    for at in np.ndindex(regret.shape):
        new_regret[at] = regret_reference.learn(regret.item(at), r.item(at), weights, PLAIN)
        new_sum[at] = regret_reference.add_policy(policy_sum.item(at), reach.item(at), weights)
    return cfv, new_regret, new_sum


def play(reach: Float, stored: Any) -> Float:
    """The reach behind every action."""
    return reach * policy(stored)


def mix(played: Float, cfv: Float) -> Float:
    """The value of a policy."""
    value: Float = (played * cfv).sum(axis=0)
    return value


def best(cfv: Float) -> Float:
    """The value of the best action of each hand."""
    value: Float = cfv.max(axis=0)
    return value


def record(cfv: Float) -> Float:
    """1 at the first best action of each hand, 0 at the others; all 0 if they are equal."""
    played = np.zeros(cfv.shape)
    for h in range(cfv.shape[1]):
        if cfv[:, h].max() > cfv[:, h].min():
            played[cfv[:, h].argmax(), h] = 1
    return played


def hold(value: Float, cfv: Float, is_fixed: Any, played: Float) -> Float:
    """The value of each hand; of those that are locked that of their policy."""
    return np.where(is_fixed, mix(played, cfv), value)


def pack(values: Float, is_live: Any) -> tuple[NDArray[np.int16], float]:
    """Numbers of live hands as int16, the largest 32767, those of others 0; the scale."""
    alive = values * is_live
    scale = float(np.abs(alive).max()) / MOST_16
    return np.rint(alive / scale if scale > 0 else alive).astype(np.int16), scale


def unpack(packed: NDArray[np.int16], scale: float) -> Float:
    """Numbers from int16."""
    return scale * packed.astype(np.float64)


class Learned(NamedTuple):
    """What a pass leaves: cfv at the root, and the state, flat as the kernels have it."""

    cfv: Float
    regret: Float
    policy_sum: Float


def run_pass(
    layout: Any, strength: tuple[Any, Any], player: int, mode: int, weights: Weights, regret: Any,
    policy_sum: Any,
) -> Learned:  # fmt: skip
    """One pass over all streets in LEARN, BEST or MEAN; the given state stays as it is.

    Args:
        layout: a spot's `streets`, `river`, `boards`, `hands` and root `reach`.
        strength: [R, H] of each player's hands on every river board.
        player: whose values are asked for.
        mode: what the pass is for.
        weights: of the iteration; only LEARN reads them.
        regret: [elements].
        policy_sum: [elements].
    """
    state = np.array(regret, np.float64), np.array(policy_sum, np.float64)
    walk = _Walk(layout, strength, player, mode, weights, state)
    reach = [
        np.pad(w.astype(np.float64), (0, len(h.cards) - len(w)))
        for w, h in zip(layout.reach, layout.hands, strict=True)
    ]
    cfv = walk.node(0, 0, 0, reach[1 - player], reach[player])
    return Learned(cfv[: len(layout.reach[player])], *state)


class _Walk:
    """One player's pass. A node is found by its street, its number there and the board."""

    def __init__(
        self, layout: Any, strength: Any, player: int, mode: int, weights: Weights,
        state: tuple[Float, Float],
    ) -> None:  # fmt: skip
        self.parts = [*layout.streets, layout.river]
        self.boards = layout.boards
        self.own, self.other = layout.hands[player], layout.hands[1 - player]
        self.met = meets(self.own.cards, self.other.cards)
        self.strength, self.other_strength = strength[player], strength[1 - player]
        self.player, self.mode, self.weights = player, mode, weights
        self.regret, self.policy_sum = state
        self.stored = self.regret if mode == LEARN else self.policy_sum

    def node(self, street: int, n: int, board: int, reach: Float, own: Float) -> Float:
        """[H] cfv of a node that both players reach like this; 0 where the hand is not live."""
        kind = int(self.parts[street].kind[n])
        if kind == DEAL:
            return self._deal(street, n, board, reach, own)
        if kind > DEAL:
            return self._live(self.own, street, board) * self._end(street, n, board, reach)
        if kind != self.player:
            return self._opponent(street, n, board, reach, own)
        return self._decide(street, n, board, reach, own)

    def _opponent(self, street: int, n: int, board: int, reach: Float, own: Float) -> Float:
        part = self.parts[street]
        stored = self.stored[self._place(street, n, board, len(reach))]
        total = np.zeros(len(own))
        for a, after in enumerate(play(reach, stored)):
            total += self.node(street, int(part.first_child[n]) + a, board, after, own)
        return total

    def _decide(self, street: int, n: int, board: int, reach: Float, own: Float) -> Float:
        part, place = self.parts[street], self._place(street, n, board, len(own))
        played = policy(self.stored[place])
        cfv = np.array(
            [
                self.node(street, int(part.first_child[n]) + a, board, reach, own * share)
                for a, share in enumerate(played)
            ]
        )
        if self.mode == LEARN:
            value, self.regret[place], self.policy_sum[place] = learn(
                self.regret[place], self.policy_sum[place], cfv, own, self.weights
            )
            return value
        return self._best(part, n, board, cfv) if self.mode == BEST else mix(played, cfv)

    def _best(self, part: Any, n: int, board: int, cfv: Float) -> Float:
        locks, k = part.locks, part.locks.node[n]
        table = locks.table[k, board] if k >= 0 else -1
        if table < 0:
            return best(cfv)
        num_actions, width = cfv.shape
        played = locks.policy[table, :num_actions, :width].astype(np.float64)
        return hold(best(cfv), cfv, locks.is_fixed[table, :width], played)

    def _deal(self, street: int, n: int, board: int, reach: Float, own: Float) -> Float:
        """Sum over every board that can follow, and every real card that it stands for."""
        below, boards = self.parts[street + 1], self.boards
        (entry,) = np.flatnonzero(below.entry == self.parts[street].first_child[n]).tolist()
        if isinstance(below, River):
            follow = range(boards.river_start[board], boards.river_start[board + 1])
            share, moves, start = (
                boards.river_share, boards.river_card_move, boards.river_card_start
            )  # fmt: skip
        else:
            follow = range(len(boards.turn_card_start) - 1)
            share, moves, start = boards.turn_share, boards.turn_card_move, boards.turn_card_start
        total = np.zeros(len(own))
        for b in follow:
            dealt = float(share) * reach * self._live(self.other, street + 1, b)
            cfv = self.node(street + 1, entry, b, dealt, own * self._live(self.own, street + 1, b))
            for move in moves[start[b] : start[b + 1]]:
                total += cfv[self.own.moved[move]]
        return total

    def _end(self, street: int, n: int, board: int, reach: Float) -> Float:
        part = self.parts[street]
        if not isinstance(part, River):
            return fold(self.met, reach, float(part.payoff[self.player, n]))
        payoff = part.payoff[self.player, n].tolist()
        if part.kind[n] == FOLD:
            return fold(self.met, reach, payoff[0])
        strengths = self.strength[board], self.other_strength[board]
        return showdown(self.met, *strengths, reach, *payoff)

    def _live(self, hands: Any, street: int, board: int) -> Float:
        """[H] 1 for hands that hold no dealt card; those that fill up a row are never live."""
        if isinstance(self.parts[street], River):
            live = hands.is_live_river[board]
        else:
            live = hands.is_live[board] if street > 0 else hands.cards[:, 0] < NUM_CARDS
        found: Float = live.astype(np.float64)
        return found

    def _place(self, street: int, n: int, board: int, width: int) -> NDArray[np.int64]:
        """[A, H] where in the flat state a decision stands."""
        part = self.parts[street]
        begin, num_actions = part.offset[n] + board * part.stride[n], int(part.num_children[n])
        place: NDArray[np.int64] = begin + np.arange(num_actions * width).reshape(-1, width)
        return place
