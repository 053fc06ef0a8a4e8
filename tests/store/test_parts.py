"""A file that is filled in place."""

from pathlib import Path

import numpy as np
import pytest

from poker_solver.errors import FormatError
from poker_solver.store.files import Arrays, allot_file, read_file
from poker_solver.store.parts import PartsFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    room: Arrays = {"a": np.zeros((3, 4), np.uint16), "b": np.zeros(5, np.uint8)}
    allot_file(tmp_path / "x", "thing", {"n": 1}, room, {"known": np.arange(3.0)})
    return tmp_path / "x"


def test_parts_land_where_they_belong(path: Path) -> None:
    file = PartsFile(path)
    file.write("a", (1, 2), np.array([7, 8], np.uint16))
    file.write("a", (2,), np.arange(4, dtype=np.uint16))
    file.write("b", (4,), np.array([9], np.uint8))
    file.sync()
    file.close()
    header, arrays = read_file(path, "thing")
    assert header["n"] == 1
    assert arrays["known"].tolist() == [0, 1, 2]
    assert arrays["a"].tolist() == [[0] * 4, [0, 0, 7, 8], [0, 1, 2, 3]]
    assert arrays["b"].tolist() == [0, 0, 0, 0, 9]
    assert isinstance(arrays["a"], np.memmap)


def test_one_program_at_a_time_fills_it(path: Path) -> None:
    file = PartsFile(path)
    with pytest.raises(FormatError, match="in use by another run"):
        PartsFile(path)
    file.close()
    PartsFile(path).close()


def test_what_is_written_at_once_is_guarded(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-(3 * 8 + 24 + 5) + 1] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match="damaged"):
        read_file(path, "thing")


def test_a_file_that_is_closed_is_not_written(path: Path) -> None:
    file = PartsFile(path)
    file.close()
    with pytest.raises(FormatError, match="cannot write"):
        file.write("b", (0,), np.array([9], np.uint8))
