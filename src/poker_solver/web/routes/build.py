"""Building a spot: form and YAML, what is wrong, how large its tree is."""

import asyncio
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError, MemoryPlanError
from poker_solver.jobs.sizing import Sizing, size_up, street_sizes
from poker_solver.runtime.device import num_cuda, num_threads
from poker_solver.web.build import (
    SIZE_PRESETS,
    Draft,
    Unit,
    read_draft,
    starting_spots,
    write_draft,
)
from poker_solver.web.study.node import size_words

router = APIRouter(prefix="/api/build", tags=["build"])

MOST_ROWS = 30
MOST_DEPTH = 12
_SIZING: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""Of each server: a tree that is too large takes seconds to find out, so one at a time."""


class ProblemRecord(BaseModel):
    """One thing that is wrong."""

    place: str  # oop.turn.bet; empty for the whole text
    what: str


class DraftRecord(BaseModel):
    """A spot as the form and the YAML have it."""

    yaml: str
    fields: dict[str, Any] | None  # keys and values as written; None where it is no YAML
    problems: list[ProblemRecord]
    unit: Unit
    board: str  # as the program writes it; empty where it is missing or wrong


class YamlText(BaseModel):
    """A spot as text."""

    model_config = ConfigDict(extra="forbid")

    yaml: str = Field(max_length=1_000_000)


class FormFields(BaseModel):
    """A spot as a form has it."""

    model_config = ConfigDict(extra="forbid")

    fields: dict[str, Any]
    unit: Unit | None = None  # to which amounts are turned


class TreeWanted(YamlText):
    """A tree from a line on."""

    line: str = Field("", max_length=2_000)
    depth: int | None = Field(None, ge=0, le=MOST_DEPTH)
    target_pct: float = Field(POSTFLOP_TARGET_PCT, gt=0, le=100)


class TreeRow(BaseModel):
    """One node of the outline."""

    depth: int
    line: str
    label: str  # of the action that leads here
    player: str | None
    what: str
    choices: list[str]
    pot: int


class StreetRecord(BaseModel):
    """Sizes of one street."""

    street: str
    boards: int
    nodes: int
    decisions: int
    elements: int


class MemoryRecord(BaseModel):
    """What one precision takes."""

    precision: str
    num_bytes: int
    fits: bool


class TreeRecord(BaseModel):
    """A tree before it is solved."""

    board: str
    hands: tuple[int, int]
    rows: list[TreeRow]
    streets: list[StreetRecord]
    elements: int
    memory: list[MemoryRecord]
    free_bytes: int | None
    seconds: float
    threads: int
    problems: list[ProblemRecord] = []


class PresetRecord(BaseModel):
    """Sizes by a name."""

    model_config = ConfigDict(populate_by_name=True)

    name: str
    bet: str
    raise_: Annotated[str, Field(alias="raise")]


class StartRecord(BaseModel):
    """What the page needs before anything is built."""

    spots: dict[str, str]  # YAML by name; the first is the one to begin with
    presets: list[PresetRecord]
    devices: list[str]
    target_pct: float
    threads: int


@router.get("/start")
def start() -> StartRecord:
    """Spots to begin with, presets of sizes, devices."""
    presets = [PresetRecord(name=one.name, bet=one.bet, raise_=one.raise_) for one in SIZE_PRESETS]
    return StartRecord(
        spots=starting_spots(),
        presets=presets,
        devices=["auto", "cpu", *(["cuda"] if num_cuda() else [])],
        target_pct=POSTFLOP_TARGET_PCT,
        threads=num_threads(None),
    )


@router.post("/read")
def read(given: YamlText) -> DraftRecord:
    """YAML to fields, with all that is wrong."""
    return _record(read_draft(given.yaml))


@router.post("/write")
def write(given: FormFields) -> DraftRecord:
    """Fields to YAML, with all that is wrong."""
    return _record(write_draft(given.fields, given.unit))


@router.post("/tree", response_model=TreeRecord)
async def tree(wanted: TreeWanted, request: Request) -> Response:
    """What can be played, and what it will take; a page that asked anew is not answered."""
    async with _SIZING.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        if await request.is_disconnected():
            return Response(status_code=499)
        found = await run_in_threadpool(_tree, wanted)
    return JSONResponse(found)


def _tree(wanted: TreeWanted) -> dict[str, Any]:
    try:
        sizing = size_up(
            Spot.from_yaml(wanted.yaml), wanted.line, depth=wanted.depth, most_rows=MOST_ROWS
        )
    except ConfigError as error:
        return {"problems": _problems(error.problems or (("", str(error)),))}
    except MemoryPlanError as error:
        return {"problems": _problems((("", str(error)),))}
    return _tree_record(sizing, wanted.target_pct).model_dump()


def _tree_record(sizing: Sizing, target_pct: float) -> TreeRecord:
    deepest, big_blind = max(row.depth for row in sizing.rows), sizing.spot.bb

    def words(label: str) -> str:
        return size_words(label.partition(" ")[0], label, big_blind) if label else ""

    return TreeRecord(
        board=sizing.spot.board,
        hands=sizing.counts.hands,
        rows=[
            TreeRow(
                depth=row.depth, line=row.line, label=words(row.label), player=row.player,
                what=row.what, choices=[*map(words, row.labels)] if row.depth == deepest else [],
                pot=row.pot_chips,
            )
            for row in sizing.rows
        ],
        streets=[
            StreetRecord(street=name, **sizes)
            for name, sizes in street_sizes(sizing.counts).items()
        ],
        elements=sizing.counts.num_elements,
        memory=[
            MemoryRecord(precision=one, num_bytes=sizing.needed_bytes(one), fits=sizing.fits(one))
            for one in sizing.state
        ],
        free_bytes=sizing.free_bytes,
        seconds=sizing.seconds(target_pct),
        threads=num_threads(None),
    )  # fmt: skip


def _problems(places: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"place": place, "what": what} for place, what in places]


def _record(draft: Draft) -> DraftRecord:
    return DraftRecord(
        yaml=draft.text,
        fields=draft.fields,
        problems=[ProblemRecord(place=place, what=what) for place, what in draft.problems],
        unit=draft.unit,
        board=draft.spot.board if draft.spot else "",
    )
