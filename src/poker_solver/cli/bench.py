"""`bench`: how fast this machine solves the spots that come with the program, or your own."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, Device, Threads
from poker_solver.cli.output import device_text, number_table, print_json
from poker_solver.errors import InputError

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.config.spot import Spot
    from poker_solver.jobs.timing import SpotTimes

NOTED_PCT = 0.5
"""Noted on the way to a smaller target."""


def bench(
    spots: Annotated[
        list[str] | None,
        typer.Argument(help="Named spots or YAML files; the small named ones if none is given."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All named spots, flops too.")] = False,
    target: Annotated[float, typer.Option(help="Solve to this accuracy, % of the pot.")] = 0.1,
    max_seconds: Annotated[
        float | None, typer.Option(help="Give up on a target after so long.")
    ] = None,
    threads: Threads = None,
    device: Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Time the named spots: memory, ms per iteration, time to accuracy."""
    from poker_solver.config.named_spots import LARGE, SMALL, find_spot

    if spots and every:
        raise InputError("give spots or --all, not both")
    named = [*SMALL, *LARGE] if every else list(SMALL)
    chosen = {name: find_spot(name) for name in spots or named}
    found, copied = _measure(chosen, target, max_seconds, threads, device)
    if as_json:
        rows = [summarise(name, times) for name, times in found.items()]
        print_json({"copy_bytes_per_second": copied, "spots": rows})
    else:
        print_table(found, copied)
    if len(found) < len(chosen):
        raise KeyboardInterrupt


def _measure(
    spots: dict[str, "Spot"],
    target: float,
    max_seconds: float | None,
    threads: int | None,
    device: str,
) -> "tuple[dict[str, SpotTimes], float]":
    """The spots one after the other; Ctrl-C leaves those that are done."""
    found: dict[str, SpotTimes] = {}
    targets = (NOTED_PCT, target) if target < NOTED_PCT else (target,)
    with Console(stderr=True).status("The first run compiles the kernels, some 10 s") as status:
        from poker_solver.cfr.options import SolveOptions
        from poker_solver.cfr.progress import Progress
        from poker_solver.jobs.timing import copy_bytes_per_second, measure_spot
        from poker_solver.terminal import progress_line

        SolveOptions(target=target, max_seconds=max_seconds)
        copied = copy_bytes_per_second()
        try:
            for name, spot in spots.items():
                status.update(f"{name}: building")

                def report(progress: Progress, name: str = name) -> None:
                    status.update(f"{name}: {progress_line(progress)}")

                found[name] = measure_spot(
                    spot, targets, threads=threads, device=device, max_seconds=max_seconds,
                    report=report,
                )  # fmt: skip
        except KeyboardInterrupt:
            if not found:
                raise
    return found, copied


def summarise(name: str, times: "SpotTimes") -> dict[str, Any]:
    """One spot of what --json prints."""
    return {
        "spot": name,
        "device": times.device,
        "elements": times.num_elements,
        "memory_bytes": {"planned": times.planned_bytes, "peak": times.peak_bytes},
        "build_seconds": times.build_seconds,
        "iteration": [asdict(each) for each in times.iteration],
        "accuracy": [
            {"pct_pot": each.target_pct, "iterations": each.iterations, "seconds": each.seconds}
            for each in times.accuracy
        ],
    }


def print_table(found: "dict[str, SpotTimes]", copied: float) -> None:
    """A row per spot, and the copy it stands beside."""
    from poker_solver.jobs.timing import BYTES_PER_ELEMENT
    from poker_solver.runtime.memory import gib

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 1_000
    first = next(iter(found.values()))
    heads = ["elements", "planned", "peak", "build"]
    heads += [f"ms/it, {device_text(first.device, each.threads)}" for each in first.iteration]
    heads += ["of copy", *(f"to {each.target_pct:g} %" for each in first.accuracy)]
    table = number_table("spot", *heads)
    for name, times in found.items():
        floor = times.num_elements * BYTES_PER_ELEMENT / copied
        table.add_row(
            name,
            f"{times.num_elements:,}",
            gib(times.planned_bytes),
            gib(times.peak_bytes),
            f"{times.build_seconds:.2f} s",
            *(f"{1e3 * each.wall_seconds:.3g}" for each in times.iteration),
            f"{100 * floor / times.iteration[0].wall_seconds:.0f} %",
            *(
                "-" if each.seconds is None else f"{each.iterations:,} it, {each.seconds:.3g} s"
                for each in times.accuracy
            ),
        )
    console.print(table)
    console.print()
    console.print(
        f"{first.device}; a memory copy on one thread, here and now: {copied / 1e9:.1f} GB/s, "
        "reads and writes"
    )
    where = device_text(first.device, first.iteration[0].threads)
    console.print(
        f"of copy: moving {BYTES_PER_ELEMENT} bytes per element at that speed, as a part of an "
        f"iteration on {where}"
    )
