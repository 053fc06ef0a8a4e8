"""One pass of the postflop kernels over a whole spot in float64, by the formulas of `reference`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.kernels.arrays import F64, I64
from poker_solver.kernels.postflop import BEST, DEAL, FOLD, LEARN, Hands, River, Street, reference
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.layout.layout import Layout
from tests.support.postflop_states import strengths

Numbers = NDArray[np.floating]

NUM_CARDS = 52


class Learned(NamedTuple):
    """What a pass leaves: cfv at the root, and the state, flat as the kernels have it."""

    cfv: F64
    regret: F64
    policy_sum: F64


def run_pass(
    layout: Layout, player: int, mode: int, weights: Weights, regret: Numbers, policy_sum: Numbers
) -> Learned:
    """One pass over all streets in LEARN, BEST or MEAN; the given state stays as it is."""
    state = np.array(regret, np.float64), np.array(policy_sum, np.float64)
    walk = Walk(layout, player, mode, weights, state)
    reach = [
        np.pad(w.astype(np.float64), (0, len(h.cards) - len(w)))
        for w, h in zip(layout.reach, layout.ranked.hands, strict=True)
    ]
    cfv = walk.node(0, 0, 0, reach[1 - player], reach[player])
    return Learned(cfv[: len(layout.reach[player])], *state)


class Walk:
    """One player's pass. A node is found by its street, its number there and the board."""

    def __init__(
        self, layout: Layout, player: int, mode: int, weights: Weights, state: tuple[F64, F64]
    ) -> None:
        self.parts: list[Street | River] = [*layout.streets, layout.river]
        self.boards = layout.boards
        self.own, self.other = layout.ranked.hands[player], layout.ranked.hands[1 - player]
        self.met = reference.meets(self.own.cards, self.other.cards)
        strength = strengths(layout)
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
        for a, after in enumerate(reference.play(reach, stored)):
            total += self.node(street, int(part.first_child[n]) + a, board, after, own)
        return total

    def _decide(self, street: int, n: int, board: int, reach: F64, own: F64) -> F64:
        part, place = self.parts[street], self._place(street, n, board, len(own))
        played = reference.policy(self.stored[place])
        cfv = np.array(
            [
                self.node(street, int(part.first_child[n]) + a, board, reach, own * share)
                for a, share in enumerate(played)
            ]
        )
        if self.mode == LEARN:
            value, self.regret[place], self.policy_sum[place] = reference.learn(
                self.regret[place], self.policy_sum[place], cfv, own, self.weights
            )
            return value
        return self._best(part, n, board, cfv) if self.mode == BEST else reference.mix(played, cfv)

    def _best(self, part: Street | River, n: int, board: int, cfv: F64) -> F64:
        locks, k = part.locks, part.locks.node[n]
        table = locks.table[k, board] if k >= 0 else -1
        if table < 0:
            return reference.best(cfv)
        num_actions, width = cfv.shape
        played = locks.policy[table, :num_actions, :width].astype(np.float64)
        return reference.hold(reference.best(cfv), cfv, locks.is_fixed[table, :width], played)

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
            return reference.fold(self.met, reach, float(part.payoff[self.player, n]))
        payoff = part.payoff[self.player, n].tolist()
        if part.kind[n] == FOLD:
            return reference.fold(self.met, reach, payoff[0])
        strengths = self.strength[board], self.other_strength[board]
        return reference.showdown(self.met, *strengths, reach, *payoff)

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
