import os

from poker_solver.numba_cache import drop_stale_code


def make(folder, name, age_seconds):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    now = path.stat().st_mtime
    os.utime(path, (now - age_seconds, now - age_seconds))
    return path


def test_code_older_than_any_source_of_the_folder_goes(tmp_path):
    own = make(tmp_path, "a.py", 100)
    make(tmp_path, "b.py", 10)  # changed after a.py was compiled
    cached = [make(tmp_path, f"__pycache__/a.f.{ext}", 50) for ext in ("nbi", "nbc")]
    drop_stale_code(str(own))
    assert not any(path.exists() for path in cached)


def test_code_newer_than_every_source_stays(tmp_path):
    own = make(tmp_path, "a.py", 100)
    cached = make(tmp_path, "__pycache__/a.f.nbi", 50)
    drop_stale_code(str(own))
    assert cached.exists()
