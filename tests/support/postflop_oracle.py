"""A spot's values, best responses and DCFR steps in float64, by every card and every pair of hands.

Slow and obvious on purpose, and no part of the engine: hands meet in an H x H matrix of payoffs,
every real turn and river is dealt, no suits are renamed, strengths come from another evaluator.
Only the betting tree is the solver's own.

A *board* here is a street's cards in the order dealt; B boards of a street stand in the order of
`Oracle.boards`, the C children of board b at b * C to (b + 1) * C. A strategy or a state is a
dictionary from a decision node to [B, A, H] numbers.

Chips are counted as a share of the pot less what was paid since the start: two players' EVs sum to
the pot less rake.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import phevaluator
from numpy.typing import NDArray

from poker_solver.config.spot import Spot
from poker_solver.games.betting import DEAL, FOLD, IP, RIVER, SHOWDOWN
from poker_solver.trees.betting import BettingTree, build_betting_tree

Float = NDArray[np.float64]
Table = dict[int, Float]  # decision node -> [B, A, H]
Chooser = Callable[[int, Float], Float]  # node, [B, A, H] cfv by action -> [B, H]

EPS = float(np.finfo(np.float32).eps)


class Oracle:
    """One spot, laid out card by card."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.tree: BettingTree = build_betting_tree(spot.betting)
        self.hands: list[list[tuple[int, int]]] = []
        self.weight: list[Float] = []
        combos = [(high, low) for high in range(52) for low in range(high)]  # as the ranges have it
        for weights in spot.weights:
            held = [i for i, w in enumerate(weights) if w > 0 and not {*combos[i]} & {*spot.cards}]
            self.hands.append([combos[i] for i in held])
            self.weight.append(np.array([weights[i] for i in held]))
        self._alive: dict[tuple[int, int], Float] = {}
        self.boards: dict[int, list[tuple[int, ...]]] = {self.tree.first_street: [spot.cards]}
        for street in range(self.tree.first_street, RIVER):
            self.boards[street + 1] = [
                (*board, card)
                for board in self.boards[street]
                for card in range(52)
                if card not in board
            ]

    @property
    def decisions(self) -> list[int]:
        """The nodes where somebody acts."""
        return [int(n) for n in np.flatnonzero(self.tree.is_decision)]

    @cached_property
    def meets(self) -> Float:
        """[H0, H1] 1 where two hands share no card."""
        first, second = (np.array(hands) for hands in self.hands)
        shared = first[:, None, :, None] == second[None, :, None, :]  # [H0, H1, 2, 2]
        apart: Float = 1.0 - shared.any(axis=(2, 3))
        return apart

    @property
    def num_pairs(self) -> float:
        """Weighted pairs of hands that can be dealt together."""
        return float(self.weight[0] @ self.meets @ self.weight[1])

    def alive(self, street: int, player: int) -> Float:
        """[B, H] 1 where the hand holds no card of the board."""
        if (street, player) not in self._alive:
            boards = np.array(self.boards[street])
            hands = np.array(self.hands[player])
            clash = boards[:, None, :, None] == hands[None, :, None, :]  # [B, H, cards, 2]
            self._alive[street, player] = 1.0 - clash.any(axis=(2, 3))
        return self._alive[street, player]

    @cached_property
    def outcome(self) -> NDArray[np.int8]:
        """[B, H0, H1] on the river: 1 where player 0 wins, 0 where they tie, -1 where he loses."""
        scores = []
        for player in (0, 1):
            alive = self.alive(RIVER, player)
            score = np.zeros(alive.shape, np.int64)
            for b, h in zip(*np.nonzero(alive), strict=True):
                cards = (*self.boards[RIVER][b], *self.hands[player][h])
                score[b, h] = -phevaluator.evaluate_cards(*cards)  # 1 is the best hand there is
            scores.append(score)
        sign: NDArray[np.int8] = np.sign(scores[0][:, :, None] - scores[1][:, None, :])
        return sign.astype(np.int8)

    def num_cards_left(self, street: int) -> int:
        """Cards that can fall after this street, once both players hold two of them."""
        return 52 - (2 + street) - 4

    def chance(self, street: int) -> float:
        """How likely one board of a street is, for two hands that it does not block."""
        dealt = range(self.tree.first_street, street)
        return float(np.prod([1 / self.num_cards_left(s) for s in dealt]))

    def taken(self, node: int) -> float:
        """The house's chips at a FOLD or SHOWDOWN."""
        rate, cap = self.spot.rake.rate, self.spot.rake.cap
        called = self.spot.pot + 2 * min(self.tree.committed[node].tolist())
        return float(min(rate * called, cap))

    def payoffs(self, node: int, player: int) -> Float:
        """[B or 1, H0, H1] chips the player gets at a terminal, less what he paid."""
        pot, rake = self.spot.pot, self.taken(node)
        paid = self.tree.committed[node].tolist()
        if self.tree.kind[node] == FOLD:
            folded = self.tree.folder[node] == player
            one = -paid[player] if folded else pot + paid[1 - player] - rake
            return np.full((1, *self.meets.shape), float(one))
        sign = self.outcome if player == 0 else -self.outcome
        won, lost = pot + paid[1 - player] - rake, -paid[player]
        tied = (pot - rake) / 2  # both have paid the same
        chips: Float = np.where(sign > 0, won, np.where(sign < 0, lost, tied))
        return chips

    def root_cfv(self, player: int, policy: Table, choose: Chooser) -> Float:
        """[H] of the player's hands, `choose` deciding what is made of the values of his actions.

        Values are weighted by the opponent's range and not divided by anything.
        """
        reach = self.weight[1 - player][None]
        root: Float = self._cfv(0, player, reach, policy, choose)[0]
        return root

    def _cfv(
        self, node: int, player: int, reach: Float, policy: Table, choose: Chooser
    ) -> Float:  # [B, H]
        kind, children = self.tree.kind[node], self.tree.children(node)
        cfv: Float
        if kind in (FOLD, SHOWDOWN):
            gain = self.payoffs(node, player) * self.meets
            cfv = np.einsum("bij,bj->bi" if player == 0 else "bij,bi->bj", gain, reach)
        elif kind == DEAL:
            street = int(self.tree.street[node])
            below = self.dealt(reach, street, 1 - player) / self.num_cards_left(street)
            after = self._cfv(children[0], player, below, policy, choose)
            after = after * self.alive(street + 1, player)
            cfv = after.reshape(len(reach), -1, after.shape[1]).sum(axis=1)
        elif self.tree.actor[node] == player:
            by_action = [self._cfv(child, player, reach, policy, choose) for child in children]
            cfv = choose(node, np.stack(by_action, axis=1))
        else:
            by_action = [
                self._cfv(child, player, reach * policy[node][:, a], policy, choose)
                for a, child in enumerate(children)
            ]
            cfv = np.sum(by_action, axis=0)
        return cfv

    def dealt(self, reach: Float, street: int, player: int) -> Float:
        """[B, H] -> [B * C, H]: the same hands after every card, 0 where they hold it."""
        num_cards = len(self.boards[street + 1]) // len(self.boards[street])
        return np.repeat(reach, num_cards, axis=0) * self.alive(street + 1, player)

    def mean_cfv(self, player: int, policy: Table) -> Float:
        """[H] when both play the policy."""
        return self.root_cfv(player, policy, lambda n, by_action: (policy[n] * by_action).sum(1))

    def best_cfv(self, player: int, policy: Table) -> Float:
        """[H] when the player answers as well as he can, knowing his hand and the board only."""
        return self.root_cfv(player, policy, lambda _, by_action: by_action.max(axis=1))

    def ev_chips(self, player: int, cfv: Float) -> float:
        """The player's share of the pot per deal."""
        return float(self.weight[player] @ cfv) / self.num_pairs

    def exploitability_chips(self, policy: Table) -> float:
        """The mean of what both players gain by a best response."""
        gains = [
            self.ev_chips(p, self.best_cfv(p, policy) - self.mean_cfv(p, policy)) for p in (0, 1)
        ]
        return sum(gains) / 2

    def expected_rake(self, policy: Table) -> float:
        """What the house takes per deal: over all terminals, how often times how much."""
        total = 0.0
        for node in np.flatnonzero(np.isin(self.tree.kind, (FOLD, SHOWDOWN))).tolist():
            first, second = (self.reach(node, p, policy) for p in (0, 1))
            often = self.chance(int(self.tree.street[node])) * (first @ self.meets * second).sum()
            total += often * self.taken(node)
        return total / self.num_pairs

    def reach(self, node: int, player: int, policy: Table) -> Float:
        """[B, H] the player's weights times his own actions down to a node."""
        if node == 0:
            return self.weight[player][None]
        parent = int(self.tree.parent[node])
        above = self.reach(parent, player, policy)
        if self.tree.kind[parent] == DEAL:
            return self.dealt(above, int(self.tree.street[parent]), player)
        if self.tree.actor[parent] != player:
            return above
        return above * policy[parent][:, self.tree.children(parent).index(node)]

    def zeros(self) -> Table:
        """A state before the first iteration, or values that were never set."""
        return {
            n: np.zeros(
                (
                    len(self.boards[int(self.tree.street[n])]),
                    int(self.tree.num_children[n]),
                    len(self.hands[self.tree.actor[n]]),
                )
            )
            for n in self.decisions
        }

    def step(
        self, player: int, regret: Table, policy_sum: Table, weights: Sequence[float]
    ) -> tuple[Table, Table]:
        """Regrets and policy sums after one pass of the player, out of those before it.

        weights: what a positive regret, a negative one and a sum are multiplied by.
        """
        positive, negative, keep = weights
        policy = normalised(regret)
        new_regret, new_sum = dict(regret), dict(policy_sum)

        def learn(node: int, by_action: Float) -> Float:
            mean: Float = (policy[node] * by_action).sum(axis=1)
            old = regret[node]
            faded = np.where(old > 0, old * positive, old * negative)
            new_regret[node] = faded + by_action - mean[:, None]
            played = self.reach(node, player, policy)[:, None] * policy[node]
            new_sum[node] = policy_sum[node] * keep + played
            return mean

        self.root_cfv(player, policy, learn)
        return new_regret, new_sum

    def budget_cfv(self, player: int) -> float:
        """What float32 may cost one pass in a root cfv, at worst.

        Every cfv is a sum of products whose absolute values add up to at most the largest stake
        times the opponent's weights. On a path through the sums a number is rounded: once per
        hand in each of three running sums of a terminal, per action in normalising and in adding
        or mixing at every level, and per card that falls.
        """
        stake = self.spot.pot / 2 + int(self.tree.committed.min(axis=1).max())
        actions = int(self.tree.num_children.max())
        cards = 49 * (RIVER - self.tree.first_street)
        roundings = (
            3 * len(self.hands[1 - player]) + 3 * actions * (len(self.tree.level_start) - 1) + cards
        )
        return roundings * EPS / 2 * stake * float(self.weight[1 - player].sum())

    def budget_chips(self, player: int) -> float:
        """The same for an EV."""
        per_hand = self.budget_cfv(player)
        return per_hand * float(self.weight[player].sum()) / self.num_pairs


def normalised(table: Table) -> Table:
    """The policy of every hand: clipped at 0 and divided by the sum; uniform where that is 0."""
    policy = {}
    for node, stored in table.items():
        clipped = np.maximum(stored, 0.0)
        total = clipped.sum(axis=1, keepdims=True)
        uniform = np.full_like(clipped, 1.0 / clipped.shape[1])
        policy[node] = np.divide(clipped, total, out=uniform, where=total > 0)
    return policy


def minimax_chips(oracle: Oracle, player: int) -> float:
    """The player's EV when both see both hands: backward induction, for one combo a side."""
    assert [len(h) for h in oracle.hands] == [1, 1], "with more combos players do not know enough"
    assert oracle.spot.rake.rate == 0, "the induction takes the one's gain as the other's loss"
    tree = oracle.tree

    def value(node: int) -> Float:  # [B] of player 0
        kind, children = tree.kind[node], tree.children(node)
        boards = oracle.boards[int(tree.street[node])]
        if kind in (FOLD, SHOWDOWN):
            return np.broadcast_to(oracle.payoffs(node, 0)[:, 0, 0], len(boards))
        below = [value(child) for child in children]
        if kind == DEAL:
            street = int(tree.street[node])
            both = oracle.alive(street + 1, 0)[:, 0] * oracle.alive(street + 1, IP)[:, 0]
            total: Float = (below[0] * both).reshape(len(boards), -1).sum(axis=1)
            return total / oracle.num_cards_left(street)
        best: Float = np.max(below, axis=0) if tree.actor[node] == 0 else np.min(below, axis=0)
        return best

    first = float(value(0)[0])
    return first if player == 0 else oracle.spot.pot - first
