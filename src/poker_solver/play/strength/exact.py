"""How much a strategy can be beaten by in a game after the flop, exactly: all it plays is asked."""

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from poker_solver.cards import card_to_string
from poker_solver.kernels.arrays import F32
from poker_solver.play.hand import PokerHand
from poker_solver.play.mix import Policy
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.layout.layout import Layout, layout_of
from poker_solver.postflop.layout.state import state_rows
from poker_solver.postflop.plan import plan


def exact_exploitability(player: Policy, hand: PokerHand, game: PostflopGame) -> float:
    """Chips per deal that best responses win of a strategy, the mean of both seats.

    Args:
        player: asked about every decision on every board, line by line.
        hand: where the game begins.
        game: with both ranges there, and bets that the player answers as the tree has them.
    """
    layout = layout_of(plan(game))
    asked = _Asked(player, layout)
    asked.follow(0, 0, hand)
    engine = PostflopEngine(layout)
    engine.policy_sum[:] = asked.sums
    return float(engine.measure()[0])


@dataclass
class _Asked:
    """A strategy on its way into the arrays of an engine."""

    player: Policy
    layout: Layout
    sums: F32 = field(init=False)  # [elements]

    def __post_init__(self) -> None:
        self.sums = np.zeros(self.layout.num_elements, np.float32)
        self._next: dict[frozenset[int], list[tuple[int, int]]] = defaultdict(list)
        runouts = self.layout.runouts
        for street in range(self.layout.tree.first_street + 1, len(runouts.num_boards)):
            for number, cards in enumerate(runouts.boards(street).tolist()):
                self._next[frozenset(cards[:-1])].append((number, cards[-1]))

    def follow(self, node: int, board: int, hand: PokerHand) -> None:
        """Ask about a decision on a board of its street, and about all that follow."""
        tree = self.layout.tree
        if hand.is_over or hand.is_all_in:
            return
        if hand.cards_due:
            for number, card in self._next[frozenset(hand.board)]:
                self.follow(tree.children(node)[0], number, hand.deal(card_to_string(card)))
            return
        found, actions = self.player.whole_range(hand), tree.actions(node)
        rows = state_rows(self.layout, self.sums, node, board, board + 1)[0]
        for token, mix in zip(found.actions, found.strategy, strict=True):
            rows[actions.index(token)] += mix[self.layout.combos[hand.actor]]
        for token, child in zip(actions, tree.children(node), strict=True):
            self.follow(child, board, hand.act(token))
