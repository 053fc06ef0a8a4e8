"""What one token of a range begins with: a class, both of two classes, or two cards."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.cards import RANKS, SUITS, card_from_string, make_card, plain_cards
from poker_solver.cards.classes import CLASS_COMBOS, canonical_index, hand_name
from poker_solver.cards.combos import combo_index
from poker_solver.errors import InputError

ACE = 12


class Hands(NamedTuple):
    """Two ranks, high >= low, and `s`, `o`, two suits, or `` for a pair or for both."""

    high: int
    low: int
    kind: str

    def __str__(self) -> str:
        if self.has_suits:
            return RANKS[self.high] + self.kind[0] + RANKS[self.low] + self.kind[1]
        first = hand_name(self._classes()[0])
        return first if self.kind else first[:2]

    @property
    def is_pair(self) -> bool:
        """Two of one rank."""
        return self.high == self.low

    @property
    def has_suits(self) -> bool:
        """One combo: both cards are named."""
        return len(self.kind) == 2

    def combos(self) -> NDArray[np.integer]:
        """The combos it stands for."""
        if self.has_suits:
            first, second = map(SUITS.index, self.kind)
            return np.array([combo_index(make_card(self.high, first), make_card(self.low, second))])
        return np.concatenate([CLASS_COMBOS[index] for index in self._classes()])

    def _classes(self) -> list[int]:
        """Of the 169: two where it is both."""
        suited = [True, False] if not self.kind and not self.is_pair else [self.kind == "s"]
        ranks = RANKS[self.high], RANKS[self.low]
        return [canonical_index(*ranks, s) for s in suited]


def read_hands(text: str) -> Hands:
    """`AA`, `AKs`, `AKo`, `AK`, `AhKh`; the ten is `T` or `10`, and `10s` are the tens."""
    if text.lower() == "10s":
        return Hands(RANKS.index("T"), RANKS.index("T"), "")
    text = plain_cards(text)
    if not text:
        raise InputError("a hand is missing")
    if len(text) == 4:
        return _two_cards(text)
    if len(text) == 2 and text[0].upper() in RANKS and text[1].lower() in SUITS:
        raise InputError(f"{text!r} is one card; a hand has two, as in AsKs")
    if len(text) not in (2, 3):
        raise InputError(f"{text!r} is not a hand like AA, AKs, AKo, AK or AhKh")
    high, low = sorted((read_rank(letter) for letter in text[:2]), reverse=True)
    kind = text[2:].lower()
    if kind not in ("", "s", "o"):
        raise InputError(f"{text[2]!r} is neither 's' nor 'o'")
    found = Hands(high, low, kind)
    if found.is_pair and kind:
        raise InputError(f"a pair is neither suited nor offsuit, write {text[:2]}")
    return found


def read_rank(letter: str) -> int:
    """`A` -> 12."""
    rank = RANKS.find(letter.upper())
    if rank < 0:
        raise InputError(f"{letter!r} is not a rank")
    return rank


def _two_cards(text: str) -> Hands:
    cards = card_from_string(text[:2]), card_from_string(text[2:])
    high, low = max(cards), min(cards)
    if high == low:
        raise InputError("the same card twice")
    return Hands(high >> 2, low >> 2, SUITS[high & 3] + SUITS[low & 3])


def and_better(start: Hands) -> list[Hands]:
    """`QQ+` to AA; `98s+`, a connector, climbs to AKs; of `A9s+`, with a gap, the kicker does."""
    gap = start.high - start.low
    if gap <= 1:
        return [start._replace(high=high, low=high - gap) for high in range(start.high, ACE + 1)]
    return [start._replace(low=low) for low in range(start.low, start.high)]


def with_any_lower(text: str) -> list[Hands]:
    """`Axs`, `A*o`, `Kx`: this rank with every lower one."""
    kind = text[2:].lower()
    if kind not in ("", "s", "o"):
        raise InputError(f"{text[2:]!r} is neither 's' nor 'o'")
    high = read_rank(text[0])
    if not high:
        raise InputError("no rank is below a deuce")
    return [Hands(high, low, kind) for low in range(high)]


def span(first: Hands, last: Hands) -> list[Hands]:
    """`A5s-A2s`, `99-66`, `JTs-54s`, `As5s-As2s`, in either order."""
    if first.is_pair != last.is_pair or first.kind != last.kind:
        raise InputError(f"{first} and {last} are not of one kind")
    if first < last:
        first, last = last, first
    num_steps = first.low - last.low + 1
    if first.high == last.high:
        return [first._replace(low=first.low - i) for i in range(num_steps)]
    if first.high - first.low == last.high - last.low:
        return [Hands(first.high - i, first.low - i, first.kind) for i in range(num_steps)]
    raise InputError(f"{first} and {last} share neither the high card nor the gap")
