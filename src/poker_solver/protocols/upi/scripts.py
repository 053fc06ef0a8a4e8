"""Tree scripts, `.txt` files: `#Key#value` lines with sizes, then commands; sizes made into lines.

Sizes are percent of the pot after the call, as everywhere here. A bet that puts in at least
`AllinThreshold` percent of the stack is the all-in; `AddAllin` adds the all-in where it is at most
`AddAllinOnlyIfLessThanThisTimesThePot` percent of the pot after the call.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from poker_solver.config.bet_sizes import Situation, amount
from poker_solver.config.sizes import Size, parse_sizes
from poker_solver.config.spot_fields import Amounts
from poker_solver.errors import InputError
from poker_solver.games.betting import IP, OOP
from poker_solver.protocols.upi.client import Settings
from poker_solver.protocols.upi.text import floats

STREETS = ("Flop", "Turn", "River")
CONFIGS = tuple(f"{street}Config{seat}" for street in STREETS for seat in ("", "IP"))

MOST_LINES = 200_000
"""Where a script is given up: no such tree fits into memory."""


@dataclass(frozen=True)
class _Sizes:
    """What one player may bet on one street."""

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]
    donks: tuple[Size, ...]
    adds_allin: bool


def has_sizes(info: Mapping[str, str]) -> bool:
    """Whether a script says what may be bet."""
    return any(key.partition(".")[0] in CONFIGS for key in info)


def lines_of_sizes(info: Mapping[str, str], settings: Settings) -> set[Amounts]:
    """Every line that the sizes of a script make; none where it has no sizes."""
    if not has_sizes(info):
        return set()
    if any(settings.put_in):
        raise InputError("sizes of a script are for a pot that nobody has put in yet")
    found: set[Amounts] = set()
    for line in _Rules(info, settings).lines(_State()):
        found.add(line)
        if len(found) > MOST_LINES:
            raise InputError(f"the script's sizes make more than {MOST_LINES:,} lines")
    return found


class _State(NamedTuple):
    """A decision. Chips are those put in since the hand began."""

    line: Amounts = ()
    street: int = 0  # counted from the board's
    actor: int = OOP
    bet: int = 0  # the larger of what both have put in
    own: int = 0  # what the player to act has
    start: int = 0  # what both had when the street began
    num_raises: int = 0  # on this street, the bet not counted
    is_checked: bool = False  # the other player has checked
    is_donk: bool = False  # the player out of position called on the street before


class _Rules:
    """The betting that a script describes."""

    def __init__(self, info: Mapping[str, str], settings: Settings) -> None:
        streets = STREETS[max(len(settings.board), 3) - 3 :]
        seats = ("", "IP")
        self.sizes = [[_sizes(info, f"{name}Config{s}") for s in seats] for name in streets]
        self.pot, self.stack = settings.pot, settings.stack
        self.threshold = _percent(info, "AllinThreshold", 100.0)
        self.most_allin = _percent(info, "AddAllinOnlyIfLessThanThisTimesThePot", math.inf)

    def lines(self, at: _State) -> Iterator[Amounts]:
        """The lines from a decision on that end with a bet."""
        other = 1 - at.actor
        for put_in in self._amounts(at):
            yield (*at.line, put_in)
            is_raise = at.bet > at.start
            yield from self.lines(
                at._replace(
                    line=(*at.line, put_in),
                    actor=other,
                    bet=put_in,
                    own=at.bet,
                    num_raises=at.num_raises + is_raise,
                )
            )
        line = (*at.line, at.bet)
        if at.bet == at.own and at.actor == OOP:
            yield from self.lines(at._replace(line=line, actor=IP, is_checked=True))
        elif at.bet < self.stack and at.street + 1 < len(self.sizes):
            is_donk = at.actor == OOP and at.bet > at.own
            after = _State(line, at.street + 1, OOP, at.bet, at.bet, at.bet, is_donk=is_donk)
            yield from self.lines(after)

    def _amounts(self, at: _State) -> set[int]:
        """What the player may have put in after a bet or raise."""
        allowed = self.sizes[at.street][at.actor]
        if at.bet > at.start:
            sizes = allowed.raises
        else:
            sizes = allowed.donks if at.actor == OOP and at.is_donk else allowed.bets
        if at.bet >= self.stack:
            return set()
        pot = self.pot + 2 * at.bet
        here = Situation(
            pot=pot,
            bet=at.bet - at.start,
            own=at.own - at.start,
            all_in=self.stack - at.start,
            streets_left=len(self.sizes) - at.street,
            num_raises=at.num_raises,
        )
        least = max(2 * at.bet - at.own, at.bet + 1)
        found = {max(at.start + amount(size, here), least) for size in sizes}
        found = {self.stack if chips >= self.threshold * self.stack else chips for chips in found}
        if allowed.adds_allin and self.stack - at.bet <= self.most_allin * pot:
            found.add(self.stack)
        return found


def _sizes(info: Mapping[str, str], config: str) -> _Sizes:
    """What a script says of a player on a street."""

    def read(key: str, *, raising: bool) -> tuple[Size, ...]:
        words = re.split(r"[\s,]+", info.get(f"{config}.{key}", "").strip())
        try:
            return parse_sizes(",".join(map(_size, filter(None, words))), raising=raising)
        except InputError as error:
            raise InputError(f"#{config}.{key}#: {error}") from None

    return _Sizes(
        bets=read("BetSize", raising=False),
        raises=read("RaiseSize", raising=True),
        donks=read("DonkBetSize", raising=False),
        adds_allin=info.get(f"{config}.AddAllin", "").lower() == "true",
    )


def _size(word: str) -> str:
    """A size as we write it: a plain number is percent of the pot, `ai` the all-in."""
    if word.lower() in ("ai", "allin", "all-in"):
        return "a"
    return f"{word}%" if re.fullmatch(r"\d+(\.\d+)?", word) else word


def _percent(info: Mapping[str, str], key: str, otherwise: float) -> float:
    """A percentage of a script as a fraction."""
    text = info.get(key, "")
    if not text:
        return otherwise
    return float(floats([text], f"#{key}#")[0]) / 100
