"""What a user has chosen, kept from one run to the next in the folder for settings.

A setting that cannot be read is as if it were not there; one that cannot be written is an error.
"""

import json
import os
import sys
from pathlib import Path

from poker_solver.store.files import write_bytes


def settings_path() -> Path:
    """`~/.config/poker-solver/settings.json`, or where the system keeps such files."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home())
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "poker-solver" / "settings.json"


def read_setting(name: str) -> str | None:
    """What was chosen, if anything."""
    found = _read().get(name)
    return found if isinstance(found, str) else None


def write_setting(name: str, value: str) -> Path:
    """Remember a choice; where it is kept."""
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, (json.dumps({**_read(), name: value}, indent=2) + "\n").encode())
    return path


def _read() -> dict[str, object]:
    try:
        found = json.loads(settings_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
