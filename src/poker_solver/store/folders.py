"""A folder that one program at a time writes to."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from poker_solver.errors import FormatError
from poker_solver.store.files import is_temporary

_LOCK = ".lock"


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Make the folder if need be, and keep it from other runs of the program until the end.

    What a run that was killed had not written to its end is cleared away. The system takes the
    claim back from a program that is gone.
    """
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"cannot write into {folder}: it is not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        claim = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise FormatError(f"cannot write into {folder}: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise FormatError(f"{folder} is in use by another run") from error
        for half in filter(is_temporary, folder.iterdir()):
            with suppress(OSError):
                half.unlink()
        yield
    finally:
        os.close(claim)
