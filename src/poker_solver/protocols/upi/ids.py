"""Names of nodes as UPI has them, `r:0:c:b100:8h`; where they are in a betting tree.

`c` is a check or a call, `b100` a bet or raise after which the player has put 100 in since the
hand began, and cards stand where they fall. The children of a node are its bets from large to
small, then the check or call, then the fold; or every card that can fall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from poker_solver.cards import NUM_CARDS, card_from_string, card_to_string
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError, LineError
from poker_solver.games.betting import DEAL, DECISION
from poker_solver.trees.betting import BettingTree

START = "r"
"""What stands before the first decision, `r:0`, its only child."""

FIRST = "r:0"


class RealNode(NamedTuple):
    """A node on real cards."""

    node: int  # of the betting tree
    dealt: tuple[int, ...]  # cards after those of the spot


@dataclass(frozen=True)
class NodeIds:
    """The names of a tree's nodes."""

    tree: BettingTree
    board: tuple[int, ...]
    put_in: int  # chips of each player before the tree begins

    def find(self, name: str) -> RealNode:
        """The node of a name; a `LineError` says which part is wrong and what could stand there."""
        parts = name.split(":")
        if parts[:2] != FIRST.split(":"):
            raise LineError(f"node {name!r}: a name begins with {FIRST}")
        place = RealNode(0, ())
        for part in parts[2:]:
            child = next((c for c in self.children(place) if self.last(c) == part), None)
            if child is None:
                legal = [self.last(c) for c in self.children(place)]
                here = f"there are {_few(legal)}" if legal else "the hand is over"
                raise LineError(f"node {name!r}: no {part!r} after {self.name(place)}; {here}")
            place = child
        return place

    def name(self, place: RealNode) -> str:
        """`r:0:c:b100:8h`."""
        nodes = [place.node]
        while nodes[-1] > 0:
            nodes.append(int(self.tree.parent[nodes[-1]]))
        cards, parts = [card_to_string(card) for card in place.dealt], [FIRST]
        for node in reversed(nodes[:-1]):
            is_dealt = self.tree.kind[self.tree.parent[node]] == DEAL
            parts.append(cards.pop(0) if is_dealt else self._action(node))
        return ":".join(parts)

    def last(self, place: RealNode) -> str:
        """The last part of a name."""
        if self.tree.kind[self.tree.parent[place.node]] == DEAL:
            return card_to_string(place.dealt[-1])
        return self._action(place.node)

    def _action(self, node: int) -> str:
        """The action that leads to a node."""
        label = self.tree.label[node]
        if label in ("x", "c"):
            return "c"
        if label == "f":
            return "f"
        player = int(self.tree.actor[self.tree.parent[node]])
        return f"b{self.put_in + int(self.tree.committed[node, player])}"

    def is_end(self, place: RealNode) -> bool:
        """Nobody acts any more: a fold, a showdown, or an all-in that was called."""
        return self.tree.betting(self.tree.skip_deals(place.node)).kind != DECISION

    def is_split(self, place: RealNode) -> bool:
        """A card falls, after which somebody acts."""
        return bool(self.tree.kind[place.node] == DEAL) and not self.is_end(place)

    def actions(self, node: int) -> list[int]:
        """The children of a decision in the order of UPI, as the numbers of their actions."""
        amounts = self.tree.amount[list(self.tree.children(node))]
        labels = self.tree.actions(node)
        return sorted(range(len(labels)), key=lambda a: (-int(amounts[a]), labels[a] == "f"))

    def children(self, place: RealNode) -> list[RealNode]:
        """Where every action, or every card, leads; none where the hand is over."""
        if self.is_end(place):
            return []
        if self.is_split(place):
            after = int(self.tree.first_child[place.node])
            out = {*self.board, *place.dealt}
            cards = (card for card in range(NUM_CARDS) if card not in out)
            return [RealNode(after, (*place.dealt, card)) for card in cards]
        first = self.tree.children(place.node)
        return [RealNode(first[a], place.dealt) for a in self.actions(place.node)]

    def without_cards(self, node: int) -> str:
        """The name of a node whatever the cards."""
        path, parts = node, list[str]()
        while path > 0:
            if self.tree.kind[self.tree.parent[path]] != DEAL:
                parts.append(self._action(path))
            path = int(self.tree.parent[path])
        return ":".join([FIRST, *reversed(parts)])


def read_cards(words: Sequence[str]) -> tuple[int, ...]:
    """`QhQc2c`, or `Qh Qc 2c`."""
    text = "".join(words)
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    wrong = next((pair for pair in pairs if not is_card(pair)), None)
    if wrong is not None:
        raise InputError(f"{wrong!r} is not a card, as in Qh")
    return tuple(map(card_from_string, pairs))


def _few(words: Sequence[str]) -> str:
    shown = ", ".join(words[:8])
    return f"{shown}, ... ({len(words)})" if len(words) > 8 else shown
