"""The browser's server: bytes of the first page, answers to clicks, many tabs beside a solve.

The spot is the 3-bet pot that comes with the package; a walk clicks through random lines of it.
"""

import gzip
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np

from benchmarks.rows import Row, once
from poker_solver.config.named_spots import named_spot
from poker_solver.web.page import STATIC
from poker_solver.web.study.packed import unpack

EXAMPLE = "example:3bet-pot"
TABS = 20
CLICKS = 150


def run() -> Iterator[Row]:
    """First page, clicks, clicks of twenty tabs while a flop is solved."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (address, started):
        yield Row("from the command to the first node", started, "s", "under 2")
        yield Row("first page, compressed", first_page_bytes(address) / 1e3, "kB", "under 300")
        yield from told("one tab", walk(address, CLICKS, seed=0))
        with httpx.Client(base_url=address) as web:
            wanted = {"spot": named_spot("flop_example").to_yaml(), "target_pct": 1e-3}
            job = web.post("/api/jobs/solve", json=wanted).json()["id"]
            while not web.get(f"/api/jobs/{job}").json()["curve"]:
                time.sleep(0.5)
            with ThreadPoolExecutor(TABS) as tabs:
                walks = tabs.map(lambda seed: walk(address, 15, seed, pause=1.0), range(TABS))
                waits = [ms for found in walks for ms in found]
            yield from told(f"{TABS} tabs, a click a second each, while a flop is solved", waits)
            web.post(f"/api/jobs/{job}/stop")
            stopping = once(lambda: until_ended(web, job))
            yield Row("to stop a solve with its result kept", stopping, "s")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, float]]:
    """A server of its own process, and how long it took to its first node."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "poker_solver", "web", "--no-open", "--port", str(port)]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--library", str(folder)], stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                httpx.get(f"{address}/api/solutions/{EXAMPLE}/node", timeout=60).raise_for_status()
                break
            except httpx.ConnectError:
                time.sleep(0.02)
        yield address, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def first_page_bytes(address: str) -> int:
    """The study page with every file that it loads, and its first node, as they are sent."""
    seen, left = dict[str, int](), ["/static/index.html", "/static/js/pages/study.js"]
    while left:
        path = left.pop()
        text = (STATIC / path.removeprefix("/static/")).read_text(encoding="utf-8")
        seen[path] = len(gzip.compress(text.encode(), 5))
        found = re.findall(r"""(?:href|src)="(/static/[^"]+)"|from "(/static/[^"]+)\"""", text)
        left += [one for pair in found for one in pair if one and one not in {*seen, *left}]
    node = httpx.get(f"{address}/api/solutions/{EXAMPLE}/node").content
    return sum(seen.values()) + len(gzip.compress(node, 5))


def walk(address: str, clicks: int, seed: int, pause: float = 0.0) -> list[float]:
    """Milliseconds of every click of a walk that begins anew where a line ends."""
    rng, line, waits = np.random.default_rng(seed), "", []
    with httpx.Client(base_url=address, timeout=60) as web:
        for _ in range(clicks):
            began = time.perf_counter()
            body = web.get(f"/api/solutions/{EXAMPLE}/node", params={"line": line}).content
            waits.append(1e3 * (time.perf_counter() - began))
            head, _ = unpack(body)
            steps = head["cards"] or [one["action"] for one in head["actions"]]
            line = f"{line} {rng.choice(steps)}".strip() if steps else ""
            time.sleep(pause * rng.uniform(0.5, 1.5))
    return waits


def told(name: str, waits: list[float]) -> Iterator[Row]:
    """The middle and the slow end of how long clicks waited."""
    yield Row(f"{name}: a click, median", float(np.median(waits)), "ms")
    yield Row(f"{name}: a click, 95 % are faster than", float(np.quantile(waits, 0.95)), "ms",
              "under 100")  # fmt: skip


def until_ended(web: httpx.Client, job: str) -> None:
    """Wait for a job."""
    while web.get(f"/api/jobs/{job}").json()["status"] == "running":
        time.sleep(0.05)
