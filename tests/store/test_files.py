import numpy as np
import pytest
from safetensors.numpy import save_file

from poker_solver.errors import FormatError
from poker_solver.store import files
from poker_solver.store.files import read_file, write_file

ARRAYS = {"a": np.arange(6.0).reshape(2, 3), "none": np.zeros(0)}


def test_round_trip(tmp_path):
    write_file(tmp_path / "x", "thing", {"n": 3}, ARRAYS)
    header, arrays = read_file(tmp_path / "x", "thing")
    assert header["n"] == 3
    assert header["format"] == 1
    assert (arrays["a"] == ARRAYS["a"]).all()
    assert arrays["none"].shape == (0,)
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_transposed_arrays_come_back_as_they_were(tmp_path):
    write_file(tmp_path / "x", "thing", {}, {"t": ARRAYS["a"].T})
    assert (read_file(tmp_path / "x", "thing")[1]["t"] == ARRAYS["a"].T).all()


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    write_file(tmp_path / "x", "thing", {"n": 1}, ARRAYS)

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("poker_solver.store.files.os.fsync", full)
    with pytest.raises(FormatError, match=r"cannot write .*x: No space left on device"):
        write_file(tmp_path / "x", "thing", {"n": 2}, ARRAYS)
    assert read_file(tmp_path / "x", "thing")[0]["n"] == 1
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_what_is_not_ours_is_refused_by_name(tmp_path):
    path = tmp_path / "x"
    with pytest.raises(FormatError, match=r"cannot read .*x: No such file"):
        read_file(path, "thing")
    with pytest.raises(FormatError, match="cannot read"):
        read_file(tmp_path, "thing")
    path.write_bytes(b"hello")
    with pytest.raises(FormatError, match="truncated or not a poker-solver file"):
        read_file(path, "thing")
    save_file(ARRAYS, path)
    with pytest.raises(FormatError, match="not a poker-solver one"):
        read_file(path, "thing")
    write_file(path, "other", {}, ARRAYS)
    with pytest.raises(FormatError, match="holds a other, asked for a thing"):
        read_file(path, "thing")
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(FormatError, match="truncated"):
        read_file(path, "other")


def test_another_version_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FORMAT", 2)
    write_file(tmp_path / "x", "thing", {}, ARRAYS)
    monkeypatch.undo()
    with pytest.raises(FormatError, match="has format 2; this program reads 1"):
        read_file(tmp_path / "x", "thing")
