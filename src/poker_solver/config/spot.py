"""A postflop spot: board, pot, stack, two ranges and the sizes both may bet; nothing is solved.

Chips are whole numbers. A spot is checked entirely when it is made, and all that is wrong is said
at once, each with its place.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import Field

from poker_solver.cards import cards_to_string, format_range, parse_board, parse_range, unblocked
from poker_solver.cards.combos import combo_to_string, disjoint_sum, frozen
from poker_solver.config.base import CHIPS_PER_BB, Checked, Document, Rake, fingerprint
from poker_solver.config.bet_sizes import Limits
from poker_solver.config.lines.changes import changed_fields
from poker_solver.config.lines.overrides import LineSizes, OverrideList
from poker_solver.config.locks import Lock, LockList
from poker_solver.config.problems import Problem
from poker_solver.config.sizes import Size, parse_sizes
from poker_solver.config.spot_fields import (
    LEAST_WEIGHT,
    Amounts,
    BetText,
    BigBlind,
    BoardText,
    Chips,
    LineList,
    NumRaises,
    RaiseText,
    RangeText,
    Threshold,
    any_in_bb,
    check_one_unit,
    line_problem,
    line_text,
    read_lines,
    spot_in_chips,
)
from poker_solver.config.yaml_text import load_yaml, made_of

STREETS = ("flop", "turn", "river")


class PlayerSizes(NamedTuple):
    """What one player may bet on one street, read."""

    bets: tuple[Size, ...] = ()  # opening
    raises: tuple[Size, ...] = ()  # against a bet
    donks: tuple[Size, ...] = ()  # opening, by a player who called on the street before


class StreetSizes(Checked):
    """What one player may bet on one street; a list left out or empty allows none.

    `donk` replaces `bet` where the player out of position opens the turn or river after calling
    on the street before; left out, it is the bet sizes.
    """

    bet: BetText = ""
    raise_: Annotated[RaiseText, Field(alias="raise")] = ""
    donk: BetText | None = None

    def read(self) -> PlayerSizes:
        """The same as values."""
        bets = parse_sizes(self.bet, raising=False)
        donks = bets if self.donk is None else parse_sizes(self.donk, raising=False)
        return PlayerSizes(bets, parse_sizes(self.raise_, raising=True), donks)


class SpotPlayer(Checked):
    """A range, and the sizes of every street that is played."""

    range: RangeText
    flop: StreetSizes | None = None
    turn: StreetSizes | None = None
    river: StreetSizes | None = None


class Thresholds(Checked):
    """When amounts become the all-in or are merged; fractions of a pot, 0 turns one off."""

    add_allin: Threshold = 0.0
    force_allin: Threshold = 0.0
    merge: Threshold = 0.0

    @cached_property
    def exact(self) -> Limits:
        """The three as they were written, 0.15 being 3/20."""
        given = self.add_allin, self.force_allin, self.merge
        return Limits(*(Fraction(repr(value)) for value in given))


@dataclass(frozen=True)
class PostflopBetting:
    """What can be played and what it pays, whatever the cards and ranges; compared by value."""

    num_cards: int  # on the board at the start
    pot: int  # chips in the middle
    stack: int  # chips behind, each
    sizes: tuple[tuple[PlayerSizes, ...], ...]  # of OOP and IP, by street; none preflop
    rake: Rake
    thresholds: Thresholds
    max_raises: int | None  # on each street
    min_bet: int = 1  # the least that may be opened for, unless it is all-in
    lines: tuple[Amounts, ...] = field(default=(), repr=False)
    """The whole tree, if it is written out: sizes, thresholds and limits say nothing then."""
    played: tuple[str, ...] = field(default=(), repr=False)
    """Actions of the first street with any amounts, `x b375`, which can be played there too."""
    only_played: bool = field(default=False, repr=False)
    """Nothing but `played` can be played where it leads: what is left of the game begins there."""
    overrides: tuple[LineSizes, ...] = field(default=(), repr=False)  # sizes of single lines
    big_blind: int | None = field(default=None, repr=False)  # chips, where the spot says so

    def __hash__(self) -> int:
        return hash((self.num_cards, self.pot, self.stack))  # that of sizes takes long


class Spot(Document):
    """One postflop spot, as the YAML file has it."""

    board: BoardText
    pot: Chips
    stack: Chips
    oop: SpotPlayer
    ip: SpotPlayer
    rake: Rake = Rake()
    thresholds: Thresholds = Thresholds()
    max_raises: NumRaises = None
    min_bet: Chips = 1
    lines: LineList = ()
    """The betting tree written out, instead of sizes: what the player who acts has put in since the
    start, after each action. `0 0 12 12 54 230` is check, check; after the card a bet of 12, a
    call; after the next a bet of 42 more, raised all-in to 230. Every bet may be folded to and
    called and every check is allowed, written or not; where no line goes on, hands check down."""
    overrides: OverrideList = ()
    bb: BigBlind = None
    """Chips of a big blind, in which amounts may be written and are then shown."""
    locks: LockList = ()

    def __init__(self, /, **fields: Any) -> None:
        """Check everything; a `ConfigError` lists all that is wrong."""
        super().__init__(**spot_in_chips(fields))

    @classmethod
    def disagreements(
        cls, fields: Mapping[str, Any], problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """What is wrong between fields that are each fine on their own."""
        broken = tuple(problem.place for problem in problems)

        def sound(*path: str) -> Any:
            """The value at a place; None if it is missing, wrong, or inside something wrong."""
            place = ".".join(path)
            if any(f"{place}.".startswith(f"{wrong}.") for wrong in broken):
                return None
            value: Any = fields
            for key in path:
                value = value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)
            return value

        board = sound("board")
        cards = None if board is None else parse_board(board)
        yield from (p for p in _street_problems(sound, cards) if p.place not in broken)
        if cards is not None and (stack := sound("stack")) is not None:
            found = (line_problem(line, len(cards), stack) for line in read_lines(sound("lines")))
            yield from (Problem("lines", what) for what in found if what)
        if sound("lines") and sound("overrides"):
            yield Problem("overrides", "lines write the whole tree out: change them there")
        rate, cap = sound("rake", "rate"), sound("rake", "cap")
        if rate and not cap and "rake.cap" not in broken:
            yield Problem("rake.cap", "0 takes nothing; give it in chips, or .inf for none")
        if cards is not None:
            yield from _range_problems(
                {name: sound(name, "range") for name in ("oop", "ip")}, cards
            )

    @classmethod
    def load(cls, path: str | Path) -> "Spot":
        """Read a YAML file; the message of a `ConfigError` begins with its path."""
        return load_yaml(cls, Path(path))

    @classmethod
    def from_yaml(cls, text: str) -> "Spot":
        """Read YAML text."""
        return made_of(cls, text)

    @classmethod
    def from_mapping(cls, fields: Mapping[str, Any]) -> "Spot":
        """A spot from the keys and values of the YAML file; a range may be [1326] weights."""
        return cls(**{str(key): value for key, value in fields.items()})

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The board's card ids, in the order written."""
        return parse_board(self.board)

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """OOP's and IP's range, [1326] each, read-only; 0 for what the board blocks."""
        free = unblocked(self.cards)
        oop, ip = (frozen(parse_range(p.range) * free) for p in (self.oop, self.ip))
        return oop, ip

    def to_mapping(self) -> dict[str, Any]:
        """Plain values that `from_mapping` reads back, every field present that was set."""
        fields = self.model_dump(by_alias=True, exclude_none=True)
        locks, lines = list(fields.pop("locks")), fields.pop("lines")
        if self.min_bet == 1:
            del fields["min_bet"]
        overrides = list(fields.pop("overrides"))
        if overrides:
            fields["overrides"] = overrides
        if lines:
            fields["lines"] = [line_text(line) for line in lines]
        return {**fields, "locks": locks} if locks else fields

    def replace(self, **changes: Any) -> "Spot":
        """The same spot with some fields changed, checked anew.

        A change names a field (`board="Ks7h2d"`, `pot=200`), or one inside it by two underscores or
        as a mapping: `oop__range="QQ+"`, `oop={"turn": {"bet": "75%"}}`; `turn__bet` changes both
        players. A field that is None is as if it were left out. What the spot has is in chips.
        """
        check_one_unit({name.replace("__", "."): value for name, value in changes.items()})
        unit = {"bb": CHIPS_PER_BB} if self.bb is None and any_in_bb(changes.values()) else {}
        return Spot.from_mapping(changed_fields({**self.to_mapping(), **unit}, changes))

    def with_locks(self, locks: Iterable[Mapping[str, Any] | Lock]) -> "Spot":
        """The same spot with these locks and no others, each as the YAML file has it."""
        return Spot.from_mapping({**self.to_mapping(), "locks": list(locks)})

    def to_yaml(self) -> str:
        """Text that `from_yaml` and `load` read back."""
        return yaml.safe_dump(
            self.to_mapping(), sort_keys=False, default_flow_style=None, width=10**6
        )

    @cached_property
    def betting(self) -> PostflopBetting:
        """Equal for spots in which the same can be played: boards, ranges, locks may differ."""
        first, sizes = len(self.cards) - 3, []
        for player in (self.oop, self.ip):
            streets = (getattr(player, name) or StreetSizes() for name in STREETS[first:])
            played = (street.read() for street in streets)
            sizes.append((*[PlayerSizes()] * (first + 1), *played))
        return PostflopBetting(
            num_cards=len(self.cards),
            pot=self.pot,
            stack=self.stack,
            sizes=tuple(sizes),
            rake=self.rake,
            thresholds=self.thresholds,
            max_raises=self.max_raises,
            min_bet=self.min_bet,
            lines=self.lines,
            overrides=tuple(override.read() for override in self.overrides),
            big_blind=self.bb,
        )

    def __eq__(self, other: object) -> bool:
        """The same fields; what was computed from them along the way does not count."""
        return isinstance(other, Spot) and self.to_mapping() == other.to_mapping()

    def __hash__(self) -> int:
        return hash(self.fingerprint())

    def fingerprint(self) -> str:
        """Name this game the same way in every process and on every machine: a SHA-256.

        It covers every field but the unit, `bb`. Spellings of one meaning have one name: the order
        of cards on the board, of sizes in a list and of locks, and how a range is written.
        """
        fields = self.model_dump(mode="json", by_alias=True, exclude={"locks", "bb"})
        fields["board"] = cards_to_string(sorted(self.cards, reverse=True))
        if self.min_bet == 1:  # files from before there was one have the same name
            del fields["min_bet"]
        for name in ("lines", "overrides"):
            if not fields[name]:
                del fields[name]
        for player in (fields["oop"], fields["ip"]):
            player["range"] = format_range(parse_range(player["range"]))
            for street in STREETS:
                for name, text in (player[street] or {}).items():
                    player[street][name] = text and sorted(text.split(","))
        for rate in (fields["rake"], fields["thresholds"]):
            rate.update({name: repr(float(value)) for name, value in rate.items()})
        if self.locks:
            names = [json.dumps(lock.named(), sort_keys=True) for lock in self.locks]
            fields["locks"] = sorted(names)
        return fingerprint(fields)


def _street_problems(sound: Any, cards: tuple[int, ...] | None) -> Iterator[Problem]:
    """Streets that are played but not given, and donk sizes where nobody can donk."""
    for name in ("oop", "ip"):
        if sound(name) is None:
            continue
        for street, word in enumerate(STREETS):
            if sound(name, word) is None:
                if cards is not None and not sound("lines") and street >= len(cards) - 3:
                    what = f"missing, and this spot plays the {word} ({{}} allows no bets)"
                    yield Problem(f"{name}.{word}", what)
            elif sound("lines"):
                yield Problem(f"{name}.{word}", "lines say what may be bet: leave sizes out")
            elif sound(name, word, "donk") is not None and (name == "ip" or word == "flop"):
                what = "only the player out of position donks, on the turn or the river"
                yield Problem(f"{name}.{word}.donk", what)


def _range_problems(texts: Mapping[str, Any], cards: tuple[int, ...]) -> Iterator[Problem]:
    """Ranges the board leaves empty, and ranges whose hands all block each other."""
    free, board = unblocked(cards), cards_to_string(cards)
    held = {}
    for name, text in texts.items():
        if text is None:
            continue
        weights = parse_range(text) if isinstance(text, str) else np.asarray(text)
        held[name] = (weights > 0) & free
        low = np.flatnonzero(held[name] & (weights < LEAST_WEIGHT))
        if isinstance(text, str) and low.size:
            hand, weight = combo_to_string(int(low[0])), weights[low[0]]
            more = f" (and {low.size - 1} others)" if low.size > 1 else ""
            what = f"{hand}{more} has weight {weight:g}, want 0 or at least {LEAST_WEIGHT:g}"
            yield Problem(f"{name}.range", what)
        if not (weights > 0).any():
            yield Problem(f"{name}.range", "has no hand with a weight above 0")
        elif not held[name].any():
            yield Problem(f"{name}.range", f"is empty: the board {board} blocks every hand")
    both = [hands for hands in held.values() if hands.any()]
    if len(both) == 2 and not both[0] @ disjoint_sum(both[1].astype(np.float64)):
        yield Problem("ip.range", "every hand shares a card with every hand of oop.range")
