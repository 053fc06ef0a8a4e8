"""A walk through a solved game as a state machine: text in, what to show out.

It neither reads keys nor draws. A game (`explore.preflop`, `explore.postflop`) says what its words
mean and where they lead; `Session` knows where we are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from poker_solver.cards import combo_from_string, combo_to_string
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.explore.input import Command, Look, Play
from poker_solver.explore.looks import LOOKS, MatrixLook
from poker_solver.query import HandView, NodeView, PlayerView
from poker_solver.query.groups import class_of
from poker_solver.query.postflop import Runout


@dataclass(frozen=True)
class ShowNode:
    """The node we are at, in full."""

    view: NodeView
    look: MatrixLook = MatrixLook.STRATEGY


@dataclass(frozen=True)
class ShowHands:
    """Classes before the flop, combos after it; one combo where that was asked for."""

    view: NodeView
    hands: tuple[HandView, ...]
    combo: str = ""


@dataclass(frozen=True)
class ShowRange:
    """What a player holds."""

    view: NodeView
    player: PlayerView


@dataclass(frozen=True)
class ShowGroups:
    """Hands of the player to act by what they have or draw to."""

    view: NodeView
    title: str
    groups: tuple[HandView, ...]


@dataclass(frozen=True)
class ShowRunouts:
    """Every card that can fall."""

    view: NodeView
    rows: tuple[Runout, ...]


@dataclass(frozen=True)
class ShowHelp:
    """What can be typed."""

    game: str  # preflop or postflop


@dataclass(frozen=True)
class Say:
    """Why something was not done."""

    text: str


@dataclass(frozen=True)
class Leave:
    """That was all."""


Shown = ShowNode | ShowHands | ShowRange | ShowGroups | ShowRunouts | ShowHelp | Say | Leave


class Explored(Protocol):
    """One solved game, or one game solved at several stacks."""

    name: str
    commands: Mapping[str, str]
    pages: Mapping[str, Callable[[NodeView], Shown]]  # what only this game can show, by command

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a history leads to."""

    def read(self, text: str) -> "Play | Look | Command | Jump":
        """What was typed."""

    def play(self, start: NodeView, tokens: Sequence[str]) -> NodeView:
        """Where these tokens lead from a node; an error says what is not legal."""

    def waiting(self, view: NodeView) -> PlayerView:
        """The opponent of who acts, or acted last."""


@dataclass(frozen=True)
class Jump:
    """Go somewhere that only the game knows how to get to."""

    go: Callable[[], NodeView]


@dataclass(frozen=True)
class _Held:
    """The combo a player holds, as far as he told us."""

    seat: int
    combo: str


class Session:
    """A walk; every input gets something to show, and a wrong one changes nothing."""

    def __init__(self, game: Explored, history: Sequence[str] = ()) -> None:
        self.game = game
        self.look = MatrixLook.STRATEGY
        self._held: _Held | None = None
        self._view = game.view(history)

    @property
    def view(self) -> NodeView:
        """Where we are, less the combos that a known hand makes impossible."""
        if self._held is None:
            return self._view
        return self._view.holding(self._held.seat, self._held.combo)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        view, held = self._view, self._held
        who = view.player or (view.kind if view.board else "end")
        holds = f" [{view.players[held.seat].name} holds {held.combo}]" if held else ""
        return f"{who}{holds}> "

    def page(self) -> ShowNode:
        """The node we are at, in full."""
        return ShowNode(self.view, self.look)

    def completions(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so, for the Tab key."""
        words = [word for word in self.game.commands if len(word) > 1 and word.isalpha()]
        return [w for w in (*self._view.actions, *words) if w.startswith(begun.lower())]

    def handle(self, text: str) -> Shown:
        """Do what was typed, or say why not."""
        try:
            return self._do(self.game.read(" ".join(text.replace(",", " ").split())))
        except PokerSolverError as error:
            return Say(" ".join(str(error).split()))

    def _do(self, wanted: Play | Look | Command | Jump) -> Shown:
        if isinstance(wanted, Look):
            return self._hands(wanted)
        if isinstance(wanted, Command):
            return self._command(wanted.name)
        if isinstance(wanted, Jump):
            self._view = wanted.go()
        else:
            self._view = self.game.play(self._start_of(wanted), wanted.tokens)
        return self.page()

    def _command(self, name: str) -> Shown:
        if name == "quit":
            return Leave()
        if name == "help":
            return ShowHelp(self.game.name)
        if name in self.game.pages:
            return self.game.pages[name](self.view)
        if name == "opponent":
            return ShowRange(self.view, self.game.waiting(self.view))
        for player in self.view.players:
            if name == player.name.lower():
                return ShowRange(self.view, player)
        if name == "back":
            if not self._view.history:
                raise InputError("this is the first decision, there is nothing to go back to")
            self._view = self.game.view(self._view.history[:-1])
        elif name == "start":
            self._view = self.game.view(())
        elif name == "drop":
            self._held = None
        self.look = LOOKS.get(name, self.look)
        return self.page()

    def _start_of(self, wanted: Play) -> NodeView:
        """Where to play from: here; `SB...` out of turn is the line from the first decision."""
        if wanted.from_start:
            return self.game.view(())
        if wanted.position in ("", self._view.player):
            return self._view
        if wanted.position == "SB":
            return self.game.view(())
        who = self._view.player or "nobody"
        raise InputError(f"it is {who}'s turn here, not {wanted.position}'s")

    def _hands(self, look: Look) -> Shown:
        view = self._view
        if view.actor is None:
            raise InputError("nobody is to act here; b goes back to where somebody is")
        if not view.board:
            if look.combo:
                self._held = _Held(view.actor, look.combo)
            hands = tuple(self.view.hands[index] for index in look.classes)
            return ShowHands(view, hands, look.combo)
        combo = look.combo and combo_to_string(combo_from_string(look.combo))
        found = tuple(
            hand
            for index in look.classes
            for hand in view.combos
            if (hand.name == combo if combo else class_of(hand.name) == index)
        )
        if not found:
            raise InputError(f"{look.typed} is not in {view.player}'s range here")
        return ShowHands(view, found, look.combo)
