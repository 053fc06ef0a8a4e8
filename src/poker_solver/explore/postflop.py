"""The words of the explorer of a solved spot."""

from collections.abc import Callable, Mapping, Sequence

from poker_solver.errors import InputError
from poker_solver.explore.input import COMMANDS, Command, Grammar, Look, Play
from poker_solver.explore.session import Jump, ShowGroups, Shown, ShowRunouts
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query import HandView, NodeView, PlayerView, node_view
from poker_solver.query.groups import by_draw, by_made_hand
from poker_solver.query.postflop import runouts

_GRAMMAR = Grammar(
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


class ExploredSpot:
    """A solved spot."""

    name = "postflop"
    commands = _GRAMMAR.commands

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.pages: Mapping[str, Callable[[NodeView], Shown]] = {
            "made": lambda view: _groups(view, "made hand", by_made_hand),
            "draws": lambda view: _groups(view, "draw", by_draw),
            "runouts": lambda view: ShowRunouts(view, runouts(solution, view.line)),
        }

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a line leads to."""
        return node_view(self.solution, history)

    def read(self, text: str) -> Play | Look | Command | Jump:
        """What was typed."""
        return _GRAMMAR.read(text)

    def play(self, start: NodeView, tokens: Sequence[str]) -> NodeView:
        """Where actions and cards lead from a node."""
        return self.view((*start.history, *tokens))

    def waiting(self, view: NodeView) -> PlayerView:
        """The opponent of who acts."""
        if view.actor is None:
            raise InputError("nobody acts here; oop and ip show that player's range")
        return view.opponent


def _groups(
    view: NodeView, title: str, grouped: Callable[[NodeView], tuple[HandView, ...]]
) -> ShowGroups:
    if view.actor is None:
        raise InputError(f"nobody acts here, so nobody has a {title}; b goes back")
    return ShowGroups(view, title, grouped(view))
