"""A node of a solution: what is played, held and worth there, and every card that can follow."""

from itertools import pairwise
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse, Response

from poker_solver.explore.opening import tokens_at
from poker_solver.explore.spots import following_spot
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.query.node import NodeView
from poker_solver.query.palette import Palette, chosen_palette
from poker_solver.query.ranges import range_text
from poker_solver.query.runouts import runouts_report
from poker_solver.web.node import NodeHead, StepHead, node_arrays, node_head, picked, step_head
from poker_solver.web.opened import Open
from poker_solver.web.packed import MEDIA_TYPE, pack
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/solutions/{id}", tags=["study"])
Own = Annotated[Parts, Depends(parts)]
Line = Annotated[str, Query(max_length=2_000)]
Filter = Annotated[str, Query(max_length=500)]
PACKED: dict[int | str, dict[str, Any]] = {
    200: {"model": NodeHead, "description": "A head in JSON with arrays behind it; see `packed`."}
}


@router.get("/node", responses=PACKED)
def node(id: str, own: Own, line: Line = "", filter: Filter = "") -> Response:
    """The node a line leads to and the steps to it; of all hands, or of those picked."""
    palette = chosen_palette()
    with own.opened.use(id) as opened:
        view = opened.view(tuple(tokens_at(opened.game.solution, line)))
        steps = line_steps(opened, view, palette)
    shown, wanted = picked(view, filter)
    head = node_head(id, shown, steps, palette, wanted)
    return Response(pack(head.model_dump(), node_arrays(shown)), media_type=MEDIA_TYPE)


def line_steps(opened: Open, view: NodeView, palette: Palette) -> list[StepHead]:
    """Every step of the line with its siblings."""
    views = [opened.view(view.history[:n]) for n in range(len(view.history))]
    return [step_head(before, after, palette) for before, after in pairwise([*views, view])]


@router.get("/runouts")
def card_report(id: str, own: Own, line: Line = "") -> dict[str, Any]:
    """What every card brings at the star of a line, `x b33% c * x`, or at its end."""
    with own.opened.use(id) as opened:
        return runouts_report(opened.game.runouts(line))


@router.get("/ranges")
def ranges(id: str, own: Own, line: Line = "") -> dict[str, str]:
    """Both ranges at a node as text to paste elsewhere."""
    with own.opened.use(id) as opened:
        view = opened.view(tuple(tokens_at(opened.game.solution, line)))
    return {player.name: range_text(player) for player in view.players}


@router.get("/spot", response_class=PlainTextResponse)
def spot(id: str, own: Own, line: Line = "") -> str:
    """The spot that was solved; with a line, the one that follows it."""
    with own.opened.use(id) as opened:
        solution = opened.game.solution
        if not line and not isinstance(solution, UnifiedSolution):
            written = getattr(solution, "spot", None)
            if written is not None:
                return str(written.to_yaml())
        return following_spot(solution, tokens_at(solution, line))[0]
