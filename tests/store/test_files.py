import os
import shutil
import tracemalloc

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from poker_solver.errors import FormatError
from poker_solver.store import files
from poker_solver.store.files import file_kind, read_file, write_file

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


def test_the_library_reads_every_kind_of_number(tmp_path):
    kinds = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64"
    arrays = {kind: np.array([[0, 1, 1]], kind) for kind in kinds.split()}
    write_file(tmp_path / "x", "thing", {}, {"scalar": np.array(3.0), **arrays})
    found = load_file(tmp_path / "x")
    for kind, array in arrays.items():
        assert found[kind].dtype == kind
        np.testing.assert_array_equal(found[kind], array)
    assert found["scalar"] == 3


def test_writing_needs_no_second_copy_of_the_arrays(tmp_path):
    large = {"a": np.zeros(5_000_000)}  # 40 MB
    tracemalloc.start()
    write_file(tmp_path / "x", "thing", {}, large)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


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


def test_one_changed_bit_is_noticed(tmp_path):
    write_file(tmp_path / "x", "thing", {"n": 3}, ARRAYS)
    whole = (tmp_path / "x").read_bytes()
    in_array, in_header = len(whole) - 1, whole.index(b'\\"n\\": 3') + len(b'\\"n\\": ')
    for place in (in_array, in_header):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        (tmp_path / "x").write_bytes(damaged)
        with pytest.raises(FormatError, match=r"x is damaged"):
            read_file(tmp_path / "x", "thing")


@pytest.mark.parametrize("entry", ["", "{", "[1, 2]", "3", '{"format": 1}', '{"kind": "thing"}'])
def test_broken_headers_are_refused_by_name(tmp_path, entry):
    save_file(ARRAYS, tmp_path / "x", metadata={"poker_solver": entry})
    for read in (read_file, file_kind):
        with pytest.raises(FormatError, match="x has a broken header"):
            read(tmp_path / "x", "thing")


def test_a_file_without_a_checksum_is_refused(tmp_path):
    save_file(ARRAYS, tmp_path / "x", metadata={"poker_solver": '{"format": 1, "kind": "thing"}'})
    with pytest.raises(FormatError, match="is damaged"):
        read_file(tmp_path / "x", "thing")


def test_the_kind_is_checked_without_the_arrays(tmp_path):
    write_file(tmp_path / "x", "thing", {}, ARRAYS)
    file_kind(tmp_path / "x", "thing")
    with pytest.raises(FormatError, match="holds a thing, asked for a other"):
        file_kind(tmp_path / "x", "other")
    with pytest.raises(FormatError, match="cannot read"):
        file_kind(tmp_path / "y", "thing")


def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "x")
    for n in (1, 2):
        write_file(tmp_path / "link", "thing", {"n": n}, ARRAYS)
        assert (tmp_path / "link").is_symlink()
        assert read_file(tmp_path / "folder" / "x", "thing")[0]["n"] == n
    assert len(list((tmp_path / "folder").iterdir())) == 1


def test_what_is_not_a_file_is_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for name, problem in {"pipe": "not a regular file", "": "a folder", "circle": "loop"}.items():
        with pytest.raises(FormatError, match=f"(?i)cannot write .*{problem}"):
            write_file(tmp_path / name, "thing", {}, ARRAYS)
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(FormatError, match=r"cannot read .*pipe: it is not a regular file"):
        read_file(tmp_path / "pipe", "thing")


def test_names_of_any_length_are_written_or_refused(tmp_path):
    write_file(tmp_path / ("x" * 250), "thing", {}, ARRAYS)
    assert load_file(tmp_path / ("x" * 250)).keys() == ARRAYS.keys()
    with pytest.raises(FormatError, match=r"cannot write .*: File name too long"):
        write_file(tmp_path / ("x" * 300), "thing", {}, ARRAYS)


def test_folders_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match=r"cannot write .*: there is no folder .*file"):
        write_file(tmp_path / "file" / "x", "thing", {}, ARRAYS)
    monkeypatch.setattr("poker_solver.store.files.os.access", lambda path, mode: False)
    with pytest.raises(FormatError, match="no permission to write in the folder"):
        write_file(tmp_path / "x", "thing", {}, ARRAYS)


def test_a_folder_that_goes_away_while_writing(tmp_path, monkeypatch):
    """The temporary file cannot be removed either; the first problem is the one that is told."""
    folder = tmp_path / "folder"
    folder.mkdir()

    def gone(fd):
        shutil.rmtree(folder)
        folder.write_text("")
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("poker_solver.store.files.os.fsync", gone)
    with pytest.raises(FormatError, match=r"cannot write .*: Input/output error"):
        write_file(folder / "x", "thing", {}, ARRAYS)


def test_arrays_apart_are_mapped_and_cost_nothing_to_open(tmp_path):
    path, large = tmp_path / "x", np.arange(3_000_000, dtype=np.float32).reshape(3, -1)
    write_file(path, "kind", {}, {"small": np.arange(3)}, {"large": large, "bytes": large[:, :5]})
    tracemalloc.start()
    _, arrays = read_file(path, "kind")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < large.nbytes / 10
    assert isinstance(arrays["large"], np.memmap)
    assert np.array_equal(arrays["large"], large)
    assert np.array_equal(arrays["bytes"], large[:, :5])
    assert np.array_equal(load_file(path)["large"], large)


def test_a_file_with_room_is_filled_in_place(tmp_path):
    path, room = tmp_path / "x", np.broadcast_to(np.zeros((), "<u2"), (4, 5))
    files.allot_file(path, "kind", {"what": 1}, {"a": room, "b": room})
    assert not read_file(path, "kind")[1]["b"].any()
    at = files.array_places(path)["b"]
    with path.open("r+b") as file:
        file.seek(at.offset + 5 * 2)
        file.write(np.full(5, 7, at.dtype).tobytes())
    header, arrays = read_file(path, "kind")
    assert header["what"] == 1
    assert arrays["b"][1].tolist() == [7] * 5
    assert arrays["b"].sum() == 35
    assert not arrays["a"].any()


def test_a_full_disk_is_said_before_anything_is_lost(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "x"
    write_file(path, "kind", {}, {"a": np.arange(3)})
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(FormatError, match="x: No space left on device"):
        files.allot_file(path, "kind", {}, {"a": np.arange(3)})
    assert read_file(path, "kind")[1]["a"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [path]
