"""Preflop configs: what may stand in the file, presets, loading; how it is played is not here.

Amounts are big blinds in the file and whole chips inside, 100 to the big blind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from poker_solver.config.base import (
    CHIPS_PER_BB,
    MOST_STACK_BB,
    Checked,
    Document,
    Rake,
    fingerprint,
    to_bb,
    to_chips,
)
from poker_solver.config.bet_sizes import Situation, legal_raises, lifted_raises
from poker_solver.config.problems import Problem
from poker_solver.config.sizes import Size
from poker_solver.config.yaml_text import load_yaml, preset_or_file, preset_path, preset_stems

_PRESETS = Path(__file__).parent / "presets"


def _must_be_whole_chips(amount_bb: float) -> float:
    chips = amount_bb * CHIPS_PER_BB
    if isfinite(chips) and abs(chips - round(chips)) > 1e-6:
        raise ValueError("must be a whole number of hundredths of a bb")
    return amount_bb


def _must_be_a_name(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("must be one line of printable text")
    return text


def _must_be_an_order(sizes: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sorted(set(sizes)))


MinRaise = Literal["legal", "any"]
"""A raise is at least the last one again, or any more."""

_Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Amount = Annotated[_Number, Field(ge=0), AfterValidator(_must_be_whole_chips)]
_Size = Annotated[_Number, Field(gt=0), AfterValidator(_must_be_whole_chips)]


Name = Annotated[str, Field(strict=True), AfterValidator(_must_be_a_name)]
Stack = Annotated[_Size, Field(le=MOST_STACK_BB)]


class Blinds(Checked):
    """The forced bets; the big one is the unit of everything else."""

    small: _Size = 0.5
    big: _Size = 1.0


@dataclass(frozen=True)
class PreflopBetting:
    """What can be played before the flop and what it pays; compared by value, but for the name.

    `raise_sizes` has one list for each raise: open, 3-bet, 4-bet and so on. Past the last, the last
    list goes on where it `repeats` or the all-in is not offered; else the all-in is all there is.
    """

    blind_chips: tuple[int, int]  # small, big
    ante_chips: int
    all_in_chips: int  # the bet that puts a whole stack in, the ante not counted
    raise_sizes: tuple[tuple[Size, ...], ...]
    iso_sizes: tuple[Size, ...] | None = None  # of BB over a limp; None: the first list
    limp: bool = True
    min_raise: MinRaise = "legal"
    lifts: bool = False  # a size that is too small is the minimum raise; if not, it is left out
    all_in: bool = False  # always offered
    repeats: bool = False  # the last list is for every later raise too
    raise_cap: int | None = None  # of all raises, all-ins too
    rake: Rake = field(default_factory=Rake)  # in big blinds
    name: str = field(default="Custom", compare=False)

    @cached_property
    def counts_raises(self) -> bool:
        """Whether what may be raised to depends on how many raises there were."""
        ends = self.all_in and not self.repeats
        lists = {*self.raise_sizes, ()} if ends else set(self.raise_sizes)
        return self.raise_cap is not None or len(lists) > 1

    @cached_property
    def rake_chips(self) -> Rake:
        """The rake as a game after the flop has it."""
        return Rake(rate=self.rake.rate, cap=round(self.rake.cap * CHIPS_PER_BB, 6))

    def sizes(self, num_raises: int, *, limped: bool) -> tuple[Size, ...]:
        """The list for the next raise after so many; `limped` is BB's option."""
        if limped and self.iso_sizes is not None:
            return self.iso_sizes
        if num_raises < len(self.raise_sizes):
            return self.raise_sizes[num_raises]
        ends = (self.all_in and not self.repeats) or not self.raise_sizes
        return () if ends else self.raise_sizes[-1]

    def raises(self, at: Situation, increment: int) -> tuple[int, ...]:
        """What may be raised to, ascending; `increment` is that of the last raise."""
        if at.bet >= at.all_in or (self.raise_cap is not None and at.num_raises >= self.raise_cap):
            return ()
        sizes = self.sizes(at.num_raises, limped=at.own == at.bet)
        rule = lifted_raises if self.lifts else legal_raises
        found = rule(sizes, at, 1 if self.min_raise == "any" else increment)
        return tuple(sorted({*found, at.all_in})) if self.all_in else found


class Config(Document):
    """One preflop game, in big blinds.

    `stack_depth` is each player's stack before ante and blinds. `raise_sizes` are amounts raised
    to, in front of the player, the ante not counted; empty means all-in only. The all-in is offered
    besides wherever there are chips, unless `allin` is false; a size of the whole stack is it.
    """

    name: Name = "Custom"
    stack_depth: Stack
    raise_sizes: Annotated[tuple[_Size, ...], AfterValidator(_must_be_an_order)]
    blinds: Blinds = Blinds()
    ante: Amount = 0.0
    min_raise: MinRaise = "legal"
    limp: Annotated[bool, Field(strict=True)] = True
    allin: Annotated[bool, Field(strict=True)] = True
    rake: Rake = Rake()

    def __init__(self, /, **fields: Any) -> None:
        """Check everything; a `ConfigError` lists all that is wrong."""
        super().__init__(**fields)

    @classmethod
    def disagreements(
        cls, fields: Mapping[str, Any], problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """What is wrong between fields that are each fine on their own."""
        broken = {problem.field for problem in problems}
        sound = {
            name: fields.get(name, info.get_default())
            for name, info in cls.model_fields.items()
            if name not in broken
        }
        yield from forced_bet_problems(sound)
        yield from _stack_problems(sound)

    @cached_property
    def stack_chips(self) -> int:
        """What each player starts with, before ante and blinds."""
        return to_chips(self.stack_depth)

    @cached_property
    def ante_chips(self) -> int:
        """Dead money from each player."""
        return to_chips(self.ante)

    @cached_property
    def blind_chips(self) -> tuple[int, int]:
        """The small blind and the big blind."""
        return to_chips(self.blinds.small), to_chips(self.blinds.big)

    @cached_property
    def all_in_chips(self) -> int:
        """The bet that puts a whole stack in: the ante is not part of a bet."""
        return self.stack_chips - self.ante_chips

    @cached_property
    def starting_pot_chips(self) -> int:
        """Blinds and antes: what exploitability is a percentage of."""
        return sum(self.blind_chips) + 2 * self.ante_chips

    @cached_property
    def sizes(self) -> tuple[Size, ...]:
        """`raise_sizes`, as bets are sized on every street."""
        return tuple(Size("to", Fraction(to_chips(size))) for size in self.raise_sizes)

    @cached_property
    def betting(self) -> PreflopBetting:
        """Equal for configs in which the same can be played."""
        return PreflopBetting(
            blind_chips=self.blind_chips,
            ante_chips=self.ante_chips,
            all_in_chips=self.all_in_chips,
            raise_sizes=(self.sizes,),
            limp=self.limp,
            min_raise=self.min_raise,
            all_in=self.allin,
            repeats=True,
            rake=self.rake,
            name=self.name,
        )

    def get_legal_raise_sizes(
        self, current_bet: float, last_raise: float | None = None
    ) -> list[float]:
        """The amounts, in bb, that a bet may be raised to here; the last may be the all-in.

        Args:
            current_bet: the larger of the two bets in front of the players, in bb.
            last_raise: by how much it was last raised; without it, from the big blind in one go.
        """
        bet, big = to_chips(current_bet), self.blind_chips[1]
        increment = max(bet - big, big) if last_raise is None else to_chips(last_raise)
        pot, all_in = 2 * (self.ante_chips + bet), self.all_in_chips
        at = Situation(pot=pot, bet=bet, own=0, all_in=all_in, streets_left=4)
        return [to_bb(chips) for chips in self.betting.raises(at, increment)]

    def with_stack(self, stack_depth: float) -> "Config":
        """The same game at another depth."""
        return Config(**{**self.model_dump(), "stack_depth": float(stack_depth)})

    def fingerprint(self) -> str:
        """Name this game the same way in every process and on every machine.

        `allin` is part of it only where it adds an action that no size is.
        """
        fields = self.model_dump(mode="json")
        is_a_size = max(self.raise_sizes, default=MOST_STACK_BB) >= to_bb(self.all_in_chips)
        if is_a_size or not self.allin:
            del fields["allin"]
        return fingerprint(fields)[:16]


def forced_bet_problems(sound: Mapping[str, Any]) -> Iterator[Problem]:
    """Blinds and rake that make no sense together."""
    blinds, rake = sound.get("blinds"), sound.get("rake")
    if blinds is not None:
        blinds = blinds if isinstance(blinds, Blinds) else Blinds(**blinds)
        if blinds.big != 1:
            yield Problem("blinds.big", f"{blinds.big:g} must be 1: amounts are in big blinds")
        elif blinds.small >= blinds.big:
            yield Problem("blinds.small", f"{blinds.small:g} must be below the big blind")
    if rake is not None:
        rake = rake if isinstance(rake, Rake) else Rake(**rake)
        if rake.rate > 0 and rake.cap == 0:
            yield Problem("rake.cap", "0 takes nothing; give it in bb, or .inf for none")


def _stack_problems(sound: Mapping[str, Any]) -> Iterator[Problem]:
    """Stacks that leave nothing to play for."""
    stack, ante = sound.get("stack_depth"), sound.get("ante")
    if stack is None or ante is None:
        return
    if stack - ante <= 1:
        yield Problem("stack_depth", f"{stack:g} must leave more than the big blind and the ante")
    elif sound.get("limp") is False and sound.get("allin") is False and _opens_nothing(sound):
        yield Problem("limp", "false, and no size is a legal first raise: only folding is left")


def _opens_nothing(values: Mapping[str, Any]) -> bool:
    """Whether all sizes are too small for a first raise, and twice the big blind too large."""
    all_in = to_chips(values["stack_depth"]) - to_chips(values["ante"])
    least = CHIPS_PER_BB + 1 if values.get("min_raise") == "any" else 2 * CHIPS_PER_BB
    largest = max(map(to_chips, values.get("raise_sizes", ())), default=all_in)
    return largest < min(least, all_in) and all_in <= 2 * CHIPS_PER_BB


def preset_names() -> list[str]:
    """The presets, sorted."""
    return preset_stems(_PRESETS)


def get_preset_path(name: str) -> Path:
    """Where the preset of this name is kept."""
    return preset_path(_PRESETS, name)


def load_config(name_or_path: str | Path) -> Config:
    """Read a preset by its name, or a YAML file by its path; all problems in one message."""
    return load_yaml(Config, preset_or_file(_PRESETS, name_or_path))
