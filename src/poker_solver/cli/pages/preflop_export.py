"""One node written to a file, as its ending says: .csv, .json or .png; pictures are `charts`'s."""

import csv
import io
import json
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

from poker_solver.cli.options import check_writable
from poker_solver.query import NodeView
from poker_solver.store.files import write_bytes

SUFFIXES = (".csv", ".json", ".png")


def check_export(path: Path | None) -> None:
    """Refuse a file that cannot be written before the work that should go into it is done."""
    check_writable(path, *SUFFIXES)


def export(path: Path, view: NodeView, summary: Mapping[str, Any]) -> None:
    """Write the node; `summary` is what --json prints for it."""
    suffix = path.suffix.lower()
    if suffix == ".png":
        from poker_solver.cli.pages.charts import draw_chart

        data = draw_chart(view)
    else:
        text = csv_text(view) if suffix == ".csv" else json_text(view, summary)
        data = text.encode()
    write_bytes(path, data)


def csv_text(view: NodeView) -> str:
    """A row per hand class; an EV is empty where nobody gets there."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    frequencies = [f"freq_{action}" for action in view.actions]
    evs = [f"ev_{action}" for action in view.actions]
    rows.writerow(["hand", "combos", "reach", *frequencies, *evs])
    for hand in view.hands:
        shares = [f"{p:.6f}" for p in (hand.reach, *hand.mix.frequency)]
        money = ["" if isnan(ev) else f"{round(ev, 6) + 0.0:.6f}" for ev in hand.ev_bb]
        rows.writerow([hand.name, hand.combos, *shares, *money])
    return out.getvalue()


def json_text(view: NodeView, summary: Mapping[str, Any]) -> str:
    """The summary, and of each hand its combos, its reach and the EV of each action."""
    details = {
        "combos": {hand.name: hand.combos for hand in view.hands},
        "reach": {hand.name: round(hand.reach, 6) for hand in view.hands},
        "ev_bb": {hand.name: [_number(ev) for ev in hand.ev_bb] for hand in view.hands},
    }
    return json.dumps({**summary, **details}, indent=None) + "\n"


def _number(ev_bb: float) -> float | None:
    return None if isnan(ev_bb) else round(ev_bb, 6) + 0.0  # -0.0 + 0.0 is 0.0
