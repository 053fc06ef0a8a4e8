"""One point of a solved game as plain frozen values: no arrays, no solver, no drawing.

The same types before and after the flop: terminal, exports, JSON and browser all start from these,
so they cannot disagree. Money is in chips, with `chips_per_bb` beside it where there is a big
blind. Frequencies, reach, equities and shares are fractions of 1. NaN means that nobody gets there,
which is not the same as 0.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from math import isnan, nan
from typing import Literal

from poker_solver.cards import cards_from_string, combos_left, parse_hand
from poker_solver.errors import InputError

NEVER = 0.0005
"""A hand that gets here less often than this is said never to get here: it rounds to 0.0 %."""

RARE = 0.02
"""A player who gets somewhere with less of his hands than this has taught the other little."""

BETTER = 0.01
"""An action is said to be better than what a hand plays from this part of the pot on."""

TOO_EARLY_PCT = 5.0
"""Exploitability, % of the starting pot, above which a solve is no use yet."""

_ROUNDING = 1e-9

Kind = Literal["decision", "deal", "fold", "flop", "all-in", "showdown"]
"""Somebody acts, a card falls, or how the betting ended."""


class ActionKind(StrEnum):
    """What an action is, its size put aside; checking and calling are one, betting and raising."""

    FOLD = "fold"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all-in"


_KINDS = {
    "f": ActionKind.FOLD, "c": ActionKind.CALL, "x": ActionKind.CALL,
    "b": ActionKind.RAISE, "r": ActionKind.RAISE, "a": ActionKind.ALL_IN,
}  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class ActionDistribution:
    """How often one hand takes each action; where its player does not act there are none."""

    actions: tuple[str, ...]  # "f", "c" or "x", "b94", "r2.5", "a"
    frequency: tuple[float, ...]  # one per action, summing to 1

    def __post_init__(self) -> None:
        if len(self.actions) != len(self.frequency):
            raise InputError(
                f"{len(self.frequency)} frequencies for {len(self.actions)} actions, want as many"
            )
        if not self.actions:
            return
        if min(self.frequency) < 0 or abs(sum(self.frequency) - 1) > 1e-6:
            raise InputError(f"frequencies are {self.frequency}, must be positive and sum to 1")

    @classmethod
    def even(cls, actions: tuple[str, ...]) -> "ActionDistribution":
        """Each action as often as any other."""
        return cls(actions, tuple(1 / len(actions) for _ in actions))

    @property
    def dominant(self) -> tuple[str, float]:
        """What the hand does most, as a letter (`f`, `c`, `x`, `b`, `r`, `a`), and how often.

        All raises short of all-in count as one; of equals, the first.
        """
        shares: dict[str, float] = {}
        for action, p in zip(self.actions, self.frequency, strict=True):
            shares[action[0]] = shares.get(action[0], 0.0) + p
        letter = max(shares, key=lambda letter: shares[letter])
        return letter, shares[letter]


@dataclass(frozen=True, slots=True)
class FullGameFacts:
    """What a strategy for a whole game is worth."""

    exploitability_mbb: float  # per hand
    num_flops: int  # over which that was measured; 1,755 are all
    is_certified: bool  # with every line solved on all of them; else in training
    is_looked_up: bool = False  # this node; else it was solved again, or is before the flop
    is_stored: bool = False  # in a blueprint, which keeps no EVs after the flop


@dataclass(frozen=True, slots=True)
class SolveFacts:
    """What was solved, and how far from equilibrium it is."""

    name: str  # of the config; a spot has none
    stack_chips: int  # at the start
    all_in_chips: int  # the bet that is all-in: the stack less the ante
    chips_per_bb: int | None  # None for a spot that does not say what a big blind is
    iterations: int
    exploitability_pct: float  # of the starting pot
    value_chips: tuple[float, float] | None = None  # what each wins per hand; None for a spot
    is_model: bool = False  # a flop may be seen with chips behind; it is then checked down
    full_game: FullGameFacts | None = None  # that the node is of
    is_check_only: bool = False  # no sizes were given, so nobody can bet

    @property
    def is_too_early(self) -> bool:
        """Whether it was stopped too far from equilibrium; before the flop a game says how far."""
        is_chart = self.full_game is not None and self.value_chips is not None
        return not is_chart and self.exploitability_pct > TOO_EARLY_PCT

    def money(self, chips: float) -> float:
        """In bb where there is a big blind, else in chips."""
        return chips / (self.chips_per_bb or 1)


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand class, one combo, or a kind of hand, of one player."""

    name: str  # AKs, AhKh, overpair
    num_dealt: int  # combos that can be dealt: of a class 6, 4 or 12, fewer where cards are known
    reach: float  # how often it is held and its own actions lead it here
    share: float  # of the deals that get here, those with this hand; 0 if none does
    ev_chips: float  # as it is played
    equity: float  # if the hands were checked down from here
    mix: ActionDistribution = ActionDistribution((), ())
    ev_actions_chips: tuple[float, ...] = ()  # of each action of the mix
    is_locked: bool = False  # what it plays here was fixed; of a group, all of it
    num_live: int | None = None  # of a class: combos that no known card blocks, in range or not

    @property
    def num_combos(self) -> float:
        """That get here, each by its reach."""
        return self.num_dealt * self.reach

    @property
    def part(self) -> float:
        """Of the class, what gets here; what known cards block is not missed."""
        whole = {"o": 12, "s": 4}.get(self.name[2:], 6) if self.num_live is None else self.num_live
        return self.num_combos / whole if whole else 0.0

    @property
    def is_here(self) -> bool:
        """Whether it gets here at all, to the precision that is shown."""
        return self.num_dealt > 0 and self.reach >= NEVER


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player at a node."""

    name: str  # SB, BB, OOP or IP
    behind_chips: int
    hands: tuple[HandView, ...]  # 169, in class order
    ev_chips: float  # over the deals that get here
    equity: float  # likewise
    combos: tuple[HandView, ...] = ()  # the hands one by one, after the flop
    blocked_by: str = ""  # cards the other player is known to hold, `AcKh`
    arrived: float = 1.0  # of the hands it began with, those that its own actions bring here

    @property
    def num_combos(self) -> float:
        """How many get here, each by its reach."""
        return sum(hand.num_combos for hand in self.hands)

    @property
    def num_dealt(self) -> int:
        """How many there would be if nobody had acted."""
        return sum(hand.num_dealt for hand in self.hands)

    def without(self, cards: str) -> "PlayerView":
        """The same once the other player is known to hold these two cards."""
        left = combos_left(cards_from_string(cards)).tolist()
        pairs = list(zip(self.hands, left, strict=True))
        total = sum(n * hand.reach for hand, n in pairs)
        hands = (
            replace(
                hand, num_dealt=n, num_live=n, share=n * hand.reach / total if total > 0 else 0.0
            )
            for hand, n in pairs
        )
        return replace(self, hands=tuple(hands), blocked_by=cards)


@dataclass(frozen=True, slots=True)
class ActionTotal:
    """One action of a whole range."""

    action: str
    num_combos: float
    share: float  # of the deals that get here; NaN if none does


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node of a solved game; where nobody acts there are no actions."""

    facts: SolveFacts
    line: str  # "SBr2.5 BBr8", "x b94 c 7d"; empty at the first decision
    history: tuple[str, ...]  # the same without positions
    board: str  # empty before the flop
    kind: Kind
    actor: int | None  # which of the players is to act
    pot_chips: int  # in the middle, what is not called included
    reached: float  # the part of all deals that gets here, cards included
    actions: tuple[str, ...]
    players: tuple[PlayerView, PlayerView]  # by seat
    num_locked: int = 0  # combos of the player to act whose strategy was fixed
    labels: tuple[str, ...] = ()  # the actions after the flop as people read them: b182 (33 %)

    @property
    def player(self) -> str:
        """Who is to act, by name; empty where nobody is."""
        return "" if self.actor is None else self.players[self.actor].name

    @property
    def acting_seat(self) -> int:
        """Which of the players is to act."""
        if self.actor is None:
            raise InputError(f"nobody acts after {self.line!r}")
        return self.actor

    @property
    def acting(self) -> PlayerView:
        """Who is to act."""
        return self.players[self.acting_seat]

    @property
    def opponent(self) -> PlayerView:
        """Who waits for the other to act."""
        return self.players[1 - self.acting_seat]

    @property
    def hands(self) -> tuple[HandView, ...]:
        """Classes of the player to act; none where nobody is."""
        return () if self.actor is None else self.acting.hands

    @property
    def combos(self) -> tuple[HandView, ...]:
        """The same one by one, after the flop."""
        return () if self.actor is None else self.acting.combos

    @property
    def totals(self) -> tuple[ActionTotal, ...]:
        """Each action over the whole range."""
        here = sum(hand.share for hand in self.hands)
        out = []
        for index, action in enumerate(self.actions):
            combos = sum(hand.num_combos * hand.mix.frequency[index] for hand in self.hands)
            share = sum(hand.share * hand.mix.frequency[index] for hand in self.hands)
            out.append(ActionTotal(action, combos, share / here if here > 0 else float("nan")))
        return tuple(out)

    def realised(self, of: HandView | PlayerView) -> float:
        """EQR: what is won of the pot for each part of it that equity alone would give."""
        return of.ev_chips / (of.equity * self.pot_chips) if of.equity else nan

    @property
    def rare(self) -> PlayerView | None:
        """Who gets here with so few hands that little was learned; None if nobody does."""
        fewest = min(self.players, key=lambda player: player.arrived)
        return fewest if fewest.arrived < RARE else None

    @property
    def rough_actions(self) -> tuple[str, ...]:
        """Those whose EVs rest on answers to what hardly anybody plays."""
        if self.actor is None:
            return ()
        part = self.acting.arrived / (self.acting.num_combos or 1.0)
        return tuple(
            total.action
            for total in self.totals
            if total.action != "f"
            and (self.rare or (part * total.num_combos < RARE and not self.ends(total.action)))
        )

    def ends(self, action: str) -> bool:
        """Whether nobody answers it: a called all-in, or what closes the river."""
        if action == "c":
            return self.opponent.behind_chips == 0 or len(self.board) == 10
        return action == "x" and self.actor == 1 and len(self.board) == 10

    def better(self, hand: HandView) -> tuple[str, float] | None:
        """The action that is worth clearly more than what the hand plays, and how many chips."""
        known = [
            (ev - hand.ev_chips, action)
            for action, ev in zip(hand.mix.actions, hand.ev_actions_chips, strict=True)
            if not isnan(ev)
        ]
        more, action = max(known, default=(0.0, ""))
        return (action, more) if more >= BETTER * self.pot_chips else None

    def holding(self, seat: int, combo: str) -> "NodeView":
        """The same where a player is known to hold a combo, which leaves the other's range.

        Where the betting is over, equity and EV are those of the combo's class.
        """
        own, other = self.players[seat], self.players[1 - seat].without(combo)
        if self.actor is None:
            held = own.hands[parse_hand(combo)[0]]
            left = own.ev_chips + other.ev_chips - held.ev_chips  # rake is the same
            own = replace(own, equity=held.equity, ev_chips=held.ev_chips)
            other = replace(other, equity=1.0 - held.equity, ev_chips=left)
        return replace(self, players=(own, other) if seat == 0 else (other, own))


def strength(share: float) -> Literal["pure", "mostly", "mixed"]:
    """How clear an action is: pure from 85 %, mostly from 60 %, mixed below."""
    if share >= 0.85 - _ROUNDING:
        return "pure"
    return "mostly" if share >= 0.60 - _ROUNDING else "mixed"
