"""One node of a solved spot written to a file, as its ending says: .csv or .json."""

import csv
import io
import json
import os
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poker_solver.cli.games import check_writable
from poker_solver.errors import FormatError, InputError

if TYPE_CHECKING:
    from poker_solver.config.spot import Spot
    from poker_solver.holdem.solution import Solution
    from poker_solver.holdem.solution_node import SolutionNode

SUFFIXES = (".csv", ".json")


def check_export(path: Path | None, spot: "Spot | None", line: str) -> None:
    """Refuse what cannot be written, or a line that cannot be played, before any work."""
    if path is None:
        if line:
            raise InputError("--line is the node to export, but there is no --export")
        return
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path} must end in {' or '.join(SUFFIXES)}")
    check_writable(path)
    if spot is not None:
        from poker_solver.trees.postflop import build_betting_tree

        tree = build_betting_tree(spot)
        node, _ = tree.walk(line, spot.cards)
        if not tree.is_decision[node]:
            raise InputError(f"nobody acts after {line!r}; --export wants a decision")


def write_export(path: Path, solution: "Solution", line: str) -> None:
    """Write the node that a line leads to."""
    node = solution.node(line)
    if node.player is None:
        raise InputError(f"nobody acts after {line!r}; --export wants a decision")
    text = csv_text(node) if path.suffix.lower() == ".csv" else json_text(solution, node)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text)
        temporary.replace(path)  # the old file stays whole until the new one is
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def csv_text(node: "SolutionNode") -> str:
    """A row per hand of the player to act; a number is empty where nobody gets there."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    frequencies = [f"freq_{action}" for action in node.actions]
    evs = [f"ev_{action}" for action in node.actions]
    rows.writerow(["board", "line", "player", "hand", "reach", "equity", "ev", *frequencies, *evs])
    acting = node.acting
    for h, hand in enumerate(acting.hands):
        numbers = [acting.reach[h], acting.equity[h], acting.ev[h]]
        numbers += [*node.strategy[:, h], *node.ev_actions[:, h]]
        texts = ["" if isnan(number) else f"{number:.6f}" for number in numbers]
        rows.writerow([node.board, node.line, node.player, hand, *texts])
    return out.getvalue()


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
        "spot": solution.spot.fingerprint(),
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
    return None if isnan(value) else round(float(value), 6)
