"""A walk through a solved game as a state machine: text in, what to show out.

A game (`explore.preflop`, `explore.postflop`) says what its words mean and where they lead;
`Session` knows where we are.
"""

from collections.abc import Sequence
from pathlib import Path

from poker_solver.cards import combo_from_string, combo_to_string
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.explore import LOOKS
from poker_solver.explore.answers import answer_ask, groups_of
from poker_solver.explore.asks import GROUPS, NEEDS, Ask, read_ask
from poker_solver.explore.input import Grammar, Look, Play, read_look
from poker_solver.explore.shown import (
    Say,
    ShowHands,
    ShowHelp,
    Shown,
    ShowNode,
    ShowRange,
    WriteNode,
)
from poker_solver.games.betting import PLAYERS, POSITIONS
from poker_solver.games.notation import ParsedSequence
from poker_solver.query.compare import Comparison
from poker_solver.query.exploit import ExploitView
from poker_solver.query.groups import class_of
from poker_solver.query.node import NodeView, PlayerView
from poker_solver.query.runouts import CardReport
from poker_solver.query.view import AnySolution
from poker_solver.store.files import file_size


class Explored:
    """A solved game: what its words mean, and where they lead."""

    name: str
    grammar: Grammar
    solution: AnySolution

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

    def runouts(self, line: str) -> CardReport:
        """Every card that can fall at the star of a line, or at its end."""
        raise InputError("no card falls before the flop")

    def compare(self, path: Path, view: NodeView) -> Comparison:
        """A node beside the same one of the solution in a file."""
        raise InputError("compare is for a solved spot; poker-solver compare takes any two saves")

    def exploit(self, player: str) -> ExploitView:
        """What the best response of `oop` or `ip` gains."""
        raise InputError("exploit answers a solved spot; here there is none")

    def relock(self, line: str, mix: str) -> "tuple[Explored, str]":
        """The game solved again with a lock at a line, or without those there; and how it went."""
        raise InputError("lock changes a solved spot; here there is none")

    def save(self, path: Path) -> str:
        """Write the solution; what to say of it."""
        self.solution.save(path)
        return f"wrote {path}, {file_size(path)}"

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
        self.shown: Shown | None = None
        """What was shown last, which is what `png` and `export` write."""

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
            ask = read_ask(" ".join(text.split()), self._view)
            if ask is not None:
                shown: Shown | None = self._asked(ask)
            else:
                shown = self._do(self.game.read(" ".join(text.replace(",", " ").split())))
        except PokerSolverError as error:
            return Say(" ".join(str(error).split()))
        if not isinstance(shown, Say | WriteNode):
            self.shown = shown
        return shown

    def _asked(self, ask: Ask) -> Shown:
        if ask.verb == "hands":
            return self._hands(read_look(ask.rest), ask.seat)
        if ask.verb == "lock":
            return self._relock(ask.rest)
        return answer_ask(ask, self.game, self.view, self.shown)

    def _relock(self, mix: str) -> Say:
        """Solve again with a lock here, or without one."""
        game, said = self.game.relock(self._view.line, mix)
        self.game, self._view = game, game.view(self._view.history)
        return Say(said)

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
        if name in ("runouts", "map"):
            return answer_ask(Ask(name), self.game, view, self.shown)
        if name == "unlock":
            return self._relock("")
        if name in NEEDS:
            raise InputError(f"{name} wants {NEEDS[name]}")
        if name in GROUPS:
            if view.actor is None:
                raise InputError("nobody acts here; say whose hands, as in oop made")
            return groups_of(view, view.actor, name)
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
        if not wanted.position or POSITIONS.index(wanted.position) == self._view.actor:
            return self._view
        if wanted.position == "SB" and not self._view.board:
            return self.game.view(())
        who = self._view.player or "nobody"
        other = self._view.players[POSITIONS.index(wanted.position)].name
        raise InputError(f"it is {who}'s turn here, not {other}'s")

    def _hands(self, look: Look, seat: int | None = None) -> Shown:
        """Of who acts, or of another player that was named."""
        view = self._view
        if seat is None and view.actor is None:
            raise InputError("nobody is to act here; b goes back to where somebody is")
        if not view.board:
            if seat not in (None, view.actor):
                raise InputError("before the flop, hands of who acts are shown; o shows the range")
            if look.combo and view.actor is not None:
                self._held = view.actor, look.combo
            hands = tuple(self.view.hands[index] for index in look.classes)
            return ShowHands(view, hands, look.combo)
        player = view.acting if seat is None else view.players[seat]
        combo = look.combo and combo_to_string(combo_from_string(look.combo))
        found = tuple(
            hand
            for index in look.classes
            for hand in player.combos
            if (hand.name == combo if combo else class_of(hand.name) == index)
        )
        if not found:
            raise InputError(f"{look.typed} is not in {player.name}'s range here")
        return ShowHands(view, found, look.combo)


def _waiting(view: NodeView) -> PlayerView:
    """The opponent of who acts; before the flop also of who acted last."""
    if view.actor is not None:
        return view.opponent
    if view.board:
        raise InputError("nobody acts here; oop and ip show that player's range")
    name = "BB" if len(view.history) % 2 else "SB"
    return next(player for player in view.players if player.name == name)
