"""The full game on this machine's CPU: the tree of `hu_tiny`, then `hu_10` on five flops."""

from collections.abc import Iterator

from benchmarks.rows import Row
from poker_solver.cfr.progress import Progress
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.fullgame.solver import UnifiedSolver

GOALS = (10.0, 3.0, 1.0)  # mbb


def run() -> Iterator[Row]:
    """Seconds until the subset game is solved so far."""
    yield from training("hu_tiny", None, "cpu", 0.5, 60)[1]
    yield from training("hu_10", "5", "cpu", 1.0, 600)[1]


def training(
    name: str, flops: str | None, device: str, target_mbb: float, most_seconds: float
) -> tuple[UnifiedSolution, list[Row]]:
    """Train a preset, on other flops if they are given; a first step that compiles is left out."""
    config = UnifiedConfig.load(name)
    if flops is not None:
        config = UnifiedConfig.from_mapping({**config.to_mapping(), "flops": flops})
    UnifiedSolver(config, device=device).trunk.train(1)
    solver = UnifiedSolver(config, device=device)
    seen: list[tuple[float, float]] = []  # seconds, mbb

    def told(progress: Progress) -> None:
        seen.append((progress.seconds, progress.exploitability))

    solver.train(target_mbb, max_seconds=most_seconds, progress=told)
    case = f"{name}, {len(solver.flops)} flops, {len(solver.game.lines)} lines"
    rows = [
        Row(f"{case}: elements", solver.plan.num_elements / 1e6, "M"),
        Row(f"{case}: memory", solver.table_bytes / 1e9, "GB"),
        Row(f"{case}: iteration", 1e3 * solver.seconds / solver.preflop.iteration, "ms"),
    ]
    for goal in GOALS:
        reached = [seconds for seconds, mbb in seen if mbb <= goal]
        if reached:
            rows.append(Row(f"{case}: to {goal:g} mbb in the subset game", reached[0], "s"))
    rows.append(Row(f"{case}: button's value", 1e3 * solver.value(), "mbb"))
    return solver.solution(), rows
