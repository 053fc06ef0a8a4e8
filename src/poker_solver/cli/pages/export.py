"""`--export`: one node in a file, as its ending says."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from poker_solver.cli.options import check_writable
from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.spot import Spot
    from poker_solver.explore.shown import ShowRunouts
    from poker_solver.query.palette import Palette
    from poker_solver.query.view import AnySolution

PREFLOP = (".csv", ".json", ".png")
POSTFLOP = (".csv", ".json", ".parquet", ".png")
RUNOUTS = (".csv", ".json", ".png")


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


def write_export(
    path: Path,
    solution: "AnySolution",
    line: str | Sequence[str],
    palette: "Palette | None" = None,
) -> None:
    """Write the node that a line leads to; a picture in these colours, or the chosen ones."""
    from poker_solver.store.files import write_bytes

    check_writable(path, *POSTFLOP)
    suffix = path.suffix.lower()
    if suffix == ".png":
        from poker_solver.cli.pages.charts import draw_chart
        from poker_solver.query.palette import chosen_palette
        from poker_solver.query.view import node_view

        view = node_view(solution, line)
        if view.actor is None:
            raise InputError(f"nobody acts after {view.line!r}; --export wants a decision")
        data = draw_chart(view, palette or chosen_palette())
    else:
        from poker_solver.query.export import export_bytes

        data = export_bytes(solution, line, suffix)
    write_bytes(path, data)


def palettes_text(current: "Palette") -> str:
    """The colours in use, and the others."""
    from poker_solver.query.palette import PALETTES

    others = [f"{other.name} ({other.what})" for other in PALETTES.values() if other != current]
    return f"{current.name}: {current.what}; there are also {' and '.join(others)}"


def write_runouts(path: Path, shown: "ShowRunouts") -> None:
    """Write what every card brings: rows as CSV or JSON, the map of cards as a picture."""
    from poker_solver.query.runouts import runouts_csv, runouts_report
    from poker_solver.store.files import write_bytes

    check_writable(path, *RUNOUTS)
    suffix = path.suffix.lower()
    if suffix == ".png":
        from poker_solver.cli.pages.charts import draw_runouts

        data = draw_runouts(shown)
    elif suffix == ".csv":
        data = runouts_csv(shown.found).encode()
    else:
        data = (json.dumps(runouts_report(shown.found)) + "\n").encode()
    write_bytes(path, data)
