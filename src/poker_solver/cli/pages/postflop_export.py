"""One node of a solved spot written to a file, as its ending says: .csv, .json or .parquet."""

import csv
import io
import json
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.cli.options import check_writable
from poker_solver.errors import InputError
from poker_solver.store.files import write_bytes
from poker_solver.store.tables import table_bytes

if TYPE_CHECKING:
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.solution.node import SolutionNode
    from poker_solver.postflop.solution.solution import Solution

SUFFIXES = (".csv", ".json", ".parquet")
KIND = "postflop node"


def check_export(path: Path | None, spot: "Spot | None", line: str) -> None:
    """Refuse what cannot be written, or a line that cannot be played, before any work."""
    if path is None:
        if line:
            raise InputError("--line is the node to export, but there is no --export")
        return
    check_writable(path, *SUFFIXES)
    if spot is not None:
        from poker_solver.trees.betting import build_betting_tree

        tree = build_betting_tree(spot.betting)
        node, _ = tree.walk(line, spot.cards)
        if not tree.is_decision[node]:
            raise InputError(f"nobody acts after {line!r}; --export wants a decision")


def write_export(path: Path, solution: "Solution", line: str) -> None:
    """Write the node that a line leads to."""
    node = solution.node(line)
    if node.player is None:
        raise InputError(f"nobody acts after {line!r}; --export wants a decision")
    suffix = path.suffix.lower()
    if suffix == ".csv":
        data = csv_text(node).encode()
    elif suffix == ".json":
        data = json_text(solution, node).encode()
    else:
        about = {
            "spot": solution.fingerprint,
            "iterations": solution.iterations,
            "exploitability_pct": solution.exploitability_pct,
            "pot": node.pot,
            "actions": list(node.actions),
        }
        data = table_bytes(KIND, about, columns(node))
    write_bytes(path, data)


def columns(node: "SolutionNode") -> dict[str, Sequence[str] | NDArray[np.floating]]:
    """What a row per hand of the player to act holds; a number is NaN where nobody gets there."""
    acting, actions = node.acting, node.actions
    count = len(acting.hands)
    return {
        "board": [node.board] * count,
        "line": [node.line] * count,
        "player": [acting.name] * count,
        "hand": list(acting.hands),
        "reach": acting.reach,
        "equity": acting.equity,
        "ev": acting.ev,
        **{f"freq_{action}": node.strategy[a] for a, action in enumerate(actions)},
        **{f"ev_{action}": node.ev_actions[a] for a, action in enumerate(actions)},
    }


def csv_text(node: "SolutionNode") -> str:
    """The columns as text; a number is empty where nobody gets there."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    table = columns(node)
    rows.writerow(table)
    rows.writerows([_text(cell) for cell in row] for row in zip(*table.values(), strict=True))
    return out.getvalue()


def _text(cell: Any) -> str:
    """A string, or six decimals; -0.0 + 0.0 is 0.0."""
    if isinstance(cell, str):
        return cell
    return "" if isnan(cell) else f"{round(float(cell), 6) + 0.0:.6f}"


def json_text(solution: "Solution", node: "SolutionNode") -> str:
    """The solve, the node, both ranges; NaN is null."""
    acting = node.acting
    hands = {
        hand: {
            "reach": _number(acting.reach[h]),
            "equity": _number(acting.equity[h]),
            "ev": _number(acting.ev[h]),
            "strategy": [_number(p) for p in node.strategy[:, h]],
            "ev_actions": [_number(ev) for ev in node.ev_actions[:, h]],
        }
        for h, hand in enumerate(acting.hands)
    }
    other = next(player for player in node.players if player is not acting)
    opponent = {
        hand: {
            "reach": _number(other.reach[h]),
            "equity": _number(other.equity[h]),
            "ev": _number(other.ev[h]),
        }
        for h, hand in enumerate(other.hands)
    }
    whole: dict[str, Any] = {
        "spot": solution.fingerprint,
        "iterations": solution.iterations,
        "exploitability_pct": solution.exploitability_pct,
        "board": node.board,
        "line": node.line,
        "player": node.player,
        "pot": node.pot,
        "actions": list(node.actions),
        "frequency": [_number(p) for p in node.frequency],
        "ev": {player.name: _number(player.mean_ev) for player in node.players},
        "equity": {player.name: _number(player.mean_equity) for player in node.players},
        "hands": hands,
        "opponent": opponent,
    }
    return json.dumps(whole) + "\n"


def _number(value: Any) -> float | None:
    return None if isnan(value) else round(float(value), 6) + 0.0
