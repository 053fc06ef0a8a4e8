"""The words of the preflop explorer, and the game solved at one stack after another."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from poker_solver.config.lines.text import read_line
from poker_solver.config.preflop import Config
from poker_solver.errors import LineError
from poker_solver.explore.input import COMMANDS, Grammar, Look, Play
from poker_solver.explore.session import Explored
from poker_solver.games.notation import (
    ParsedSequence,
    at_stack_of,
    parse_action_sequence,
    play_line,
)
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.query.node import NodeView
from poker_solver.query.view import node_view

_POSITIONAL = re.compile(
    r"(?P<stack>\d+(\.\d+)?\s*bb\b)|(sb|bb|btn|bu)(?=\S)|(oop|ip|sb|bb|btn|bu)\s+(?P<spaced>\S)",
    re.IGNORECASE,
)
_GRAMMAR = Grammar(
    {**COMMANDS, "sb": "sb", "btn": "sb", "bb": "bb", "-": "drop", "drop": "drop"},
    " bb",
    "an action (c, r20, a), nor a hand (AKo, AcKh), nor a command (b, o, q)",
)


def is_positional(typed: str) -> bool:
    """Whether a stack or who acts comes first, as in `50bb`, `SBr2.5`, `BTN r2.5`."""
    match = _POSITIONAL.match(typed)
    if match is None or not match["spaced"]:
        return match is not None
    with suppress(LineError):
        return bool(read_line(typed))
    return False


def parse_user_input(text: str) -> Play | Look | str | ParsedSequence:
    """What was typed before the flop; an `InputError` says what could have been."""
    typed = " ".join(text.replace(",", " ").split())
    if typed.lower() in _GRAMMAR.commands or not is_positional(typed):
        return _GRAMMAR.read(typed)
    with suppress(LineError):
        if len(read_line(typed)) == 1:
            return _GRAMMAR.read(typed)
    return parse_action_sequence(typed)


class Solved(Explored):
    """A solved preflop game, and how to solve it at other stacks."""

    name = "preflop"
    solution: PreflopSolution
    grammar = _GRAMMAR

    def __init__(
        self,
        solution: PreflopSolution,
        solve: Callable[[Config], PreflopSolution],
        at_stacks: "dict[float, Solved] | None" = None,
    ) -> None:
        assert isinstance(solution.config, Config)
        self.solution, self.config, self.solve = solution, solution.config, solve
        self.at_stacks = {} if at_stacks is None else at_stacks  # shared by all of them
        self.at_stacks[self.config.stack_depth] = self

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a legal history leads to."""
        return node_view(self.solution, tuple(history))

    def at_stack(self, stack_bb: float) -> "Solved":
        """The same game at another depth, solved once; again if Ctrl-C ended it early."""
        known = self.at_stacks.get(stack_bb)
        if known is None or known.solution.stopped == "interrupted":
            return Solved(self.solve(self.config.with_stack(stack_bb)), self.solve, self.at_stacks)
        return known

    def read(self, text: str) -> Play | Look | str | ParsedSequence:
        """What was typed."""
        return parse_user_input(text)

    def jump(self, line: ParsedSequence) -> tuple[Explored, NodeView]:
        """The game at the stack that a line names, and the node it leads to."""
        history = play_line(line, at_stack_of(line, self.config).betting).history
        game = self if line.stack is None else self.at_stack(line.stack)
        return game, game.view(history)

    def play(self, start: NodeView, tokens: Sequence[str]) -> NodeView:
        """Action by action; an error says why one cannot be played, and what can."""
        view = start
        for number, token in enumerate(tokens):
            legal = _legal(view, token)
            if legal is None:
                after = f"after {view.line}: " if number else ""
                raise LineError(after + _refusal(view, token))
            view = self.view((*view.history, legal))
        return view


def _legal(view: NodeView, token: str) -> str | None:
    """The action as the node calls it; a raise to the stack or more is the all-in."""
    if _is_raise(token) and float(token[1:]) >= view.facts.money(view.facts.all_in_chips):
        token = "a"
    return token if token in view.actions else None


def _is_raise(token: str) -> bool:
    """To so many big blinds; shares of a pot are not known before the flop."""
    return token[0] == "r" and not token.endswith("%")


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
    if _is_raise(token) and sizes:
        nearest = min(sizes, key=lambda size: abs(float(size[1:]) - float(token[1:])))
        return f"{token} is not a size of this game here, the nearest is {nearest}; {may}"
    return f"{token} is not legal here; {may}"
