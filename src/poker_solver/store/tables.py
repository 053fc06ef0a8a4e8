"""Tables as Parquet files: named columns, and what they are about; nothing about poker.

A number that is NaN, and anything that is None, is stored as null. What a table is about lies in
the file's own metadata, as JSON under `poker_solver`. Arrow is imported when it is needed.
"""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from poker_solver.errors import FormatError
from poker_solver.version import VERSION

_ENTRY = b"poker_solver"

Columns = Mapping[str, Sequence[Any] | NDArray[Any]]


def table_bytes(
    kind: str, about: Mapping[str, Any], columns: Columns, types: Mapping[str, str] | None = None
) -> bytes:
    """The columns as the bytes of a file of this kind, for `write_bytes`.

    `types` has Arrow's names (`string`, `double`, `int64`) for columns whose values may all be
    missing; the others are what their values are.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    named = {name: pa.type_for_alias(alias) for name, alias in (types or {}).items()}
    arrays = {
        name: pa.array(values, type=named.get(name), from_pandas=True)
        for name, values in columns.items()
    }
    entry = json.dumps({"kind": kind, "version": VERSION, **about}, sort_keys=True)
    table = pa.table(arrays).replace_schema_metadata({_ENTRY: entry.encode()})
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def read_table(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """What a table of this kind is about, and its columns; null is None.

    Arrow's own threads stay out of it: a process that ends while they start is aborted.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        data = io.BytesIO(Path(path).read_bytes())
        table = pq.ParquetFile(data).read(use_threads=False)
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from error
    except pa.ArrowException as error:
        raise FormatError(f"{path} is truncated or not a Parquet file: {error}") from error
    try:
        about: dict[str, Any] = json.loads((table.schema.metadata or {})[_ENTRY])
        found = about["kind"]
    except (KeyError, ValueError, TypeError) as error:
        raise FormatError(f"{path} is a Parquet file, but not a poker-solver one") from error
    if found != kind:
        raise FormatError(f"{path} holds a {found}, asked for a {kind}")
    return about, table.to_pydict()
