"""The explorer of a solved spot as a state machine: text in, text out."""

import re

from rich.text import Text

from poker_solver.cards import (
    COMBO_CLASS,
    combo_from_string,
    combo_to_string,
    parse_classes,
    parse_hand,
)
from poker_solver.cli.pages import postflop as pages
from poker_solver.cli.pages.explorer import Reply
from poker_solver.cli.pages.preflop import paragraph, render_help
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.postflop import PostflopView, node_view, runouts
from poker_solver.trees.betting import is_card

_WORDS = {
    "check": "x", "call": "c", "fold": "f",
    "all-in": "a", "allin": "a", "shove": "a", "jam": "a", "push": "a",
}  # fmt: skip
_ACTION = re.compile(r"[xcfa]|[br]\d+")
_SPELLED = re.compile(r"\b(b)et\s*(\d+)|\b(r)aise\s*(?:to\s*)?(\d+)", re.IGNORECASE)
LOOKS: dict[str, pages.Look] = {
    "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
}  # fmt: skip
_COMMANDS = (
    "back", "draws", "equity", "ev", "help", "ip", "made", "oop", "opponent", "quit", "runouts",
    "start", "strategy",
)  # fmt: skip


class PostflopSession:
    """A walk through a solved spot; every input gets a reply, and a wrong one changes nothing.

    Args:
        solution: the solved spot.
        line: where to start.
        width: columns of the terminal.
        color: whether it shows colour.
    """

    def __init__(
        self, solution: Solution, line: str = "", *, width: int = 80, color: bool = True
    ) -> None:
        self.solution = solution
        self.width = width
        self.color = color
        self.look: pages.Look = "strategy"
        self.view: PostflopView = node_view(solution, line)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        return f"{self.view.player or self.view.kind}> "

    def page(self) -> Text:
        """The node we are at, in full."""
        return pages.render_page(self.view, look=self.look, width=self.width, color=self.color)

    def completions(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so, for the Tab key."""
        words = [*self.view.actions, *_COMMANDS]
        return [word for word in words if word.startswith(begun.lower())]

    def handle(self, text: str) -> Reply:
        """Do what was typed, or say why not."""
        try:
            return self._do(_SPELLED.sub(r"\1\2\3\4", text).split())
        except PokerSolverError as error:
            return Reply(paragraph(" ".join(str(error).split()), self.width, "bold"))

    def _do(self, words: list[str]) -> Reply:
        first = words[0].lower() if words else "show"
        if first in ("q", "quit", "exit"):
            return Reply(Text(), done=True)
        if first in ("?", "h", "help"):
            return Reply(render_help(self.width, pages.HELP))
        if first in ("start", "root"):
            return self._go([], words[1:])
        if _is_token(first, words[0] if words else ""):
            return self._go(self.view.line.split(), words)
        if len(words) > 1:
            raise InputError(f"{' '.join(words)!r} is not understood; ? shows what can be typed")
        if first in LOOKS:
            self.look = LOOKS[first]
            return Reply(self.page())
        if first in ("b", "back", "u", "undo"):
            return self._back()
        return Reply(self.page()) if first == "show" else self._show(first, words[0])

    def _go(self, line: list[str], tokens: list[str]) -> Reply:
        played = [*line, *(_token(word) for word in tokens)]
        self.view = node_view(self.solution, played)
        return Reply(self.page())

    def _back(self) -> Reply:
        line = self.view.line.split()
        if not line:
            raise InputError("this is the first decision, there is nothing to go back to")
        return self._go(line[:-1], [])

    def _show(self, word: str, typed: str) -> Reply:
        view, size = self.view, self.width
        if word in ("runouts", "r"):
            return Reply(pages.render_runouts(runouts(self.solution, view.line), width=size))
        if word in ("oop", "ip", "o", "opp", "opponent"):
            return self._range(word)
        if not view.player:
            raise InputError(f"{typed!r}: nobody acts here; b goes back")
        if word in ("made", "m"):
            return Reply(pages.render_groups(view, view.made, "made hand", width=size))
        if word in ("draws", "draw", "d"):
            return Reply(pages.render_groups(view, view.draws, "draw", width=size))
        return self._hand(typed)

    def _range(self, word: str) -> Reply:
        if word in ("oop", "ip"):
            player = ("oop", "ip").index(word)
        elif self.view.player:
            player = 1 if self.view.player == "OOP" else 0
        else:
            raise InputError("nobody acts here; oop and ip show that player's range")
        page = pages.render_range_page(self.view, player, width=self.width, color=self.color)
        return Reply(page)

    def _hand(self, typed: str) -> Reply:
        try:
            classes, cards = parse_classes(typed), parse_hand(typed)[2]
        except InputError:
            raise InputError(
                f"{typed!r} is neither an action (x, b94), nor a card (7d), nor a hand (AKs, "
                "AhKh), nor a command (b, ev, made); ? shows all"
            ) from None
        if cards is None:
            found = [c for index in classes for c in self.view.combos if _class_of(c.name) == index]
            if not found:
                raise InputError(f"{typed} is not in {self.view.player}'s range here")
            return Reply(pages.render_combos(self.view, found, width=self.width))
        wanted = combo_to_string(combo_from_string("".join(r + s for r, s in cards)))
        for combo in self.view.combos:
            if combo.name == wanted:
                return Reply(pages.render_combo(self.view, combo, width=self.width))
        raise InputError(f"{wanted} is not in {self.view.player}'s range here")


def _class_of(name: str) -> int:
    return int(COMBO_CLASS[combo_from_string(name)])


def _is_token(lower: str, typed: str) -> bool:
    return lower in _WORDS or _ACTION.fullmatch(lower) is not None or is_card(typed)


def _token(word: str) -> str:
    """An action or a card as a line has it."""
    lower = word.lower()
    if is_card(word) and not _ACTION.fullmatch(lower):
        return word[0].upper() + word[1].lower()
    return _WORDS.get(lower, lower)
