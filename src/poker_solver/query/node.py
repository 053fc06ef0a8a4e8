"""One node of a preflop solution as plain frozen values: no arrays, no solver, no drawing.

The terminal, the exports and the JSON all start from these, so they cannot disagree. Frequencies,
reach and shares are fractions of 1. Money is in bb. An EV of NaN means that nobody gets there,
which is not the same as an EV of 0.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from poker_solver.errors import InputError

NEVER = 0.0005
"""A hand that gets here less often than this is said never to get here: it rounds to 0.0 %."""

_ROUNDING = 1e-9


class ActionKind(StrEnum):
    """What an action is, its size put aside; checking and calling are one, betting and raising."""

    FOLD = "fold"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all-in"


_KINDS = {
    "f": ActionKind.FOLD,
    "c": ActionKind.CALL,
    "x": ActionKind.CALL,
    "b": ActionKind.RAISE,
    "r": ActionKind.RAISE,
    "a": ActionKind.ALL_IN,
}
_WORDS = {"f": "fold", "c": "call", "x": "check", "a": "all-in"}


def action_kind(action: str) -> ActionKind:
    """`r2.5` -> raise; the first letter tells."""
    if action[:1] not in _KINDS:
        raise InputError(f"action {action!r}: want f, c, x, a, or b or r and an amount, as in r2.5")
    return _KINDS[action[0]]


def action_words(action: str) -> str:
    """`r2.5` -> `raise 2.5`, `b94` -> `bet 94`."""
    if action.startswith("b"):
        return f"bet {action[1:]}".rstrip()
    return _WORDS.get(action) or f"raise {action.removeprefix('r')}"


def class_size(name: str) -> int:
    """Combos of a hand class before any card is known: 6 of a pair, 4 suited, 12 offsuit."""
    return {"o": 12, "s": 4}.get(name[2:], 6)


@dataclass(frozen=True, slots=True)
class ActionDistribution:
    """How often one hand takes each action."""

    actions: tuple[str, ...]  # "f", "c" or "x", "b94", "r2.5", "a"
    frequency: tuple[float, ...]  # one per action, summing to 1

    def __post_init__(self) -> None:
        if len(self.actions) != len(self.frequency):
            raise InputError(
                f"{len(self.frequency)} frequencies for {len(self.actions)} actions, want as many"
            )
        if min(self.frequency, default=0.0) < 0 or abs(sum(self.frequency) - 1) > 1e-6:
            raise InputError(f"frequencies are {self.frequency}, must be positive and sum to 1")

    def share(self, kind: ActionKind) -> float:
        """How often the hand does this, in any size."""
        pairs = zip(self.actions, self.frequency, strict=True)
        return sum(p for action, p in pairs if action_kind(action) is kind)

    @property
    def dominant(self) -> tuple[str, float]:
        """What the hand does most, as a letter (`f`, `c`, `x`, `r`, `a`), and how often.

        All raises short of all-in count as one; of equals, the first.
        """
        shares: dict[str, float] = {}
        for action, p in zip(self.actions, self.frequency, strict=True):
            shares[action[0]] = shares.get(action[0], 0.0) + p
        letter = max(shares, key=lambda letter: shares[letter])
        return letter, shares[letter]


@dataclass(frozen=True, slots=True)
class SolveFacts:
    """What was solved, and how far from equilibrium it is."""

    config: str
    stack_bb: float
    all_in_bb: float  # the bet that is all-in: the stack less the ante
    iterations: int
    seconds: float
    exploitability_bb: float
    exploitability_pct: float  # of the starting pot
    value_bb: tuple[float, float]  # to BB, to SB
    is_model: bool  # a flop may be seen with chips behind; it is then checked down


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand class of the player to act."""

    name: str
    combos: int  # that can be dealt: 6, 4 or 12, fewer where cards are known
    reach: float  # how often its own actions lead it here
    mix: ActionDistribution
    ev_bb: tuple[float, ...]  # of each action, from here on

    @property
    def is_here(self) -> bool:
        """Whether it gets here at all, to the precision that is shown."""
        return self.combos > 0 and self.reach >= NEVER

    @property
    def mean_ev_bb(self) -> float:
        """Of the hand as it is played; actions it never takes do not count."""
        pairs = zip(self.mix.frequency, self.ev_bb, strict=True)
        return sum(p * ev for p, ev in pairs if p > 0)


@dataclass(frozen=True, slots=True)
class RangeHand:
    """One hand class of a player who is not to act."""

    name: str
    combos: int
    reach: float

    @property
    def share(self) -> float:
        """The part of the whole class that gets here, what known cards block taken off."""
        return self.reach * self.combos / class_size(self.name)

    @property
    def is_here(self) -> bool:
        """Whether it gets here at all, to the precision that is shown."""
        return self.combos > 0 and self.reach >= NEVER


@dataclass(frozen=True, slots=True)
class RangeView:
    """What a player holds here."""

    player: str
    hands: tuple[RangeHand, ...]  # 169, in class order
    blocked_by: str = ""  # cards the other player holds, `AcKh`, if any are known

    @property
    def combos(self) -> float:
        """How many get here, each by its reach."""
        return sum(hand.combos * hand.reach for hand in self.hands)

    @property
    def dealt(self) -> int:
        """How many there would be if nobody had acted."""
        return sum(hand.combos for hand in self.hands)


@dataclass(frozen=True, slots=True)
class ActionTotal:
    """One action of a whole range."""

    action: str
    combos: float
    share: float  # of the combos that get here; NaN if none does


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node where somebody acts."""

    facts: SolveFacts
    line: str  # "SBr2.5 BBr8"; empty at the first decision
    history: tuple[str, ...]
    player: str  # "SB" or "BB"
    pot_bb: float
    behind_bb: tuple[float, float]  # BB, SB
    reached: float  # the part of all deals that gets here
    actions: tuple[str, ...]
    hands: tuple[HandView, ...]  # 169, in class order
    opponent: RangeView
    blocked_by: str = ""  # cards the other player holds, if any are known

    @property
    def combos(self) -> float:
        """How many hands of the player to act get here."""
        return sum(hand.combos * hand.reach for hand in self.hands)

    @property
    def totals(self) -> tuple[ActionTotal, ...]:
        """Each action over the whole range."""
        everything = self.combos
        out = []
        for index, action in enumerate(self.actions):
            combos = sum(h.combos * h.reach * h.mix.frequency[index] for h in self.hands)
            share = combos / everything if everything > 0 else float("nan")
            out.append(ActionTotal(action, combos, share))
        return tuple(out)

    @property
    def own(self) -> RangeView:
        """The range of the player to act."""
        hands = tuple(RangeHand(hand.name, hand.combos, hand.reach) for hand in self.hands)
        return RangeView(self.player, hands, self.blocked_by)


@dataclass(frozen=True, slots=True)
class EndHand:
    """What one hand class has where the betting is over, against all that the other may hold."""

    equity: float  # NaN if the other player never gets here
    ev_bb: float  # likewise


@dataclass(frozen=True, slots=True)
class EndView:
    """Where the betting is over."""

    facts: SolveFacts
    line: str
    history: tuple[str, ...]
    ending: Literal["fold", "flop", "all-in"]
    folded: str  # who folded, or ""
    pot_bb: float
    behind_bb: tuple[float, float]
    reached: float
    equity: tuple[float, float]  # of the two ranges that get here; NaN if none does
    ev_bb: tuple[float, float]  # what each takes out of the pot, likewise
    ranges: tuple[RangeView, RangeView]  # BB, SB
    hands: tuple[tuple[EndHand, ...], tuple[EndHand, ...]]  # of BB, of SB: 169, in class order

    def holding(self, player: int, hand: int) -> "EndView":
        """The same where a player (0 is BB) is known to hold this class: equity and EV are its."""
        held = self.hands[player][hand]
        equity = held.equity, 1.0 - held.equity
        ev_bb = held.ev_bb, sum(self.ev_bb) - held.ev_bb  # what is lost to rake is the same
        if player == 1:
            equity, ev_bb = equity[::-1], ev_bb[::-1]
        return replace(self, equity=equity, ev_bb=ev_bb)


View = NodeView | EndView


def strength(share: float) -> Literal["pure", "mostly", "mixed"]:
    """How clear an action is: pure from 85 %, mostly from 60 %, mixed below."""
    if share >= 0.85 - _ROUNDING:
        return "pure"
    return "mostly" if share >= 0.60 - _ROUNDING else "mixed"
