"""Saved solves: list, name, tag, delete, upload, download."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from poker_solver.web.library import Entry
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/library", tags=["library"])
Own = Annotated[Parts, Depends(parts)]


class EntryRecord(BaseModel):
    """A saved solve."""

    id: str
    name: str
    tags: list[str]
    kind: str
    board: str
    stack: str
    exploitability: str
    exploitability_pct: float | None
    iterations: int
    num_bytes: int
    modified: float
    num_locks: int
    is_shipped: bool
    problem: str

    @classmethod
    def of(cls, entry: Entry) -> "EntryRecord":
        """The same for JSON."""
        return cls.model_validate(asdict(entry) | {"tags": list(entry.tags)})


class Names(BaseModel):
    """What a save is to be called."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(None, max_length=100)
    tags: list[str] | None = Field(None, max_length=20)


@router.get("")
def entries(own: Own) -> list[EntryRecord]:
    """Every solve of the library, newest first, and the games that come with the package."""
    return [EntryRecord.of(entry) for entry in own.library.entries()]


@router.post("/upload")
async def upload(
    request: Request, own: Own, name: Annotated[str, Query(min_length=1, max_length=200)]
) -> EntryRecord:
    """Keep a .pks that is the body of the request, once it was checked."""
    data = await request.body()
    return EntryRecord.of(await run_in_threadpool(own.library.add, name, data))


@router.get("/{id}")
def entry(id: str, own: Own) -> EntryRecord:
    """One of them."""
    return EntryRecord.of(own.library.entry(id))


@router.patch("/{id}")
def rename(id: str, names: Names, own: Own) -> EntryRecord:
    """Name it, tag it."""
    return EntryRecord.of(own.library.rename(id, names.name, names.tags))


@router.delete("/{id}", status_code=204)
def delete(id: str, own: Own) -> Response:
    """Remove it from the disk."""
    own.library.delete(id)
    return Response(status_code=204)


@router.get("/{id}/file")
def download(id: str, own: Own) -> FileResponse:
    """The file, which `explore` opens."""
    path = own.library.path(id)
    name = own.library.file_name(id)
    return FileResponse(path, filename=name, media_type="application/octet-stream")
