"""The text that PokerStars and GGPoker write: one hand per block, one event per line, English."""

import re
from decimal import Decimal

from poker_solver.cards import cards_from_string, cards_to_string
from poker_solver.errors import InputError
from poker_solver.protocols.histories.records import (
    ActionName,
    HandHistory,
    HistoryAction,
    HistoryPlayer,
    Post,
    PostName,
)

HEAD = re.compile(
    r"(?P<site>PokerStars|Poker)(?: Zoom| Home Game)? (?:Hand|Game) "
    r"#(?P<id>[A-Z]{0,4}\d{1,20}):(?P<of>.*)"
)
_STAKES = re.compile(
    r"\((?P<sign>[^\d\s()/]{0,4})(?P<small>[\d.,]+)/[^\d\s()/]{0,4}(?P<big>[\d.,]+)"
    r"(?:\s*\([^\d\s()]{0,4}(?P<ante>[\d.,]+)\))?(?P<more>[^()]*)\)"
)
_MONEY = r"[^\d\s()]{0,4}([\d.,]+)"
_BUTTON = re.compile(r"Seat #(\d+) is the button")
_SEAT = re.compile(rf"Seat (\d+): (.+) \({_MONEY} in chips(?:, [^()]*)?\)(.*)")
_ACTION = re.compile(
    rf"(folds|checks|calls|bets|raises)\b(?: {_MONEY})?(?: to {_MONEY})?(.*)", re.DOTALL
)
_POST = re.compile(
    rf"(?:posts )?(?:the )?(small & big blinds|small blind|big blind|ante|straddle|\w+) {_MONEY}.*"
)
_RETURNED = re.compile(rf"Uncalled bet \({_MONEY}\) returned to (.+)")
_COLLECTED = re.compile(rf"(.+?):? collected \(?{_MONEY}\)? from .*pot.*")
_STREET = re.compile(r"\*\*\* (?:(FIRST|SECOND|THIRD) )?([A-Z -]+?) \*\*\*(.*)")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_SHOWN = re.compile(r"\b(?:shows|showed|mucked) \[([^\[\]]*)\]")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
_PLAIN = re.compile(r"\d+(\.\d+)?|\.\d+")

_STREETS = {"HOLE CARDS": 0, "FLOP": 1, "TURN": 2, "RIVER": 3}
_ACTIONS: dict[str, ActionName] = {
    "folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises": "raise",
}  # fmt: skip
_POSTS: dict[str, PostName] = {
    "small blind": "small blind", "big blind": "big blind", "ante": "ante",
    "straddle": "straddle", "small & big blinds": "dead blind",
}  # fmt: skip

MOST_LINES, MOST_CHARACTERS = 1_000, 1_000
"""Of a hand, and of a line of it."""


def read_hand_text(lines: list[str]) -> HandHistory:
    """One hand, its first line the head."""
    if len(lines) > MOST_LINES:
        raise InputError(f"{len(lines):,} lines, want {MOST_LINES:,} at most")
    if (longest := max(map(len, lines))) > MOST_CHARACTERS:
        raise InputError(f"a line of {longest:,} characters, want {MOST_CHARACTERS:,} at most")
    head = HEAD.match(lines[0])
    assert head is not None
    reader = _Reader(head)
    for line in lines[1:]:
        if line.strip():
            reader.read(line.strip())
    return reader.hand()


def money(text: str) -> Decimal:
    """An amount; commas only between thousands."""
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if not _PLAIN.fullmatch(text) or len(text) > 18:
        raise InputError(f"amount {text!r}: want digits with a point for decimals")
    return Decimal(text)


class _Reader:
    """What was read of a hand so far."""

    def __init__(self, head: re.Match[str]) -> None:
        of = head["of"]
        self.site = "GGPoker" if head["site"] == "Poker" else "PokerStars"
        self.hand_id, self.is_tournament = head["id"], "Tournament #" in of
        if "Hold'em No Limit" not in of:
            raise InputError("another game, want Hold'em No Limit")
        stakes = [*_STAKES.finditer(of)]
        if not stakes:
            raise InputError("the head names no blinds, as in ($0.50/$1.00)")
        found = stakes[-1]
        if "cap" in found["more"].lower():
            raise InputError("a game with a cap, which the rules here do not know")
        self.currency = found["sign"]
        self.small, self.big = money(found["small"]), money(found["big"])
        self.street, self.is_summary, self.is_other_board = 0, False, False
        self.button: int | None = None
        self.seats: dict[str, tuple[int, Decimal]] = {}
        self.names: list[str] = []  # longest first: one may begin like another
        self.cards: dict[str, str] = {}
        self.dealt: list[str] = []
        self.board: list[int] = []
        self.posts: list[Post] = []
        self.actions: list[HistoryAction] = []
        self.bets: dict[str, Decimal] = {}
        self.net: dict[str, Decimal] = {}
        self.has_result = False

    def read(self, line: str) -> None:
        if line.startswith("***"):
            self._read_street(line)
        elif self.is_summary:
            self._read_summary(line)
        elif not self.names and (seat := _SEAT.match(line)):
            self._read_seat(seat)
        elif not self.seats and (button := _BUTTON.search(line)):
            self.button = int(button[1])
        elif not self.is_other_board:
            self._read_event(line)

    def _read_seat(self, seat: re.Match[str]) -> None:
        if "sitting out" in seat[4] or "out of hand" in seat[4]:
            return
        if seat[2] in self.seats:
            raise InputError(f"{seat[2]} sits in two seats")
        self.seats[seat[2]] = int(seat[1]), money(seat[3])

    def _read_street(self, line: str) -> None:
        found = _STREET.match(line)
        if found is None:
            return
        runout, name, rest = found.groups()
        self.is_summary = name == "SUMMARY"
        self.is_other_board = runout in ("SECOND", "THIRD")
        street = _STREETS.get(name)
        if not street or self.is_other_board:
            return
        cards = [cards for part in _CARDS.findall(rest) for cards in cards_from_string(part)]
        if len(cards) != street + 2:
            raise InputError(f"{len(cards)} cards at the {name.lower()}, want {street + 2}")
        self.board, self.street = cards, street
        self._take_bets()

    def _read_event(self, line: str) -> None:
        if not self.names:
            self.names = sorted(self.seats, key=len, reverse=True)
        if line.startswith("Dealt to "):
            self._read_dealt(line.removeprefix("Dealt to "))
        elif returned := _RETURNED.fullmatch(line):
            self._add(returned[2], money(returned[1]))
        elif " collected " in line and (collected := _COLLECTED.fullmatch(line)):
            self._add(collected[1], money(collected[2]))
            self.has_result = True
        else:
            for name in self.names:
                if line.startswith(f"{name}: "):
                    self._read_doing(name, line[len(name) + 2 :])
                    return

    def _read_dealt(self, rest: str) -> None:
        name, bracket, cards = rest.partition(" [")
        if bracket and name in self.seats:
            self.cards[name] = cards_to_string(cards_from_string(cards.rstrip("] ")))
            self.dealt.append(name)

    def _read_doing(self, name: str, doing: str) -> None:
        if shown := _SHOWN.match(doing):
            self._show(name, shown[1])
        elif doing.startswith(("posts ", "straddle ")):
            self._read_post(name, doing)
        elif action := _ACTION.match(doing):
            self._read_action(name, action)

    def _read_post(self, name: str, doing: str) -> None:
        found = _POST.fullmatch(doing)
        if found is None or found[1] not in _POSTS:
            raise InputError(f"{doing!r}: want a small blind, a big blind or an ante")
        post, amount = _POSTS[found[1]], money(found[2])
        self.posts.append(Post(name, post, amount))
        if post == "ante":
            self._add(name, -amount)
        else:
            self.bets[name] = self.bets.get(name, Decimal()) + amount

    def _read_action(self, name: str, found: re.Match[str]) -> None:
        word, amount, to, rest = found.groups()
        kind, lies = _ACTIONS[word], self.bets.get(name, Decimal())
        if kind == "raise":
            if to is None:
                raise InputError(f"{name} {word}, but not to what")
            lies = money(to)
        elif kind in ("call", "bet"):
            if amount is None:
                raise InputError(f"{name} {word}, but not how much")
            lies += money(amount)
        self.bets[name] = lies
        put_in = lies if kind not in ("fold", "check") else Decimal()
        self.actions.append(HistoryAction(self.street, name, kind, put_in, "all-in" in rest))

    def _read_summary(self, line: str) -> None:
        """Cards that were shown or mucked."""
        shown = _SHOWN.search(line)
        if shown is None or not line.startswith("Seat "):
            return
        rest = line.partition(": ")[2]
        for name in self.names:
            if rest.startswith(f"{name} "):
                self._show(name, shown[1])
                return

    def _show(self, name: str, text: str) -> None:
        cards = cards_from_string(text)
        if len(cards) == 2:
            self.cards.setdefault(name, cards_to_string(cards))

    def _add(self, name: str, amount: Decimal) -> None:
        self.net[name] = self.net.get(name, Decimal()) + amount

    def _take_bets(self) -> None:
        for name, amount in self.bets.items():
            self._add(name, -amount)
        self.bets.clear()

    def hand(self) -> HandHistory:
        if not self.seats:
            raise InputError("no seat is listed, as in Seat 1: Ann ($100 in chips)")
        self._take_bets()
        players = tuple(
            HistoryPlayer(
                seat,
                name,
                stack,
                self.cards.get(name, ""),
                self.net.get(name, Decimal()) if self.has_result else None,
            )
            for name, (seat, stack) in self.seats.items()
        )
        return HandHistory(
            site=self.site,
            hand_id=self.hand_id,
            is_tournament=self.is_tournament,
            currency=self.currency,
            small_blind=self.small,
            big_blind=self.big,
            button=self.button,
            players=players,
            hero=self.dealt[0] if len(self.dealt) == 1 else "",
            posts=tuple(self.posts),
            actions=tuple(self.actions),
            board=cards_to_string(self.board),
        )
