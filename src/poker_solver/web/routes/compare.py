"""Two solutions at the same line: what each hand is worth in both, and what is played otherwise."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from poker_solver.cards import HAND_NAMES
from poker_solver.errors import InputError
from poker_solver.explore.opening import tokens_at
from poker_solver.query.compare import (
    Comparison,
    PlayerChange,
    compare_views,
    comparison_object,
    spot_differences,
)
from poker_solver.query.groups import class_of
from poker_solver.query.node import NodeView
from poker_solver.query.palette import chosen_palette
from poker_solver.query.view import AnySolution
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/compare", tags=["compare"])
Own = Annotated[Parts, Depends(parts)]
Id = Annotated[str, Query(min_length=1, max_length=200)]
Line = Annotated[str, Query(max_length=2_000)]


@router.get("")
def compare(own: Own, a: Id, b: Id, line: Line = "") -> dict[str, Any]:
    """What `compare --json` prints, with names, colours, and the hands of every class."""
    first, second = _view(own, a, "first", line), _view(own, b, "second", line)
    differs = tuple(spot_differences(first[1], second[1]))
    found = compare_views(first[0], second[0], differs=differs)
    told = comparison_object(found)
    for name, player in zip(told["players"], found.players, strict=True):
        told["players"][name]["members"] = _members(player)
    return {
        "a": {"id": a, "name": own.library.entry(a).name},
        "b": {"id": b, "name": own.library.entry(b).name},
        "chips_per_unit": found.facts[0].chips_per_bb or 1,
        "unit": "bb" if found.facts[0].chips_per_bb else "chips",
        "labels": _labels(found, first[0], second[0]),
        "colors": list(chosen_palette().colors(found.actions).values()),
        **told,
    }


def _view(own: Parts, id: str, which: str, line: str) -> tuple[NodeView, AnySolution]:
    """One solution at a time is held, so that two requests cannot wait for each other."""
    try:
        with own.opened.use(id) as opened:
            solution = opened.game.solution
            return opened.view(tuple(tokens_at(solution, line))), solution
    except InputError as error:
        raise type(error)(f"the {which} solution: {error}") from None


def _labels(found: Comparison, *views: NodeView) -> list[str]:
    """Actions as people read them, by the sizes of whoever has them."""
    known: dict[str, str] = {}
    for view in reversed(views):
        known.update(zip(view.actions, view.labels or view.actions, strict=True))
    return [known[action] for action in found.actions]


def _members(player: PlayerChange) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for row in player.combos:
        members.setdefault(HAND_NAMES[class_of(row.name)], []).append(row.name)
    return members
