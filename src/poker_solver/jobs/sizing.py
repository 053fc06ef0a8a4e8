"""What a spot will take before it is solved: its tree, memory and time, as plain values.

The terminal's `tree` prints it and the browser draws it; nothing is solved.
"""

from dataclasses import dataclass
from typing import Any

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
from poker_solver.config.spot import Spot
from poker_solver.games.betting import Street
from poker_solver.jobs.estimate import estimated_seconds
from poker_solver.postflop.plan import PRECISIONS, Slabs, TreeCounts, plan, state_slabs
from poker_solver.query.outline import OutlineRow, fitting_depth, outline
from poker_solver.runtime.device import num_threads
from poker_solver.runtime.memory import available_bytes, plan_bytes


@dataclass(frozen=True)
class Sizing:
    """A spot's tree from a line on, and what all of it takes."""

    spot: Spot
    counts: TreeCounts
    state: dict[str, Slabs]  # what each precision keeps in memory
    rows: list[OutlineRow]
    free_bytes: int | None  # None where the system does not say

    def needed_bytes(self, precision: str) -> int:
        """Of memory, for the whole solve."""
        return plan_bytes(self.state[precision])

    def fits(self, precision: str) -> bool:
        """Whether this machine has the memory now."""
        return self.free_bytes is None or self.needed_bytes(precision) <= self.free_bytes

    def seconds(self, target_pct: float = POSTFLOP_TARGET_PCT) -> float:
        """To solve it here to a share of the pot, about."""
        return estimated_seconds(self.counts.num_elements, target_pct, num_threads(None))


def size_up(spot: Spot, line: str = "", *, depth: int | None = None, most_rows: int = 24) -> Sizing:
    """Build the tree and count; without a depth the outline is as deep as so many rows allow."""
    planned = plan(spot)
    tree, counts = planned.game.tree, planned.counts
    start = tree.node_at(line)
    if depth is None:
        depth = fitting_depth(tree, start, most_rows)
    state = {precision: state_slabs(counts, precision) for precision in PRECISIONS}
    return Sizing(spot, counts, state, outline(tree, start, depth), available_bytes("cpu"))


def street_sizes(counts: TreeCounts) -> dict[str, dict[str, int]]:
    """Boards, nodes, decisions and elements of every street that is played."""
    return {
        street.name.lower(): {
            "boards": counts.boards[street],
            "nodes": counts.nodes[street],
            "decisions": counts.blocks[street],
            "elements": counts.elements[street],
        }
        for street in Street
        if counts.nodes[street]
    }


def sizing_report(sizing: Sizing) -> dict[str, Any]:
    """The object that --json prints."""
    spot, counts = sizing.spot, sizing.counts
    return {
        "spot": spot.fingerprint(),
        "board": spot.board,
        "pot": spot.pot,
        "stack": spot.stack,
        "hands": {"oop": counts.hands[0], "ip": counts.hands[1]},
        "streets": street_sizes(counts),
        "decisions": counts.num_decisions,
        "elements": counts.num_elements,
        "memory_bytes": {name: sizing.needed_bytes(name) for name in sizing.state},
        "outline": [
            {
                "line": row.line,
                "player": row.player,
                "pot": row.pot_chips,
                "actions": [label for label, _ in row.actions],
                "amounts": [amount for _, amount in row.actions],
            }
            for row in sizing.rows
        ],
    }
