import os
import sys
import tempfile
from pathlib import Path

import pytest

from poker_solver.runtime.numba_cache import prepare_cache


def make(folder: Path, name: str, age_seconds: float) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"N.")  # a whole pickle
    now = path.stat().st_mtime
    os.utime(path, (now - age_seconds, now - age_seconds))
    return path


def test_code_older_than_any_source_of_the_folder_goes(tmp_path):
    own = make(tmp_path, "a.py", 100)
    make(tmp_path, "b.py", 10)  # changed after a.py was compiled
    cached = [make(tmp_path, f"__pycache__/a.f.{ext}", 50) for ext in ("nbi", "nbc")]
    prepare_cache(str(own))
    assert not any(path.exists() for path in cached)


def test_code_newer_than_every_source_stays(tmp_path):
    own = make(tmp_path, "a.py", 100)
    cached = make(tmp_path, "__pycache__/a.f.nbi", 50)
    prepare_cache(str(own))
    assert cached.exists()


@pytest.fixture
def no_room(tmp_path, monkeypatch) -> Path:
    """A source in a folder that cannot be written, and no home."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    config = pytest.importorskip("numba").config
    monkeypatch.setattr(config, "CACHE_DIR", config.CACHE_DIR)
    return make(tmp_path, "a.py", 0)


def test_where_nothing_of_ours_can_be_written_code_is_kept_with_temporary_files(no_room, tmp_path):
    prepare_cache(str(no_room))
    room = Path(os.environ["NUMBA_CACHE_DIR"])
    assert room.parent == tmp_path
    assert room.stat().st_mode & 0o777 == 0o700
    assert str(room) == sys.modules["numba"].config.CACHE_DIR


def test_the_users_folder_comes_first(no_room, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "made" / "now"))
    prepare_cache(str(no_room))
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_a_folder_that_others_can_write_is_not_trusted(no_room, tmp_path):
    theirs = tmp_path / f"poker-solver-{os.getuid()}"
    theirs.mkdir()
    theirs.chmod(0o777)
    prepare_cache(str(no_room))
    room = Path(os.environ["NUMBA_CACHE_DIR"])
    assert room != theirs
    assert room.stat().st_mode & 0o077 == 0
