"""Mistakes that were made, kept in a file, and when they come again.

{"format": 1, "mistakes": [{"solution", "history", "line", "seat", "combo", "played", "best",
"lost_bb", "lost_pct", "right_in_a_row", "due"}]}
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any

from poker_solver.errors import FormatError
from poker_solver.store.files import write_bytes

FORMAT = 1

MOST_MISTAKES = 2_000
"""That are kept; of more, the cheapest go."""

SOON, LATER, ENOUGH = 3, 8, 2
"""Hands until a mistake comes again, until one that was put right does, and how often to do so."""


@dataclass(frozen=True)
class Mistake:
    """A decision to be asked for again."""

    solution: str  # its id
    history: tuple[str, ...]
    line: str  # the same as people read it
    seat: int
    combo: str
    played: str
    best: str
    lost_bb: float | None
    lost_pct: float
    right_in_a_row: int = 0
    due: int = SOON  # hands of this solution from now

    @property
    def place(self) -> tuple[object, ...]:
        """What makes it the same question."""
        return self.solution, self.history, self.seat, self.combo


class Memory:
    """The mistakes of all solutions; where a file is given, it is written with every change."""

    def __init__(self, path: Path | None = None) -> None:
        self.path, self._lock = path, Lock()
        self._mistakes = _read(path) if path is not None and path.exists() else []

    def mistakes(self, solution: str | None = None) -> tuple[Mistake, ...]:
        """All of them, or of one solution; the dearest first."""
        with self._lock:
            found = [m for m in self._mistakes if solution in (None, m.solution)]
        return tuple(sorted(found, key=lambda one: -one.lost_pct))

    def next_due(self, solution: str) -> Mistake | None:
        """The dearest mistake whose time has come; another hand was dealt."""
        with self._lock:
            self._mistakes = [
                replace(one, due=max(one.due - 1, 0)) if one.solution == solution else one
                for one in self._mistakes
            ]
        return next((one for one in self.mistakes(solution) if one.due == 0), None)

    def add(self, mistake: Mistake) -> None:
        """Keep a mistake; the same one again begins anew."""
        with self._lock:
            kept = [one for one in self._mistakes if one.place != mistake.place]
            kept.append(mistake)
            kept.sort(key=lambda one: -one.lost_pct)
            self._keep(kept[:MOST_MISTAKES])

    def put_right(self, mistake: Mistake) -> None:
        """It was asked for again and answered well: once more later, then it is forgotten."""
        count = mistake.right_in_a_row + 1
        with self._lock:
            kept = [one for one in self._mistakes if one.place != mistake.place]
            if count < ENOUGH:
                kept.append(replace(mistake, right_in_a_row=count, due=LATER))
            self._keep(kept)

    def forget(self, solution: str | None = None) -> None:
        """Drop the mistakes of a solution, or all."""
        with self._lock:
            self._keep([m for m in self._mistakes if solution not in (None, m.solution)])

    def _keep(self, mistakes: list[Mistake]) -> None:
        self._mistakes = mistakes
        if self.path is not None:
            entry = {"format": FORMAT, "mistakes": [asdict(one) for one in mistakes]}
            write_bytes(self.path, json.dumps(entry, indent=1).encode())


def _read(path: Path) -> list[Mistake]:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        if entry["format"] != FORMAT:
            raise FormatError(f"{path}: format {entry['format']}, this program reads {FORMAT}")
        return [_mistake(one) for one in entry["mistakes"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path} is damaged, delete it to begin anew: {error!r}") from error


def _mistake(entry: dict[str, Any]) -> Mistake:
    known = {field.name: entry[field.name] for field in fields(Mistake)}
    texts: Sequence[Any] = known["history"]
    known["history"] = tuple(map(str, texts))
    known["seat"] = int(known["seat"])
    known["lost_pct"] = float(known["lost_pct"])
    return Mistake(**known)
