"""Card ids and their text; nothing about hands.

A card is an integer, `4 * rank + suit`: ranks `2 3 4 5 6 7 8 9 T J Q K A` are 0..12 and suits
`c d h s` are 0..3, so `2c` is 0 and `As` is 51. A larger id is never a lower rank.
"""

from collections.abc import Iterable

from poker_solver.errors import InputError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUM_CARDS = 52
BOARD_SIZES = (0, 3, 4, 5)

_SEPARATORS = str.maketrans("", "", " ,\t\n")
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", SUITS * 2)


def make_card(rank: int, suit: int) -> int:
    """The id of a rank 0..12 and a suit 0..3."""
    return 4 * rank + suit


def rank_of(card: int) -> int:
    """0 for a deuce up to 12 for an ace."""
    return card >> 2


def suit_of(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def card_from_string(text: str) -> int:
    """`As` -> 51; in either case, a suit as its letter or symbol, the ten as `T` or `10`."""
    text = plain_cards(text.strip())
    if len(text) != 2:
        raise InputError(f"card {text!r}: want a rank and a suit, as in 'As'")
    rank, suit = RANKS.find(text[0].upper()), SUITS.find(text[1].lower())
    if rank < 0:
        raise InputError(f"card {text!r}: {text[0]!r} is not a rank; ranks are {RANKS}")
    if suit < 0:
        raise InputError(f"card {text!r}: {text[1]!r} is not a suit; suits are {SUITS}")
    return make_card(rank, suit)


def plain_cards(text: str) -> str:
    """Text of cards with the ten as `T` and suits as letters: `10♠` -> `Ts`."""
    return text.replace("10", "T").translate(_SYMBOLS)


def card_to_string(card: int) -> str:
    """51 -> `As`."""
    if not 0 <= card < NUM_CARDS:
        raise InputError(f"card id {card}: want 0..{NUM_CARDS - 1}")
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def cards_from_string(text: str) -> tuple[int, ...]:
    """`Td9d6h` (or `Td 9d 6h`, `Td,9d,6h`) -> ids in the order written; no card twice."""
    packed = plain_cards(text.translate(_SEPARATORS))
    if len(packed) % 2:
        raise InputError(f"cards {text!r}: want two characters a card, as in 'Td9d6h'")
    cards = tuple(card_from_string(packed[i : i + 2]) for i in range(0, len(packed), 2))
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise InputError(f"cards {text!r}: {card_to_string(card)} is there twice")
    return cards


def cards_to_string(cards: Iterable[int]) -> str:
    """Ids -> `Td9d6h`, in the order given."""
    return "".join(card_to_string(card) for card in cards)


def parse_board(text: str) -> tuple[int, ...]:
    """Board text of 0, 3, 4 or 5 cards -> ids in the order written."""
    cards = cards_from_string(text)
    if len(cards) not in BOARD_SIZES:
        raise InputError(f"board {text!r}: has {len(cards)} cards, want 0, 3, 4 or 5")
    return cards
