"""What the routes stand on, made once per server."""

from dataclasses import dataclass
from pathlib import Path

from fastapi import Request

from poker_solver.web.jobs.queue import Jobs
from poker_solver.web.library import Library
from poker_solver.web.opened import Opened


@dataclass(frozen=True)
class ServerSettings:
    """How a server was started."""

    folder: Path  # of the library
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None  # that every request must carry; None on this machine alone


@dataclass(frozen=True, eq=False)
class Parts:
    """A library, its opened solutions, and the work under way."""

    settings: ServerSettings
    library: Library
    opened: Opened
    jobs: Jobs


def parts(request: Request) -> Parts:
    """Those of the server that was asked; for `Depends`."""
    found: Parts = request.app.state.parts
    return found
