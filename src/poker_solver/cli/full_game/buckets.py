"""`buckets`: which hands share a strategy on every board, made ahead of training and kept."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from poker_solver.cli.options import AsJson, Quiet, Threads, check_writable
from poker_solver.cli.output import print_json

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.abstraction.maps import RowMaps

FlopRule = Annotated[str, typer.Option(help="exact, emd:N or buckets:N.")]
TurnRule = Annotated[
    str,
    typer.Option(
        help="exact; emd:N, on each board N clusters of hands with like equities over all rivers; "
        "buckets:N, such clusters of all boards together."
    ),
]
RiverRule = Annotated[
    str,
    typer.Option(
        help="exact; strength, a row for each; quantiles:N of it, board by board; or buckets:N, "
        "the same for all boards together."
    ),
]
Flops = Annotated[
    str, typer.Option(help="all (1,755), 184, 95, 47, 25, 12, 5, or a file of flops.")
]
Save = Annotated[Path | None, typer.Option(help="The file; in the user's cache if not given.")]


def buckets(
    flop: FlopRule = "exact",
    turn: TurnRule = "emd:100",
    river: RiverRule = "quantiles:16",
    flops: Flops = "all",
    save: Save = None,
    threads: Threads = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Put hands that play alike into rows of one strategy, on every board of some flops.

    They are made ahead of training; those of rivers take no time and are not kept.
    """
    from poker_solver.abstraction.maps import RowMaps, cache_path, make_row_maps
    from poker_solver.cards.flops import find_flops
    from poker_solver.config.unified_fields import RowsConfig
    from poker_solver.terminal import telling

    began = time.perf_counter()
    config = RowsConfig.of({"flop": flop, "turn": turn, "river": river})
    chosen = find_flops(flops).flops
    path = cache_path(config, chosen) if save is None else save
    if save is None and path.exists():
        maps = RowMaps.load(path)
    else:
        if save is None:
            path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
        with telling(not quiet, 10, "the first run compiles the kernels, some 10 s") as tell:
            maps = make_row_maps(config, chosen, threads=threads, report=percents(tell))
        maps.save(path)
    found = summary(maps, path, time.perf_counter() - began)
    if as_json:
        print_json(found)
    else:
        print_summary(found)


def percents(tell: Callable[[str], None], what: str = "boards") -> Callable[[int, int], None]:
    """Tell at every percent how far the work is and how long it will take."""
    from poker_solver.terminal import duration

    began = time.perf_counter()

    def report(done: int, total: int) -> None:
        if done * 100 // total == (done - 1) * 100 // total:
            return
        gone = time.perf_counter() - began
        left = duration(gone / done * (total - done))
        tell(f"{done:,} of {total:,} {what} · {duration(gone)} · {left} left")

    return report


def summary(maps: "RowMaps", path: Path, seconds: float) -> dict[str, Any]:
    """What `buckets --json` prints."""
    made = {
        name: {"boards": len(rows.num_rows), "rows": round(float(rows.num_rows.mean()), 2)}
        for name, rows in zip(("flop", "turn"), maps.clusters, strict=True)
        if rows is not None
    }
    return {
        "rows": maps.config.model_dump(),
        "flops": len(maps.flops),
        "made": made,
        "seconds": round(seconds, 3),
        "bytes": path.stat().st_size,
        "fingerprint": maps.fingerprint,
        "file": str(path),
    }


def print_summary(found: dict[str, Any]) -> None:
    """Boards, their rows on average, and where they are."""
    from poker_solver.terminal import duration

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"flops  {found['flops']:,}")
    for name, rule in found["rows"].items():
        text = rule if isinstance(rule, str) else " ".join(f"{k}:{n}" for k, n in rule.items())
        made = found["made"].get(name)
        more = (
            f", {made['boards']:,} boards up to suits, {made['rows']:g} rows each" if made else ""
        )
        console.print(f"{name:<6} {text}{more}")
    console.print(f"time   {duration(found['seconds'])}")
    console.print(f"file   {found['file']}, {found['bytes'] / 1e6:.1f} MB")
