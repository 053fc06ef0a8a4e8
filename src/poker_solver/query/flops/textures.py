"""What kind of flop it is, in players' words: tags that reports filter and average by."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from poker_solver.cards import cards_from_string, rank_of, suit_of

RANKS = "AKQJT98765432"
SUITS = ("rainbow", "two-tone", "monotone")
PAIRING = ("unpaired", "paired", "trips")
CONNECTION = ("connected", "semi-connected", "disconnected")
"""A straight can be held; none, but an open-ended straight draw can; neither."""
BROADWAY = ("no-broadway", "one-broadway", "two-broadway", "three-broadway")
"""How many cards are a ten or higher."""

TAGS = (*(f"{rank}-high" for rank in RANKS), *SUITS, *PAIRING, *CONNECTION, *BROADWAY)

_ACE, _TEN = 12, 8
_LOWEST = range(-1, 9)  # of five in a row; -1 is an ace that counts below the deuce


@dataclass(frozen=True, slots=True)
class Texture:
    """One tag of each kind."""

    high: str
    suits: str
    pairing: str
    connection: str
    broadway: str

    @property
    def tags(self) -> tuple[str, ...]:
        """All of them."""
        return self.high, self.suits, self.pairing, self.connection, self.broadway


@cache
def texture(flop: str) -> Texture:
    """`KsKh7s` -> K-high, two-tone, paired, disconnected, two-broadway."""
    cards = cards_from_string(flop)
    ranks = [rank_of(card) for card in cards]
    num_suits, num_ranks = len({suit_of(card) for card in cards}), len(set(ranks))
    return Texture(
        high=f"{RANKS[_ACE - max(ranks)]}-high",
        suits=SUITS[3 - num_suits],
        pairing=PAIRING[3 - num_ranks],
        connection=_connection(ranks),
        broadway=BROADWAY[sum(rank >= _TEN for rank in ranks)],
    )


def _connection(ranks: Iterable[int]) -> str:
    held = set(ranks)
    low = held | {-1} if _ACE in held else held
    if any(len(low & set(range(first, first + 5))) >= 3 for first in _LOWEST):
        return "connected"
    fours = (set(range(first, first + 4)) for first in range(9))  # open at both ends: no ace
    return "semi-connected" if any(len(held & four) >= 2 for four in fours) else "disconnected"


def tagged(flops: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Every tag that some of these flops have, in the order of `TAGS`, with those that do."""
    every = list(flops)
    for tag in TAGS:
        if found := [flop for flop in every if tag in texture(flop).tags]:
            yield tag, found
