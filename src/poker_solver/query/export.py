"""One node as CSV, JSON or Parquet, the same for every game; files are somebody else's business.

Money is in bb where there is a big blind, else in chips; a number is empty, null or NaN where
nobody gets there.
"""

import csv
import io
from collections.abc import Sequence
from math import isnan
from typing import Any

from poker_solver.errors import InputError
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.games.betting import NONE, POSITIONS
from poker_solver.games.notation import format_history
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.query.node import HandView, NodeView
from poker_solver.query.view import AnySolution, node_view
from poker_solver.store.json_text import json_text

KIND = "postflop node"


def export_bytes(solution: AnySolution, line: str | Sequence[str], suffix: str) -> bytes:
    """The node a line leads to, as a .csv, .json or .parquet."""
    view = node_view(solution, line)
    if view.actor is None:
        raise InputError(f"nobody acts after {view.line!r}; --export wants a decision")
    if suffix == ".csv":
        return csv_text(view).encode()
    if suffix == ".json":
        return (json_text(json_object(solution, view)) + "\n").encode()
    from poker_solver.store.tables import table_bytes

    about = {**_solve(solution), "pot": view.pot_chips, "actions": list(view.actions)}
    return table_bytes(KIND, about, columns(view))


def strategy_by_line(solution: PreflopSolution) -> dict[str, Any]:
    """Who acts at every decision before the flop, and what each hand does there."""
    tree, found = solution.tree, {}
    for node in range(tree.num_nodes):
        actor = tree.betting(node).actor
        if actor == NONE:
            continue
        mixes = solution.strategy(node).round(6).T.tolist()
        found[format_history(tree.history(node))] = {
            "player": POSITIONS[actor],
            "actions": list(tree.actions(node)),
            "hands": dict(zip(solution.hands, mixes, strict=True)),
        }
    return found


def columns(view: NodeView) -> dict[str, list[Any]]:
    """A row per hand of the player to act: a combo after the flop, a class before it."""
    hands, money = view.combos or view.hands, view.facts.money
    count = len(hands)
    where = {"board": view.board, "line": view.line, "player": player_key(view)}
    each = list(enumerate(view.actions))
    return {
        **{name: [text] * count for name, text in where.items() if text or name != "board"},
        "hand": [hand.name for hand in hands],
        **({} if view.combos else {"combos": [hand.num_dealt for hand in hands]}),
        "reach": [hand.reach for hand in hands],
        "equity": [hand.equity for hand in hands],
        "ev": [money(hand.ev_chips) for hand in hands],
        **{f"freq_{action}": [hand.mix.frequency[a] for hand in hands] for a, action in each},
        **{
            f"ev_{action}": [money(hand.ev_actions_chips[a]) for hand in hands]
            for a, action in each
        },
        "rough": [" ".join(rough_columns(view))] * count,
    }


def rough_columns(view: NodeView) -> list[str]:
    """Columns of EVs that nobody's play supports: hardly anybody gets there."""
    return [*(["ev"] if view.rare else []), *(f"ev_{action}" for action in view.rough_actions)]


def csv_text(view: NodeView) -> str:
    """The columns as text."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    table = columns(view)
    rows.writerow(table)
    rows.writerows([_text(cell) for cell in row] for row in zip(*table.values(), strict=True))
    return out.getvalue()


def json_object(solution: AnySolution, view: NodeView) -> dict[str, Any]:
    """The solve, the node, its hands; before the flop what `hunl --json` prints and more."""
    if isinstance(solution, UnifiedSolution) and not view.board:
        return {**solution.preflop_summary(view.history), **_classes(view)}
    if isinstance(solution, PreflopSolution):
        return {**solution.summary(view.history), **_classes(view)}
    return {
        **_solve(solution),
        "board": view.board,
        "line": view.line,
        "player": player_key(view),
        "pot": view.pot_chips,
        "actions": list(view.actions),
        "frequency": [rounded(total.share) for total in view.totals],
        "ev": {player.name.lower(): rounded(player.ev_chips) for player in view.players},
        "equity": {player.name.lower(): rounded(player.equity) for player in view.players},
        **_support(view),
        "hands": {
            hand.name: {
                **_values(hand),
                "strategy": [rounded(p) for p in hand.mix.frequency],
                "ev_actions": _evs(view, hand),
            }
            for hand in view.combos
        },
        "opponent": {hand.name: _values(hand) for hand in view.opponent.combos},
    }


def group_values(groups: Sequence[HandView]) -> dict[str, Any]:
    """Kinds of hands, as `explore --made --json` prints them."""
    return {
        group.name: {
            "combos": rounded(group.num_combos),
            **_values(group),
            "strategy": dict(
                zip(group.mix.actions, map(rounded, group.mix.frequency), strict=True)
            ),
        }
        for group in groups
    }


def _solve(solution: AnySolution) -> dict[str, Any]:
    if isinstance(solution, UnifiedSolution):
        return {
            "config": solution.config.name,
            "iterations": solution.record.iterations,
            "exploitability_mbb": solution.exploitability_mbb,
        }
    if isinstance(solution, PreflopSolution):
        game = {"config": solution.config.name}
    else:
        game = {"spot": solution.fingerprint}
    return {
        **game,
        "iterations": solution.iterations,
        "exploitability_pct": solution.exploitability_pct,
    }


def _classes(view: NodeView) -> dict[str, Any]:
    return {
        **_support(view),
        "combos": {hand.name: hand.num_dealt for hand in view.hands},
        "reach": {hand.name: rounded(hand.reach) for hand in view.hands},
        "ev_bb": {hand.name: _evs(view, hand) for hand in view.hands},
    }


def _support(view: NodeView) -> dict[str, Any]:
    """How much of their ranges the players bring here, and the EVs that this leaves rough."""
    arrived = {
        player.name.lower() if view.board else player.name: rounded(player.arrived)
        for player in view.players
    }
    return {"arrived": arrived, "rough": rough_columns(view)}


def _values(hand: HandView) -> dict[str, float | None]:
    numbers = {"reach": hand.reach, "equity": hand.equity, "ev": hand.ev_chips}
    return {name: rounded(value) for name, value in numbers.items()}


def _evs(view: NodeView, hand: HandView) -> list[float | None]:
    """In bb before the flop, in chips after it."""
    return [rounded(ev if view.board else view.facts.money(ev)) for ev in hand.ev_actions_chips]


def player_key(view: NodeView) -> str:
    """Who acts, as JSON says it: `SB`, `oop`."""
    return view.player.lower() if view.board else view.player


def rounded(value: float) -> float | None:
    """Six decimals, None for NaN; -0.0 + 0.0 is 0.0."""
    return None if isnan(value) else round(value, 6) + 0.0


def _text(cell: str | float) -> str:
    """A string or a count as it is, a number with six decimals."""
    if isinstance(cell, str | int):
        return str(cell)
    number = rounded(cell)
    return "" if number is None else f"{number:.6f}"
