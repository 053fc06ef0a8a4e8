"""Mistakes that were made, kept in a file, and when they come again; what all practice came to.

{"format": 1, "mistakes": [{"solution", "history", "line", "seat", "combo", "played", "best",
"lost_bb", "lost_pct", "right_in_a_row", "due", "chips_per_bb"}], "statistics": {solution: {street:
{"decisions", "known", "right", "off", "in_bb", "lost_bb", "lost_pct"}}}}
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any

from poker_solver.errors import FormatError
from poker_solver.explore.training.grades import STREETS, Grade, StreetScore
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
    lost_pct: float | None  # None where it is not known: the solution never does so
    right_in_a_row: int = 0
    due: int = SOON  # hands of this solution from now
    chips_per_bb: int | None = None  # of sizes after the flop, where the solution has big blinds

    @property
    def place(self) -> tuple[object, ...]:
        """What makes it the same question."""
        return self.solution, self.history, self.seat, self.combo


@dataclass(frozen=True)
class Tally:
    """Decisions of one street, or of all, added up."""

    decisions: int = 0
    known: int = 0  # those whose loss is known
    right: int = 0
    off: int = 0
    in_bb: int = 0  # those whose loss is known in bb
    lost_bb: float = 0.0
    lost_pct: float = 0.0

    def plus(self, grade: Grade) -> "Tally":
        """With one more."""
        return Tally(
            decisions=self.decisions + 1,
            known=self.known + (grade.lost_pct is not None),
            right=self.right + (grade.verdict == "right"),
            off=self.off + (grade.verdict == "off"),
            in_bb=self.in_bb + (grade.lost_bb is not None),
            lost_bb=self.lost_bb + (grade.lost_bb or 0.0),
            lost_pct=self.lost_pct + (grade.lost_pct or 0.0),
        )

    def score(self) -> StreetScore:
        """What they came to."""
        return StreetScore(
            num_decisions=self.decisions,
            num_known=self.known,
            num_right=self.right,
            num_off=self.off,
            lost_bb=self.lost_bb / self.in_bb if self.in_bb else None,
            lost_pct=self.lost_pct / self.known if self.known else None,
        )


Tallies = dict[str, dict[str, Tally]]
"""By solution, then `all` and streets."""


def _dearest(mistake: Mistake) -> float:
    """In this order; those whose price is not known come last."""
    return -(mistake.lost_pct or 0.0)


class Memory:
    """Mistakes and statistics of all solutions; a file that is given is written at every change."""

    def __init__(self, path: Path | None = None) -> None:
        self.path, self._lock = path, Lock()
        self._mistakes: list[Mistake] = []
        self._tallies: Tallies = {}
        if path is not None and path.exists():
            self._mistakes, self._tallies = _read(path)

    def count(self, solution: str, grade: Grade) -> None:
        """Add a decision to the statistics of a solution."""
        with self._lock:
            own = self._tallies.setdefault(solution, {})
            for name in ("all", grade.street):
                own[name] = own.get(name, Tally()).plus(grade)
            self._write()

    def scores(self, solution: str) -> dict[str, StreetScore]:
        """What all practice on a solution came to: all decisions, and each street."""
        with self._lock:
            own = dict(self._tallies.get(solution, {}))
        return {name: own[name].score() for name in ("all", *STREETS) if name in own}

    def mistakes(self, solution: str | None = None) -> tuple[Mistake, ...]:
        """All of them, or of one solution; the dearest first."""
        with self._lock:
            found = [m for m in self._mistakes if solution in (None, m.solution)]
        return tuple(sorted(found, key=_dearest))

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
            kept.sort(key=_dearest)
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
        """Drop mistakes and statistics of a solution, or all."""
        with self._lock:
            self._tallies = {
                id: own for id, own in self._tallies.items() if solution not in (None, id)
            }
            self._keep([m for m in self._mistakes if solution not in (None, m.solution)])

    def _keep(self, mistakes: list[Mistake]) -> None:
        self._mistakes = mistakes
        self._write()

    def _write(self) -> None:
        if self.path is not None:
            tallies = {
                id: {name: asdict(one) for name, one in own.items()}
                for id, own in self._tallies.items()
            }
            mistakes = [asdict(one) for one in self._mistakes]
            entry = {"format": FORMAT, "mistakes": mistakes, "statistics": tallies}
            write_bytes(self.path, json.dumps(entry, indent=1).encode())


def _read(path: Path) -> tuple[list[Mistake], Tallies]:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        if entry["format"] != FORMAT:
            raise FormatError(f"{path}: format {entry['format']}, this program reads {FORMAT}")
        tallies = {
            str(id): {str(name): Tally(**one) for name, one in own.items()}
            for id, own in entry.get("statistics", {}).items()  # older files have none
        }
        return [_mistake(one) for one in entry["mistakes"]], tallies
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is damaged, delete it to begin anew: {error!r}") from error


def _mistake(entry: dict[str, Any]) -> Mistake:
    known = {field.name: entry[field.name] for field in fields(Mistake) if field.name in entry}
    texts: Sequence[Any] = known["history"]
    known["history"] = tuple(map(str, texts))
    known["seat"] = int(known["seat"])
    known["lost_pct"] = None if known["lost_pct"] is None else float(known["lost_pct"])
    return Mistake(**known)
