"""A file that was allotted, filled part by part by one program at a time, whatever parts mean."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poker_solver.errors import FormatError
from poker_solver.store.files import Place, array_places


class PartsFile:
    """A file of `allot_file`, open for writing by nobody else until it is closed."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._places = array_places(self.path)
        self._file = _claimed(self.path)

    def write(self, name: str, index: tuple[int, ...], part: NDArray[Any]) -> None:
        """Write into an array from an index of its first axes on."""
        place, data = self._places[name], np.ascontiguousarray(part).reshape(-1).view(np.uint8)
        try:
            written = os.pwrite(self._file, data.data, _offset(place, index))
        except OSError as error:
            raise FormatError(f"cannot write {self.path}: {error.strerror or error}") from error
        if written != data.nbytes:
            raise FormatError(f"cannot write {self.path}: the disk is full")

    def sync(self) -> None:
        """Have all that was written on the disk before anything that is written later."""
        try:
            os.fdatasync(self._file)
        except OSError as error:
            raise FormatError(f"cannot write {self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Let others write to the file."""
        with suppress(OSError):
            os.close(self._file)


def _offset(place: Place, index: tuple[int, ...]) -> int:
    """Of a part of an array, in a file."""
    before = np.ravel_multi_index(index, place.shape[: len(index)])
    size = int(np.prod(place.shape[len(index) :])) * np.dtype(place.dtype).itemsize
    return place.offset + int(before) * size


def _claimed(path: Path) -> int:
    """The file, open for writing by nobody else."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise FormatError(f"{path} is in use by another run") from error
    return file
