"""The next flop or turn of a full game, where it has to be solved before it is looked at."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
from poker_solver.errors import InputError
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.jobs.sizing import size_up
from poker_solver.runtime.device import num_threads
from poker_solver.web.jobs.records import Job, SolveWanted
from poker_solver.web.opened import Open
from poker_solver.web.parts import Parts, parts
from poker_solver.web.routes.jobs import JobRecord, solve
from poker_solver.web.study.after_flop import is_there, next_line, spot_to_solve, under_way

router = APIRouter(prefix="/api/solutions/{id}/next", tags=["study"])
Own = Annotated[Parts, Depends(parts)]
Line = Annotated[str, Query(max_length=2_000)]
Cards = Annotated[str, Query(min_length=2, max_length=12)]

TARGETS_PCT = (1.0, POSTFLOP_TARGET_PCT, 0.1)
"""Of the pot, that are offered."""


class Goal(BaseModel):
    """How far a solve may go, and how long that takes."""

    target_pct: float
    seconds: float


class NextRecord(BaseModel):
    """A flop or turn that a line comes to."""

    line: str  # before it
    cards: str
    is_ready: bool  # to be looked at: stored, solved before, or solved at once
    hands: tuple[int, int] | None = None  # that come there
    num_bytes: int = 0  # of memory, to solve it
    fits: bool = True
    threads: int = 1
    goals: list[Goal] = []
    target_pct: float = POSTFLOP_TARGET_PCT
    job: JobRecord | None = None  # that is solving it


class NextWanted(BaseModel):
    """Solve a flop or turn."""

    model_config = ConfigDict(extra="forbid")

    line: str = Field("", max_length=2_000)
    cards: str = Field(max_length=12)
    target_pct: float = Field(POSTFLOP_TARGET_PCT, gt=0, le=100)


@router.get("")
def look(id: str, own: Own, line: Line, cards: Cards) -> NextRecord:
    """Whether it can be looked at, and what solving it would take."""
    with own.opened.use(id) as opened:
        solution = _game(opened)
        at = next_line(solution, line, cards)
        *before, fell = at.tokens
        found = NextRecord(line=" ".join(before), cards=fell, is_ready=is_there(own, opened, at))
        if found.is_ready:
            return found
        spot = spot_to_solve(solution, at)
    sizing, job = size_up(spot), under_way(own.jobs.all(), spot)
    return found.model_copy(
        update={
            "hands": sizing.counts.hands,
            "num_bytes": sizing.needed_bytes("float32"),
            "fits": sizing.fits("float32"),
            "threads": num_threads(None),
            "goals": [Goal(target_pct=one, seconds=sizing.seconds(one)) for one in TARGETS_PCT],
            "job": None if job is None else JobRecord.of(own, job),
        }
    )


@router.post("")
def begin(id: str, wanted: NextWanted, own: Own) -> Job:
    """Queue the solve, named after the game and the line; one that is under way is not doubled."""
    with own.opened.use(id) as opened:
        solution = _game(opened)
        at = next_line(solution, wanted.line, wanted.cards)
        spot = spot_to_solve(solution, at)
    if (job := under_way(own.jobs.all(), spot)) is not None:
        return job
    name = f"{solution.config.name} {at}"
    fields = {
        "spot": spot.to_yaml(), "name": name[:100], "tags": [solution.config.name[:40]],
        "target_pct": wanted.target_pct,
    }  # fmt: skip
    return solve(SolveWanted.model_validate(fields), own)


def _game(opened: Open) -> UnifiedSolution:
    solution = opened.game.solution
    if not isinstance(solution, UnifiedSolution):
        raise InputError("this is no full game: all its cards are solved")
    return solution
