"""Hands picked out of a range: by what they have, by cards they hold, by equity; plain values."""

from dataclasses import dataclass

from poker_solver.cards import RANKS, SUITS
from poker_solver.errors import InputError
from poker_solver.query.made_hands import DRAWS, MADE, kinds_of
from poker_solver.query.node import HandView, NodeView

WORDS = {
    "made": "made", "m": "made", "draw": "made", "draws": "made", "d": "made",
    "has": "has", "holds": "has", "eq": "eq", "equity": "eq",
}  # fmt: skip
"""What begins a part of a filter."""

SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")


@dataclass(frozen=True, slots=True)
class Filter:
    """Parts that all must hold; of the alternatives within a part, one."""

    kinds: tuple[str, ...] = ()  # of MADE and DRAWS
    cards: tuple[str, ...] = ()  # Ks, or K or spades for any of that rank or suit
    equity: tuple[float, float] | None = None  # parts of 1, both ends included

    def holds(self, hand: HandView, board: str) -> bool:
        """Whether a combo on a board is meant."""
        if self.kinds and not {*kinds_of(hand.name, board)} & {*self.kinds}:
            return False
        held = (hand.name[:2], hand.name[2:])
        if self.cards and not any(_is_of(card, want) for want in self.cards for card in held):
            return False
        if self.equity is None:
            return True
        low, high = self.equity
        return low <= hand.equity <= high

    def __str__(self) -> str:
        parts = [", ".join(self.kinds)] if self.kinds else []
        if self.cards:
            parts.append(f"has {' or '.join(self.cards)}")
        if self.equity is not None:
            low, high = (100 * end for end in self.equity)
            parts.append(f"equity {low:g} to {high:g} %")
        return "; ".join(parts)


def filtered(view: NodeView, seat: int, wanted: Filter) -> tuple[HandView, ...]:
    """The combos of a player that get here and are meant."""
    combos = view.players[seat].combos
    return tuple(hand for hand in combos if hand.is_here and wanted.holds(hand, view.board))


def parse_filter(text: str) -> Filter:
    """`made top pair, set has Ks eq 40-60`: parts in any order, alternatives by commas."""
    parts: list[tuple[str, list[str]]] = []
    for word in text.replace(",", " , ").split():
        if word.lower() in WORDS:
            parts.append((WORDS[word.lower()], []))
        elif not parts:
            raise InputError(f"{word!r}: a filter begins with made, has or eq, as in has Ks")
        else:
            parts[-1][1].append(word)
    kinds: list[str] = []
    cards: list[str] = []
    equity = None
    for name, words in parts:
        if not words:
            example = {"made": "made flush-draw", "has": "has Ks", "eq": "eq 40-60"}[name]
            raise InputError(f"{name} what? as in {example}")
        if name == "made":
            kinds += [_kind(part) for part in " ".join(words).split(",")]
        elif name == "has":
            cards += [_card(word) for word in words if word != ","]
        else:
            equity = _band("".join(words))
    return Filter(tuple(kinds), tuple(cards), equity)


def _kind(text: str) -> str:
    """A kind of hand by its name, or by how it begins; hyphens are blanks."""
    typed = " ".join(text.lower().replace("-", " ").split())
    names = {name.replace("-", " "): name for name in (*MADE, *DRAWS)}
    if typed in names:
        return names[typed]
    begun = [name for plain, name in names.items() if plain.startswith(typed) and typed]
    if len(begun) == 1:
        return begun[0]
    raise InputError(f"{text.strip()!r} is none of {', '.join(begun or (*MADE, *DRAWS))}")


def _is_of(card: str, want: str) -> bool:
    """Whether `Ks` is meant by `Ks`, `K` or `spades`."""
    return card[1] == want[0] if want in SUIT_WORDS else card.startswith(want)


def _card(text: str) -> str:
    for suit in SUIT_WORDS:
        if text.lower() in (suit, suit[:-1]):
            return suit
    rank, suit = text[:1].upper(), text[1:].lower()
    if rank not in RANKS or len(suit) > 1 or suit not in SUITS or not rank:
        raise InputError(
            f"{text!r} is neither a card, as in Ks, nor a rank or suit, as in K or spades"
        )
    return rank + suit


def _band(text: str) -> tuple[float, float]:
    """`40-60`, `60+`, `-40` in per cent."""
    low, dash, high = text.replace("%", "").partition("-")
    if low.endswith("+"):
        low, high = low[:-1], "100"
    elif not dash:
        high = low
    try:
        band = float(low or 0) / 100, float(high or 100) / 100
    except ValueError:
        raise InputError(f"{text!r} is no band of equity in %, as in 40-60") from None
    if not 0 <= band[0] <= band[1] <= 1:
        raise InputError(f"{text!r}: a band of equity goes up, from 0 to 100 %")
    return band
