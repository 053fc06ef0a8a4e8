"""Hands taken together: by class, by made hand, by draw; plain values in, plain values out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import nan

from poker_solver.cards import (
    COMBO_CLASS,
    HAND_NAMES,
    cards_from_string,
    combo_from_string,
    combos_left,
)
from poker_solver.query.made_hands import DRAWS, MADE, kinds_of
from poker_solver.query.node import ActionDistribution, HandView, NodeView

_KINDS = {"made hand": (0, MADE), "draw": (1, DRAWS)}


def by_class(
    combos: Iterable[HandView], actions: tuple[str, ...], board: str
) -> tuple[HandView, ...]:
    """All 169 classes, in class order."""
    hands = _grouped(combos, actions, lambda name: HAND_NAMES[class_of(name)], HAND_NAMES)
    pairs = zip(hands, _live(board), strict=True)
    return tuple(replace(hand, num_live=live) for hand, live in pairs)


@lru_cache(maxsize=256)
def _live(board: str) -> tuple[int, ...]:
    """Combos of each class that a board leaves."""
    return tuple(combos_left(cards_from_string(board)).tolist())


def by_kind(view: NodeView, title: str, seat: int | None = None) -> tuple[HandView, ...]:
    """Hands of a player, who acts if not given, by `made hand` or `draw`, those that get here."""
    which, names = _KINDS[title]
    who = view.actor if seat is None else seat
    hands = () if who is None else view.players[who].combos
    actions = view.actions if who == view.actor else ()
    groups = _grouped(hands, actions, lambda combo: kinds_of(combo, view.board)[which], names)
    return tuple(group for group in groups if group.is_here)


@cache
def class_of(combo: str) -> int:
    """`AhKh` -> 13."""
    return int(COMBO_CLASS[combo_from_string(combo)])


def _grouped(
    hands: Iterable[HandView],
    actions: tuple[str, ...],
    label: Callable[[str], str],
    names: Sequence[str],
) -> tuple[HandView, ...]:
    members: dict[str, list[HandView]] = {name: [] for name in names}
    for hand in hands:
        members[label(hand.name)].append(hand)
    return tuple(together(name, group, actions) for name, group in members.items())


def together(name: str, hands: Sequence[HandView], actions: tuple[str, ...]) -> HandView:
    """One hand for several; means are over the deals that get here."""
    if not hands:
        return _nobody(name, actions)
    dealt, share = sum(hand.num_dealt for hand in hands), sum(hand.share for hand in hands)
    reach = sum(hand.num_combos for hand in hands) / dealt if dealt else 0.0
    held = [hand for hand in hands if hand.share > 0]
    if not held:
        none = tuple(nan for _ in actions)
        return HandView(name, dealt, reach, 0.0, nan, nan, _unmet(hands, actions), none)

    def mean(values: Iterable[float]) -> float:
        pairs = zip(held, values, strict=True)
        return sum(hand.share * value for hand, value in pairs) / share

    mix = [mean(row) for row in zip(*(hand.mix.frequency for hand in held), strict=True)]
    return HandView(
        name=name,
        num_dealt=dealt,
        reach=reach,
        share=share,
        ev_chips=mean(hand.ev_chips for hand in held),
        equity=mean(hand.equity for hand in held),
        mix=ActionDistribution(actions, tuple(p / sum(mix) for p in mix)),
        ev_actions_chips=tuple(
            mean(row) for row in zip(*(hand.ev_actions_chips for hand in held), strict=True)
        ),
        is_locked=all(hand.is_locked for hand in held),
    )


@lru_cache(1 << 12)
def _nobody(name: str, actions: tuple[str, ...]) -> HandView:
    """No hand at all: most classes of most ranges."""
    none = tuple(nan for _ in actions)
    return HandView(name, 0, 0.0, 0.0, nan, nan, ActionDistribution.even(actions), none)


def _unmet(hands: Sequence[HandView], actions: tuple[str, ...]) -> ActionDistribution:
    """What hands that meet no opponent here would play, by how much of each is held."""
    held = [hand for hand in hands if hand.reach > 0]
    if not held:
        return ActionDistribution.even(actions)
    combos = [hand.num_combos for hand in held]
    columns = zip(*(hand.mix.frequency for hand in held), strict=True)
    mix = [sum(n * p for n, p in zip(combos, column, strict=True)) for column in columns]
    return ActionDistribution(actions, tuple(p / sum(mix) for p in mix))
