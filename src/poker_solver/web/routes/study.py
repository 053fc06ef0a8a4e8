"""A node of a solution: what is played, held and worth there, and every card that can follow."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from poker_solver.explore.opening import tokens_at
from poker_solver.explore.spots import following_spot
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.postflop.solution.solution import Solution
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.query.export import export_bytes
from poker_solver.query.node import NodeView
from poker_solver.query.palette import Palette, chosen_palette
from poker_solver.query.ranges import range_text
from poker_solver.query.runouts import ANY_CARD
from poker_solver.query.view import AnySolution
from poker_solver.web.opened import Open
from poker_solver.web.parts import Parts, parts
from poker_solver.web.study.after_flop import own_solve, ready_tokens, solved_flops
from poker_solver.web.study.node import Around, NodeHead, StepHead, node_parts, step_head
from poker_solver.web.study.packed import MEDIA_TYPE, pack
from poker_solver.web.study.runouts import RunoutsRecord, runouts_record, starred

router = APIRouter(prefix="/api/solutions/{id}", tags=["study"])
Own = Annotated[Parts, Depends(parts)]
Line = Annotated[str, Query(max_length=2_000)]
Filter = Annotated[str, Query(max_length=500)]
PACKED: dict[int | str, dict[str, Any]] = {
    200: {"model": NodeHead, "description": "A head in JSON with arrays behind it; see `packed`."}
}
MEDIA = {"csv": "text/csv", "json": "application/json"}


class CurveRecord(BaseModel):
    """How a solve came closer to equilibrium."""

    points: list[tuple[int, float]]  # iteration, exploitability in the unit
    unit: str
    iterations: int
    stopped: str


@router.get("/node", responses=PACKED)
def node(id: str, own: Own, line: Line = "", filter: Filter = "") -> Response:
    """The node a line leads to and the steps to it; of all hands, or of those picked."""
    palette, title = chosen_palette(), own.library.entry(id).name
    with own.opened.use(id) as opened:
        solution = opened.game.solution
        view = opened.view(ready_tokens(own, opened, line))
        around = Around(id, title, line_steps(opened, view, palette), num_flops(solution))
        if isinstance(solution, UnifiedSolution):
            flops = solved_flops(own, opened, view.history) if view.kind == "flop" else []
            around = replace(around, solved=flops, solve=own_solve(opened, view.history))
    head, arrays = node_parts(view, filter, around, palette)
    return Response(pack(head.model_dump(), arrays), media_type=MEDIA_TYPE)


def num_flops(solution: AnySolution) -> int:
    """Flops that are stored behind the lines of a full game."""
    rows = solution.rows if isinstance(solution, UnifiedSolution) else None
    return 0 if rows is None else rows.num_done


def line_steps(opened: Open, view: NodeView, palette: Palette) -> list[StepHead]:
    """Every step of the line with its siblings."""
    views = [opened.view(view.history[:n]) for n in range(len(view.history))]
    return [step_head(before, after, palette) for before, after in pairwise([*views, view])]


@router.get("/runouts")
def card_report(id: str, own: Own, line: Line = "") -> RunoutsRecord:
    """What every card brings at the star of a line, `x b33% c * x`.

    Without a star, it stands for the last card, or for the next if none has fallen yet.
    """
    palette = chosen_palette()
    with own.opened.use(id) as opened:
        before, star, after = line.partition(ANY_CARD)
        tokens: Sequence[str] = ready_tokens(own, opened, before)
        if not star:
            whole = starred(opened, tuple(tokens))
            place = whole.index(ANY_CARD)
            tokens, after = whole[:place], " ".join(whole[place + 1 :])
        start = opened.view(tuple(tokens))
        found = opened.game.runouts(" ".join((*tokens, ANY_CARD, after)))
        played = found.line.partition(ANY_CARD)[2].split()
        first = opened.view((*tokens, found.rows[0].card, *played))
        return runouts_record(found, start, first, palette)


@router.get("/curve")
def curve(id: str, own: Own) -> CurveRecord:
    """Exploitability by iteration."""
    with own.opened.use(id) as opened:
        solution = opened.game.solution
        if isinstance(solution, UnifiedSolution):
            record = solution.record
            return CurveRecord(
                points=[], unit="mbb", iterations=record.iterations, stopped=record.stopped
            )
        of = solution if isinstance(solution, PreflopSolution) else solution.record
        return CurveRecord(
            points=list(of.curve), unit="% of pot", iterations=of.iterations, stopped=of.stopped
        )


@router.get("/export")
def export(id: str, own: Own, format: Literal["csv", "json"], line: Line = "") -> Response:
    """The hands of who acts at a node, as a file."""
    with own.opened.use(id) as opened:
        tokens = ready_tokens(own, opened, line)
        data = export_bytes(opened.game.solution, tokens, f".{format}")
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", " ".join((id, *tokens))).strip("-")[:100]
    named = {"content-disposition": f'attachment; filename="{plain}.{format}"'}
    return Response(data, media_type=MEDIA[format], headers=named)


@router.get("/ranges")
def ranges(id: str, own: Own, line: Line = "") -> dict[str, str]:
    """Both ranges at a node as text to paste elsewhere."""
    with own.opened.use(id) as opened:
        view = opened.view(ready_tokens(own, opened, line))
    return {player.name: range_text(player) for player in view.players}


@router.get("/spot", response_class=PlainTextResponse)
def spot(id: str, own: Own, line: Line = "") -> str:
    """The spot that was solved; with a line, the one that follows it."""
    with own.opened.use(id) as opened:
        solution = opened.game.solution
        if not line and isinstance(solution, Solution):
            return solution.spot.to_yaml()
        return following_spot(solution, tokens_at(solution, line))[0]
