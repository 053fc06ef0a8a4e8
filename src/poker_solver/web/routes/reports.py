"""One spot on many flops: asked for, watched, gone on with, read line by line."""

import shutil
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.errors import FormatError, InputError
from poker_solver.postflop.plan import plan
from poker_solver.query.palette import chosen_palette
from poker_solver.runtime.memory import plan_bytes
from poker_solver.web.jobs.records import Job
from poker_solver.web.jobs.report import Lines, ReportWanted, keep_report
from poker_solver.web.parts import Parts, parts
from poker_solver.web.reports import SUITS_APART, OpenReport, ReportState, ReportTable

router = APIRouter(prefix="/api/reports", tags=["reports"])
Own = Annotated[Parts, Depends(parts)]
Line = Annotated[str, Query(max_length=500)]
Where = Annotated[str, Query(max_length=1_000)]
Sort = Annotated[str, Query(max_length=100)]


class ReportRecord(BaseModel):
    """A report, what was asked for, how far it is, and the job that works on it."""

    id: str
    wanted: ReportWanted
    state: ReportState
    job: Job | None  # the last one


class ReportCheck(BaseModel):
    """What a report would be."""

    num_flops: int
    num_impossible: int
    lines: list[str]
    num_bytes: int  # of one flop while it is solved
    device: str
    note: str


class MoreOfReport(BaseModel):
    """What a report is to go on to; what is left out stays."""

    model_config = ConfigDict(extra="forbid")

    target_pct: float | None = Field(None, gt=0, le=100)
    lines: Lines | None = None
    name: str | None = Field(None, max_length=100)


@router.get("")
def reports(own: Own) -> list[ReportRecord]:
    """Newest first; what cannot be read is left out."""
    found = []
    for id in own.library.reports():
        with suppress(FormatError, InputError):
            found.append(_record(own, id))
    return sorted(found, key=lambda report: -report.wanted.created)


@router.post("")
def new_report(wanted: ReportWanted, own: Own) -> ReportRecord:
    """Queue a report; what cannot be solved is refused at once."""
    device = check(wanted, own).device
    folder = own.library.new_report()
    keep_report(folder, wanted)
    _queue(own, folder.name, wanted, device)
    return _record(own, folder.name)


@router.post("/check")
def check(wanted: ReportWanted, own: Own) -> ReportCheck:
    """How many flops, how large each is; nothing is solved."""
    batch = wanted.batch(own.settings.folder)
    planned = plan(batch.example, device=wanted.device, precision=wanted.precision)
    return ReportCheck(
        num_flops=len(batch.flops),
        num_impossible=len(batch.problems),
        lines=list(batch.lines),
        num_bytes=plan_bytes(planned.slabs),
        device=planned.device,
        note=SUITS_APART if batch.tells_suits_apart else "",
    )


@router.get("/{id}")
def report(id: str, own: Own) -> ReportRecord:
    """One of them."""
    return _record(own, id)


@router.post("/{id}/go-on")
def go_on(id: str, more: MoreOfReport, own: Own) -> ReportRecord:
    """After a stop, to a stricter target, or to more lines; what is done is kept."""
    found = OpenReport(own.library, id)
    job = _job_of(own, id)
    if job is not None and job.status in ("waiting", "running"):
        raise InputError(f"this report is {job.status}: stop it first")
    wanted = found.wanted.model_copy(update=more.model_dump(exclude_none=True))
    device = check(wanted, own).device
    keep_report(found.folder, wanted)
    _queue(own, id, wanted, device)
    return _record(own, id)


@router.delete("/{id}", status_code=204)
def delete(id: str, own: Own) -> Response:
    """Remove a report with its saves from the disk."""
    folder, job = own.library.report(id), _job_of(own, id)
    if job is not None and job.status in ("waiting", "running"):
        raise InputError(f"this report is {job.status}: stop it first")
    shutil.rmtree(folder, ignore_errors=True)
    return Response(status_code=204)


@router.get("/{id}/table")
def table(id: str, own: Own, line: Line = "", where: Where = "", sort: Sort = "") -> ReportTable:
    """What is played after a line, on flops by `paired, b33%>60%`, in the order of a column."""
    return OpenReport(own.library, id).table(line, where, sort, chosen_palette())


@router.get("/{id}/csv")
def csv(id: str, own: Own, line: Line = "", where: Where = "", sort: Sort = "") -> Response:
    """The same as a file, as `batch` writes it."""
    text = OpenReport(own.library, id).csv(line, where, sort)
    headers = {"content-disposition": f'attachment; filename="report-{id}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _record(own: Parts, id: str) -> ReportRecord:
    found = OpenReport(own.library, id)
    return ReportRecord(id=id, wanted=found.wanted, state=found.state(), job=_job_of(own, id))


def _job_of(own: Parts, id: str) -> Job | None:
    """The last job of a report; jobs are forgotten one day, reports are not."""
    of_reports = (job for job in own.jobs.all() if job.kind == "report")
    return next((job for job in of_reports if job.wanted.get("report") == id), None)


def _queue(own: Parts, id: str, wanted: ReportWanted, device: str) -> None:
    title = wanted.name or f"Report on {wanted.flops[:40]} flops"
    own.jobs.add("report", title, {"report": id}, device)
