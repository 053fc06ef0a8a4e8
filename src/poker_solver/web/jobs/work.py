"""What each kind of job does, inside its own process: wanted in, a result's id out."""

from collections.abc import Callable
from pathlib import Path

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cfr.progress import Progress
from poker_solver.config.spot import Spot
from poker_solver.runtime.interrupts import Interrupt
from poker_solver.web.jobs.records import Job, JobProgress, SolveWanted, Tell
from poker_solver.web.jobs.report import run_report
from poker_solver.web.jobs.review import run_review
from poker_solver.web.library import Library

CHECKPOINT = "checkpoint.pks"


def run_solve(job: Job, folder: Path, library: Library, tell: Tell, stop: Interrupt) -> str:
    """Solve, or go on from the checkpoint that is there; the solution goes into the library."""
    from poker_solver.postflop.plan import plan
    from poker_solver.postflop.solve.solver import PostflopSolver, settled

    wanted = SolveWanted.model_validate(job.wanted)
    spot, checkpoint = Spot.from_yaml(wanted.spot), folder / CHECKPOINT

    def report(told: Progress) -> None:
        point = float(told.iteration), told.exploitability
        tell(
            JobProgress(
                done=told.iteration,
                exploitability_pct=told.exploitability,
                seconds=told.seconds,
                seconds_left=told.seconds_left,
                text=f"iteration {told.iteration:,}",
            ),
            point,
        )

    options = SolveOptions(
        target=wanted.target_pct, max_seconds=wanted.max_seconds,
        max_iterations=wanted.max_iterations, device=wanted.device, threads=wanted.threads,
        precision=wanted.precision, progress=report, stop=stop, checkpoint=checkpoint,
    ).stopping(POSTFLOP_TARGET_PCT)  # fmt: skip
    tell(JobProgress(text="building the tree; the first run compiles for some 10 s"), None)
    if checkpoint.exists():
        solver = PostflopSolver.load(
            checkpoint, spot=spot, device=options.device, threads=options.threads
        )
    else:
        planned = plan(spot, device=options.device, precision=options.precision)
        solver = PostflopSolver(settled(planned, options), threads=options.threads)
    solution = solver.go_on(options)
    path = (
        library.folder / f"{job.result}.pks" if job.result else library.new_path(_name(job, spot))
    )
    solution.save(path, rivers=wanted.rivers)
    if solution.record.stopped == "target" or wanted.name or wanted.tags:
        library.rename(path.stem, wanted.name or None, wanted.tags or None)
    return path.stem


def _name(job: Job, spot: Spot) -> str:
    return str(job.wanted.get("name") or f"{spot.board}-{spot.pot}")


RUNS: dict[str, Callable[[Job, Path, Library, Tell, Interrupt], str]] = {
    "solve": run_solve,
    "report": run_report,
    "review": run_review,
}
"""By kind."""
