"""The words of the preflop explorer, and the game solved at one stack after another."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from poker_solver.config.preflop import Config
from poker_solver.errors import LineError
from poker_solver.explore.input import COMMANDS, Command, Grammar, Look, Play, read_tokens
from poker_solver.explore.session import Jump, Shown
from poker_solver.games.notation import (
    ParsedSequence,
    at_stack_of,
    parse_action_sequence,
    play_line,
)
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.query import NodeView, PlayerView, node_view

_POSITIONAL = re.compile(r"(\d+(\.\d+)?bb|sb\S|bb\S)", re.IGNORECASE)
_GRAMMAR = Grammar(
    {**COMMANDS, "sb": "sb", "bb": "bb", "-": "drop", "drop": "drop"},
    " bb",
    "an action (c, r20, a), nor a hand (AKo, AcKh), nor a command (b, o, q)",
)


class Source(Protocol):
    """Where the nodes come from: one solved game."""

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a legal history leads to."""

    def resolve(self, line: ParsedSequence) -> tuple[str, ...]:
        """The history of a line at the stack it names; an error says what is not legal in it."""

    def at_stack(self, stack_bb: float) -> "Source":
        """The same game at a depth, this one or another; solved, unless it was before."""


@dataclass(frozen=True)
class Solved:
    """A solved game, and how to solve it at other stacks."""

    solution: PreflopSolution
    solve: Callable[[Config], PreflopSolution]
    at_stacks: "dict[float, Solved]" = field(default_factory=dict)  # shared by all of them

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a legal history leads to."""
        return node_view(self.solution, tuple(history))

    def resolve(self, line: ParsedSequence) -> tuple[str, ...]:
        """The history of a line, at the stack it names."""
        return play_line(line, at_stack_of(line, self.solution.config)).history

    def at_stack(self, stack_bb: float) -> "Solved":
        """The same game at another depth, solved once; again if Ctrl-C ended it early."""
        self.at_stacks.setdefault(self.solution.config.stack_depth, self)
        known = self.at_stacks.get(stack_bb)
        if known is None or known.solution.stopped == "interrupted":
            config = self.solution.config.with_stack(stack_bb)
            self.at_stacks[stack_bb] = Solved(self.solve(config), self.solve, self.at_stacks)
        return self.at_stacks[stack_bb]


def parse_user_input(text: str) -> Play | Look | Command | ParsedSequence:
    """What was typed before the flop; an `InputError` says what could have been."""
    typed = " ".join(text.replace(",", " ").split())
    if not _POSITIONAL.match(typed):
        return _GRAMMAR.read(typed)
    if " " not in typed and (tokens := read_tokens(typed[2:])):
        return Play(tokens, typed[:2].upper())
    return parse_action_sequence(typed)


class ExploredPreflop:
    """Preflop hold'em at the stack we are at."""

    name = "preflop"
    commands = _GRAMMAR.commands
    pages: Mapping[str, Callable[[NodeView], Shown]] = {}

    def __init__(self, source: Source) -> None:
        self.source = source

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a legal history leads to."""
        return self.source.view(history)

    def read(self, text: str) -> Play | Look | Command | Jump:
        """What was typed."""
        wanted = parse_user_input(text)
        if isinstance(wanted, ParsedSequence):
            return Jump(lambda: self._jump(wanted))
        return wanted

    def _jump(self, line: ParsedSequence) -> NodeView:
        history, source = self.source.resolve(line), self.source
        if line.stack is not None:
            source = source.at_stack(line.stack)
        view, self.source = source.view(history), source
        return view

    def play(self, start: NodeView, tokens: Sequence[str]) -> NodeView:
        """Action by action; an error says why one cannot be played, and what can."""
        view = start
        for number, token in enumerate(tokens):
            legal = _legal(view, token)
            if legal is None:
                after = f"after {view.line}: " if number else ""
                raise LineError(after + _refusal(view, token))
            view = self.source.view((*view.history, legal))
        return view

    def waiting(self, view: NodeView) -> PlayerView:
        """The opponent of who acts, or acted last."""
        if view.actor is not None:
            return view.opponent
        name = "BB" if len(view.history) % 2 else "SB"
        return next(player for player in view.players if player.name == name)


def _legal(view: NodeView, token: str) -> str | None:
    """The action as the node calls it; a raise to the stack or more is the all-in."""
    if token[0] == "r" and float(token[1:]) >= view.facts.money(view.facts.all_in_chips):
        token = "a"
    return token if token in view.actions else None


def _refusal(view: NodeView, token: str) -> str:
    if view.actor is None:
        return "the betting is over here; b goes back"
    may = f"{view.player} may play {', '.join(view.actions)}"
    if token == "c" and "x" in view.actions:
        return f"there is nothing to call, x checks; {may}"
    if token == "f" and "f" not in view.actions:
        return f"there is nothing to fold to, x checks; {may}"
    if token == "x":
        return f"there is a bet to call, c calls; {may}"
    sizes = [action for action in view.actions if action[0] == "r"]
    if token[0] == "r" and sizes:
        nearest = min(sizes, key=lambda size: abs(float(size[1:]) - float(token[1:])))
        return f"{token} is not a size of this game here, the nearest is {nearest}; {may}"
    return f"{token} is not legal here; {may}"
