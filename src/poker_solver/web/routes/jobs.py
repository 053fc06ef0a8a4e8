"""Long work: what is queued, how it stands, stopping it and going on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.config.spot import Spot
from poker_solver.errors import NotFoundError
from poker_solver.postflop.plan import check_cpu, plan
from poker_solver.web.jobs.records import Job, SolveWanted
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/jobs", tags=["jobs"])
Own = Annotated[Parts, Depends(parts)]

LOOK_SECONDS = 0.1
QUIET_SECONDS = 15.0
"""After which a stream says that it is still there."""


class JobRecord(Job):
    """A job, and where in its queue it stands."""

    position: int = 0  # 0 where it does not wait

    @classmethod
    def of(cls, own: Parts, job: Job, *, with_curve: bool = True) -> "JobRecord":
        """As it stands now."""
        shown = job.model_dump() if with_curve else job.model_dump(exclude={"curve"})
        return cls.model_validate({**shown, "position": own.jobs.position(job.id)})


class More(BaseModel):
    """What a stopped solve is to go on to."""

    model_config = ConfigDict(extra="forbid")

    target_pct: float | None = Field(None, gt=0, le=100)
    max_seconds: float | None = Field(None, gt=0)
    max_iterations: int | None = Field(None, gt=0)


@router.get("")
def all_jobs(own: Own) -> list[JobRecord]:
    """Newest first, without their curves."""
    return [JobRecord.of(own, job, with_curve=False) for job in own.jobs.all()]


@router.post("/solve")
def solve(wanted: SolveWanted, own: Own) -> Job:
    """Queue a solve; what cannot be solved or does not fit is refused at once."""
    spot = Spot.from_yaml(wanted.spot)
    planned = plan(spot, device=wanted.device, precision=wanted.precision)
    if planned.device == "cpu" and not own.jobs.is_busy("cpu"):  # else memory will be free again
        check_cpu(planned)
    title = wanted.name or f"{spot.board}, pot {spot.pot:,}"
    return own.jobs.add("solve", title, wanted.model_dump(), planned.device)


@router.get("/{id}")
def job(id: str, own: Own) -> JobRecord:
    """One of them, with its curve."""
    return JobRecord.of(own, own.jobs.get(id))


@router.post("/{id}/stop")
def stop(id: str, own: Own) -> Job:
    """End it; what it has found so far is kept."""
    return own.jobs.stop(id)


@router.post("/{id}/go-on")
def go_on(id: str, more: More, own: Own) -> Job:
    """From where it stopped."""
    return own.jobs.go_on(id, more.model_dump(exclude_none=True))


@router.delete("/{id}", status_code=204)
def delete(id: str, own: Own) -> Response:
    """Forget it; what it put into the library stays."""
    own.jobs.delete(id)
    return Response(status_code=204)


@router.get("/{id}/events")
def events(id: str, own: Own) -> StreamingResponse:
    """The job whenever it changes, as server-sent events, until it ends."""
    own.jobs.get(id)
    headers = {"cache-control": "no-store", "content-encoding": "identity"}
    return StreamingResponse(_changes(own, id), media_type="text/event-stream", headers=headers)


async def _changes(own: Parts, id: str) -> AsyncIterator[str]:
    seen, quiet = (-1, 0), 0.0
    while True:
        try:
            job = own.jobs.get(id)
        except NotFoundError:  # deleted meanwhile
            return
        if (now := (job.version, own.jobs.position(id))) != seen:
            seen, quiet = now, 0.0
            yield f"data: {JobRecord.of(own, job).model_dump_json()}\n\n"
            if job.status not in ("waiting", "running"):
                return
        elif quiet >= QUIET_SECONDS:
            quiet = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(LOOK_SECONDS)
        quiet += LOOK_SECONDS
