"""Lines of play as people write them; which sizes exist is the game's.

After the flop a line is its actions and cards by spaces, `x b94 c 7d x x As`. Before it a token
names a position, `SB` or `BB`, and an action, `50bb SBr2.5 BBr8 SBc`: `f` fold, `c` call, `x`
check, `r2.5` raise to 2.5 bb, `a` all-in; the words `fold`, `call`, `check`, `raise`, `allin` are
read too. A stack may lead. Letters may be upper or lower case.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from poker_solver.cards import RANKS, SUITS, card_from_string
from poker_solver.config.base import CHIPS_PER_BB, MOST_STACK_BB, bb_text
from poker_solver.errors import ConfigError, LineError
from poker_solver.games.betting import ALL_IN, NONE, POSITIONS, SB, BettingRules, Played

if TYPE_CHECKING:
    from poker_solver.config.preflop import Config, PreflopBetting

LETTERS = {"fold": "f", "call": "c", "check": "x", "raise": "r", "allin": ALL_IN}
"""`ParsedAction.action_type` -> the letter in a history."""

_WORDS = {**{word: word for word in LETTERS}, **{letter: word for word, letter in LETTERS.items()}}
_WORDS["all-in"] = "allin"
_STACK = re.compile(r"(\d+(?:\.\d+)?)bb")
_ACTION = re.compile(r"([a-z-]+?)(\d+(?:\.\d*)?|\.\d+)?(?:bb)?")


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
    tokens = text.replace(",", " ").split()
    stack = None
    if tokens and (match := _STACK.fullmatch(tokens[0].lower())):
        stack = float(match[1])
        if stack <= 0:
            raise LineError(f"token 1 {tokens[0]!r}: the stack must be positive")
    first = 0 if stack is None else 1
    actions = [_parse_token(i, tokens[i]) for i in range(first, len(tokens))]
    for index, wrong in _out_of_order(actions):
        raise LineError(f"token {index + first + 1} {tokens[index + first]!r}: {wrong}")
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


def is_card(token: str) -> bool:
    """A card, and not an action: `As`, not `a`."""
    return len(token) == 2 and token[0].upper() in RANKS and token[1].lower() in SUITS


def live_card(token: str, dead: Sequence[int]) -> int:
    """The card, refused if it is among the dead."""
    card = card_from_string(token)
    if card in dead:
        raise LineError(f"{token!r}: this card is already on the board")
    return card


def _parse_token(index: int, token: str) -> ParsedAction:
    place = f"token {index + 1} {token!r}"
    position = token[:2].upper()
    if _STACK.fullmatch(token.lower()):
        raise LineError(f"{place}: a stack may only lead the line")
    if position not in POSITIONS:
        raise LineError(f"{place}: starts with no position; want SB or BB, as in 'SBr2.5'")
    match = _ACTION.fullmatch(token[2:].lower())
    word = _WORDS.get(match[1]) if match else None
    if match is None or word is None:
        what = repr(token[2:]) if token[2:] else "nothing"
        raise LineError(f"{place}: {what} is no action; want f, c, x, a or r and an amount")
    if word != "raise":
        if match[2]:
            raise LineError(f"{place}: only a raise takes an amount")
        return ParsedAction(position, word)
    if not match[2]:
        raise LineError(f"{place}: raise to how much? as in '{position}r2.5'")
    amount = float(match[2])
    if amount > MOST_STACK_BB:
        raise LineError(f"{place}: nobody has more than {MOST_STACK_BB:,} bb")
    if abs(amount * CHIPS_PER_BB - round(amount * CHIPS_PER_BB)) > 1e-6:
        raise LineError(f"{place}: {match[2]} is finer than a hundredth of a bb")
    return ParsedAction(position, word, amount)


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
