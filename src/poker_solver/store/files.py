"""One file format for everything that is kept: safetensors whose header is our JSON.

    metadata["poker_solver"] = {"format": 1, "kind": ..., "version": ..., **what the caller says}
    metadata["sha256"]       = of that text, and of every array's name, dtype, shape and bytes
    tensors                  = the caller's arrays, by name

Arrays that the header lists under "apart" are left out of the sum and not read but mapped into
memory; whoever writes such arrays keeps checksums of their parts himself.

A file is written under a temporary name in the same folder and renamed, so a name either holds
the old file or the whole new one, which keeps the permissions of the old one. A link is followed:
what it points to is replaced. Whoever writes holds a lock on the temporary file; one that nobody
holds is left over from a program that was killed, and the next write into the folder removes it.
"""

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from poker_solver.errors import FormatError
from poker_solver.version import VERSION

FORMAT = 1
_ENTRY = "poker_solver"
_SUM = "sha256"

_KINDS = {
    "|b1": "BOOL", "|i1": "I8", "|u1": "U8", "<i2": "I16", "<u2": "U16", "<i4": "I32",
    "<u4": "U32", "<i8": "I64", "<u8": "U64", "<f2": "F16", "<f4": "F32", "<f8": "F64",
}  # fmt: skip
"""What safetensors calls each dtype."""

Arrays = dict[str, NDArray[Any]]


class Place(NamedTuple):
    """Where an array lies in a file."""

    offset: int  # bytes from the beginning
    dtype: str
    shape: tuple[int, ...]


def write_file(
    path: str | Path,
    kind: str,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    apart: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """Write header and arrays as one file of this kind; an older file stays whole until the end.

    Those `apart` are left out of the checksum, and mapped when the file is read.
    """
    check_target(path)
    write_bytes(path, *file_parts(kind, header, arrays, apart))


def file_parts(
    kind: str,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    apart: Mapping[str, NDArray[Any]] | None = None,
) -> list[bytes | memoryview]:
    """What `write_file` writes, one part after another."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    mapped = {name: np.ascontiguousarray(array) for name, array in (apart or {}).items()}
    every = (*contiguous.values(), *mapped.values())
    head = _head(kind, header, contiguous, mapped)
    return [head, *(array.reshape(-1).data for array in every)]


def allot_file(
    path: str | Path,
    kind: str,
    header: Mapping[str, Any],
    room: Mapping[str, NDArray[Any]],
    arrays: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """Make a file with room on the disk for arrays like these, all 0, to be filled in place.

    The `arrays`, if any, are written at once.
    """
    written = {name: np.ascontiguousarray(array) for name, array in (arrays or {}).items()}
    parts: list[bytes | memoryview] = [_head(kind, header, written, dict(room))]
    parts += [array.reshape(-1).data for array in written.values()]
    size = sum(memoryview(part).nbytes for part in parts) + sum(a.nbytes for a in room.values())
    with _replacing(path) as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.posix_fallocate(file.fileno(), 0, size)


def _head(kind: str, header: Mapping[str, Any], arrays: Arrays, apart: Arrays) -> bytes:
    """All that comes before the arrays' own bytes, which follow in the same order.

    The library's writer makes two copies of everything first; state may fill most of the memory.
    """
    entry = {"format": FORMAT, "kind": kind, "version": VERSION, **header}
    text = json.dumps({**entry, "apart": list(apart)} if apart else entry, sort_keys=True)
    return _safetensors_head({**arrays, **apart}, {_ENTRY: text, _SUM: _checksum(text, arrays)})


def _safetensors_head(arrays: Arrays, metadata: dict[str, str]) -> bytes:
    entries: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        kind = _KINDS[array.dtype.str]
        entries[name] = {"dtype": kind, "shape": array.shape, "data_offsets": (begin, end)}
    text = json.dumps(entries).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def write_bytes(path: str | Path, *parts: bytes | memoryview) -> None:
    """Write a whole file; an older one stays as it is until the new one is on the disk."""
    with _replacing(path) as file:
        for part in parts:
            file.write(part)


@contextmanager
def _replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file under another name, which takes this one when all is on the disk."""
    target = check_target(path)
    temporary = target.with_name(f".{uuid4().hex}.tmp")
    _sweep(target.parent)
    try:
        with _claimed(temporary) as file:
            with suppress(FileNotFoundError):
                os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
            yield file
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(target)  # before the lock goes: what nobody holds is swept
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _claimed(path: Path) -> BinaryIO:
    """A new file with a lock on it, made again if it was swept before it had one."""
    while True:
        file = path.open("wb")
        fcntl.flock(file, fcntl.LOCK_EX)
        if path.exists():
            return file
        file.close()


def _sweep(folder: Path) -> None:
    """Remove what writes that were killed have left in a folder."""
    with suppress(OSError):
        for path in filter(is_temporary, folder.iterdir()):
            with suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink(missing_ok=True)


def is_temporary(path: Path) -> bool:
    """Whether a file is one that `write_bytes` had not written to its end."""
    return re.fullmatch(r"\.[0-9a-f]{32}\.tmp", path.name) is not None


def check_target(path: str | Path) -> Path:
    """The file that a write would make or replace, links followed; refuses what cannot be one."""
    path = Path(path)
    try:
        target = path.resolve()
        folder = target.parent
        if target.is_dir():
            problem = "it is a folder"
        elif target.exists() and not target.is_file():
            problem = "it is not a regular file"
        elif target.exists() and not os.access(target, os.W_OK):
            problem = "it is read-only"
        elif not folder.is_dir():
            problem = f"there is no folder {path.parent}"
        elif not os.access(folder, os.W_OK | os.X_OK):
            problem = f"no permission to write in the folder {path.parent}"
        else:
            return target
    except (OSError, RuntimeError) as error:  # a name too long, a circle of links
        problem = getattr(error, "strerror", None) or str(error)
    raise FormatError(f"cannot write {path}: {problem}")


def read_file(path: str | Path, kind: str) -> tuple[dict[str, Any], Arrays]:
    """Read a file of this kind; refuses, by name, whatever is not one."""
    path = Path(path)
    with _opened(path) as file:
        metadata = file.metadata() or {}
        header = _checked_header(path, metadata, kind)
        apart = header.get("apart", [])
        names: list[str] = file.keys()
        arrays = {name: file.get_tensor(name) for name in names if name not in apart}
        if metadata.get(_SUM) != _checksum(metadata[_ENTRY], arrays):
            raise FormatError(f"{path} is damaged: its contents do not match its checksum")
        return header, {**arrays, **_mapped(path, apart)}


def _mapped(path: Path, names: Iterable[str]) -> Arrays:
    """Arrays that are read where and when they are looked at."""
    places = array_places(path) if names else {}
    return {
        name: np.memmap(path, at.dtype, "r", at.offset, at.shape)
        for name, at in places.items()
        if name in names
    }


def array_places(path: Path) -> dict[str, Place]:
    """Where every array of a file lies."""
    dtypes = {kind: dtype for dtype, kind in _KINDS.items()}
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entries: dict[str, Any] = json.loads(file.read(size))
    return {
        name: Place(8 + size + at["data_offsets"][0], dtypes[at["dtype"]], tuple(at["shape"]))
        for name, at in entries.items()
        if name != "__metadata__"
    }


def file_kind(path: str | Path, wanted: str | None = None) -> str:
    """What a file calls itself; refuses what is not ours or not as wanted. No array is read."""
    return str(read_header(path, wanted)["kind"])


def read_header(path: str | Path, kind: str | None = None) -> dict[str, Any]:
    """What a file of this kind says of itself; no array is read, so no checksum is checked."""
    with _opened(Path(path)) as file:
        return _checked_header(path, file.metadata() or {}, kind)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        if path.exists() and not path.is_file():  # a pipe would wait for a writer for ever
            raise FormatError(f"cannot read {path}: it is not a regular file")
        with path.open("rb"), safe_open(path, framework="np") as file:
            yield file
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from error
    except SafetensorError as error:
        raise FormatError(f"{path} is truncated or not a poker-solver file: {error}") from error


def _checksum(text: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(json.dumps([name, array.dtype.str, array.shape]).encode())
        digest.update(array.data)
    return digest.hexdigest()


def _checked_header(
    path: str | Path, metadata: Mapping[str, str], kind: str | None = None
) -> dict[str, Any]:
    if _ENTRY not in metadata:
        raise FormatError(f"{path} is a safetensors file, but not a poker-solver one")
    try:
        header: dict[str, Any] = json.loads(metadata[_ENTRY])
        found_format, found = header["format"], header["kind"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"{path} has a broken header: {error!r}") from error
    if found_format != FORMAT:
        raise FormatError(f"{path} has format {found_format}; this program reads {FORMAT}")
    if kind not in (None, found):
        raise FormatError(f"{path} holds a {found}, asked for a {kind}")
    return header


def file_size(path: str | Path) -> str:
    """How large a file is: `18 MB`."""
    return size_text(Path(path).stat().st_size)


def size_text(num_bytes: float) -> str:
    """Bytes as people say them: `602 MB`."""
    size = float(num_bytes)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 100 else f"{size:.2g} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
