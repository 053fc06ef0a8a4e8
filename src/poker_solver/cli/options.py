"""Options that several commands take, and the checks that come before any work."""

from pathlib import Path
from typing import Annotated

import typer

from poker_solver.errors import InputError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
MaxIterations = Annotated[int | None, typer.Option(help="Stop after so many.")]
MaxSeconds = Annotated[float | None, typer.Option(help="Stop after so long.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, mps or another of PyTorch's.")]
Precision = Annotated[
    str, typer.Option(help="float32, or int16: regrets in 16 bits, three quarters of the memory.")
]
Threads = Annotated[int | None, typer.Option(help="As many as there are cores if not given.")]


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
