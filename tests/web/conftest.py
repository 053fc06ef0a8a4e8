"""A real server on a port of its own, over a library of small solved spots."""

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.web import listen
from poker_solver.config.spot import Spot
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.web.app import create_app
from poker_solver.web.parts import ServerSettings

SIZES = {"bet": "50%", "raise": "a"}
TURN = {
    "board": "Td9d6hQc",
    "pot": 200,
    "stack": 400,
    "oop": {"range": "QQ,TT,AQs,KJs,JTs,A5s:0.5,87s", "turn": SIZES, "river": SIZES},
    "ip": {"range": "JJ,99,AQo,KQs,QJs,T9s,98s,76s", "turn": SIZES, "river": SIZES},
}
FLOP = {
    "board": "Ks7h2d",
    "pot": 550,
    "stack": 900,
    "oop": {"range": "77,AKs,K9s,T9s", **{s: {"raise": "a"} for s in ("flop", "turn", "river")}},
    "ip": {"range": "AA,22,KQs,QJs", **{s: {"bet": "50%"} for s in ("flop", "turn", "river")}},
}


@dataclass(frozen=True)
class Site:
    """A server under test."""

    address: str
    folder: Path


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `turn.pks` and `flop.pks`, solved to half a per cent of the pot."""
    folder = tmp_path_factory.mktemp("solved")
    for name, fields in (("turn", TURN), ("flop", FLOP)):
        solution = solve_spot(Spot.from_mapping(fields), SolveOptions(target=0.5))
        solution.save(folder / f"{name}.pks", rivers=True)
    return folder


@pytest.fixture(scope="module")
def library_folder(solved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of its own for the tests of a file."""
    folder = tmp_path_factory.mktemp("library")
    for path in solved.glob("*.pks"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def site(library_folder: Path) -> Iterator[Site]:
    """A server over that library, until the tests of the file are done."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    app = create_app(ServerSettings(library_folder, port=port))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    running.start()
    yield Site(f"http://127.0.0.1:{port}", library_folder)
    server.should_exit = True
    running.join()
    listening.close()


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    """Asks that server as a program would."""
    with httpx.Client(base_url=site.address, timeout=60) as found:
        yield found
