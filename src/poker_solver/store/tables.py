"""Tables as Parquet files: named columns, and what they are about; nothing about poker.

A number that is NaN, and anything that is None, is stored as null. What a table is about lies in
the file's own metadata, as JSON under `poker_solver`; beside it, under `sha256`, stand the checksum
of that text and of the columns' names and types, then one of the values of every row group. Arrow
is imported when it is needed.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from poker_solver.errors import FormatError
from poker_solver.version import VERSION

_ENTRY, _SUMS = b"poker_solver", b"sha256"

GROUP_ROWS = 65_536
"""Of a row group, and so of what one checksum is about."""

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
    table = pa.table(arrays)
    groups = [table.slice(row, GROUP_ROWS) for row in range(0, len(table), GROUP_ROWS)]
    sums = json.dumps(_checksums(entry, table, groups))
    out = io.BytesIO()
    table = table.replace_schema_metadata({_ENTRY: entry.encode(), _SUMS: sums.encode()})
    pq.write_table(table, out, row_group_size=GROUP_ROWS)
    return out.getvalue()


def read_table(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """What a table of this kind is about, and its columns; null is None. Damage is refused.

    Arrow's own threads stay out of it: a process that ends while they start is aborted.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(Path(path).read_bytes()))
        numbers = range(file.num_row_groups)
        groups = [file.read_row_group(number, use_threads=False) for number in numbers]
        table = pa.concat_tables([file.schema_arrow.empty_table(), *groups])
        columns: dict[str, list[Any]] = table.to_pydict()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise FormatError(f"{path} is truncated or not a Parquet file: {error}") from error
    except OSError as error:
        if error.errno is None:  # Arrow's own, of damaged contents
            raise FormatError(f"{path} is truncated or not a Parquet file: {error}") from error
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from error
    metadata = table.schema.metadata or {}
    try:
        text = metadata[_ENTRY].decode()
        about: dict[str, Any] = json.loads(text)
        found = about["kind"]
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise FormatError(f"{path} is a Parquet file, but not a poker-solver one") from error
    if found != kind:
        raise FormatError(f"{path} holds a {found}, asked for a {kind}")
    if _SUMS not in metadata:
        raise FormatError(f"{path} has no checksums: it was written by an earlier version")
    if metadata[_SUMS].decode(errors="replace") != json.dumps(_checksums(text, table, groups)):
        raise FormatError(f"{path} is damaged: its contents do not match its checksums")
    return about, columns


def _checksums(entry: str, table: Any, groups: Iterable[Any]) -> list[str]:
    """Of the entry and the columns' names and types, then of each row group's values."""
    columns = [[field.name, str(field.type)] for field in table.schema]
    values = (json.dumps(group.to_pydict(), default=repr) for group in groups if len(group))
    texts = [json.dumps([entry, columns]), *values]
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]
