"""The formulas of the package docstring in float64, hand against hand; slow and obvious."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F32, F64, I16, I64, Bool
from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, Boards, Hands, River, Street
from poker_solver.kernels.regret import PLAIN, TINY, Weights
from poker_solver.kernels.regret import reference as regret_reference

Int = NDArray[np.signedinteger]
Numbers = NDArray[np.floating]

NUM_CARDS, MOST_16 = 52, 32767


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


class Walked(Protocol):
    """What a pass reads of a spot; the layers above keep it in one object."""

    @property
    def streets(self) -> tuple[Street, ...]:
        """Upper streets, from the spot's own."""

    @property
    def river(self) -> River:
        """The river."""

    @property
    def boards(self) -> Boards:
        """How boards hang together."""

    @property
    def hands(self) -> tuple[Hands, Hands]:
        """Of OOP and IP."""

    @property
    def reach(self) -> tuple[F32, F32]:
        """[H] weights at the root."""


class Learned(NamedTuple):
    """What a pass leaves: cfv at the root, and the state, flat as the kernels have it."""

    cfv: F64
    regret: F64
    policy_sum: F64


def run_pass(
    spot: Walked,
    strength: tuple[Int, Int],
    player: int,
    mode: int,
    weights: Weights,
    regret: Numbers,
    policy_sum: Numbers,
) -> Learned:
    """One pass over all streets in LEARN, BEST or MEAN; the given state stays as it is.

    Args:
        spot: what is walked.
        strength: [R, H] of each player's hands on every river board.
        player: whose values are asked for.
        mode: what the pass is for.
        weights: of the iteration; only LEARN reads them.
        regret: [elements].
        policy_sum: [elements].
    """
    state = np.array(regret, np.float64), np.array(policy_sum, np.float64)
    walk = _Walk(spot, strength, player, mode, weights, state)
    reach = [
        np.pad(w.astype(np.float64), (0, len(h.cards) - len(w)))
        for w, h in zip(spot.reach, spot.hands, strict=True)
    ]
    cfv = walk.node(0, 0, 0, reach[1 - player], reach[player])
    return Learned(cfv[: len(spot.reach[player])], *state)


class _Walk:
    """One player's pass. A node is found by its street, its number there and the board."""

    def __init__(
        self,
        spot: Walked,
        strength: tuple[Int, Int],
        player: int,
        mode: int,
        weights: Weights,
        state: tuple[F64, F64],
    ) -> None:
        self.parts: list[Street | River] = [*spot.streets, spot.river]
        self.boards = spot.boards
        self.own, self.other = spot.hands[player], spot.hands[1 - player]
        self.met = meets(self.own.cards, self.other.cards)
        self.strength, self.other_strength = strength[player], strength[1 - player]
        self.player, self.mode, self.weights = player, mode, weights
        self.regret, self.policy_sum = state
        self.stored = self.regret if mode == LEARN else self.policy_sum

    def node(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        """[H] cfv of a node that both players reach like this; 0 where the hand is not live."""
        kind = int(self.parts[street].kind[n])
        if kind == DEAL:
            return self._deal(street, n, board, reach, own)
        if kind > DEAL:
            return self._live(self.own, street, board) * self._end(street, n, board, reach)
        if kind != self.player:
            return self._opponent(street, n, board, reach, own)
        return self._decide(street, n, board, reach, own)

    def _opponent(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        part = self.parts[street]
        stored = self.stored[self._place(street, n, board, len(reach))]
        total = np.zeros(len(own))
        for a, after in enumerate(play(reach, stored)):
            total += self.node(street, int(part.first_child[n]) + a, board, after, own)
        return total

    def _decide(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
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

    def _best(self, part: Street | River, n: int, board: int, cfv: F64) -> F64:
        locks, k = part.locks, part.locks.node[n]
        table = locks.table[k, board] if k >= 0 else -1
        if table < 0:
            return best(cfv)
        num_actions, width = cfv.shape
        played = locks.policy[table, :num_actions, :width].astype(np.float64)
        return hold(best(cfv), cfv, locks.is_fixed[table, :width], played)

    def _deal(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
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

    def _end(self, street: int, n: int, board: int, reach: F64) -> F64:
        part = self.parts[street]
        if not isinstance(part, River):
            return fold(self.met, reach, float(part.payoff[self.player, n]))
        payoff = part.payoff[self.player, n].tolist()
        if part.kind[n] == FOLD:
            return fold(self.met, reach, payoff[0])
        strengths = self.strength[board], self.other_strength[board]
        return showdown(self.met, *strengths, reach, *payoff)

    def _live(self, hands: Hands, street: int, board: int) -> F64:
        """[H] 1 for hands that hold no dealt card; those that fill up a row are never live."""
        if isinstance(self.parts[street], River):
            live = hands.is_live_river[board]
        else:
            live = hands.is_live[board] if street > 0 else hands.cards[:, 0] < NUM_CARDS
        found: F64 = live.astype(np.float64)
        return found

    def _place(self, street: int, n: int, board: int, width: int) -> I64:
        """[A, H] where in the flat state a decision stands."""
        part = self.parts[street]
        begin, num_actions = part.offset[n] + board * part.stride[n], int(part.num_children[n])
        place: I64 = begin + np.arange(num_actions * width).reshape(-1, width)
        return place
