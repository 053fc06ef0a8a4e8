"""The words of the explorer of a solved spot."""

from collections.abc import Sequence

from poker_solver.explore.input import COMMANDS, Grammar
from poker_solver.explore.session import Explored
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.node import NodeView
from poker_solver.query.runouts import Runout, runouts
from poker_solver.query.view import node_view


class ExploredSpot(Explored):
    """A solved spot."""

    name = "postflop"
    grammar = Grammar(
        {
            **COMMANDS,
            "oop": "oop", "ip": "ip",
            "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
            "made": "made", "m": "made", "draws": "draws", "draw": "draws", "d": "draws",
            "runouts": "runouts", "r": "runouts",
        },
        "",
        "an action (x, b94), nor a card (7d), nor a hand (AKs, AhKh), nor a command (b, ev, made)",
    )  # fmt: skip

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a line leads to."""
        return node_view(self.solution, history)

    def runouts(self, line: str) -> tuple[Runout, ...]:
        """Every card that can fall after a line."""
        return runouts(self.solution, line)
