"""What a hand is worth in words: the made hand and the draw of two cards on a board.

A hand is judged by what its own cards add: on a paired board, a pocket pair above it is still an
overpair, and two cards that miss are a high card.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from poker_solver.cards import cards_from_string, rank_of, suit_of

MADE = (
    "straight flush", "quads", "full house", "flush", "straight", "set", "trips", "two pair",
    "overpair", "top pair", "second pair", "low pair", "pocket pair", "ace high", "high card",
)  # fmt: skip
"""From strong to weak. `set` is a pocket pair with a third on the board, `trips` one card with a
pair there; `pocket pair` is one below the highest card of the board."""

DRAWS = (
    "flush and straight draw", "flush draw", "open-ended", "gutshot", "backdoor flush", "no draw",
)  # fmt: skip
"""From strong to weak. Two different cards that complete a straight count as open-ended."""

_ACE = 12
STRAIGHTS = tuple(
    frozenset({_ACE if low < 0 else low, *range(low + 1, low + 5)}) for low in range(-1, 9)
)
"""The ranks of each, from the wheel up."""


@lru_cache(1 << 17)
def kinds_of(combo: str, board: str) -> tuple[str, str]:
    """What a combo has and draws to, both as text: one of `MADE`, one of `DRAWS`."""
    hand, shown = cards_from_string(combo), cards_from_string(board)
    return made_hand(hand, shown), draw(hand, shown)


def made_hand(hand: Sequence[int], board: Sequence[int]) -> str:
    """One of `MADE`."""
    cards = [*hand, *board]
    ranks = [rank_of(card) for card in cards]
    shown = [rank_of(card) for card in board]
    suited = [
        frozenset(rank_of(card) for card in cards if suit_of(card) == suit) for suit in range(4)
    ]
    if any(_has_straight(held) for held in suited if len(held) >= 5):
        return "straight flush"
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] == 4:
        return "quads"
    if counts[0] == 3 and counts[1] >= 2:
        return "full house"
    if max(map(len, suited)) >= 5:
        return "flush"
    if _has_straight(frozenset(ranks)):
        return "straight"
    return _pairs(sorted(map(rank_of, hand), reverse=True), shown)


def _pairs(own: list[int], shown: list[int]) -> str:
    high, low = own
    levels = sorted(set(shown), reverse=True)
    if high == low:
        if high in shown:
            return "set"
        return "overpair" if high > levels[0] else "pocket pair"
    if any(shown.count(rank) == 2 for rank in own):
        return "trips"
    paired = [rank for rank in own if rank in shown]
    if len(paired) == 2:
        return "two pair"
    if not paired:
        return "ace high" if high == _ACE else "high card"
    place = levels.index(paired[0])
    return "top pair" if place == 0 else "second pair" if place == 1 else "low pair"


def draw(hand: Sequence[int], board: Sequence[int]) -> str:
    """One of `DRAWS`; a made flush has no flush draw, a made straight no straight draw."""
    if len(board) >= 5:
        return "no draw"
    to_flush = max(
        sum(suit_of(card) == suit for card in (*hand, *board)) for suit in map(suit_of, hand)
    )
    held = frozenset(rank_of(card) for card in (*hand, *board))
    shown = frozenset(rank_of(card) for card in board)
    outs = 0
    if not _has_straight(held):
        outs = sum(
            _has_straight(held | {rank}) and not _has_straight(shown | {rank}) for rank in range(13)
        )
    if to_flush == 4:
        return "flush and straight draw" if outs else "flush draw"
    if outs:
        return "open-ended" if outs > 1 else "gutshot"
    own_suits = {suit_of(card) for card in hand}
    if to_flush == 3 and len(board) == 3 and len(own_suits) == 1:
        return "backdoor flush"
    return "no draw"


@cache
def _has_straight(ranks: frozenset[int]) -> bool:
    return any(run <= ranks for run in STRAIGHTS)
