"""The folder of saved solves: what is there, by which name; the only way from an id to a path.

FOLDER/NAME.pks          a save; NAME is its id
FOLDER/.library.json     {id: {"name": ..., "tags": [...]}} where somebody said so
FOLDER/.jobs/            work under way, see `jobs`
FOLDER/.reports/ID/      a report: what `batch` writes, and a save of each flop; see `jobs.report`
FOLDER/.reviews/ID/      hands that were played and what they lost; see `jobs.review_files`
FOLDER/.ranges.json      named ranges; FOLDER/.training.json what was trained
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import RLock
from typing import Any

from poker_solver.config.spot import Spot
from poker_solver.errors import FormatError, InputError, NotFoundError
from poker_solver.explore.opening import SAVES
from poker_solver.fullgame.shipped import shipped_games, solution_path
from poker_solver.postflop.solution.solution import KIND as SPOT
from poker_solver.preflop.solution import KIND as PREFLOP
from poker_solver.store.files import read_file, read_header, write_bytes

GAME, EXAMPLE = "game:", "example:"
"""Begin the ids of games, and of a solved spot, that come with the package."""

_EXAMPLES = {"3bet-pot": "Example: 3-bet pot, BB v BTN"}
_DATA = Path(__file__).parent / "data"

REPORT = "report:"
"""Begins the id of a flop of a report, `report:0123456789ab:QsJs2h`."""

_FOLDER_ID = re.compile(r"[0-9a-f]{12}")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._,+-]{0,99}")
_NOTES = ".library.json"
_SHORT = {SPOT: "spot", PREFLOP: "preflop"}


@dataclass(frozen=True)
class Entry:
    """A saved solve as a list shows it."""

    id: str
    name: str
    tags: tuple[str, ...]
    kind: str  # spot, preflop or game
    board: str  # empty before the flop
    stack: str  # in chips or bb, with the unit
    exploitability: str  # with its unit
    exploitability_pct: float | None
    iterations: int
    num_bytes: int
    modified: float  # seconds since 1970
    num_locks: int = 0
    is_shipped: bool = False
    problem: str = ""  # why it cannot be opened
    spot: str = ""  # names what was solved but for its board; empty of a game


class Library:
    """Saved solves of one folder, and the games that come with the package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"cannot make {folder}: {error.strerror or error}") from error
        self._lock = RLock()
        self._read: dict[tuple[str, float, int], Entry] = {}

    def entries(self) -> list[Entry]:
        """All of them, newest first, then the games of the package."""
        found = [self._entry(path) for path in self._files().values()]
        found.sort(key=lambda entry: -entry.modified)
        return [*found, *(self._shipped(id) for id in shipped_files())]

    def entry(self, id: str) -> Entry:
        """The one of an id."""
        path = self.path(id)
        if comes_with_package(id):
            return self._shipped(id)
        if id.startswith(REPORT):
            stat = path.stat()
            read = _described(path, stat.st_size, stat.st_mtime)
            return Entry(**{**read.__dict__, "id": id, "tags": ("report",)})
        return self._entry(path)

    def path(self, id: str) -> Path:
        """The file of an id: one that is in the folder, or of the package, and no other."""
        if comes_with_package(id):
            files = shipped_files()
        elif id.startswith(REPORT):
            report, _, flop = id.removeprefix(REPORT).partition(":")
            files = self.flops_of(report)
            id = flop
        else:
            files = self._files()
        if id not in files:
            raise NotFoundError(f"there is no solve {id[:100]!r} in the library")
        return files[id]

    def boards_of(self, spot: Spot) -> dict[str, str]:
        """The saves of a spot, whatever its board: ids by board, the best solved of each."""
        name, best = spot_name(spot.to_mapping()), dict[str, Entry]()
        for path in self._files().values():
            with suppress(NotFoundError):  # deleted meanwhile
                one = self._entry(path)
                known = best.get(one.board)
                if one.spot == name and (known is None or _gap(one) < _gap(known)):
                    best[one.board] = one
        return {board: one.id for board, one in best.items()}

    def reports(self) -> dict[str, Path]:
        """The folder of every report, by its id."""
        return _folders(self.folder / ".reports")

    def report(self, id: str) -> Path:
        """The folder of one."""
        found = self.reports()
        if id not in found:
            raise NotFoundError(f"there is no report {id[:40]!r} in the library")
        return found[id]

    def new_report(self) -> Path:
        """A new folder for one; its name is its id."""
        path = self.folder / ".reports" / secrets.token_hex(6)
        path.mkdir(parents=True)
        return path

    def reviews(self) -> dict[str, Path]:
        """The folder of every review of hands, by its id."""
        return _folders(self.folder / ".reviews")

    def review(self, id: str) -> Path:
        """The folder of one."""
        found = self.reviews()
        if id not in found:
            raise NotFoundError(f"there is no review {id[:40]!r} in the library")
        return found[id]

    def new_review(self) -> Path:
        """A new folder for one; its name is its id."""
        path = self.folder / ".reviews" / secrets.token_hex(6)
        path.mkdir(parents=True)
        return path

    def flops_of(self, report: str) -> dict[str, Path]:
        """The saves of a report, by flop."""
        return _saves(self.report(report))

    def new_path(self, name: str) -> Path:
        """Where a save of this name goes; a name that is taken gets a number."""
        plain = re.sub(r"[^A-Za-z0-9._,+-]+", "-", name).strip("-. ")[:80] or "spot"
        with self._lock:
            taken, wanted, number = self._files(), plain, 2
            while wanted in taken or (self.folder / f"{wanted}.pks").exists():
                wanted, number = f"{plain}-{number}", number + 1
        return self.folder / f"{wanted}.pks"

    def rename(self, id: str, name: str | None, tags: Iterable[str] | None) -> Entry:
        """Say what a save is called and what it is about; the file keeps its name."""
        path = self.path(id)
        if comes_with_package(id):
            raise InputError("what comes with the package keeps its name")
        if id.startswith(REPORT):
            raise InputError("the flops of a report keep their names")
        with self._lock:
            notes = self._notes()
            own = notes.setdefault(id, {})
            if name is not None:
                own["name"] = name.strip()[:100]
            if tags is not None:
                own["tags"] = sorted({tag.strip()[:40] for tag in tags if tag.strip()})[:20]
            self.write(_NOTES, notes)
        return self._entry(path)

    def delete(self, id: str) -> None:
        """Remove a save from the disk."""
        if comes_with_package(id):
            raise InputError("what comes with the package cannot be deleted")
        if id.startswith(REPORT):
            raise InputError("a flop of a report is deleted with the report")
        with self._lock:
            self.path(id).unlink(missing_ok=True)
            notes = self._notes()
            if notes.pop(id, None) is not None:
                self.write(_NOTES, notes)

    def add(self, name: str, data: bytes) -> Entry:
        """Keep an uploaded save, once all of it was checked."""
        path = self.new_path(Path(name).stem)
        half = path.with_name(f".upload-{path.name}")
        try:
            write_bytes(half, data)
            kind = str(read_header(half)["kind"])
            if kind not in SAVES:
                raise InputError(f"{name} is a {kind}; the library keeps solutions")
            read_file(half, kind)
            half.rename(path)
        except FormatError as error:
            raise InputError(str(error).replace(str(half), name)) from error
        finally:
            half.unlink(missing_ok=True)
        return self.rename(path.stem, Path(name).stem, None)

    def file_name(self, id: str) -> str:
        """What a save is called when it is taken along, so that it keeps its name elsewhere."""
        plain = re.sub(r"[^A-Za-z0-9 ._,+-]+", "", self.entry(id).name)
        return f"{' '.join(plain.split()).strip('-. ')[:80] or 'spot'}.pks"

    def read(self, name: str) -> Any:
        """What is kept under one of the library's own names; None if nothing is."""
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write(self, name: str, value: Any) -> None:
        """Keep plain values under one of the library's own names."""
        write_bytes(self.folder / name, (json.dumps(value, indent=1) + "\n").encode())

    def _files(self) -> dict[str, Path]:
        return _saves(self.folder)

    def _notes(self) -> dict[str, dict[str, Any]]:
        found = self.read(_NOTES)
        return found if isinstance(found, dict) else {}

    def _entry(self, path: Path) -> Entry:
        try:
            stat = path.stat()
        except OSError as error:
            raise NotFoundError(f"there is no solve {path.stem!r} in the library") from error
        key = path.name, stat.st_mtime, stat.st_size
        if key not in self._read:
            self._read[key] = _described(path, stat.st_size, stat.st_mtime)
        own = self._notes().get(path.stem, {})
        entry = self._read[key]
        return _named(entry, own)

    def _shipped(self, id: str) -> Entry:
        path = self.path(id)
        key = id, 0.0, 0
        if key not in self._read:
            read = _described(path, path.stat().st_size, 0.0)
            name = _EXAMPLES.get(id.removeprefix(EXAMPLE), read.name)
            own = {"id": id, "name": name, "is_shipped": True, "tags": ("shipped",)}
            self._read[key] = Entry(**{**read.__dict__, **own})
        return self._read[key]


def spot_name(fields: Mapping[str, Any]) -> str:
    """Tells apart spots by what files say of them, the board put aside."""
    told = {key: value for key, value in fields.items() if key != "board"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _gap(entry: Entry) -> float:
    return inf if entry.exploitability_pct is None else entry.exploitability_pct


def comes_with_package(id: str) -> bool:
    """Whether an id is of what comes with the package."""
    return id.startswith((GAME, EXAMPLE))


def shipped_files() -> dict[str, Path]:
    """What comes with the package, by id."""
    games = {f"{GAME}{name}": solution_path(name) for name in shipped_games()}
    return {f"{EXAMPLE}{name}": _DATA / f"{name}.pks" for name in _EXAMPLES} | games


def _folders(folder: Path) -> dict[str, Path]:
    """Those that have an id for a name."""
    return {
        path.name: path
        for path in sorted(folder.glob("*"))
        if _FOLDER_ID.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    }


def _saves(folder: Path) -> dict[str, Path]:
    try:
        return {
            path.stem: path
            for path in folder.iterdir()
            if path.suffix == ".pks" and _ID.fullmatch(path.stem) and path.is_file()
            and not path.is_symlink()
        }  # fmt: skip
    except OSError as error:
        raise FormatError(f"cannot read {folder}: {error.strerror or error}") from error


def _named(entry: Entry, own: dict[str, Any]) -> Entry:
    tags = own.get("tags", [])
    return Entry(
        **{
            **entry.__dict__,
            "name": str(own.get("name") or entry.name),
            "tags": tuple(map(str, tags)) if isinstance(tags, list) else (),
        }
    )


def _described(path: Path, num_bytes: int, modified: float) -> Entry:
    """What a file says of itself; one that cannot be read is listed with the reason."""
    plain = Entry(
        id=path.stem, name=path.stem, tags=(), kind="spot", board="", stack="", exploitability="",
        exploitability_pct=None, iterations=0, num_bytes=num_bytes, modified=modified,
    )  # fmt: skip
    try:
        header = read_header(path)
        kind = str(header["kind"])
        if kind not in SAVES:
            return Entry(**{**plain.__dict__, "problem": f"is a {kind}, no solution"})
        facts = _spot_facts(header) if kind == SPOT else _game_facts(path, kind)
        return Entry(**{**plain.__dict__, "kind": _SHORT.get(kind, "game"), **facts})
    except (FormatError, InputError) as error:
        return Entry(**{**plain.__dict__, "problem": str(error)})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return Entry(**{**plain.__dict__, "problem": f"has a broken header: {error!r}"})


def _amount(chips: int, big_blind: int | None) -> str:
    """In the unit that the spot was written in."""
    return f"{chips / big_blind:g} bb" if big_blind else f"{chips:,} chips"


def _spot_facts(header: dict[str, Any]) -> dict[str, Any]:
    record = header["record"]
    spot = header["spot"]
    pct = 100.0 * float(record["exploitability_chips"]) / float(spot["pot"])
    pot, stack = (_amount(spot[key], spot.get("bb")) for key in ("pot", "stack"))
    return {
        "name": f"{spot['board']} · {pot} in the pot",
        "board": str(spot["board"]),
        "stack": stack,
        "exploitability": f"{pct:.3g} % of pot",
        "exploitability_pct": pct,
        "iterations": int(record["iterations"]),
        "num_locks": len(spot.get("locks") or ()),
        "spot": spot_name(spot),
    }


def _game_facts(path: Path, kind: str) -> dict[str, Any]:
    """Of a game before the flop, which is small and read whole."""
    from poker_solver.fullgame.solution import UnifiedSolution
    from poker_solver.preflop.solution import PreflopSolution

    if kind == PREFLOP:
        found = PreflopSolution.load(path)
        told, iterations = f"{found.exploitability_pct:.3g} % of pot", found.iterations
        return {
            "name": found.config.name, "stack": f"{found.stack_chips / 100:g} bb",
            "exploitability": told, "exploitability_pct": found.exploitability_pct,
            "iterations": iterations,
        }  # fmt: skip
    game = UnifiedSolution.load(path)
    return {
        "name": game.config.name, "stack": f"{game.config.stack_bb:g} bb",
        "exploitability": f"{game.exploitability_mbb:.2f} mbb",
        "iterations": game.record.iterations,
    }  # fmt: skip
