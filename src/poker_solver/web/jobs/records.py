"""A piece of long work as plain values: what is wanted, how it stands, what came of it."""

from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["waiting", "running", "done", "stopped", "failed"]


class SolveWanted(BaseModel):
    """Solve a spot and keep it in the library."""

    model_config = ConfigDict(extra="forbid")

    spot: str = Field(max_length=1_000_000)  # YAML
    name: str = Field("", max_length=100)
    tags: list[str] = Field([], max_length=20)
    target_pct: float | None = Field(None, gt=0, le=100)
    max_seconds: float | None = Field(None, gt=0)
    max_iterations: int | None = Field(None, gt=0)
    device: str = Field("auto", max_length=20)
    threads: int | None = Field(None, ge=1, le=1024)
    precision: Literal["float32", "int16"] = "float32"
    rivers: bool | None = None  # whether the save keeps them; small ones if not given


class JobProgress(BaseModel):
    """How far it is."""

    done: float = 0.0  # iterations, flops, hands
    total: float | None = None
    exploitability_pct: float | None = None
    seconds: float = 0.0
    seconds_left: float | None = None
    text: str = ""  # in words


Tell = Callable[[JobProgress, tuple[float, float] | None], None]
"""Told how far the work is, and a point of its curve if it has one."""


class Job(BaseModel):
    """A piece of work, kept in a file of its own."""

    id: str
    kind: str  # solve, report, review
    title: str
    device: str  # which queue it stands in
    wanted: dict[str, Any]
    status: Status = "waiting"
    progress: JobProgress = JobProgress()
    curve: list[tuple[float, float]] = []  # (iteration, % of the pot)
    result: str = ""  # an id of the library, or what the kind of work keeps
    error: str = ""
    created: float = 0.0  # seconds since 1970
    can_go_on: bool = False
    version: int = 0  # grows with every change
