"""Parquet tables: what is written is read back, and what is not ours is refused."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

from poker_solver.errors import FormatError
from poker_solver.store import tables
from poker_solver.store.files import write_bytes
from poker_solver.store.tables import Columns, read_table, table_bytes

COLUMNS: Columns = {
    "hand": ["AhKh", None],
    "reach": np.array([0.25, np.nan], np.float32),
    "count": [3, 4],
}


def test_round_trip_with_nulls(tmp_path):
    path = tmp_path / "a.parquet"
    write_bytes(path, table_bytes("test", {"pot": 180}, COLUMNS))
    about, columns = read_table(path, "test")
    assert about["pot"] == 180
    assert columns == {"hand": ["AhKh", None], "reach": [0.25, None], "count": [3, 4]}


_COUNT_THREADS = """
import os, sys
import pyarrow.parquet
from poker_solver.store.tables import read_table
before = len(os.listdir("/proc/self/task"))
read_table(sys.argv[1], "test")
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_reading_leaves_no_threads_that_would_abort_a_process_at_its_end(tmp_path):
    path = str(tmp_path / "a.parquet")
    write_bytes(path, table_bytes("test", {}, {f"column {i}": np.arange(200.0) for i in range(20)}))
    command = [sys.executable, "-c", _COUNT_THREADS, path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 1  # Arrow has one that reads; those that decode are the fault


def test_another_reader_sees_nulls_and_types(tmp_path):
    import pyarrow.parquet as pq

    write_bytes(tmp_path / "a.parquet", table_bytes("test", {}, COLUMNS))
    table = pq.read_table(tmp_path / "a.parquet")
    assert table["reach"].null_count == 1
    assert [str(field.type) for field in table.schema] == ["string", "float", "int64"]


def test_what_is_not_ours_is_refused_by_name(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    with pytest.raises(FormatError, match=r"cannot read .*a\.parquet: No such file"):
        read_table(path, "test")
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(FormatError, match="not a poker-solver one"):
        read_table(path, "test")
    write_bytes(path, table_bytes("test", {}, COLUMNS))
    with pytest.raises(FormatError, match="holds a test, asked for a batch"):
        read_table(path, "batch")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatError, match="is truncated or not a Parquet file"):
        read_table(path, "test")


def test_a_failed_write_leaves_the_old_table(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    write_bytes(path, table_bytes("test", {}, COLUMNS))
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("poker_solver.store.files.os.fsync", full)
    with pytest.raises(FormatError, match="No space left on device"):
        write_bytes(path, table_bytes("test", {}, {"a": [1]}))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_damage_is_refused_or_changes_nothing(tmp_path):
    """Statistics and the like may be hit unseen; what is read is what was written."""
    path, rng = tmp_path / "a.parquet", random.Random(23)
    write_bytes(path, table_bytes("test", {"pot": 180}, COLUMNS))
    whole, read = path.read_bytes(), read_table(path, "test")
    refused = 0
    for _ in range(600):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            assert read_table(path, "test") == read
        except FormatError as error:
            refused += str(path) in str(error)
    assert refused > 300


def test_every_row_group_has_its_checksum(tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    monkeypatch.setattr(tables, "GROUP_ROWS", 2)
    path, rows = tmp_path / "a.parquet", {"a": [1.5, None, 2.5, 3.5, 4.5]}
    write_bytes(path, table_bytes("test", {}, rows))
    sums = json.loads(pq.read_metadata(path).metadata[b"sha256"])
    assert len(sums) == len(set(sums)) == 1 + 3
    assert read_table(path, "test")[1] == rows


def test_other_values_under_the_same_checksums_are_refused(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    write_bytes(path, table_bytes("test", {}, {"a": [1.0, 2.0]}))
    metadata = pq.read_schema(path).metadata
    write_bytes(path, table_bytes("test", {}, {"a": [1.0, 2.5]}))
    table = pq.read_table(path).replace_schema_metadata(metadata)
    pq.write_table(table, path)
    with pytest.raises(FormatError, match="is damaged: its contents do not match its checksums"):
        read_table(path, "test")
    pq.write_table(
        table.replace_schema_metadata({b"poker_solver": metadata[b"poker_solver"]}), path
    )
    with pytest.raises(FormatError, match="has no checksums"):
        read_table(path, "test")


def test_an_empty_table_is_read_back(tmp_path):
    write_bytes(tmp_path / "a", table_bytes("test", {}, {"a": []}, {"a": "double"}))
    assert read_table(tmp_path / "a", "test")[1] == {"a": []}
