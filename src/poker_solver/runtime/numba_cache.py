"""Keeps numba's cache honest, and lets it have one where nothing of ours can be written.

Numba keys what it caches by the one file a function stands in, though code of other files may be
inlined. So compiled code goes when any file of its folder, or of a folder in it, has changed. Where
neither the source's folder nor the user's cache can be written, numba would refuse to compile.
"""

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path


def prepare_cache(module_file: str) -> None:
    """See that code of the folder can be cached, and that what is cached is of its source."""
    folder = Path(module_file).parent
    _prepare_cache(folder)
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    _drop_broken(Path(elsewhere) if elsewhere else folder if _is_open(folder) else _user_cache())
    if "NUMBA_CACHE_DIR" not in os.environ and not (_is_open(folder) or _has_user_cache()):
        os.environ["NUMBA_CACHE_DIR"] = room = str(private_folder(Path(tempfile.gettempdir())))
        if "numba" in sys.modules:  # it has read the variable already
            sys.modules["numba"].config.CACHE_DIR = room


def _prepare_cache(folder: Path) -> None:
    """Delete the folder's cached code if it is older than the newest source there."""
    try:
        newest_source = max(path.stat().st_mtime_ns for path in folder.rglob("*.py"))
        cached = [*folder.rglob("*.nbi"), *folder.rglob("*.nbc")]
        stale = [path for path in cached if path.stat().st_mtime_ns < newest_source]
        if stale:
            for path in cached:
                path.unlink(missing_ok=True)
    except OSError:
        return  # a folder we may not write holds no cache of ours; another process came first


def _drop_broken(folder: Path) -> None:
    """Delete cached code that was not written to its end, which numba would fail on for ever.

    Each file is a pickle or two, and a pickle ends with a full stop.
    """
    with suppress(OSError):
        for path in (*folder.rglob("*.nbi"), *folder.rglob("*.nbc")):
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                if file.read(1) == b".":
                    continue
            path.unlink(missing_ok=True)


def _user_cache() -> Path:
    """Where numba keeps what it may not keep beside the source."""
    return _caches() / "numba"


def _caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))


def _is_open(folder: Path) -> bool:
    inside = folder / "__pycache__"
    return os.access(inside if inside.exists() else folder, os.W_OK | os.X_OK)


def _has_user_cache() -> bool:
    folder = _caches()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def private_folder(base: Path) -> Path:
    """A folder that nobody else can have put code into; a new one if that of before is not."""
    if hasattr(os, "getuid"):
        folder = base / f"poker-solver-{os.getuid()}"
        with suppress(OSError):  # another user may have put something else there
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            if found.st_uid == os.getuid() and found.st_mode & 0o170077 == 0o040000:
                return folder
    return Path(tempfile.mkdtemp(prefix="poker-solver-", dir=base))
