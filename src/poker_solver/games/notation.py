"""Lines before the flop as people write them; which sizes exist is the game's.

The grammar is that of `config.lines.text`; a raise is to so many big blinds, and a stack may lead:
`50bb SBr2.5 BBr8 SBc`, `50 bb r2.5 r8 c`. Who acts may be left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from poker_solver.cards import card_from_string
from poker_solver.config.base import CHIPS_PER_BB, MOST_STACK_BB, bb_text
from poker_solver.config.lines.text import EVERY_CARD, LineWord, is_card, read_line
from poker_solver.errors import ConfigError, LineError
from poker_solver.games.betting import ALL_IN, NONE, POSITIONS, SB, BettingRules, Played

if TYPE_CHECKING:
    from poker_solver.config.preflop import Config, PreflopBetting

LETTERS = {"fold": "f", "call": "c", "check": "x", "raise": "r", "allin": ALL_IN}
"""`ParsedAction.action_type` -> the letter in a history."""

_KINDS = {letter: word for word, letter in LETTERS.items()}
_STACK = re.compile(r"\s*(\d+(?:\.\d+)?)\s*bb(?=[\s,;]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedAction:
    """One action: who (`SB`, `BB`), what (`fold`, `call`, `check`, `raise`, `allin`), to how much.

    `amount` is in bb for a raise and None for everything else.
    """

    position: str
    action_type: str
    amount: float | None = None

    @property
    def token(self) -> str:
        """As it stands in a history: `f`, `c`, `x`, `r2.5`, `a`."""
        letter = LETTERS[self.action_type]
        if self.amount is None:
            return letter
        return letter + bb_text(round(self.amount * CHIPS_PER_BB))

    def __str__(self) -> str:
        return self.position + self.token


@dataclass(frozen=True, slots=True)
class ParsedSequence:
    """A line as it was written, in the order of play; `stack` is the override in bb, if any."""

    stack: float | None
    actions: tuple[ParsedAction, ...]

    def to_history_tuple(self) -> tuple[str, ...]:
        """`("r2.5", "r8", "c")`."""
        return tuple(action.token for action in self.actions)

    def __str__(self) -> str:
        return format_history(self.to_history_tuple())


def format_history(history: tuple[str, ...]) -> str:
    """`("r2.5", "c")` -> `SBr2.5 BBc`."""
    return " ".join(POSITIONS[SB - i % 2] + action for i, action in enumerate(history))


def parse_action_sequence(text: str) -> ParsedSequence:
    """Read a line; refuses what no config could make legal, naming the token.

    `play_line` then checks the sizes against a config.
    """
    stack, rest = None, text
    if match := _STACK.match(text):
        stack, rest = float(match[1]), text[match.end() :]
        if stack <= 0:
            raise LineError(f"token 1 {match[0].strip()!r}: the stack must be positive")
    first = 1 if stack is None else 2
    written = read_line(rest)
    actions = [_action(i, first + i, one) for i, one in enumerate(written)]
    for index, wrong in _out_of_order(actions):
        raise LineError(f"token {index + first} {written[index].text!r}: {wrong}")
    return ParsedSequence(stack, tuple(actions))


def at_stack_of(line: ParsedSequence, config: "Config") -> "Config":
    """The config at the stack that the line names, if it names one."""
    if line.stack is None:
        return config
    try:
        return config.with_stack(line.stack)
    except ConfigError as error:
        raise LineError(f"token 1 '{line.stack:g}bb': {error}") from None


def play_line(line: ParsedSequence, betting: "PreflopBetting") -> Played:
    """The line in this betting, its stack override applied by the caller.

    A raise to the whole stack or more becomes `a`; a size that is not offered is an error.
    """
    stack = [] if line.stack is None else [f"{line.stack:g}bb"]
    written = [*stack, *map(str, line.actions)]
    return BettingRules(betting).play(line.to_history_tuple(), written)


def live_card(token: str, dead: Sequence[int]) -> int:
    """The card, refused if it is among the dead."""
    card = card_from_string(token)
    if card in dead:
        raise LineError(f"{token!r}: this card is already on the board")
    return card


def _action(index: int, number: int, written: LineWord) -> ParsedAction:
    """One action; who makes it is named, or follows from its place."""
    place, token = f"token {number} {written.text!r}", written.token
    position = POSITIONS[SB - index % 2 if written.seat is None else written.seat]
    if token == EVERY_CARD or is_card(token):
        raise LineError(f"{place}: no card falls before the flop; it stands after a bar, | QsJh2h")
    if token[0] not in ("b", "r"):
        return ParsedAction(position, _KINDS[token])
    number_text = token[1:].removesuffix("bb")
    if token[0] == "b" or not number_text.replace(".", "", 1).isdecimal():
        raise LineError(
            f"{place}: before the flop a raise is to so many bb, as in '{position}r2.5'"
        )
    amount = float(number_text)
    if amount > MOST_STACK_BB:
        raise LineError(f"{place}: nobody has more than {MOST_STACK_BB:,} bb")
    if abs(amount * CHIPS_PER_BB - round(amount * CHIPS_PER_BB)) > 1e-6:
        raise LineError(f"{place}: {number_text} is finer than a hundredth of a bb")
    return ParsedAction(position, "raise", amount)


def _out_of_order(actions: list[ParsedAction]) -> Iterator[tuple[int, str]]:
    """Yield (index, what is wrong) for turns and actions that no config allows."""
    turn, bet, is_all_in = SB, 1.0, False
    for index, action in enumerate(actions):
        kind = action.action_type
        limped = index == 1 and actions[0].action_type == "call"
        if turn == NONE:
            yield index, "the betting is over, nothing may follow"
        elif action.position != POSITIONS[turn]:
            yield index, f"it is {POSITIONS[turn]}'s turn"
        elif kind == "check" and not limped:
            yield index, "there is a bet to call: check is for the big blind after a limp"
        elif kind in ("call", "fold") and limped:
            yield index, f"there is nothing to {kind}; x checks"
        elif kind in ("raise", "allin") and is_all_in:
            yield index, "the other player is all-in; f folds, c calls"
        elif action.amount is not None and action.amount <= bet:
            yield index, f"a raise must be to more than {bet:g}"
        ends = kind in ("fold", "check") or (kind == "call" and index > 0)
        turn = NONE if ends else 1 - turn
        bet, is_all_in = action.amount or bet, is_all_in or kind == "allin"
