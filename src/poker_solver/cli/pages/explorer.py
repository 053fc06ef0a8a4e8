"""The explorer as a state machine: text in, text out; it neither reads keys nor prints.

`parse_user_input` says what was typed, whatever the game. `InteractiveSession` knows where we are
and what is legal. `prompt.run` connects it with a terminal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal, Protocol

from rich.text import Text

from poker_solver.cards import RANKS, parse_classes, parse_hand
from poker_solver.cli.pages.preflop import (
    paragraph,
    render_hand,
    render_help,
    render_page,
    render_range_page,
)
from poker_solver.errors import InputError, LineError, PokerSolverError
from poker_solver.games.betting import POSITIONS, SB
from poker_solver.games.notation import ParsedSequence, parse_action_sequence
from poker_solver.query import NodeView, RangeView, View
from poker_solver.query.removal import combos_left

Command = Literal["back", "start", "show", "opponent", "sb", "bb", "drop", "help", "quit"]

COMMANDS: dict[str, Command] = {
    "b": "back", "back": "back", "u": "back", "undo": "back",
    "start": "start", "root": "start",
    "": "show", "show": "show",
    "o": "opponent", "opp": "opponent", "opponent": "opponent",
    "sb": "sb", "bb": "bb",
    "-": "drop", "drop": "drop",
    "?": "help", "h": "help", "help": "help",
    "q": "quit", "quit": "quit", "exit": "quit",
}  # fmt: skip

_WORDS = {
    "f": "f", "fold": "f",
    "c": "c", "call": "c",
    "x": "x", "check": "x",
    "a": "a", "all-in": "a", "all in": "a", "allin": "a", "all": "a",
    "shove": "a", "jam": "a", "push": "a",
}  # fmt: skip
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_ACTION = re.compile(
    rf"(?:r|raise)\s*(?:to\s*)?(?P<amount>\d+(?:\.\d*)?|\.\d+)(?:\s*bb)?|(?P<word>{_WORD})"
)
_NUMBER = re.compile(r"\d+(\.\d*)?")
_POSITIONAL = re.compile(r"(\d+(\.\d+)?bb|sb\S|bb\S)")


@dataclass(frozen=True)
class Play:
    """Go on from here with these actions, in the tokens of a history.

    With a position (`BBr8`), only if it is that player's turn.
    """

    actions: tuple[str, ...]
    position: str = ""


@dataclass(frozen=True)
class Jump:
    """Go to a line from the start, at another stack if it leads with one."""

    line: ParsedSequence


@dataclass(frozen=True)
class Look:
    """Look at hand classes, or at one combo of one."""

    classes: tuple[int, ...]
    combo: str = ""


def parse_user_input(text: str) -> Play | Jump | Look | Command:
    """What was typed; an `InputError` says what could have been."""
    typed = " ".join(text.replace(",", " ").split())
    lower = typed.lower()
    if lower in COMMANDS:
        return COMMANDS[lower]
    if actions := _read_actions(lower):
        return Play(actions)
    if _POSITIONAL.match(lower):
        if " " not in lower and (actions := _read_actions(lower[2:])):
            return Play(actions, typed[:2].upper())
        return Jump(parse_action_sequence(typed))
    if typed[0].upper() in RANKS and len(typed) in (2, 3, 4) and "." not in typed:
        return _read_hand(typed)
    raise InputError(f"{typed!r} is {_not_understood(lower)}; ? shows what can be typed")


def _read_actions(lower: str) -> tuple[str, ...]:
    """The tokens if all of the text is actions, else nothing."""
    tokens, place = [], 0
    while place < len(lower):
        match = _ACTION.match(lower, place)
        if match is None or (match.end() < len(lower) and lower[match.end()] != " "):
            return ()
        tokens.append(_WORDS[match["word"]] if match["word"] else f"r{float(match['amount']):g}")
        place = match.end() + 1
    return tuple(tokens)


def _read_hand(typed: str) -> Look:
    try:
        classes, cards = parse_classes(typed), parse_hand(typed)[2]
    except InputError:
        lower = typed.lower()
        if _NUMBER.fullmatch(typed) or _meant(lower):
            raise InputError(f"{typed!r} is {_not_understood(lower)}") from None
        raise
    return Look(classes, "".join(rank + suit for rank, suit in cards or ()))


def _not_understood(lower: str) -> str:
    if lower in ("r", "raise", "bet"):
        return "a raise to how much? as in r20"
    if _NUMBER.fullmatch(lower):
        return f"a number; r{lower} raises to {lower} bb, {lower}bb solves at that stack"
    if meant := _meant(lower):
        return f"not understood, did you mean {meant}?"
    return "neither an action (c, r20, a), nor a hand (AKo, AcKh), nor a command (b, o, q)"


def _meant(lower: str) -> str:
    """The word that was probably mistyped, if any."""
    words = [word for word in (*COMMANDS, *_WORDS) if len(word) > 2]
    return next(iter(get_close_matches(lower, words, n=1, cutoff=0.74)), "")


class Source(Protocol):
    """Where the nodes come from: one solved game."""

    def view(self, history: Sequence[str]) -> View:
        """The node a legal history leads to."""

    def resolve(self, line: ParsedSequence) -> tuple[str, ...]:
        """The history of a line at the stack it names; an error says what is not legal in it."""

    def at_stack(self, stack_bb: float) -> "Source":
        """The same game at a depth, this one or another; solved, unless it was before."""


@dataclass(frozen=True)
class Reply:
    """What to show for one input, and whether it was the last."""

    text: Text
    done: bool = False


@dataclass(frozen=True)
class _Held:
    """The combo a player holds, as far as he told us."""

    player: str
    combo: str


class InteractiveSession:
    """A walk through a solution; every input gets a reply, and a wrong one changes nothing.

    Args:
        source: the solved game.
        history: where to start.
        width: columns of the terminal.
        color: whether it shows colour.
    """

    def __init__(
        self, source: Source, history: Sequence[str] = (), *, width: int = 80, color: bool = True
    ) -> None:
        self.source = source
        self.width = width
        self.color = color
        self._held: _Held | None = None
        self._go_to(source, tuple(history))

    @property
    def view(self) -> View:
        """Where we are, less the combos that a known hand makes impossible."""
        if isinstance(self._view, NodeView):
            return self._seen(self._view)
        end, held = self._view, self._held
        if held is None:
            return end
        big, small = (self._removed(shown) for shown in end.ranges)
        known = end.holding(POSITIONS.index(held.player), parse_hand(held.combo)[0])
        return replace(known, ranges=(big, small))

    def _seen(self, view: NodeView) -> NodeView:
        held = self._held
        if held is None or held.player == view.player:
            return replace(view, opponent=self._removed(view.opponent))
        left = combos_left(held.combo)
        hands = tuple(replace(h, combos=n) for h, n in zip(view.hands, left, strict=True))
        return replace(view, hands=hands, blocked_by=held.combo)

    def _removed(self, shown: RangeView) -> RangeView:
        if self._held is None or self._held.player == shown.player:
            return shown
        pairs = zip(shown.hands, combos_left(self._held.combo), strict=True)
        hands = tuple(replace(hand, combos=n) for hand, n in pairs)
        return replace(shown, hands=hands, blocked_by=self._held.combo)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        who = self._view.player if isinstance(self._view, NodeView) else "end"
        holds = f" [{self._held.player} holds {self._held.combo}]" if self._held else ""
        return f"{who}{holds}> "

    def page(self) -> Text:
        """The node we are at, in full."""
        text = render_page(self.view, width=self.width, color=self.color)
        if isinstance(self._view, NodeView):
            return text
        hint = "b goes back; sb and bb show who gets here with what."
        return text.append_text(paragraph(hint, self.width, "dim"))

    def completions(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so, for the Tab key."""
        actions = self._view.actions if isinstance(self._view, NodeView) else ()
        words = [*actions, *(word for word in COMMANDS if len(word) > 1 and word.isalpha())]
        return [word for word in words if word.startswith(begun.lower())]

    def handle(self, text: str) -> Reply:
        """Do what was typed, or say why not."""
        try:
            return self._do(parse_user_input(text))
        except PokerSolverError as error:
            return Reply(paragraph(" ".join(str(error).split()), self.width, "bold"))

    def _do(self, wanted: Play | Jump | Look | Command) -> Reply:
        if isinstance(wanted, Play):
            return self._play(self._start_of(wanted), wanted.actions)
        if isinstance(wanted, Jump):
            return self._jump(wanted.line)
        if isinstance(wanted, Look):
            return self._look(wanted)
        if wanted == "quit":
            return Reply(Text(), done=True)
        if wanted == "help":
            return Reply(render_help(self.width))
        if wanted in ("opponent", "sb", "bb"):
            return self._show_range(wanted)
        if wanted == "back":
            if not self._view.history:
                raise InputError("this is the first decision, there is nothing to go back to")
            self._go_to(self.source, self._view.history[:-1])
        elif wanted == "start":
            self._go_to(self.source, ())
        elif wanted == "drop":
            self._held = None
        return Reply(self.page())

    def _go_to(self, source: Source, history: tuple[str, ...]) -> None:
        self._view = source.view(history)
        self.source = source

    def _start_of(self, wanted: Play) -> View:
        """Where to play from: here; `SB...` out of turn is the line from the first decision."""
        here = self._view.player if isinstance(self._view, NodeView) else "nobody"
        if wanted.position in ("", here):
            return self._view
        if wanted.position == "SB":
            return self.source.view(())
        raise LineError(f"it is {here}'s turn here, not {wanted.position}'s")

    def _play(self, start: View, actions: tuple[str, ...]) -> Reply:
        view = start
        for number, action in enumerate(actions):
            token = self._legal(view, action)
            if token is None:
                after = f"after {view.line}: " if number else ""
                raise LineError(after + _refusal(view, action))
            view = self.source.view((*view.history, token))
        self._view = view
        return Reply(self.page())

    @staticmethod
    def _legal(view: View, action: str) -> str | None:
        """The action as the node calls it; a raise to the stack or more is the all-in."""
        if not isinstance(view, NodeView):
            return None
        if action[0] == "r" and float(action[1:]) >= view.facts.all_in_bb:
            action = "a"
        return action if action in view.actions else None

    def _jump(self, line: ParsedSequence) -> Reply:
        history, source = self.source.resolve(line), self.source
        if line.stack is not None:
            source = source.at_stack(line.stack)
        self._go_to(source, history)
        return Reply(self.page())

    def _look(self, hand: Look) -> Reply:
        view = self._view
        if not isinstance(view, NodeView):
            raise InputError("nobody is to act here; b goes back to where somebody is")
        if hand.combo:
            self._held = _Held(view.player, hand.combo)
        hands = [self._seen(view).hands[index] for index in hand.classes]
        pages = [render_hand(view, h, combo=hand.combo, width=self.width) for h in hands]
        return Reply(Text("\n").join(pages))

    def _show_range(self, whose: Literal["opponent", "sb", "bb"]) -> Reply:
        view = self.view
        if isinstance(view, NodeView):
            by_player = {view.player: view.own, view.opponent.player: view.opponent}
            opponent = view.opponent.player
        else:
            by_player = {held.player: held for held in view.ranges}
            opponent = view.ranges[SB - len(view.history) % 2].player  # who did not act last
        held = by_player[opponent if whose == "opponent" else whose.upper()]
        return Reply(render_range_page(view, held, width=self.width, color=self.color))


def _refusal(view: View, action: str) -> str:
    """Why an action cannot be played here, and what can."""
    if not isinstance(view, NodeView):
        return "the betting is over here; b goes back"
    may = f"{view.player} may play {', '.join(view.actions)}"
    if action == "c" and "x" in view.actions:
        return f"there is nothing to call, x checks; {may}"
    if action == "f" and "f" not in view.actions:
        return f"there is nothing to fold to, x checks; {may}"
    if action == "x":
        return f"there is a bet to call, c calls; {may}"
    sizes = [token for token in view.actions if token[0] == "r"]
    if action[0] == "r" and sizes:
        nearest = min(sizes, key=lambda token: abs(float(token[1:]) - float(action[1:])))
        return f"{action} is not a size of this game here, the nearest is {nearest}; {may}"
    return f"{action} is not legal here; {may}"
