"""The locks of a spot found in its betting tree: nodes, cards and hands; nothing is solved.

A lock holds at one node on the boards its line names, `*` standing for every card, and nowhere
else. A renaming of suits may be used only if it carries every lock onto a lock that says the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, cards_to_string, combo_to_string, parse_range, unblocked
from poker_solver.cards.isomorphism import (
    Permutation,
    combo_permutation,
    permute_cards,
    suit_symmetries,
)
from poker_solver.config.lines.text import EVERY_CARD
from poker_solver.config.locks import SUM_TOLERANCE, Lock, Mix
from poker_solver.config.problems import Problem
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, InputError, LineError
from poker_solver.games.betting import DEAL, NONE, PLAYERS
from poker_solver.trees.betting import BettingTree

Float = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LockedNode:
    """What is fixed at one node on some boards."""

    line: str
    node: int
    dealt: tuple[int, ...]  # cards after the spot's board; NONE for every card
    hands: Mask  # [1326] which are locked
    policy: Float  # [A, 1326] their probabilities, 0 for the others; all 0 while `is_open`
    wanted: Mapping[int, float] | None = None  # action -> how often the range takes it
    is_open: bool = False  # the hands that meet `wanted` are not worked out yet

    def holds_on(self, dealt: Sequence[int]) -> bool:
        """Whether these cards are among the boards of the lock."""
        return all(own in (NONE, int(card)) for own, card in zip(self.dealt, dealt, strict=True))

    def meets(self, other: "LockedNode") -> bool:
        """Whether some board is under both."""
        pairs = zip(self.dealt, other.dealt, strict=self.node == other.node)
        return self.node == other.node and all(a == b or NONE in (a, b) for a, b in pairs)


def find_locks(spot: Spot, tree: BettingTree) -> tuple[LockedNode, ...]:
    """Every lock of a spot; a `ConfigError` lists all that is wrong with them."""
    found, problems = list[LockedNode](), list[Problem]()
    for number, lock in enumerate(spot.locks):
        wrong: list[Problem] = []
        read = _read(spot, tree, lock, wrong)
        if read is not None:
            wrong += (Problem("line", what) for what in _clashes(read, found))
            found.append(read)
        problems += (Problem(f"locks[{number}].{p.place}", p.what) for p in wrong)
    if problems:
        raise ConfigError("; ".join(map(str, problems)))
    return tuple(found)


def _read(spot: Spot, tree: BettingTree, lock: Lock, problems: list[Problem]) -> LockedNode | None:
    """One lock; what is wrong with it is added to `problems`."""
    try:
        node, dealt = _walk(tree, lock.line, spot.cards)
    except LineError as error:
        problems.append(Problem("line", str(error)))
        return None
    if lock.frequency is not None and NONE in dealt:
        what = f"name every card; a strategy can be locked on {EVERY_CARD}, a frequency cannot"
        problems.append(Problem("frequency", what))
    held = (spot.weights[tree.actor[node]] > 0) & unblocked(_known(dealt))
    hands, policy = np.zeros(NUM_COMBOS, bool), np.zeros((int(tree.num_children[node]), NUM_COMBOS))
    for place, text, mix in _parts(lock):
        named = parse_range(text) > 0
        if not (named & held).any():
            what = _why_not(spot, int(tree.actor[node]), named, dealt)
            problems.append(Problem(place, what))
        elif (twice := np.flatnonzero(named & held & hands)).size:
            problems.append(Problem(place, f"{combo_to_string(int(twice[0]))} is locked twice"))
        hands |= named & held
        try:
            for action, share in _shares(tree, node, mix).items():
                policy[action, named & held] = share / sum(mix.values())
        except InputError as error:
            problems.append(Problem(place, str(error)))
    return LockedNode(
        line=lock.line,
        node=node,
        dealt=dealt,
        hands=held if lock.is_open else hands,
        policy=policy,
        wanted=_wanted(tree, node, lock, problems),
        is_open=lock.is_open,
    )


def _parts(lock: Lock) -> list[tuple[str, str, Mix]]:
    """Where in the lock, which hands, which mix."""
    if lock.strategy is not None:
        return [("strategy", "random", lock.strategy)]
    return [(f"hands.{text}", text, mix) for text, mix in (lock.hands or {}).items()]


def _why_not(spot: Spot, actor: int, named: Mask, dealt: Sequence[int]) -> str:
    player = spot.oop if actor == 0 else spot.ip
    if (named & (parse_range(player.range) > 0)).any():
        return f"the board {cards_to_string([*spot.cards, *_known(dealt)])} blocks it"
    return f"is not in {PLAYERS[actor]}'s range"


def _known(dealt: Sequence[int]) -> list[int]:
    return [card for card in dealt if card != NONE]


def _walk(tree: BettingTree, line: str, board: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The decision a line leads to, and the cards it names, NONE for every card."""
    node, dealt = tree.walk(line, board, every_card=EVERY_CARD)
    if tree.kind[node] == DEAL:
        raise LineError(f"{line!r} ends where a card is dealt: name it, as in 7d, or {EVERY_CARD}")
    if not tree.is_decision[node]:
        raise LineError(f"{line!r}: nobody acts there, the hand is over")
    return node, tuple(dealt)


def _shares(tree: BettingTree, node: int, mix: Mix) -> dict[int, float]:
    """The mix by the number of each action."""
    found: dict[int, float] = {}
    for action, share in mix.items():
        which = tree.children(node).index(tree.step(node, action))
        if which in found:
            raise InputError(f"{action!r} is given twice")
        found[which] = share
    return found


def _wanted(
    tree: BettingTree, node: int, lock: Lock, problems: list[Problem]
) -> dict[int, float] | None:
    if lock.frequency is None:
        return None
    try:
        found = _shares(tree, node, lock.frequency)
    except InputError as error:
        problems.append(Problem("frequency", str(error)))
        return None
    total = sum(found.values())
    if len(found) == tree.num_children[node] and abs(total - 1) > SUM_TOLERANCE:
        what = f"the frequencies of all actions sum to {total:g}, must be 1"
        problems.append(Problem("frequency", what))
    return found


def _clashes(lock: LockedNode, others: Sequence[LockedNode]) -> Iterator[str]:
    for other in others:
        if lock.meets(other) and (both := np.flatnonzero(lock.hands & other.hands)).size:
            hand = combo_to_string(int(both[0]))
            yield f"{lock.line!r}: {hand} is locked twice, by {other.line!r} too"


def lock_symmetries(
    cards: Sequence[int], weights: Sequence[Float] | Float, locks: Sequence[LockedNode]
) -> list[Permutation]:
    """The renamings of suits that leave board, ranges and all locks as they are."""
    group = suit_symmetries(cards, list(weights))
    merged: dict[tuple[int, tuple[int, ...]], tuple[Mask, Float]] = {}
    for lock in locks:
        key = lock.node, lock.dealt
        hands, policy = merged.get(key, (False, 0.0))
        merged[key] = hands | lock.hands, policy + lock.policy

    def keeps(way: Permutation) -> bool:
        for (node, dealt), (hands, policy) in merged.items():
            to = combo_permutation(way)
            image = tuple(NONE if c == NONE else permute_cards([c], way)[0] for c in dealt)
            if (node, image) not in merged:
                return False
            their_hands, their_policy = merged[node, image]
            same = np.array_equal(their_hands[to], hands)
            if not same or not np.array_equal(their_policy[:, to], policy):
                return False
        return True

    return [way for way in group if keeps(way)]
