"""What a decision was worth beside what the solution plays, and what a practice came to."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Literal

from poker_solver.errors import InputError
from poker_solver.query.node import BETTER, HandView, NodeView

BLUNDER = 0.05
"""A part of the pot: who loses as much has blundered."""

PLAYED = 0.05
"""A hand that plays an action so often must know its EV, else nothing is said of what was lost."""

OFTEN = 0.3
"""What the solution does so often is no mistake, whatever its EVs say: they are not exact."""

Verdict = Literal["right", "mistake", "blunder", "off", "unknown"]
"""`off`: the solution does not do this, so what it loses is not known."""

STREETS = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class Grade:
    """One decision, answered."""

    line: str  # before it
    street: str
    combo: str
    played: str
    best: str  # by EV; what is played most where EVs are not known
    mix: dict[str, float]
    ev_chips: dict[str, float]  # of the actions where it is known
    lost_chips: float | None  # against what the solution's mix earns; None where not known
    lost_bb: float | None  # the same in big blinds, where there are any
    lost_pct: float | None  # the same, of the pot
    why: str  # it is not known; empty where it is
    is_repeat: bool = False  # of an earlier mistake

    @property
    def frequency(self) -> float:
        """How often the solution does so."""
        return self.mix[self.played]

    @property
    def verdict(self) -> Verdict:
        """By what was lost; what the solution itself often does is right."""
        if self.lost_pct is None:
            return "off" if self.frequency < PLAYED else "unknown"
        if self.lost_pct < 100 * BETTER or self.frequency >= OFTEN:
            return "right"
        return "mistake" if self.lost_pct < 100 * BLUNDER else "blunder"


def grade(view: NodeView, hand: HandView, played: str, *, combo: str, repeat: bool) -> Grade:
    """What an action of a hand loses at a node."""
    if played not in view.actions:
        raise InputError(f"{played!r} is not legal here; {', '.join(view.actions)} are")
    mix = dict(zip(hand.mix.actions, hand.mix.frequency, strict=True))
    rough = {action for action in view.rough_actions if not view.ends(action)}  # else it is equity
    evs = {
        action: ev
        for action, ev in zip(hand.mix.actions, hand.ev_actions_chips, strict=True)
        if not isnan(ev) and action not in rough
    }
    why = _unknown(played, mix, evs)
    lost = None if why else max(_earned(mix, evs) - evs[played], 0.0)
    ranked = mix if why else evs
    per_bb = view.facts.chips_per_bb
    return Grade(
        line=view.line,
        street=street_of(view),
        combo=combo,
        played=played,
        best=max(ranked, key=lambda action: ranked[action]),
        mix=mix,
        ev_chips=evs,
        lost_chips=lost,
        lost_bb=None if lost is None or per_bb is None else lost / per_bb,
        lost_pct=None if lost is None else 100 * lost / view.pot_chips,
        why=why,
        is_repeat=repeat,
    )


def street_of(view: NodeView) -> str:
    """By the cards on the board."""
    return STREETS[max(len(view.board) // 2 - 2, 0)]


def _unknown(played: str, mix: dict[str, float], evs: dict[str, float]) -> str:
    """Why nothing is said of what was lost; nothing if it is."""
    if not evs or set(evs) == {"f"}:
        return "EVs are not known here"
    if played not in evs:
        return f"hardly any hand plays {played} here: its EV rests on answers nobody has learned"
    unsaid = [action for action, p in mix.items() if p >= PLAYED and action not in evs]
    if unsaid:
        return f"hardly any hand plays {unsaid[0]} here, which this one does"
    return ""


def _earned(mix: dict[str, float], evs: dict[str, float]) -> float:
    """What the mix earns, with the actions whose EVs are known."""
    total = sum(mix[action] for action in evs)
    if total <= 0:
        return max(evs.values())
    return sum(mix[action] * ev for action, ev in evs.items()) / total


@dataclass(frozen=True)
class StreetScore:
    """Decisions of one street, or of all."""

    num_decisions: int
    num_known: int  # those whose loss is known
    num_right: int  # that lost less than 1 % of the pot
    num_off: int  # that the solution does not make, at a loss that is not known
    lost_bb: float | None  # per decision; None where there is no big blind, or none is known
    lost_pct: float | None  # per decision, of the pot

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that were right, of those that can be told."""
        told = self.num_known + self.num_off
        return self.num_right / told if told else None


def score(grades: Sequence[Grade]) -> StreetScore:
    """What some decisions came to."""
    known = [one for one in grades if one.lost_pct is not None]
    in_bb = [one.lost_bb for one in known if one.lost_bb is not None]
    pct = [one.lost_pct for one in known if one.lost_pct is not None]
    return StreetScore(
        num_decisions=len(grades),
        num_known=len(known),
        num_right=sum(one.verdict == "right" for one in grades),
        num_off=sum(one.verdict == "off" for one in grades),
        lost_bb=sum(in_bb) / len(in_bb) if in_bb else None,
        lost_pct=sum(pct) / len(pct) if pct else None,
    )


def scores(grades: Sequence[Grade]) -> dict[str, StreetScore]:
    """Of all decisions, and of every street that has any."""
    by_street = {
        street: score(found)
        for street in STREETS
        if (found := [one for one in grades if one.street == street])
    }
    return {"all": score(grades), **by_street}
