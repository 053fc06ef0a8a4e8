"""The system's Chromium, driven by pytest-playwright; without one these tests are skipped."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


expect.set_options(timeout=20_000)  # how long a page takes is no fact: the machine may be busy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if any(map(shutil.which, NAMES)):
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="no Chromium; apt-get install chromium"))


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Until the tests of a file are done: as long as it is there, an event loop runs."""
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = next(path for name in NAMES if (path := shutil.which(name)))
    opened = playwright.chromium.launch(executable_path=found, args=QUIET)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    return {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """A page whose errors, on the console too, fail the test.

    A refusal by the server that a test provokes is written there by the browser itself; such a
    test empties `page.problems`.
    """
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.problems = problems  # type: ignore[attr-defined]
    yield page
    assert not problems
