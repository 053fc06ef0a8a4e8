"""`--export`: one node in a file, as its ending says."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from poker_solver.cli.options import check_writable
from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.spot import Spot
    from poker_solver.query.view import AnySolution

PREFLOP = (".csv", ".json", ".png")
POSTFLOP = (".csv", ".json", ".parquet")


def check_export(path: Path | None, spot: "Spot | None", line: str) -> None:
    """Refuse what cannot be written, or a line that cannot be played, before any work."""
    if path is None:
        if line:
            raise InputError("--line is the node to export, but there is no --export")
        return
    check_writable(path, *POSTFLOP)
    if spot is not None:
        from poker_solver.trees.betting import build_betting_tree

        tree = build_betting_tree(spot.betting)
        node, _ = tree.walk(line, spot.cards)
        if not tree.is_decision[node]:
            raise InputError(f"nobody acts after {line!r}; --export wants a decision")


def write_export(path: Path, solution: "AnySolution", line: str | Sequence[str]) -> None:
    """Write the node that a line leads to."""
    from poker_solver.store.files import write_bytes

    suffix = path.suffix.lower()
    if suffix == ".png":
        from poker_solver.cli.pages.charts import draw_chart
        from poker_solver.query.view import node_view

        view = node_view(solution, line)
        if view.actor is None:
            raise InputError(f"nobody acts after {view.line!r}; --export wants a decision")
        data = draw_chart(view)
    else:
        from poker_solver.query.export import export_bytes

        data = export_bytes(solution, line, suffix)
    write_bytes(path, data)
