"""The server put together: who may ask, what is answered, what goes wrong, and the pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from poker_solver.errors import (
    DeviceError,
    InputError,
    MemoryPlanError,
    NotFoundError,
    PokerSolverError,
)
from poker_solver.version import VERSION
from poker_solver.web.guard import Guard, own_hosts
from poker_solver.web.jobs.queue import Jobs
from poker_solver.web.library import EXAMPLE, Library
from poker_solver.web.opened import Opened
from poker_solver.web.page import STATIC, page_html
from poker_solver.web.parts import Parts, ServerSettings
from poker_solver.web.routes import ROUTERS, study
from poker_solver.web.study.after_flop import UnsolvedError

_STUDY, _ANY_SOLVE = "/study/", f"{EXAMPLE}3bet-pot"


def create_app(settings: ServerSettings) -> FastAPI:
    """A server of one library."""
    library = Library(settings.folder)
    parts = Parts(settings, library, Opened(library), Jobs(library))

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        yield
        parts.jobs.close()

    app = FastAPI(
        title="poker-solver", version=VERSION, lifespan=running,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.parts = parts
    for router in ROUTERS:
        app.include_router(router)
    _add_errors(app)
    _add_pages(app)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    hosts = own_hosts(settings.host, settings.port)
    app.add_middleware(Guard, hosts=hosts, token=settings.token)
    return app


def look_ahead(app: FastAPI, page: str) -> None:
    """Look at the node that a page shows, or else at any: modules are then loaded, tables made.

    Done while the browser opens.
    """
    own, path = app.state.parts, unquote(urlsplit(page).path)
    id = path.removeprefix(_STUDY) if path.startswith(_STUDY) else _ANY_SOLVE
    page_html("study" if path.startswith(_STUDY) else "library")
    with suppress(PokerSolverError):  # the page itself will say so
        study.node(id, own)
        own.library.entries()


def _add_errors(app: FastAPI) -> None:
    """One line for whatever goes wrong."""

    def answer(status: int, why: str, **more: str) -> Response:
        return JSONResponse({"error": " ".join(why[:4_000].split()), **more}, status)

    @app.exception_handler(PokerSolverError)
    def refused(_: Request, error: PokerSolverError) -> Response:
        if isinstance(error, NotFoundError):
            return answer(404, str(error))
        if isinstance(error, UnsolvedError):
            return answer(409, str(error), line=error.line, next=error.cards)
        if isinstance(error, (MemoryPlanError, DeviceError)) and not isinstance(error, InputError):
            return answer(422, str(error))
        return answer(400 if isinstance(error, InputError) else 500, str(error))

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, error: RequestValidationError) -> Response:
        return answer(422, "; ".join(_problem(one) for one in error.errors()[:10]))

    @app.exception_handler(HTTPException)
    def missing(request: Request, error: HTTPException) -> Response:
        return answer(error.status_code, f"{request.url.path[:200]}: {error.detail}")

    @app.exception_handler(Exception)
    def unexpected(_: Request, error: Exception) -> Response:
        return answer(500, f"unexpected {type(error).__name__}: {error}")


def _problem(error: dict[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path"))
    return f"{place or 'the request'}: {error['msg']}"


def _add_pages(app: FastAPI) -> None:
    """The files of the page; every address of ours that names no file is the page itself."""
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/api/{rest:path}", include_in_schema=False)
    def no_route(rest: str) -> Response:
        raise NotFoundError(f"there is no route /api/{rest[:100]}; /api/openapi.json lists them")

    @app.get("/{rest:path}", include_in_schema=False)
    def page(rest: str) -> Response:
        return HTMLResponse(page_html(rest.partition("/")[0] or "library"))
