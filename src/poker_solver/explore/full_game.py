"""The words of the explorer of a full game: those before the flop, a flop, those after it."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from poker_solver.cards import (
    COMBO_CLASS,
    NUM_COMBOS,
    RANKS,
    SUITS,
    cards_from_string,
    combo_from_string,
    format_range,
)
from poker_solver.errors import InputError
from poker_solver.explore.input import COMMANDS, Grammar, Look, Play, read_tokens
from poker_solver.explore.preflop import is_positional
from poker_solver.explore.session import Explored, Say, Shown, ShowTexts
from poker_solver.fullgame.shipped import is_shipped, shipped_at
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.notation import ParsedSequence, parse_action_sequence
from poker_solver.query.node import NodeView, PlayerView
from poker_solver.query.runouts import Runout, runouts
from poker_solver.query.view import node_view
from poker_solver.store.files import write_bytes

_CARD = rf"[{RANKS}][{SUITS}]"
_FLOP = re.compile(rf"(?<!\S)({_CARD}) ?({_CARD}) ?({_CARD})(?!\S)", re.IGNORECASE)
_START = re.compile(r"(start|root)\b", re.IGNORECASE)
_STACK = re.compile(r"\d+(\.\d+)?bb\b", re.IGNORECASE)


class ExploredGame(Explored):
    """A full game: any line, flop, turn and river."""

    name = "full game"
    grammar = Grammar(
        {
            **COMMANDS,
            "sb": "sb", "bb": "bb", "-": "drop", "drop": "drop", "oop": "oop", "ip": "ip",
            "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
            "made": "made", "m": "made", "draws": "draws", "draw": "draws", "d": "draws",
            "runouts": "runouts", "ranges": "ranges", "spot": "spot", "solve": "solve",
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
        if text.lower().startswith("spot "):
            return "spot " + text[5:].strip()
        if "|" in text or (is_positional(text) and " " in text):
            return Play(self.solution.locate(text).tokens, from_start=True)
        if is_positional(text) and (tokens := read_tokens(text[2:])):
            return Play(tokens, text[:2].upper())
        if flop := _FLOP.search(text):
            start = _START.match(text)
            before = read_tokens(text[start.end() if start else 0 : flop.start()].strip())
            after = read_tokens(text[flop.end() :].strip())
            cards = "".join(card[0].upper() + card[1].lower() for card in flop.groups())
            return Play((*before, cards, *after), from_start=start is not None)
        return self.grammar.read(text)

    def jump(self, line: ParsedSequence) -> tuple[Explored, NodeView]:
        """The node of a line; from a game that comes solved, in the one of the stack it names."""
        config, game = self.solution.config, self
        if line.stack not in (None, config.stack_bb) and is_shipped(config):
            game = ExploredGame(UnifiedSolution.load(shipped_at(line.stack)))
            game.solution.after_flop.options = self.solution.after_flop.options
        return game, game.view(game.solution.preflop.history(line))

    def runouts(self, line: str) -> tuple[Runout, ...]:
        """Every card that can fall after a line."""
        solution, at = self.solution, self.solution.locate(line)
        if not at.flop:
            raise InputError("no card falls here; runouts follow the end of a street")
        cards = cards_from_string(at.flop)
        point = solution.after_flop.point(solution.find_line(at.before), cards, at.after)
        if point.solved is None:
            raise InputError("the turns are not solved; pick one, as in 7d, or solve the flop")
        return runouts(point.solved, point.own_line)

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
        name, _, path = command.partition(" ")
        if name != "spot":
            return None
        if not path:
            raise InputError("spot writes to a file: give its name, as in spot flop.yaml")
        written = write_spot(self.solution, view.history, Path(path))
        return Say(f"wrote {path}: {written}")


def write_spot(solution: UnifiedSolution, line: str | Sequence[str], path: Path) -> str:
    """Write the flop of a line as a spot; what it is of."""
    at = solution.locate(line)
    if not at.flop:
        raise InputError("a spot wants a flop, as in 'SBr2.5 BBc | QsJh2h'")
    if path.suffix not in (".yaml", ".yml"):  # what was typed may name anything, a save too
        raise InputError(f"{path} must be a name that ends in .yaml or .yml")
    write_bytes(path, solution.spot(at.before, at.flop).to_yaml().encode())
    return str(at._replace(after=()))


def range_text(player: PlayerView) -> str:
    """What a player holds, to be pasted elsewhere; weights have three decimals."""
    weights = np.zeros(NUM_COMBOS)
    if player.combos:
        for hand in player.combos:
            weights[combo_from_string(hand.name)] = hand.reach
    else:
        reach = np.array([hand.reach if hand.num_dealt else 0.0 for hand in player.hands])
        weights = reach[COMBO_CLASS]
    return format_range(np.minimum(weights, 1.0).round(3))
