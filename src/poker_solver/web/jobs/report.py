"""A report: one spot on many flops, in a folder of the library; what `batch` does, as a job.

FOLDER/.reports/ID/report.json    what was asked for last
FOLDER/.reports/ID/               the tables and the saves that `batch` writes
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from poker_solver.cards.flops import typed_flops
from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import ManyProgress
from poker_solver.config.named_spots import typed_fields
from poker_solver.errors import FormatError, PokerSolverError
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.store.files import write_bytes
from poker_solver.web.jobs.records import Job, JobProgress, Tell
from poker_solver.web.library import Library

if TYPE_CHECKING:  # a compiler
    from poker_solver.jobs.flop_batch import FlopBatch

REPORT_FILE = "report.json"
MOST_LINES = 40
TELL_SECONDS = 0.25

Line = Annotated[str, Field(max_length=500)]
Lines = Annotated[list[Line], Field(max_length=MOST_LINES)]


class ReportWanted(BaseModel):
    """One spot on many flops, and what is told of each."""

    model_config = ConfigDict(extra="forbid")

    spot: str = Field(max_length=1_000_000)  # YAML; its board is not used
    flops: str = Field("47", max_length=20_000)  # all, 184, 95, 47, or flops by commas
    lines: Lines = []  # x, x b33%; the first decision is always told
    name: str = Field("", max_length=100)
    target_pct: float | None = Field(None, gt=0, le=100)
    max_iterations: int | None = Field(None, gt=0)
    device: str = Field("auto", max_length=20)
    threads: int | None = Field(None, ge=1, le=1024)
    precision: Literal["float32", "int16"] = "float32"
    created: float = 0.0  # seconds since 1970

    def batch(self, folder: Path) -> "FlopBatch":
        """The same as `batch` has it; what is wrong with it is said."""
        from poker_solver.jobs.flop_batch import FlopBatch

        options = SolveOptions(
            target=self.target_pct, max_iterations=self.max_iterations, device=self.device,
            threads=self.threads, precision=self.precision,
        ).stopping(POSTFLOP_TARGET_PCT)  # fmt: skip
        flops = typed_flops(self.flops.strip())
        return FlopBatch.of(typed_fields(self.spot), flops, folder, options, lines=self.lines)


def keep_report(folder: Path, wanted: ReportWanted) -> None:
    """Note in a report's folder what is asked for."""
    dated = wanted if wanted.created else wanted.model_copy(update={"created": time.time()})
    write_bytes(folder / REPORT_FILE, dated.model_dump_json(indent=1).encode())


def read_report(folder: Path) -> ReportWanted:
    """What was asked for."""
    try:
        return ReportWanted.model_validate_json((folder / REPORT_FILE).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"report {folder.name} says no more what it is about") from error


def run_report(job: Job, _: Path, library: Library, tell: Tell, stop: Interrupt) -> str:
    """Solve the flops that are not done yet; the id of the report."""
    id = str(job.wanted["report"])
    tell(JobProgress(text="reading what is there; the first run compiles for some 10 s"), None)
    batch = read_report(library.report(id)).batch(library.report(id))
    before, total = batch.num_done(), len(batch.flops)

    last = 0.0

    def report(told: ManyProgress) -> None:
        nonlocal last
        if time.monotonic() - last < TELL_SECONDS:
            return
        last, done = time.monotonic(), before + told.done
        text = f"{told.board} at {told.exploitability_pct:.3g} % of pot"
        tell(
            JobProgress(
                done=done, total=total, seconds=told.seconds, seconds_left=told.seconds_left,
                text=text,
            ),
            None,
        )  # fmt: skip

    tell(JobProgress(done=before, total=total, text=f"{before:,} of {total:,} flops"), None)
    result = batch.run(report, stop)
    if result.failed:
        flop, why = next(iter(result.failed.items()))
        raise PokerSolverError(
            f"{len(result.failed):,} of {total:,} flops could not be solved; {flop}: {why}"
        )
    if not result.interrupted:
        told = JobProgress(done=total, total=total, seconds=result.seconds, text="all flops done")
        tell(told, None)
    return id
