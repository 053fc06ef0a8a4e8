"""What a stored strategy is asked for: who acts, on which street and board, with what, after what.

As text, `SB:turn:QsJh2h7d:AhKh:SBr2.5 BBc | QsJh2h x b94 c 7d x`: player, street, board, hand and
line. A hand is two cards after the flop and a class (`AKs`) before it, or a row of the tables on
that board, `#17`. There is one key for one thing: flops have their highest card first, and so have
hands.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from poker_solver.cards import (
    COMBO_CARDS,
    HAND_NAMES,
    cards_from_string,
    cards_to_string,
    combo_from_string,
    combo_to_string,
    parse_hand,
)
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.lines import FullLine, cut_line, three_cards
from poker_solver.games.betting import IP, OOP, POSITIONS, PREFLOP, SB, Street, board_street
from poker_solver.games.notation import ParsedSequence, parse_action_sequence

_ROW = re.compile(r"#(0|[1-9]\d*)")
_BET = re.compile(r"b[1-9]\d*")
_RAISE = re.compile(r"r[1-9]\d*")


@dataclass(frozen=True, order=True)
class BlueprintKey:
    """A decision of one hand; `at` makes it out of a line and a hand."""

    player: int  # 0 is BB, 1 is SB
    street: Street
    board: str  # as it fell, the flop's highest card first; empty before the flop
    hand: str  # AhKh, AKs before the flop, or #17
    line: str  # SBr2.5 BBc | QsJh2h x b94 c 7d

    def __post_init__(self) -> None:
        at = _facts(self.line)
        found = (at.player, at.street, at.board, _hand(self.hand, at), at.text)
        given = (self.player, self.street, self.board, self.hand, self.line)
        if given != found:
            raise InputError(f"key {_text(*given)!r} contradicts itself, want {_text(*found)!r}")

    @classmethod
    def at(cls, line: str, hand: str) -> Self:
        """The decision after a line, with a hand of any spelling."""
        at = _facts(line)
        return cls(at.player, at.street, at.board, _hand(hand, at), at.text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` of a key is."""
        parts = text.split(":", 4)
        streets = [street.name.lower() for street in Street]
        if len(parts) != 5 or parts[0] not in POSITIONS or parts[1] not in streets:
            raise InputError(
                f"key {text!r}: want player, street, board, hand and line, as in "
                "SB:flop:QsJh2h:AhKh:SBr2.5 BBc | QsJh2h x"
            )
        player, street, board, hand, line = parts
        return cls(POSITIONS.index(player), Street(streets.index(street)), board, hand, line)

    def __str__(self) -> str:
        return _text(self.player, self.street, self.board, self.hand, self.line)

    @property
    def row(self) -> int | None:
        """The row, where the hand is one."""
        return int(self.hand[1:]) if self.hand.startswith("#") else None

    def renamed(self) -> Self:
        """The same up to suits: of all the keys that renaming them makes, the first."""
        if self.street == PREFLOP:
            return self
        found, board, hand = _facts(self.line).line, cards_from_string(self.board), self.hand
        held = () if self.row is not None else cards_from_string(hand)

        def cards(permutation: tuple[int, int, int, int]) -> tuple[tuple[int, ...], ...]:
            moved = permute_cards(board, permutation)
            flop, own = sorted(moved[:3], reverse=True), permute_cards(held, permutation)
            return tuple(flop), moved[3:], tuple(sorted(own, reverse=True))

        flop, dealt, own = max(map(cards, SUIT_PERMUTATIONS))
        left = [cards_to_string([card]) for card in dealt]
        after = tuple(left.pop(0) if is_card(token) else token for token in found.after)
        line = found._replace(flop=cards_to_string(flop), after=after)
        return type(self).at(str(line), cards_to_string(own) or hand)


def _text(player: int, street: Street, board: str, hand: str, line: str) -> str:
    return f"{POSITIONS[player]}:{street.name.lower()}:{board}:{hand}:{line}"


class _Facts(NamedTuple):
    """What follows from a line."""

    line: FullLine
    text: str  # in the one way that it is written in keys
    player: int
    street: Street
    board: str
    cards: frozenset[int]


@lru_cache(maxsize=1 << 14)
def _facts(line: str) -> _Facts:
    whole = _read(line)
    player, street, board = _point(whole)
    return _Facts(whole, str(whole), player, street, board, frozenset(cards_from_string(board)))


def _read(line: str) -> FullLine:
    """A line in the one way that it is written in keys; who acts is not checked."""
    before, flop, after = cut_line(line)
    assert isinstance(before, str)
    played = parse_action_sequence(before)
    if played.stack is not None:
        raise LineError(f"line {line!r}: a stack has no place in a key")
    if not flop:
        return FullLine(played.to_history_tuple())
    cards = cards_to_string(sorted(three_cards(flop), reverse=True))
    if not sees_flop(played):
        raise LineError(f"line {line!r}: the betting before the flop does not lead to it")
    return FullLine(played.to_history_tuple(), cards, after)


def sees_flop(played: ParsedSequence) -> bool:
    """Whether a flop falls after some actions."""
    kinds = [action.action_type for action in played.actions]
    return len(kinds) > 1 and kinds[-1] in ("check", "call")


def _point(line: FullLine) -> tuple[int, Street, str]:
    """Who acts at the end of a line, on which street and board."""
    if line.flop:
        board = line.cards
        return _after_flop(line), board_street(len(board)), cards_to_string(board)
    last = line.before[-1] if line.before else ""
    if last in ("f", "x") or (last == "c" and len(line.before) > 1):
        raise LineError(f"nobody acts after {str(line)!r}")
    return SB - len(line.before) % 2, PREFLOP, ""


def _after_flop(line: FullLine) -> int:
    """Who acts; refuses what no betting could allow."""
    actor, facing, over = OOP, False, False
    for token in line.after:
        wrong = LineError(f"{token!r} in {str(line)!r} cannot be played there")
        if is_card(token):
            if not over:
                raise wrong
            actor, facing, over = OOP, False, False
            continue
        is_bet = token == "a" or (_RAISE if facing else _BET).fullmatch(token) is not None
        if over or not (is_bet or token in (("f", "c") if facing else ("x",))):
            raise wrong
        over = token in ("f", "c") or (token == "x" and actor == IP)
        facing, actor = is_bet, 1 - actor
    if over:
        raise LineError(f"nobody acts after {str(line)!r}")
    return actor


def _hand(text: str, at: _Facts) -> str:
    """A hand in the one way that it is written in keys."""
    if _ROW.fullmatch(text):
        return text
    if not at.cards:
        return HAND_NAMES[parse_hand(text)[0]]
    combo = combo_from_string(text)
    if not at.cards.isdisjoint(COMBO_CARDS[combo].tolist()):
        raise InputError(f"hand {combo_to_string(combo)} has a card of the board {at.board}")
    return combo_to_string(combo)
