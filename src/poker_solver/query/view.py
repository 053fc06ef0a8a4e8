"""The view of a node, whichever game was solved."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from poker_solver.query.node import NodeView

if TYPE_CHECKING:  # both bring numba along
    from poker_solver.postflop.solution.solution import Solution
    from poker_solver.preflop.solution import PreflopSolution


def node_view(solution: "Solution | PreflopSolution", line: str | Sequence[str] = "") -> NodeView:
    """The node a line leads to: `SBr2.5 BBr8`, `x b94 c 7d`, or its tokens."""
    from poker_solver.preflop.solution import PreflopSolution

    if isinstance(solution, PreflopSolution):
        from poker_solver.query.preflop import preflop_view

        return preflop_view(solution, line)
    from poker_solver.query.postflop import spot_view

    return spot_view(solution, line)
