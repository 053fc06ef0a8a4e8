"""A walk through a solved game as a state machine: text in, what to show out.

A game (`explore.preflop`, `explore.postflop`) says what its words mean and where they lead;
`Session` knows where we are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poker_solver.cards import combo_from_string, combo_to_string
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.explore import LOOKS
from poker_solver.explore.input import Grammar, Look, Play
from poker_solver.games.betting import PLAYERS, POSITIONS
from poker_solver.games.notation import ParsedSequence
from poker_solver.query.groups import by_kind, class_of
from poker_solver.query.node import HandView, NodeView, PlayerView
from poker_solver.query.runouts import Runout

_GROUPS = {"made": "made hand", "draws": "draw"}


@dataclass(frozen=True)
class ShowNode:
    """The node we are at, in full."""

    view: NodeView
    look: str  # one of LOOKS


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
class ShowTexts:
    """What can be pasted elsewhere, by name."""

    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ShowHelp:
    """What can be typed."""

    game: str  # preflop, postflop or full game


@dataclass(frozen=True)
class Say:
    """Why something was not done, or that it was."""

    text: str


Shown = ShowNode | ShowHands | ShowRange | ShowGroups | ShowRunouts | ShowTexts | ShowHelp | Say


class Explored:
    """A solved game: what its words mean, and where they lead."""

    name: str
    grammar: Grammar

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a history leads to."""
        raise NotImplementedError

    def read(self, text: str) -> Play | Look | str | ParsedSequence:
        """What was typed: a step, hands, a command, or where to jump to."""
        return self.grammar.read(text)

    def play(self, start: NodeView, tokens: Sequence[str]) -> NodeView:
        """Where these tokens lead from a node; an error says what is not legal."""
        return self.view((*start.history, *tokens))

    def jump(self, line: ParsedSequence) -> "tuple[Explored, NodeView]":
        """Where a line from the start leads, in this game or another."""
        raise NotImplementedError

    def runouts(self, line: str) -> tuple[Runout, ...]:
        """Every card that can fall after a line."""
        raise NotImplementedError

    def own_command(self, command: str, view: NodeView) -> Shown | NodeView | None:
        """What a command shows that only this game has, or how we stand after it; None if none."""
        return None


class Session:
    """A walk; every input gets something to show, and a wrong one changes nothing."""

    def __init__(self, game: Explored, history: Sequence[str] = ()) -> None:
        self.game = game
        self.look = LOOKS[0]
        self._held: tuple[int, str] | None = None  # a seat and its combo, as far as we were told
        self._view = game.view(history)

    @property
    def view(self) -> NodeView:
        """Where we are, less the combos that a hand known before the flop makes impossible."""
        if self._held is None or self._view.board:
            return self._view
        return self._view.holding(*self._held)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        view, holds = self._view, ""
        if self._held is not None and not view.board:
            seat, combo = self._held
            holds = f" [{view.players[seat].name} holds {combo}]"
        waits = view.board or (view.kind == "flop" and view.facts.full_game)
        return f"{view.player or (view.kind if waits else 'end')}{holds}> "

    @property
    def here(self) -> ShowNode:
        """The node we are at, in full."""
        return ShowNode(self.view, self.look)

    def completions(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so, for the Tab key."""
        words = [word for word in self.game.grammar.commands if len(word) > 1 and word.isalpha()]
        return [w for w in (*self._view.actions, *words) if w.startswith(begun.lower())]

    def answer(self, text: str) -> Shown | None:
        """Do what was typed, or say why not; None if that was all."""
        try:
            return self._do(self.game.read(" ".join(text.replace(",", " ").split())))
        except PokerSolverError as error:
            return Say(" ".join(str(error).split()))

    def _do(self, wanted: Play | Look | str | ParsedSequence) -> Shown | None:
        if isinstance(wanted, Look):
            return self._hands(wanted)
        if isinstance(wanted, str):
            return self._command(wanted)
        if isinstance(wanted, ParsedSequence):
            self.game, self._view = self.game.jump(wanted)
        else:
            self._view = self.game.play(self._start_of(wanted), wanted.tokens)
        return self.here

    def _command(self, name: str) -> Shown | None:
        view = self.view
        if name == "quit":
            return None
        found = self.game.own_command(name, self._view)
        if isinstance(found, NodeView):
            self._view = found
            return self.here
        if found is not None:
            return found
        if name == "help":
            return ShowHelp(self.game.name)
        if name == "runouts":
            return ShowRunouts(view, self.game.runouts(view.line))
        if name in _GROUPS:
            title = _GROUPS[name]
            if view.actor is None:
                raise InputError(f"nobody acts here, so nobody has a {title}; b goes back")
            return ShowGroups(view, title, by_kind(view, title))
        if name == "opponent":
            return ShowRange(view, _waiting(view))
        for seat, player in enumerate(view.players):
            if name in (POSITIONS[seat].lower(), PLAYERS[seat]):
                return ShowRange(view, player)
        if name == "back":
            if not view.history:
                raise InputError("this is the first decision, there is nothing to go back to")
            self._view = self.game.view(view.history[:-1])
        elif name == "start":
            self._view = self.game.view(())
        elif name == "drop":
            self._held = None
        elif name in LOOKS:
            self.look = name
        return self.here

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
                self._held = view.actor, look.combo
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


def _waiting(view: NodeView) -> PlayerView:
    """The opponent of who acts; before the flop also of who acted last."""
    if view.actor is not None:
        return view.opponent
    if view.board:
        raise InputError("nobody acts here; oop and ip show that player's range")
    name = "BB" if len(view.history) % 2 else "SB"
    return next(player for player in view.players if player.name == name)
