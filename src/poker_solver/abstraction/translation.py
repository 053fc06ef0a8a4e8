"""Pseudo-harmonic translation: amounts that a tree does not have, as amounts that it has.

A bet or raise is measured by what it adds to the call, x times the pot after the call. Between
the tree's neighbours A < x < B it goes to A with probability (B - x)(1 + A) / ((B - A)(1 + x)):
whoever calls each size as often as makes a bluff worth nothing, 1 / (1 + size), then calls x so
often too (Ganzfried and Sandholm, 2013). What is smaller than the smallest or larger than the
largest goes there. An all-in goes to the tree's, where it has one.

Any amount above the bet is taken, whether or not rules allow a raise so small. Once one was
translated, pots differ: what is really played is measured by what is really in the middle, the
tree's sizes by what the tree has there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np

from poker_solver.cards import card_to_string
from poker_solver.config.base import to_chips
from poker_solver.config.bet_sizes import round_half_away
from poker_solver.config.lines.text import is_card, tokens_of
from poker_solver.errors import InputError, LineError
from poker_solver.games.betting import (
    ALL_IN,
    DECISION,
    IP,
    OOP,
    PREFLOP,
    Betting,
    find_step,
)
from poker_solver.games.notation import live_card
from poker_solver.trees.betting import BettingTree

_AMOUNT = re.compile(r"([br])(\d+(?:\.\d*)?|\.\d+)(%?)")


def probability_of_smaller(x: float, smaller: float, larger: float) -> float:
    """How often x, between two sizes in pots, goes to the smaller one."""
    return (larger - x) * (1 + smaller) / ((larger - smaller) * (1 + x))


class RealChips(NamedTuple):
    """What is really on the table, at any point of a street."""

    pot: int  # that is nobody's bet of this street
    stack: int  # of each player, at the start of the street
    bets: tuple[int, int] = (0, 0)  # of OOP and IP

    @classmethod
    def at(cls, tree: BettingTree, node: int = 0) -> "RealChips":
        """As a tree has it at a node."""
        here, rules = tree.betting(node), tree.rules
        return cls(rules.pot + 2 * here.paid, rules.stack - here.paid, here.bets)

    def with_bet(self, player: int, amount: int) -> "RealChips":
        """After a bet, raise or call to an amount."""
        bets = (amount, self.bets[IP]) if player == OOP else (self.bets[OOP], amount)
        return self._replace(bets=bets)

    def next_street(self) -> "RealChips":
        """After the bets of this street, which are equal, have gone into the pot."""
        return RealChips(self.pot + sum(self.bets), self.stack - max(self.bets))

    def size(self, player: int, amount: int) -> float:
        """What an amount adds to the call, in pots after the call."""
        facing = self.bets[1 - player]
        return (amount - facing) / (self.pot + 2 * facing)

    def amount(self, player: int, size: float) -> int:
        """The chips, on this street, that are nearest to a size; the all-in at most."""
        facing = self.bets[1 - player]
        return min(facing + round(size * (self.pot + 2 * facing)), self.stack)


@dataclass(frozen=True)
class Translated:
    """A line as a tree has it."""

    tokens: tuple[str, ...]  # actions of the tree, and cards
    probabilities: tuple[float, ...]  # of each token, given those before; 1 where nothing was done
    node: int  # of the tree
    nodes: tuple[int, ...]  # after every token
    dealt: tuple[int, ...]  # the cards among the tokens
    chips: RealChips  # what is really there
    is_exact: bool  # the tree has the same there, to the chip

    @property
    def probability(self) -> float:
        """Of all of it."""
        return prod(self.probabilities)


def translate(
    line: str | Sequence[str],
    tree: BettingTree,
    *,
    board: Sequence[int] = (),
    chips: RealChips | None = None,
    rng: np.random.Generator | None = None,
) -> Translated:
    """A line with any amounts, such as `x b94 c 7d`, as one of the tree.

    Args:
        line: tokens, every card where it falls.
        tree: of any street.
        board: the cards at its start, which cannot fall again.
        chips: what is really there at its start, if that is not what the tree says.
        rng: draws between two neighbours; without it, the likelier one is taken.
    """
    chips = RealChips.at(tree) if chips is None else chips
    node, dealt, tokens, probabilities = 0, list[int](), list[str](), list[float]()
    nodes: list[int] = []
    for number, token in enumerate(tokens_of(line) if isinstance(line, str) else line, 1):
        try:
            if is_card(token):
                node = tree.deal(node, token)
                nodes.append(node)
                dealt.append(live_card(token, [*board, *dealt]))
                tokens.append(card_to_string(dealt[-1]))
                probabilities.append(1.0)
                chips = chips.next_street()
                continue
            child, probability, chips = _play(tree, node, chips, token, rng)
        except InputError as error:
            raise LineError(f"token {number} {error}") from None
        tokens.append(tree.actions(node)[child - int(tree.first_child[node])])
        probabilities.append(probability)
        nodes.append(node := child)
    is_exact = chips == RealChips.at(tree, node)
    return Translated(
        tuple(tokens), tuple(probabilities), node, tuple(nodes), tuple(dealt), chips, is_exact
    )


def _play(
    tree: BettingTree, node: int, chips: RealChips, token: str, rng: np.random.Generator | None
) -> tuple[int, float, RealChips]:
    """The child that an action leads to, how likely it is, and what is then really there."""
    here, same = tree.betting(node), chips == RealChips.at(tree, node)
    if here.kind != DECISION and not same:
        raise LineError(f"{token!r}: the amounts before it are all-in in the tree")
    if here.kind != DECISION or (token != ALL_IN and _AMOUNT.fullmatch(token) is None):
        child, bets = tree.step(node, token), (max(chips.bets),) * 2
        return child, 1.0, chips._replace(bets=bets) if token == "c" else chips
    player = here.actor
    steps = tree.steps[int(tree.state[node])]
    if same and (index := find_step(here, steps, token)) is not None:
        return tree.children(node)[index], 1.0, chips.with_bet(player, steps[index].amount)
    amount = _chips(here, chips, token)
    sizes = {
        index: RealChips.at(tree, node).size(player, step.amount)
        for index, step in enumerate(steps)
        if step.amount > 0
    }
    if not sizes:
        raise LineError(f"{token!r}: the tree has no bet or raise here")
    if amount == chips.stack and steps[-1].token == ALL_IN:
        index, probability = len(steps) - 1, 1.0
    else:
        index, probability = _choose(chips.size(player, amount), sizes, rng)
    return tree.children(node)[index], probability, chips.with_bet(player, amount)


def _choose(
    x: float, sizes: dict[int, float], rng: np.random.Generator | None
) -> tuple[int, float]:
    """One of the sizes, which ascend, for x, and how likely that one is."""
    below = [index for index, size in sizes.items() if size <= x]
    above = [index for index, size in sizes.items() if size > x]
    if not below or not above:
        return (above or below[-1:])[0], 1.0
    p = probability_of_smaller(x, sizes[below[-1]], sizes[above[0]])
    is_smaller = p >= 0.5 if rng is None else rng.random() < p
    return (below[-1], p) if is_smaller else (above[0], 1.0 - p)


def _chips(here: Betting, chips: RealChips, token: str) -> int:
    """What a token really bets or raises to; refuses what no tree could mean."""
    facing, before = chips.bets[1 - here.actor], here.street == PREFLOP
    if facing >= chips.stack:
        raise LineError(f"{token!r}: the other player is all-in; f folds, c calls")
    found = _AMOUNT.fullmatch(token)
    if found is None:  # the all-in
        return chips.stack
    letter, number, share = found.groups()
    if letter != (wanted := "r" if before or facing > 0 else "b"):
        raise LineError(f"{token!r}: this would be a {'raise' if wanted == 'r' else 'bet'}")
    if share and not before:
        more = Fraction(number.rstrip(".")) / 100 * (chips.pot + 2 * facing)
        amount = facing + round_half_away(more)
    elif share or not (before or number.isdecimal()):
        raise LineError(f"{token!r}: want {'big blinds' if before else 'whole chips'}")
    else:
        amount = to_chips(float(number)) if before else int(number)
    if amount <= facing:
        raise LineError(f"{token!r}: must be to more than the bet of {facing} chips")
    return min(amount, chips.stack)
