"""A node of a solution: what is played, held and worth there, and every card that can follow."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from poker_solver.cards import cards_from_string
from poker_solver.errors import InputError
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
from poker_solver.web.node import Around, NodeHead, StepHead, node_parts, step_head
from poker_solver.web.opened import Open
from poker_solver.web.packed import MEDIA_TYPE, pack
from poker_solver.web.parts import Parts, parts
from poker_solver.web.runouts import RunoutsRecord, runouts_record, starred

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
        view = opened.view(stored_tokens(solution, line))
        around = Around(id, title, line_steps(opened, view, palette), num_flops(solution))
    head, arrays = node_parts(view, filter, around, palette)
    return Response(pack(head.model_dump(), arrays), media_type=MEDIA_TYPE)


def stored_tokens(solution: AnySolution, line: str) -> tuple[str, ...]:
    """The history of a line; a flop that would have to be solved first is refused."""
    if isinstance(solution, UnifiedSolution):
        at = solution.locate(line)
        if at.flop:
            number, cards = solution.find_line(at.before), cards_from_string(at.flop)
            if not solution.after_flop.is_at_hand(number, cards):
                raise InputError(
                    f"{at.flop} is not stored in this game: take its ranges to the builder and "
                    "solve it there"
                )
        return at.tokens
    return tuple(tokens_at(solution, line))


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
        solution = opened.game.solution
        before, star, after = line.partition(ANY_CARD)
        tokens: Sequence[str] = stored_tokens(solution, before)
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
        tokens = stored_tokens(opened.game.solution, line)
        data = export_bytes(opened.game.solution, tokens, f".{format}")
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", " ".join((id, *tokens))).strip("-")[:100]
    named = {"content-disposition": f'attachment; filename="{plain}.{format}"'}
    return Response(data, media_type=MEDIA[format], headers=named)


@router.get("/ranges")
def ranges(id: str, own: Own, line: Line = "") -> dict[str, str]:
    """Both ranges at a node as text to paste elsewhere."""
    with own.opened.use(id) as opened:
        view = opened.view(stored_tokens(opened.game.solution, line))
    return {player.name: range_text(player) for player in view.players}


@router.get("/spot", response_class=PlainTextResponse)
def spot(id: str, own: Own, line: Line = "") -> str:
    """The spot that was solved; with a line, the one that follows it."""
    with own.opened.use(id) as opened:
        solution = opened.game.solution
        if not line and isinstance(solution, Solution):
            return solution.spot.to_yaml()
        return following_spot(solution, tokens_at(solution, line))[0]
