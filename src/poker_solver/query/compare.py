"""Two solutions at the same point: what each hand is worth in both, and who plays otherwise.

Views in, plain values out; a solve with another bet size, another range, or a lock is laid beside
the first. EVs are what `NodeView` has: shares of the pot as it lies there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.query.export import rounded
from poker_solver.query.node import HandView, NodeView, PlayerView, SolveFacts
from poker_solver.query.view import AnySolution, node_view

Two = tuple[float, float]
"""Of the first and of the second solution; NaN where one has none."""


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand, or a class, in both; a hand that one of them does not have is left out."""

    name: str
    num_combos: Two
    share: Two  # of the deals that get here
    ev_chips: Two
    equity: Two
    frequency: tuple[Two, ...]  # of each action of the comparison; none where he does not act

    @property
    def gain_chips(self) -> float:
        """EV in the second less EV in the first."""
        return self.ev_chips[1] - self.ev_chips[0]

    @property
    def moved(self) -> float:
        """The part of the hand that is played otherwise: 0 the same, 1 never the same."""
        return sum(abs(_zero(second) - _zero(first)) for first, second in self.frequency) / 2


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """One player in both."""

    name: str  # OOP, IP, SB or BB
    ev_chips: Two  # over the deals that get here
    equity: Two
    hands: tuple[HandChange, ...]  # classes, in class order
    combos: tuple[HandChange, ...]  # after the flop


@dataclass(frozen=True, slots=True)
class Comparison:
    """A line in two solutions."""

    line: tuple[str, str]  # as each writes it: a third of the pot may be other chips
    board: str
    player: str  # who acts; empty where nobody does
    facts: tuple[SolveFacts, SolveFacts]
    pot_chips: tuple[int, int]
    reached: Two
    actions: tuple[str, ...]  # of either
    frequency: tuple[Two, ...]  # one per action, over the range
    players: tuple[PlayerChange, PlayerChange]
    differs: tuple[tuple[str, str, str], ...] = ()  # a field of the spots, in the first, the second

    @property
    def acting(self) -> PlayerChange | None:
        """Who acts."""
        return next((player for player in self.players if player.name == self.player), None)

    @property
    def moved(self) -> float:
        """The part of the range that is played otherwise, hand by hand; NaN if nobody acts."""
        if self.acting is None:
            return nan
        rows = [(sum(row.share) / 2, row.moved) for row in self.acting.combos or self.acting.hands]
        total = sum(share for share, _ in rows)
        return sum(share * moved for share, moved in rows) / total if total > 0 else nan


def compare(first: AnySolution, second: AnySolution, line: str | Sequence[str] = "") -> Comparison:
    """Two solutions at the point a line leads to, in each by its own sizes: `x b33%`."""
    views = []
    for name, solution in (("first", first), ("second", second)):
        try:
            views.append(node_view(solution, line))
        except InputError as error:
            raise InputError(f"the {name} solution: {error}") from None
    return compare_views(*views, differs=tuple(spot_differences(first, second)))


def compare_views(
    first: NodeView, second: NodeView, *, differs: tuple[tuple[str, str, str], ...] = ()
) -> Comparison:
    """Two points with the same players on the same board."""
    names = [tuple(player.name for player in view.players) for view in (first, second)]
    for what, (one, other) in {
        "board": (first.board, second.board),
        "players": (" and ".join(names[0]), " and ".join(names[1])),
        "player to act": (first.player, second.player),
    }.items():
        if one != other:
            found = f"{one or 'none'} and {other or 'none'}"
            raise InputError(f"two points cannot be compared with different {what}: {found}")
    actions = tuple(dict.fromkeys((*first.actions, *second.actions)))
    totals = [{total.action: total.share for total in view.totals} for view in (first, second)]
    pairs = zip(first.players, second.players, strict=True)
    oop, ip = (_player(one, other, actions) for one, other in pairs)
    return Comparison(
        line=(first.line, second.line),
        board=first.board,
        player=first.player,
        facts=(first.facts, second.facts),
        pot_chips=(first.pot_chips, second.pot_chips),
        reached=(first.reached, second.reached),
        actions=actions,
        frequency=tuple((totals[0].get(a, nan), totals[1].get(a, nan)) for a in actions),
        players=(oop, ip),
        differs=differs,
    )


def _player(first: PlayerView, second: PlayerView, actions: tuple[str, ...]) -> PlayerChange:
    return PlayerChange(
        name=first.name,
        ev_chips=(first.ev_chips, second.ev_chips),
        equity=(first.equity, second.equity),
        hands=tuple(_changes(first.hands, second.hands, actions)),
        combos=tuple(_changes(first.combos, second.combos, actions)),
    )


def _changes(
    first: Sequence[HandView], second: Sequence[HandView], actions: tuple[str, ...]
) -> Iterator[HandChange]:
    others = {hand.name: hand for hand in second if hand.is_here}
    for hand in first:
        other = others.get(hand.name)
        if not hand.is_here or other is None:
            continue
        acts = bool(hand.mix.actions)
        mixes = [dict(zip(h.mix.actions, h.mix.frequency, strict=True)) for h in (hand, other)]
        yield HandChange(
            name=hand.name,
            num_combos=(hand.num_combos, other.num_combos),
            share=(hand.share, other.share),
            ev_chips=(hand.ev_chips, other.ev_chips),
            equity=(hand.equity, other.equity),
            frequency=tuple(
                (mixes[0].get(action, nan), mixes[1].get(action, nan))
                for action in (actions if acts else ())
            ),
        )


def _zero(share: float) -> float:
    return 0.0 if isnan(share) else share


ORDERS: dict[str, Callable[[HandChange], float]] = {
    "gain": lambda row: row.gain_chips,
    "loss": lambda row: -row.gain_chips,
    "ev": lambda row: abs(row.gain_chips),
    "strategy": lambda row: row.moved,
}
"""What hands can be put in order by, the largest first."""


def most_changed(rows: Sequence[HandChange], by: str) -> list[HandChange]:
    """Hands by one of `ORDERS`; those with no EV come last."""
    if by not in ORDERS:
        raise InputError(f"order {by!r}: want one of {', '.join(ORDERS)}")
    key = ORDERS[by]
    return sorted(rows, key=lambda row: (isnan(key(row)), -key(row)))


def spot_differences(first: AnySolution, second: AnySolution) -> Iterator[tuple[str, str, str]]:
    """What was written otherwise, field by field; nothing where there is no text."""
    fields = [_written(solution) for solution in (first, second)]
    if None in fields:
        return
    one, other = (dict(_flat("", found)) for found in fields)
    for name in dict.fromkeys((*one, *other)):
        if (before := one.get(name, "-")) != (after := other.get(name, "-")):
            yield name, before, after


def _written(solution: AnySolution) -> Any:
    config = getattr(solution, "written", None) or getattr(solution, "config", None)
    if config is None:
        return None
    fields = dict(config.to_mapping() if hasattr(config, "to_mapping") else config.model_dump())
    if isinstance(config, Spot) and config.locks:
        fields["locks"] = "; ".join(f"{one.line or 'first'}: {one.words()}" for one in config.locks)
    return fields


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    else:
        yield name, str(value)


def comparison_object(found: Comparison) -> dict[str, Any]:
    """What `compare --json` prints: pairs are of the first and the second solution."""
    return {
        "line": list(found.line),
        "board": found.board,
        "player": found.player.lower() if found.board else found.player,
        "pot": list(found.pot_chips),
        "reached": _rounded(found.reached),
        "exploitability_pct": _rounded([facts.exploitability_pct for facts in found.facts]),
        "differs": {name: [before, after] for name, before, after in found.differs},
        "actions": list(found.actions),
        "frequency": [_rounded(pair) for pair in found.frequency],
        "moved": rounded(found.moved),
        "players": {
            (player.name.lower() if found.board else player.name): {
                "ev": _rounded(player.ev_chips),
                "equity": _rounded(player.equity),
                "classes": {row.name: _row_object(row) for row in player.hands},
                "hands": {row.name: _row_object(row) for row in player.combos},
            }
            for player in found.players
        },
    }


def _row_object(row: HandChange) -> dict[str, Any]:
    return {
        "combos": _rounded(row.num_combos),
        "ev": _rounded(row.ev_chips),
        "gain": rounded(row.gain_chips),
        "equity": _rounded(row.equity),
        **(
            {
                "strategy": [_rounded(pair) for pair in row.frequency],
                "moved": rounded(row.moved),
            }
            if row.frequency
            else {}
        ),
    }


def _rounded(pair: Sequence[float]) -> list[float | None]:
    return [rounded(value) for value in pair]
