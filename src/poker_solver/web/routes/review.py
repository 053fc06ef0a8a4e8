"""Hands that were played: brought in, reviewed as a job, read the worst first."""

import shutil
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from poker_solver.errors import InputError
from poker_solver.protocols.histories.read import read_histories
from poker_solver.store.files import write_bytes
from poker_solver.web.jobs.records import Job
from poker_solver.web.jobs.review import ReviewWanted
from poker_solver.web.jobs.review_files import (
    HISTORIES,
    HandRecord,
    HandRow,
    StreetRecord,
    read_hand_record,
    read_totals,
)
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/reviews", tags=["review"])
Own = Annotated[Parts, Depends(parts)]
Player = Annotated[str, Query(max_length=100)]


class ReviewSummary(BaseModel):
    """A review as a list shows it."""

    id: str
    title: str
    created: float
    status: str
    num_done: int
    num_asked: int
    lost_bb_per_100: float | None


class ReviewRecord(BaseModel):
    """A review as far as it is, with some of its hands."""

    id: str
    job: Job | None
    num_asked: int
    num_done: int
    lost_bb: float
    lost_bb_per_100: float | None
    streets: dict[str, StreetRecord]
    skipped: dict[str, int]
    hands: list[HandRow]


@router.get("")
def reviews(own: Own) -> list[ReviewSummary]:
    """Newest first."""
    found = []
    for id, folder in own.library.reviews().items():
        totals, job = read_totals(folder), _job_of(own, id)
        found.append(
            ReviewSummary(
                id=id,
                title=job.title if job else id,
                created=job.created if job else folder.stat().st_mtime,
                status=job.status if job else "done",
                num_done=totals.num_done if totals else 0,
                num_asked=totals.num_asked if totals else 0,
                lost_bb_per_100=totals.lost_bb_per_100 if totals else None,
            )
        )
    return sorted(found, key=lambda one: -one.created)


@router.post("")
async def new_review(
    request: Request, own: Own, player: Player = "", solve_flops: bool = False
) -> ReviewRecord:
    """Queue the hand histories that are the body; text that holds no hand is refused at once."""
    data = await request.body()
    return await run_in_threadpool(_begin, own, data, player, solve_flops)


def _begin(own: Parts, data: bytes, player: str, solve_flops: bool) -> ReviewRecord:
    histories = read_histories(data)
    asked = histories.to_review(player)
    if not asked:
        names = sorted({name for hand in histories.hands for name in hand.names})[:10]
        why = f"no hand of {player!r} with known cards" if player else "no heads-up hand to review"
        left_out = "; ".join(f"{n}: {why}" for why, n in [*histories.reasons.items()][:3])
        seen = f"; players are {', '.join(names)}" if names else ""
        raise InputError(f"{why}{seen}{'; ' + left_out if left_out else ''}")
    folder = own.library.new_review()
    write_bytes(folder / HISTORIES, data)
    wanted = ReviewWanted(review=folder.name, player=player, solve_flops=solve_flops)
    title = f"Review of {len(asked):,} hands" if len(asked) > 1 else "Review of a hand"
    own.jobs.add("review", title, wanted.model_dump(), "cpu")
    return _record(own, folder.name, 0, 0)


@router.get("/{id}")
def review(
    id: str,
    own: Own,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 100,
) -> ReviewRecord:
    """Totals, and some of the hands from one on, the worst first."""
    return _record(own, id, offset, limit)


@router.get("/{id}/hands/{number}")
def hand(id: str, number: int, own: Own) -> HandRecord:
    """A hand with its decisions."""
    return read_hand_record(own.library.review(id), max(number, 0))


@router.delete("/{id}", status_code=204)
def delete(id: str, own: Own) -> Response:
    """Remove a review and its hands from the disk."""
    folder, job = own.library.review(id), _job_of(own, id)
    if job is not None and job.status in ("waiting", "running"):
        raise InputError(f"this review is {job.status}: stop it first")
    shutil.rmtree(folder, ignore_errors=True)
    return Response(status_code=204)


def _record(own: Parts, id: str, offset: int, limit: int) -> ReviewRecord:
    totals = read_totals(own.library.review(id))
    return ReviewRecord(
        id=id,
        job=_job_of(own, id),
        num_asked=totals.num_asked if totals else 0,
        num_done=totals.num_done if totals else 0,
        lost_bb=totals.lost_bb if totals else 0.0,
        lost_bb_per_100=totals.lost_bb_per_100 if totals else None,
        streets=totals.streets if totals else {},
        skipped=totals.skipped if totals else {},
        hands=totals.hands[offset : offset + limit] if totals else [],
    )


def _job_of(own: Parts, id: str) -> Job | None:
    """The job of a review; jobs are forgotten one day, reviews are not."""
    of_reviews = (job for job in own.jobs.all() if job.kind == "review")
    return next((job for job in of_reviews if job.wanted.get("review") == id), None)
