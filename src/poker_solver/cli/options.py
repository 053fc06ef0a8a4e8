"""Options that several commands take, and the checks that come before any work."""

from pathlib import Path
from typing import Annotated

import typer

from poker_solver.errors import InputError

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local",
        help="Have the workers of a Ray cluster do it, or those of this machine; docs/cluster.md.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
MaxIterations = Annotated[
    int | None, typer.Option("--max-iterations", "-i", help="Stop after so many.")
]
MaxSeconds = Annotated[float | None, typer.Option(help="Stop after so long.")]
Device = Annotated[
    str, typer.Option("--device", "-d", help="auto, cpu, cuda, mps or another of PyTorch's.")
]
Precision = Annotated[
    str, typer.Option(help="float32, or int16: regrets in 16 bits, three quarters of the memory.")
]
SpotFile = Annotated[
    Path | None, typer.Option(help="Write the spot that follows the line as a .yaml.")
]
Threads = Annotated[int | None, typer.Option(help="As many as there are cores if not given.")]


def read_percent(text: str) -> float:
    """`1`, `1%` or `0.5 %`."""
    try:
        return float(str(text).strip().removesuffix("%"))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no percentage; want 1 or 1%") from None


def check_writable(path: Path | None, *suffixes: str) -> None:
    """Refuse a file that cannot be written before the work that should go into it is done."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        *others, last = suffixes
        endings = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{path} must be a name that ends in {endings}")
    from poker_solver.store.files import check_target

    check_target(path)


def check_apart(read: Path | None = None, /, **paths: Path | None) -> None:
    """Refuse two options that name one file, or one that names what is read: it would be lost."""
    found: dict[Path, str] = {} if read is None else {read.resolve(): ""}
    for name, path in paths.items():
        if path is None:
            continue
        other = found.setdefault(path.resolve(), name)
        if not other:
            raise InputError(f"--{name} would overwrite {path}, which is read")
        if other != name:
            raise InputError(f"--{other} and --{name} both name {path}")


def check_solution(path: Path) -> Path:
    """Refuse what is no solution, and say how to get one."""
    from poker_solver.config.named_spots import LARGE, SMALL

    if path.suffix in (".yaml", ".yml") or (not path.exists() and str(path) in (*SMALL, *LARGE)):
        solve = f"poker-solver solve {path} --save {path.stem}.pks"
        raise InputError(f"{path} is a spot or a config, not a solution; solve it first: {solve}")
    if path.suffix in (".csv", ".json", ".parquet", ".png"):
        raise InputError(f"{path} is an export, not a solution; open what --save wrote")
    if path.is_dir():
        raise InputError(f"{path} is a folder; a batch has a save for each flop, {path}/QsJs2h.pks")
    return path
