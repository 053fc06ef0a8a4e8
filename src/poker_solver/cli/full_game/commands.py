"""`unified`, `solve-unified`, `certify`: a full game trained, certified and kept in one file."""

import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.full_game.output import note, over_text, print_plan, show
from poker_solver.cli.options import AsJson, Cluster, MaxIterations, MaxSeconds, Quiet, Threads
from poker_solver.cli.output import leave_if_interrupted
from poker_solver.errors import FormatError, PokerSolverError
from poker_solver.runtime.device import wake_cuda

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cards.flops import FlopSet
    from poker_solver.cfr.progress import Progress
    from poker_solver.config.unified import UnifiedConfig
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.fullgame.solver import UnifiedSolver
    from poker_solver.jobs.full_game import FullGameTraining
    from poker_solver.pool import Pool

SAVE, STRATEGY = "unified.pks", "preflop_strategy.json"
"""What `solve-unified` leaves in its folder."""

GameName = Annotated[
    str,
    typer.Argument(
        help="A preset (hu_10, hu_20, hu_50, hu_100, hu_20_laptop, hu_100_laptop, hu_tiny) or YAML."
    ),
]
Save = Annotated[Path, typer.Option(help="Write the strategy; a run that was stopped goes on.")]
TargetMbb = Annotated[
    float | None,
    typer.Option(help="Stop at this exploitability on the flops that are trained, in mbb."),
]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
PrintEvery = Annotated[
    int, typer.Option(min=1, help="Checks between two lines of progress, not on a terminal.")
]
CertifyOver = Annotated[
    str | None,
    typer.Option(
        "--certify",
        help="Flops of the certificate: all, 184, 95, 47, 25, 12, 5, a file, none; those of the "
        "config if not given.",
    ),
]


def unified(
    config: GameName,
    save: Save,
    target_mbb: TargetMbb = None,
    max_seconds: MaxSeconds = None,
    max_iterations: MaxIterations = None,
    device: Device = "auto",
    threads: Threads = None,
    print_every: PrintEvery = 1,
    certify_over: CertifyOver = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve a full game, from the blinds to the river, and certify how good the strategy is.

    Without a rule to stop at, the epochs of the config.
    """
    options = _options(target_mbb, max_seconds, max_iterations, device, threads, not quiet)
    with pool_of(cluster) as pool:
        run(config, save, options, certify_over, print_every, as_json=as_json, pool=pool)


def _options(
    target_mbb: float | None,
    max_seconds: float | None,
    max_iterations: int | None,
    device: str,
    threads: int | None,
    progress: bool,
) -> SolveOptions:
    """What both names of the command are given; the GPU's driver begins to wake."""
    wake_cuda(device)
    return SolveOptions(
        target=target_mbb,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        device=device,
        threads=threads,
        progress=progress,
    )


def solve_unified(
    config: Annotated[str, typer.Option("--config", "-c", help="A YAML file or a preset.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the results.")],
    target_mbb: TargetMbb = None,
    max_seconds: MaxSeconds = None,
    max_iterations: MaxIterations = None,
    device: Device = "auto",
    threads: Threads = None,
    print_every: PrintEvery = 1,
    certify_over: CertifyOver = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Do what `unified` does, into a folder, with preflop as JSON beside the save."""
    options = _options(target_mbb, max_seconds, max_iterations, device, threads, not quiet)
    with pool_of(cluster) as pool:
        run(
            config, out / SAVE, options, certify_over, print_every, as_json=as_json, folder=out,
            pool=pool,
        )  # fmt: skip


def certify(
    save: Annotated[Path, typer.Argument(help="What `unified` saved.")],
    flops: Annotated[
        str, typer.Option(help="all (1,755), 184, 95, 47, 25, 12, 5, or a file of flops.")
    ] = "all",
    target_mbb: Annotated[
        float | None,
        typer.Option(help="What may be left to gain after the flop, in mbb; 2 if not given."),
    ] = None,
    device: Device = "auto",
    threads: Threads = None,
    print_every: PrintEvery = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the exact exploitability of a saved full game over some flops, and keep it there."""
    wake_cuda(device)
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.fullgame.solver import LIFT_MBB
    from poker_solver.store.files import check_target

    options = SolveOptions(
        target=LIFT_MBB if target_mbb is None else target_mbb,
        device=device,
        threads=threads,
        progress=not quiet,
    )
    chosen, solution = find_flop_set(flops), UnifiedSolution.load(save)
    check_target(save)
    with pool_of(cluster) as pool:
        solver = opened(solution, options, pool)
        certified(solver, save, chosen, options, print_every, as_json=as_json)


def opened(
    solution: "UnifiedSolution", options: SolveOptions, pool: "Pool[Any] | None"
) -> "UnifiedSolver":
    """What certifies a solution."""
    from poker_solver.fullgame.solver import UnifiedSolver

    device, threads = options.device, options.threads
    return UnifiedSolver.of(solution, device=device, threads=threads, pool=pool)


def pool_of(cluster: str | None) -> "AbstractContextManager[Pool[Any] | None]":
    """The workers of a cluster, if one is named."""
    from poker_solver.pool import open_pool

    return nullcontext() if cluster is None else open_pool(cluster)


def run(
    name: str,
    save: Path,
    options: SolveOptions,
    certify_over: str | None,
    print_every: int,
    *,
    as_json: bool,
    folder: Path | None = None,
    pool: "Pool[Any] | None" = None,
) -> None:
    """Say what it takes, train, keep it, certify it, show it."""
    from poker_solver.config.unified import UnifiedConfig
    from poker_solver.fullgame.solver import LIFT_MBB
    from poker_solver.jobs.full_game import FullGameTraining

    config = UnifiedConfig.load(name)
    chosen = certificate_flops(config, certify_over)
    for text in config.notes:
        note(text)
    if folder is not None:
        make_folder(folder)
    training = FullGameTraining(config, save, options, note, pool)
    if options.progress:
        print_plan(config, training.plan)
    if options.target is not None and not training.solver.is_resident:
        note("the flops are trained in batches, for all epochs: --target-mbb does not stop it")
    training.take_up()
    solution = trained(training, print_every)
    try:
        training.save(solution)
        if folder is not None:
            write_strategy(folder / STRATEGY, solution)
    except FormatError:  # a full disk costs nobody the result on screen
        show(solution, as_json=as_json)
        raise
    solver = training.solver if chosen is not None and training.holds(chosen) else None
    if solver is None:
        training.solver.close()
    del training  # makes room for a lift
    if chosen is None or solution.record.stopped == "interrupted":
        show(solution, as_json=as_json)
        leave_if_interrupted(solution.record.stopped)
    elif solution.rows is not None and solution.rows.flops == chosen.flops:
        show(solution, chosen, as_json=as_json)  # certified by an earlier run
    else:
        lift = replace(options, target=min(options.target or LIFT_MBB, LIFT_MBB))
        if solver is None:
            solver = opened(solution, options, pool)
        certified(solver, save, chosen, lift, print_every, as_json=as_json)


def certificate_flops(config: "UnifiedConfig", given: str | None) -> "FlopSet | None":
    """The flops to certify over: those that are named, those of the config, or none."""
    if given == "none":
        return None
    return config.flop_set() if given is None else find_flop_set(given)


def find_flop_set(name: str) -> "FlopSet":
    """A set of flops that stands for all of them."""
    from poker_solver.cards.flops import find_flops

    return find_flops(name).up_to_suits()


def make_folder(folder: Path) -> None:
    """The folder to leave results in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write into {folder}: {error.strerror or error}") from error


def trained(training: "FullGameTraining", print_every: int) -> "UnifiedSolution":
    """Train, and say how far it is."""
    from poker_solver.terminal import telling, training_line

    first, shown = training.solver.preflop.iteration, bool(training.options.progress)
    opening = "opening the tables; the first run compiles the kernels, some 10 s"
    with telling(shown, print_every, opening) as tell:

        def report(progress: "Progress") -> None:
            tell(training_line(progress, training.flops_per_second(progress, first)))

        return training.run(report)


def certified(
    solver: "UnifiedSolver",
    save: Path,
    flops: "FlopSet",
    options: SolveOptions,
    print_every: int,
    *,
    as_json: bool,
) -> None:
    """Certify over these flops, into the save, and show the result; without it if that fails.

    The target is what may be left to gain after the flop.
    """
    from poker_solver.jobs.full_game import certify_save
    from poker_solver.terminal import lift_line, telling

    solution, shown = solver.solution(), bool(options.progress)
    over = over_text(solution, flops)
    try:
        with telling(shown, print_every, f"certifying over {over}") as tell:
            found = certify_save(
                solver, save, flops, options, lambda told: tell(f"certifying: {lift_line(told)}")
            )
    except FormatError:
        show(solution, as_json=as_json)
        raise
    except KeyboardInterrupt:
        show(solution, as_json=as_json)
        raise PokerSolverError("stopped by Ctrl-C; the same command goes on certifying") from None
    show(found, flops, as_json=as_json)


def write_strategy(path: Path, solution: "UnifiedSolution") -> None:
    """Preflop as JSON: who acts at each line, and what every hand does there."""
    from poker_solver.query.export import strategy_by_line
    from poker_solver.store.files import write_bytes

    write_bytes(path, (json.dumps(strategy_by_line(solution.preflop)) + "\n").encode())
