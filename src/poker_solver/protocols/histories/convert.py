"""A heads-up hand of a poker room as the solver's own: 100 chips to the big blind."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from poker_solver.config.base import CHIPS_PER_BB, to_bb
from poker_solver.errors import InputError
from poker_solver.games.betting import BB, SB
from poker_solver.play.hand import PokerHand
from poker_solver.play.review import HandToReview
from poker_solver.protocols.histories.records import HandHistory, HistoryAction

_ROUNDING_CHIPS = 2
"""What a smallest raise may lack once it was rounded to chips."""

_SMALL_BLINDS = Decimal("0.4"), Decimal("0.6")
"""Of the big blind: small blinds that are taken for half of it."""


@dataclass(frozen=True)
class ReadHand:
    """A heads-up hand that was read."""

    history: HandHistory
    hand: PokerHand
    names: tuple[str, str]  # of BB and SB
    notes: tuple[str, ...] = ()  # where it was played otherwise

    @property
    def hero(self) -> int | None:
        """BB or SB; None where the room showed the cards of nobody, or of both."""
        return self.names.index(self.history.hero) if self.history.hero else None

    def to_review(self, name: str = "") -> tuple[HandToReview, ...]:
        """The seats to review: of a player by name, else the hero, else all with known cards."""
        wanted = name or self.history.hero
        seats = [BB, SB] if not wanted else [s for s in (BB, SB) if self.names[s] == wanted]
        return tuple(
            HandToReview(self.history.hand_id, self.hand, seat, self.names[seat], self.notes)
            for seat in seats
            if self.hand.holes[seat] is not None
        )


def as_poker_hand(history: HandHistory) -> ReadHand:
    """The hand with the smaller stack for both; an `InputError` says why there is none."""
    if (count := len(history.players)) != 2:
        raise InputError(f"{count} players were dealt in, want 2")
    small, big = _blinds(history)
    short, deep = sorted(_chips(history, player.stack) for player in history.players)
    notes = []
    if history.small_blind * 2 != history.big_blind:
        part = history.small_blind / history.big_blind
        notes.append(f"the small blind was {part:.2g} bb, played as 0.5 bb")
    if short != deep:
        notes.append(f"stacks of {to_bb(deep):g} and {to_bb(short):g} bb, the smaller counts")
    cards = {player.name: player.cards for player in history.players}
    hand = PokerHand.start(to_bb(short), cards[big], cards[small])
    played = _played(history, hand, (big, small))
    return ReadHand(history, played, (big, small), tuple(notes))


def _blinds(history: HandHistory) -> tuple[str, str]:
    """Who posted the small and the big blind; refuses whatever else was posted."""
    unknown = {post.name for post in history.posts} - {"small blind", "big blind"}
    if unknown:
        raise InputError(f"{', '.join(sorted(unknown))} posted, which the rules here do not know")
    found = {}
    for name, amount in (("small blind", history.small_blind), ("big blind", history.big_blind)):
        by = [post for post in history.posts if post.name == name]
        if len(by) != 1:
            raise InputError(f"{len(by)} players posted the {name}, want 1")
        if by[0].amount != amount:
            raise InputError(f"the {name} posted was {by[0].amount}, want {amount}")
        found[name] = by[0].player
    least, most = _SMALL_BLINDS
    if not least <= history.small_blind / history.big_blind <= most:
        raise InputError(f"blinds of {history.stakes}, want the small one half of the big one")
    if found["small blind"] == found["big blind"]:
        raise InputError("one player posted both blinds")
    return found["small blind"], found["big blind"]


def _played(history: HandHistory, hand: PokerHand, names: tuple[str, str]) -> PokerHand:
    for action in history.actions:
        hand = _dealt(history, hand, action.street)
        if hand.actor < 0:
            raise InputError(f"{action.player} {action.name}s where nobody is to act")
        if names[hand.actor] != action.player or hand.betting.street != action.street:
            raise InputError(f"{action.player} {action.name}s out of turn")
        hand = hand.act(_token(history, hand, action))
    return _dealt(history, hand, 3)


def _dealt(history: HandHistory, hand: PokerHand, street: int) -> PokerHand:
    """After the cards up to a street, as far as there are any."""
    while hand.cards_due and hand.betting.street < street:
        begin = 2 * len(hand.board)
        cards = history.board[begin : begin + 2 * hand.cards_due]
        if not cards:
            break
        hand = hand.deal(cards)
    return hand


def _token(history: HandHistory, hand: PokerHand, action: HistoryAction) -> str:
    if action.name in ("fold", "check", "call"):
        return {"fold": "f", "check": "x", "call": "c"}[action.name]
    amount, legal = _chips(history, action.amount), hand.legal
    if amount < legal.least <= amount + _ROUNDING_CHIPS:
        amount = legal.least
    return hand.bet_token(min(amount, legal.most)) if legal.most else "a"


def _chips(history: HandHistory, amount: Decimal) -> int:
    exact = amount * CHIPS_PER_BB / history.big_blind
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))
