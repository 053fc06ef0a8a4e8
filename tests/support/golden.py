"""Text compared with a reviewed file; UPDATE_GOLDEN=1 writes the files anew, to be read again."""

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def assert_golden(name: str, text: str) -> None:
    """The text is what was reviewed, character by character."""
    path = FOLDER / name
    assert len(text.splitlines()) < 60, "too long to be reviewed"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
