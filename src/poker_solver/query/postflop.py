"""A solved spot as plain values: 169 classes, groups of hands, runouts; nothing is drawn here.

Money is in chips; frequencies, reach, equities and shares are fractions of 1. NaN means that
nobody gets there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import (
    CLASS_SIZE,
    COMBO_CARDS,
    COMBO_CLASS,
    HAND_NAMES,
    NUM_CARDS,
    card_to_string,
    cards_from_string,
)
from poker_solver.errors import InputError
from poker_solver.postflop.solution.node import PlayerNode, SolutionNode
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.made_hands import DRAWS, MADE, draw, made_hand
from poker_solver.query.node import ActionDistribution, RangeHand, RangeView

_NEVER_COMBOS = 0.0005
"""Fewer combos than this are said never to get here."""


@dataclass(frozen=True, slots=True)
class HandGroup:
    """Hands of the player to act taken together: a class, or a kind of made hand or draw."""

    name: str
    combos: float  # that get here, each by its reach
    share: float  # of the deals that get here
    mix: ActionDistribution  # even where the group never gets here
    ev: float  # chips
    equity: float

    @property
    def is_here(self) -> bool:
        """Whether any of it gets here, to the precision that is shown."""
        return self.combos >= _NEVER_COMBOS


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """One player's whole range at a node."""

    name: str  # OOP or IP
    combos: float
    ev: float
    equity: float


@dataclass(frozen=True, slots=True)
class ComboView:
    """One hand of the player to act."""

    name: str  # AhKh
    reach: float
    mix: ActionDistribution
    ev_actions: tuple[float, ...]
    ev: float
    equity: float


@dataclass(frozen=True, slots=True)
class PostflopView:
    """A node of a solved spot; where nobody acts there are no actions and no hands."""

    line: str
    board: str
    kind: str  # decision, deal, fold or showdown
    player: str  # OOP, IP, or empty where nobody acts
    pot: int
    behind: tuple[int, int]  # OOP, IP
    exploitability_pct: float
    iterations: int
    totals: tuple[PlayerTotals, PlayerTotals]
    ranges: tuple[RangeView, RangeView]
    actions: tuple[str, ...]
    frequency: tuple[float, ...]  # of each action
    hands: tuple[HandGroup, ...]  # 169, in class order
    made: tuple[HandGroup, ...]  # by made hand, those that get here
    draws: tuple[HandGroup, ...]  # by draw, likewise
    combos: tuple[ComboView, ...]
    num_locked: int  # of the combos, those whose strategy was fixed


@dataclass(frozen=True, slots=True)
class Runout:
    """What follows one card."""

    card: str
    share: float  # of the deals in which a card falls here
    player: str  # who acts then, or empty
    totals: tuple[PlayerTotals, PlayerTotals]
    actions: tuple[str, ...]
    frequency: tuple[float, ...]


def node_view(solution: Solution, line: str | Sequence[str] = "") -> PostflopView:
    """The node a line of actions and cards leads to."""
    node = solution.node(line)
    acts = node.player is not None
    return PostflopView(
        line=node.line,
        board=node.board,
        kind=node.kind,
        player=(node.player or "").upper(),
        pot=node.pot,
        behind=node.behind,
        exploitability_pct=solution.exploitability_pct,
        iterations=solution.iterations,
        totals=_totals(node),
        ranges=(_range(node.players[0]), _range(node.players[1])),
        actions=node.actions,
        frequency=tuple(node.frequency.tolist()) if acts else (),
        hands=by_class(node) if acts else (),
        made=by_made_hand(node) if acts else (),
        draws=by_draw(node) if acts else (),
        combos=_combos(node) if acts else (),
        num_locked=int(node.locked.sum()),
    )


def by_class(node: SolutionNode) -> tuple[HandGroup, ...]:
    """All 169 classes, in class order."""
    return _groups(node, COMBO_CLASS[node.acting.combos], HAND_NAMES)


def by_made_hand(node: SolutionNode) -> tuple[HandGroup, ...]:
    """Made hands from strong to weak, those that get here."""
    return tuple(g for g in _groups(node, _labels(node, made_hand, MADE), MADE) if g.is_here)


def by_draw(node: SolutionNode) -> tuple[HandGroup, ...]:
    """Draws from strong to weak, those that get here."""
    return tuple(g for g in _groups(node, _labels(node, draw, DRAWS), DRAWS) if g.is_here)


def _labels(
    node: SolutionNode,
    judge: Callable[[Sequence[int], Sequence[int]], str],
    names: Sequence[str],
) -> NDArray[np.int64]:
    board = cards_from_string(node.board)
    found = [judge(COMBO_CARDS[combo].tolist(), board) for combo in node.acting.combos]
    return np.array([names.index(name) for name in found], np.int64)


def _groups(
    node: SolutionNode, labels: NDArray[np.integer], names: Sequence[str]
) -> tuple[HandGroup, ...]:
    """Hands by label; means are over the deals that get here."""
    acting, count = node.acting, len(names)
    share = np.nan_to_num(acting.share)

    def total(values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Sum by label, NaN where nobody gets there left out."""
        return np.bincount(labels, np.nan_to_num(values), minlength=count).astype(np.float64)

    shares = total(share)
    mass = np.where(shares > 0, shares, nan)
    mixes = np.stack([total(share * row) / mass for row in node.strategy.astype(np.float64)])
    mixes /= mixes.sum(axis=0)
    combos, evs = total(acting.reach), total(share * acting.ev) / mass
    equities = total(share * acting.equity) / mass
    even = tuple(1 / len(node.actions) for _ in node.actions)
    return tuple(
        HandGroup(
            name=names[g],
            combos=float(combos[g]),
            share=float(shares[g]),
            mix=ActionDistribution(
                node.actions, tuple(mixes[:, g].tolist()) if shares[g] > 0 else even
            ),
            ev=float(evs[g]),
            equity=float(equities[g]),
        )
        for g in range(count)
    )


def _totals(node: SolutionNode) -> tuple[PlayerTotals, PlayerTotals]:
    oop, ip = (
        PlayerTotals(p.name.upper(), p.num_combos, p.mean_ev, p.mean_equity) for p in node.players
    )
    return oop, ip


def _range(player: PlayerNode) -> RangeView:
    labels = COMBO_CLASS[player.combos]
    live = np.bincount(labels, minlength=len(HAND_NAMES))
    reach = np.bincount(labels, player.reach, minlength=len(HAND_NAMES))
    return RangeView(
        player.name.upper(),
        tuple(
            RangeHand(name, int(CLASS_SIZE[c]) if live[c] else 0, float(reach[c] / CLASS_SIZE[c]))
            for c, name in enumerate(HAND_NAMES)
        ),
    )


def _combos(node: SolutionNode) -> tuple[ComboView, ...]:
    acting = node.acting
    return tuple(
        ComboView(
            name=name,
            reach=float(acting.reach[h]),
            mix=ActionDistribution(node.actions, tuple(_exact(node.strategy[:, h]))),
            ev_actions=tuple(node.ev_actions[:, h].tolist()),
            ev=float(acting.ev[h]),
            equity=float(acting.equity[h]),
        )
        for h, name in enumerate(acting.hands)
    )


def _exact(shares: NDArray[np.float32]) -> list[float]:
    """Probabilities that sum to 1 in float64 too."""
    found: list[float] = (shares.astype(np.float64) / shares.sum(dtype=np.float64)).tolist()
    return found


def runouts(solution: Solution, line: str | Sequence[str]) -> tuple[Runout, ...]:
    """Every card that can fall after a line, from the ace down, and what it brings."""
    start = solution.node(line)
    if start.kind != "deal":
        raise InputError(f"no card falls after {start.line!r}; runouts follow the end of a street")
    dead = cards_from_string(start.board)
    cards = [card for card in reversed(range(NUM_CARDS)) if card not in dead]
    after = [solution.node(f"{start.line} {card_to_string(card)}") for card in cards]
    deals = np.array(
        [float(node.players[0].reach.astype(np.float64) @ node.players[0].met) for node in after]
    )
    shares = deals / deals.sum() if deals.sum() > 0 else np.full(len(deals), nan)
    return tuple(
        Runout(
            card=card_to_string(card),
            share=float(share),
            player=(node.player or "").upper(),
            totals=_totals(node),
            actions=node.actions,
            frequency=tuple(node.frequency.tolist()) if node.player else (),
        )
        for card, node, share in zip(cards, after, shares, strict=True)
    )
