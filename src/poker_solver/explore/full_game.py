"""The words of the explorer of a full game: those before the flop, a flop, those after it."""

import re
from collections.abc import Sequence

from poker_solver.cards import (
    cards_from_string,
    cards_to_string,
)
from poker_solver.config.lines.text import tokens_of
from poker_solver.errors import InputError
from poker_solver.explore.input import COMMANDS, Grammar, Look, Play
from poker_solver.explore.preflop import is_positional
from poker_solver.explore.session import Explored
from poker_solver.explore.shown import Shown, ShowTexts
from poker_solver.fullgame.lines import FLOP
from poker_solver.fullgame.shipped import is_shipped, shipped_at
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.notation import ParsedSequence, parse_action_sequence
from poker_solver.query.node import NodeView
from poker_solver.query.ranges import range_text
from poker_solver.query.runouts import ANY_CARD, CardReport, runouts
from poker_solver.query.view import node_view

_SB = re.compile(r"(?:sb|btn|bu)\s*", re.IGNORECASE)
_START = re.compile(r"(start|root)\b", re.IGNORECASE)
_STACK = re.compile(r"\d+(\.\d+)?\s*bb\b", re.IGNORECASE)


class ExploredGame(Explored):
    """A full game: any line, flop, turn and river."""

    name = "full game"
    solution: UnifiedSolution
    grammar = Grammar(
        {
            **COMMANDS,
            "sb": "sb", "btn": "sb", "bb": "bb", "oop": "oop", "ip": "ip",
            "-": "drop", "drop": "drop",
            "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
            "made": "made", "m": "made", "draws": "draws", "draw": "draws", "d": "draws",
            "runouts": "runouts", "map": "map", "has": "has", "ranges": "ranges", "solve": "solve",
        },
        "",
        "an action (c, r2.5, x, b94), nor a flop (QsJh2h) or card (7d), nor a hand (AKs, AhKh), "
        "nor a command (b, ev, ranges)",
    )  # fmt: skip

    def __init__(self, solution: UnifiedSolution) -> None:
        self.solution = solution

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a line leads to; what it needs is solved first."""
        return node_view(self.solution, tuple(history))

    def read(self, text: str) -> Play | Look | str | ParsedSequence:
        """What was typed."""
        if _STACK.match(text) and "|" not in text:
            return parse_action_sequence(text)
        if text.lower() in self.grammar.commands:
            return self.grammar.read(text)
        if "|" in text or (
            _SB.match(text) and is_positional(text) and " " in _SB.sub("", text, 1).strip()
        ):
            return Play(self.solution.locate(text).tokens, from_start=True)
        if flop := FLOP.search(text):
            start = _START.match(text)
            before = tokens_of(text[start.end() if start else 0 : flop.start()])
            cards = cards_to_string(cards_from_string("".join(flop.groups())))
            after = tokens_of(text[flop.end() :])
            return Play((*before, cards, *after), from_start=start is not None)
        return self.grammar.read(text)

    def jump(self, line: ParsedSequence) -> tuple[Explored, NodeView]:
        """The node of a line; from a game that comes solved, in the one of the stack it names."""
        config, game = self.solution.config, self
        if line.stack not in (None, config.stack_bb) and is_shipped(config):
            game = ExploredGame(UnifiedSolution.load(shipped_at(line.stack)))
            game.solution.after_flop.options = self.solution.after_flop.options
        return game, game.view(game.solution.preflop.history(line))

    def runouts(self, line: str) -> CardReport:
        """Every card that can fall at the star of a line, or at its end."""
        before, star, after = line.partition(ANY_CARD)
        solution, at = self.solution, self.solution.locate(before)
        if not at.flop:
            raise InputError("no card falls here; runouts follow the end of a street")
        cards = cards_from_string(at.flop)
        point = solution.after_flop.point(solution.find_line(at.before), cards, at.after)
        if point.solved is None:
            raise InputError("the turns are not solved; pick one, as in 7d, or solve the flop")
        found = runouts(point.solved, f"{point.own_line} {star} {after}")
        return found.in_suits(point.suits)

    def own_command(self, command: str, view: NodeView) -> Shown | NodeView | None:
        """Both ranges as text, a spot to solve in a file, the flop solved here."""
        if command == "ranges":
            return ShowTexts(tuple((player.name, range_text(player)) for player in view.players))
        if command == "solve":
            at = self.solution.locate(view.history)
            if not at.flop:
                raise InputError("there is no flop yet to solve; name one, as in QsJh2h")
            line, flop = self.solution.find_line(at.before), cards_from_string(at.flop)
            self.solution.after_flop.solve_flop(line, flop)
            return self.view(view.history)
        return None
