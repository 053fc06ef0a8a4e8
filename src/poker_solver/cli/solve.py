"""`solve`: a postflop spot from a file or from options, solved, summed up and written down."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.cli.options import (
    AsJson,
    Device,
    MaxIterations,
    MaxSeconds,
    Precision,
    Quiet,
    Threads,
    check_apart,
    check_writable,
)
from poker_solver.cli.output import (
    STOPS,
    device_text,
    mix_text,
    number_table,
    spot_text,
    tell_interrupted,
    written,
)
from poker_solver.cli.pages.export import check_export, write_export
from poker_solver.errors import ConfigError, InputError
from poker_solver.runtime.device import wake_cuda

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.solution.solution import LockRecord, Solution
    from poker_solver.postflop.solve.solver import PostflopSolver

SPOT_PANEL = "A spot without a file"

SpotPath = Annotated[
    Path | None, typer.Argument(help="A spot in YAML, or the name of one: turn_example.")
]
Board = Annotated[str | None, typer.Option(help="QsJh2h", rich_help_panel=SPOT_PANEL)]
Pot = Annotated[int | None, typer.Option(help="Chips.", rich_help_panel=SPOT_PANEL)]
Stack = Annotated[int | None, typer.Option(help="Chips behind.", rich_help_panel=SPOT_PANEL)]
Oop = Annotated[str | None, typer.Option(help='"88+,A8s+"', rich_help_panel=SPOT_PANEL)]
Ip = Annotated[str | None, typer.Option(help='"99-22"', rich_help_panel=SPOT_PANEL)]
Bet = Annotated[
    str | None, typer.Option(help="Both players, every street: 52%,a", rich_help_panel=SPOT_PANEL)
]
Raise = Annotated[
    str | None, typer.Option("--raise", help="Likewise: 45%,2.5x", rich_help_panel=SPOT_PANEL)
]
LockTexts = Annotated[
    list[str] | None,
    typer.Option("--lock", help='Fix a strategy for all hands: "x b94=f:0.5,c:0.5"; repeatable.'),
]
Target = Annotated[
    float | None,
    typer.Option(help="Stop at this exploitability, % of the pot; 0.3 if no other rule is given."),
]
ScheduleText = Annotated[
    str | None, typer.Option("--schedule", help="dcfr:1.35,0.25,4 if not given; dcfr:A,B,G, cfr+.")
]
Save = Annotated[Path | None, typer.Option(help="Write the solution; explore opens it.")]
NoRivers = Annotated[
    bool,
    typer.Option("--no-rivers", help="Save flop and turn; a river is solved when it is opened."),
]
Checkpoint = Annotated[
    Path | None, typer.Option(help="Write all that --load needs: every 5 minutes and at the end.")
]
Load = Annotated[Path | None, typer.Option(help="Go on from a checkpoint.")]
Export = Annotated[Path | None, typer.Option(help="Write the node to a .csv, .json or .parquet.")]
Line = Annotated[str, typer.Option(help='The node to export: "x b94 c 7d"; the first one.')]


def solve(
    spot: SpotPath = None,
    board: Board = None,
    pot: Pot = None,
    stack: Stack = None,
    oop: Oop = None,
    ip: Ip = None,
    bet: Bet = None,
    raise_: Raise = None,
    lock: LockTexts = None,
    target: Target = None,
    max_iterations: MaxIterations = None,
    max_seconds: MaxSeconds = None,
    device: Device = "auto",
    threads: Threads = None,
    precision: Precision = "float32",
    schedule: ScheduleText = None,
    save: Save = None,
    no_rivers: NoRivers = False,
    checkpoint: Checkpoint = None,
    load: Load = None,
    export: Export = None,
    line: Line = "",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve a flop, turn or river spot."""
    wake_cuda(device)
    words = {"board": board, "pot": pot, "stack": stack, "oop": oop, "ip": ip}
    sizes = {"bet": bet, "raise": raise_}
    options = SolveOptions(
        target=target,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        device=device,
        threads=threads,
        precision=precision,
        schedule=schedule,
        progress=not quiet,
        checkpoint=checkpoint,
    ).stopping(POSTFLOP_TARGET_PCT)
    check_apart(spot, save=save, checkpoint=checkpoint, export=export)
    found = read_spot(spot, words, sizes, load is not None)
    found = with_locks(found, lock or [])
    run(found, options, load, save, export, line, rivers=not no_rivers, as_json=as_json)


def read_spot(
    path: Path | None, words: dict[str, Any], sizes: dict[str, str | None], loads: bool
) -> "Spot | None":
    """The spot of the file or of the options; None where a checkpoint says what it is."""
    from poker_solver.config.named_spots import find_spot
    from poker_solver.config.spot import STREETS, Spot

    given = {name: value for name, value in {**words, **sizes}.items() if value is not None}
    if path is not None:
        if given:
            raise InputError(f"give a file or --{next(iter(given))}, not both")
        return find_spot(path)
    if not given:
        if loads:
            return None
        raise InputError("give a spot: a YAML file, or --board, --pot, --stack, --oop and --ip")
    if missing := [f"--{name}" for name, value in words.items() if value is None]:
        raise InputError(f"a spot without a file needs {', '.join(missing)} too")
    street, problems = _read_sizes(sizes)
    played = dict.fromkeys(STREETS, street)
    players = {name: {"range": words[name], **played} for name in ("oop", "ip")}
    try:
        spot = Spot.from_mapping({**words, **players})
    except ConfigError as error:
        problems.append(str(error))
    if problems:
        raise InputError("; ".join(problems))
    return spot


def _read_sizes(sizes: dict[str, str | None]) -> tuple[dict[str, str], list[str]]:
    """Those that are given and sound, and what is wrong with the others."""
    from poker_solver.config.sizes import parse_sizes

    street, problems = dict[str, str](), list[str]()
    for name, text in sizes.items():
        if text is None:
            continue
        try:
            parse_sizes(text, raising=name == "raise")
            street[name] = text
        except InputError as error:
            problems.append(f"--{name}: {error}")
    return street, problems


def with_locks(spot: "Spot | None", texts: list[str]) -> "Spot | None":
    """The spot with locks of the command line added to its own."""
    from poker_solver.config.locks import parse_lock

    if not texts:
        return spot
    if spot is None:
        raise InputError("--lock changes the spot, --load goes on with the one of its checkpoint")
    return spot.with_locks([*spot.locks, *map(parse_lock, texts)])


def run(
    spot: "Spot | None",
    options: SolveOptions,
    load: Path | None,
    save: Path | None,
    export: Path | None,
    line: str,
    *,
    rivers: bool,
    as_json: bool,
) -> None:
    """Check what can be checked before any work, solve, write files, then show."""
    if load is not None and options.precision != "float32":
        raise InputError("--load goes on in the precision of its checkpoint; leave --precision out")
    if load is not None and options.schedule is not None:
        raise InputError("--load goes on with the schedule of its checkpoint")
    check_writable(save)
    check_for_spot(spot, save, export, line, rivers)
    solver = begin(spot, options, load)
    if spot is None:
        check_for_spot(solver.spot, save, export, line, rivers)
    solution = solver.go_on(options)
    if options.progress:
        tell_interrupted(solution.record.stopped, solution.iterations)
    failed = [] if solver.unsaved is None else [str(solver.unsaved)]
    del solver  # of the CPU: regrets make room for what is written
    with written(
        (save, lambda path: solution.save(path, rivers=rivers)),
        (export, lambda path: write_export(path, solution, line)),
        failed=failed,
    ):
        if as_json:
            typer.echo(json.dumps(solution.summary()))
        else:
            print_summary(solution)


def check_for_spot(
    spot: "Spot | None", save: Path | None, export: Path | None, line: str, rivers: bool
) -> None:
    """Refuse what cannot be written of a spot; what depends on the spot, once it is known."""
    if not rivers and (save is None or (spot and len(spot.cards) == 5)):
        raise InputError("--no-rivers is about what --save keeps of a flop or turn spot")
    check_export(export, spot, line)


def begin(spot: "Spot | None", options: SolveOptions, load: Path | None) -> "PostflopSolver":
    """A solve that has not begun, or the one in a checkpoint."""
    from poker_solver.terminal import getting_ready

    with getting_ready(bool(options.progress)):
        planned = None
        if spot is not None:
            from poker_solver.postflop.plan import open_early, plan

            planned = plan(spot, device=options.device, precision=options.precision)
            open_early(planned)
        from poker_solver.postflop.solve.solver import PostflopSolver, settled

        if load is not None:
            return PostflopSolver.load(
                load, spot=spot, device=options.device, threads=options.threads
            )
        if planned is None:
            raise InputError("there is no spot to solve")
    planned = settled(planned, options)
    with getting_ready(bool(options.progress)):
        return PostflopSolver(planned, schedule=options.schedule, threads=options.threads)


def print_summary(solution: "Solution") -> None:
    """What was solved, what it is worth, how it begins, and what it took."""
    from poker_solver.runtime.memory import gib

    console = Console(highlight=False, markup=False, soft_wrap=True)
    record = solution.record
    console.print(spot_text(solution.game))
    console.print()
    table = number_table("", "hands", "equity", "EV")
    for player, name in enumerate(("OOP", "IP")):
        hands = f"{len(solution.layout.combos[player]):,}"
        equity, ev = record.equity[player], record.ev_chips[player]
        table.add_row(name, hands, f"{100 * equity:.2f} %", f"{ev:.2f}")
    console.print(table)
    console.print()
    console.print(f"OOP begins      {mix_text(solution.tree.actions(0), solution.root_frequency)}")
    for lock in solution.locks:
        console.print(f"locked          {_lock_text(lock)}")
    pct, chips = solution.exploitability_pct, solution.exploitability_chips
    console.print(f"exploitability  {pct:.3g} % of pot, {chips:.3g} chips")
    console.print(
        f"iterations      {record.iterations:,} of {record.schedule} on "
        f"{device_text(record.device, record.threads)}, "
        f"{record.solve_seconds:.2f} s after {record.build_seconds:.2f} s of building "
        f"({STOPS[record.stopped]})"
    )
    console.print(
        f"memory          {gib(record.planned_bytes)} planned, {gib(record.peak_bytes)} at most"
    )


def _lock_text(lock: "LockRecord") -> str:
    mix = mix_text(lock.frequency, lock.frequency.values())
    line = lock.line or "the first decision"
    where = f"{lock.player.upper()} at {line}, {lock.num_combos:,} combos"
    return f"{where}   {mix}" if mix else where
