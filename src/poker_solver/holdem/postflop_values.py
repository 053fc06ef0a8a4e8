"""What hands are worth below any node of a solved spot, with both average strategies.

Nothing is stored: the subtree under a line is walked when it is asked for. Boards of one street
that hang under the same turn are taken together, so the work is done by large array operations.
Values are counterfactual: weighted by the opponent's reach and by chance since the node asked
about, in chips against half of the spot's pot. All hands are in the order of `layout.combos`, on
representative boards.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS, NUM_COMBOS
from poker_solver.cards.isomorphism import Permutation, combo_permutation
from poker_solver.cards.strength import board_strengths
from poker_solver.holdem.postflop_layout import Layout
from poker_solver.kernels.showdown import on_numba
from poker_solver.trees.postflop import DEAL, FLOP, FOLD, IP, NONE, OOP, RIVER, SHOWDOWN, TURN

Float = NDArray[np.float64]
Pair = tuple[Float, Float]  # of OOP's and IP's hands, [B, H] on B boards
Values = dict[int, Pair]

RUNOUTS_LEFT = {TURN: 45, RIVER: 44}
"""Cards that can fall as the turn and as the river, both hands being known."""


_LINES_KEPT = 200
"""Lines, each on one board, whose values are kept."""


_TURNS_AT_ONCE = 8
"""Turns whose values are in memory together."""

_ROUNDING = 1e-12
"""A part of a range as small as this is what subtracting leaves of nothing."""


class Block(NamedTuple):
    """Consecutive representative boards of one street; above the river always one."""

    street: int
    first: int
    last: int


def state_rows(
    layout: Layout, state: NDArray[Any], node: int, first: int, last: int
) -> NDArray[Any]:
    """[B, A, H] view of a decision's state on boards first to last of its street."""
    num_actions = int(layout.tree.num_children[node])
    num_hands = len(layout.combos[layout.tree.kind[node]])
    stride, count, item = int(layout.stride[node]), last - first, state.itemsize
    begin = int(layout.offset[node]) + first * stride
    end = begin + (count - 1) * stride + num_actions * num_hands
    return np.lib.stride_tricks.as_strided(
        state[begin:end],
        (count, num_actions, num_hands),
        (stride * item, num_hands * item, item),
    )


class Evaluator:
    """Average strategies of a layout, and values made from them.

    Args:
        layout: the spot.
        weights: [elements] how much each action of each hand weighs: strategy sums, or
            probabilities in any unit.
    """

    def __init__(self, layout: Layout, weights: NDArray[Any]) -> None:
        self.layout = layout
        self.tree = layout.tree
        self.weights = weights
        self.num_hands = tuple(len(combos) for combos in layout.combos)
        self._known: dict[tuple[int, int], Values] = {}  # by entry and board
        self._moves: dict[tuple[int, Permutation], NDArray[np.int64]] = {}

    def strategy(self, node: int, block: Block) -> Float:
        """[B, A, H] of the player to act; uniform where he never gets."""
        found = self.rows(node, block).astype(np.float64)
        total = found.sum(axis=1, keepdims=True)
        even = np.full_like(found, 1.0 / found.shape[1])
        shares: Float = np.divide(found, total, out=even, where=total > 0)
        return shares

    def rows(self, node: int, block: Block) -> NDArray[Any]:
        """[B, A, H] the weights of a decision."""
        return state_rows(self.layout, self.weights, node, block.first, block.last)

    def moved(self, player: int, permutation: Permutation) -> NDArray[np.int64]:
        """[H] where each hand is found once suits are renamed."""
        key = player, permutation
        if key not in self._moves:
            place = np.full(NUM_COMBOS, NONE, np.int64)
            own = self.layout.combos[player]
            place[own] = np.arange(len(own))
            self._moves[key] = place[combo_permutation(permutation)[own]]
        return self._moves[key]

    def live(self, player: int, street: int) -> NDArray[np.bool_]:
        """[boards, H] whether a hand holds none of the board's cards."""
        return self._live[player, street]

    @cached_property
    def _live(self) -> dict[tuple[int, int], NDArray[np.bool_]]:
        found = {}
        for street in range(self.tree.first_street, RIVER + 1):
            boards = self.layout.runouts.boards(street)
            for player, combos in enumerate(self.layout.combos):
                cards = COMBO_CARDS[combos]  # [H, 2]
                meets = boards[:, None, :, None] == cards[None, :, None, :]
                found[player, street] = ~meets.any(axis=(2, 3))
        return found

    def met(self, player: int, opponent: Float) -> Float:
        """[B, H] reach of the opponent's hands that share no card with each of the player's."""
        out = np.empty((len(opponent), self.num_hands[player]))
        on_numba.run_met(self._cards[player], self._cards[1 - player], opponent, out)
        out[out < _ROUNDING * opponent.sum(axis=1, keepdims=True)] = 0.0
        return out

    @cached_property
    def _cards(self) -> list[NDArray[np.int64]]:
        return [COMBO_CARDS[combos].astype(np.int64) for combos in self.layout.combos]

    def reach_at(self, node: int, board: int) -> Pair:
        """[H] of both players at a node, on one representative board of its street."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.tree.parent[path[-1]]))
        reach = [weights.astype(np.float64) for weights in self.layout.reach]
        for here, after in pairwise(reversed(path)):
            if self.tree.is_decision[here]:
                street = int(self.tree.street[here])
                above = self._board_above(int(self.tree.street[node]), board, street)
                strategy = self.strategy(here, Block(street, above, above + 1))[0]
                reach[self.tree.kind[here]] *= strategy[self.tree.children(here).index(after)]
        oop, ip = (reach[p] * self.live(p, int(self.tree.street[node]))[board] for p in (OOP, IP))
        return oop, ip

    def _board_above(self, street: int, board: int, wanted: int) -> int:
        """The board of an earlier street that a board came from."""
        if wanted == street:
            return board
        if wanted == FLOP:
            return 0
        return int(np.searchsorted(self.layout.runouts.river_start, board, "right")) - 1

    def values_at(self, node: int, board: int) -> Pair:
        """[H] values of both players at a node that both reach as they play.

        A street is worked out once from where its line begins, and kept.
        """
        entry = node
        while entry > 0 and self.tree.kind[self.tree.parent[entry]] != DEAL:
            entry = int(self.tree.parent[entry])
        if (entry, board) not in self._known:
            while len(self._known) >= _LINES_KEPT:
                self._known.pop(next(iter(self._known)))
            found = self.line_values(entry, board, self.reach_at(entry, board))
            self._known[entry, board] = found
        oop, ip = self._known[entry, board][node]
        return oop[0], ip[0]

    def line_values(self, node: int, board: int, reach: Pair) -> Values:
        """Values of a node and of all nodes of its street below it, on one board.

        Args:
            node: of the betting tree.
            board: which representative board of the node's street.
            reach: [H] of both players at the node, on that board.
        """
        block = Block(int(self.tree.street[node]), board, board + 1)
        return self._street(block, {node: (reach[0][None], reach[1][None])})

    def _street(self, block: Block, entries: Mapping[int, Pair]) -> Values:
        """Values of the entries and of all nodes of the street below them."""
        strategies: dict[int, Float] = {}
        reach = self._reach_down(block, entries, strategies)
        deals = {node: pair for node, pair in reach.items() if self.tree.kind[node] == DEAL}
        values = self._after_cards(block, deals) if deals else {}
        shown = [node for node in reach if self.tree.kind[node] == SHOWDOWN]
        if shown:
            values.update(self._showdowns(block, shown, reach))
        for node in reversed(reach):  # children before parents
            if self.tree.kind[node] == FOLD:
                values[node] = self._fold(block, node, reach[node])
            elif self.tree.is_decision[node]:
                values[node] = self._decision(node, strategies[node], values)
        return values

    def _reach_down(
        self, block: Block, entries: Mapping[int, Pair], strategies: dict[int, Float]
    ) -> Values:
        """Reach of all nodes of the street below the entries; notes the strategies on the way."""
        reach = dict(entries)
        waiting = list(entries)
        for node in waiting:  # grows as it is walked, parents first
            if not self.tree.is_decision[node]:
                continue
            actor, strategy = int(self.tree.kind[node]), self.strategy(node, block)
            strategies[node] = strategy
            for which, child in enumerate(self.tree.children(node)):
                own = reach[node][actor] * strategy[:, which]
                other = reach[node][1 - actor]
                reach[child] = (own, other) if actor == OOP else (other, own)
                waiting.append(child)
        return {node: reach[node] for node in waiting}

    def _decision(self, node: int, strategy: Float, values: Values) -> Pair:
        actor = int(self.tree.kind[node])
        below = [values[child] for child in self.tree.children(node)]
        own = sum(strategy[:, which] * pair[actor] for which, pair in enumerate(below))
        other = sum(pair[1 - actor] for pair in below)
        return (own, other) if actor == OOP else (other, own)  # type: ignore[return-value]

    def _stakes(self, node: int) -> tuple[float, float]:
        """What a loser has put in, half of the pot included, and the rake."""
        spot = self.layout.spot
        stake = spot.pot / 2 + int(self.tree.committed[node].min())
        return stake, spot.rake.taken_chips(self.tree.won_chips(node))

    def _fold(self, block: Block, node: int, reach: Pair) -> Pair:
        stake, rake = self._stakes(node)
        folder = int(self.tree.folder[node])
        found = []
        for player in (OOP, IP):
            chips = -stake if player == folder else stake - rake
            live = self.live(player, block.street)[block.first : block.last]
            found.append(chips * self.met(player, reach[1 - player]) * live)
        return found[0], found[1]

    def _showdowns(self, block: Block, nodes: list[int], reach: Values) -> Values:
        """All showdowns of the boards."""
        pays = np.array([self._stakes(node) for node in nodes])  # [S, 2]
        stake, rake = pays[:, :1], pays[:, 1:]
        shown = [np.stack([reach[node][p] for node in nodes], axis=1) for p in (OOP, IP)]
        found = [np.empty((len(shown[0]), len(nodes), n)) for n in self.num_hands]  # [B, S, H]
        boards = slice(block.first, block.last)
        for player in (OOP, IP):
            other = 1 - player
            own, opponents = (self._strengths[p][boards] for p in (player, other))
            cards = self._cards[player], self._cards[other]
            on_numba.run(own, opponents, *cards, shown[other], found[player])
            found[player] *= stake - rake / 2
            if rake.any():
                opponent = shown[other].reshape(-1, self.num_hands[other])
                met = self.met(player, opponent).reshape(found[player].shape)
                found[player] -= rake / 2 * met * self.live(player, RIVER)[boards][:, None]
        return {node: (found[0][:, s], found[1][:, s]) for s, node in enumerate(nodes)}

    @cached_property
    def _strengths(self) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """[R, H] of each player's hands on every river; 0 where it blocks the hand."""
        found = board_strengths(self.layout.runouts.boards(RIVER))
        return found[:, self.layout.combos[OOP]], found[:, self.layout.combos[IP]]

    def _after_cards(self, block: Block, deals: Values) -> Values:
        """Values where a card falls: the next street on all its boards, added up."""
        entry = {node: self.tree.children(node)[0] for node in deals}
        total = {node: (np.zeros_like(oop), np.zeros_like(ip)) for node, (oop, ip) in deals.items()}

        def work_out(below: Block) -> Values:
            entries = {entry[node]: self._dealt(pair, below) for node, pair in deals.items()}
            values = self._street(below, entries)
            return {node: values[node] for node in entries}  # the rest would fill the memory

        blocks = self._blocks_after(block)
        for below, values in zip(blocks, self._each(work_out, blocks), strict=True):
            for board in range(below.first, below.last):
                for permutation in self._real_cards(below.street, board):
                    for player in (OOP, IP):
                        moved = self.moved(player, permutation)
                        for node in deals:
                            row = values[entry[node]][player][board - below.first]
                            total[node][player][0] += row[moved]
        return total

    def _each(self, work_out: Callable[[Block], Values], blocks: list[Block]) -> Iterator[Values]:
        """The values of every block in order, turns on as many threads as there are cores."""
        if len(blocks) == 1:
            yield work_out(blocks[0])
            return
        _ = self._live, self._strengths, self._cards  # made once, before threads share them
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for first in range(0, len(blocks), _TURNS_AT_ONCE):
                yield from pool.map(work_out, blocks[first : first + _TURNS_AT_ONCE])

    def _blocks_after(self, block: Block) -> list[Block]:
        """The boards one card later: turns one by one, the rivers of a turn together."""
        runouts = self.layout.runouts
        if block.street + 1 == TURN:
            return [Block(TURN, t, t + 1) for t in range(len(runouts.turn_card))]
        start = runouts.river_start
        return [Block(RIVER, int(start[block.first]), int(start[block.first + 1]))]

    def _dealt(self, reach: Pair, below: Block) -> Pair:
        share = 1.0 / RUNOUTS_LEFT[below.street]
        oop, ip = (
            reach[p] * share * self.live(p, below.street)[below.first : below.last]
            for p in (OOP, IP)
        )
        return oop, ip

    def _real_cards(self, street: int, board: int) -> list[Permutation]:
        """Of each real card that a representative stands for, the renaming to it."""
        runouts = self.layout.runouts
        if street == TURN:
            cards = np.flatnonzero(runouts.turn_index == board)
            rows = runouts.turn_permutation[cards]
        else:
            turn = int(np.searchsorted(runouts.river_start, board, "right")) - 1
            cards = np.flatnonzero(runouts.river_index[turn] == board)
            rows = runouts.river_permutation[turn, cards]
        return [(a, b, c, d) for a, b, c, d in rows.tolist()]
