"""`solve`: a postflop spot from a file or from options, solved, summed up and written down."""

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
    read_percent,
)
from poker_solver.cli.output import (
    STOPS,
    device_text,
    leave_if_interrupted,
    mix_text,
    number_table,
    print_json,
    spot_text,
    tell_interrupted,
    written,
)
from poker_solver.cli.pages.export import check_export, write_export
from poker_solver.errors import ConfigError, InputError
from poker_solver.runtime.device import wake_cuda

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.spot import Spot
    from poker_solver.postflop.plan import Plan
    from poker_solver.postflop.solution.solution import LockRecord, Solution
    from poker_solver.postflop.solve.solver import PostflopSolver

WORTH_TELLING = 20_000_000
"""Elements from which on a solve takes seconds."""

SPOT_PANEL = "A spot without a file, or what is changed in it"

SpotPath = Annotated[
    Path | None, typer.Argument(help="A spot in YAML, or the name of one: turn_example.")
]
Board = Annotated[str | None, typer.Option(help="QsJh2h", rich_help_panel=SPOT_PANEL)]
Pot = Annotated[str | None, typer.Option(help="550, or 5.5bb.", rich_help_panel=SPOT_PANEL)]
Stack = Annotated[str | None, typer.Option(help="Behind: 9750, 97.5bb", rich_help_panel=SPOT_PANEL)]
Oop = Annotated[str | None, typer.Option(help='"88+,A8s+"', rich_help_panel=SPOT_PANEL)]
Ip = Annotated[str | None, typer.Option(help='"99-22"', rich_help_panel=SPOT_PANEL)]
Bet = Annotated[
    str | None, typer.Option(help="Both players, every street: 52%,a", rich_help_panel=SPOT_PANEL)
]
Raise = Annotated[
    str | None, typer.Option("--raise", help="Likewise: 45%,2.5x", rich_help_panel=SPOT_PANEL)
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Change the spot: turn.bet=75%, oop.range=QQ+, rake.cap=30; repeatable.",
        rich_help_panel=SPOT_PANEL,
    ),
]
LockTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--lock",
        help='Fix what is played: "b120=f:60% of range", "b120 with AA,AKs=c"; repeatable.',
    ),
]
Target = Annotated[
    float | None,
    typer.Option(
        parser=read_percent,
        metavar="PCT",
        help="Stop at this exploitability, % of the pot; 0.3 if no other rule is given.",
    ),
]
ScheduleText = Annotated[
    str | None, typer.Option("--schedule", help="dcfr:1.35,0.25,4 if not given; dcfr:A,B,G, cfr+.")
]
Save = Annotated[
    Path | None, typer.Option("--save", "-o", help="Write the solution; explore opens it.")
]
Rivers = Annotated[
    bool | None,
    typer.Option(
        "--rivers/--no-rivers",
        help="What --save keeps: all, or flop and turn, and a river is solved when it is opened; "
        "all up to 64 MB if not given.",
        show_default=False,
    ),
]
Checkpoint = Annotated[
    Path | None, typer.Option(help="Write all that --load needs: every 5 minutes and at the end.")
]
Load = Annotated[Path | None, typer.Option(help="Go on from a checkpoint.")]
Export = Annotated[
    Path | None, typer.Option(help="Write the node to a .csv, .json, .parquet, .png.")
]
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
    changes: Changes = None,
    lock: LockTexts = None,
    target: Target = None,
    max_iterations: MaxIterations = None,
    max_seconds: MaxSeconds = None,
    device: Device = "auto",
    threads: Threads = None,
    precision: Precision = "float32",
    schedule: ScheduleText = None,
    save: Save = None,
    rivers: Rivers = None,
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
    found = read_spot(spot, words, sizes, changes or [], loads=load is not None)
    found = with_locks(found, lock or [])
    run(found, options, load, save, export, line, rivers=rivers, as_json=as_json)


def read_spot(
    path: Path | None,
    words: dict[str, Any],
    sizes: dict[str, str | None],
    changes: list[str],
    *,
    loads: bool,
) -> "Spot | None":
    """The spot of the file or of the options, changed; None where a checkpoint says what it is."""
    from poker_solver.config.lines.changes import read_change
    from poker_solver.config.named_spots import find_spot
    from poker_solver.config.spot import STREETS, Spot
    from poker_solver.config.spot_fields import check_one_unit

    words = {name: _amount(value) for name, value in words.items()}
    given = {name: value for name, value in {**words, **sizes}.items() if value is not None}
    later = dict(read_change(text) for text in changes)
    if path is None and not given:
        if loads and not later:
            return None
        raise InputError("give a spot: a YAML file, or --board, --pot, --stack, --oop and --ip")
    street, problems = _read_sizes(sizes)
    if path is not None:
        ranges = {f"{name}.range": given.pop(name) for name in ("oop", "ip") if name in given}
        kept = {name: value for name, value in given.items() if name in words}
        by_street = {f"{word}.{name}": size for word in STREETS for name, size in street.items()}
        changed = {**kept, **ranges, **by_street, **later}
    else:
        if missing := [f"--{name}" for name, value in words.items() if value is None]:
            raise InputError(f"a spot without a file needs {', '.join(missing)} too")
        played = dict.fromkeys(STREETS, street)
        players = {name: {"range": words[name], **played} for name in ("oop", "ip")}
        changed = later
    try:
        spot = find_spot(path) if path is not None else Spot.from_mapping({**words, **players})
        if spot.bb is not None and "bb" not in changed:
            check_one_unit(changed, f"a spot in bb (1 bb is {spot.bb} chips)")
        spot = spot.replace(**changed) if changed else spot
    except ConfigError as error:
        problems.append(str(error))
    if problems:
        raise InputError("; ".join(problems))
    return spot


def _amount(text: Any) -> Any:
    """A number where it is one; `5.5bb` and everything else stay text."""
    try:
        return float(text) if float(text) != int(float(text)) else int(float(text))
    except (TypeError, ValueError, OverflowError):
        return text


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
    rivers: bool | None,
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
            print_json(solution.summary())
        else:
            print_summary(solution)
            if save is not None and save.exists():
                typer.echo(f"saved           {saved_text(solution, save, rivers)}")
    leave_if_interrupted(solution.record.stopped)


def saved_text(solution: "Solution", path: Path, rivers: bool | None) -> str:
    """How large a save is, and how to get the whole where it is not."""
    from poker_solver.store.files import file_size, size_text

    size = f"{path}, {file_size(path)}"
    if solution.keeps_rivers if rivers is None else rivers:
        return size
    whole = "" if rivers is not None else f"; --rivers keeps all, {size_text(solution.whole_bytes)}"
    return f"{size}: flop and turn, a river is solved when it is opened{whole}"


def check_for_spot(
    spot: "Spot | None", save: Path | None, export: Path | None, line: str, rivers: bool | None
) -> None:
    """Refuse what cannot be written of a spot; what depends on the spot, once it is known."""
    if rivers is not None and (save is None or (spot and len(spot.cards) == 5)):
        option = "--rivers" if rivers else "--no-rivers"
        raise InputError(f"{option} is about what --save keeps of a flop or turn spot")
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
    tell_seconds(planned, options)
    with getting_ready(bool(options.progress)):
        return PostflopSolver(planned, schedule=options.schedule, threads=options.threads)


def tell_seconds(planned: "Plan", options: SolveOptions) -> None:
    """Say on standard error how long a solve to a target will take here, if that is a while."""
    if not options.progress or options.target is None or planned.device != "cpu":
        return
    from poker_solver.jobs.estimate import estimated_seconds
    from poker_solver.runtime.device import num_threads
    from poker_solver.terminal import duration

    elements, threads = planned.counts.num_elements, num_threads(options.threads)
    if elements < WORTH_TELLING:
        return
    seconds = estimated_seconds(elements, options.target, threads)
    on = device_text("cpu", threads)
    takes = f"about {duration(seconds)} to {options.target:g} % of the pot on {on} of this machine"
    typer.echo(f"{elements:,} elements: {takes}", err=True)


def print_summary(solution: "Solution") -> None:
    """What was solved, what it is worth, how it begins, and what it took."""
    from poker_solver.cli.pages.text import CHECK_ONLY, TOO_EARLY
    from poker_solver.query.node import TOO_EARLY_PCT
    from poker_solver.runtime.memory import gib
    from poker_solver.terminal import figures

    console = Console(highlight=False, markup=False, soft_wrap=True)
    record, big = solution.record, solution.game.betting.big_blind
    console.print(spot_text(solution.game))
    console.print()
    table = number_table("", "hands", "equity", "EV")
    for player, name in enumerate(("OOP", "IP")):
        hands = f"{len(solution.layout.combos[player]):,}"
        equity, ev = record.equity[player], record.ev_chips[player]
        worth = f"{ev:.2f}" if big is None else f"{ev / big:.3f} bb"
        table.add_row(name, hands, f"{100 * equity:.2f} %", worth)
    console.print(table)
    console.print()
    console.print(f"OOP acts first  {mix_text(solution.tree.labels(0), solution.root_frequency)}")
    if not solution.tree.amount.any():
        console.print(CHECK_ONLY, style="bold")
    for lock in solution.locks:
        console.print(f"locked          {_lock_text(lock)}")
    pct, chips = solution.exploitability_pct, solution.exploitability_chips
    gap = f"{figures(chips)} chips" if big is None else f"{figures(chips / big)} bb"
    console.print(f"exploitability  {figures(pct)} % of pot, {gap}")
    if pct > TOO_EARLY_PCT:
        console.print(f"                {TOO_EARLY}", style="bold")
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
