"""`web`: the same solver in a browser, on this machine."""

import os
import secrets
import socket
import sys
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from poker_solver.errors import InputError, MissingPackageError

LOCAL = ("127.0.0.1", "localhost", "::1")


def web(
    port: Annotated[int, typer.Option(help="To listen at.", min=1, max=65535)] = 8765,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    library: Annotated[
        Path | None, typer.Option(help="The folder of saved solves; one of your own if not given.")
    ] = None,
    page: Annotated[str, typer.Option(help="What to open: /study/game:hu_20")] = "/",
    host: Annotated[
        str, typer.Option(help="Address to listen at; others than this machine need a token.")
    ] = "127.0.0.1",
) -> None:
    """Study, build, solve, report and train in a browser; nothing leaves this machine."""
    try:
        import uvicorn

        from poker_solver.web.app import create_app, look_ahead
    except ImportError as error:
        raise MissingPackageError(
            "web needs fastapi and uvicorn: pip install 'poker-solver[web]'"
        ) from error
    from poker_solver.web.parts import ServerSettings

    if not page.startswith("/"):
        raise InputError(f"page is {page!r}, must begin with /")
    token = None if host in LOCAL else secrets.token_urlsafe(24)
    settings = ServerSettings(library or library_folder(), host, port, token)
    app, listening = create_app(settings), listen(host, port)
    address = address_of(host, port, page, token)
    typer.echo(f"{address}  (library: {settings.folder}; Ctrl-C stops)", err=True)
    Thread(target=look_ahead, args=(app, page), daemon=True).start()
    if not no_open:
        typer.launch(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, backlog=2048)
    uvicorn.Server(config).run(sockets=[listening])


def address_of(host: str, port: int, page: str, token: str | None) -> str:
    """What to open; where all addresses are listened at, by this machine's name."""
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    name = f"[{name}]" if ":" in name else name
    mark = "&" if "?" in page else "?"
    return f"http://{name}:{port}{page}" + (f"{mark}token={token}" if token else "")


def listen(host: str, port: int) -> socket.socket:
    """Take the port, or say who has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # only where the protocol is named does asyncio send at once: without it 40 ms an answer
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen()  # a browser that is opened before the server runs waits
    except OSError as error:
        found.close()
        raise InputError(
            f"cannot listen at {host}:{port}: {error.strerror or error}; --port takes another"
        ) from error
    return found


def library_folder() -> Path:
    """`~/.local/share/poker-solver/library`, or where the system keeps such files."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return folder / "poker-solver" / "library"
