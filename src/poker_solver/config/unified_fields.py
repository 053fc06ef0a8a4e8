"""The fields of a full game one by one: what may stand in each, and what to say if it may not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import isfinite
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationError

from poker_solver.cards.flops import SUBSETS, FlopSet, find_flops, flops_of
from poker_solver.config.base import Checked, number
from poker_solver.config.problems import describe, said
from poker_solver.config.sizes import PREFLOP_NOTATION, Size, format_sizes, parse_preflop_sizes
from poker_solver.config.spot import StreetSizes, Thresholds
from poker_solver.config.spot_fields import NumRaises
from poker_solver.errors import ConfigError, InputError

POT_TYPES = ("limped", "raised", "3bet", "4bet")
"""Pots by how often they were raised before the flop; the last, three times or more."""

FLOP_SETS = ("all", *map(str, SUBSETS))
"""The sets of flops that have a name."""


def _raise_list(given: Any) -> str:
    if isinstance(given, (list, tuple)) and all(isinstance(size, str) for size in given):
        given = ",".join(given)
    if not isinstance(given, str):
        raise said(f"{given!r} is not a list of sizes; {PREFLOP_NOTATION}")
    try:
        return format_sizes(parse_preflop_sizes(given))
    except InputError as error:
        raise said(str(error)) from None


def _raise_lists(given: Any) -> Any:
    if not isinstance(given, (list, tuple)):
        raise ValueError('must have one list for each raise, as in [["2.5bb"], ["3x"]]')
    return given


def _whole(given: Any, least: int) -> int:
    wanted = f"a whole number from {least} up"
    count = number(given, wanted)
    if not isfinite(count) or count != int(count) or count < least:
        raise ValueError(f"must be {wanted}")
    return int(count)


def _finite(given: Any, least: float | None = None) -> float:
    if not isfinite(value := number(given)):
        raise ValueError("must be a finite number")
    if least is not None and value < least:
        raise ValueError("must not be negative")
    return value


def _positive(given: Any) -> float:
    if (value := _finite(given)) <= 0:
        raise ValueError("must be positive")
    return value


def _share(given: Any) -> float:
    if not 0 <= (share := number(given)) <= 1:
        raise ValueError("must be from 0 to 1")
    return share


def _threshold(given: Any) -> float | None:
    if given is None:
        return None
    if not (isfinite(value := number(given, "a number, or null")) and value < 0):
        raise ValueError("must be below 0, or null to skip nothing")
    return value


def _pot_shares(given: Any) -> tuple[float, ...]:
    if not isinstance(given, (list, tuple)):
        raise ValueError("must be a list of fractions of the pot, as in [0.5, 1.0]")
    shares = tuple(number(one, "a list of fractions of the pot") for one in given)
    if not all(0 < share < float("inf") for share in shares):
        raise ValueError("must be fractions of the pot above 0")
    return tuple(sorted(set(shares)))


def _by_position(given: Any) -> tuple[tuple[int, float], ...]:
    is_list = isinstance(given, (list, tuple))
    if not is_list or not all(isinstance(row, (list, tuple)) and len(row) == 2 for row in given):
        raise ValueError("must be a list of [position, chips]")
    found = tuple((_whole(seat, 0), _finite(chips, least=0)) for seat, chips in given)
    if sorted(seat for seat, _ in found) not in ([], [0, 1]):
        raise ValueError("must name positions 0 and 1, each once: the game is heads-up")
    return found


def _stacks(given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise ValueError("must be two stacks in chips: the game is heads-up")
    first, second = map(_positive, given)
    return first, second


def _positions(given: Any) -> tuple[str, ...]:
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise ValueError("must be two positions: the game is heads-up")
    for seat in given:
        texts = seat.values() if isinstance(seat, Mapping) else [seat]
        known = not isinstance(seat, Mapping) or set(seat) <= {"name", "short_name"}
        if not known or not all(isinstance(text, str) for text in texts):
            raise ValueError('must be positions such as {name: "Small Blind", short_name: "SB"}')
    names = (
        seat.get("short_name", seat.get("name", "")) if isinstance(seat, Mapping) else seat
        for seat in given
    )
    return tuple(names)


def _flops(given: Any) -> FlopSet | None:
    if given is None or isinstance(given, FlopSet):
        return given
    try:
        if isinstance(given, Mapping):
            rows = [(str(flop), [str(flop), str(weight)]) for flop, weight in given.items()]
            return flops_of(rows, "flops").up_to_suits()
        if isinstance(given, bool) or not isinstance(given, (int, str)):
            raise said(f"{given!r}: want {', '.join(FLOP_SETS)}, or a file")
        found = find_flops(str(given))
        return found if found.name in FLOP_SETS else found.up_to_suits()
    except InputError as error:
        raise said(str(error).removeprefix("flops ")) from None


def flops_as_written(flops: FlopSet | None) -> str | dict[str, float] | None:
    """A set's name, or its flops and weights where a file had them."""
    if flops is None or flops.name in FLOP_SETS:
        return None if flops is None else flops.name
    return dict(zip(flops.flops, flops.weights, strict=True))


RaiseList = Annotated[str, BeforeValidator(_raise_list)]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, BeforeValidator(partial(_whole, least=0))]
PositiveCount = Annotated[int, BeforeValidator(partial(_whole, least=1))]
Finite = Annotated[float, BeforeValidator(_finite)]
Positive = Annotated[float, BeforeValidator(_positive)]
NotNegative = Annotated[float, BeforeValidator(partial(_finite, least=0))]
Share = Annotated[float, BeforeValidator(_share)]
PruneThreshold = Annotated[float | None, BeforeValidator(_threshold)]
PotShares = Annotated[tuple[float, ...], BeforeValidator(_pot_shares)]
ByPosition = Annotated[tuple[tuple[int, float], ...], BeforeValidator(_by_position)]
Flops = Annotated[FlopSet | None, BeforeValidator(_flops), PlainSerializer(flops_as_written)]


class Discounts(Checked):
    """How DCFR weighs its iterations; the average begins after `warmup` of them."""

    alpha: Positive = 1.5
    beta: Finite = 0.5
    gamma: NotNegative = 3.0
    warmup: Count = 0


class PreflopPart(Checked):
    """Raises before the flop, one list for each; then what only the short form says here.

    Past the last list, or where one is empty, there is only the all-in; with `allin: false` the
    last list goes on, and an empty one allows no raise. In the short form chips are those of
    `blinds`: with [[0, 1], [1, 2]] a stack of 40 is 20 big blinds.
    """

    raise_sizes: Annotated[tuple[RaiseList, ...], BeforeValidator(_raise_lists)]
    iso_sizes: RaiseList | None = None
    raise_cap: NumRaises = None
    limp: Flag = True
    allin: Flag = True

    positions: Annotated[tuple[str, ...], BeforeValidator(_positions)] = ("SB", "BB")
    blinds: ByPosition = ()
    antes: ByPosition = ()
    stacks: Annotated[tuple[float, float] | None, BeforeValidator(_stacks)] = None
    cfr_variant: Literal["dcfr"] = "dcfr"
    dcfr_alpha: Positive = 1.5
    dcfr_beta: Finite = 0.5
    dcfr_gamma: NotNegative = 3.0
    dcfr_warmup: Count = 0
    exploration: Share = 0.0

    @cached_property
    def lists(self) -> tuple[tuple[Size, ...], ...]:
        """The sizes of open, 3-bet, 4-bet and so on, read."""
        return tuple(parse_preflop_sizes(text) for text in self.raise_sizes)

    @cached_property
    def iso_list(self) -> tuple[Size, ...] | None:
        """The sizes over a limp; None if they are those of an open."""
        return None if self.iso_sizes is None else parse_preflop_sizes(self.iso_sizes)

    @cached_property
    def given_discounts(self) -> list[str]:
        """Which of the discounts are said here."""
        return sorted(name for name in self.model_fields_set if name.startswith("dcfr_"))


class Streets(Checked):
    """What may be bet on each street; one that is left out is as it is for all."""

    flop: StreetSizes | None = None
    turn: StreetSizes | None = None
    river: StreetSizes | None = None


class PotPart(Streets):
    """Sizes for both players, and those of one of them where they differ."""

    oop: Streets = Streets()
    ip: Streets = Streets()

    def street(self, player: str, name: str) -> StreetSizes | None:
        """The sizes of `oop` or `ip` on a street, if they are given."""
        own: StreetSizes | None = getattr(getattr(self, player), name)
        both: StreetSizes | None = getattr(self, name)
        return both if own is None else own


class PotParts(Checked):
    """Pots in which the sizes differ from those of all others."""

    limped: PotPart | None = None
    raised: PotPart | None = None
    three_bet: Annotated[PotPart | None, Field(alias="3bet")] = None
    four_bet: Annotated[PotPart | None, Field(alias="4bet")] = None

    @cached_property
    def all(self) -> tuple[PotPart | None, ...]:
        """By the number of raises before the flop, as `POT_TYPES`."""
        return self.limped, self.raised, self.three_bet, self.four_bet


class PostflopPart(PotPart):
    """Betting after the flop."""

    max_raises: NumRaises = None
    thresholds: Thresholds = Thresholds()
    pots: PotParts = PotParts()

    def sizes(self, pot_type: int, player: str, name: str) -> StreetSizes | None:
        """What a player may bet on a street in pots of a type; None if nothing says it."""
        pot = self.pots.all[pot_type]
        found = None if pot is None else pot.street(player, name)
        return self.street(player, name) if found is None else found

    @classmethod
    def of_shares(cls, shares: Sequence[str], max_raises: int | None) -> "PostflopPart":
        """The same sizes on every street, for bets and raises."""
        street = StreetSizes(**{"bet": ",".join(shares), "raise": ",".join(shares)})
        return cls(flop=street, turn=street, river=street, max_raises=max_raises)


ROW_KINDS = {
    "flop": ("exact", "emd", "buckets"),
    "turn": ("exact", "emd", "buckets"),
    "river": ("exact", "strength", "quantiles", "buckets"),
}
"""How the hands of a street may be put into rows; `emd`, `quantiles` and `buckets` take a number.
"""

_UNCOUNTED = ("exact", "strength")
_MOST_ROWS = 32_767
"""Rows are numbered in 16 bits."""


@dataclass(frozen=True)
class RowRule:
    """How the hands of one street are put into rows: `exact`, or `{emd: 100}`."""

    kind: str
    count: int = 0  # rows of a board, or of all boards together; 0 where the kind takes none

    @property
    def is_shared(self) -> bool:
        """Whether a row means the same on every board of the street."""
        return self.kind == "buckets"

    def as_written(self) -> str | dict[str, int]:
        """As a file has it."""
        return {self.kind: self.count} if self.count else self.kind

    def __str__(self) -> str:
        return f"{self.kind}:{self.count}" if self.count else self.kind


def _row_rule(given: Any, street: str) -> RowRule:
    if isinstance(given, RowRule):
        given = given.as_written()
    kinds = ROW_KINDS[street]
    names = [kind if kind in _UNCOUNTED else f"{{{kind}: n}}" for kind in kinds]
    wanted = f"want {', '.join(names[:-1])} or {names[-1]}"
    if isinstance(given, str):
        kind, colon, text = given.partition(":")
        count = (int(text) if text.isdecimal() else text) if colon else None
    elif isinstance(given, Mapping) and len(given) == 1:
        ((kind, count),) = given.items()
    else:
        raise said(f"{given!r} is no way to make rows; {wanted}")
    if kind not in kinds:
        raise said(f"{kind!r} makes no rows on the {street}; {wanted}")
    if kind in _UNCOUNTED:
        if count is not None:
            raise said(f"{kind} takes no number, found {count!r}")
        return RowRule(kind)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST_ROWS:
        found = "" if count is None else f", found {count!r}"
        raise said(f"{kind} wants a whole number from 1 to {_MOST_ROWS:,}{found}")
    return RowRule(kind, count)


_AS_WRITTEN = PlainSerializer(RowRule.as_written)
_EXACT = RowRule("exact")


class RowsConfig(Checked):
    """How hands share strategies after the flop; a street that is left out keeps all apart.

    `strength` (river) is a row for each strength on the board, `{quantiles: n}` (river) so many of
    about as many hands, in order of strength; `{emd: n}` (flop, turn) so many clusters of hands
    whose equities over all runouts are distributed alike, board by board; `{buckets: n}` so many
    for all boards of the street together. The text `emd:100` is the same as `{emd: 100}`.
    """

    flop: Annotated[RowRule, BeforeValidator(partial(_row_rule, street="flop")), _AS_WRITTEN] = (
        _EXACT
    )
    turn: Annotated[RowRule, BeforeValidator(partial(_row_rule, street="turn")), _AS_WRITTEN] = (
        _EXACT
    )
    river: Annotated[RowRule, BeforeValidator(partial(_row_rule, street="river")), _AS_WRITTEN] = (
        _EXACT
    )

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """From the keys and values of a file; all that is wrong in one message."""
        try:
            return cls(**{str(key): value for key, value in fields.items()})
        except ValidationError as error:
            raise ConfigError("; ".join(map(str, describe(error, cls)))) from None

    @property
    def rules(self) -> tuple[RowRule, RowRule, RowRule]:
        """Of flop, turn and river."""
        return self.flop, self.turn, self.river
