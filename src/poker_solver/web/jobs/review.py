"""A review of hands as a job: what there is so far is written every few seconds."""

import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from poker_solver.runtime.interrupts import Interrupt
from poker_solver.web.jobs.records import Job, JobProgress, Tell
from poker_solver.web.library import Library

KEEP_SECONDS, TELL_SECONDS = 5.0, 0.25
FLOP_SECONDS = 60.0
"""A flop is solved for so long at most, if flops are to be."""


class ReviewWanted(BaseModel):
    """Hands of a folder, and whose decisions are looked at."""

    model_config = ConfigDict(extra="forbid")

    review: str  # its id
    player: str = Field("", max_length=100)  # by name; the hero if empty
    solve_flops: bool = False


def run_review(job: Job, _: Path, library: Library, tell: Tell, stop: Interrupt) -> str:
    """Review the hands one by one; the id of the review."""
    from poker_solver.play.review import HandReview, Review, Reviewer, reviews_of
    from poker_solver.protocols.histories.read import read_histories
    from poker_solver.web.jobs.review_files import HISTORIES, keep_review

    wanted = ReviewWanted.model_validate(job.wanted)
    folder = library.review(wanted.review)
    tell(JobProgress(text="reading; the first run compiles for some 10 s"), None)
    histories = read_histories((folder / HISTORIES).read_bytes())
    asked = histories.to_review(wanted.player)
    reviewer = Reviewer(flop_seconds=FLOP_SECONDS if wanted.solve_flops else 0.0)
    found, began = list[HandReview](), time.monotonic()
    kept = said = began

    def told() -> JobProgress:
        seconds, done = time.monotonic() - began, len(found)
        left = seconds / done * (len(asked) - done) if done else None
        return JobProgress(
            done=done, total=len(asked), seconds=seconds, seconds_left=left,
            text=f"{done:,} of {len(asked):,} hands",
        )  # fmt: skip

    for one in reviews_of(asked, reviewer, lambda: stop.requested):
        found.append(one)
        if time.monotonic() - kept > KEEP_SECONDS:
            keep_review(folder, Review.of(found, len(asked)), histories.reasons)
            kept = time.monotonic()
        if time.monotonic() - said > TELL_SECONDS:
            tell(told(), None)
            said = time.monotonic()
    keep_review(folder, Review.of(found, len(asked)), histories.reasons)
    tell(told(), None)
    return wanted.review
