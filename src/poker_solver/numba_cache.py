"""Keeps numba's cache honest: compiled code goes when any file of its folder has changed.

Numba keys what it caches by the one file a function stands in. A function that calls another file's
would keep the old code of that file inlined, and after an update of the source compute nonsense.
"""

from pathlib import Path


def drop_stale_code(module_file: str) -> None:
    """Delete the folder's cached code if it is older than the newest source there."""
    folder = Path(module_file).parent
    try:
        newest_source = max(path.stat().st_mtime_ns for path in folder.glob("*.py"))
        cached = [*folder.glob("__pycache__/*.nbi"), *folder.glob("__pycache__/*.nbc")]
        stale = [path for path in cached if path.stat().st_mtime_ns < newest_source]
        if stale:
            for path in cached:
                path.unlink(missing_ok=True)
    except OSError:
        return  # a folder we may not write holds no cache of ours; another process came first
