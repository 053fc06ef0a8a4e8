"""One file format for everything that is kept: safetensors whose header is our JSON.

    metadata["poker_solver"] = {"format": 1, "kind": ..., "version": ..., **what the caller says}
    tensors                  = the caller's arrays, by name

A file is written under a temporary name in the same folder and renamed, so a name either holds
the old file or the whole new one.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from poker_solver.errors import FormatError
from poker_solver.version import VERSION

FORMAT = 1
_ENTRY = "poker_solver"

Arrays = dict[str, NDArray[Any]]


def write_file(
    path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write header and arrays as one file of this kind; an older file stays whole until the end."""
    path = Path(path)
    entry = {"format": FORMAT, "kind": kind, "version": VERSION, **header}
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    data = save(contiguous, metadata={_ENTRY: json.dumps(entry, sort_keys=True)})
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def read_file(path: str | Path, kind: str) -> tuple[dict[str, Any], Arrays]:
    """Read a file of this kind; refuses, by name, whatever is not one."""
    path = Path(path)
    try:
        with path.open("rb"), safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            header = _checked_header(path, metadata, kind)
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from error
    except SafetensorError as error:
        raise FormatError(f"{path} is truncated or not a poker-solver file: {error}") from error


def _checked_header(path: Path, metadata: Mapping[str, str], kind: str) -> dict[str, Any]:
    if _ENTRY not in metadata:
        raise FormatError(f"{path} is a safetensors file, but not a poker-solver one")
    header: dict[str, Any] = json.loads(metadata[_ENTRY])
    if header["format"] != FORMAT:
        raise FormatError(f"{path} has format {header['format']}; this program reads {FORMAT}")
    if header["kind"] != kind:
        raise FormatError(f"{path} holds a {header['kind']}, asked for a {kind}")
    return header
