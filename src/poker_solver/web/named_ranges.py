"""Ranges that a player has named, kept in the library's folder: {name: text}."""

from threading import Lock

from poker_solver.cards import parse_range
from poker_solver.errors import InputError, NotFoundError
from poker_solver.web.library import Library

FILE = ".ranges.json"
MOST_RANGES = 1_000
LONGEST_NAME = 80

_WRITING = Lock()


def named_ranges(library: Library) -> dict[str, str]:
    """All of them, by name in order."""
    found = library.read(FILE)
    texts = found if isinstance(found, dict) else {}
    return {str(name): str(texts[name]) for name in sorted(texts, key=lambda one: str(one).lower())}


def save_range(library: Library, name: str, text: str) -> None:
    """Keep a range under a name, instead of the one that has it; it must be readable."""
    name = _name(name)
    parse_range(text)
    with _WRITING:
        known = named_ranges(library)
        if name not in known and len(known) >= MOST_RANGES:
            raise InputError(f"there are {MOST_RANGES:,} named ranges: delete some first")
        library.write(FILE, {**known, name: text.strip()})


def rename_range(library: Library, name: str, to: str) -> None:
    """Call it otherwise; a name that another has is refused."""
    to = _name(to)
    with _WRITING:
        known = named_ranges(library)
        _check_known(known, name)
        if to != name and to in known:
            raise InputError(f"there is a range {to!r} already")
        library.write(FILE, {to if key == name else key: text for key, text in known.items()})


def delete_range(library: Library, name: str) -> None:
    """Forget it."""
    with _WRITING:
        known = named_ranges(library)
        _check_known(known, name)
        library.write(FILE, {key: text for key, text in known.items() if key != name})


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"a name has 1 to {LONGEST_NAME} characters, this one {len(name)}")
    return name


def _check_known(known: dict[str, str], name: str) -> None:
    if name not in known:
        raise NotFoundError(f"there is no range {name[:LONGEST_NAME]!r}")
