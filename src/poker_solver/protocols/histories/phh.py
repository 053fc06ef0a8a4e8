"""PHH files: hands as TOML, one per file, or several in numbered tables (`.phhs`).

Actions are `d dh p1 AhKh` and `d db QsJh2h` (cards), `p2 f`, `p2 cc` (check or call), `p2 cbr 250`
(bet or raise to) and `p1 sm AhKh` (show). With two players the first posts the second blind.
"""

import re
import tomllib
from decimal import Decimal
from typing import Any

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

TABLE = re.compile(r"\s*\[\s*(\d+)\s*\]\s*(#.*)?")
VARIANT = re.compile(r"\s*variant\s*=")
_UNKNOWN = "?"
_MOST_PLAYERS, _MOST_ACTIONS = 10, 1_000
_STREETS = {3: 1, 4: 2, 5: 3}


def read_phh(text: str, hand_id: str) -> HandHistory:
    """One hand; `hand_id` is its name where it has none."""
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ArithmeticError) as error:
        raise InputError(f"not TOML: {' '.join(str(error).split())}") from None
    if table.get("variant") != "NT":
        raise InputError(f"variant {table.get('variant')!r}, want NT: no-limit hold'em")
    return _Hand(table).history(hand_id)


class _Hand:
    """A table that is read action by action."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.stacks = _amounts(table, "starting_stacks")
        count = len(self.stacks)
        if not 2 <= count <= _MOST_PLAYERS:
            raise InputError(f"{count} starting_stacks, want 2 to {_MOST_PLAYERS}")
        self.blinds, self.antes = (
            [*_amounts(table, name)[:count], *[Decimal()] * count][:count]
            for name in ("blinds_or_straddles", "antes")
        )
        if count == 2:
            self.blinds.reverse()
        self.names = _names(table, count)
        self.bets, self.board = [*self.blinds], list[int]()
        self.paid = [Decimal()] * count
        self.cards, self.actions = [""] * count, list[HistoryAction]()

    def history(self, hand_id: str) -> HandHistory:
        actions = self.table.get("actions")
        if not isinstance(actions, list) or len(actions) > _MOST_ACTIONS:
            raise InputError(f"actions: want a list of {_MOST_ACTIONS:,} at most")
        for written in actions:
            self._read(str(written))
        small, big = _two_blinds(self.blinds)
        known = [name for name, cards in zip(self.names, self.cards, strict=True) if cards]
        return HandHistory(
            site="PHH",
            hand_id=str(self.table.get("hand", hand_id))[:80],
            is_tournament=False,
            currency=str(self.table.get("currency_symbol", ""))[:4],
            small_blind=small,
            big_blind=big,
            button=len(self.names),
            players=tuple(map(self._player, range(len(self.names)))),
            hero=known[0] if len(known) == 1 else "",
            posts=tuple(self._posts(small, big)),
            actions=tuple(self.actions),
            board=cards_to_string(self.board),
        )

    def _player(self, index: int) -> HistoryPlayer:
        left = self.table.get("finishing_stacks")
        won = None
        if isinstance(left, list) and len(left) == len(self.stacks):
            won = _amounts(self.table, "finishing_stacks")[index] - self.stacks[index]
        name, stack, cards = self.names[index], self.stacks[index], self.cards[index]
        return HistoryPlayer(index + 1, name, stack, cards, won)

    def _posts(self, small: Decimal, big: Decimal) -> list[Post]:
        names: dict[Decimal, PostName] = {small: "small blind", big: "big blind"}
        found = []
        for name, ante, blind in zip(self.names, self.antes, self.blinds, strict=True):
            if ante:
                found.append(Post(name, "ante", ante))
            if blind:
                found.append(Post(name, names.get(blind, "straddle"), blind))
        return found

    def _read(self, written: str) -> None:
        words = written.partition("#")[0].split()
        match words:
            case []:
                return
            case ["d", "dh", who, cards]:
                self._show(who, cards)
            case ["d", "db", cards]:
                self._deal(cards)
            case [who, "f"]:
                self._act(who, "fold", Decimal())
            case [who, "cc"]:
                self._call(who)
            case [who, "cbr", amount]:
                name: ActionName = "raise" if max(self.bets) else "bet"
                self._act(who, name, _amount(amount))
            case [who, "sm"] | [who, "sm", "-"]:
                self._index(who)
            case [who, "sm", cards]:
                self._show(who, cards)
            case _:
                raise InputError(f"action {written[:40]!r} is not known")

    def _index(self, who: str) -> int:
        if not re.fullmatch(r"p\d\d?", who) or not 1 <= int(who[1:]) <= len(self.names):
            raise InputError(f"player {who[:20]!r}: want p1 to p{len(self.names)}")
        return int(who[1:]) - 1

    def _show(self, who: str, cards: str) -> None:
        if _UNKNOWN not in cards and len(found := cards_from_string(cards)) == 2:
            self.cards[self._index(who)] = cards_to_string(found)

    def _deal(self, cards: str) -> None:
        self.board += cards_from_string(cards)
        if len(self.board) not in _STREETS:
            raise InputError(f"{len(self.board)} cards on the board after {cards[:20]!r}")
        self.paid = [paid + bet for paid, bet in zip(self.paid, self.bets, strict=True)]
        self.bets = [Decimal()] * len(self.names)

    def _call(self, who: str) -> None:
        index = self._index(who)
        left = self.stacks[index] - self.antes[index] - self.paid[index]
        amount = min(max(self.bets), left)
        self._act(who, "check" if amount <= self.bets[index] else "call", amount)

    def _act(self, who: str, name: ActionName, amount: Decimal) -> None:
        index, street = self._index(who), _STREETS.get(len(self.board), 0)
        if name != "fold":
            self.bets[index] = amount
        put_in = amount if name != "check" else Decimal()
        left = self.stacks[index] - self.antes[index] - self.paid[index]
        is_all_in = put_in > 0 and put_in >= left
        self.actions.append(HistoryAction(street, self.names[index], name, put_in, is_all_in))


def _two_blinds(blinds: list[Decimal]) -> tuple[Decimal, Decimal]:
    posted = sorted(blind for blind in blinds if blind)
    if len(posted) < 2 or posted[0] == posted[1]:
        raise InputError("want a small and a big blind in blinds_or_straddles")
    return posted[0], posted[1]


def _names(table: dict[str, Any], count: int) -> list[str]:
    given = table.get("players")
    if not isinstance(given, list) or len(given) != count or len({*map(str, given)}) != count:
        return [f"p{number}" for number in range(1, count + 1)]
    return [str(name)[:80] for name in given]


def _amounts(table: dict[str, Any], name: str) -> list[Decimal]:
    given = table.get(name)
    if not isinstance(given, list):
        raise InputError(f"{name} is missing, want a list of amounts")
    return [_amount(one) for one in given]


def _amount(given: object) -> Decimal:
    try:
        found = Decimal(str(given))
    except ArithmeticError:
        found = Decimal("NaN")
    if not found.is_finite() or not 0 <= found < 10**15:
        raise InputError(f"amount {str(given)[:20]!r}: want a number, not negative")
    return found
