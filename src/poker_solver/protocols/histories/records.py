"""A hand as a poker room wrote it down, as plain values; money is in the room's own unit."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

ActionName = Literal["fold", "check", "call", "bet", "raise"]
PostName = Literal["small blind", "big blind", "ante", "straddle", "dead blind"]


@dataclass(frozen=True)
class Post:
    """What a player had to put in before the cards."""

    player: str
    name: PostName
    amount: Decimal


@dataclass(frozen=True)
class HistoryAction:
    """What a player did."""

    street: int  # 0 before the flop, 3 on the river
    player: str
    name: ActionName
    amount: Decimal  # that lies before the player on this street after it
    is_all_in: bool = False


@dataclass(frozen=True)
class HistoryPlayer:
    """Somebody who was dealt in."""

    seat: int
    name: str
    stack: Decimal  # at the start
    cards: str = ""  # "AhKh" where they are known
    won: Decimal | None = None  # less what was put in; None where the text does not say


@dataclass(frozen=True)
class HandHistory:
    """One hand of no-limit hold'em."""

    site: str
    hand_id: str
    is_tournament: bool
    currency: str  # a sign or a code; empty for chips
    small_blind: Decimal
    big_blind: Decimal
    button: int | None  # seat; None where the text does not say
    players: tuple[HistoryPlayer, ...]
    hero: str  # whose cards the room showed; empty if of nobody or of several
    posts: tuple[Post, ...]
    actions: tuple[HistoryAction, ...]
    board: str  # "QsJh2h7d"

    @property
    def stakes(self) -> str:
        """`$0.50/$1`."""
        return f"{self.currency}{self.small_blind}/{self.currency}{self.big_blind}"


@dataclass(frozen=True)
class Skipped:
    """A hand that was left out."""

    hand_id: str  # as far as it could be read
    why: str  # one line
