"""Solutions that are open: the last few that were asked for, one request at a time in each."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from poker_solver.cfr.options import SolveOptions
from poker_solver.explore.opening import explored, read_solution
from poker_solver.explore.session import Explored
from poker_solver.fullgame.after_flop import Missing
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.node import NodeView
from poker_solver.web.library import Library

MOST_OPEN = 8
MOST_NODES = 200
"""Nodes of an open solution that are kept."""


@dataclass(frozen=True, eq=False)
class Taken:
    """A flop or turn of a game that was solved apart."""

    of: Missing
    solution: Solution
    changed: float  # when its file was written


@dataclass(eq=False)
class Open:
    """A solution, and the nodes of it that were looked at last."""

    game: Explored
    changed: float  # when its file was written
    lock: Lock = field(default_factory=Lock)
    nodes: OrderedDict[tuple[str, ...], NodeView] = field(default_factory=OrderedDict)
    taken: dict[str, Taken] = field(default_factory=dict)  # by their ids, see `after_flop`

    def view(self, history: tuple[str, ...]) -> NodeView:
        """A node, kept."""
        if history not in self.nodes:
            self.nodes[history] = self.game.view(history)
            while len(self.nodes) > MOST_NODES:
                self.nodes.popitem(last=False)
        self.nodes.move_to_end(history)
        return self.nodes[history]


class Opened:
    """Opens what is asked for, and closes what was not asked for longest."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._open: OrderedDict[str, Open] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def use(self, id: str) -> Iterator[Open]:
        """A solution, for this request alone until it is done."""
        found = self._find(id)
        with found.lock:
            yield found

    def _find(self, id: str) -> Open:
        path = self.library.path(id)
        changed = path.stat().st_mtime
        with self._lock:
            known = self._open.get(id)
            if known is None or known.changed != changed:
                known = Open(explored(read_solution(path), SolveOptions()), changed)
                self._open[id] = known
                while len(self._open) > MOST_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(id)
        return known
